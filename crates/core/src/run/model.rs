//! Calling the model and taking its answer.

use super::Turn;
use super::state::{Batch, Phase, Run};
use crate::effect::{Effect, ModelParams};
use crate::label::Labelled;
use crate::prompt::{self, Message, Prompt};
use webbrain_protocol::chat::Level;
use webbrain_protocol::model::Delta;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Card, Completion, Event, Mode, ModelError, Msg, RunStatus, StopReason};

/// Tries of one model call after the first, for errors that pass by themselves.
const RETRIES_RATE_LIMIT: u32 = 4;
const RETRIES_TRANSPORT: u32 = 1;
/// Longest wait, in seconds, that a server may ask for before the user is asked instead.
const LONGEST_WAIT_S: u32 = 120;

impl Run {
    /// The next step: a model call, unless the limit is reached.
    pub(super) fn step(&mut self, t: &mut Turn) {
        if self.settings.step_limit().is_some_and(|limit| self.steps >= limit) {
            let card = self.ask(t, Card::Continue { steps: self.steps });
            self.phase = Phase::Continue { card };
            return;
        }
        self.steps += 1;
        self.call_model(t, 0);
    }

    pub(super) fn call_model(&mut self, t: &mut Turn, attempt: u32) {
        let call = self.next_id();
        self.phase = Phase::Model { call, text: String::new(), reasoning: String::new(), attempt };
        self.emit(t, Event::Thinking {});
        let (mode, tier) = (self.mode, self.profile.tier);
        let prompt = Prompt::assemble(&prompt::system(mode, tier), &self.messages, prompt::tools(mode, tier));
        let temperature = if mode == Mode::Ask { 0.3 } else { 0.15 };
        let params = ModelParams { max_tokens: 4_096, temperature };
        t.effects.push(Effect::CallModel { call, provider: self.profile.provider.clone(), prompt, params });
    }

    pub(super) fn on_delta(&mut self, t: &mut Turn, number: u64, delta: Delta) {
        let Phase::Model { call, text, reasoning, .. } = &mut self.phase else { return };
        if *call != number {
            return;
        }
        let event = match delta {
            Delta::Text(piece) => {
                let offset = text.len();
                text.push_str(&piece);
                Event::TextDelta { id: number, offset, text: piece, at: t.at }
            }
            Delta::Reasoning(piece) => {
                let offset = reasoning.len();
                reasoning.push_str(&piece);
                Event::ReasoningDelta { id: number, offset, text: piece, at: t.at }
            }
        };
        self.emit(t, event);
    }

    pub(super) fn on_model_done(&mut self, t: &mut Turn, number: u64, answer: Completion) {
        if !matches!(&self.phase, Phase::Model { call, .. } if *call == number) {
            return;
        }
        let (text, reasoning) = (answer.text, answer.reasoning);
        let cut = answer.stop == StopReason::Length;
        self.emit(t, Event::Text { id: number, text: text.clone(), reasoning, at: t.at });
        if answer.tool_calls.is_empty() && text.trim().is_empty() {
            if cut {
                self.nudge(
                    t,
                    keys::ERR_LENGTH,
                    "Your answer was cut off at its length limit before it began. Be brief.",
                );
            } else {
                self.nudge(t, keys::ERR_EMPTY, "Your answer was empty. Go on with the request.");
            }
            return;
        }
        self.messages.push(Message::Assistant { text: text.clone(), calls: answer.tool_calls.clone() });
        if answer.tool_calls.is_empty() {
            match answer.outcome {
                Some(status) => self.finish(t, status),
                None if cut => self.on_cut_text(t),
                None => self.on_plain_text(t),
            }
            return;
        }
        self.nudges = 0;
        let waiting = answer.tool_calls.into();
        self.phase = Phase::Batch(Box::new(Batch { waiting, current: None, unseen: false, begun: 0, cut }));
        self.next_call(t);
    }

