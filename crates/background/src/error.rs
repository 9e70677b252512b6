//! Errors of this crate.

use wasm_bindgen::JsValue;

/// What went wrong between the driver and the browser.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The browser refused a call.
    #[error("{0}")]
    Browser(String),
    /// A value of the browser or of the storage has another shape than expected.
    #[error("unexpected data: {0}")]
    Data(#[from] serde_json::Error),
    /// The document that was asked is no longer there.
    #[error("the document went away")]
    Gone,
    /// The tab shows a PDF in the browser's own viewer.
    #[error("the tab shows a PDF")]
    Pdf,
    /// The run gave the call up.
    #[error("the call was given up")]
    Stopped,
    /// The tab is not at the site any more that the call was allowed for.
    #[error("the tab has gone to another site")]
    Moved,
    /// It took too long.
    #[error("no answer in time")]
    Timeout,
}

impl From<JsValue> for Error {
    fn from(value: JsValue) -> Self {
        Error::Browser(words_of(&value))
    }
}

/// The message of a thrown value.
pub(crate) fn words_of(value: &JsValue) -> String {
    let message = js_sys::Reflect::get(value, &JsValue::from_str("message")).ok().and_then(|m| m.as_string());
    message.or_else(|| value.as_string()).unwrap_or_else(|| "unknown failure".to_owned())
}
