//! Chunks of an OpenAI chat completion, streamed or whole.

use super::calls::Piece;
use super::{Answer, Stop, count};
use serde_json::Value;
use webbrain_protocol::Usage;
use webbrain_protocol::model::Delta;

/// Reads one chunk, or a whole completion.
pub(super) fn chunk(answer: &mut Answer, value: &Value, shown: &mut Vec<Delta>) {
    if let Some(usage) =
        [value.get("usage"), value.pointer("/x_groq/usage")].into_iter().flatten().find(|u| u.is_object())
    {
        answer.usage = read_usage(usage);
    }
    // Azure's first chunk has no choices; other choices than the first were not asked for.
    let choices = value.get("choices").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let Some(choice) = choices.iter().find(|c| c.get("index").and_then(Value::as_u64).unwrap_or(0) == 0) else {
        return;
    };
    answer.any = true;
    if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")).filter(|d| d.is_object()) {
        read_delta(answer, delta, shown);
    }
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|r| !r.is_empty()) {
        answer.stop = Some(stop(reason));
    }
}

fn read_delta(answer: &mut Answer, delta: &Value, shown: &mut Vec<Delta>) {
    let text = |name: &str| delta.get(name).and_then(Value::as_str).filter(|t| !t.is_empty());
    if let Some(piece) = text("reasoning_content").or_else(|| text("reasoning")) {
        answer.reasoning(piece, shown);
    }
    match delta.get("content") {
        Some(Value::String(piece)) => answer.text(piece, shown),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| read_part(answer, part, shown)),
        _ => {}
    }
    if let Some(piece) = text("refusal") {
        answer.refusal.get_or_insert_default().push_str(piece);
    }
    for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        answer.calls.push(Piece::openai(call));
    }
    if let Some(call) = delta.get("function_call").filter(|c| c.is_object()) {
        answer.calls.push(Piece::openai(call));
    }
}

/// Content as a list: `{type: "text", text}` or `{type: "thinking", thinking: [...]}`.
fn read_part(answer: &mut Answer, part: &Value, shown: &mut Vec<Delta>) {
    match part.get("thinking") {
        Some(Value::String(piece)) => answer.reasoning(piece, shown),
        Some(Value::Array(pieces)) => {
            for piece in pieces.iter().filter_map(|p| p.get("text")).filter_map(Value::as_str) {
                answer.reasoning(piece, shown);
            }
        }
        _ => {
            if let Some(piece) = part.get("text").and_then(Value::as_str) {
                answer.text(piece, shown);
            }
        }
    }
}

fn stop(reason: &str) -> Stop {
    match reason.to_ascii_lowercase().as_str() {
        "length" | "max_tokens" | "model_length" => Stop::Length,
        "content_filter" | "sensitive" | "safety" | "refusal" => Stop::Refused,
        "model_context_window_exceeded" => Stop::Window,
        "error" | "network_error" | "insufficient_system_resource" => Stop::Failed,
        _ => Stop::End,
    }
}

fn read_usage(usage: &Value) -> Usage {
    Usage {
        input: count(usage.get("prompt_tokens")),
        output: count(usage.get("completion_tokens")),
        cache_read: count(
            usage.pointer("/prompt_tokens_details/cached_tokens").or(usage.get("prompt_cache_hit_tokens")),
        ),
        cache_write: count(usage.pointer("/prompt_tokens_details/cache_write_tokens")),
        cost_usd: usage.get("cost").and_then(Value::as_f64).filter(|c| *c >= 0.0),
    }
}
