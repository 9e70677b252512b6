//! JSON that the browser parsed: a second parser would be a third of the content script's size.

use crate::js;
use wasm_bindgen::JsValue;
use webbrain_tools::RefId;

/// A parsed value.
#[derive(Clone, Debug)]
pub struct Json(pub JsValue);

impl Json {
    /// The value of a key; `undefined` without one.
    pub fn at(&self, key: &str) -> Json {
        Json(js::property(&self.0, key))
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<String> {
        self.at(key).0.as_string()
    }

    /// The whole number of a key.
    pub fn number(&self, key: &str) -> Option<u32> {
        // The sender checked the bounds.
        self.at(key).0.as_f64().map(|n| n as u32)
    }

    /// The yes or no of a key.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.at(key).0.as_bool()
    }

    /// The ref that it names.
    pub fn reference(&self) -> Option<RefId> {
        self.text("ref_id").map(RefId)
    }
}
