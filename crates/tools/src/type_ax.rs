//! `type_ax`: add text to a field.

use crate::prelude::*;

/// Arguments of `type_ax`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TypeAx {
    /// Field.
    pub ref_id: RefId,
    /// Text.
    pub text: String,
    /// Replace what is there; false when absent.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub clear: Option<bool>,
}

impl Tool for TypeAx {
    const SPEC: Spec = Spec {
        name: "type_ax",
        about: "Type text into the field, after what is there (clear: replace).",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Type),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::TypeAx(self))
    }
}
