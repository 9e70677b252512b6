//! Tool calls that a model without native calls writes as text. Used for such providers only (quirk `text_calls`), and only
//! when the message is nothing but calls: a call quoted in prose, or copied from a page, is text and is never executed.

use crate::provider::Provider;
use crate::repair;
use crate::stream::short_id;
use serde_json::{Map, Value};
use webbrain_core::prompt::ToolDecl;
use webbrain_protocol::{Completion, StopReason, ToolCall};

/// Characters of a message that is looked at. Source: reference `engine.md` 1.
const LIMIT: usize = 10_000;

/// The completion with the calls of its text, where `provider` needs that and the text is nothing but calls to `tools`.
/// An answer that was cut by its length is left alone: its last call may not be whole.
pub fn completion(mut completion: Completion, provider: &Provider, tools: &[ToolDecl]) -> Completion {
    let wanted =
        provider.quirks.text_calls && completion.tool_calls.is_empty() && completion.stop != StopReason::Length;
    if let Some((text, calls)) = wanted.then(|| text_calls(&completion.text, tools)).flatten() {
        completion.text = text;
        completion.tool_calls = calls;
        completion.stop = StopReason::Tools;
    }
    completion
}

/// The text that is left, and the calls, when `text` consists of calls to `tools` apart from thinking and fences.
pub fn text_calls(text: &str, tools: &[ToolDecl]) -> Option<(String, Vec<ToolCall>)> {
    if tools.is_empty() || text.len() > LIMIT {
        return None;
    }
    let bare = without_thinking(text);
    let mut found = Vec::new();
    let mut rest = bare.trim();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (calls, after) = next_calls(rest, tools)?;
        found.extend(calls);
        rest = after.trim_start();
    }
    let seed = short_id(text.as_bytes());
    let calls = found.into_iter().enumerate().map(|(at, (name, arguments))| ToolCall {
        id: format!("call_{seed}_{at}"),
        name,
        arguments: Value::Object(arguments).to_string(),
    });
    Some((String::new(), calls.collect()))
}

type Found = (String, Map<String, Value>);

/// The calls that `text` begins with, and what follows them.
fn next_calls<'a>(text: &'a str, tools: &[ToolDecl]) -> Option<(Vec<Found>, &'a str)> {
    const TAGS: &[(&str, &[&str])] = &[
        ("<tool_call>", &["</tool_call>"]),
        ("<|tool_call|>", &["<|/tool_call|>", "</|tool_call|>", "<|tool_call_end|>"]),
        ("<|tool_call>", &["<tool_call|>"]),
        ("<tool_calls>", &["</tool_calls>"]),
        ("<functioncall>", &["</functioncall>"]),
        ("<function_call>", &["</function_call>"]),
        ("<|python_tag|>", &["<|eom_id|>", "<|eot_id|>"]),
        ("[TOOL_CALLS]", &["</s>"]),
    ];
    if let Some((open, closes)) = TAGS.iter().find(|(open, _)| text.starts_with(open)) {
        let body = &text[open.len()..];
        // A stop sequence may have eaten the last closing tag.
        let end = closes.iter().filter_map(|close| Some((body.find(close)?, close.len()))).min();
        let (inner, after) = end.map_or((body, ""), |(at, len)| (&body[..at], &body[at + len..]));
        return Some((all_calls(inner.trim(), tools)?, after));
    }
    if text.starts_with("<function=") {
        let end = text.find("</function>")?;
        return Some((vec![xml_call(&text[..end], tools)?], &text[end + "</function>".len()..]));
    }
    if let Some(fenced) = text.strip_prefix("```") {
        let end = fenced.find("\n```").or_else(|| fenced.rfind("```"))?;
        let close = end + fenced[end..].find("```")? + 3;
        let (_, inner) = fenced[..end].split_once('\n')?;
        return Some((all_calls(inner.trim(), tools)?, &fenced[close..]));
    }
    // Without a mark, the rest must be the call.
    Some((all_calls(text, tools)?, ""))
}

