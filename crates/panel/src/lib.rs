//! The extension's pages: side panel and settings.
//!
//! A page says which it is by `data-page` on its root element. Everything that it shows of a run is a
//! [`webbrain_protocol::Chat`], to which it applies the background's updates; it holds no truth of its own.

mod bidi;
mod chat;
mod dom;
mod error;
mod i18n;
mod icons;
mod markdown;
mod messages;
mod providers;
mod settings;
mod shim;
mod store;
mod task;
mod theme;

use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen::prelude::*;
use webbrain_protocol::settings::storage_keys;

/// Draws the page; called once by `panel-boot.js`, through the module's initialisation.
#[wasm_bindgen(start)]
pub fn start() {
    task::spawn(dom::report, async {
        let stored = shim::load(&[storage_keys::LOCALE, storage_keys::THEME_MODE]).await.unwrap_or_default();
        let language = match stored.get(storage_keys::LOCALE) {
            Some(Value::String(tag)) if !tag.is_empty() => tag.clone(),
            _ => shim::ui_language(),
        };
        i18n::install(&language);
        theme::adopt(stored.get(storage_keys::THEME_MODE));
        theme::follow();
        dom::set_language(&i18n::language());
        let Some(root) = dom::by_id("app") else { return Ok(()) };
        match dom::page().as_str() {
            "settings" => leptos::mount::mount_to(root, || view! { <settings::Page /> }).forget(),
            _ => leptos::mount::mount_to(root, || view! { <chat::Page /> }).forget(),
        }
        Ok(())
    });
}
