//! What a model returns, in terms that no provider owns.

use crate::RunStatus;
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
    /// How the request ended, when this is the end of it and the model is a program that knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RunStatus>,
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
#[serde(into = "Flat", from = "Flat")]
pub enum ModelError {
    /// 429 or its like.
    #[error("the server asked to wait")]
    RateLimited {
        /// Seconds to wait, where the server said so.
        retry_after_s: Option<u32>,
        /// What the server said, often which limit it was.
        detail: String,
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
    /// The server sends requests on to another address, which would be given the key and the prompt.
    #[error("the server answered with a redirect")]
    Redirected,
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

/// A [`ModelError`] as one flat record: reading it takes a tenth of the code of reading a tagged enum.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Flat {
    kind: String,
    detail: String,
    field: String,
    first: Option<u32>,
    second: Option<u32>,
}

impl From<ModelError> for Flat {
    fn from(error: ModelError) -> Self {
        let flat = |kind: &str| Flat { kind: kind.to_owned(), ..Flat::default() };
        match error {
            ModelError::RateLimited { retry_after_s, detail } => {
                Flat { detail, first: retry_after_s, ..flat("rate_limited") }
            }
            ModelError::ContextOverflow { used, window } => {
                Flat { first: used, second: window, ..flat("context_overflow") }
            }
            ModelError::Auth { detail } => Flat { detail, ..flat("auth") },
            ModelError::Payment { detail } => Flat { detail, ..flat("payment") },
            ModelError::NotFound { detail } => Flat { detail, ..flat("not_found") },
            ModelError::Refused { detail } => Flat { detail, ..flat("refused") },
            ModelError::BadRequest { detail } => Flat { detail, ..flat("bad_request") },
            ModelError::Server { status, detail } => Flat { detail, first: Some(u32::from(status)), ..flat("server") },
            ModelError::Protocol { detail } => Flat { detail, ..flat("protocol") },
            ModelError::Redirected => flat("redirected"),
            ModelError::Cut => flat("cut"),
            ModelError::Unreachable { detail } => Flat { detail, ..flat("unreachable") },
            ModelError::Timeout { seconds } => Flat { first: Some(seconds), ..flat("timeout") },
            ModelError::Config { field, detail } => Flat { detail, field, ..flat("config") },
        }
    }
}

impl From<Flat> for ModelError {
    fn from(flat: Flat) -> Self {
        let Flat { kind, detail, field, first, second } = flat;
        match kind.as_str() {
            "rate_limited" => ModelError::RateLimited { retry_after_s: first, detail },
            "context_overflow" => ModelError::ContextOverflow { used: first, window: second },
            "auth" => ModelError::Auth { detail },
            "payment" => ModelError::Payment { detail },
            "not_found" => ModelError::NotFound { detail },
            "refused" => ModelError::Refused { detail },
            "bad_request" => ModelError::BadRequest { detail },
            "server" => ModelError::Server { status: first.and_then(|s| u16::try_from(s).ok()).unwrap_or(0), detail },
            "redirected" => ModelError::Redirected,
            "cut" => ModelError::Cut,
            "unreachable" => ModelError::Unreachable { detail },
            "timeout" => ModelError::Timeout { seconds: first.unwrap_or(0) },
            "config" => ModelError::Config { field, detail },
            // Also what a newer version wrote.
            _ => ModelError::Protocol { detail },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_survives_the_journal() {
        let detail = || "words".to_owned();
        for error in [
            ModelError::RateLimited { retry_after_s: Some(3), detail: detail() },
            ModelError::ContextOverflow { used: Some(9), window: None },
            ModelError::Auth { detail: detail() },
            ModelError::Payment { detail: detail() },
            ModelError::NotFound { detail: detail() },
            ModelError::Refused { detail: detail() },
            ModelError::BadRequest { detail: detail() },
            ModelError::Server { status: 503, detail: detail() },
            ModelError::Protocol { detail: detail() },
            ModelError::Redirected,
            ModelError::Cut,
            ModelError::Unreachable { detail: detail() },
            ModelError::Timeout { seconds: 5 },
            ModelError::Config { field: "model".into(), detail: detail() },
        ] {
            let text = serde_json::to_string(&error).unwrap();
            assert_eq!(serde_json::from_str::<ModelError>(&text).unwrap(), error);
        }
    }
}