    /// Text that was cut off is never shown as the whole answer. In action modes the model may go on once.
    fn on_cut_text(&mut self, t: &mut Turn) {
        self.warn(t, Msg::new(keys::NOTICE_CUT), Level::Warning);
        if self.mode != Mode::Ask && self.nudges == 0 {
            let words =
                "Your answer was cut off at its length limit. Go on with the tools, or call done, with fewer words.";
            self.nudge(t, keys::NOTICE_CUT, words);
        } else {
            self.finish(t, RunStatus::Partial);
        }
    }

    /// Text without a tool call: the answer in Ask; in action modes it says nothing about the outcome, so `done` is asked for
    /// once. A run that acted and still does not say how it ended is never shown as done.
    fn on_plain_text(&mut self, t: &mut Turn) {
        if self.mode == Mode::Ask {
            self.finish(t, RunStatus::Done);
        } else if self.nudges == 0 {
            self.nudge(
                t,
                keys::NOTICE_UNCONFIRMED,
                "If work is left, go on with the tools. If you are finished, call done with the outcome; put your answer in its summary.",
            );
        } else if self.acted {
            self.warn(t, Msg::new(keys::NOTICE_UNCONFIRMED), Level::Warning);
            self.finish(t, RunStatus::Partial);
        } else {
            self.finish(t, RunStatus::Done);
        }
    }

    /// Tells the model to go on; the second time in a row ends the run with `key`.
    fn nudge(&mut self, t: &mut Turn, key: &str, words: &str) {
        if self.nudges > 0 {
            self.fail(t, Msg::new(key), true);
            return;
        }
        self.nudges += 1;
        self.messages.push(Message::User { parts: vec![Labelled::program(words)] });
        if matches!(key, keys::ERR_EMPTY | keys::ERR_LENGTH) {
            self.warn(t, Msg::new(keys::NOTICE_NUDGED), Level::Info);
        }
        self.step(t);
    }

    pub(super) fn on_model_failed(&mut self, t: &mut Turn, number: u64, error: &ModelError, words: Msg) {
        let Phase::Model { call, text, reasoning, attempt } = &self.phase else { return };
        if *call != number {
            return;
        }
        let (text, reasoning, attempt) = (text.clone(), reasoning.clone(), *attempt);
        if let Some(wait_ms) = self.wait_before_retry(t, error, attempt) {
            // What was streamed is void: the answer comes again, whole.
            self.emit(t, Event::Text { id: number, text: String::new(), reasoning: String::new(), at: t.at });
            let seconds = wait_ms.div_ceil(1_000).to_string();
            self.warn(t, Msg::new(keys::NOTICE_RETRYING).arg("seconds", seconds), Level::Info);
            let timer = self.next_id();
            self.phase = Phase::Backoff { timer, attempt: attempt + 1 };
            t.effects.push(Effect::SetTimer { id: timer, after_ms: wait_ms });
            return;
        }
        // What the user has read stays; the model does not see it again.
        self.emit(t, Event::Text { id: number, text, reasoning, at: t.at });
        let retry = !matches!(error, ModelError::Refused { .. });
        self.fail(t, words, retry);
    }

    /// ms to wait before the same call is made again; `None` when the user has to decide.
    fn wait_before_retry(&mut self, t: &mut Turn, error: &ModelError, attempt: u32) -> Option<u64> {
        match error {
            ModelError::RateLimited { retry_after_s, .. } if attempt < RETRIES_RATE_LIMIT => {
                let asked = retry_after_s.unwrap_or(2 << attempt);
                let jitter = t.random() % 500;
                (asked <= LONGEST_WAIT_S).then(|| u64::from(asked) * 1_000 + jitter)
            }
            ModelError::Server { .. }
            | ModelError::Unreachable { .. }
            | ModelError::Cut
            | ModelError::Timeout { .. }
                if attempt < RETRIES_TRANSPORT =>
            {
                Some(1_500 + t.random() % 1_000)
            }
            _ => None,
        }
    }

    pub(super) fn on_timer(&mut self, t: &mut Turn, id: u64) {
        if let Phase::Backoff { timer, attempt } = self.phase
            && timer == id
        {
            self.call_model(t, attempt);
        }
    }
}
