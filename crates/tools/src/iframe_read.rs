//! `iframe_read`: read one frame.

use crate::look::Look;
use crate::spec::{AfterCrash, Browsers, Effect, Modes, Spec, Tiers, Yields};

/// Arguments of `iframe_read`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct IframeRead {
    /// Host of the frame, or a part of its address.
    #[cfg_attr(test, schemars(rename = "urlFilter"))]
    pub url_filter: String,
    /// Which one of several that match, from 0.
    #[cfg_attr(test, schemars(rename = "matchIndex"))]
    pub match_index: Option<u32>,
    /// 1-based page of a text that was cut.
    pub page: Option<u32>,
}

impl Look for IframeRead {
    const SPEC: Spec = Spec {
        name: "iframe_read",
        about: "Read one frame, chosen by its address. Exactly one has to match.",
        modes: Modes::ALL,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };
}
