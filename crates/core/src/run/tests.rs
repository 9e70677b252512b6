//! The run machine, driven by scripts: what the model says, what tools report, what the user answers.

mod doubt;
mod gate;
mod length;

use super::*;
use crate::input::{ModelProfile, ToolOutcome, ToolReport};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use webbrain_protocol::model::Delta;
use webbrain_protocol::permission::Action;
use webbrain_protocol::settings::Settings;
use webbrain_protocol::{Capability, Completion, ModelError, StopReason, Tier, ToolCall};
use webbrain_tools::ShownRef;

/// Drives a run and writes down what it wants, one short line an effect.
struct Script {
    run: Run,
    at: u64,
    log: Vec<String>,
    journal: Vec<Stamped>,
}

impl Script {
    fn new() -> Self {
        Script { run: Run::new(4), at: 1_000, log: Vec::new(), journal: Vec::new() }
    }

    fn input(&mut self, input: Input) -> Vec<Effect> {
        self.at += 1;
        let stamped = Stamped { at: self.at, random: self.at * 7, input };
        self.journal.push(stamped.clone());
        let effects = self.run.handle(stamped);
        self.log.extend(effects.iter().map(show));
        effects
    }

    fn start(&mut self, mode: Mode, text: &str) -> Vec<Effect> {
        self.start_with(mode, text, Settings::default(), Tier::Full)
    }

    fn start_with(&mut self, mode: Mode, text: &str, settings: Settings, tier: Tier) -> Vec<Effect> {
        self.input(Input::Start {
            text: text.into(),
            mode,
            request_id: "r1".into(),
            now: Now {
                profile: ModelProfile { provider: "p".into(), tier },
                settings,
                grants: vec![grant(Capability::Click), grant(Capability::Type)],
                page: shop(),
            },
            clock: "noon".into(),
        })
    }

    /// Number of the call that the newest effect of a kind carries.
    fn call_of(effects: &[Effect]) -> u64 {
        effects
            .iter()
            .rev()
            .find_map(|e| match e {
                Effect::CallModel { call, .. } | Effect::RunPage { call, .. } | Effect::RunTab { call, .. } => {
                    Some(*call)
                }
                _ => None,
            })
            .expect("an effect with a call")
    }

    fn says(&mut self, call: u64, text: &str, tools: &[(&str, &str)]) -> Vec<Effect> {
        let tool_calls = tools
            .iter()
            .enumerate()
            .map(|(i, (name, arguments))| ToolCall {
                id: format!("c{call}_{i}"),
                name: (*name).into(),
                arguments: (*arguments).into(),
            })
            .collect();
        let completion = Completion { text: text.into(), tool_calls, stop: StopReason::End, ..Completion::default() };
        self.input(Input::ModelDone { call, completion })
    }

    fn reports(&mut self, call: u64, outcome: ToolOutcome, text: &str) -> Vec<Effect> {
        self.reports_with(call, outcome, text, &[])
    }

    /// As [`Script::reports`], with the elements that the text shows.
    fn reports_with(
        &mut self,
        call: u64,
        outcome: ToolOutcome,
        text: &str,
        shown: &[(u32, &str, &str, bool)],
    ) -> Vec<Effect> {
        let shown = shown.iter().map(|(n, role, name, secret)| ShownRef::new(*n, *role, *name, *secret));
        let report = ToolReport {
            outcome,
            page_text: text.into(),
            summary: "s".into(),
            next_ref: Some(10),
            shown: shown.collect(),
            ..ToolReport::default()
        };
        self.input(Input::ToolFinished { call, report })
    }

    fn shown(&mut self) -> String {
        std::mem::take(&mut self.log).join("\n")
    }
}

fn shop() -> PageInfo {
    PageInfo { url: "https://shop.test/a".into(), title: "Shop".into() }
}

fn grant(capability: Capability) -> Grant {
    Grant { capability, host: "shop.test".into(), action: Action::Allow, duration: Decision::Always, ts: 0 }
}

