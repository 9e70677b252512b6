//! `go_forward`: go forward in the tab's history.

use crate::prelude::*;

/// Arguments of `go_forward`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GoForward {
    /// Pages, 1 to 10; 1 when absent.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub steps: Option<u32>,
    /// Leave even if input on the page is lost; false when absent.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub force: Option<bool>,
}

impl Tool for GoForward {
    const SPEC: Spec = Spec {
        name: "go_forward",
        about: "Go forward in history.",
        modes: Modes::ACTION,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Navigate),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Tab(TabCall::GoForward(self))
    }
}
