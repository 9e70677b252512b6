//! Carrying out the tool calls of an answer: one after the other, each through exposure, arguments, gate and dispatch.

use super::Turn;
use super::state::{Current, Doubt, Phase, Run};
use crate::effect::Effect;
use crate::gate::{self, Verdict};
use crate::input::{ToolOutcome, ToolReport, first_sentence};
use crate::label::Labelled;
use crate::prompt::Message;
use std::collections::VecDeque;
use webbrain_protocol::chat::Level;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Capability, Card, Event, Msg, RunStatus, StepStatus, ToolCall};
use webbrain_tools::{
    Clarify, CoreCall, Dispatch, Done, Effect as ToolEffect, Outcome, PageCall, ScratchpadWrite, TabCall,
};

/// A call that was understood.
pub(super) struct Meaning {
    pub dispatch: Dispatch,
    needs: Vec<Capability>,
    acting: bool,
}

/// What follows a call that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// It is answered: the next one.
    Next,
    /// It is under way, waits for the user, or ended the run.
    Waits,
}

/// Calls of one answer that are carried out; the rest is refused. A page is looked at long before that.
const BATCH_LIMIT: u32 = 32;
const TOO_MANY: &str = "Not run: an answer may hold at most 32 calls. Look at what the first ones did, then go on.";
const CUT_CALL: &str =
    "Not run: your answer was cut off at its length limit, and this call may be incomplete. Make it again, shorter.";
const LOOK_FIRST: &str = "Not run: the outcome of the call before it is unknown. Read the page first, with get_accessibility_tree or read_page; do not repeat what may have happened.";
/// ms that a page call may take when its arguments do not say.
const PAGE_TIMEOUT_MS: u32 = 15_000;
/// Characters of the user's short result line.
const SUMMARY_LIMIT: usize = 200;

impl Run {
    /// Begins the next call of the batch, or the next step when there is none left. A call that is answered at once is
    /// followed by the next in this loop, so that no answer of a model can exhaust the stack.
    pub(super) fn next_call(&mut self, t: &mut Turn) {
        loop {
            let Phase::Batch(batch) = &mut self.phase else { return };
            let Some(tool) = batch.waiting.pop_front() else {
                self.step(t);
                return;
            };
            batch.begun += 1;
            let is_cut = batch.cut && batch.waiting.is_empty();
            let is_too_many = batch.begun > BATCH_LIMIT;
            let call = self.next_id();
            let args = self.args_for_user(&tool);
            self.emit(t, Event::ToolCall { id: call, name: tool.name.clone(), args });
            let flow = if is_cut {
                self.refused(t, call, tool, CUT_CALL)
            } else if is_too_many {
                self.refused(t, call, tool, TOO_MANY)
            } else {
                self.begin(t, call, tool, false)
            };
            if flow == Flow::Waits {
                return;
            }
        }
    }

    /// Takes a call through exposure, arguments and gate. Also after the user's answer (`answered`): the tab may be elsewhere
    /// by then.
    fn begin(&mut self, t: &mut Turn, call: u64, tool: ToolCall, answered: bool) -> Flow {
        match self.meaning(&tool) {
            Err(words) => self.refused(t, call, tool, &words),
            Ok(Meaning { dispatch: Dispatch::Core(core), .. }) => self.run_core(t, call, tool, core),
            Ok(meaning) if self.is_blocked(&meaning) => self.refused(t, call, tool, LOOK_FIRST),
            Ok(meaning) => self.gate_call(t, call, tool, meaning, answered),
        }
    }

    /// What a call means where the tab is now, or a sentence for the model.
    pub(super) fn meaning(&self, tool: &ToolCall) -> Result<Meaning, String> {
        let entry = webbrain_tools::find(&tool.name, self.mode, self.profile.tier).map_err(|e| e.to_string())?;
        let parsed = entry.parse(&tool.arguments).map_err(|e| e.to_string())?;
        let acting = matches!(entry.spec.effect, ToolEffect::Acts(_));
        Ok(Meaning { dispatch: self.absolute(parsed.dispatch)?, needs: parsed.needs, acting })
    }

    /// Whether a call has to wait for a look at the page.
    fn is_blocked(&self, meaning: &Meaning) -> bool {
        match self.doubt {
            Doubt::None => false,
            Doubt::Unseen => meaning.acting,
            Doubt::Movable => meaning.acting && matches!(meaning.dispatch, Dispatch::Page(_)),
        }
    }