fn show(effect: &Effect) -> String {
    match effect {
        Effect::CallModel { call, prompt, .. } => format!("model {call} ({} turns)", prompt.turns().len()),
        Effect::CancelModel { call } => format!("cancel model {call}"),
        Effect::RunPage { call, page, .. } => format!("page {call} {}", serde_json::to_string(page).unwrap()),
        Effect::RunTab { call, tab, .. } => format!("tab {call} {}", serde_json::to_string(tab).unwrap()),
        Effect::CancelTool { call } => format!("cancel tool {call}"),
        Effect::SetTimer { id, .. } => format!("timer {id}"),
        Effect::Emit { event, .. } => format!("> {}", serde_json::to_string(event).unwrap()),
        Effect::StoreGrant(g) => format!("store {:?} {}", g.capability, g.host),
        Effect::Ended => "ended".into(),
    }
}

fn check(script: &mut Script, expected: Expect) {
    expected.assert_eq(&script.shown());
}

#[test]
fn a_program_that_knows_how_it_ended_is_believed() {
    for (outcome, want) in [
        (None, RunStatus::Done),
        (Some(RunStatus::Failed), RunStatus::Failed),
        (Some(RunStatus::Partial), RunStatus::Partial),
    ] {
        let mut s = Script::new();
        let call = Script::call_of(&s.start(Mode::Ask, "read the page"));
        let completion = Completion { text: "It cannot be read.".into(), outcome, ..Completion::default() };
        let effects = s.input(Input::ModelDone { call, completion });
        let ended = effects.iter().find_map(|e| match e {
            Effect::Emit { event: Event::RunComplete { status }, .. } => Some(*status),
            _ => None,
        });
        assert_eq!(ended, Some(want));
        assert!(!s.run.is_live());
    }
}

