//! Prompts. [`Prompt::assemble`] is the only way to build one, and it takes labelled text only. Source: the design, section 6.

mod system;

pub use system::{fixed_cost_text, system, tools};

use crate::label::Labelled;
use serde::{Deserialize, Serialize};
use webbrain_protocol::ToolCall;

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The user's turn: what was typed, and context that this program adds.
    User {
        /// Pieces, in order.
        parts: Vec<Labelled>,
    },
    /// The model's turn.
    Assistant {
        /// What it said; may be empty.
        text: String,
        /// What it called.
        calls: Vec<ToolCall>,
    },
    /// The result of one call.
    Tool {
        /// Id of the call.
        call_id: String,
        /// Name of the tool.
        name: String,
        /// Whether it went well.
        ok: bool,
        /// Pieces, in order.
        parts: Vec<Labelled>,
    },
}

/// One entry of a prompt, with the text as it goes over the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn<'a> {
    /// User.
    User {
        /// Text.
        text: &'a str,
    },
    /// Assistant.
    Assistant {
        /// Text; may be empty.
        text: &'a str,
        /// Calls.
        calls: &'a [ToolCall],
    },
    /// Tool result.
    Tool {
        /// Id of the call.
        call_id: &'a str,
        /// Name of the tool.
        name: &'a str,
        /// Whether it went well.
        ok: bool,
        /// Text.
        text: &'a str,
    },
}

#[derive(Clone, Debug, PartialEq)]
enum Owned {
    User(String),
    Assistant(String, Vec<ToolCall>),
    Tool { call_id: String, name: String, ok: bool, text: String },
}

/// A tool as it is declared to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDecl {
    /// Name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// JSON Schema of the arguments, as text.
    pub schema: &'static str,
}

/// Everything that a model is sent. Its fields are private: it can be read, not made, outside this module.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    system: String,
    turns: Vec<Owned>,
    tools: Vec<ToolDecl>,
}

impl Prompt {
    /// Builds a prompt from labelled text. Equal inputs give equal bytes, and adding a message changes nothing before it,
    /// so that providers can cache the prefix.
    pub fn assemble(system: &[Labelled], messages: &[Message], tools: Vec<ToolDecl>) -> Self {
        let turns = messages
            .iter()
            .map(|message| match message {
                Message::User { parts } => Owned::User(render(parts)),
                Message::Assistant { text, calls } => Owned::Assistant(text.clone(), calls.clone()),
                Message::Tool { call_id, name, ok, parts } => {
                    Owned::Tool { call_id: call_id.clone(), name: name.clone(), ok: *ok, text: render(parts) }
                }
            })
            .collect();
        Prompt { system: render(system), turns, tools }
    }

    /// System text.
    pub fn system(&self) -> &str {
        &self.system
    }

    /// The conversation.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = Turn<'_>> + ExactSizeIterator {
        self.turns.iter().map(|turn| match turn {
            Owned::User(text) => Turn::User { text },
            Owned::Assistant(text, calls) => Turn::Assistant { text, calls },
            Owned::Tool { call_id, name, ok, text } => Turn::Tool { call_id, name, ok: *ok, text },
        })
    }

    /// Tools that the model may call.
    pub fn tools(&self) -> &[ToolDecl] {
        &self.tools
    }
}

fn render(parts: &[Labelled]) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push('\n');
        }
        part.render(&mut out);
    }
    out
}

/// The line before the user's own words in a user turn; what stands above it is context that this program adds.
pub const REQUEST_LINE: &str = "[request]";

/// The user's own words in a user turn: what follows the last [`REQUEST_LINE`]; all of it when there is none.
pub fn user_words(turn: &str) -> &str {
    let mut start = 0;
    let mut at = 0;
    for line in turn.split_inclusive('\n') {
        at += line.len();
        if line.trim_end() == REQUEST_LINE {
            start = at;
        }
    }
    turn[start..].trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Nonce;

    #[test]
    fn user_words_are_what_follows_the_request_line() {
        assert_eq!(user_words("time: x\n[request]\nclick Go\nthen stop"), "click Go\nthen stop");
        assert_eq!(user_words("just this"), "just this");
    }

    #[test]
    fn adding_a_message_changes_nothing_before_it() {
        let page = Labelled::page("https://a.test", "link \"x\" [ref_1]", Nonce::from_random(3));
        let first = Message::User { parts: vec![Labelled::program("[request]"), Labelled::user("hi")] };
        let tool = Message::Tool { call_id: "c".into(), name: "read_page".into(), ok: true, parts: vec![page] };
        let one = Prompt::assemble(&system(Mode::Ask, Tier::Full), std::slice::from_ref(&first), Vec::new());
        let two = Prompt::assemble(&system(Mode::Ask, Tier::Full), &[first, tool], Vec::new());
        assert_eq!(one.system(), two.system());
        assert_eq!(one.turns().next(), two.turns().next());
    }

    use webbrain_protocol::{Mode, Tier};
}
