//! What can happen to a run. Time and randomness enter here, as values.

use serde::{Deserialize, Serialize};
use webbrain_protocol::model::Delta;
use webbrain_protocol::settings::Settings;
use webbrain_protocol::{Completion, Decision, Grant, Mode, ModelError, Msg, Tier};
use webbrain_tools::ShownRef;

/// An input with the time and the randomness that the driver gives it. The journal is a list of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamped {
    /// ms since the epoch.
    pub at: u64,
    /// Random bits, below 2^53: the journal passes through JSON numbers of the browser.
    pub random: u64,
    /// What happened.
    pub input: Input,
}

/// The model that a run uses, as the driver found it in the settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelProfile {
    /// Provider id.
    pub provider: String,
    /// Tier, which decides the prompt and the tools.
    pub tier: Tier,
}

/// Where a tab is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageInfo {
    /// Address.
    pub url: String,
    /// Title; page-derived.
    pub title: String,
}

/// What the driver reads when a run begins or goes on: time has passed, so it is read anew.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Now {
    /// Model to use.
    pub profile: ModelProfile,
    /// Settings.
    pub settings: Settings,
    /// Stored grants.
    pub grants: Vec<Grant>,
    /// Where the tab is.
    pub page: PageInfo,
}

/// How a tool call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOutcome {
    /// It did what it says.
    Ok,
    /// It did not, and nothing is in doubt.
    #[default]
    Error,
    /// It may or may not have happened.
    Unknown,
}

/// What the driver reports of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolReport {
    /// How it ended.
    pub outcome: ToolOutcome,
    /// Result in this program's words; may be empty.
    pub own_text: String,
    /// Result in the page's words; may be empty; fenced. Addresses, titles and the browser's own words belong here, too.
    pub page_text: String,
    /// Address of the document whose words `page_text` holds, where it is not where the tab is afterwards; else empty.
    pub source: String,
    /// One short line for the user; data.
    pub summary: String,
    /// Where the tab is afterwards, when known.
    pub page: Option<PageInfo>,
    /// First ref number that the tab has not given yet, when known.
    pub next_ref: Option<u32>,
    /// Elements of the lines that `page_text` shows.
    pub shown: Vec<ShownRef>,
}

impl ToolReport {
    /// A failure in this program's words, with nothing done.
    pub fn error(words: impl Into<String>) -> Self {
        let words = words.into();
        ToolReport {
            outcome: ToolOutcome::Error,
            summary: first_sentence(&words).to_owned(),
            own_text: words,
            ..ToolReport::default()
        }
    }
}

/// The first sentence of words that are written for a model: it says what happened; what a model should do next follows it.
pub(crate) fn first_sentence(words: &str) -> &str {
    let is_end = |at: &usize| words[at + 2..].starts_with(char::is_uppercase);
    let end = words.match_indices(". ").map(|(at, _)| at).find(is_end);
    end.map_or(words, |at| &words[..=at])
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// The user sent a message. Ignored while a run is live ([`crate::Run::can_start`]).
    Start {
        /// What was typed.
        text: String,
        /// What the user allows.
        mode: Mode,
        /// Made by the panel.
        request_id: String,
        /// What it starts with.
        now: Now,
        /// Local time with zone, as text for the model.
        clock: String,
    },
    /// A piece of the model's answer.
    Delta {
        /// Number of the model call.
        call: u64,
        /// The piece.
        delta: Delta,
    },
    /// The model's answer is complete.
    ModelDone {
        /// Number of the model call.
        call: u64,
        /// The answer.
        completion: Completion,
    },
    /// The model call failed.
    ModelFailed {
        /// Number of the model call.
        call: u64,
        /// Why.
        error: ModelError,
        /// The same in the user's words.
        words: Msg,
    },
    /// A tool call ended.
    ToolFinished {
        /// Number of the tool call.
        call: u64,
        /// How.
        report: ToolReport,
    },
    /// The user answered a permission card.
    PermissionAnswered {
        /// Card.
        id: u64,
        /// Answer.
        decision: Decision,
        /// Where the tab is now: the host is checked again.
        page: PageInfo,
    },
    /// The user answered a clarify card.
    Clarified {
        /// Card.
        id: u64,
        /// Answer.
        answer: String,
    },
    /// The user pressed Continue after the step limit.
    Continued {
        /// As they are now.
        now: Now,
    },
    /// The user pressed Retry after an error.
    Retried {
        /// As they are now.
        now: Now,
    },
    /// A timer that an effect asked for.
    Timer {
        /// Its number.
        id: u64,
    },
    /// The user pressed Stop.
    Abort {},
    /// The user cleared the conversation.
    Clear {},
    /// The tab is gone.
    TabClosed {},
    /// The worker was stopped and is back; nothing of what was under way is known.
    Restored {},
    /// The driver has something to tell the user.
    Notice {
        /// What.
        message: Msg,
    },
    /// The journal can no longer be written.
    NotDurable {},
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_is_told_what_happened_and_not_what_a_model_should_do() {
        let row = |words: &str, summary: &str| assert_eq!(ToolReport::error(words).summary, summary);
        row(
            "The page chrome://a. b belongs to the browser. Go to another page or end.",
            "The page chrome://a. b belongs to the browser.",
        );
        row("The page did not answer in time. It may be busy; wait.", "The page did not answer in time.");
        row("No end", "No end");
        row("", "");
    }
}
