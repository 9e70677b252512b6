//! `new_tab`: open an address in a new tab.

use crate::prelude::*;

/// Arguments of `new_tab`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewTab {
    /// Absolute, or relative to the page.
    pub url: String,
}

impl Tool for NewTab {
    const SPEC: Spec = Spec {
        name: "new_tab",
        about: "Open a URL in a new background tab; you stay in this one.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Navigate),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Tab(TabCall::NewTab(self))
    }
}
