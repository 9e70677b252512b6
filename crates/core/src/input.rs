//! What can happen to a run. Time and randomness enter here, as values.

use serde::{Deserialize, Serialize};
use webbrain_protocol::model::Delta;
use webbrain_protocol::settings::Settings;
use webbrain_protocol::{Completion, Decision, Grant, Mode, ModelError, Msg, Tier};

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

/// How a tool call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOutcome {
    /// It did what it says.
    Ok,
    /// It did not, and nothing is in doubt.
    Error,
    /// It may or may not have happened.
    Unknown,
}

/// What the driver reports of a tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolReport {
    /// How it ended.
    pub outcome: ToolOutcome,
    /// Result in this program's words; may be empty.
    pub own_text: String,
    /// Result in the page's words; may be empty; fenced.
    pub page_text: String,
    /// One short line for the user; data.
    pub summary: String,
    /// Where the tab is afterwards, when known.
    pub page: Option<PageInfo>,
    /// First ref number that the tab has not given yet, when known.
    pub next_ref: Option<u32>,
}

impl ToolReport {
    /// A failure in this program's words, with nothing done.
    pub fn error(words: impl Into<String>) -> Self {
        let words = words.into();
        ToolReport {
            outcome: ToolOutcome::Error,
            summary: words.clone(),
            own_text: words,
            page_text: String::new(),
            page: None,
            next_ref: None,
        }
    }
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
        /// Model to use.
        profile: ModelProfile,
        /// Settings of the run.
        settings: Settings,
        /// Stored grants.
        grants: Vec<Grant>,
        /// Where the tab is.
        page: PageInfo,
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
        /// Settings now.
        settings: Settings,
        /// Model to use now.
        profile: ModelProfile,
    },
    /// The user pressed Retry after an error.
    Retried {
        /// Settings now.
        settings: Settings,
        /// Model to use now.
        profile: ModelProfile,
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
