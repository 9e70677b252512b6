//! The conversation in a form that every provider accepts: each call has one result, right after it, and no two user
//! turns follow each other. Providers answer anything else with 400, and then the session is lost.

use webbrain_core::prompt::{Prompt, Turn};
use webbrain_protocol::ToolCall;

/// One result of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome<'a> {
    pub call_id: &'a str,
    pub ok: bool,
    pub text: &'a str,
}

/// One entry of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entry<'a> {
    /// Pieces of one user turn.
    User(Vec<&'a str>),
    /// What the model said.
    Said(&'a str),
    /// What the model said and called, with one outcome for each call.
    Called(&'a str, &'a [ToolCall], Vec<Outcome<'a>>),
}

/// Stands in for the result of a call that was never answered (stopped, or lost with the worker).
const NO_RESULT: &str =
    "No result: this call was interrupted. It may or may not have been carried out; look before going on.";

/// Puts the turns of a prompt in order.
pub(crate) fn ordered(prompt: &Prompt) -> Vec<Entry<'_>> {
    let mut out: Vec<Entry<'_>> = Vec::new();
    let mut turns = prompt.turns().peekable();
    while let Some(turn) = turns.next() {
        match turn {
            Turn::User { text } => push_user(&mut out, text),
            // A result without its call: what it says is kept, as text.
            Turn::Tool { text, .. } => push_user(&mut out, text),
            Turn::Assistant { text, calls: [] } => {
                if !text.is_empty() {
                    out.push(Entry::Said(text));
                }
            }
            Turn::Assistant { text, calls } => {
                let mut found: Vec<Option<Outcome<'_>>> = vec![None; calls.len()];
                let mut strays = Vec::new();
                while let Some(Turn::Tool { call_id, ok, text, .. }) =
                    turns.next_if(|next| matches!(next, Turn::Tool { .. }))
                {
                    let free = (0..calls.len()).find(|&i| calls[i].id == call_id && found[i].is_none());
                    match free {
                        Some(at) => found[at] = Some(Outcome { call_id, ok, text }),
                        None => strays.push(text),
                    }
                }
                let outcomes = found
                    .into_iter()
                    .zip(calls)
                    .map(|(outcome, call)| outcome.unwrap_or(Outcome { call_id: &call.id, ok: false, text: NO_RESULT }))
                    .collect();
                out.push(Entry::Called(text, calls, outcomes));
                strays.into_iter().for_each(|text| push_user(&mut out, text));
            }
        }
    }
    out
}

fn push_user<'a>(out: &mut Vec<Entry<'a>>, text: &'a str) {
    if text.trim().is_empty() {
        return;
    }
    match out.last_mut() {
        Some(Entry::User(parts)) => parts.push(text),
        _ => out.push(Entry::User(vec![text])),
    }
}

/// The arguments of a call as a JSON object in text form. What the model wrote and nobody could read is kept in one field.
pub(crate) fn object_text(arguments: &str) -> String {
    let text = arguments.trim();
    if text.is_empty() {
        return "{}".to_owned();
    }
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text) {
        Ok(_) => text.to_owned(),
        Err(_) => serde_json::json!({ "unreadable": text }).to_string(),
    }
}
