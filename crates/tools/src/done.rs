//! `done`: end the run.

use crate::prelude::*;

/// Arguments of `done`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// What was done and found, for the user.
    pub summary: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// All of it, seen on the page.
    Success,
    /// Some of it.
    Partial,
    /// None of it.
    Failed,
}

impl Tool for Done {
    const SPEC: Spec = Spec {
        name: "done",
        about: "End the run and report. success only with what the page showed as proof.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Own,
        yields: Yields::OwnText,
        terminal: true,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Core(CoreCall::Done(self))
    }
}
