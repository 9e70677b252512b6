//! Stream bytes become deltas while they arrive and a completion at the end. Tool calls are part of the completion only.

mod anthropic;
mod calls;
mod openai;
mod sse;
mod think;

use crate::error;
use crate::provider::Provider;
use serde_json::Value;
use sse::{Event, Sse};
use webbrain_protocol::model::Delta;
use webbrain_protocol::settings::Dialect;
use webbrain_protocol::{Completion, ModelError, StopReason, Usage};

/// Reads one answer. Feed it bytes as they come, cut anywhere; then finish it.
pub struct Decoder {
    provider: Provider,
    shape: Shape,
    sse: Sse,
    /// A body that is not a stream: a JSON answer or error, or an HTML page.
    whole: Vec<u8>,
    answer: Answer,
    held: Hold,
    hash: u64,
}

/// What the first bytes say that the body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Unknown,
    Stream,
    Json,
    Html,
}

/// What was read of the answer so far.
#[derive(Default)]
struct Answer {
    text: String,
    reasoning: String,
    /// The model's or a filter's words of refusal.
    refusal: Option<String>,
    calls: calls::Calls,
    stop: Option<Stop>,
    usage: Usage,
    error: Option<ModelError>,
    think: think::Splitter,
    /// Any event that belongs to an answer was seen.
    any: bool,
    /// The terminal event was seen.
    done: bool,
    /// An event could not be read.
    garbled: bool,
}

/// How the model says that it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    End,
    Length,
    Refused,
    Window,
    /// The server's own failure, told as a reason to stop.
    Failed,
}

/// Text that may turn out to be a tool call is not shown while it arrives.
#[derive(Default)]
struct Hold {
    on: bool,
    text: String,
    released: bool,
}

/// Bytes of a body that is not a stream, and of one line of a stream, at most.
const BODY_LIMIT: usize = 16 << 20;

impl Decoder {
    /// A decoder for an answer of `provider`.
    pub fn new(provider: &Provider) -> Self {
        Decoder {
            provider: provider.clone(),
            shape: Shape::Unknown,
            sse: Sse::default(),
            whole: Vec::new(),
            answer: Answer::default(),
            held: Hold { on: provider.quirks.text_calls, ..Hold::default() },
            hash: FNV_START,
        }
    }

