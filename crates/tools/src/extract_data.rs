//! `extract_data`: read tables, headings or images.

use crate::prelude::*;

/// Arguments of `extract_data`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExtractData {
    /// What to read.
    #[serde(rename = "type")]
    pub kind: DataKind,
}

/// What `extract_data` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum DataKind {
    /// Tables, up to 10.
    Tables,
    /// Headings with their levels.
    Headings,
    /// Images, up to 50.
    Images,
}

impl Tool for ExtractData {
    const SPEC: Spec = Spec {
        name: "extract_data",
        about: "Read all tables (as CSV), headings or images.",
        modes: Modes::ALL,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::ExtractData(self))
    }
}
