//! `read_page`: read the page's text.

use crate::prelude::*;

/// Arguments of `read_page`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadPage {
    /// Menus, header and footer too; false when absent.
    #[serde(default, rename = "includeChrome", deserialize_with = "lenient::opt_bool")]
    pub include_chrome: Option<bool>,
    /// 1-based page of a text that was cut.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub page: Option<u32>,
}

impl Tool for ReadPage {
    const SPEC: Spec = Spec {
        name: "read_page",
        about: "Read the page's main text.",
        modes: Modes::ALL,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::ReadPage(self))
    }
}
