//! Why a call did not do what it says, in words for the model: what happened and what to do next.

use wasm_bindgen::JsValue;

/// A call that failed.
#[derive(Debug, thiserror::Error)]
pub enum Fail {
    /// The ref resolves to nothing.
    #[error(
        "{reference} not found: the element is gone or the ref was never given. Read the page again with get_accessibility_tree.{near}"
    )]
    NotFound {
        /// The ref that was asked for.
        reference: String,
        /// Candidates, or nothing.
        near: String,
    },
    /// The element is no longer what was shown.
    #[error("{reference} was {was} and is now {now}. Nothing was done. Read the page again.")]
    Changed {
        /// The ref.
        reference: String,
        /// As it was shown.
        was: String,
        /// As it is.
        now: String,
    },
    /// It cannot be seen.
    #[error("{0} is not visible now. Nothing was done. Open or scroll to what contains it, or read the page again.")]
    Hidden(String),
    /// It is disabled.
    #[error("{0} is disabled. Nothing was done. See what the page still asks for.")]
    Disabled(String),
    /// It is behind a modal dialog.
    #[error("{0} cannot be used while {1} is open. Nothing was done. Deal with that first.")]
    Inert(String, String),
    /// Something lies over it.
    #[error("{0} is covered by {1}. Nothing was done. Close or use what covers it first.")]
    Covered(String, String),
    /// The tool does not fit the element.
    #[error("{0}")]
    Unfit(String),
    /// The time is over.
    #[error("the time for this call is over; nothing more was done to the page")]
    Late,
    /// The browser threw.
    #[error("the page could not be used: {0}")]
    Threw(String),
}

impl From<JsValue> for Fail {
    fn from(value: JsValue) -> Self {
        Fail::Threw(crate::js::thrown(&value))
    }
}
