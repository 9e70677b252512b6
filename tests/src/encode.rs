//! Answers in the bytes of each dialect.

use crate::answer::{Answer, Piece};
use crate::gate::Gate;
use crate::model_request::Dialect;
use crate::script::Split;
use serde_json::{Value, json};
use std::time::Duration;

/// One thing that happens on the connection.
#[derive(Clone, Debug)]
pub enum Write {
    /// These bytes go out.
    Bytes(Vec<u8>),
    /// Nothing until the gate opens.
    Stall(Gate),
    /// Nothing for a while.
    Sleep(Duration),
    /// The connection breaks.
    Cut,
}

/// The stream of an answer.
pub fn stream(dialect: Dialect, model: &str, answer: &Answer, split: Split) -> Vec<Write> {
    let mut encoder = Encoder { dialect, model, block: 0, calls: 0, out: Vec::new() };
    encoder.start();
    for piece in &answer.pieces {
        match piece {
            Piece::Text(text) => encoder.text(text),
            Piece::Reasoning(text) => encoder.reasoning(text),
            Piece::Call { name, arguments } => encoder.call(name, arguments),
            Piece::Stall(gate) => encoder.out.push(Write::Stall(gate.clone())),
            Piece::Sleep(time) => encoder.out.push(Write::Sleep(*time)),
            Piece::Cut => {
                encoder.out.push(Write::Cut);
                return cut_up(encoder.out, split);
            }
            Piece::End => return cut_up(encoder.out, split),
            Piece::Error(message) => {
                encoder.error(message);
                return cut_up(encoder.out, split);
            }
        }
    }
    encoder.finish();
    cut_up(encoder.out, split)
}

/// The body of an answer that was not to be streamed. Pieces that are not text or calls are left out.
pub fn whole(dialect: Dialect, model: &str, answer: &Answer) -> Value {
    let text: String =
        answer.pieces.iter().filter_map(|p| if let Piece::Text(t) = p { Some(t.as_str()) } else { None }).collect();
    let calls: Vec<(String, &str, &str)> = answer
        .pieces
        .iter()
        .filter_map(|p| {
            if let Piece::Call { name, arguments } = p { Some((name.as_str(), arguments.as_str())) } else { None }
        })
        .enumerate()
        .map(|(i, (name, arguments))| (call_id(i), name, arguments))
        .collect();
    match dialect {
        Dialect::OpenAi => {
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                let list = calls.iter().map(
                    |(id, name, arguments)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}),
                );
                message["tool_calls"] = list.collect();
            }
            json!({"id": "chatcmpl-1", "object": "chat.completion", "model": model,
                "choices": [{"index": 0, "message": message, "finish_reason": stop_word(dialect, calls.len())}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})
        }
        Dialect::Anthropic => {
            let mut content = Vec::new();
            if !text.is_empty() {
                content.push(json!({"type": "text", "text": text}));
            }
            for (id, name, arguments) in &calls {
                let input = serde_json::from_str::<Value>(arguments).unwrap_or(Value::Null);
                content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
            }
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
                "stop_reason": stop_word(dialect, calls.len()), "usage": {"input_tokens": 100, "output_tokens": 20}})
        }
    }
}

fn call_id(index: usize) -> String {
    // Unique over the whole test: providers never give the same id twice.
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    format!("call_{}_{index}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn stop_word(dialect: Dialect, calls: usize) -> &'static str {
    match (dialect, calls) {
        (Dialect::OpenAi, 0) => "stop",
        (Dialect::OpenAi, _) => "tool_calls",
        (Dialect::Anthropic, 0) => "end_turn",
        (Dialect::Anthropic, _) => "tool_use",
    }
}

/// Parts of a few characters, as a model's tokens come.
fn tokens(text: &str) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(5).map(|c| c.iter().collect()).collect::<Vec<String>>().into_iter()
}

struct Encoder<'a> {
    dialect: Dialect,
    model: &'a str,
    block: usize,
    calls: usize,
    out: Vec<Write>,
}