/// The calls that make up the whole of `text`.
fn all_calls(text: &str, tools: &[ToolDecl]) -> Option<Vec<Found>> {
    if text.starts_with("<function=") {
        let text = text.trim_end().strip_suffix("</function>").unwrap_or(text);
        return text.split("</function>").map(|part| xml_call(part.trim(), tools)).collect();
    }
    if let Some(named) = text.strip_prefix("call:") {
        let (name, arguments) = named.split_at(named.find('{')?);
        let arguments = repair::object(&arguments.replace("<|\"|>", "\""))?;
        return Some(vec![known(name.trim(), arguments, tools)?]);
    }
    if text.starts_with(['{', '[']) {
        return match repair::value(text) {
            Some(Value::Array(items)) if !items.is_empty() => items.into_iter().map(|v| json_call(v, tools)).collect(),
            Some(value @ Value::Object(_)) => Some(vec![json_call(value, tools)?]),
            // Several objects, one a line.
            _ if text.lines().count() > 1 => text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(|line| json_call(repair::object(line)?, tools))
                .collect(),
            _ => None,
        };
    }
    None
}

/// `{name|tool|function, arguments|parameters|args}`, or OpenAI's own `{type, function: {name, arguments}}`.
fn json_call(value: Value, tools: &[ToolDecl]) -> Option<Found> {
    let Value::Object(mut object) = value else { return None };
    if let Some(Value::Object(function)) = object.get("function") {
        object = function.clone();
    }
    let name = ["name", "tool", "function", "tool_name"]
        .iter()
        .find_map(|key| object.get(*key)?.as_str().map(str::to_owned))?;
    let arguments = ["arguments", "parameters", "args", "input"].iter().find_map(|key| object.remove(*key));
    known(&name, arguments.unwrap_or_else(|| Value::Object(Map::new())), tools)
}

/// `<function=name><parameter=key>value</parameter>...`, without the closing tag.
fn xml_call(text: &str, tools: &[ToolDecl]) -> Option<Found> {
    let (name, mut rest) = text.strip_prefix("<function=")?.split_once('>')?;
    let tool = tools.iter().find(|tool| tool.name == name.trim())?;
    let schema: Value = serde_json::from_str(tool.schema.trim()).unwrap_or_default();
    let mut arguments = Map::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some((tool.name.to_owned(), arguments));
        }
        let (key, body) = rest.strip_prefix("<parameter=")?.split_once('>')?;
        let (raw, after) = body.split_once("</parameter>")?;
        rest = after;
        let raw = raw.strip_prefix('\n').unwrap_or(raw);
        let raw = raw.strip_suffix('\n').unwrap_or(raw);
        let is_text = schema.pointer(&format!("/properties/{}/type", key.trim())).is_none_or(|t| t == "string");
        let value = if is_text { None } else { serde_json::from_str(raw.trim()).ok() };
        arguments.insert(key.trim().to_owned(), value.unwrap_or_else(|| Value::String(raw.to_owned())));
    }
}

fn known(name: &str, arguments: Value, tools: &[ToolDecl]) -> Option<Found> {
    let name = name.strip_prefix("functions.").unwrap_or(name);
    let tool = tools.iter().find(|tool| tool.name == name)?;
    match arguments {
        Value::Object(map) => Some((tool.name.to_owned(), map)),
        Value::Null => Some((tool.name.to_owned(), Map::new())),
        // Arguments as text that holds an object.
        Value::String(text) => match repair::object(&text)? {
            Value::Object(map) => Some((tool.name.to_owned(), map)),
            _ => None,
        },
        _ => None,
    }
}