    /// The same dispatch with addresses made absolute.
    fn absolute(&self, dispatch: Dispatch) -> Result<Dispatch, String> {
        Ok(match dispatch {
            Dispatch::Tab(TabCall::Navigate(mut call)) => {
                call.url = gate::resolve(&call.url, &self.page.url)?;
                Dispatch::Tab(TabCall::Navigate(call))
            }
            Dispatch::Tab(TabCall::NewTab(mut call)) => {
                call.url = gate::resolve(&call.url, &self.page.url)?;
                Dispatch::Tab(TabCall::NewTab(call))
            }
            other => other,
        })
    }

    /// Asks the gate, and dispatches when it allows. What was allowed for this task does not cover filling a password field:
    /// that is asked for by itself, unless this very call was just allowed.
    fn gate_call(&mut self, t: &mut Turn, call: u64, tool: ToolCall, meaning: Meaning, answered: bool) -> Flow {
        let Meaning { dispatch, needs, acting } = meaning;
        let target = match &dispatch {
            Dispatch::Tab(TabCall::Navigate(n)) => Some(n.url.as_str()),
            Dispatch::Tab(TabCall::NewTab(n)) => Some(n.url.as_str()),
            _ => None,
        };
        let host = self.frame_host(&dispatch).or_else(|| gate::host_of(target.unwrap_or(&self.page.url)));
        // What is charged to where the tab or the frame is has to find it there.
        let charged = host.clone().filter(|_| target.is_none() && !needs.is_empty());
        let ask = self.settings.ask_before_consequential_actions;
        let once = if answered || !self.fills_secret(&dispatch) { self.once.as_slice() } else { &[] };
        match gate::check(&needs, host.as_deref(), &self.grants, once, ask) {
            Verdict::Allowed => {
                self.dispatch(t, call, tool, dispatch, acting, charged);
                Flow::Waits
            }
            Verdict::Denied => {
                let parts = match &host {
                    Some(host) => vec![Labelled::program(format!(
                        "The user's settings forbid this on {host}. Go on without it or end."
                    ))],
                    None => {
                        let (page, nonce) = (format!("url: {}", self.page.url), t.nonce());
                        vec![
                            Labelled::program("This tab is at an address where nothing can be done."),
                            Labelled::page(gate::origin_of(&self.page.url), &page, nonce),
                        ]
                    }
                };
                let words = parts.first().map(|p| p.text().to_owned()).unwrap_or_default();
                self.answer_parts(t, call, tool, StepStatus::Denied, parts, first_sentence(&words));
                Flow::Next
            }
            Verdict::Ask(missing) => {
                let host = host.unwrap_or_default();
                let target = self.target_for_user(&dispatch);
                let body = Card::Permission {
                    capabilities: missing.clone(),
                    host: host.clone(),
                    tool: tool.name.clone(),
                    target,
                };
                let card = self.ask(t, body);
                self.set_current(Some(Current::Permission { card, call, tool, missing, host }));
                Flow::Waits
            }
        }
    }

