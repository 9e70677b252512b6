//! What the scripted model says, and what goes wrong while it says it.

use crate::gate::Gate;
use serde_json::Value;
use std::time::Duration;

/// One piece of an answer, in order.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text for the user.
    Text(String),
    /// Reasoning (OpenAI dialect: `reasoning_content`).
    Reasoning(String),
    /// A tool call.
    Call {
        /// Tool.
        name: String,
        /// Arguments, as JSON text; need not be valid.
        arguments: String,
    },
    /// Nothing more until the test opens the gate.
    Stall(Gate),
    /// Nothing more for a while.
    Sleep(Duration),
    /// The connection breaks.
    Cut,
    /// The body ends here as if all were well, without the terminal event.
    End,
    /// An error object inside the stream of a 200 answer, after which the body ends.
    Error(String),
}

/// An answer: pieces that are streamed one after the other.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The pieces.
    pub pieces: Vec<Piece>,
}

impl Answer {
    /// Says nothing.
    pub fn empty() -> Self {
        Answer::default()
    }

    /// Says `text`.
    pub fn text(text: impl Into<String>) -> Self {
        Answer::empty().then_text(text)
    }

    /// Calls one tool.
    pub fn call(name: &str, args: Value) -> Self {
        Answer::empty().then_call(name, args)
    }

    /// Goes on with `text`.
    #[must_use]
    pub fn then_text(self, text: impl Into<String>) -> Self {
        self.then(Piece::Text(text.into()))
    }

    /// Goes on with a tool call.
    #[must_use]
    pub fn then_call(self, name: &str, args: Value) -> Self {
        self.then(Piece::Call { name: name.into(), arguments: args.to_string() })
    }

    /// Waits at the gate.
    #[must_use]
    pub fn then_stall(self, gate: &Gate) -> Self {
        self.then(Piece::Stall(gate.clone()))
    }

    /// Goes on with any piece.
    #[must_use]
    pub fn then(mut self, piece: Piece) -> Self {
        self.pieces.push(piece);
        self
    }
}
