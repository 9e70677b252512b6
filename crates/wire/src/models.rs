//! Which models a server has.

use crate::error;
use crate::provider::{Provider, config_error};
use crate::request::{HttpRequest, auth_headers};
use serde_json::Value;
use webbrain_protocol::ModelError;
use webbrain_protocol::settings::Dialect;

/// The request for the list.
///
/// # Errors
/// [`ModelError::Config`] when the provider's settings cannot make a request.
pub fn request(provider: &Provider) -> Result<HttpRequest, ModelError> {
    provider.key_ready()?;
    let path = match provider.dialect {
        Dialect::OpenAiChat => "/models",
        Dialect::Anthropic => "/v1/models?limit=1000",
        Dialect::Commands => return Err(config_error("provider", "plain commands have no models")),
    };
    let url = format!("{}{path}", provider.base_url);
    Ok(HttpRequest { method: "GET", url, headers: auth_headers(provider), body: String::new() })
}

/// The ids in a list, in the server's order, each once, without those that cannot chat.
///
/// # Errors
/// [`ModelError::Protocol`] when it is no list, or the error that the body holds.
pub fn parse(provider: &Provider, body: &[u8]) -> Result<Vec<String>, ModelError> {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('<') {
        return Err(ModelError::Protocol { detail: error::html_hint(text) });
    }
    let no_list = || ModelError::Protocol { detail: "the answer is not a list of models".to_owned() };
    let value: Value = serde_json::from_str(text).map_err(|_| no_list())?;
    if let Some(error) = error::in_stream(&value, false, provider) {
        return Err(error);
    }
    let list = value.get("data").or_else(|| value.get("models")).unwrap_or(&value);
    let mut ids = Vec::new();
    for item in list.as_array().ok_or_else(no_list)? {
        if let Some(id) = model_id(item).filter(|id| !ids.contains(id)) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn model_id(item: &Value) -> Option<String> {
    let id = match item {
        Value::String(id) => id,
        _ => ["id", "model", "name", "key"].iter().find_map(|n| item.get(n)?.as_str())?,
    };
    // Gemini puts its collection's name before each id.
    let id = id.trim().trim_start_matches("models/");
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let lower = id.to_ascii_lowercase();
    const NO_CHAT: &[&str] = &["embed", "rerank", "whisper", "tts", "dall-e", "moderation", "bge-"];
    let chats = !kind.contains("embed") && !NO_CHAT.iter().any(|word| lower.contains(word));
    (chats && !id.is_empty()).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::resolve;

    #[test]
    fn lists_of_every_server_are_read() {
        let local = resolve(
            "custom",
            Some(&webbrain_protocol::settings::ProviderConfig { base_url: "localhost:1".into(), ..Default::default() }),
        )
        .unwrap();
        for (body, expected) in [
            (
                r#"{"object":"list","data":[{"id":"a"},{"id":"text-embedding-3-small"},{"id":"a"},{"id":"b"}]}"#,
                Ok(vec!["a", "b"]),
            ),
            (
                r#"{"models":[{"name":"llama3:8b","model":"llama3:8b"},{"name":"nomic-embed-text"}]}"#,
                Ok(vec!["llama3:8b"]),
            ),
            (r#"{"data":[{"id":"q","type":"llm"},{"id":"e","type":"embeddings"}]}"#, Ok(vec!["q"])),
            (
                r#"{"data":[{"type":"model","id":"claude-x","display_name":"X"}],"has_more":false}"#,
                Ok(vec!["claude-x"]),
            ),
            (r#"{"data":[{"id":"models/gemini-x"}]}"#, Ok(vec!["gemini-x"])),
            (r#"[{"id":"x"}]"#, Ok(vec!["x"])),
            ("{}", Err("the answer is not a list of models")),
            ("<html><title>Hi</title>", Err("a web page came instead of an answer: Hi")),
        ] {
            let got = parse(&local, body.as_bytes());
            match expected {
                Ok(ids) => assert_eq!(got.unwrap(), ids, "{body}"),
                Err(hint) => assert_eq!(got, Err(ModelError::Protocol { detail: hint.into() }), "{body}"),
            }
        }
    }

    #[test]
    fn the_request_needs_the_key_but_no_model() {
        assert!(request(&resolve("openai", None).unwrap()).is_err());
        assert_eq!(request(&resolve("ollama", None).unwrap()).unwrap().url, "http://localhost:11434/v1/models");
    }
}
