//! Answers that are errors, as typed errors. What the server says is data: cut short, with anything like a key removed.

mod date;
mod redact;

use crate::provider::Provider;
use serde_json::Value;
use webbrain_protocol::ModelError;
use webbrain_protocol::settings::{Category, Secret};

pub(crate) use redact::{clean, shorten};

/// Detail of [`ModelError::Auth`] when a local server refuses the extension's origin and not a key.
pub const ORIGIN_REFUSED: &str = "the server does not accept requests from a browser extension";

/// The error that a response with this status means. `headers` are name and value, names in any case; `now_ms` is the
/// time of the answer in ms since the epoch, for a `Retry-After` that is a date.
pub fn from_response(
    provider: &Provider,
    status: u16,
    headers: &[(String, String)],
    body: &[u8],
    now_ms: u64,
) -> ModelError {
    let header = |name: &str| headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim());
    let text = String::from_utf8_lossy(body);
    let said = Said::read(&text);
    let wait = header("retry-after-ms")
        .and_then(|v| v.parse::<f64>().ok())
        .map(|ms| ms / 1000.0)
        .or_else(|| header("retry-after").and_then(|v| date::wait_seconds(v, now_ms)));
    let mut said = said;
    said.wait_s = wait.or(said.wait_s);
    if status == 403 && provider.category == Category::Local && provider.api_key.is_empty() {
        return ModelError::Auth { detail: ORIGIN_REFUSED.to_owned() };
    }
    classify(status, &said, &provider.api_key)
}

/// The error inside a 200 answer or a stream, when `value` is one. `named` tells that the event was called `error`.
pub(crate) fn in_stream(value: &Value, named: bool, provider: &Provider) -> Option<ModelError> {
    let told = ["/error", "/x_groq/error"].iter().find_map(|p| value.pointer(p)).is_some_and(|e| !e.is_null());
    let typed = value.get("type").and_then(Value::as_str) == Some("error");
    if !told && !typed && !named {
        return None;
    }
    let said = Said::from_json(value);
    Some(classify(said.status.unwrap_or(0), &said, &provider.api_key))
}

/// What a page of HTML in the place of an answer says about itself.
pub(crate) fn html_hint(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|at| {
        let open = at + lower[at..].find('>')? + 1;
        Some(text[open..open + lower[open..].find("</title")?].trim().to_owned())
    });
    match title.filter(|t| !t.is_empty()) {
        Some(title) => shorten(&format!("a web page came instead of an answer: {title}")),
        None => "a web page came instead of an answer".to_owned(),
    }
}

/// What an error body says.
#[derive(Default)]
struct Said {
    message: String,
    /// `code` and `type`, lower case, joined.
    codes: String,
    status: Option<u16>,
    wait_s: Option<f64>,
    numbers: Option<(u32, u32)>,
}

impl Said {
    fn read(body: &str) -> Said {
        let body = body.trim_start_matches('\u{feff}').trim();
        if let Ok(value) = serde_json::from_str::<Value>(body) {
            return Said::from_json(&value);
        }
        let message = if body.starts_with('<') { html_hint(body) } else { body.to_owned() };
        Said { wait_s: date::wait_in_words(&message), message, ..Said::default() }
    }

    fn from_json(value: &Value) -> Said {
        let value = value.get(0).unwrap_or(value);
        let error =
            value.get("error").or_else(|| value.pointer("/x_groq/error")).filter(|e| !e.is_null()).unwrap_or(value);
        let word = |name: &str| match error.get(name).or_else(|| value.get(name)) {
            Some(Value::String(text)) => text.to_ascii_lowercase(),
            _ => String::new(),
        };
        let codes = ["code", "type", "status", "error_type"].map(word).join(" ");
        let message = match error {
            Value::String(text) => text.clone(),
            _ => message_of(error).or_else(|| message_of(value)).unwrap_or_default(),
        };
        let number = |name: &str| ["code", name].iter().find_map(|n| error.get(n)).and_then(as_u64);
        let status = number("status").filter(|n| (400..600).contains(n)).and_then(|n| u16::try_from(n).ok());
        let tokens = |name: &str| error.get(name).and_then(as_u64).and_then(|n| u32::try_from(n).ok());
        Said {
            wait_s: retry_info(error).or_else(|| date::wait_in_words(&message)),
            message,
            codes,
            status,
            numbers: tokens("n_prompt_tokens").zip(tokens("n_ctx")),
        }
    }
}

