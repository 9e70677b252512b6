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
mod node;
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
mod wire;

use wasm_bindgen::prelude::*;
use webbrain_tools::PageReply;

/// Carries out a request. Never throws: a failure is a reply with `ok: false` and a text that says what to do next.
#[wasm_bindgen]
pub async fn call(request: String) -> String {
    let reply = match wire::request(&request) {
        Some(request) => act::handle(request).await,
        None => PageReply {
            text: "the content script does not understand this request; the extension was updated: reload the page"
                .to_owned(),
            ..PageReply::default()
        },
    };
    wire::reply(&reply)
}