#[test]
fn ask_ends_with_the_models_text() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "What is this?"));
    s.input(Input::Delta { call, delta: Delta::Text("A sh".into()) });
    s.input(Input::Delta { call, delta: Delta::Text("op.".into()) });
    s.says(call, "A shop.", &[]);
    check(
        &mut s,
        expect![[r#"
            > {"type":"user_message","data":{"id":1,"text":"What is this?","mode":"ask","at":1001}}
            > {"type":"status","data":{"status":"running"}}
            > {"type":"thinking","data":{}}
            model 2 (1 turns)
            > {"type":"text_delta","data":{"id":2,"offset":0,"text":"A sh","at":1002}}
            > {"type":"text_delta","data":{"id":2,"offset":4,"text":"op.","at":1003}}
            > {"type":"text","data":{"id":2,"text":"A shop.","reasoning":"","at":1004}}
            > {"type":"run_complete","data":{"status":"done"}}
            ended"#]],
    );
    assert!(!s.run.is_live());
}

#[test]
fn ask_refuses_a_tool_that_acts() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "click it"));
    s.log.clear();
    s.says(call, "", &[("click_ax", r#"{"ref_id":"ref_1"}"#)]);
    check(
        &mut s,
        expect![[r#"
            > {"type":"text","data":{"id":2,"text":"","reasoning":"","at":1002}}
            > {"type":"tool_call","data":{"id":3,"name":"click_ax","args":"{\"ref_id\":\"ref_1\"}"}}
            > {"type":"tool_result","data":{"id":3,"name":"click_ax","status":"error","summary":"the tool click_ax is not available here"}}
            > {"type":"thinking","data":{}}
            model 4 (3 turns)"#]],
    );
}

#[test]
fn a_batch_runs_in_order_and_done_ends_the_run() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    s.log.clear();
    let e = s.says(call, "", &[("get_accessibility_tree", "{}"), ("click_ax", r#"{"ref_id":"ref_1"}"#)]);
    let e = s.reports(Script::call_of(&e), ToolOutcome::Ok, "button \"Go\" [ref_1]");
    let e = s.reports(Script::call_of(&e), ToolOutcome::Ok, "clicked");
    s.says(Script::call_of(&e), "", &[("done", r#"{"summary":"Clicked Go.","outcome":"success"}"#)]);
    check(
        &mut s,
        expect![[r#"
            > {"type":"text","data":{"id":2,"text":"","reasoning":"","at":1002}}
            > {"type":"tool_call","data":{"id":3,"name":"get_accessibility_tree","args":"{}"}}
            page 3 {"tool":"get_accessibility_tree","args":{"filter":"all","maxDepth":null,"maxChars":null,"ref_id":null,"includeHidden":null,"page":null}}
            > {"type":"tool_result","data":{"id":3,"name":"get_accessibility_tree","status":"ok","summary":"s"}}
            > {"type":"tool_call","data":{"id":4,"name":"click_ax","args":"{\"ref_id\":\"ref_1\"}"}}
            page 4 {"tool":"click_ax","args":{"ref_id":"ref_1"}}
            > {"type":"tool_result","data":{"id":4,"name":"click_ax","status":"ok","summary":"s"}}
            > {"type":"thinking","data":{}}
            model 5 (4 turns)
            > {"type":"text","data":{"id":5,"text":"","reasoning":"","at":1005}}
            > {"type":"tool_call","data":{"id":6,"name":"done","args":"{\"summary\":\"Clicked Go.\",\"outcome\":\"success\"}"}}
            > {"type":"tool_result","data":{"id":6,"name":"done","status":"ok","summary":""}}
            > {"type":"text","data":{"id":7,"text":"Clicked Go.","reasoning":"","at":1005}}
            > {"type":"run_complete","data":{"status":"done"}}
            ended"#]],
    );
}

#[test]
fn success_is_not_believed_before_the_result_was_seen() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    let e = s.says(
        call,
        "",
        &[("click_ax", r#"{"ref_id":"ref_1"}"#), ("done", r#"{"summary":"Did it.","outcome":"success"}"#)],
    );
    s.log.clear();
    s.reports(Script::call_of(&e), ToolOutcome::Ok, "clicked");
    check(
        &mut s,
        expect![[r#"
            > {"type":"tool_result","data":{"id":3,"name":"click_ax","status":"ok","summary":"s"}}
            > {"type":"tool_call","data":{"id":4,"name":"done","args":"{\"summary\":\"Did it.\",\"outcome\":\"success\"}"}}
            > {"type":"tool_result","data":{"id":4,"name":"done","status":"error","summary":"You have not seen the result of the calls before this."}}
            > {"type":"thinking","data":{}}
            model 5 (4 turns)"#]],
    );
}

#[test]
fn a_missing_permission_is_asked_for_and_a_denial_reaches_the_model() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "go to b"));
    s.log.clear();
    s.says(call, "", &[("navigate", r#"{"url":"https://b.test/x"}"#)]);
    check(
        &mut s,
        expect![[r#"
            > {"type":"text","data":{"id":2,"text":"","reasoning":"","at":1002}}
            > {"type":"tool_call","data":{"id":3,"name":"navigate","args":"{\"url\":\"https://b.test/x\"}"}}
            > {"type":"ask","data":{"id":4,"body":{"permission":{"capabilities":["navigate"],"host":"b.test","tool":"navigate","target":"https://b.test/x"}}}}
            > {"type":"status","data":{"status":"waiting"}}"#]],
    );
    let card = last_card(&s.run);
    s.input(Input::PermissionAnswered { id: card + 100, decision: Decision::Once, page: shop() });
    check(&mut s, expect![[""]]);
    s.input(Input::PermissionAnswered { id: card, decision: Decision::Deny, page: shop() });
    check(
        &mut s,
        expect![[r#"
            > {"type":"card_closed","data":{"id":4,"answer":"deny"}}
            > {"type":"status","data":{"status":"running"}}
            > {"type":"tool_result","data":{"id":3,"name":"navigate","status":"denied","summary":""}}
            > {"type":"thinking","data":{}}
            model 5 (3 turns)"#]],
    );
}

#[test]
fn the_host_is_checked_again_after_the_wait() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "press"));
    s.run.grants.clear();
    s.says(call, "", &[("click_ax", r#"{"ref_id":"ref_1"}"#)]);
    let card = last_card(&s.run);
    s.log.clear();
    let elsewhere = PageInfo { url: "https://evil.test/".into(), title: String::new() };
    s.input(Input::PermissionAnswered { id: card, decision: Decision::Once, page: elsewhere });
    assert!(
        s.log.iter().any(|l| l.contains("evil.test")) && !s.log.iter().any(|l| l.starts_with("page")),
        "{:?}",
        s.log
    );
}

#[test]
fn the_step_limit_shows_a_continue_card_and_continue_goes_on() {
    let mut s = Script::new();
    let settings = Settings { max_agent_steps: 5, ..Settings::default() };
    let mut e = s.start_with(Mode::Act, "loop", settings.clone(), Tier::Full);
    for _ in 0..5 {
        e = s.says(Script::call_of(&e), "", &[("get_selection", "")]);
        e = s.reports(Script::call_of(&e), ToolOutcome::Ok, "x");
    }
    assert!(matches!(
        s.run.chat().items.last(),
        Some(webbrain_protocol::Item::Card { body: Card::Continue { steps: 5 }, .. })
    ));
    assert_eq!(s.run.chat().status, RunStatus::Waiting);
    s.log.clear();
    s.input(Input::Continued { now: Now { settings, page: shop(), ..Now::default() } });
    assert!(s.log.iter().any(|l| l.starts_with("model ")), "{:?}", s.log);
}

#[test]
fn errors_that_pass_are_tried_again_and_others_show_a_card() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "hi"));
    s.input(Input::Delta { call, delta: Delta::Text("Hal".into()) });
    s.log.clear();
    s.input(Input::ModelFailed { call, error: ModelError::Cut, words: Msg::new(keys::ERR_CUT) });
    check(
        &mut s,
        expect![[r#"
            > {"type":"text","data":{"id":2,"text":"","reasoning":"","at":1003}}
            > {"type":"warning","data":{"message":{"key":"notice.retrying","args":{"seconds":"3"}},"level":"info"}}
            timer 3"#]],
    );
    let Phase::Backoff { timer, .. } = s.run.phase else { panic!("{:?}", s.run.phase) };
    let call = Script::call_of(&s.input(Input::Timer { id: timer }));
    s.log.clear();
    s.input(Input::ModelFailed { call, error: ModelError::Cut, words: Msg::new(keys::ERR_CUT) });
    check(
        &mut s,
        expect![[r#"
            > {"type":"text","data":{"id":4,"text":"","reasoning":"","at":1005}}
            > {"type":"ask","data":{"id":5,"body":{"error":{"message":{"key":"error.cut"},"retry":true}}}}
            > {"type":"run_complete","data":{"status":"failed"}}
            ended"#]],
    );
    s.input(Input::Retried { now: Now { page: shop(), ..Now::default() } });
    check(
        &mut s,
        expect![[r#"
            > {"type":"card_closed","data":{"id":5,"answer":"retry"}}
            > {"type":"status","data":{"status":"running"}}
            > {"type":"thinking","data":{}}
            model 6 (1 turns)"#]],
    );
}

#[test]
fn a_rate_limit_is_waited_out_and_an_endless_one_is_not() {
    let wait = |seconds: Option<u32>| {
        let mut s = Script::new();
        let call = Script::call_of(&s.start(Mode::Ask, "hi"));
        let error = ModelError::RateLimited { retry_after_s: seconds, detail: String::new() };
        let effects = s.input(Input::ModelFailed { call, error, words: Msg::new(keys::ERR_RATE_LIMITED) });
        effects
            .iter()
            .find_map(|e| if let Effect::SetTimer { after_ms, .. } = e { Some(*after_ms / 1_000) } else { None })
    };
    assert_eq!((wait(Some(3)), wait(None), wait(Some(3_600))), (Some(3), Some(2), None));
}

#[test]
fn stop_keeps_what_was_streamed_and_answers_every_call() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "hi"));
    s.input(Input::Delta { call, delta: Delta::Text("Half".into()) });
    s.log.clear();
    s.input(Input::Abort {});
    check(
        &mut s,
        expect![[r#"
            cancel model 2
            > {"type":"text","data":{"id":2,"text":"Half","reasoning":"","at":1003}}
            > {"type":"warning","data":{"message":{"key":"notice.stopped"},"level":"info"}}
            > {"type":"run_complete","data":{"status":"stopped"}}
            ended"#]],
    );

    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    s.says(call, "", &[("click_ax", r#"{"ref_id":"ref_1"}"#), ("get_selection", "{}")]);
    s.log.clear();
    s.input(Input::Abort {});
    check(
        &mut s,
        expect![[r#"
            cancel tool 3
            > {"type":"tool_result","data":{"id":3,"name":"click_ax","status":"unknown","summary":"The user stopped the run."}}
            > {"type":"warning","data":{"message":{"key":"notice.outcomeUnknown"},"level":"warning"}}
            > {"type":"tool_call","data":{"id":4,"name":"get_selection","args":"{}"}}
            > {"type":"tool_result","data":{"id":4,"name":"get_selection","status":"error","summary":"The user stopped the run."}}
            > {"type":"warning","data":{"message":{"key":"notice.stopped"},"level":"info"}}
            > {"type":"run_complete","data":{"status":"stopped"}}
            ended"#]],
    );
    assert_every_call_has_a_result(&s.run);
}

#[test]
fn plain_text_in_act_is_asked_for_an_outcome_once() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    let e = s.says(call, "I will click.", &[]);
    s.log.clear();
    s.says(Script::call_of(&e), "All done!", &[]);
    assert_eq!(s.run.chat().status, RunStatus::Done, "nothing was done, so the text is just an answer");

    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    let e = s.says(call, "", &[("click_ax", r#"{"ref_id":"ref_1"}"#)]);
    let e = s.reports(Script::call_of(&e), ToolOutcome::Ok, "clicked");
    let e = s.says(Script::call_of(&e), "All done!", &[]);
    s.says(Script::call_of(&e), "Really.", &[]);
    assert_eq!(s.run.chat().status, RunStatus::Partial, "it acted and never said how it ended");
}

#[test]
fn a_password_is_not_shown() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "log in"));
    let e = s.says(call, "", &[("get_accessibility_tree", "{}")]);
    let e = s.reports_with(Script::call_of(&e), ToolOutcome::Ok, "a form", &[(7, "textbox", "Password", true)]);
    s.log.clear();
    s.says(Script::call_of(&e), "", &[("set_field", r#"{"ref_id":"ref_7","text":"hunter2"}"#)]);
    let emitted: Vec<&String> = s.log.iter().filter(|l| l.starts_with("> ")).collect();
    assert!(emitted.iter().all(|l| !l.contains("hunter2")), "{emitted:?}");
}

#[test]
fn a_closed_tab_ends_the_run_with_words() {
    let mut s = Script::new();
    s.start(Mode::Act, "do it");
    s.log.clear();
    s.input(Input::TabClosed {});
    check(
        &mut s,
        expect![[r#"
            cancel model 2
            > {"type":"text","data":{"id":2,"text":"","reasoning":"","at":1002}}
            > {"type":"ask","data":{"id":3,"body":{"error":{"message":{"key":"error.tabClosed"},"retry":false}}}}
            > {"type":"run_complete","data":{"status":"failed"}}
            ended"#]],
    );
}

fn last_card(run: &Run) -> u64 {
    run.chat()
        .items
        .iter()
        .rev()
        .find_map(|i| if let webbrain_protocol::Item::Card { id, .. } = i { Some(*id) } else { None })
        .expect("a card")
}

fn assert_every_call_has_a_result(run: &Run) {
    let mut open: Vec<&str> = Vec::new();
    for message in run.messages() {
        match message {
            Message::Assistant { calls, .. } => open.extend(calls.iter().map(|c| c.id.as_str())),
            Message::Tool { call_id, .. } => open.retain(|id| id != call_id),
            Message::User { .. } => assert!(open.is_empty(), "{open:?} have no result"),
        }
    }
    assert!(open.is_empty(), "{open:?} have no result");
}

/// What a random session does next; the driver below answers the run's newest call.
#[derive(Clone, Debug)]
enum Move {
    Read,
    Click,
    Bad,
    Text,
    Done,
    Fail,
    Report(u8),
    Answer(u8),
    Abort,
    Restore,
    Start,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        3 => Just(Move::Read),
        3 => Just(Move::Click),
        1 => Just(Move::Bad),
        1 => Just(Move::Text),
        1 => Just(Move::Done),
        1 => Just(Move::Fail),
        6 => (0u8..3).prop_map(Move::Report),
        2 => (0u8..3).prop_map(Move::Answer),
        1 => Just(Move::Abort),
        1 => Just(Move::Restore),
        2 => Just(Move::Start),
    ];
    prop::collection::vec(one, 1..40)
}

fn play(s: &mut Script, step: &Move, newest: &mut u64, dispatched: &mut Vec<u64>) {
    let call = *newest;
    let effects = match step {
        Move::Start => s.start(Mode::Act, "go"),
        Move::Read => s.says(call, "", &[("get_selection", "{}")]),
        Move::Click => {
            s.says(call, "x", &[("click_ax", r#"{"ref_id":"ref_1"}"#), ("navigate", r#"{"url":"https://b.test"}"#)])
        }
        Move::Bad => s.says(call, "", &[("nonsense", "{"), ("click_ax", "[]")]),
        Move::Text => s.says(call, "text", &[]),
        Move::Done => s.says(call, "", &[("done", r#"{"summary":"s","outcome":"partial"}"#)]),
        Move::Fail => s.input(Input::ModelFailed { call, error: ModelError::Cut, words: Msg::new(keys::ERR_CUT) }),
        Move::Report(0) => s.reports(call, ToolOutcome::Ok, "t"),
        Move::Report(1) => s.reports(call, ToolOutcome::Error, "t"),
        Move::Report(_) => s.reports(call, ToolOutcome::Unknown, "t"),
        Move::Answer(n) => {
            let id = s.run.chat().items.iter().rev().find_map(|i| match i {
                webbrain_protocol::Item::Card { id, answer: None, .. } => Some(*id),
                _ => None,
            });
            let decision = [Decision::Once, Decision::Always, Decision::Deny][usize::from(*n)];
            match (id, s.run.phase.clone()) {
                (Some(id), _) => s.input(Input::PermissionAnswered { id, decision, page: shop() }),
                (None, Phase::Backoff { timer, .. }) => s.input(Input::Timer { id: timer }),
                _ => Vec::new(),
            }
        }
        Move::Abort => s.input(Input::Abort {}),
        Move::Restore => s.input(Input::Restored {}),
    };
    for effect in effects {
        match effect {
            Effect::RunPage { call, page: webbrain_tools::PageCall::ClickAx(_), .. } | Effect::RunTab { call, .. } => {
                dispatched.push(call);
                *newest = call;
            }
            Effect::CallModel { call, .. } | Effect::RunPage { call, .. } => *newest = call,
            _ => {}
        }
    }
}

proptest! {
    /// Invariants 2 and 3 of the design: the journal rebuilds the run; nothing that acts is dispatched twice; and the chat that
    /// the panel builds from events is the chat that the run holds.
    #[test]
    fn any_session_keeps_the_invariants(moves in moves()) {
        let mut s = Script::new();
        let (mut newest, mut dispatched) = (0, Vec::new());
        for step in &moves {
            play(&mut s, step, &mut newest, &mut dispatched);
        }
        let mut unique = dispatched.clone();
        unique.dedup();
        prop_assert_eq!(unique, dispatched);

        let mut rebuilt = Run::new(4);
        let mut panel = webbrain_protocol::Chat::new(4);
        for stamped in &s.journal {
            let text = serde_json::to_string(stamped).unwrap();
            for effect in rebuilt.handle(serde_json::from_str(&text).unwrap()) {
                if let Effect::Emit { seq, event } = effect {
                    panel.apply(seq, &event);
                }
            }
        }
        prop_assert_eq!(&rebuilt, &s.run);
        prop_assert_eq!(&panel, s.run.chat());
        let snapshot = serde_json::to_string(&s.run).unwrap();
        prop_assert_eq!(serde_json::from_str::<Run>(&snapshot).unwrap(), s.run);
    }
}
