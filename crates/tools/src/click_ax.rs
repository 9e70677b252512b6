//! `click_ax`: activate the element of a ref.

use crate::prelude::*;

/// Arguments of `click_ax`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClickAx {
    /// Element to click.
    pub ref_id: RefId,
}

impl Tool for ClickAx {
    const SPEC: Spec = Spec {
        name: "click_ax",
        about: "Click the element.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Click),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::ClickAx(self))
    }
}
