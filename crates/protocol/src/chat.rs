//! The view model of one tab's chat, and the events that change it.
//!
//! The core keeps a [`Chat`] and applies to it every [`Event`] that it emits; the panel fetches that chat once and applies
//! the same events. There is one implementation of "what the user sees", so a reopened panel shows exactly what an open
//! one shows. `tabChat:<tabId>` holds this type as JSON, never HTML. Source: the design, section 2.

use crate::TabId;
use crate::mode::Mode;
use crate::permission::{Capability, Decision};
use crate::text::Msg;
use serde::{Deserialize, Serialize};

/// State of the latest run; `data-status` of `run-status`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// No run yet.
    #[default]
    Idle,
    /// The model or a tool is working.
    Running,
    /// Waiting for the user.
    Waiting,
    /// Ended as the user wanted, or answered.
    Done,
    /// Ended with part of the work done.
    Partial,
    /// Ended without success.
    Failed,
    /// Stopped by the user.
    Stopped,
}

impl RunStatus {
    /// Whether a run is going on: started and not ended.
    pub fn is_live(self) -> bool {
        matches!(self, RunStatus::Running | RunStatus::Waiting)
    }
}

/// State of one tool call; `data-status` of `tool-step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepStatus {
    /// Under way.
    Running,
    /// Finished well.
    Ok,
    /// Refused or failed, with nothing left in doubt.
    Error,
    /// The user or a stored grant said no.
    Denied,
    /// It may or may not have happened.
    Unknown,
}

/// A question to the user. `id` is the number to send back with the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Card {
    /// May `tool` use `capabilities` on `host`?
    Permission {
        /// Every capability the call needs that is not granted yet.
        capabilities: Vec<Capability>,
        /// Host that is charged.
        host: String,
        /// Tool that asks.
        tool: String,
        /// What it would do, as data (the control's name, the address).
        target: String,
    },
    /// A question of the model.
    Clarify {
        /// The question.
        question: String,
        /// Up to four answers to choose from.
        options: Vec<String>,
    },
    /// The step limit was reached.
    Continue {
        /// Steps taken.
        steps: u32,
    },
    /// The run failed; `retry` says whether trying again makes sense.
    Error {
        /// What happened, what was kept, what can be done.
        message: Msg,
        /// Whether to offer a retry.
        retry: bool,
    },
}

/// How loud a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For information.
    Info,
    /// Something to know.
    Warning,
}

/// One thing in the chat, in order of appearance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Item {
    /// A message of the user.
    User {
        /// Unique in this chat.
        id: u64,
        /// Exactly what was typed.
        text: String,
        /// Mode it was sent in.
        mode: Mode,
        /// ms since the epoch.
        at: u64,
    },
    /// An answer of the model; Markdown.
    Assistant {
        /// Unique in this chat.
        id: u64,
        /// Text so far.
        text: String,
        /// Reasoning so far.
        #[serde(default)]
        reasoning: String,
        /// Whether more may come.
        streaming: bool,
        /// ms since the epoch of its first piece.
        at: u64,
    },
    /// One tool call.
    Step {
        /// Unique in this chat.
        id: u64,
        /// Tool name.
        tool: String,
        /// Arguments, JSON text; secrets removed.
        args: String,
        /// State.
        status: StepStatus,
        /// Short result for the user; data.
        summary: String,
    },
    /// A question; `answer` is set once it is closed.
    Card {
        /// Number to answer with.
        id: u64,
        /// The question.
        body: Card,
        /// What was answered; `None` while open.
        answer: Option<String>,
    },
    /// An inline notice.
    Notice {
        /// What to say.
        message: Msg,
        /// How loud.
        level: Level,
    },
}

