//! `find_text`: find text on the page.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `find_text`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FindText {
    /// Text to find.
    pub text: String,
    /// Upper and lower case matter.
    #[cfg_attr(test, schemars(rename = "matchCase"))]
    pub match_case: Option<bool>,
    /// 1-based page of a result that was cut.
    pub page: Option<u32>,
}

impl Look for FindText {
    const SPEC: Spec = Spec {
        name: "find_text",
        about: "Find text on the page: the lines that hold it, with refs; scrolls to the first.",
        modes: Modes::ALL,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
