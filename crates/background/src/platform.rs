//! Time, randomness, timers and detached work: the only module that touches them.

use crate::error::Error;
use futures::future::{Either, select};
use js_sys::{Date, Reflect, Uint8Array};
use std::future::Future;
use std::pin::pin;
use wasm_bindgen::{JsCast, JsValue};

/// ms since the epoch.
#[expect(clippy::disallowed_methods, reason = "the one place where time enters")]
pub(crate) fn now() -> u64 {
    // Positive and far below 2^53.
    Date::now() as u64
}

/// Local time with its zone, for the model.
pub(crate) fn local_time() -> String {
    String::from(Date::new_0().to_string())
}

/// 53 random bits that a page cannot guess: as many as JSON numbers carry through the browser's storage unchanged.
pub(crate) fn random() -> u64 {
    let bytes = Uint8Array::new_with_length(8);
    let crypto = Reflect::get(&js_sys::global(), &JsValue::from_str("crypto")).ok();
    let filled = crypto
        .and_then(|c| c.dyn_into::<web_sys::Crypto>().ok())
        .is_some_and(|c| c.get_random_values_with_array_buffer_view(&bytes).is_ok());
    let mut word = [0; 8];
    bytes.copy_to(&mut word);
    let bits = if filled { u64::from_le_bytes(word) } else { js_sys::Math::random().to_bits() ^ now() };
    bits >> 11
}

/// Waits.
pub(crate) async fn sleep(ms: u32) {
    gloo_timers::future::TimeoutFuture::new(ms).await;
}

/// The future's value, unless it takes longer than `ms`.
pub(crate) async fn within<T>(ms: u32, future: impl Future<Output = T>) -> Result<T, Error> {
    match select(pin!(future), gloo_timers::future::TimeoutFuture::new(ms)).await {
        Either::Left((value, _)) => Ok(value),
        Either::Right(_) => Err(Error::Timeout),
    }
}

/// Starts work that reports its own failures.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that detaches a future; its output is (), so nothing is lost"
)]
pub(crate) fn spawn(future: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(future);
}

/// Tells a developer what could not be told to a user. Never with page text, keys or prompts.
pub(crate) fn report(place: &str, error: &Error) {
    web_sys::console::warn_1(&JsValue::from_str(&format!("WebBrain: {place}: {error}")));
}