impl Encoder<'_> {
    fn event(&mut self, name: &str, data: &Value) {
        let text = match self.dialect {
            Dialect::OpenAi => format!("data: {data}\n\n"),
            Dialect::Anthropic => format!("event: {name}\ndata: {data}\n\n"),
        };
        self.out.push(Write::Bytes(text.into_bytes()));
    }

    fn chunk(&mut self, delta: &Value, finish: Option<&str>) {
        let data = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": self.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        self.event("", &data);
    }

    fn start(&mut self) {
        match self.dialect {
            Dialect::OpenAi => self.chunk(&json!({"role": "assistant", "content": ""}), None),
            Dialect::Anthropic => {
                let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": self.model, "content": [],
                    "stop_reason": null, "usage": {"input_tokens": 100, "output_tokens": 1}});
                self.event("message_start", &json!({"type": "message_start", "message": message}));
                self.event("ping", &json!({"type": "ping"}));
            }
        }
    }

    fn open_block(&mut self, block: &Value) {
        let data = json!({"type": "content_block_start", "index": self.block, "content_block": block});
        self.event("content_block_start", &data);
    }

    fn block_delta(&mut self, delta: &Value) {
        let data = json!({"type": "content_block_delta", "index": self.block, "delta": delta});
        self.event("content_block_delta", &data);
    }

    fn close_block(&mut self) {
        let data = json!({"type": "content_block_stop", "index": self.block});
        self.event("content_block_stop", &data);
        self.block += 1;
    }

    fn text(&mut self, text: &str) {
        match self.dialect {
            Dialect::OpenAi => tokens(text).for_each(|t| self.chunk(&json!({"content": t}), None)),
            Dialect::Anthropic => {
                self.open_block(&json!({"type": "text", "text": ""}));
                tokens(text).for_each(|t| self.block_delta(&json!({"type": "text_delta", "text": t})));
                self.close_block();
            }
        }
    }

    fn reasoning(&mut self, text: &str) {
        match self.dialect {
            Dialect::OpenAi => tokens(text).for_each(|t| self.chunk(&json!({"reasoning_content": t}), None)),
            Dialect::Anthropic => {
                self.open_block(&json!({"type": "thinking", "thinking": ""}));
                tokens(text).for_each(|t| self.block_delta(&json!({"type": "thinking_delta", "thinking": t})));
                self.close_block();
            }
        }
    }

    fn call(&mut self, name: &str, arguments: &str) {
        let (index, id) = (self.calls, call_id(self.calls));
        self.calls += 1;
        match self.dialect {
            Dialect::OpenAi => {
                let head =
                    json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
                self.chunk(&json!({"tool_calls": [head]}), None);
                for part in tokens(arguments) {
                    self.chunk(&json!({"tool_calls": [{"index": index, "function": {"arguments": part}}]}), None);
                }
            }
            Dialect::Anthropic => {
                self.open_block(&json!({"type": "tool_use", "id": id, "name": name, "input": {}}));
                for part in tokens(arguments) {
                    self.block_delta(&json!({"type": "input_json_delta", "partial_json": part}));
                }
                self.close_block();
            }
        }
    }

    fn error(&mut self, message: &str) {
        match self.dialect {
            Dialect::OpenAi => {
                let data = json!({"error": {"message": message, "type": "server_error", "code": 500}});
                self.event("", &data);
            }
            Dialect::Anthropic => {
                let data = json!({"type": "error", "error": {"type": "overloaded_error", "message": message}});
                self.event("error", &data);
            }
        }
    }

    fn finish(&mut self) {
        let stop = stop_word(self.dialect, self.calls);
        match self.dialect {
            Dialect::OpenAi => {
                self.chunk(&json!({}), Some(stop));
                let usage = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}});
                self.event("", &usage);
                self.out.push(Write::Bytes(b"data: [DONE]\n\n".to_vec()));
            }
            Dialect::Anthropic => {
                let data =
                    json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 20}});
                self.event("message_delta", &data);
                self.event("message_stop", &json!({"type": "message_stop"}));
            }
        }
    }
}

/// Cuts the bytes between two other happenings as `split` says.
fn cut_up(writes: Vec<Write>, split: Split) -> Vec<Write> {
    let mut random = match split {
        Split::Events => return writes,
        Split::EveryByte => None,
        Split::Random(seed) => Some(seed.wrapping_add(0x9e37_79b9_7f4a_7c15) | 1),
    };
    let mut size = move || match &mut random {
        None => 1,
        Some(state) => {
            // xorshift64: any sequence will do, it only has to be the same for the same seed.
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            (*state % 40) as usize + 1
        }
    };
    let mut out = Vec::new();
    let mut pending: Vec<u8> = Vec::new();
    for write in writes {
        match write {
            Write::Bytes(bytes) => pending.extend(bytes),
            other => {
                flush(&mut out, std::mem::take(&mut pending), &mut size);
                out.push(other);
            }
        }
    }
    flush(&mut out, pending, &mut size);
    out
}

fn flush(out: &mut Vec<Write>, bytes: Vec<u8>, size: &mut impl FnMut() -> usize) {
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let (part, tail) = rest.split_at(size().min(rest.len()));
        out.push(Write::Bytes(part.to_vec()));
        rest = tail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(writes: &[Write]) -> String {
        let all = writes.iter().filter_map(|w| if let Write::Bytes(b) = w { Some(b.clone()) } else { None });
        String::from_utf8(all.flatten().collect()).unwrap()
    }

    #[test]
    fn splitting_changes_no_byte() {
        let answer = Answer::text("Größe: 5 €");
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let plain = bytes(&stream(dialect, "m", &answer, Split::Events));
            for split in [Split::EveryByte, Split::Random(1), Split::Random(99)] {
                assert_eq!(bytes(&stream(dialect, "m", &answer, split)), plain);
            }
        }
    }

    #[test]
    fn a_cut_stream_has_no_terminal_event() {
        let answer = Answer::text("Hello").then(Piece::Cut).then_text("never");
        let writes = stream(Dialect::OpenAi, "m", &answer, Split::Events);
        assert!(matches!(writes.last(), Some(Write::Cut)));
        let text = bytes(&writes);
        assert!(text.contains("Hello") && !text.contains("never") && !text.contains("[DONE]"), "{text}");
    }
}
