//! `get_frames`: list the frames of the page.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `get_frames`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GetFrames {}

impl Look for GetFrames {
    const SPEC: Spec = Spec {
        name: "get_frames",
        about: "List the frames of the page with their addresses.",
        modes: Modes::ACTION,
        tiers: Tiers::FULL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
