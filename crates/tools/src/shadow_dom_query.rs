//! `shadow_dom_query`: find elements in components.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `shadow_dom_query`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ShadowDomQuery {
    /// CSS selector, matched in every shadow root.
    pub selector: String,
    /// 1-based page of a result that was cut.
    pub page: Option<u32>,
}

impl Look for ShadowDomQuery {
    const SPEC: Spec = Spec {
        name: "shadow_dom_query",
        about: "Find elements by CSS selector in the page and in its web components.",
        modes: Modes::ACTION,
        tiers: Tiers::FULL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
