//! The content script. One export, [`call`]: a [`PageRequest`] as JSON in, a [`PageReply`] as JSON out. Nothing runs in a
//! page between calls: no listener, no observer, no timer, unless the run indicator is on.

mod act;
mod click;
mod cover;
mod dom;
mod editor;
mod events;
mod extract;
mod fail;
mod field;
mod indicator;
mod js;
mod keys;
mod observe;
mod read;
mod registry;
mod scroll;
mod secret;
mod select;
mod state;
mod status;
mod submit;
mod target;
mod task;
mod wait;

use wasm_bindgen::prelude::*;
use webbrain_tools::{Dispatched, PageReply, PageRequest};

/// Carries out a request. Never throws: a failure is a reply with `ok: false` and a text that says what to do next.
#[wasm_bindgen]
pub async fn call(request: String) -> String {
    let reply = match serde_json::from_str::<PageRequest>(&request) {
        Ok(request) => act::handle(request).await,
        Err(error) => PageReply {
            text: format!("the content script does not understand this request: {error}"),
            dispatched: Dispatched::No,
            ..PageReply::default()
        },
    };
    // Serialising plain strings and numbers cannot fail; an empty object still is a reply.
    serde_json::to_string(&reply).unwrap_or_else(|_| "{}".to_owned())
}
