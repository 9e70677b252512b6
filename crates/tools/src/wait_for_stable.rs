//! `wait_for_stable`: wait until the page stops changing.

use crate::prelude::*;

/// Arguments of `wait_for_stable`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WaitForStable {
    /// ms, 200 to 20000; 5000 when absent.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub timeout: Option<u32>,
    /// ms without a change, 100 to 3000; 500 when absent.
    #[serde(default, rename = "quietMs", deserialize_with = "lenient::opt_u32")]
    pub quiet_ms: Option<u32>,
}

impl Tool for WaitForStable {
    const SPEC: Spec = Spec {
        name: "wait_for_stable",
        about: "Wait until the page stops changing.",
        modes: Modes::ALL,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::WaitForStable(self))
    }
}
