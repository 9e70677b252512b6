//! `scroll`: move the page or one of its containers.

use crate::prelude::*;

/// Arguments of `scroll`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scroll {
    /// Where to.
    pub direction: Direction,
    /// CSS px; most of a viewport when absent.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub amount: Option<u32>,
    /// Element in the container to scroll.
    #[serde(default)]
    pub ref_id: Option<RefId>,
}

/// Where to scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the start.
    Top,
    /// To the end.
    Bottom,
}

impl Tool for Scroll {
    const SPEC: Spec = Spec {
        name: "scroll",
        about: "Scroll the page, or the container of ref_id.",
        modes: Modes::ALL,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::Scroll(self))
    }
}
