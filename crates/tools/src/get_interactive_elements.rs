//! `get_interactive_elements`: list the controls of the page.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `get_interactive_elements`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GetInteractiveElements {
    /// 1-based page of a list that was cut.
    pub page: Option<u32>,
}

impl Look for GetInteractiveElements {
    const SPEC: Spec = Spec {
        name: "get_interactive_elements",
        about: "List the page's controls, numbered, in reading order.",
        modes: Modes::ALL,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
