//! The built-in interpreter of plain commands: it needs no key, no server and no download. It is stateless: the prompt's
//! turns say which steps are done, so that a run can be stopped and picked up anywhere. It never claims more than tool
//! results show, and never pretends to be a language model. Source: the design, section 5.

mod answer;
mod choice;
mod failure;
mod machine;
mod parse;
mod reading;
mod tree;
mod words;

use answer::Answer;
use machine::{Call, Machine, Next};
use serde_json::json;
use webbrain_core::prompt::{Prompt, Turn, user_words};
use webbrain_protocol::{Completion, RunStatus, StopReason, ToolCall};

/// The answer to a prompt: the next tool call, or how it ended.
pub fn reply(prompt: &Prompt) -> Completion {
    let turns: Vec<Turn<'_>> = prompt.turns().collect();
    let Some(at) = request_turn(&turns) else {
        return say(&Answer::line(format!("{} {}", words::WHO, words::EXAMPLES)), RunStatus::Done);
    };
    let Turn::User { text } = turns[at] else { return Completion::default() };
    let has = |name: &str| prompt.tools().iter().any(|tool| tool.name == name);
    let acting = has("click_ax");
    let steps = match parse::steps(user_words(text)) {
        Ok(steps) => steps,
        Err(part) => {
            let answer = Answer::line(words::not_understood(&part));
            return finish(acting, RunStatus::Failed, &answer, turns.len());
        }
    };
    if let Some(step) = steps.iter().find(|step| step.acts()).filter(|_| !acting) {
        return say(&Answer::line(words::ask_cannot_act(&step.words())), RunStatus::Failed);
    }
    let mut machine = Machine::new(&steps, &has);
    for (call, result) in calls(&turns[at + 1..]) {
        machine.observe(call, result);
    }
    match machine.next() {
        Next::Calls(calls) => call(calls, turns.len()),
        Next::End { outcome, summary } => finish(acting, outcome, &summary, turns.len()),
    }
}

/// The turn that holds the request: later user turns may be reminders of the program.
fn request_turn(turns: &[Turn<'_>]) -> Option<usize> {
    let is_user = |turn: &Turn<'_>| matches!(turn, Turn::User { .. });
    let marked = |turn: &Turn<'_>| matches!(turn, Turn::User { text } if user_words(text).len() < text.trim().len());
    turns.iter().rposition(marked).or_else(|| turns.iter().rposition(is_user))
}

/// Each call with its result; a call without one counts as failed.
fn calls<'a>(turns: &'a [Turn<'a>]) -> Vec<(&'a ToolCall, Option<(bool, &'a str)>)> {
    let mut out = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let Turn::Assistant { calls, .. } = turn else { continue };
        for call in *calls {
            let result = turns[at + 1..].iter().find_map(|turn| match turn {
                Turn::Tool { call_id, ok, text, .. } if *call_id == call.id => Some((*ok, *text)),
                _ => None,
            });
            out.push((call, result));
        }
    }
    out
}

/// An answer that ends the run.
fn say(answer: &Answer, outcome: RunStatus) -> Completion {
    Completion { text: answer.markdown(), outcome: Some(outcome), ..Completion::default() }
}

fn finish(acting: bool, outcome: RunStatus, summary: &Answer, turn: usize) -> Completion {
    if !acting {
        return say(summary, outcome);
    }
    let word = match outcome {
        RunStatus::Done => "success",
        RunStatus::Partial => "partial",
        _ => "failed",
    };
    call(vec![("done", json!({ "summary": summary.markdown(), "outcome": word }))], turn)
}

/// Calls; their ids are unique because the conversation only grows.
fn call(calls: Vec<Call>, turn: usize) -> Completion {
    let id = |n: usize| if n == 0 { format!("cmd_{turn}") } else { format!("cmd_{turn}_{n}") };
    let made = |(n, (name, arguments)): (usize, Call)| ToolCall {
        id: id(n),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    };
    let tool_calls = calls.into_iter().enumerate().map(made).collect();
    Completion { tool_calls, stop: StopReason::Tools, ..Completion::default() }
}

#[cfg(test)]
mod tests;
