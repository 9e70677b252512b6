//! The body of an Anthropic message request: system hoisted, roles alternating, results of parallel calls in one turn,
//! cache breakpoints after tools + system and at the last message.

use super::{Params, schema, turns};
use crate::provider::Provider;
use serde::Serialize;
use serde_json::value::RawValue;
use turns::Entry;
use webbrain_core::prompt::Prompt;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'static RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Cache>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
struct Block<'a> {
    #[serde(flatten)]
    kind: Kind<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Cache>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: String,
        name: &'a str,
        // A value and not raw text: flattening buffers, and raw text does not survive it.
        input: serde_json::Value,
    },
    ToolResult {
        tool_use_id: String,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Clone, Copy, Serialize)]
struct Cache {
    #[serde(rename = "type")]
    kind: &'static str,
}

const BREAKPOINT: Option<Cache> = Some(Cache { kind: "ephemeral" });

impl<'a> From<Kind<'a>> for Block<'a> {
    fn from(kind: Kind<'a>) -> Self {
        Block { kind, cache_control: None }
    }
}

/// Opens a conversation whose first turns were dropped: a user turn must be the first.
const OPENING: &str = "(The beginning of this conversation is not shown.)";

pub(super) fn body(provider: &Provider, prompt: &Prompt, params: &Params) -> serde_json::Result<String> {
    let mut tools: Vec<Tool<'_>> = prompt
        .tools()
        .iter()
        .map(|tool| {
            let input_schema = schema(tool.schema)?;
            Ok(Tool { name: tool.name, description: tool.about, input_schema, cache_control: None })
        })
        .collect::<serde_json::Result<_>>()?;
    let mut system = Vec::new();
    // Tools come before the system text in the cache's order, so one breakpoint after it holds both.
    if !prompt.system().is_empty() {
        system.push(Block { kind: Kind::Text { text: prompt.system() }, cache_control: BREAKPOINT });
    } else if let Some(last) = tools.last_mut() {
        last.cache_control = BREAKPOINT;
    }
    let mut messages = messages(prompt);
    if let Some(block) = messages.last_mut().and_then(|message| message.content.last_mut()) {
        block.cache_control = BREAKPOINT;
    }
    serde_json::to_string(&Body {
        model: &provider.model,
        max_tokens: params.max_tokens,
        stream: params.stream,
        temperature: params.temperature.filter(|_| !provider.quirks.no_temperature),
        tools,
        system,
        messages,
    })
}

fn messages(prompt: &Prompt) -> Vec<Message<'_>> {
    let mut out: Vec<Message<'_>> = Vec::new();
    for entry in turns::ordered(prompt) {
        match entry {
            Entry::User(parts) => push(&mut out, "user", parts.into_iter().map(|text| Kind::Text { text }.into())),
            Entry::Said(text) if text.trim().is_empty() => {}
            Entry::Said(text) => push(&mut out, "assistant", [Kind::Text { text }.into()]),
            Entry::Called(text, calls, outcomes) => {
                let said = (!text.trim().is_empty()).then(|| Block::from(Kind::Text { text }));
                let uses = calls.iter().map(|call| {
                    let input = serde_json::from_str(&turns::object_text(&call.arguments)).unwrap_or_default();
                    Kind::ToolUse { id: call_id(&call.id), name: &call.name, input }.into()
                });
                push(&mut out, "assistant", said.into_iter().chain(uses));
                let results = outcomes.into_iter().map(|outcome| {
                    let tool_use_id = call_id(outcome.call_id);
                    Kind::ToolResult { tool_use_id, content: outcome.text, is_error: !outcome.ok }.into()
                });
                push(&mut out, "user", results);
            }
        }
    }
    out
}

/// Adds blocks to the last message when it has the same role, else as a new one.
fn push<'a>(out: &mut Vec<Message<'a>>, role: &'static str, blocks: impl IntoIterator<Item = Block<'a>>) {
    if out.is_empty() && role == "assistant" {
        out.push(Message { role: "user", content: vec![Kind::Text { text: OPENING }.into()] });
    }
    match out.last_mut() {
        Some(last) if last.role == role => last.content.extend(blocks),
        _ => out.push(Message { role, content: blocks.into_iter().collect() }),
    }
}

/// Ids may hold letters, digits, `_` and `-` only.
fn call_id(id: &str) -> String {
    let clean: String =
        id.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect();
    if clean.is_empty() { "call".to_owned() } else { clean }
}
