//! `scratchpad_write`: keep a note for the rest of the conversation.

use crate::prelude::*;

/// Arguments of `scratchpad_write`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScratchpadWrite {
    /// The note.
    pub text: String,
    /// Drop earlier notes; false when absent.
    #[serde(default, deserialize_with = "lenient::opt_bool")]
    pub replace: Option<bool>,
}

impl Tool for ScratchpadWrite {
    const SPEC: Spec = Spec {
        name: "scratchpad_write",
        about: "Keep a note that stays in view (replace: drop the old ones).",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Own,
        yields: Yields::OwnText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Core(CoreCall::ScratchpadWrite(self))
    }
}
