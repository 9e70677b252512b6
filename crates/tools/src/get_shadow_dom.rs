//! `get_shadow_dom`: list the components of the page.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `get_shadow_dom`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GetShadowDom {
    /// 1-based page of a list that was cut.
    pub page: Option<u32>,
}

impl Look for GetShadowDom {
    const SPEC: Spec = Spec {
        name: "get_shadow_dom",
        about: "List the page's web components (shadow hosts) with refs.",
        modes: Modes::ACTION,
        tiers: Tiers::FULL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
