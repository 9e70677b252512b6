//! A provider as a request needs it: the catalogue's entry overlaid by what the user set.

use crate::catalogue::{self, CUSTOM, Entry};
use std::net::{Ipv4Addr, Ipv6Addr};
use url::Url;
use webbrain_protocol::mode::Tier;
use webbrain_protocol::settings::{Category, Dialect, ProviderConfig, Secret};
use webbrain_protocol::{ModelError, settings::COMMANDS_PROVIDER};

/// Departures of a provider from its dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// It reports usage in the stream when asked with `stream_options`.
    pub stream_usage: bool,
    /// The limit of the answer is called `max_completion_tokens`.
    pub max_completion_tokens: bool,
    /// It refuses a temperature.
    pub no_temperature: bool,
    /// Its models write tool calls as text; see [`crate::recover`].
    pub text_calls: bool,
    /// Ids of tool calls are nine letters and digits.
    pub short_call_ids: bool,
    /// The first call of a message needs a signature, for which there is a documented stand-in.
    pub call_signature: bool,
    /// Thinking must be switched off, because its text would have to be sent back.
    pub thinking_off: bool,
    /// It likes to know which program calls.
    pub title_header: bool,
}

impl Quirks {
    /// None at all.
    pub const NONE: Quirks = Quirks {
        stream_usage: false,
        max_completion_tokens: false,
        no_temperature: false,
        text_calls: false,
        short_call_ids: false,
        call_signature: false,
        thinking_off: false,
        title_header: false,
    };
}

/// Everything that a request to a provider depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Provider {
    /// Key of the `providers` record.
    pub id: String,
    /// Name to show.
    pub label: String,
    /// What it speaks.
    pub dialect: Dialect,
    /// Where it runs.
    pub category: Category,
    /// Normalised base address without a slash at its end; empty for `commands`.
    pub base_url: String,
    /// Key; empty when none is set.
    pub api_key: Secret,
    /// Model; empty lets the server choose.
    pub model: String,
    /// How much the model is shown.
    pub tier: Tier,
    /// Context window in tokens.
    pub context_window: u32,
    /// Whether the model takes images.
    pub vision: bool,
    /// Departures from the dialect.
    pub quirks: Quirks,
    needs_key: bool,
    needs_model: bool,
}

/// Context window of a local model that nothing is known about.
const LOCAL_WINDOW: u32 = 16_384;

/// The built-in providers.
pub fn catalogue() -> &'static [Entry] {
    catalogue::entries()
}

/// The provider of that id with the user's settings over the catalogue's. An unknown id is a server of the user's own.
///
/// # Errors
/// [`ModelError::Config`] when there is no usable base address. A missing key or model is told by
/// [`Provider::ready`], so that settings pages can resolve half-filled cards.
pub fn resolve(id: &str, config: Option<&ProviderConfig>) -> Result<Provider, ModelError> {
    let blank = ProviderConfig::default();
    let config = config.unwrap_or(&blank);
    let known = catalogue::find(id);
    let entry = known.or_else(|| catalogue::find(CUSTOM)).ok_or_else(|| config_error("provider", "is unknown"))?;
    let own_server = known.is_none() || id == CUSTOM;
    let dialect = if own_server { config.dialect.unwrap_or(entry.dialect) } else { entry.dialect };
    let label = config.label.as_deref().map(str::trim).filter(|l| !l.is_empty()).unwrap_or(match known {
        Some(entry) => entry.label,
        None => id,
    });
    if dialect == Dialect::Commands {
        return Ok(commands(label));
    }
    let raw = if config.base_url.trim().is_empty() { entry.base_url } else { &config.base_url };
    let url = parse_url(raw)?;
    let category = category_at(entry, own_server.then_some(config), url.host_str());
    let model = if config.model.trim().is_empty() { entry.model } else { config.model.trim() };
    let window = config.context_window.filter(|w| *w > 0);
    Ok(Provider {
        id: id.to_owned(),
        label: label.to_owned(),
        dialect,
        category,
        base_url: base_url(&url, dialect, category),
        api_key: Secret::new(config.api_key.expose().trim()),
        model: model.to_owned(),
        tier: config.prompt_tier.unwrap_or(tier_of(category)),
        context_window: window.unwrap_or(match category {
            Category::Local => LOCAL_WINDOW,
            _ => catalogue::window_of(model),
        }),
        vision: config.supports_vision.unwrap_or_else(|| catalogue::sees(model)),
        quirks: quirks(entry.quirks, dialect, category, model),
        needs_key: entry.needs_key,
        needs_model: entry.needs_model || dialect == Dialect::Anthropic,
    })
}