/// What changed. `type` and `data` of an `agent_update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// The user sent a message; a run begins.
    UserMessage {
        /// Item id.
        id: u64,
        /// Text.
        text: String,
        /// Mode.
        mode: Mode,
        /// ms since the epoch.
        at: u64,
    },
    /// A model call begins; nothing of it is known yet.
    Thinking {},
    /// A piece of an answer. It does not advance `seq`; `offset` makes applying it twice harmless.
    TextDelta {
        /// Item id of the answer; the first piece creates it.
        id: u64,
        /// UTF-8 bytes of the answer before this piece.
        offset: usize,
        /// The piece.
        text: String,
        /// ms since the epoch.
        at: u64,
    },
    /// A piece of reasoning, like `TextDelta`.
    ReasoningDelta {
        /// Item id of the answer.
        id: u64,
        /// UTF-8 bytes of reasoning before this piece.
        offset: usize,
        /// The piece.
        text: String,
        /// ms since the epoch.
        at: u64,
    },
    /// The whole answer: replaces what was streamed. An empty one removes the bubble.
    Text {
        /// Item id.
        id: u64,
        /// Whole text.
        text: String,
        /// Whole reasoning.
        reasoning: String,
        /// ms since the epoch.
        at: u64,
    },
    /// A tool call begins.
    ToolCall {
        /// Item id.
        id: u64,
        /// Tool name.
        name: String,
        /// Arguments as JSON text.
        args: String,
    },
    /// A tool call ended.
    ToolResult {
        /// Item id.
        id: u64,
        /// Tool name.
        name: String,
        /// How.
        status: StepStatus,
        /// Short result.
        summary: String,
    },
    /// A question to the user.
    Ask {
        /// Number to answer with.
        id: u64,
        /// The question.
        body: Card,
    },
    /// A question was answered, or is void.
    CardClosed {
        /// Its number.
        id: u64,
        /// The answer, as data: a decision's name, the text, or empty when void.
        answer: String,
    },
    /// An inline notice.
    Warning {
        /// What to say.
        message: Msg,
        /// How loud.
        level: Level,
    },
    /// The run's state changed.
    Status {
        /// New state.
        status: RunStatus,
    },
    /// The run ended.
    RunComplete {
        /// Final state.
        status: RunStatus,
    },
    /// The conversation was cleared.
    Cleared {},
}

impl Event {
    /// Whether this is a piece of streamed text, which has no sequence number of its own.
    pub fn is_delta(&self) -> bool {
        matches!(self, Event::TextDelta { .. } | Event::ReasoningDelta { .. })
    }
}

/// What [`Chat::apply`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The chat changed.
    Yes,
    /// It was known already.
    Duplicate,
    /// Something before it is missing: fetch the chat again.
    Gap,
}

/// What the user sees of one tab.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    /// The tab.
    pub tab_id: TabId,
    /// Number of the last event applied.
    pub seq: u64,
    /// State of the latest run.
    pub status: RunStatus,
    /// Whether a model call is under way of which nothing has been shown yet.
    pub thinking: bool,
    /// Mode of the latest message.
    pub mode: Mode,
    /// Everything in the chat.
    pub items: Vec<Item>,
}

impl Chat {
    /// An empty chat.
    pub fn new(tab_id: TabId) -> Self {
        Chat { tab_id, ..Chat::default() }
    }

    /// Applies the event with number `seq`; a delta carries the number of the event before it.
    pub fn apply(&mut self, seq: u64, event: &Event) -> Applied {
        if event.is_delta() {
            return match seq.cmp(&self.seq) {
                std::cmp::Ordering::Less => Applied::Duplicate,
                std::cmp::Ordering::Greater => Applied::Gap,
                std::cmp::Ordering::Equal => self.apply_delta(event),
            };
        }
        if seq <= self.seq {
            return Applied::Duplicate;
        }
        if seq != self.seq + 1 {
            return Applied::Gap;
        }
        self.seq = seq;
        self.change(event);
        Applied::Yes
    }

    /// The open question with this number.
    pub fn open_card(&self, id: u64) -> Option<&Card> {
        self.items.iter().rev().find_map(|item| match item {
            Item::Card { id: card, body, answer: None } if *card == id => Some(body),
            _ => None,
        })
    }

    fn apply_delta(&mut self, event: &Event) -> Applied {
        let (Event::TextDelta { id, offset, text, at } | Event::ReasoningDelta { id, offset, text, at }) = event else {
            return Applied::Duplicate;
        };
        self.thinking = false;
        let item = self.assistant(*id, *at);
        let Item::Assistant { text: answer, reasoning, .. } = item else { return Applied::Duplicate };
        let target = if matches!(event, Event::TextDelta { .. }) { answer } else { reasoning };
        match target.len().checked_sub(*offset) {
            None => Applied::Gap,
            Some(known) if known >= text.len() => Applied::Duplicate,
            Some(known) => match text.get(known..) {
                Some(rest) => {
                    target.push_str(rest);
                    Applied::Yes
                }
                None => Applied::Gap,
            },
        }
    }

    fn change(&mut self, event: &Event) {
        match event.clone() {
            Event::UserMessage { id, text, mode, at } => {
                self.mode = mode;
                self.items.push(Item::User { id, text, mode, at });
            }
            Event::Thinking {} => self.thinking = true,
            Event::TextDelta { .. } | Event::ReasoningDelta { .. } => {}
            Event::Text { id, text, reasoning, at } => self.settle_text(id, text, reasoning, at),
            Event::ToolCall { id, name, args } => {
                self.thinking = false;
                let status = StepStatus::Running;
                self.items.push(Item::Step { id, tool: name, args, status, summary: String::new() });
            }
            Event::ToolResult { id, status, summary, .. } => self.finish_step(id, status, summary),
            Event::Ask { id, body } => {
                self.thinking = false;
                self.items.push(Item::Card { id, body, answer: None });
            }
            Event::CardClosed { id, answer } => self.close_card(id, answer),
            Event::Warning { message, level } => self.items.push(Item::Notice { message, level }),
            Event::Status { status } => self.status = status,
            Event::RunComplete { status } => {
                self.status = status;
                self.thinking = false;
            }
            Event::Cleared {} => {
                self.items.clear();
                self.status = RunStatus::Idle;
                self.thinking = false;
            }
        }
    }

