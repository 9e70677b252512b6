//! The shim's functions, with JSON taken apart. The shims are described in `docs/architecture.md`.

use crate::error::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;
use webbrain_protocol::TabId;
use webbrain_protocol::json;

mod raw {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(raw_module = "./shim/host.js")]
    extern "C" {
        #[wasm_bindgen(js_name = capabilities)]
        pub fn capabilities() -> String;
        #[wasm_bindgen(js_name = extensionUrl)]
        pub fn extension_url(path: &str) -> String;
        #[wasm_bindgen(js_name = extensionId)]
        pub fn extension_id() -> String;
        #[wasm_bindgen(js_name = storageGet, catch)]
        pub async fn storage_get(area: &str, keys: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = storageSet, catch)]
        pub async fn storage_set(area: &str, json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = storageRemove, catch)]
        pub async fn storage_remove(area: &str, keys: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = sendMessage, catch)]
        pub async fn send_message(json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = tabsGet, catch)]
        pub async fn tabs_get(tab: i32) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = tabsQuery, catch)]
        pub async fn tabs_query(json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = tabsUpdate, catch)]
        pub async fn tabs_update(tab: i32, json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = tabsCreate, catch)]
        pub async fn tabs_create(json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = tabsGoBack, catch)]
        pub async fn tabs_go_back(tab: i32) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = tabsGoForward, catch)]
        pub async fn tabs_go_forward(tab: i32) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = historyGo, catch)]
        pub async fn history_go(tab: i32, delta: i32) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = framesOf, catch)]
        pub async fn frames(tab: i32) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = callContent, catch)]
        pub async fn call_content(tab: i32, frame: f64, request: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = executeFiles, catch)]
        pub async fn execute_files(tab: i32, frame: f64, files: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = alarmsCreate, catch)]
        pub async fn alarms_create(name: &str, json: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = alarmsClear, catch)]
        pub async fn alarms_clear(name: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = keepAlive, catch)]
        pub async fn keep_alive() -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = debuggerAttach, catch)]
        pub async fn debugger_attach(tab: i32) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = debuggerSend, catch)]
        pub async fn debugger_send(tab: i32, method: &str, params: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = debuggerDetach, catch)]
        pub async fn debugger_detach(tab: i32) -> Result<JsValue, JsValue>;
    }
}

pub(crate) use raw::{debugger_attach, debugger_detach, debugger_send, extension_id, extension_url, keep_alive};

/// Result of a call whose value does not matter.
pub(crate) type Done = Result<(), Error>;

/// Whether this browser gives trusted input through the debugger API.
pub(crate) fn has_trusted_input() -> bool {
    let parsed: Value = serde_json::from_str(&raw::capabilities()).unwrap_or_default();
    parsed["trustedInput"].as_bool().unwrap_or(false)
}

/// A tab, as far as this crate looks at it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Tab {
    pub(crate) id: TabId,
    pub(crate) url: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) index: i32,
    pub(crate) window_id: i32,
}

/// Records of a storage area, each as JSON text.
#[derive(Default)]
pub(crate) struct Records(BTreeMap<String, Box<RawValue>>);

impl Records {
    /// Adds a record.
    pub(crate) fn put(&mut self, key: impl Into<String>, value: &impl Serialize) -> Done {
        self.0.insert(key.into(), RawValue::from_string(serde_json::to_string(value)?)?);
        Ok(())
    }

    /// Adds a record that is JSON text already.
    pub(crate) fn put_text(&mut self, key: impl Into<String>, json: &str) -> Done {
        self.0.insert(key.into(), RawValue::from_string(json.to_owned())?);
        Ok(())
    }

    /// A record's text; `None` when it is absent or null.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|value| value.get()).filter(|text| *text != "null")
    }

    /// Every record.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.get()))
    }
}

/// Records of a storage area; `None` asks for all of them.
pub(crate) async fn storage_get(area: &str, keys: Option<&[&str]>) -> Result<Records, Error> {
    let value = raw::storage_get(area, &serde_json::to_string(&keys)?).await?;
    Ok(Records(serde_json::from_str(&value.as_string().unwrap_or_else(|| "{}".to_owned()))?))
}

pub(crate) async fn storage_set(area: &str, records: &Records) -> Done {
    raw::storage_set(area, &serde_json::to_string(&records.0)?).await?;
    Ok(())
}

pub(crate) async fn storage_remove(area: &str, keys: &[String]) -> Done {
    raw::storage_remove(area, &serde_json::to_string(keys)?).await?;
    Ok(())
}

/// Sends a message to every extension page. That nobody listens is not an error.
pub(crate) async fn broadcast(json: &str) {
    // The browser rejects when no page is open; there is nobody to tell.
    let _ = raw::send_message(json).await;
}

pub(crate) async fn tabs_get(tab: TabId) -> Result<Tab, Error> {
    parse(raw::tabs_get(tab).await?)
}

/// Ids of all tabs that are open.
pub(crate) async fn tab_ids() -> Result<Vec<TabId>, Error> {
    let tabs: Vec<Tab> = parse(raw::tabs_query("{}").await?)?;
    Ok(tabs.into_iter().map(|tab| tab.id).collect())
}

pub(crate) async fn tabs_update(tab: TabId, update: &Value) -> Done {
    raw::tabs_update(tab, &update.to_string()).await?;
    Ok(())
}

pub(crate) async fn tabs_create(options: &Value) -> Result<Tab, Error> {
    parse(raw::tabs_create(&options.to_string()).await?)
}

/// Goes back (negative) or forward in a tab's history. From within the page first: the tabs API skips pages on which the user
/// did nothing, which is every page that the agent opened. Where no script can run, the tabs API is what there is.
pub(crate) async fn history(tab: TabId, delta: i32) -> Done {
    if raw::history_go(tab, delta).await.is_ok() {
        return Ok(());
    }
    if delta < 0 {
        raw::tabs_go_back(tab).await?
    } else {
        raw::tabs_go_forward(tab).await?
    };
    Ok(())
}

/// Calls the content script of a frame; `None` when none is there.
pub(crate) async fn call_content(tab: TabId, frame: i64, request: &str) -> Result<Option<String>, Error> {
    Ok(raw::call_content(tab, frame as f64, request).await?.as_string())
}

/// A frame of a tab, as the browser lists it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RawFrame {
    pub(crate) frame_id: i64,
    pub(crate) parent_frame_id: i64,
    pub(crate) url: String,
}

/// The frames of a tab.
pub(crate) async fn frames(tab: TabId) -> Result<Vec<RawFrame>, Error> {
    parse(raw::frames(tab).await?)
}

/// Runs packaged files in a frame; the last one's result when it is text.
pub(crate) async fn execute_files(tab: TabId, frame: i64, files: &[&str]) -> Result<Option<String>, Error> {
    Ok(raw::execute_files(tab, frame as f64, &serde_json::to_string(files)?).await?.as_string())
}

pub(crate) async fn alarm_every(name: &str, minutes: f64) -> Done {
    let options = serde_json::json!({ "periodInMinutes": minutes, "delayInMinutes": minutes });
    raw::alarms_create(name, &options.to_string()).await?;
    Ok(())
}

pub(crate) async fn alarm_clear(name: &str) -> Done {
    raw::alarms_clear(name).await?;
    Ok(())
}

fn parse<T: serde::de::DeserializeOwned>(value: JsValue) -> Result<T, Error> {
    Ok(json::from_str(&value.as_string().unwrap_or_default())?)
}
