//! The browser, through the shim. Everything crosses as JSON text; here it gets its types back.

use crate::error::PanelError;
use serde::Deserialize;
use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;
use webbrain_protocol::TabId;
use webbrain_protocol::message::{Request, Response};

mod raw {
    use super::{Closure, JsValue, TabId, wasm_bindgen};

    #[wasm_bindgen(raw_module = "./shim/host.js")]
    extern "C" {
        #[wasm_bindgen(js_name = uiLanguage)]
        pub fn ui_language() -> String;
        #[wasm_bindgen(js_name = storageGet, catch)]
        pub async fn storage_get(area: &str, keys: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = storageSet, catch)]
        pub async fn storage_set(area: &str, json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = onStorageChanged)]
        pub fn on_storage_changed(callback: &Closure<dyn FnMut(String, String)>);
        #[wasm_bindgen(js_name = sendMessage, catch)]
        pub async fn send_message(json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = onMessage)]
        pub fn on_message(callback: &Closure<dyn FnMut(String)>);
        #[wasm_bindgen(js_name = tabsQuery, catch)]
        pub async fn tabs_query(json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = currentWindowId, catch)]
        pub async fn current_window_id() -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = onTabActivated)]
        pub fn on_tab_activated(callback: &Closure<dyn FnMut(TabId, i32)>);
        #[wasm_bindgen(js_name = openOptionsPage, catch)]
        pub async fn open_options_page() -> Result<JsValue, JsValue>;
    }
}

/// A tab as the browser lists it.
#[derive(Clone, Debug, Deserialize)]
pub struct Tab {
    /// Its id.
    pub id: TabId,
}

fn browser(call: &'static str) -> impl Fn(JsValue) -> PanelError {
    move |error| {
        let words = error.dyn_ref::<js_sys::Error>().map(|e| String::from(e.message())).or_else(|| error.as_string());
        PanelError::Browser { call, detail: words.unwrap_or_default() }
    }
}

fn unreadable(error: serde_json::Error) -> PanelError {
    PanelError::Unreadable(error.to_string())
}

/// The browser's language tag.
pub fn ui_language() -> String {
    raw::ui_language()
}

/// Reads keys of `storage.local`; absent keys are absent in the result.
///
/// # Errors
/// When the browser refuses.
pub async fn load(keys: &[&str]) -> Result<Map<String, Value>, PanelError> {
    let names = serde_json::to_string(keys).map_err(unreadable)?;
    let text = raw::storage_get("local", &names).await.map_err(browser("storageGet"))?;
    serde_json::from_str(&text.as_string().unwrap_or_else(|| "{}".to_owned())).map_err(unreadable)
}

/// Writes one key of `storage.local`.
///
/// # Errors
/// When the browser refuses (quota, say).
pub async fn save(key: &str, value: Value) -> Result<(), PanelError> {
    let json = Value::Object(Map::from_iter([(key.to_owned(), value)])).to_string();
    raw::storage_set("local", &json).await.map_err(browser("storageSet")).map(|_| ())
}

/// Calls `changed` with the names of the keys of `storage.local` that changed, for the page's life.
pub fn on_local_change(changed: impl Fn(Vec<String>) + 'static) {
    let callback = Closure::new(move |area: String, changes: String| {
        if area == "local"
            && let Ok(Value::Object(changes)) = serde_json::from_str(&changes)
        {
            changed(changes.into_iter().map(|(key, _)| key).collect());
        }
    });
    raw::on_storage_changed(&callback);
    callback.forget();
}

/// Sends a request to the background.
///
/// # Errors
/// When it does not answer, answers nonsense, or says no.
pub async fn ask(request: &Request) -> Result<Response, PanelError> {
    let json = serde_json::to_string(request).map_err(unreadable)?;
    let answer = raw::send_message(&json).await.map_err(browser("sendMessage"))?;
    let text = answer.as_string().ok_or(PanelError::NoAnswer)?;
    let response: Response = serde_json::from_str(&text).map_err(unreadable)?;
    match (response.ok, &response.error) {
        (true, _) => Ok(response),
        (false, Some(message)) => Err(PanelError::Refused(message.clone())),
        (false, None) => Err(PanelError::NoAnswer),
    }
}

/// Calls `heard` with the text of every broadcast, for the page's life.
pub fn on_broadcast(heard: impl Fn(String) + 'static) {
    let callback = Closure::new(heard);
    raw::on_message(&callback);
    callback.forget();
}

/// The active tab of the page's own window.
///
/// # Errors
/// When the browser refuses.
pub async fn active_tab() -> Result<Option<TabId>, PanelError> {
    let query = r#"{"active":true,"currentWindow":true}"#;
    let text = raw::tabs_query(query).await.map_err(browser("tabsQuery"))?;
    let tabs: Vec<Tab> = serde_json::from_str(&text.as_string().unwrap_or_default()).map_err(unreadable)?;
    Ok(tabs.first().map(|tab| tab.id))
}

/// The id of the page's own window.
///
/// # Errors
/// When the browser refuses.
pub async fn current_window_id() -> Result<Option<i32>, PanelError> {
    let id = raw::current_window_id().await.map_err(browser("currentWindowId"))?;
    Ok(id.as_f64().map(|id| id as i32))
}

/// Calls `activated` with the tab and its window whenever another tab becomes active, for the page's life.
pub fn on_tab_activated(activated: impl Fn(TabId, i32) + 'static) {
    let callback = Closure::new(activated);
    raw::on_tab_activated(&callback);
    callback.forget();
}

/// Opens the settings page.
///
/// # Errors
/// When the browser refuses.
pub async fn open_settings() -> Result<(), PanelError> {
    raw::open_options_page().await.map_err(browser("openOptionsPage")).map(|_| ())
}
