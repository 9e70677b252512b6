//! Events of an Anthropic message stream, or a whole message.

use super::calls::Piece;
use super::{Answer, Stop, count};
use serde_json::Value;
use webbrain_protocol::model::Delta;

/// Reads one event.
pub(super) fn event(answer: &mut Answer, value: &Value, shown: &mut Vec<Delta>) {
    let index = value.get("index").and_then(Value::as_u64);
    match value.get("type").and_then(Value::as_str).unwrap_or_default() {
        "message_start" => {
            answer.any = true;
            if let Some(usage) = value.pointer("/message/usage") {
                read_usage(answer, usage);
            }
        }
        "content_block_start" => {
            if let Some(block) = value.get("content_block") {
                start_block(answer, block, index, shown);
            }
        }
        "content_block_delta" => {
            answer.any = true;
            if let Some(delta) = value.get("delta") {
                block_delta(answer, delta, index, shown);
            }
        }
        "message_delta" => {
            if let Some(reason) = value.pointer("/delta/stop_reason").and_then(Value::as_str) {
                answer.stop = Some(stop(reason));
            }
            if let Some(usage) = value.get("usage") {
                read_usage(answer, usage);
            }
        }
        "message_stop" => answer.done = true,
        // A server that answers with a whole message although a stream was asked for.
        "message" => message(answer, value),
        // `ping`, `content_block_stop` and what is yet to be invented.
        _ => {}
    }
}

/// Reads a whole message.
pub(super) fn message(answer: &mut Answer, value: &Value) {
    let Some(blocks) = value.get("content").and_then(Value::as_array) else {
        return;
    };
    answer.any = true;
    for (at, block) in blocks.iter().enumerate() {
        start_block(answer, block, Some(at as u64), &mut Vec::new());
    }
    if let Some(reason) = value.get("stop_reason").and_then(Value::as_str) {
        answer.stop = Some(stop(reason));
    }
    if let Some(usage) = value.get("usage") {
        read_usage(answer, usage);
    }
    answer.done = true;
}

fn start_block(answer: &mut Answer, block: &Value, index: Option<u64>, shown: &mut Vec<Delta>) {
    let text = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text" => answer.plain_text(text("text"), shown),
        "thinking" => answer.reasoning(text("thinking"), shown),
        "tool_use" => {
            // The object here is empty when the arguments follow in pieces.
            let arguments = block.get("input").filter(|i| i.as_object().is_some_and(|o| !o.is_empty()));
            answer.calls.push(Piece {
                index,
                id: text("id").to_owned(),
                name: text("name").to_owned(),
                arguments: arguments.map(Value::to_string).unwrap_or_default(),
            });
        }
        _ => {}
    }
}

fn block_delta(answer: &mut Answer, delta: &Value, index: Option<u64>, shown: &mut Vec<Delta>) {
    let text = |name: &str| delta.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text_delta" => answer.plain_text(text("text"), shown),
        "thinking_delta" => answer.reasoning(text("thinking"), shown),
        "input_json_delta" => {
            answer.calls.push(Piece { index, arguments: text("partial_json").to_owned(), ..Piece::default() });
        }
        _ => {}
    }
}

fn stop(reason: &str) -> Stop {
    match reason {
        "max_tokens" => Stop::Length,
        "refusal" => Stop::Refused,
        "model_context_window_exceeded" => Stop::Window,
        _ => Stop::End,
    }
}

/// `input_tokens` leaves out what the cache gave and took; ours counts all of it. Later events repeat or add fields.
fn read_usage(answer: &mut Answer, usage: &Value) {
    let ours = &mut answer.usage;
    let read = count(usage.get("cache_read_input_tokens"));
    let written = count(usage.get("cache_creation_input_tokens"));
    ours.cache_read = read.or(ours.cache_read);
    ours.cache_write = written.or(ours.cache_write);
    if let Some(fresh) = count(usage.get("input_tokens")) {
        let cached = ours.cache_read.unwrap_or(0).saturating_add(ours.cache_write.unwrap_or(0));
        ours.input = Some(fresh.saturating_add(cached));
    }
    ours.output = count(usage.get("output_tokens")).or(ours.output);
}