/// The text without its thinking blocks. Thinking that was never closed leaves nothing to execute.
fn without_thinking(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<think") {
        out.push_str(&rest[..at]);
        match rest[at..].find("</think") {
            Some(end) => {
                let after = &rest[at + end..];
                rest = after.split_once('>').map_or("", |(_, after)| after);
            }
            None => return String::new(),
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    const TOOLS: &[ToolDecl] = &[
        ToolDecl { name: "click_ax", about: "", schema: r#"{"properties":{"ref_id":{"type":"string"}}}"# },
        ToolDecl {
            name: "scroll",
            about: "",
            schema: r#"{"properties":{"amount":{"type":"integer"},"direction":{"type":"string"}}}"#,
        },
    ];

    fn check(text: &str, expected: Expect) {
        let got = text_calls(text, TOOLS).map_or_else(
            || "text".to_owned(),
            |(left, calls)| {
                assert_eq!(left, "");
                calls.iter().map(|c| format!("{} {}", c.name, c.arguments)).collect::<Vec<_>>().join("; ")
            },
        );
        expected.assert_eq(&got);
    }

    #[test]
    fn a_message_of_calls_is_calls() {
        check(
            r#"<tool_call>{"name":"click_ax","arguments":{"ref_id":"ref_1"}}</tool_call>"#,
            expect![[r#"click_ax {"ref_id":"ref_1"}"#]],
        );
        check(
            "<think>I should {\"name\":\"scroll\"}</think>\n<tool_call>\n{'name': 'click_ax', 'arguments': {'ref_id': 'ref_1',},}\n",
            expect![[r#"click_ax {"ref_id":"ref_1"}"#]],
        );
        check(
            "<tool_call>{\"name\":\"click_ax\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"scroll\",\"arguments\":{\"direction\":\"up\"}}</tool_call>",
            expect![[r#"click_ax {}; scroll {"direction":"up"}"#]],
        );
        check(
            "```json\n{\"tool\":\"scroll\",\"args\":{\"direction\":\"down\"}}\n```",
            expect![[r#"scroll {"direction":"down"}"#]],
        );
        check(
            r#" {"name":"scroll","parameters":"{\"direction\":\"top\"}"} "#,
            expect![[r#"scroll {"direction":"top"}"#]],
        );
        check(
            r#"[TOOL_CALLS][{"name":"scroll","arguments":{"direction":"up"}}]"#,
            expect![[r#"scroll {"direction":"up"}"#]],
        );
        check(
            "<function=scroll>\n<parameter=direction>\ndown\n</parameter>\n<parameter=amount>\n300\n</parameter>\n</function>",
            expect![[r#"scroll {"amount":300,"direction":"down"}"#]],
        );
        check(
            "<tool_call>\n<function=click_ax>\n<parameter=ref_id>7</parameter>\n</function>\n</tool_call>",
            expect![[r#"click_ax {"ref_id":"7"}"#]],
        );
        check("call:click_ax{ref_id:<|\"|>ref_2<|\"|>}", expect![[r#"click_ax {"ref_id":"ref_2"}"#]]);
        check(
            "{\"name\":\"click_ax\",\"arguments\":{\"ref_id\":\"a\"}}\n{\"name\":\"click_ax\",\"arguments\":{\"ref_id\":\"b\"}}",
            expect![[r#"click_ax {"ref_id":"a"}; click_ax {"ref_id":"b"}"#]],
        );
        check(
            r#"{"type":"function","function":{"name":"scroll","arguments":{"direction":"up"}}}"#,
            expect![[r#"scroll {"direction":"up"}"#]],
        );
    }

    #[test]
    fn anything_else_is_text() {
        let text = || expect!["text"];
        check("", text());
        check(r#"The page says: <tool_call>{"name":"click_ax","arguments":{"ref_id":"ref_1"}}</tool_call>"#, text());
        check(r#"<tool_call>{"name":"click_ax","arguments":{}}</tool_call> as you asked"#, text());
        check("Use ```json\n{\"name\":\"click_ax\"}\n```", text());
        check(r#"{"name":"rm_rf","arguments":{}}"#, text());
        check(r#"{"answer": 42}"#, text());
        check("{\"name\":\"click_ax\",\"arguments\":{\"ref_id\":\"re", text());
        check(r#"<think><tool_call>{"name":"click_ax","arguments":{}}</tool_call>"#, text());
    }

    proptest! {
        #[test]
        fn it_never_panics(text in "(<tool_call>|</tool_call>|<function=|scroll|>|```|\n|\\{|\\}|\"name\":|call:|<think>|</think>|é|,|\\[){0,20}") {
            let _ = text_calls(&text, TOOLS);
        }

        #[test]
        fn words_around_a_call_make_it_text(before in "[a-z ]{1,10}[a-z]", after in "[a-z]{1,10}") {
            let call = r#"<tool_call>{"name":"click_ax","arguments":{"ref_id":"ref_1"}}</tool_call>"#;
            let (led, followed) = (format!("{before} {call}"), format!("{call} {after}"));
            prop_assert!(text_calls(&led, TOOLS).is_none());
            prop_assert!(text_calls(&followed, TOOLS).is_none());
        }
    }
}
