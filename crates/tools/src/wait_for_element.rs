//! `wait_for_element`: wait until a selector matches a visible element.

use crate::prelude::*;

/// Arguments of `wait_for_element`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WaitForElement {
    /// CSS selector.
    pub selector: String,
    /// ms, at most 20000; 5000 when absent.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub timeout: Option<u32>,
}

impl Tool for WaitForElement {
    const SPEC: Spec = Spec {
        name: "wait_for_element",
        about: "Wait until a CSS selector matches something visible.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::WaitForElement(self))
    }
}
