//! The state of a run. Everything is serialisable: a snapshot is this, and the journal's inputs rebuild it.

use crate::gate::Once;
use crate::input::{ModelProfile, PageInfo};
use crate::prompt::Message;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use webbrain_protocol::settings::Settings;
use webbrain_protocol::{Capability, Chat, Event, Grant, Mode, TabId, ToolCall};
use webbrain_tools::ShownRef;

/// Events that the window of the run view keeps. Source: the seed, persistence.
const EVENT_WINDOW: usize = 256;

/// An event with its number and time, as the run view shows it.
#[derive(Serialize)]
struct Logged<'a> {
    seq: u64,
    ts: u64,
    #[serde(flatten)]
    event: &'a Event,
}

/// The agent of one tab: its conversation and whatever is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What the user sees.
    pub(super) chat: Chat,
    /// What the model sees.
    pub(super) messages: Vec<Message>,
    pub(super) scratchpad: Vec<String>,
    pub(super) mode: Mode,
    pub(super) profile: ModelProfile,
    pub(super) settings: Settings,
    pub(super) request_id: String,
    pub(super) run_no: u32,
    pub(super) page: PageInfo,
    pub(super) grants: Vec<Grant>,
    pub(super) once: Vec<Once>,
    pub(super) phase: Phase,
    /// Model calls of this run.
    pub(super) steps: u32,
    /// Times that the model was told to go on since it last called a tool.
    pub(super) nudges: u32,
    /// Whether an acting tool was dispatched in this run.
    pub(super) acted: bool,
    /// Whether one of them did what it was asked to, or may have.
    #[serde(default)]
    pub(super) achieved: bool,
    /// What has to be looked at before anything more is done.
    #[serde(default)]
    pub(super) doubt: Doubt,
    /// Whether the latest request ended without an answer.
    #[serde(default)]
    pub(super) unanswered: bool,
    /// Elements that the model was shown, the newest last.
    #[serde(default)]
    pub(super) shown: VecDeque<ShownRef>,
    pub(super) next_id: u64,
    pub(super) next_ref: u32,
    pub(super) not_durable: bool,
    /// The newest events as JSON text `{seq, ts, type, data}`: kept for readers of the run view, never read back.
    pub(super) events: VecDeque<String>,
}

/// What is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// Nothing.
    Idle,
    /// The model is answering.
    Model {
        /// Number of the call; also the id of the answer's bubble.
        call: u64,
        text: String,
        reasoning: String,
        attempt: u32,
    },
    /// Waiting to call the model again.
    Backoff { timer: u64, attempt: u32 },
    /// Tools are run, one after the other.
    Batch(Box<Batch>),
    /// The step limit was reached.
    Continue { card: u64 },
    /// The run failed; a retry may be offered.
    Failed { card: u64, retry: bool },
}

/// Whether something may have happened that the model has not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Doubt {
    /// Nothing.
    #[default]
    None,
    /// The outcome of an acting call is unknown: the page has to be read before anything else is done.
    Unseen,
    /// The same, but the tab may be moved: the page could not be read, or the user has said what to do since.
    Movable,
}

/// The tool calls of one answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Batch {
    /// Not begun.
    pub waiting: VecDeque<ToolCall>,
    /// Begun.
    pub current: Option<Current>,
    /// Whether an acting tool of this batch was dispatched: its effect has not been seen by the model.
    pub unseen: bool,
    /// Calls begun so far.
    #[serde(default)]
    pub begun: u32,
    /// Whether the answer was cut off, so that its last call may be incomplete.
    #[serde(default)]
    pub cut: bool,
}

/// A tool call that has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Current {
    /// Dispatched. Until it finishes its outcome is unknown.
    Running { call: u64, tool: ToolCall, acting: bool },
    /// Waiting for a permission.
    Permission { card: u64, call: u64, tool: ToolCall, missing: Vec<Capability>, host: String },
    /// Waiting for the user's answer.
    Clarify { card: u64, call: u64, tool: ToolCall },
}

impl Run {
    pub(super) fn empty(tab_id: TabId) -> Self {
        Run {
            chat: Chat::new(tab_id),
            messages: Vec::new(),
            scratchpad: Vec::new(),
            mode: Mode::Ask,
            profile: ModelProfile::default(),
            settings: Settings::default(),
            request_id: String::new(),
            run_no: 0,
            page: PageInfo::default(),
            grants: Vec::new(),
            once: Vec::new(),
            phase: Phase::Idle,
            steps: 0,
            nudges: 0,
            acted: false,
            achieved: false,
            doubt: Doubt::None,
            unanswered: false,
            shown: VecDeque::new(),
            next_id: 1,
            next_ref: 1,
            not_durable: false,
            events: VecDeque::new(),
        }
    }

    /// What the user sees.
    pub fn chat(&self) -> &Chat {
        &self.chat
    }

    /// What the model sees, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Id of the latest request.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Id of the latest run, unique in this browser session.
    pub fn run_id(&self) -> String {
        format!("{}-{}", self.chat.tab_id, self.run_no)
    }

    /// Where the tab was last seen.
    pub fn page(&self) -> &PageInfo {
        &self.page
    }

    /// First ref number that the tab has not given yet.
    pub fn next_ref(&self) -> u32 {
        self.next_ref
    }

    /// Latest events as JSON text `{seq, ts, type, data}`, oldest first; streamed pieces are in the chat only.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.events.iter().map(String::as_str)
    }

    pub(super) fn next_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    pub(super) fn log(&mut self, seq: u64, ts: u64, event: &Event) {
        if self.events.len() == EVENT_WINDOW {
            self.events.pop_front();
        }
        // Plain data with string keys: it cannot fail to become JSON.
        self.events.extend(serde_json::to_string(&Logged { seq, ts, event }));
    }
}
