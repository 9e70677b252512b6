//! `clarify`: ask the user.

use crate::prelude::*;

/// Arguments of `clarify`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clarify {
    /// The question.
    pub question: String,
    /// Up to 4 answers to choose from.
    #[serde(default)]
    pub options: Option<Vec<String>>,
}

impl Tool for Clarify {
    const SPEC: Spec = Spec {
        name: "clarify",
        about: "Ask the user when a needed fact is missing or a choice is theirs.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Own,
        yields: Yields::OwnText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Core(CoreCall::Clarify(self))
    }
}
