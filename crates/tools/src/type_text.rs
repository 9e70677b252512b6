//! `type_text`: type into the field that has the focus.

use crate::prelude::*;

/// Arguments of `type_text`. Source: reference `tools.md` 2.2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TypeText {
    /// Text.
    pub text: String,
    /// Replace what is there.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub clear: Option<bool>,
}

impl Tool for TypeText {
    const SPEC: Spec = Spec {
        name: "type_text",
        about: "Type at the cursor of the focused field.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Type),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::TypeText(self))
    }
}
