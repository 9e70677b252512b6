//! Requests: a provider, a prompt and limits become an HTTP request.

mod anthropic;
mod openai;
mod turns;

use crate::provider::{Provider, config_error};
use serde_json::value::RawValue;
use webbrain_core::prompt::Prompt;
use webbrain_protocol::ModelError;
use webbrain_protocol::settings::{Dialect, Secret};

/// A header's value; a secret one cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub enum HeaderValue {
    /// Anyone may read it.
    Plain(String),
    /// A key, with what stands before it (`Bearer `).
    Secret {
        /// Before the key.
        prefix: &'static str,
        /// The key.
        key: Secret,
    },
}

impl HeaderValue {
    /// The value as it goes over the wire; call it only where the request is sent.
    pub fn expose(&self) -> String {
        match self {
            HeaderValue::Plain(text) => text.clone(),
            HeaderValue::Secret { prefix, key } => format!("{prefix}{}", key.expose()),
        }
    }
}

impl std::fmt::Debug for HeaderValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HeaderValue::Plain(text) => write!(f, "{text:?}"),
            HeaderValue::Secret { prefix, .. } => write!(f, "\"{prefix}[secret]\""),
        }
    }
}

/// A request, ready to be sent with `fetch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Absolute address.
    pub url: String,
    /// Headers in order.
    pub headers: Vec<(String, HeaderValue)>,
    /// JSON text; empty for `GET`.
    pub body: String,
}

/// Limits of one answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Tokens that the answer may have.
    pub max_tokens: u32,
    /// Randomness, where the model takes it.
    pub temperature: Option<f32>,
    /// Whether the answer is streamed.
    pub stream: bool,
}

/// The request that asks `provider` to continue `prompt`.
///
/// # Errors
/// [`ModelError::Config`] when the provider's settings cannot make a request.
pub fn chat(provider: &Provider, prompt: &Prompt, params: &Params) -> Result<HttpRequest, ModelError> {
    provider.ready()?;
    let (path, body) = match provider.dialect {
        Dialect::OpenAiChat => ("/chat/completions", openai::body(provider, prompt, params)),
        Dialect::Anthropic => ("/v1/messages", anthropic::body(provider, prompt, params)),
        Dialect::Commands => return Err(config_error("provider", "plain commands are not sent anywhere")),
    };
    let body = body.map_err(|e| config_error("tools", &format!("cannot be written as JSON: {e}")))?;
    let mut headers = vec![plain("Content-Type", "application/json")];
    headers.extend(auth_headers(provider));
    Ok(HttpRequest { method: "POST", url: format!("{}{path}", provider.base_url), headers, body })
}

pub(crate) fn plain(name: &str, value: &str) -> (String, HeaderValue) {
    (name.to_owned(), HeaderValue::Plain(value.to_owned()))
}

/// The headers that say who asks.
pub(crate) fn auth_headers(provider: &Provider) -> Vec<(String, HeaderValue)> {
    let mut headers = Vec::new();
    let secret = |prefix| HeaderValue::Secret { prefix, key: provider.api_key.clone() };
    if provider.dialect == Dialect::Anthropic {
        if !provider.api_key.is_empty() {
            headers.push(("x-api-key".to_owned(), secret("")));
        }
        headers.push(plain("anthropic-version", "2023-06-01"));
        // The extension is the user's own program: the key never reaches a page.
        headers.push(plain("anthropic-dangerous-direct-browser-access", "true"));
    } else if !provider.api_key.is_empty() {
        headers.push(("Authorization".to_owned(), secret("Bearer ")));
    }
    if provider.quirks.title_header {
        headers.push(plain("X-Title", "WebBrain"));
    }
    headers
}

/// A tool's schema as it stands, byte for byte.
fn schema(text: &'static str) -> serde_json::Result<&'static RawValue> {
    serde_json::from_str(text.trim())
}

#[cfg(test)]
mod tests;