/// Where the provider of that id runs. Unlike [`resolve`] it has an answer for half-filled settings too, and for settings
/// that are complete it has the same one.
pub fn category(id: &str, config: Option<&ProviderConfig>) -> Category {
    let known = catalogue::find(id);
    let Some(entry) = known.or_else(|| catalogue::find(CUSTOM)) else { return Category::default() };
    let own = config.filter(|_| known.is_none() || id == CUSTOM);
    category_at(entry, own, own.and_then(|config| host_of(&config.base_url)))
}

/// The tier that a category's models get unless the user says otherwise.
pub fn tier_of(category: Category) -> Tier {
    if category == Category::Local { Tier::Mid } else { Tier::Full }
}

/// A server of the user's own (`own`) runs where the user says, else where its address is.
fn category_at(entry: &Entry, own: Option<&ProviderConfig>, host: Option<&str>) -> Category {
    let Some(own) = own else { return entry.category };
    let local = host.is_some_and(is_local_host);
    own.category.unwrap_or(if local { Category::Local } else { entry.category })
}

impl Provider {
    /// Whether a request can be made at all.
    ///
    /// # Errors
    /// [`ModelError::Config`] naming the settings field that is missing or unusable.
    pub fn ready(&self) -> Result<(), ModelError> {
        self.key_ready()?;
        if self.needs_model && self.model.is_empty() {
            return Err(wrong(MISSING_MODEL));
        }
        Ok(())
    }

    /// Whether the key can be sent. Listing models needs this much only.
    pub(crate) fn key_ready(&self) -> Result<(), ModelError> {
        let key = self.api_key.expose();
        if self.needs_key && key.is_empty() {
            return Err(wrong(MISSING_KEY));
        }
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(wrong(UNSENDABLE_KEY));
        }
        Ok(())
    }

    /// Where a message says that the server is: the name, with the address when it is the user's own.
    pub fn server(&self) -> String {
        match self.category {
            Category::Local => format!("{} ({})", self.label, self.base_url),
            _ => self.label.clone(),
        }
    }
}

fn commands(label: &str) -> Provider {
    Provider {
        id: COMMANDS_PROVIDER.to_owned(),
        label: label.to_owned(),
        dialect: Dialect::Commands,
        category: Category::Builtin,
        base_url: String::new(),
        api_key: Secret::default(),
        model: String::new(),
        tier: Tier::Full,
        context_window: 128_000,
        vision: false,
        quirks: Quirks::NONE,
        needs_key: false,
        needs_model: false,
    }
}

/// What can be wrong with the fields of the settings: `field` and `detail` of a [`ModelError::Config`]. The catalogue has a
/// sentence for each, `error.config.FIELD.DETAIL`.
pub const PROBLEMS: &[(&str, &str)] =
    &[MISSING_URL, UNREADABLE_URL, SCHEME, LOGIN_IN_URL, QUERY_IN_URL, MISSING_KEY, UNSENDABLE_KEY, MISSING_MODEL];

const MISSING_URL: (&str, &str) = ("baseUrl", "missing");
const UNREADABLE_URL: (&str, &str) = ("baseUrl", "unreadable");
const SCHEME: (&str, &str) = ("baseUrl", "scheme");
const LOGIN_IN_URL: (&str, &str) = ("baseUrl", "login");
const QUERY_IN_URL: (&str, &str) = ("baseUrl", "query");
const MISSING_KEY: (&str, &str) = ("apiKey", "missing");
const UNSENDABLE_KEY: (&str, &str) = ("apiKey", "characters");
const MISSING_MODEL: (&str, &str) = ("model", "missing");

