//! The content script: [`call`] takes a `PageRequest` as JSON and gives a [`PageReply`] as JSON. Nothing runs in a page between
//! runs: no listener, no observer, no timer. Between the calls of a run there is the run indicator, and an observer that ends with
//! the first mutation (`kept`).
//!
//! This half reads. What acts is in `webbrain-content-act`, which comes into the frame with the first call that acts; see
//! [`link`] for the way there and [`services`] for what it asks of this half.

mod act;
mod arena;
mod collector;
mod dom;
mod extract;
mod indicator;
mod kept;
mod link;
mod looks;
mod observe;
mod read;
mod registry;
mod scroll;
mod secret;
mod services;
mod state;
mod status;
mod style;
mod target;
mod wait;
mod wire;
mod words;

use wasm_bindgen::prelude::*;
use webbrain_content_base::{entry, fail, focus, js, json, named, node, outcome, pressed, task};
use webbrain_tools::PageReply;

/// Carries out a request: a promise of the reply. Never throws: a failure is a reply with `ok: false` and a text that says what
/// to do next.
#[wasm_bindgen]
pub fn call(request: String) -> js::Promise {
    task::promise(async move { answer(request).await.as_str().into() })
}

async fn answer(request: String) -> String {
    match wire::request(&request) {
        Some(request) => act::handle(request).await,
        None => wire::reply(&PageReply {
            text: "the content script does not understand this request; the extension was updated: reload the page"
                .to_owned(),
            ..PageReply::default()
        }),
    }
}
