//! The body of an OpenAI chat completion. Tools stand before messages, so that adding a turn only adds bytes at the end.

use super::{Params, schema, turns};
use crate::provider::Provider;
use serde::Serialize;
use serde_json::value::RawValue;
use turns::Entry;
use webbrain_core::prompt::Prompt;

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Thinking {
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'static RawValue,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: String,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: String,
        content: &'a str,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Called<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Extra>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: &'a str,
    arguments: String,
}

#[derive(Serialize)]
struct Extra {
    google: Signature,
}

#[derive(Serialize)]
struct Signature {
    thought_signature: &'static str,
}

/// The documented stand-in for the signature of a call whose own one was not kept.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn body(provider: &Provider, prompt: &Prompt, params: &Params) -> serde_json::Result<String> {
    let quirks = &provider.quirks;
    let tools = prompt.tools().iter().map(|tool| {
        let function = Function { name: tool.name, description: tool.about, parameters: schema(tool.schema)? };
        Ok(Tool { kind: "function", function })
    });
    let (new, old) =
        if quirks.max_completion_tokens { (Some(params.max_tokens), None) } else { (None, Some(params.max_tokens)) };
    serde_json::to_string(&Body {
        model: &provider.model,
        stream: params.stream,
        stream_options: (params.stream && quirks.stream_usage).then_some(StreamOptions { include_usage: true }),
        max_tokens: old,
        max_completion_tokens: new,
        temperature: params.temperature.filter(|_| !quirks.no_temperature),
        thinking: quirks.thinking_off.then_some(Thinking { kind: "disabled" }),
        tools: tools.collect::<serde_json::Result<_>>()?,
        messages: messages(provider, prompt),
    })
}

fn messages<'a>(provider: &Provider, prompt: &'a Prompt) -> Vec<Message<'a>> {
    let mut out = Vec::new();
    if !prompt.system().is_empty() {
        out.push(Message::System { content: prompt.system() });
    }
    for entry in turns::ordered(prompt) {
        match entry {
            Entry::User(parts) => out.push(Message::User { content: parts.join("\n\n") }),
            Entry::Said(text) => out.push(Message::Assistant { content: Some(text), tool_calls: Vec::new() }),
            Entry::Called(text, calls, outcomes) => {
                let tool_calls = calls.iter().enumerate().map(|(at, call)| Call {
                    id: call_id(provider, &call.id),
                    kind: "function",
                    function: Called { name: &call.name, arguments: turns::object_text(&call.arguments) },
                    extra_content: (provider.quirks.call_signature && at == 0)
                        .then_some(Extra { google: Signature { thought_signature: NO_SIGNATURE } }),
                });
                let content = (!text.is_empty()).then_some(text);
                out.push(Message::Assistant { content, tool_calls: tool_calls.collect() });
                out.extend(outcomes.into_iter().map(|outcome| Message::Tool {
                    tool_call_id: call_id(provider, outcome.call_id),
                    content: outcome.text,
                }));
            }
        }
    }
    out
}

/// The id of a call as the provider accepts it; equal ids stay equal.
fn call_id(provider: &Provider, id: &str) -> String {
    let fits = id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric());
    if provider.quirks.short_call_ids && !fits { crate::stream::short_id(id.as_bytes()) } else { id.to_owned() }
}
