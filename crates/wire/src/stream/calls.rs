//! Tool calls put together from their pieces. Servers disagree about ids and indexes, so neither is trusted alone.

use crate::repair;
use serde_json::Value;
use webbrain_protocol::ToolCall;

/// One piece of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    pub index: Option<u64>,
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl Piece {
    /// A piece in the shape of OpenAI: `{index, id, function: {name, arguments}}`, any of it absent or null, arguments
    /// as text or as an object.
    pub fn openai(value: &Value) -> Self {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let function = value.get("function").unwrap_or(value);
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        Piece {
            index: value.get("index").and_then(Value::as_u64),
            id: text(value.get("id")),
            name: text(function.get("name")),
            arguments,
        }
    }

    /// Whether it brings a call of its own: name and all arguments.
    fn is_whole(&self) -> bool {
        !self.name.is_empty() && is_object(&self.arguments)
    }
}

/// The calls of one answer.
#[derive(Debug, Default)]
pub(crate) struct Calls(Vec<Piece>);

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a piece to the call that it belongs to.
    pub fn push(&mut self, piece: Piece) {
        let Some(at) = self.target(&piece) else {
            self.0.push(piece);
            return;
        };
        let call = &mut self.0[at];
        if call.id.is_empty() {
            call.id = piece.id;
        }
        if call.index.is_none() {
            call.index = piece.index;
        }
        // A name comes whole, in pieces, or again and again.
        if piece.name.starts_with(&call.name) {
            call.name = piece.name;
        } else {
            call.name.push_str(&piece.name);
        }
        call.arguments.push_str(&piece.arguments);
    }

    fn target(&self, piece: &Piece) -> Option<usize> {
        let indexes_agree = |call: &Piece| call.index.is_none() || piece.index.is_none() || call.index == piece.index;
        let ended = |call: &Piece| is_object(&call.arguments) && piece.is_whole();
        let last = |test: &dyn Fn(&Piece) -> bool| self.0.iter().rposition(test);
        let found = if piece.id.is_empty() {
            match piece.index {
                Some(_) => last(&|call| call.index == piece.index).or_else(|| last(&|call| call.index.is_none())),
                // Without id and index: the last call, unless this is plainly another.
                None => self.0.len().checked_sub(1).filter(|at| self.0[*at].name.is_empty() || !piece.is_whole()),
            }
        } else {
            last(&|call| call.id == piece.id && indexes_agree(call)).or_else(|| {
                // The same call under a new id: it has no name of its own, or the id comes late.
                last(&|call| {
                    piece.index.is_some()
                        && call.index == piece.index
                        && (call.id.is_empty() || piece.name.is_empty())
                        && !is_object(&call.arguments)
                })
            })
        };
        found.filter(|at| !ended(&self.0[*at]))
    }

    /// The calls, with ids that differ and arguments as JSON text where they can be read. When the answer was `cut` by its
    /// length, a last call that is not whole is dropped: it must not run.
    pub fn finish(mut self, cut: bool, hash: u64) -> Vec<ToolCall> {
        if cut && self.0.last().is_some_and(|call| !is_object(&call.arguments)) {
            self.0.pop();
        }
        let mut out: Vec<ToolCall> = Vec::with_capacity(self.0.len());
        for (at, piece) in self.0.into_iter().enumerate() {
            let taken = |id: &str| id.is_empty() || out.iter().any(|call| call.id == id);
            let made = format!("{hash:016x}-{at}");
            let id = if taken(&piece.id) { format!("call_{}", super::short_id(made.as_bytes())) } else { piece.id };
            out.push(ToolCall { id, name: clean_name(&piece.name), arguments: arguments(&piece.arguments) });
        }
        out
    }
}

/// The name without what some models put around it: `functions.`, special tokens, characters that no tool's name has.
fn clean_name(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_prefix("functions.").unwrap_or(name);
    let name = name.split("<|").next().unwrap_or(name).trim();
    let keep = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = name.chars().take(64).map(keep).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// Arguments as JSON text: nothing is `{}`, what can be repaired is, and what cannot stays as it came, so that the tool
/// table refuses it and the model is told.
pub(crate) fn arguments(text: &str) -> String {
    let bare = text.trim();
    if bare.is_empty() || bare == "null" {
        return "{}".to_owned();
    }
    if is_object(bare) {
        return bare.to_owned();
    }
    if let Ok(Value::String(inner)) = serde_json::from_str(bare)
        && is_object(&inner)
    {
        return inner;
    }
    repair::object(bare).map_or_else(|| bare.to_owned(), |value| value.to_string())
}

fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