    /// Takes the next bytes and gives what can be shown. Never a tool call.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Delta> {
        self.hash = fnv(self.hash, bytes);
        let mut shown = Vec::new();
        match self.shape {
            Shape::Unknown => {
                self.whole.extend_from_slice(bytes);
                self.shape = shape_of(&self.whole);
                if self.shape == Shape::Stream {
                    let start = std::mem::take(&mut self.whole);
                    self.feed_stream(&start, &mut shown);
                }
            }
            Shape::Stream => self.feed_stream(bytes, &mut shown),
            Shape::Json | Shape::Html => {
                let room = BODY_LIMIT.saturating_sub(self.whole.len()).min(bytes.len());
                self.whole.extend_from_slice(&bytes[..room]);
            }
        }
        self.held.filter(shown)
    }

    fn feed_stream(&mut self, bytes: &[u8], shown: &mut Vec<Delta>) {
        let mut events = Vec::new();
        self.sse.feed(bytes, &mut events);
        for event in events {
            self.event(&event, shown);
        }
    }

    fn event(&mut self, event: &Event, shown: &mut Vec<Delta>) {
        if self.answer.done || self.answer.error.is_some() {
            return;
        }
        if event.data.trim() == "[DONE]" {
            self.answer.done = true;
            return;
        }
        // Keep-alive words (`ping`) are no JSON and mean nothing.
        if !event.data.trim_start().starts_with(['{', '[']) {
            return;
        }
        let Ok(mut value) = serde_json::from_str::<Value>(&event.data) else {
            self.answer.garbled |= !event.stray;
            return;
        };
        if let Value::Array(items) = &mut value {
            value = if items.is_empty() { Value::Null } else { items.swap_remove(0) };
        }
        if let Some(error) = error::in_stream(&value, event.name == "error", &self.provider) {
            self.answer.error = Some(error);
        } else if !event.stray {
            match self.provider.dialect {
                Dialect::Anthropic => anthropic::event(&mut self.answer, &value, shown),
                _ => openai::chunk(&mut self.answer, &value, shown),
            }
        }
    }

    /// The whole answer.
    ///
    /// # Errors
    /// What went wrong: an error of the server in the body or in the stream, a refusal, a body that is no answer, or
    /// [`ModelError::Cut`] when the terminal event never came.
    pub fn finish(mut self) -> Result<Completion, ModelError> {
        match self.shape {
            Shape::Unknown => return Err(ModelError::Cut),
            Shape::Html => {
                let detail = error::html_hint(&String::from_utf8_lossy(&self.whole));
                return Err(ModelError::Protocol { detail });
            }
            Shape::Json => self.read_whole()?,
            Shape::Stream => {
                let mut events = Vec::new();
                self.sse.finish(&mut events);
                for event in events {
                    self.event(&event, &mut Vec::new());
                }
            }
        }
        complete(self.answer, self.hash)
    }

    /// A body in one piece: an error, or the answer of a server that does not stream.
    fn read_whole(&mut self) -> Result<(), ModelError> {
        let text = String::from_utf8_lossy(&self.whole);
        let text = text.trim_start_matches('\u{feff}');
        let Ok(mut value) = serde_json::from_str::<Value>(text) else {
            return Err(ModelError::Cut);
        };
        if let Value::Array(items) = &mut value {
            value = if items.is_empty() { Value::Null } else { items.swap_remove(0) };
        }
        if let Some(error) = error::in_stream(&value, false, &self.provider) {
            return Err(error);
        }
        match self.provider.dialect {
            Dialect::Anthropic => anthropic::message(&mut self.answer, &value),
            _ => openai::chunk(&mut self.answer, &value, &mut Vec::new()),
        }
        if !self.answer.any {
            let words = ["message", "detail", "error"].iter().find_map(|k| value.get(k)).and_then(Value::as_str);
            let hint = words.unwrap_or("JSON that is not an answer");
            return Err(ModelError::Protocol { detail: error::clean(hint, &self.provider.api_key) });
        }
        self.answer.done = true;
        Ok(())
    }
}

fn complete(mut answer: Answer, hash: u64) -> Result<Completion, ModelError> {
    answer.think.finish(&mut answer.text, &mut answer.reasoning);
    if let Some(error) = answer.error {
        return Err(error);
    }
    match answer.stop {
        Some(Stop::Refused) => {
            let detail = answer.refusal.unwrap_or_else(|| "stopped by a content filter".to_owned());
            return Err(ModelError::Refused { detail: error::shorten(&detail) });
        }
        Some(Stop::Window) => return Err(ModelError::ContextOverflow { used: None, window: None }),
        Some(Stop::Failed) => {
            return Err(ModelError::Server { status: 0, detail: "the server stopped in the middle".to_owned() });
        }
        _ => {}
    }
    if answer.garbled {
        return Err(ModelError::Protocol { detail: "an event of the stream is not JSON".to_owned() });
    }
    if !answer.done && answer.stop.is_none() {
        return Err(ModelError::Cut);
    }
    if !answer.any {
        // Local servers do this when the request is larger than their window.
        let detail = "empty: the server ended its answer without content; the request may be larger than its context";
        return Err(ModelError::Protocol { detail: detail.to_owned() });
    }
    if let (Some(refusal), true) = (&answer.refusal, answer.text.trim().is_empty() && answer.calls.is_empty()) {
        return Err(ModelError::Refused { detail: error::shorten(refusal) });
    }
    let length = answer.stop == Some(Stop::Length);
    let tool_calls = answer.calls.finish(length, hash);
    let stop = match (length, tool_calls.is_empty()) {
        (true, _) => StopReason::Length,
        (false, false) => StopReason::Tools,
        (false, true) => StopReason::End,
    };
    Ok(Completion {
        text: answer.text,
        reasoning: answer.reasoning,
        tool_calls,
        stop,
        usage: answer.usage,
        outcome: None,
    })
}

