//! The run machine: one aggregate per tab, driven by [`Run::handle`].
//!
//! `model` talks to the model, `batch` carries out its tool calls, `shown` knows their elements, `ending` ends, stops and
//! restores.

mod batch;
mod ending;
mod model;
mod shown;
mod state;
#[cfg(test)]
mod tests;

pub use state::Run;

use crate::effect::Effect;
use crate::gate::{Once, origin_of};
use crate::input::{Input, Now, PageInfo, Stamped};
use crate::label::{Labelled, Nonce};
use crate::prompt::{Message, REQUEST_LINE};
use state::{Current, Doubt, Phase};
use webbrain_protocol::chat::{Level, decision_name};
use webbrain_protocol::settings::COMMANDS_PROVIDER;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Card, Decision, Event, Grant, Mode, Msg, RunStatus, TabId};

/// Work of one call of [`Run::handle`]: its time, its randomness and the effects so far.
struct Turn {
    at: u64,
    random: u64,
    effects: Vec<Effect>,
}

impl Turn {
    /// The next random number; SplitMix64, so that one input can need several.
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn nonce(&mut self) -> Nonce {
        Nonce::from_random(self.random())
    }
}

impl Run {
    /// A run for a tab that has had none.
    pub fn new(tab_id: TabId) -> Self {
        Run::empty(tab_id)
    }

    /// Applies what happened and says what is to be done. It cannot fail and never waits. An input that does not fit the
    /// state (a late answer, a second click on a card) changes nothing.
    pub fn handle(&mut self, stamped: Stamped) -> Vec<Effect> {
        let mut turn = Turn { at: stamped.at, random: stamped.random, effects: Vec::new() };
        let t = &mut turn;
        match stamped.input {
            Input::Start { text, mode, request_id, now, clock } => {
                if self.can_start() {
                    self.take(now);
                    self.start(t, text, mode, request_id, clock);
                }
            }
            Input::Delta { call, delta } => self.on_delta(t, call, delta),
            Input::ModelDone { call, completion } => self.on_model_done(t, call, completion),
            Input::ModelFailed { call, error, words } => self.on_model_failed(t, call, &error, words),
            Input::ToolFinished { call, report } => self.on_tool_finished(t, call, report),
            Input::PermissionAnswered { id, decision, page } => self.on_permission(t, id, decision, page),
            Input::Clarified { id, answer } => self.on_clarified(t, id, answer),
            Input::Continued { now } => self.on_continued(t, now),
            Input::Retried { now } => self.on_retried(t, now),
            Input::Timer { id } => self.on_timer(t, id),
            Input::Abort {} => self.abort(t),
            Input::Clear {} => self.clear(t),
            Input::TabClosed {} => self.tab_closed(t),
            Input::Restored {} => self.restored(t),
            Input::Notice { message } => self.warn(t, message, Level::Warning),
            Input::NotDurable {} => self.not_durable(t),
        }
        turn.effects
    }

    /// Whether a message can start a run now.
    pub fn can_start(&self) -> bool {
        matches!(self.phase, Phase::Idle | Phase::Failed { .. } | Phase::Continue { .. })
    }

    /// Whether a run is going on.
    pub fn is_live(&self) -> bool {
        !matches!(self.phase, Phase::Idle | Phase::Failed { .. })
    }

    /// Whether the model or a tool is at work, so that losing the worker now would lose time.
    pub fn is_working(&self) -> bool {
        match &self.phase {
            Phase::Model { .. } | Phase::Backoff { .. } => true,
            Phase::Batch(batch) => matches!(batch.current, Some(Current::Running { .. })),
            _ => false,
        }
    }

