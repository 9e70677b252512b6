//! Which model servers answer on this machine.

use crate::{catalogue, models};
use serde_json::Value;
use webbrain_protocol::settings::ProviderConfig;

/// A place to look: `GET url` without a key, with a short time limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Provider that usually listens there.
    pub usual: &'static str,
    /// What to ask for.
    pub url: String,
    /// Base address for the provider's settings.
    pub base_url: String,
}

/// A server that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// Provider to set up.
    pub provider: &'static str,
    /// Its name.
    pub label: &'static str,
    /// Base address for its settings.
    pub base_url: String,
    /// Its models; empty when it did not say.
    pub models: Vec<String>,
    /// What keeps it from being used as it is.
    pub state: ServerState,
}

/// Whether a found server can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// It answers.
    Ready,
    /// It wants a key.
    NeedsKey,
    /// It refuses requests of extensions (Ollama without `OLLAMA_ORIGINS`).
    OriginRefused,
    /// It is still loading its model.
    Loading,
}

/// Every place to look. The address and not the name `localhost`, which may mean IPv6 only.
pub fn local() -> Vec<Probe> {
    [("llamacpp", 8080), ("ollama", 11434), ("lmstudio", 1234), ("jan", 1337), ("vllm", 8000), ("sglang", 30000)]
        .into_iter()
        .map(|(usual, port)| {
            let base_url = format!("http://127.0.0.1:{port}/v1");
            Probe { usual, url: format!("{base_url}/models"), base_url }
        })
        .collect()
}

/// The server behind an answer, or nothing when something else listens there. llama.cpp and LocalAI share a port and are
/// told apart by what they say, as are servers on another's port.
pub fn identify(probe: &Probe, status: u16, headers: &[(String, String)], body: &[u8]) -> Option<LocalServer> {
    let banner = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("server")).map_or("", |(_, value)| value);
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let found = |provider: &'static str, models: Vec<String>, state: ServerState| {
        let label = catalogue::find(provider)?.label;
        Some(LocalServer { provider, label, base_url: probe.base_url.clone(), models, state })
    };
    match status {
        200 => {
            let first = value.get("data").or_else(|| value.get("models"))?.as_array()?.first();
            let owner = first.and_then(|m| m.get("owned_by")).and_then(Value::as_str).unwrap_or_default();
            let config = ProviderConfig { base_url: probe.base_url.clone(), ..ProviderConfig::default() };
            let models = models::parse(&crate::provider::resolve(probe.usual, Some(&config)).ok()?, body).ok()?;
            found(recognise(probe, banner, owner, &value), models, ServerState::Ready)
        }
        401 if value.is_object() => found(recognise(probe, banner, "", &value), Vec::new(), ServerState::NeedsKey),
        // Ollama refuses an origin with an empty 403.
        403 if probe.usual == "ollama" => found("ollama", Vec::new(), ServerState::OriginRefused),
        503 if banner.starts_with("llama.cpp")
            || value.pointer("/error/message").is_some_and(|m| m == "Loading model") =>
        {
            found("llamacpp", Vec::new(), ServerState::Loading)
        }
        _ => None,
    }
}

fn recognise(probe: &Probe, banner: &str, owner: &str, list: &Value) -> &'static str {
    match owner {
        _ if banner.starts_with("llama.cpp") => "llamacpp",
        "llamacpp" => "llamacpp",
        "library" => "ollama",
        "organization_owner" => "lmstudio",
        "vllm" => "vllm",
        "sglang" => "sglang",
        // llama.cpp always names itself or lists `models` beside `data`; on its port without either it is LocalAI.
        _ if probe.usual == "llamacpp" && list.get("models").is_none() => "localai",
        _ => probe.usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(usual: &str, status: u16, server: &str, body: &str, expected: Option<(&str, ServerState, &[&str])>) {
        let probe = local().into_iter().find(|p| p.usual == usual).unwrap();
        let headers = vec![("Server".to_owned(), server.to_owned())];
        let got = identify(&probe, status, &headers, body.as_bytes());
        let got = got.as_ref().map(|s| (s.provider, s.state, s.models.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!(got, expected.map(|(p, s, m)| (p, s, m.to_vec())), "{usual} {status} {body}");
    }

    #[test]
    fn servers_are_told_by_what_they_say() {
        use ServerState::*;
        check(
            "llamacpp",
            200,
            "llama.cpp",
            r#"{"models":[],"data":[{"id":"q.gguf","owned_by":"llamacpp"}]}"#,
            Some(("llamacpp", Ready, &["q.gguf"])),
        );
        check(
            "llamacpp",
            200,
            "",
            r#"{"object":"list","data":[{"id":"gpt-4","object":"model"}]}"#,
            Some(("localai", Ready, &["gpt-4"])),
        );
        check(
            "llamacpp",
            503,
            "llama.cpp",
            r#"{"error":{"message":"Loading model"}}"#,
            Some(("llamacpp", Loading, &[])),
        );
        check(
            "ollama",
            200,
            "",
            r#"{"object":"list","data":[{"id":"llama3","owned_by":"library"}]}"#,
            Some(("ollama", Ready, &["llama3"])),
        );
        check("ollama", 403, "", "", Some(("ollama", OriginRefused, &[])));
        check("vllm", 401, "", r#"{"error":"Unauthorized"}"#, Some(("vllm", NeedsKey, &[])));
        check("vllm", 200, "", r#"{"data":[{"id":"m","owned_by":"sglang"}]}"#, Some(("sglang", Ready, &["m"])));
        check("jan", 200, "", r#"{"data":[]}"#, Some(("jan", Ready, &[])));
        check("vllm", 200, "nginx", "<html>my site</html>", None);
        check("vllm", 200, "", r#"{"ok":true}"#, None);
        check("vllm", 404, "", "{}", None);
    }
}
