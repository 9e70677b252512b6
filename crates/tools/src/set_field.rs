//! `set_field`: set a field to a value, and submit it if asked.

use crate::prelude::*;

/// Arguments of `set_field`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SetField {
    /// Field.
    pub ref_id: RefId,
    /// New value.
    pub text: String,
    /// Replace what is there; true when absent.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub clear: Option<bool>,
    /// Submit afterwards; false when absent.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub submit: Option<bool>,
}

impl Tool for SetField {
    const SPEC: Spec = Spec {
        name: "set_field",
        about: "Set a field, select (option label) or editor to text; submit: then press Enter or pick the suggestion.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Type),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::SetField(self))
    }

    fn needs(&self) -> Vec<Capability> {
        if self.submit == Some(true) { vec![Capability::Type, Capability::Click] } else { vec![Capability::Type] }
    }
}
