//! Ending, stopping and restoring a run.

use super::Turn;
use super::state::{Current, Doubt, Phase, Run};
use crate::effect::Effect;
use crate::label::Labelled;
use crate::prompt::Message;
use webbrain_protocol::chat::Level;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Card, Event, Msg, RunStatus, StepStatus};

impl Run {
    /// The run ended as `status`.
    pub(super) fn finish(&mut self, t: &mut Turn, status: RunStatus) {
        self.phase = Phase::Idle;
        self.unanswered = false;
        self.emit(t, Event::RunComplete { status });
        t.effects.push(Effect::Ended);
    }

    /// The run cannot go on: an error card says why.
    pub(super) fn fail(&mut self, t: &mut Turn, message: Msg, retry: bool) {
        let card = self.next_id();
        self.emit(t, Event::Ask { id: card, body: Card::Error { message, retry } });
        self.finish(t, RunStatus::Failed);
        self.phase = Phase::Failed { card, retry };
        self.unanswered = true;
    }

    pub(super) fn abort(&mut self, t: &mut Turn) {
        if !self.is_live() {
            return;
        }
        self.give_up(t, "The user stopped the run.");
        self.warn(t, Msg::new(keys::NOTICE_STOPPED), Level::Info);
        self.finish(t, RunStatus::Stopped);
        self.unanswered = true;
    }

    pub(super) fn clear(&mut self, t: &mut Turn) {
        if self.is_live() {
            self.give_up(t, "The user stopped the run.");
            t.effects.push(Effect::Ended);
        }
        self.phase = Phase::Idle;
        self.messages.clear();
        self.scratchpad.clear();
        self.once.clear();
        self.doubt = Doubt::None;
        self.unanswered = false;
        self.shown.clear();
        self.not_durable = false;
        self.emit(t, Event::Cleared {});
        self.events.clear();
    }

    pub(super) fn tab_closed(&mut self, t: &mut Turn) {
        if !self.is_live() {
            return;
        }
        self.give_up(t, "The tab was closed.");
        self.fail(t, Msg::new(keys::ERR_TAB_CLOSED), false);
    }

    /// Cancels whatever is under way. What was streamed stays; every call of the model gets a result.
    fn give_up(&mut self, t: &mut Turn, words: &str) {
        self.void_open_card(t);
        match self.phase.clone() {
            Phase::Model { call, text, reasoning, .. } => {
                t.effects.push(Effect::CancelModel { call });
                if !text.is_empty() {
                    self.messages.push(Message::Assistant { text: text.clone(), calls: Vec::new() });
                }
                self.emit(t, Event::Text { id: call, text, reasoning, at: t.at });
            }
            Phase::Batch(batch) => {
                match batch.current {
                    Some(Current::Running { call, tool, acting, .. }) => {
                        t.effects.push(Effect::CancelTool { call });
                        let status = if acting { StepStatus::Unknown } else { StepStatus::Error };
                        if acting {
                            self.doubt = Doubt::Unseen;
                        }
                        self.answer(t, call, tool, status, Labelled::program(words), words);
                    }
                    Some(Current::Permission { call, tool, .. } | Current::Clarify { call, tool, .. }) => {
                        self.answer(t, call, tool, StepStatus::Error, Labelled::program(words), words);
                    }
                    None => {}
                }
                self.skip_rest(t, words);
            }
            _ => {}
        }
    }

    /// The worker was stopped and is back. A model call and a read are made again. An acting tool that was dispatched is
    /// never dispatched again: its outcome is unknown, and the model has to look before it goes on.
    pub(super) fn restored(&mut self, t: &mut Turn) {
        match self.phase.clone() {
            Phase::Model { call, attempt, .. } => {
                self.emit(t, Event::Text { id: call, text: String::new(), reasoning: String::new(), at: t.at });
                self.call_model(t, attempt);
            }
            Phase::Backoff { timer, .. } => t.effects.push(Effect::SetTimer { id: timer, after_ms: 1_000 }),
            Phase::Batch(batch) => {
                if let Some(Current::Running { call, tool, acting }) = batch.current {
                    match self.meaning(&tool) {
                        Ok(meaning) if !acting => self.issue(t, call, meaning.dispatch, None),
                        _ => self.outcome_lost(t, call, tool),
                    }
                }
            }
            Phase::Idle | Phase::Continue { .. } | Phase::Failed { .. } => {}
        }
    }

    fn outcome_lost(&mut self, t: &mut Turn, call: u64, tool: webbrain_protocol::ToolCall) {
        if let Phase::Batch(batch) = &mut self.phase {
            batch.current = None;
        }
        self.doubt = Doubt::Unseen;
        self.achieved = true;
        let words = "The browser stopped the extension while this ran: it may or may not have happened. It was not repeated. \
                     Read the page before you go on.";
        self.answer(t, call, tool, StepStatus::Unknown, Labelled::program(words), "");
        self.skip_rest(t, "Not run: the outcome of the call before it is unknown. Look at the page first.");
        self.next_call(t);
    }
}
