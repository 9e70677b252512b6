//! `navigate`: load an address in the run's tab.

use crate::prelude::*;

/// Arguments of `navigate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Navigate {
    /// Absolute, or relative to the page.
    pub url: String,
    /// Leave even if input on the page is lost; false when absent.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub force: Option<bool>,
}

impl Tool for Navigate {
    const SPEC: Spec = Spec {
        name: "navigate",
        about: "Load a URL in this tab.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Navigate),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Tab(TabCall::Navigate(self))
    }
}
