//! Waiting. The only module that makes promises: nothing runs detached, every future is awaited by the call that made it. A
//! call is one chain of futures with nothing beside it, so that it needs no executor: where it waits, it says for what, and
//! goes on from there in a callback.

use crate::js::{self, List, Promise};
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::*;

type Work = Pin<Box<dyn Future<Output = JsValue>>>;

/// What a call waits for.
enum Until {
    /// Time, in ms.
    Passed(f64),
    /// Pending microtasks.
    Microtasks,
    /// A promise.
    Settled(Promise),
}

thread_local! {
    /// What the call that runs now waits for.
    static WAITS_FOR: RefCell<Until> = const { RefCell::new(Until::Microtasks) };
    /// What the wait of the call that runs now gave.
    static GIVEN: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
    /// Times that what was under way was given up.
    static GIVEN_UP: Cell<u32> = const { Cell::new(0) };
}

/// Begins a call now; what it gives comes by the promise.
pub fn promise(call: impl Future<Output = JsValue> + 'static) -> Promise {
    let mut work: Option<Work> = Some(Box::pin(call));
    Promise::new(&mut |resolve| {
        if let Some(work) = work.take() {
            go_on(work, resolve);
        }
    })
}

/// Works until the call waits or is done.
fn go_on(mut work: Work, resolve: JsValue) {
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(given) => {
            // A promise's own function takes anything.
            let _ = js::call(&resolve, &JsValue::UNDEFINED, &[given]);
        }
        Poll::Pending => {
            let rest = Closure::once_into_js(move |given: JsValue| {
                GIVEN.set(given);
                go_on(work, resolve);
            });
            match WAITS_FOR.replace(Until::Microtasks) {
                Until::Passed(ms) => js::after(ms, &rest),
                // One turn more than its own, for what the pending ones add.
                Until::Microtasks => {
                    Promise::resolved().then(&JsValue::UNDEFINED).then(&rest);
                }
                Until::Settled(promise) => {
                    Promise::all_settled(&js::array(&[promise.into()])).then(&rest);
                }
            }
        }
    }
}

/// Ready when it is asked again, which is when the wait is over.
struct Wait(Option<Until>);

impl Future for Wait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        match self.0.take() {
            Some(until) => {
                WAITS_FOR.set(until);
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
}

/// Waits `ms`. Timers only: animation frames do not come in a hidden tab.
pub fn sleep(ms: f64) -> impl Future<Output = ()> {
    Wait(Some(Until::Passed(ms)))
}

/// Lets pending microtasks of the page run.
pub fn breathe() -> impl Future<Output = ()> {
    Wait(Some(Until::Microtasks))
}

/// What a promise gives, or why it fails.
pub async fn settled(promise: Promise) -> Result<JsValue, JsValue> {
    Wait(Some(Until::Settled(promise))).await;
    let outcome = GIVEN.replace(JsValue::UNDEFINED).unchecked_into::<List>().item(0);
    match js::property(&outcome, "status").as_string().as_deref() {
        Some("fulfilled") => Ok(js::property(&outcome, "value")),
        _ => Err(js::property(&outcome, "reason")),
    }
}

/// When a call has to stop touching the page: at a time, or when it is given up before.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(f64, u32);

/// Gives up whatever is under way.
pub fn give_up() {
    GIVEN_UP.set(GIVEN_UP.get() + 1);
}

impl Deadline {
    /// `ms` from now.
    pub fn after(ms: f64) -> Self {
        Deadline(js::now() + ms, GIVEN_UP.get())
    }

    /// Whether it has passed.
    pub fn passed(self) -> bool {
        js::now() >= self.0 || GIVEN_UP.get() != self.1
    }

    /// ms left.
    pub fn left(self) -> f64 {
        (self.0 - js::now()).max(0.0)
    }
}
