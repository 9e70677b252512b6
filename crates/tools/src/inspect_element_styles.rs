//! `inspect_element_styles`: read an element's box and styles.

use crate::call::RefId;
use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `inspect_element_styles`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectElementStyles {
    /// The element; or give a selector.
    pub ref_id: Option<RefId>,
    /// CSS selector of the element.
    pub selector: Option<String>,
}

impl Look for InspectElementStyles {
    const SPEC: Spec = Spec {
        name: "inspect_element_styles",
        about: "Read an element's box, computed styles, matching rules and ancestors.",
        modes: Modes::DEV,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