fn as_u64(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// The server's words, wherever it put them.
fn message_of(error: &Value) -> Option<String> {
    let text = |v: &Value| match v {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    };
    // OpenRouter: what the vendor behind it said is more telling than its own words.
    error
        .pointer("/metadata/raw")
        .and_then(text)
        .or_else(|| {
            ["message", "detail", "msg", "error", "error_description", "reason"]
                .iter()
                .find_map(|name| text(error.get(name)?))
        })
        // FastAPI: `detail: [{msg, loc}]`; others: `errors: [{message}]`.
        .or_else(|| ["detail", "errors"].iter().find_map(|name| message_of(error.get(name)?.get(0)?)))
}

/// Google's `RetryInfo`: `details: [{retryDelay: "32s"}]`.
fn retry_info(error: &Value) -> Option<f64> {
    let details = error.get("details")?.as_array()?;
    let delay = details.iter().find_map(|d| d.get("retryDelay"))?.as_str()?;
    delay.strip_suffix('s')?.parse().ok()
}

fn classify(status: u16, said: &Said, key: &Secret) -> ModelError {
    let detail = || clean(&said.message, key);
    let lower = said.message.to_ascii_lowercase();
    let code = |names: &[&str]| names.iter().any(|name| said.codes.contains(name));
    let words = |list: &[&str]| list.iter().any(|phrase| lower.contains(phrase));

    if status != 429 && (code(OVERFLOW_CODES) || words(OVERFLOW_WORDS)) || status == 413 {
        let (used, window) = said.numbers.map_or_else(|| two_numbers(&said.message), |(u, w)| (Some(u), Some(w)));
        return ModelError::ContextOverflow { used, window };
    }
    let paid = code(&["insufficient_quota", "billing", "insufficient_balance", "payment_required"])
        || words(&["credit balance", "insufficient balance", "insufficient credits", "insufficient_quota"])
        || (said.wait_s.is_none() && lower.contains("quota") && matches!(status, 0 | 403 | 429));
    if status == 402 || paid {
        return ModelError::Payment { detail: detail() };
    }
    if code(&[
        "content_filter",
        "content_policy",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "moderation",
    ]) {
        return ModelError::Refused { detail: detail() };
    }
    if status == 429 || code(&["rate_limit", "too_many_requests", "resource_exhausted"]) {
        return ModelError::RateLimited { retry_after_s: said.wait_s.map(whole_seconds), detail: detail() };
    }
    if matches!(status, 401 | 403) || code(&["authentication", "permission", "invalid_api_key", "unauthenticated"]) {
        return ModelError::Auth { detail: detail() };
    }
    // Gemini says 400 for a wrong key.
    if status == 400 && words(&["api key not valid", "api_key_invalid", "incorrect api key", "invalid api key"]) {
        return ModelError::Auth { detail: detail() };
    }
    if matches!(status, 404 | 405) || code(&["not_found", "model_not_found"]) {
        return ModelError::NotFound { detail: detail() };
    }
    if code(&["overloaded"]) {
        return ModelError::Server { status: if status == 0 { 529 } else { status }, detail: detail() };
    }
    match status {
        400..=499 if status != 408 => ModelError::BadRequest { detail: detail() },
        0 if code(&["invalid_request", "invalid_argument"]) => ModelError::BadRequest { detail: detail() },
        0 | 408 | 500.. => ModelError::Server { status, detail: detail() },
        _ => ModelError::Protocol { detail: shorten(&format!("status {status}: {}", detail())) },
    }
}

const OVERFLOW_CODES: &[&str] = &[
    "context_length_exceeded",
    "context_window_exceeded",
    "model_context_window_exceeded",
    "exceed_context_size",
    "request_too_large",
    "prompt_too_long",
];

const OVERFLOW_WORDS: &[&str] = &[
    "maximum context length",
    "context length exceeded",
    "exceeds the context",
    "exceed context",
    "exceeds the available context size",
    "available context size",
    "context size has been exceeded",
    "context window",
    "context_length",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input length and `max_tokens` exceed",
    "reduce the length of the messages",
    "reduce your prompt",
    "maximum prompt length",
    "exceeds the maximum number of tokens",
    "exceeded model token limit",
    "greater than the context length",
    "too large for model with",
    "longer than the model's context",
    "request too large for model",
];

/// The first two different numbers of at least 256 that stand alone in a message: tokens used and the window.
fn two_numbers(message: &str) -> (Option<u32>, Option<u32>) {
    let mut found: Vec<u32> = Vec::new();
    let words = message.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '>' | ':' | ';' | '='));
    for word in words {
        let word = word.trim_end_matches(['.', ',']);
        if !word.chars().all(|c| c.is_ascii_digit() || c == ',') {
            continue;
        }
        let number: Option<u32> = word.replace(',', "").parse().ok().filter(|n| *n >= 256);
        found.extend(number.filter(|n| !found.contains(n)));
    }
    match found[..] {
        [a, b, ..] => (Some(a.max(b)), Some(a.min(b))),
        [a] => (None, Some(a)),
        [] => (None, None),
    }
}

fn whole_seconds(seconds: f64) -> u32 {
    // Bounded first; waiting a day or more is the same as not trying again.
    seconds.clamp(0.0, 86_400.0).ceil() as u32
}

#[cfg(test)]
mod tests;
