//! `read_page_source`: read the HTML of the page.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `read_page_source`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ReadPageSource {
    /// 1-based page of the source.
    pub page: Option<u32>,
}

impl Look for ReadPageSource {
    const SPEC: Spec = Spec {
        name: "read_page_source",
        about: "Read the page's HTML as it is now, passwords left out.",
        modes: Modes::DEV,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