    fn assistant(&mut self, id: u64, at: u64) -> &mut Item {
        let found = self.items.iter().rposition(|i| matches!(i, Item::Assistant { id: a, .. } if *a == id));
        let index = found.unwrap_or_else(|| {
            let empty = Item::Assistant { id, text: String::new(), reasoning: String::new(), streaming: true, at };
            self.items.push(empty);
            self.items.len() - 1
        });
        &mut self.items[index]
    }

    fn settle_text(&mut self, id: u64, whole: String, thought: String, at: u64) {
        self.thinking = false;
        if whole.is_empty() && thought.is_empty() {
            self.items.retain(|i| !matches!(i, Item::Assistant { id: a, .. } if *a == id));
            return;
        }
        if let Item::Assistant { text, reasoning, streaming, .. } = self.assistant(id, at) {
            *text = whole;
            *reasoning = thought;
            *streaming = false;
        }
    }

    fn finish_step(&mut self, step: u64, new: StepStatus, words: String) {
        for item in self.items.iter_mut().rev() {
            if let Item::Step { id, status, summary, .. } = item
                && *id == step
            {
                *status = new;
                *summary = words;
                return;
            }
        }
    }

    fn close_card(&mut self, card: u64, words: String) {
        for item in self.items.iter_mut().rev() {
            if let Item::Card { id, answer, .. } = item
                && *id == card
            {
                *answer = Some(words);
                return;
            }
        }
    }
}

/// The name under which a decision is kept in a closed card.
pub fn decision_name(decision: Decision) -> &'static str {
    match decision {
        Decision::Once => "once",
        Decision::Always => "always",
        Decision::Deny => "deny",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn delta(offset: usize, text: &str) -> Event {
        Event::TextDelta { id: 1, offset, text: text.into(), at: 5 }
    }

    fn text_of(chat: &Chat) -> String {
        chat.items
            .iter()
            .filter_map(|i| if let Item::Assistant { text, .. } = i { Some(text.as_str()) } else { None })
            .collect()
    }

    #[test]
    fn a_delta_applied_twice_shows_once() {
        let mut chat = Chat::new(1);
        assert_eq!(chat.apply(0, &delta(0, "Hel")), Applied::Yes);
        assert_eq!(chat.apply(0, &delta(0, "Hel")), Applied::Duplicate);
        assert_eq!(chat.apply(0, &delta(2, "llo")), Applied::Yes);
        assert_eq!(text_of(&chat), "Hello");
        assert_eq!(chat.apply(0, &delta(9, "x")), Applied::Gap);
    }

    #[test]
    fn a_missing_event_is_a_gap_and_changes_nothing() {
        let mut chat = Chat::new(1);
        let before = chat.clone();
        assert_eq!(chat.apply(2, &Event::Thinking {}), Applied::Gap);
        assert_eq!(chat, before);
        assert_eq!(chat.apply(1, &Event::Thinking {}), Applied::Yes);
        assert_eq!(chat.apply(1, &Event::Thinking {}), Applied::Duplicate);
    }

    #[test]
    fn the_final_text_replaces_the_streamed_one_and_an_empty_one_removes_it() {
        let mut chat = Chat::new(1);
        chat.apply(0, &delta(0, "draft"));
        let fin = |text: &str| Event::Text { id: 1, text: text.into(), reasoning: String::new(), at: 5 };
        chat.apply(1, &fin("final"));
        assert_eq!(text_of(&chat), "final");
        chat.apply(2, &fin(""));
        assert!(chat.items.is_empty());
    }

    proptest! {
        #[test]
        fn any_replay_of_deltas_rebuilds_the_text(text in "\\PC{0,60}", cuts in prop::collection::vec(0usize..80, 0..6)) {
            let mut at: Vec<usize> = cuts.into_iter().filter(|c| text.is_char_boundary(*c)).collect();
            at.extend([0, text.len()]);
            at.sort_unstable();
            let mut chat = Chat::new(1);
            for pair in at.windows(2) {
                chat.apply(0, &delta(pair[0], &text[pair[0]..pair[1]]));
                chat.apply(0, &delta(0, &text[..pair[1]]));
            }
            prop_assert_eq!(text_of(&chat), text);
        }
    }
}