    /// Begins the current call again, now that the user has answered.
    pub(super) fn gate_current(&mut self, t: &mut Turn) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(Current::Permission { call, tool, .. }) = batch.current.take() else { return };
        if self.begin(t, call, tool, true) == Flow::Next {
            self.next_call(t);
        }
    }

    /// The user said no to the current call.
    pub(super) fn denied(&mut self, t: &mut Turn, words: &str) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(Current::Permission { call, tool, .. }) = batch.current.take() else { return };
        self.answer(t, call, tool, StepStatus::Denied, Labelled::program(words), "");
        self.next_call(t);
    }

    fn dispatch(
        &mut self,
        t: &mut Turn,
        call: u64,
        tool: ToolCall,
        dispatch: Dispatch,
        acting: bool,
        charged: Option<String>,
    ) {
        self.set_current(Some(Current::Running { call, tool, acting }));
        if acting {
            self.acted = true;
            if let Phase::Batch(batch) = &mut self.phase {
                batch.unseen = true;
            }
        }
        self.issue(t, call, dispatch, charged);
    }

    /// Has the current call carried out.
    pub(super) fn issue(&mut self, t: &mut Turn, call: u64, dispatch: Dispatch, charged: Option<String>) {
        match dispatch {
            Dispatch::Page(page) => {
                let timeout_ms = timeout_of(&page);
                t.effects.push(Effect::RunPage { call, page, charged, ref_floor: self.next_ref, timeout_ms });
            }
            Dispatch::Tab(tab) => t.effects.push(Effect::RunTab { call, tab, charged }),
            Dispatch::Core(_) => {}
        }
    }

    pub(super) fn on_tool_finished(&mut self, t: &mut Turn, number: u64, report: ToolReport) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        if !matches!(&batch.current, Some(Current::Running { call, .. }) if *call == number) {
            return;
        }
        let Some(Current::Running { tool, acting, .. }) = batch.current.take() else { return };
        if let Some(page) = report.page {
            self.page = page;
        }
        self.keep_shown(report.shown);
        self.weigh(&tool.name, acting, report.outcome);
        self.achieved |= acting && report.outcome != ToolOutcome::Error;
        self.next_ref = self.next_ref.max(report.next_ref.unwrap_or(0));
        let status = match report.outcome {
            ToolOutcome::Ok => StepStatus::Ok,
            ToolOutcome::Error => StepStatus::Error,
            ToolOutcome::Unknown => StepStatus::Unknown,
        };
        let mut parts = Vec::new();
        if !report.own_text.is_empty() || report.page_text.is_empty() {
            parts.push(Labelled::program(report.own_text));
        }
        if !report.page_text.is_empty() {
            let nonce = t.nonce();
            let source = if report.source.is_empty() { &self.page.url } else { &report.source };
            parts.push(Labelled::page(gate::origin_of(source), &report.page_text, nonce));
        }
        self.answer_parts(t, number, tool, status, parts, &report.summary);
        if report.outcome == ToolOutcome::Unknown {
            self.skip_rest(t, "Not run: the outcome of the call before it is unknown. Look at the page first.");
        }
        self.next_call(t);
    }

    /// What an outcome means for what may come next.
    fn weigh(&mut self, tool: &str, acting: bool, outcome: ToolOutcome) {
        let looks =
            matches!(tool, "get_accessibility_tree" | "get_interactive_elements" | "read_page" | "extract_data");
        match outcome {
            ToolOutcome::Unknown if acting => self.doubt = Doubt::Unseen,
            ToolOutcome::Ok if looks => self.doubt = Doubt::None,
            // A page that cannot be read has to be left.
            ToolOutcome::Error if looks && self.doubt == Doubt::Unseen => self.doubt = Doubt::Movable,
            _ => {}
        }
    }

    fn run_core(&mut self, t: &mut Turn, call: u64, tool: ToolCall, core: CoreCall) -> Flow {
        match core {
            CoreCall::ScratchpadWrite(note) => self.note(t, call, tool, note),
            CoreCall::Clarify(question) => self.clarify(t, call, tool, question),
            CoreCall::Done(done) => self.done(t, call, tool, done),
        }
    }

    fn note(&mut self, t: &mut Turn, call: u64, tool: ToolCall, note: ScratchpadWrite) -> Flow {
        if note.replace == Some(true) {
            self.scratchpad.clear();
        }
        if !note.text.trim().is_empty() {
            self.scratchpad.push(note.text);
        }
        self.answer(t, call, tool, StepStatus::Ok, Labelled::program("Noted."), "");
        Flow::Next
    }

    fn clarify(&mut self, t: &mut Turn, call: u64, tool: ToolCall, question: Clarify) -> Flow {
        let options = question.options.unwrap_or_default();
        let options = options.into_iter().filter(|o| !o.trim().is_empty()).take(4).map(|o| cut(&o, 200)).collect();
        let card = self.ask(t, Card::Clarify { question: question.question, options });
        self.set_current(Some(Current::Clarify { card, call, tool }));
        Flow::Waits
    }

    pub(super) fn on_clarified(&mut self, t: &mut Turn, id: u64, answer: String) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        if !matches!(&batch.current, Some(Current::Clarify { card, .. }) if *card == id) {
            return;
        }
        let Some(Current::Clarify { call, tool, .. }) = batch.current.take() else { return };
        self.emit(t, Event::CardClosed { id, answer: answer.clone() });
        self.emit(t, Event::Status { status: RunStatus::Running });
        let parts = vec![Labelled::program("The user answered:"), Labelled::user(answer)];
        self.answer_parts(t, call, tool, StepStatus::Ok, parts, "");
        self.next_call(t);
    }

    fn done(&mut self, t: &mut Turn, call: u64, tool: ToolCall, done: Done) -> Flow {
        let unseen = matches!(&self.phase, Phase::Batch(batch) if batch.unseen);
        if done.outcome == Outcome::Success && unseen {
            let words = "You have not seen the result of the calls before this. Look at it, then call done alone.";
            return self.refused(t, call, tool, words);
        }
        if done.outcome == Outcome::Success && self.doubt != Doubt::None {
            return self.refused(t, call, tool, LOOK_FIRST);
        }
        self.answer(t, call, tool, StepStatus::Ok, Labelled::program("The run is over."), "");
        self.skip_rest(t, "Not run: the run is over.");
        let said = self.last_answer().is_some_and(|text| text.trim() == done.summary.trim());
        if !said && !done.summary.trim().is_empty() {
            let id = self.next_id();
            self.messages.push(Message::Assistant { text: done.summary.clone(), calls: Vec::new() });
            self.emit(t, Event::Text { id, text: done.summary, reasoning: String::new(), at: t.at });
        }
        // Success that nothing done in this run can have brought about.
        let unfounded = done.outcome == Outcome::Success && self.acted && !self.achieved;
        if unfounded {
            self.warn(t, Msg::new(keys::NOTICE_UNCONFIRMED), Level::Warning);
        }
        let status = match done.outcome {
            Outcome::Success if unfounded => RunStatus::Partial,
            Outcome::Success => RunStatus::Done,
            Outcome::Partial => RunStatus::Partial,
            Outcome::Failed => RunStatus::Failed,
        };
        self.finish(t, status);
        Flow::Waits
    }

    fn last_answer(&self) -> Option<&str> {
        self.messages.iter().rev().find_map(|m| match m {
            Message::Assistant { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Answers a call that was never begun.
    fn refused(&mut self, t: &mut Turn, call: u64, tool: ToolCall, words: &str) -> Flow {
        self.answer(t, call, tool, StepStatus::Error, Labelled::program(words), words);
        Flow::Next
    }

    pub(super) fn answer(
        &mut self,
        t: &mut Turn,
        call: u64,
        tool: ToolCall,
        status: StepStatus,
        part: Labelled,
        summary: &str,
    ) {
        self.answer_parts(t, call, tool, status, vec![part], first_sentence(summary));
    }

    fn answer_parts(
        &mut self,
        t: &mut Turn,
        call: u64,
        tool: ToolCall,
        status: StepStatus,
        parts: Vec<Labelled>,
        summary: &str,
    ) {
        let ok = status == StepStatus::Ok;
        self.emit(
            t,
            Event::ToolResult { id: call, name: tool.name.clone(), status, summary: cut(summary, SUMMARY_LIMIT) },
        );
        self.messages.push(Message::Tool { call_id: tool.id, name: tool.name, ok, parts });
        if status == StepStatus::Unknown {
            self.warn(t, Msg::new(keys::NOTICE_OUTCOME_UNKNOWN), Level::Warning);
        }
    }

    /// Answers the calls of the batch that were not begun: every call of a model gets a result.
    pub(super) fn skip_rest(&mut self, t: &mut Turn, words: &str) {
        let waiting = match &mut self.phase {
            Phase::Batch(batch) => std::mem::take(&mut batch.waiting),
            _ => VecDeque::new(),
        };
        for tool in waiting {
            let call = self.next_id();
            let args = self.args_for_user(&tool);
            self.emit(t, Event::ToolCall { id: call, name: tool.name.clone(), args });
            self.answer(t, call, tool, StepStatus::Error, Labelled::program(words), words);
        }
    }

    fn set_current(&mut self, current: Option<Current>) {
        if let Phase::Batch(batch) = &mut self.phase {
            batch.current = current;
        }
    }
}

fn timeout_of(page: &PageCall) -> u32 {
    let asked = match page {
        PageCall::WaitForElement(w) => w.timeout.unwrap_or(5_000).min(20_000),
        PageCall::WaitForStable(w) => w.timeout.unwrap_or(5_000).min(20_000),
        _ => 0,
    };
    PAGE_TIMEOUT_MS + asked
}

pub(super) fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit).chain(['…']).collect()
}
