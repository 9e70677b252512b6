//! Answers that are too long: cut off by the model's limit, or with more calls than anyone would look at.

use super::*;

fn cut(s: &mut Script, call: u64, text: &str, calls: &[(&str, &str)]) -> Vec<Effect> {
    let tool_calls = calls.iter().enumerate().map(|(i, (name, arguments))| ToolCall {
        id: format!("c{i}"),
        name: (*name).into(),
        arguments: (*arguments).into(),
    });
    let (tool_calls, stop) = (tool_calls.collect(), StopReason::Length);
    s.input(Input::ModelDone {
        call,
        completion: Completion { text: text.into(), tool_calls, stop, ..Completion::default() },
    })
}

fn shows(s: &Script, key: &str) -> bool {
    s.log.iter().any(|l| l.contains(&format!("\"key\":\"{key}\"")))
}

#[test]
fn an_answer_that_was_cut_off_is_not_shown_as_the_whole_one() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "tell me"));
    cut(&mut s, call, "Once upon a", &[]);
    assert_eq!(s.run.chat().status, RunStatus::Partial);
    assert!(shows(&s, keys::NOTICE_CUT), "{:?}", s.log);
}

#[test]
fn in_act_the_model_goes_on_once_after_a_cut() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    let e = cut(&mut s, call, "First I will", &[]);
    assert!(s.run.is_live());
    cut(&mut s, Script::call_of(&e), "And then", &[]);
    assert_eq!(s.run.chat().status, RunStatus::Partial);
}

#[test]
fn a_length_used_up_by_thinking_has_words_of_its_own() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "tell me"));
    let e = cut(&mut s, call, "", &[]);
    cut(&mut s, Script::call_of(&e), " ", &[]);
    assert_eq!(s.run.chat().status, RunStatus::Failed);
    assert!(shows(&s, keys::ERR_LENGTH) && !shows(&s, keys::ERR_EMPTY), "{:?}", s.log);
}

#[test]
fn the_last_call_of_a_cut_answer_is_never_made() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    // An empty object is also what a call looks like whose arguments had not begun.
    let e = cut(&mut s, call, "", &[("get_selection", "{}"), ("go_back", "{}")]);
    let e = s.reports(Script::call_of(&e), ToolOutcome::Ok, "x");
    assert!(!s.log.iter().any(|l| l.starts_with("tab ")), "{:?}", s.log);
    assert!(e.iter().any(|e| matches!(e, Effect::CallModel { .. })));
    assert_every_call_has_a_result(&s.run);
}

#[test]
fn a_flood_of_calls_is_refused_after_the_first_ones() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Act, "do it"));
    let flood = vec![("scratchpad_write", r#"{"text":"x"}"#); 20_000];
    s.log.clear();
    s.says(call, "", &flood);
    assert_eq!(s.run.scratchpad.len(), 32);
    assert_every_call_has_a_result(&s.run);
    assert!(s.log.last().is_some_and(|l| l.starts_with("model ")));
}

#[test]
fn an_empty_answer_is_nudged_once() {
    let mut s = Script::new();
    let call = Script::call_of(&s.start(Mode::Ask, "hi"));
    let e = s.says(call, "", &[]);
    s.says(Script::call_of(&e), " ", &[]);
    assert_eq!(s.run.chat().status, RunStatus::Failed);
    assert!(s.log.iter().any(|l| l.contains(keys::ERR_EMPTY)));
}
