//! The byte sequences of public bug reports, each also cut into single bytes. Source: `tests/corpus/sse`.

use super::Decoder;
use crate::provider::resolve;
use serde_json::{Value, json};
use std::path::PathBuf;
use webbrain_protocol::settings::{ProviderConfig, Secret};
use webbrain_protocol::{Completion, ModelError, StopReason};

/// Cases of dialects that do not exist yet.
const NOT_YET: &[(&str, &str)] = &[
    ("C11", "Gemini's own protocol"),
    ("C12", "Gemini's own protocol"),
    ("C41", "Gemini's own protocol"),
    ("C42", "Gemini's own protocol"),
    ("C44", "Gemini's own protocol"),
    ("C50", "Gemini's own protocol"),
];

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0u32);
    for byte in text.bytes().filter(|b| *b != b'=') {
        bits = bits << 6 | ALPHABET.iter().position(|a| *a == byte).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

fn decode<'a>(provider: &str, chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Completion, ModelError> {
    let config =
        ProviderConfig { base_url: "https://x.example".into(), api_key: Secret::new("k"), ..Default::default() };
    let mut decoder =
        Decoder::new(&resolve(if provider == "anthropic" { "anthropic" } else { "custom" }, Some(&config)).unwrap());
    for chunk in chunks {
        decoder.feed(chunk);
    }
    decoder.finish()
}

fn check(id: &str, expected: &Value, got: &Result<Completion, ModelError>) {
    if let Some(error) = expected["error"].as_str() {
        match (error, got) {
            ("truncated", Ok(answer)) => {
                assert_eq!((answer.stop, answer.tool_calls.len()), (StopReason::Length, 0), "{id}")
            }
            (words, Err(error)) => {
                assert!(format!("{error:?}").contains(words), "{id}: {error:?}");
                if let Some(retry) = expected["retry"].as_bool() {
                    assert_eq!(crate::message::may_retry(error), retry, "{id}");
                }
            }
            _ => panic!("{id}: {got:?}"),
        }
        return;
    }
    let answer = got.as_ref().unwrap_or_else(|e| panic!("{id}: {e:?}"));
    if let Some(text) = expected.get("text") {
        assert_eq!(&json!(answer.text), text, "{id}");
    }
    if let Some(reasoning) = expected.get("reasoning") {
        assert_eq!(&json!(answer.reasoning), reasoning, "{id}");
    }
    if let Some(calls) = expected.get("calls") {
        let ours: Vec<Value> = answer
            .tool_calls
            .iter()
            .map(|c| json!([c.id, c.name, serde_json::from_str::<Value>(&c.arguments).unwrap()]))
            .collect();
        assert_eq!(&Value::Array(ours), calls, "{id}");
    }
    if let Some(usage) = expected.get("usage") {
        assert_eq!(
            (json!(answer.usage.input), json!(answer.usage.output)),
            (usage["prompt_tokens"].clone(), usage["completion_tokens"].clone()),
            "{id}"
        );
    }
}

#[test]
fn every_report_gives_what_it_should_however_it_is_cut() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/sse");
    let mut seen = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let case: Value = serde_json::from_str(&text).unwrap();
        let id = case["id"].as_str().unwrap();
        seen += 1;
        if NOT_YET.iter().any(|(known, _)| *known == id) {
            assert_eq!(case["provider"], "gemini", "{id}");
            continue;
        }
        let provider = case["provider"].as_str().unwrap();
        let chunks: Vec<Vec<u8>> =
            case["chunksBase64"].as_array().unwrap().iter().map(|c| base64(c.as_str().unwrap())).collect();
        let got = decode(provider, chunks.iter().map(Vec::as_slice));
        check(id, &case["expect"], &got);
        let bytes = chunks.concat();
        let single = decode(provider, bytes.chunks(1));
        // Ids that the decoder makes depend on the bytes alone.
        assert_eq!(single, got, "{id}");
    }
    assert_eq!(seen, 29);
}