impl Answer {
    /// Text of the answer, in which thinking may be marked.
    fn text(&mut self, piece: &str, shown: &mut Vec<Delta>) {
        let (mut text, mut reasoning) = (String::new(), String::new());
        self.think.feed(piece, &mut text, &mut reasoning);
        self.text.push_str(&text);
        self.reasoning.push_str(&reasoning);
        show(shown, Delta::Reasoning(reasoning));
        show(shown, Delta::Text(text));
    }

    /// Text of the answer as it is.
    fn plain_text(&mut self, piece: &str, shown: &mut Vec<Delta>) {
        self.text.push_str(piece);
        show(shown, Delta::Text(piece.to_owned()));
    }

    fn reasoning(&mut self, piece: &str, shown: &mut Vec<Delta>) {
        self.reasoning.push_str(piece);
        show(shown, Delta::Reasoning(piece.to_owned()));
    }
}

/// Adds a delta, joined to the one before it where that is of the same kind.
fn show(shown: &mut Vec<Delta>, delta: Delta) {
    match (shown.last_mut(), delta) {
        (_, Delta::Text(new) | Delta::Reasoning(new)) if new.is_empty() => {}
        (Some(Delta::Text(old)), Delta::Text(new)) | (Some(Delta::Reasoning(old)), Delta::Reasoning(new)) => {
            old.push_str(&new);
        }
        (_, delta) => shown.push(delta),
    }
}

impl Hold {
    fn filter(&mut self, shown: Vec<Delta>) -> Vec<Delta> {
        if !self.on || self.released {
            return shown;
        }
        let mut out = Vec::new();
        for delta in shown {
            match delta {
                Delta::Text(piece) if !self.released => {
                    self.text.push_str(&piece);
                    if !may_be_call(&self.text) {
                        self.released = true;
                        show(&mut out, Delta::Text(std::mem::take(&mut self.text)));
                    }
                }
                other => show(&mut out, other),
            }
        }
        out
    }
}

/// Whether a text that begins like this may still be nothing but a tool call.
fn may_be_call(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "<tool_call",
        "<|tool_call",
        "<function",
        "<|python_tag|>",
        "[TOOL_CALLS]",
        "```json",
        "```tool",
        "call:",
        "{",
        "[{",
    ];
    let text = text.trim_start();
    if let Some(fenced) = text.strip_prefix("```\n") {
        return may_be_call(fenced);
    }
    text == "```" || STARTS.iter().any(|start| start.starts_with(text) || text.starts_with(start))
}

fn shape_of(start: &[u8]) -> Shape {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    // A byte order mark may have arrived in part.
    if b"\xef\xbb\xbf".starts_with(start) {
        return Shape::Unknown;
    }
    match start.iter().find(|b| !b.is_ascii_whitespace()) {
        None => Shape::Unknown,
        Some(b'{' | b'[') => Shape::Json,
        Some(b'<') => Shape::Html,
        Some(_) => Shape::Stream,
    }
}

/// A token count, whatever number type it came as.
fn count(value: Option<&Value>) -> Option<u32> {
    let number = value?.as_f64()?;
    // Bounds checked, so the cast is exact but for a fraction that no one counts.
    (number >= 0.0 && number <= f64::from(u32::MAX)).then_some(number as u32)
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: for ids that must differ, not for secrets.
fn fnv(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// Nine letters and digits that stand for `bytes`; equal bytes give equal ids.
pub(crate) fn short_id(bytes: &[u8]) -> String {
    let mut hash = fnv(FNV_START, bytes);
    let mut id = String::with_capacity(9);
    for _ in 0..9 {
        id.push(char::from(b"0123456789abcdefghijklmnopqrstuvwxyz"[(hash % 36) as usize]));
        hash /= 36;
    }
    id
}

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;