    fn start(&mut self, t: &mut Turn, text: String, mode: Mode, request_id: String, clock: String) {
        self.void_open_card(t);
        // One that ran into the step limit has no answer either.
        let is_void = self.unanswered || matches!(self.phase, Phase::Continue { .. });
        self.unanswered = false;
        self.mode = mode;
        self.request_id = request_id;
        self.run_no += 1;
        self.once.clear();
        self.steps = 0;
        self.nudges = 0;
        self.acted = false;
        self.achieved = false;
        self.not_durable = false;
        self.doubt = match self.doubt {
            // There the user's own words are what is carried out.
            _ if self.profile.provider == COMMANDS_PROVIDER => Doubt::None,
            Doubt::None => Doubt::None,
            Doubt::Unseen | Doubt::Movable => Doubt::Movable,
        };
        let id = self.next_id();
        self.emit(t, Event::UserMessage { id, text: text.clone(), mode, at: t.at });
        self.emit(t, Event::Status { status: RunStatus::Running });
        if mode == Mode::Dev && self.profile.tier == webbrain_protocol::Tier::Compact {
            self.fail(t, Msg::new(keys::ERR_DEV_TIER), false);
            return;
        }
        let nonce = t.nonce();
        let place = format!("URL: {}\nTitle: {}", self.page.url, self.page.title);
        let mut context = format!("Time: {clock}\nThe tab is at:");
        if is_void {
            context.insert_str(0, "The request before this one ended without an answer. It is void; do not go on with it unless the user asks.\n");
        }
        let parts = vec![
            Labelled::program(context),
            Labelled::page(origin_of(&self.page.url), &place, nonce),
            Labelled::program(REQUEST_LINE),
            Labelled::user(text),
        ];
        self.messages.push(Message::User { parts });
        self.step(t);
    }

    fn on_permission(&mut self, t: &mut Turn, id: u64, decision: Decision, page: PageInfo) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(Current::Permission { card, host, missing, .. }) = &batch.current else { return };
        if *card != id {
            return;
        }
        let (host, missing) = (host.clone(), missing.clone());
        self.emit(t, Event::CardClosed { id, answer: decision_name(decision).to_owned() });
        self.emit(t, Event::Status { status: RunStatus::Running });
        self.page = page;
        match decision {
            Decision::Deny => {
                self.denied(t, "The user did not allow this. Do not try it again; go on without it or end.")
            }
            Decision::Once => {
                self.once.extend(missing.into_iter().map(|capability| Once { capability, host: host.clone() }));
                self.gate_current(t);
            }
            Decision::Always => {
                for capability in missing {
                    let action = webbrain_protocol::permission::Action::Allow;
                    let grant = Grant { capability, host: host.clone(), action, duration: decision, ts: t.at };
                    self.grants.push(grant.clone());
                    t.effects.push(Effect::StoreGrant(grant));
                }
                self.gate_current(t);
            }
        }
    }

    fn on_continued(&mut self, t: &mut Turn, now: Now) {
        let Phase::Continue { card } = self.phase else { return };
        self.take(now);
        self.steps = 0;
        self.emit(t, Event::CardClosed { id: card, answer: "continue".into() });
        self.emit(t, Event::Status { status: RunStatus::Running });
        self.step(t);
    }

    fn on_retried(&mut self, t: &mut Turn, now: Now) {
        let Phase::Failed { card, retry: true } = self.phase else { return };
        self.take(now);
        self.emit(t, Event::CardClosed { id: card, answer: "retry".into() });
        self.emit(t, Event::Status { status: RunStatus::Running });
        self.call_model(t, 0);
    }

    fn take(&mut self, now: Now) {
        self.settings = now.settings;
        self.profile = now.profile;
        self.grants = now.grants;
        self.page = now.page;
    }

    fn not_durable(&mut self, t: &mut Turn) {
        if !self.not_durable {
            self.not_durable = true;
            self.warn(t, Msg::new(keys::NOTICE_NOT_DURABLE), Level::Warning);
        }
    }

    fn void_open_card(&mut self, t: &mut Turn) {
        let card = match &self.phase {
            Phase::Continue { card } | Phase::Failed { card, .. } => Some(*card),
            Phase::Batch(batch) => match &batch.current {
                Some(Current::Permission { card, .. } | Current::Clarify { card, .. }) => Some(*card),
                _ => None,
            },
            _ => None,
        };
        if let Some(id) = card {
            self.emit(t, Event::CardClosed { id, answer: String::new() });
        }
    }

    fn ask(&mut self, t: &mut Turn, body: Card) -> u64 {
        let id = self.next_id();
        self.emit(t, Event::Ask { id, body });
        self.emit(t, Event::Status { status: RunStatus::Waiting });
        id
    }

    fn warn(&mut self, t: &mut Turn, message: Msg, level: Level) {
        self.emit(t, Event::Warning { message, level });
    }

    /// Gives the event its number, applies it to the chat and sends it to the panel.
    fn emit(&mut self, t: &mut Turn, event: Event) {
        let seq = if event.is_delta() { self.chat.seq } else { self.chat.seq + 1 };
        self.chat.apply(seq, &event);
        if !event.is_delta() {
            self.log(seq, t.at, &event);
        }
        t.effects.push(Effect::Emit { seq, event });
    }
}