fn wrong((field, detail): (&str, &str)) -> ModelError {
    config_error(field, detail)
}

pub(crate) fn config_error(field: &str, detail: &str) -> ModelError {
    ModelError::Config { field: field.to_owned(), detail: detail.to_owned() }
}

fn quirks(mut quirks: Quirks, dialect: Dialect, category: Category, model: &str) -> Quirks {
    let name = catalogue::short_name(model);
    match dialect {
        Dialect::Anthropic => quirks.no_temperature = !takes_temperature(&name),
        Dialect::OpenAiChat if category == Category::Local => quirks.text_calls = true,
        Dialect::OpenAiChat if is_new_openai(&name) => {
            quirks.max_completion_tokens = true;
            quirks.no_temperature = true;
        }
        _ => {}
    }
    quirks
}

/// gpt-4.1, gpt-5 and later, o1 and later. Routed names count too.
fn is_new_openai(name: &str) -> bool {
    if name.starts_with("gpt-4.1") {
        return true;
    }
    let number = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    let family = name.strip_prefix("gpt-").and_then(number).is_some_and(|n| (5..100).contains(&n));
    family || name.strip_prefix('o').and_then(number).is_some_and(|n| n < 100)
}

/// Claude models that still take a temperature; later ones refuse it.
fn takes_temperature(name: &str) -> bool {
    const OLD: &[&str] = &["claude-2", "claude-3", "claude-sonnet-4", "claude-haiku-4", "claude-opus-4"];
    const REFUSING: &[&str] = &["claude-opus-4-7", "claude-opus-4-8", "claude-opus-4-9"];
    OLD.iter().any(|p| name.starts_with(p)) && !REFUSING.iter().any(|p| name.starts_with(p))
}

fn parse_url(raw: &str) -> Result<Url, ModelError> {
    let raw = raw.trim();
    if raw.is_empty() {
        return Err(wrong(MISSING_URL));
    }
    let with_scheme = if raw.contains("://") {
        raw.to_owned()
    } else {
        let guess = Url::parse(&format!("http://{raw}")).map_err(|_| wrong(UNREADABLE_URL))?;
        if guess.host_str().is_some_and(is_local_host) { format!("http://{raw}") } else { format!("https://{raw}") }
    };
    let url = Url::parse(&with_scheme).map_err(|_| wrong(UNREADABLE_URL))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(SCHEME));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong(UNREADABLE_URL));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(LOGIN_IN_URL));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(QUERY_IN_URL));
    }
    Ok(url)
}

fn base_url(url: &Url, dialect: Dialect, category: Category) -> String {
    const ENDPOINTS: &[&str] = &["/chat/completions", "/completions", "/messages", "/models", "/responses"];
    let mut path = url.path().trim_end_matches('/').to_owned();
    while let Some(shorter) = ENDPOINTS.iter().find_map(|end| path.strip_suffix(end)) {
        path = shorter.trim_end_matches('/').to_owned();
    }
    match dialect {
        Dialect::Anthropic => path = path.strip_suffix("/v1").unwrap_or(&path).to_owned(),
        // `/api` is where Ollama's own protocol lives.
        _ if category == Category::Local && matches!(path.as_str(), "" | "/api") => path = "/v1".to_owned(),
        _ => {}
    }
    format!("{}{path}", url.origin().ascii_serialization())
}

