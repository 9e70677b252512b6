//! `get_selection`: read what the user has selected.

use crate::prelude::*;

/// Arguments of `get_selection`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GetSelection {}

impl Tool for GetSelection {
    const SPEC: Spec = Spec {
        name: "get_selection",
        about: "Read the text that the user has selected.",
        modes: Modes::ALL,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::GetSelection(self))
    }
}
