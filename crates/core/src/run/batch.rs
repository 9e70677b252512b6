//! Carrying out the tool calls of an answer: one after the other, each through exposure, arguments, gate and dispatch.

use super::Turn;
use super::state::{Current, Phase, Run};
use crate::effect::Effect;
use crate::gate::{self, Verdict};
use crate::input::{ToolOutcome, ToolReport};
use crate::label::Labelled;
use crate::prompt::Message;
use std::collections::VecDeque;
use webbrain_protocol::chat::Level;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Capability, Card, Event, Msg, RunStatus, StepStatus, ToolCall};
use webbrain_tools::{
    Clarify, CoreCall, Dispatch, Done, Effect as ToolEffect, Outcome, PageCall, RefId, ScratchpadWrite, TabCall,
};

/// A call that was understood.
pub(super) struct Meaning {
    pub dispatch: Dispatch,
    needs: Vec<Capability>,
    acting: bool,
}

/// ms that a page call may take when its arguments do not say.
const PAGE_TIMEOUT_MS: u32 = 15_000;
/// Characters of the user's short result line.
const SUMMARY_LIMIT: usize = 200;

impl Run {
    /// Begins the next call of the batch, or the next step when there is none left.
    pub(super) fn next_call(&mut self, t: &mut Turn) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(tool) = batch.waiting.pop_front() else {
            self.step(t);
            return;
        };
        let call = self.next_id();
        let args = self.args_for_user(&tool);
        self.emit(t, Event::ToolCall { id: call, name: tool.name.clone(), args });
        self.begin(t, call, tool);
    }

    /// Takes a call through exposure, arguments and gate. Also after the user's answer: the tab may be elsewhere by then.
    fn begin(&mut self, t: &mut Turn, call: u64, tool: ToolCall) {
        match self.meaning(&tool) {
            Err(words) => self.refused(t, call, tool, &words),
            Ok(Meaning { dispatch: Dispatch::Core(core), .. }) => self.run_core(t, call, tool, core),
            Ok(meaning) => self.gate_call(t, call, tool, meaning),
        }
    }

    /// What a call means where the tab is now, or a sentence for the model.
    pub(super) fn meaning(&self, tool: &ToolCall) -> Result<Meaning, String> {
        let entry = webbrain_tools::find(&tool.name, self.mode, self.profile.tier).map_err(|e| e.to_string())?;
        let parsed = entry.parse(&tool.arguments).map_err(|e| e.to_string())?;
        let acting = matches!(entry.spec.effect, ToolEffect::Acts(_));
        Ok(Meaning { dispatch: self.absolute(parsed.dispatch)?, needs: parsed.needs, acting })
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

    /// Asks the gate, and dispatches when it allows.
    fn gate_call(&mut self, t: &mut Turn, call: u64, tool: ToolCall, meaning: Meaning) {
        let Meaning { dispatch, needs, acting } = meaning;
        let host = match &dispatch {
            Dispatch::Tab(TabCall::Navigate(n)) => gate::host_of(&n.url),
            Dispatch::Tab(TabCall::NewTab(n)) => gate::host_of(&n.url),
            _ => gate::host_of(&self.page.url),
        };
        let ask = self.settings.ask_before_consequential_actions;
        match gate::check(&needs, host.as_deref(), &self.grants, &self.once, ask) {
            Verdict::Allowed => self.dispatch(t, call, tool, dispatch, acting),
            Verdict::Denied => {
                let words = match host {
                    Some(host) => format!("The user's settings forbid this on {host}. Go on without it or end."),
                    None => format!("This tab is at {}, where nothing can be done.", self.page.url),
                };
                self.answer(t, call, tool, StepStatus::Denied, Labelled::program(words.clone()), &words);
                self.next_call(t);
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
            }
        }
    }

    /// Begins the current call again, now that the user has answered.
    pub(super) fn gate_current(&mut self, t: &mut Turn) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(Current::Permission { call, tool, .. }) = batch.current.take() else { return };
        self.begin(t, call, tool);
    }

    /// The user said no to the current call.
    pub(super) fn denied(&mut self, t: &mut Turn, words: &str) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(Current::Permission { call, tool, .. }) = batch.current.take() else { return };
        self.answer(t, call, tool, StepStatus::Denied, Labelled::program(words), "");
        self.next_call(t);
    }

    fn dispatch(&mut self, t: &mut Turn, call: u64, tool: ToolCall, dispatch: Dispatch, acting: bool) {
        self.set_current(Some(Current::Running { call, tool, acting }));
        if acting {
            self.acted = true;
            if let Phase::Batch(batch) = &mut self.phase {
                batch.unseen = true;
            }
        }
        self.issue(t, call, dispatch);
    }

    /// Has the current call carried out.
    pub(super) fn issue(&mut self, t: &mut Turn, call: u64, dispatch: Dispatch) {
        match dispatch {
            Dispatch::Page(page) => {
                let timeout_ms = timeout_of(&page);
                t.effects.push(Effect::RunPage { call, page, ref_floor: self.next_ref, timeout_ms });
            }
            Dispatch::Tab(tab) => t.effects.push(Effect::RunTab { call, tab }),
            Dispatch::Core(_) => {}
        }
    }

    pub(super) fn on_tool_finished(&mut self, t: &mut Turn, number: u64, report: ToolReport) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        if !matches!(&batch.current, Some(Current::Running { call, .. }) if *call == number) {
            return;
        }
        let Some(Current::Running { tool, .. }) = batch.current.take() else { return };
        if let Some(page) = report.page {
            self.page = page;
        }
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
            parts.push(Labelled::page(gate::origin_of(&self.page.url), &report.page_text, nonce));
        }
        self.answer_parts(t, number, tool, status, parts, &report.summary);
        if report.outcome == ToolOutcome::Unknown {
            self.skip_rest(t, "Not run: the outcome of the call before it is unknown. Look at the page first.");
        }
        self.next_call(t);
    }

    fn run_core(&mut self, t: &mut Turn, call: u64, tool: ToolCall, core: CoreCall) {
        match core {
            CoreCall::ScratchpadWrite(note) => self.note(t, call, tool, note),
            CoreCall::Clarify(question) => self.clarify(t, call, tool, question),
            CoreCall::Done(done) => self.done(t, call, tool, done),
        }
    }

    fn note(&mut self, t: &mut Turn, call: u64, tool: ToolCall, note: ScratchpadWrite) {
        if note.replace == Some(true) {
            self.scratchpad.clear();
        }
        if !note.text.trim().is_empty() {
            self.scratchpad.push(note.text);
        }
        self.answer(t, call, tool, StepStatus::Ok, Labelled::program("Noted."), "");
        self.next_call(t);
    }

    fn clarify(&mut self, t: &mut Turn, call: u64, tool: ToolCall, question: Clarify) {
        let options = question.options.unwrap_or_default();
        let options = options.into_iter().filter(|o| !o.trim().is_empty()).take(4).map(|o| cut(&o, 200)).collect();
        let card = self.ask(t, Card::Clarify { question: question.question, options });
        self.set_current(Some(Current::Clarify { card, call, tool }));
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

    fn done(&mut self, t: &mut Turn, call: u64, tool: ToolCall, done: Done) {
        let unseen = matches!(&self.phase, Phase::Batch(batch) if batch.unseen);
        if done.outcome == Outcome::Success && unseen {
            self.refused(
                t,
                call,
                tool,
                "You have not seen the result of the calls before this. Look at it, then call done alone.",
            );
            return;
        }
        self.answer(t, call, tool, StepStatus::Ok, Labelled::program("The run is over."), "");
        self.skip_rest(t, "Not run: the run is over.");
        let said = self.last_answer().is_some_and(|text| text.trim() == done.summary.trim());
        if !said && !done.summary.trim().is_empty() {
            let id = self.next_id();
            self.messages.push(Message::Assistant { text: done.summary.clone(), calls: Vec::new() });
            self.emit(t, Event::Text { id, text: done.summary, reasoning: String::new(), at: t.at });
        }
        let status = match done.outcome {
            Outcome::Success => RunStatus::Done,
            Outcome::Partial => RunStatus::Partial,
            Outcome::Failed => RunStatus::Failed,
        };
        self.finish(t, status);
    }

    fn last_answer(&self) -> Option<&str> {
        self.messages.iter().rev().find_map(|m| match m {
            Message::Assistant { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Answers a call that was never begun, and goes on.
    fn refused(&mut self, t: &mut Turn, call: u64, tool: ToolCall, words: &str) {
        self.answer(t, call, tool, StepStatus::Error, Labelled::program(words), words);
        self.next_call(t);
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
        self.answer_parts(t, call, tool, status, vec![part], summary);
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
            self.warn(t, Msg::new(keys::NOTICE_OUTCOME_UNKNOWN).arg("tool", self.last_tool_name()), Level::Warning);
        }
    }

    fn last_tool_name(&self) -> String {
        match self.messages.last() {
            Some(Message::Tool { name, .. }) => name.clone(),
            _ => String::new(),
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

    /// What a permission card says that a call would do; data.
    fn target_for_user(&self, dispatch: &Dispatch) -> String {
        match dispatch {
            Dispatch::Page(PageCall::ClickAx(c)) => self.describe(&c.ref_id),
            Dispatch::Page(PageCall::TypeAx(c)) => self.describe_typing(&c.ref_id, &c.text),
            Dispatch::Page(PageCall::SetField(c)) => self.describe_typing(&c.ref_id, &c.text),
            Dispatch::Page(PageCall::PressKeys(c)) => c.key.name().to_owned(),
            Dispatch::Tab(TabCall::Navigate(c)) => c.url.clone(),
            Dispatch::Tab(TabCall::NewTab(c)) => c.url.clone(),
            _ => String::new(),
        }
    }

    /// `role "name"` of a ref, as the newest tree showed it; the ref itself when none did.
    fn describe(&self, ref_id: &RefId) -> String {
        match self.line_of(ref_id) {
            Some(line) => cut(line.split(" [ref_").next().unwrap_or(line), 120),
            None => ref_id.to_string(),
        }
    }

    fn describe_typing(&self, ref_id: &RefId, text: &str) -> String {
        let field = self.describe(ref_id);
        if self.is_secret_field(ref_id) {
            format!("{field}: ••••")
        } else {
            format!("{field}: {}", cut(text, 80))
        }
    }

    fn line_of(&self, ref_id: &RefId) -> Option<&str> {
        let mark = format!("[{ref_id}]");
        self.messages.iter().rev().find_map(|message| match message {
            Message::Tool { parts, .. } => {
                parts.iter().find_map(|p| p.text().lines().find(|line| line.contains(&mark)).map(str::trim))
            }
            _ => None,
        })
    }

    fn is_secret_field(&self, ref_id: &RefId) -> bool {
        self.line_of(ref_id).is_some_and(|line| line.contains("type=\"password\""))
    }

    /// The arguments as the step list shows them: what goes into a password field is not shown.
    fn args_for_user(&self, tool: &ToolCall) -> String {
        let Ok(mut args) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&tool.arguments) else {
            return cut(&tool.arguments, 2_000);
        };
        let secret = args
            .get("ref_id")
            .and_then(|r| serde_json::from_str::<RefId>(&r.to_string()).ok())
            .is_some_and(|r| self.is_secret_field(&r));
        if secret && args.contains_key("text") {
            args.insert("text".into(), "••••".into());
            return serde_json::Value::Object(args).to_string();
        }
        cut(&tool.arguments, 2_000)
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

fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit).chain(['…']).collect()
}
