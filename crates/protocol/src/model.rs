//! What a model returns, in terms that no provider owns.

use serde::{Deserialize, Serialize};

/// One tool call of the model. `arguments` is the JSON text as it came, `{}` when it was empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id of the call, or one made by the decoder; unique within a conversation.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// JSON object as text.
    pub arguments: String,
}

/// Tokens that the provider counted for one request; absent fields were not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub input: Option<u32>,
    /// Tokens of the answer, reasoning included.
    pub output: Option<u32>,
    /// Part of `input` that was read from the provider's cache.
    pub cache_read: Option<u32>,
    /// Part of `input` that was written to the provider's cache.
    pub cache_write: Option<u32>,
    /// Cost in USD where the provider says it.
    pub cost_usd: Option<f64>,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had said what it wanted.
    #[default]
    End,
    /// It wants tools run.
    Tools,
    /// The answer was cut by its length limit; its last tool call is not to be run.
    Length,
}

/// A whole answer, known only at the terminal event of the stream.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// Text for the user.
    pub text: String,
    /// Reasoning text, shown apart and not sent back.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Tool calls in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended.
    #[serde(default)]
    pub stop: StopReason,
    /// Tokens, where reported.
    #[serde(default)]
    pub usage: Usage,
}

/// A piece of a streamed answer, as it is shown while it arrives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// Answer text.
    Text(String),
    /// Reasoning text.
    Reasoning(String),
}

/// Why a model call failed. `detail` texts come from the server: shown as data, secrets removed, at most 300 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelError {
    /// 429 or its like.
    #[error("the server asked to wait")]
    RateLimited {
        /// Seconds to wait, where the server said so.
        retry_after_s: Option<u32>,
    },
    /// The request is larger than the model's window.
    #[error("the conversation is larger than the model's window")]
    ContextOverflow {
        /// Tokens of the request, where said.
        used: Option<u32>,
        /// Tokens of the window, where said.
        window: Option<u32>,
    },
    /// 401 / 403.
    #[error("the server refused the key")]
    Auth {
        /// The server's words.
        detail: String,
    },
    /// 402 or used-up credit.
    #[error("the provider wants payment")]
    Payment {
        /// The server's words.
        detail: String,
    },
    /// 404: wrong address or unknown model.
    #[error("the server does not know this address or model")]
    NotFound {
        /// The server's words.
        detail: String,
    },
    /// Content filter or refusal.
    #[error("the model declined")]
    Refused {
        /// The server's words.
        detail: String,
    },
    /// 400 and 422 that are nothing of the above.
    #[error("the server refused the request: {detail}")]
    BadRequest {
        /// The server's words.
        detail: String,
    },
    /// 5xx, overloaded.
    #[error("the server failed with status {status}")]
    Server {
        /// HTTP status, 0 when the error came inside a stream.
        status: u16,
        /// The server's words.
        detail: String,
    },
    /// The answer breaks the protocol.
    #[error("the answer could not be understood: {detail}")]
    Protocol {
        /// What was wrong.
        detail: String,
    },
    /// The stream ended without its terminal event.
    #[error("the answer was cut off")]
    Cut,
    /// No connection.
    #[error("no connection to the server")]
    Unreachable {
        /// What the browser said.
        detail: String,
    },
    /// No byte in time.
    #[error("no answer for {seconds} s")]
    Timeout {
        /// The limit that passed.
        seconds: u32,
    },
    /// The provider's settings cannot make a request.
    #[error("the provider's settings are incomplete: {field}")]
    Config {
        /// Name of the settings field.
        field: String,
        /// What is wrong with it.
        detail: String,
    },
}
