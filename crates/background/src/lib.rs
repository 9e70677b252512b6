//! The driver. It journals what happens to a run, hands it to the core, and executes the effects that the core wants:
//! model calls, page calls, tab calls, timers, messages to the panel. No decision about the run is made here.

mod actor;
mod app;
mod error;
mod frames;
mod host;
mod journal;
mod keys;
mod leave;
mod model;
mod page;
mod platform;
mod providers;
mod router;
mod settings;
mod store;
mod tabs;

use wasm_bindgen::prelude::wasm_bindgen;

/// Rebuilds the runs that an earlier worker left, and goes on with them. To be awaited once, before any other call.
#[wasm_bindgen]
pub async fn boot() {
    app::boot().await;
}

/// Answers a message of an extension page or a content script: a `Request` as JSON and its `Sender` as JSON; the answer is a
/// `Response` as JSON.
#[wasm_bindgen]
pub async fn on_message(message: String, sender: String) -> String {
    router::on_message(&message, &sender).await
}

/// An alarm fired. Being woken is all that a live run needs: `boot` has gone on with what was under way.
#[wasm_bindgen]
pub async fn on_alarm(name: String) {
    app::woken(&name).await;
}

/// A tab was closed.
#[wasm_bindgen]
pub fn on_tab_removed(tab_id: i32) {
    app::tab_removed(tab_id);
}

/// A frame of a tab went to another document (`committed`), finished loading (`completed`) or changed its address within the
/// document (`history`).
#[wasm_bindgen]
pub fn on_navigation(tab_id: i32, frame_id: f64, url: String, kind: String) {
    // Ids of frames in Firefox are larger than 32 bits; scripts count exactly up to 53.
    app::navigated(tab_id, frame_id as i64, &url, &kind);
}