/// The host of an address as the user typed it. The panel asks at every keystroke, and a whole URL parser would make it a
/// tenth larger.
fn host_of(raw: &str) -> Option<&str> {
    let raw = raw.trim();
    let rest = raw.split_once("://").map_or(raw, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.find(']') {
        Some(end) => host.get(..=end)?,
        None => host.split(':').next()?,
    };
    (!host.is_empty()).then_some(host)
}

/// Whether a host is this machine or in a private network. An IPv6 address may stand in its brackets.
fn is_local_host(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches([']', '.']);
    if let Ok(ip) = host.parse::<Ipv4Addr>() {
        let [a, b, ..] = ip.octets();
        return ip.is_loopback()
            || ip.is_private()
            || ip.is_link_local()
            || ip.is_unspecified()
            || (a == 100 && b & 0xc0 == 64);
    }
    if let Ok(ip) = host.parse::<Ipv6Addr>() {
        return ip.is_loopback() || ip.segments()[0] & 0xfe00 == 0xfc00 || ip.segments()[0] & 0xffc0 == 0xfe80;
    }
    let private = [".localhost", ".local", ".lan", ".internal", ".home.arpa"];
    let name = host.to_ascii_lowercase();
    !name.contains('.') || private.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn config(json: &str) -> ProviderConfig {
        serde_json::from_str(json).unwrap()
    }

    fn check(id: &str, json: &str, expected: Expect) {
        let got = match resolve(id, Some(&config(json))) {
            Ok(p) => {
                format!("{} {:?} {:?} {:?} {} {}", p.base_url, p.dialect, p.category, p.tier, p.model, p.context_window)
            }
            Err(error) => format!("{error:?}"),
        };
        expected.assert_eq(&got);
    }

    #[test]
    fn the_catalogue_is_overlaid_by_the_users_settings() {
        check("ollama", "{}", expect!["http://localhost:11434/v1 OpenAiChat Local Mid  16384"]);
        check("openai", r#"{"apiKey":"k"}"#, expect!["https://api.openai.com/v1 OpenAiChat Cloud Full gpt-5.5 400000"]);
        check(
            "openai",
            r#"{"model":" gpt-4o ","promptTier":"compact","contextWindow":9000}"#,
            expect!["https://api.openai.com/v1 OpenAiChat Cloud Compact gpt-4o 9000"],
        );
        check("anthropic", "{}", expect!["https://api.anthropic.com Anthropic Cloud Full claude-sonnet-4-6 1000000"]);
        check("commands", "{}", expect![" Commands Builtin Full  128000"]);
        check(
            "groq",
            "{}",
            expect!["https://api.groq.com/openai/v1 OpenAiChat Router Full llama-3.3-70b-versatile 131072"],
        );
        check("mine", r#"{"baseUrl":"10.0.0.5:8000"}"#, expect!["http://10.0.0.5:8000/v1 OpenAiChat Local Mid  16384"]);
        check(
            "proxy",
            r#"{"baseUrl":"https://p.example/anthropic/v1/messages","dialect":"anthropic","model":"m"}"#,
            expect!["https://p.example/anthropic Anthropic Cloud Full m 128000"],
        );
    }

    #[test]
    fn base_addresses_are_normalised_or_refused_with_the_reason() {
        let row = |url: &str, expected: Expect| {
            let config = ProviderConfig { base_url: url.to_owned(), ..ProviderConfig::default() };
            let got = match resolve("custom", Some(&config)) {
                Ok(provider) => provider.base_url,
                Err(ModelError::Config { field, detail }) => format!("{field}: {detail}"),
                Err(other) => format!("{other:?}"),
            };
            expected.assert_eq(&got);
        };
        row("  http://localhost:8080/  ", expect!["http://localhost:8080/v1"]);
        row("localhost:1234", expect!["http://localhost:1234/v1"]);
        row("http://127.0.0.1:11434/api/", expect!["http://127.0.0.1:11434/v1"]);
        row("http://[::1]:8080", expect!["http://[::1]:8080/v1"]);
        row("api.example.com/v2//", expect!["https://api.example.com/v2"]);
        row("https://api.example.com", expect!["https://api.example.com"]);
        row("https://api.example.com/v1/chat/completions/", expect!["https://api.example.com/v1"]);
        row("HTTPS://API.Example.com/V1", expect!["https://api.example.com/V1"]);
        row("", expect!["baseUrl: missing"]);
        row("ftp://x.example", expect!["baseUrl: scheme"]);
        row("javascript:alert(1)", expect!["baseUrl: unreadable"]);
        row("http://", expect!["baseUrl: unreadable"]);
        row("https://me:pw@x.example", expect!["baseUrl: login"]);
        row("https://x.example/v1?key=1", expect!["baseUrl: query"]);
    }

    #[test]
    fn a_server_of_the_users_own_runs_where_its_address_is() {
        let row = |url: &str, expected: Category| {
            let config = ProviderConfig { base_url: url.to_owned(), ..ProviderConfig::default() };
            assert_eq!(category("custom_1", Some(&config)), expected, "{url}");
            if let Ok(provider) = resolve("custom_1", Some(&config)) {
                assert_eq!(provider.category, expected, "{url} when resolved");
            }
        };
        let local = "127.0.0.1:8080 http://localhost:1 http://[::1]:8080/v1 192.168.1.7:11434 http://NAS.Local/v1 \
                     LOCALHOST http://[fd00::1] 100.64.0.1 http://localhost./v1 0.0.0.0:1/v1 nas http://10.0.0.1?a@b";
        for url in local.split_whitespace() {
            row(url, Category::Local);
        }
        let far = "8.8.8.8 https://api.example.com http://127.0.0.1@far.example http://[2001:db8::1]:80 100.128.0.1 \
                   http://10.example.com http:// ftp://x.example localhost.example";
        for url in far.split_whitespace().chain([""]) {
            row(url, Category::Cloud);
        }
        let said = config(r#"{"baseUrl":"http://10.0.0.1","category":"router"}"#);
        assert_eq!(category("custom_1", Some(&said)), Category::Router);
        let proxied = config(r#"{"baseUrl":"http://localhost:1"}"#);
        assert_eq!((category("openai", Some(&proxied)), category("ollama", None)), (Category::Cloud, Category::Local));
    }

    #[test]
    fn what_is_missing_is_named() {
        let ready = |id: &str, json: &str| match resolve(id, Some(&config(json))).and_then(|p| p.ready()) {
            Ok(()) => "ready".to_owned(),
            Err(ModelError::Config { field, detail }) => {
                assert!(PROBLEMS.contains(&(field.as_str(), detail.as_str())), "{field}: {detail}");
                field
            }
            Err(other) => format!("{other:?}"),
        };
        assert_eq!(ready("openai", "{}"), "apiKey");
        assert_eq!(ready("openai", r#"{"apiKey":" sk-1\n"}"#), "ready");
        assert_eq!(ready("openai", r#"{"apiKey":"sk-…1"}"#), "apiKey");
        assert_eq!(ready("ollama", "{}"), "model");
        assert_eq!(ready("llamacpp", "{}"), "ready");
        assert_eq!(ready("nobody", "{}"), "baseUrl");
    }

    #[test]
    fn new_openai_models_are_known_by_name_routed_or_not() {
        let quirk = |id: &str, model: &str| {
            let config = ProviderConfig { model: model.to_owned(), ..ProviderConfig::default() };
            resolve(id, Some(&config)).unwrap().quirks.max_completion_tokens
        };
        for (id, model, expected) in [
            ("openai", "gpt-5.5", true),
            ("openai", "gpt-4.1-mini", true),
            ("openai", "o3", true),
            ("openai", "gpt-4o", false),
            ("openrouter", "openai/gpt-5-mini", true),
            ("openrouter", "openai/gpt-oss-20b", false),
            ("ollama", "gpt-5-distilled", false),
            ("openrouter", "openrouter/free", false),
        ] {
            assert_eq!(quirk(id, model), expected, "{id} {model}");
        }
    }

    #[test]
    fn every_entry_of_the_catalogue_resolves_and_ids_are_unique() {
        for entry in catalogue().iter().filter(|e| e.id != CUSTOM) {
            let provider = resolve(entry.id, None).unwrap();
            assert!(!format!("{provider:?}").contains("sk-"));
            assert_eq!(provider.base_url, entry.base_url);
            assert_eq!(catalogue().iter().filter(|e| e.id == entry.id).count(), 1);
        }
    }
}
