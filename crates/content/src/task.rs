//! Waiting. The only module that makes promises: nothing runs detached, every future is awaited by the call that made it.

use crate::js;
use js_sys::Promise;
use wasm_bindgen_futures::JsFuture;

/// Waits `ms`. Timers only: animation frames do not come in a hidden tab.
pub async fn sleep(ms: f64) {
    let promise = Promise::new(&mut |resolve, _reject| js::after(ms, &resolve));
    // A promise that only resolves.
    let _ = JsFuture::from(promise).await;
}

/// Lets pending microtasks of the page run.
pub async fn breathe() {
    let _ = JsFuture::from(Promise::resolve(&wasm_bindgen::JsValue::UNDEFINED)).await;
}

/// When a call has to stop touching the page.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(f64);

impl Deadline {
    /// `ms` from now.
    pub fn after(ms: u32) -> Self {
        Deadline(js::now() + f64::from(ms))
    }

    /// Whether it has passed.
    pub fn passed(self) -> bool {
        js::now() >= self.0
    }

    /// ms left.
    pub fn left(self) -> f64 {
        (self.0 - js::now()).max(0.0)
    }
}
