//! What a call gives, and what it did to the page.

use crate::fail::Fail;
use crate::js;
use crate::json::Json;
use std::cell::Cell;
use wasm_bindgen::JsValue;
use webbrain_tools::{Dispatched, Insertion};

/// What a call gives.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Text for the model.
    pub text: String,
    /// One line for the user.
    pub summary: String,
    /// Whether it did what it says; a call may act and still not succeed.
    pub failed: bool,
    /// What trusted input has to do before the call can be finished.
    pub insert: Option<Insertion>,
}

impl Outcome {
    /// A success.
    pub fn new(text: impl Into<String>, summary: impl Into<String>) -> Self {
        Outcome { text: text.into(), summary: summary.into(), ..Outcome::default() }
    }
}

thread_local! {
    static TOUCHED: Cell<bool> = const { Cell::new(false) };
}

/// An event was dispatched, or something else was done to the page.
pub fn touch() {
    TOUCHED.set(true);
}

/// A call begins.
pub fn untouched() {
    TOUCHED.set(false);
}

/// What became of a call.
#[derive(Debug, Default)]
pub struct Ended {
    /// Text for the model.
    pub text: String,
    /// One line for the user.
    pub summary: String,
    /// Whether it did what was asked.
    pub ok: bool,
    /// Whether anything was done to the page.
    pub dispatched: Dispatched,
    /// Whether the ref resolved to nothing here.
    pub missing: bool,
    /// What trusted input has to do before the call can be finished.
    pub insert: Option<Insertion>,
}

impl From<Result<Outcome, Fail>> for Ended {
    fn from(result: Result<Outcome, Fail>) -> Self {
        let touched = TOUCHED.get();
        let done = if touched { Dispatched::Yes } else { Dispatched::No };
        match result {
            Ok(Outcome { text, summary, failed, insert }) => {
                Ended { text, summary, ok: !failed, dispatched: done, missing: false, insert }
            }
            Err(fail) => {
                let threw = touched && matches!(fail, Fail::Threw(_));
                Ended {
                    text: fail.to_string(),
                    summary: String::new(),
                    ok: false,
                    dispatched: if threw { Dispatched::Unknown } else { done },
                    missing: matches!(fail, Fail::NotFound { .. }),
                    insert: None,
                }
            }
        }
    }
}

impl From<Fail> for Ended {
    fn from(fail: Fail) -> Self {
        Err(fail).into()
    }
}

impl Ended {
    /// For the other half.
    pub fn to_js(&self) -> JsValue {
        js::object(&[
            ("text", self.text.as_str().into()),
            ("summary", self.summary.as_str().into()),
            ("ok", self.ok.into()),
            ("dispatched", word(self.dispatched).into()),
            ("missing", self.missing.into()),
            ("insert", insertion(self.insert.as_ref())),
        ])
    }

    /// From the other half.
    pub fn from_js(value: JsValue) -> Self {
        let value = Json(value);
        Ended {
            text: value.text("text").unwrap_or_default(),
            summary: value.text("summary").unwrap_or_default(),
            ok: value.flag("ok").unwrap_or(false),
            dispatched: match value.text("dispatched").as_deref() {
                Some("no") => Dispatched::No,
                Some("yes") => Dispatched::Yes,
                _ => Dispatched::Unknown,
            },
            missing: value.flag("missing").unwrap_or(false),
            insert: value
                .at("insert")
                .text("text")
                .map(|text| Insertion { text, keys: value.at("insert").flag("keys").unwrap_or(false) }),
        }
    }
}

/// As replies have it.
pub fn insertion(insert: Option<&Insertion>) -> JsValue {
    match insert {
        Some(insert) => js::object(&[("text", insert.text.as_str().into()), ("keys", insert.keys.into())]),
        None => JsValue::NULL,
    }
}

/// As replies have it.
pub fn word(dispatched: Dispatched) -> &'static str {
    match dispatched {
        Dispatched::No => "no",
        Dispatched::Yes => "yes",
        Dispatched::Unknown => "unknown",
    }
}
