//! The built-in providers. Source: reference `providers.md` 2.

use crate::provider::Quirks;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, Category, Dialect};

/// What is known about a provider before the user sets anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Key of the `providers` record.
    pub id: &'static str,
    /// Product name.
    pub label: &'static str,
    /// Where it runs.
    pub category: Category,
    /// What it speaks.
    pub dialect: Dialect,
    /// Base address; empty when the user must give one.
    pub base_url: &'static str,
    /// Model when the user chose none; empty when the server chooses or the user must.
    pub model: &'static str,
    /// Models to suggest; any other may be typed.
    pub suggested: &'static [&'static str],
    /// Whether requests without a key are pointless.
    pub needs_key: bool,
    /// Whether requests without a model are pointless.
    pub needs_model: bool,
    /// Departures from the dialect.
    pub quirks: Quirks,
}

/// Id of the card for any OpenAI-compatible server.
pub const CUSTOM: &str = "custom";

const PLAIN: Quirks = Quirks::NONE;
const USAGE: Quirks = Quirks { stream_usage: true, ..PLAIN };
/// Small models on local servers: calls arrive as text more often than not.
const TEXT_CALLS: Quirks = Quirks { text_calls: true, ..PLAIN };

const fn local(id: &'static str, label: &'static str, base_url: &'static str, needs_model: bool) -> Entry {
    Entry {
        id,
        label,
        category: Category::Local,
        dialect: Dialect::OpenAiChat,
        base_url,
        model: "",
        suggested: &[],
        needs_key: false,
        needs_model,
        quirks: TEXT_CALLS,
    }
}

const fn cloud(
    id: &'static str,
    label: &'static str,
    base_url: &'static str,
    suggested: &'static [&'static str],
    quirks: Quirks,
) -> Entry {
    Entry {
        id,
        label,
        category: Category::Cloud,
        dialect: Dialect::OpenAiChat,
        base_url,
        model: suggested[0],
        suggested,
        needs_key: true,
        needs_model: true,
        quirks,
    }
}

static ENTRIES: &[Entry] = &[
    Entry {
        id: COMMANDS_PROVIDER,
        label: "Plain commands",
        category: Category::Builtin,
        dialect: Dialect::Commands,
        base_url: "",
        model: "",
        suggested: &[],
        needs_key: false,
        needs_model: false,
        quirks: PLAIN,
    },
    local("llamacpp", "llama.cpp", "http://localhost:8080/v1", false),
    local("ollama", "Ollama", "http://localhost:11434/v1", true),
    local("lmstudio", "LM Studio", "http://localhost:1234/v1", false),
    local("jan", "Jan", "http://localhost:1337/v1", true),
    local("vllm", "vLLM", "http://localhost:8000/v1", true),
    local("sglang", "SGLang", "http://localhost:30000/v1", false),
    local("localai", "LocalAI", "http://localhost:8080/v1", true),
    cloud("openai", "OpenAI", "https://api.openai.com/v1", &["gpt-5.5", "gpt-5.4", "gpt-5.2"], USAGE),
    Entry {
        dialect: Dialect::Anthropic,
        ..cloud(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com",
            &["claude-sonnet-4-6", "claude-opus-4-8", "claude-haiku-4-5"],
            PLAIN,
        )
    },
    cloud(
        "gemini",
        "Google Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        &["gemini-3.1-flash", "gemini-3.5-flash", "gemini-3.1-pro"],
        Quirks { call_signature: true, ..USAGE },
    ),
    // Its usage comes in the last chunk without asking, and it refuses unknown fields.
    cloud(
        "mistral",
        "Mistral AI",
        "https://api.mistral.ai/v1",
        &["mistral-large-latest", "mistral-medium-3.5", "codestral-25.08"],
        Quirks { short_call_ids: true, ..PLAIN },
    ),
    // Thinking is on by default there and then wants its reasoning text back with every call: off.
    cloud(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        &["deepseek-v4-flash", "deepseek-v4-pro"],
        Quirks { thinking_off: true, ..USAGE },
    ),
    cloud("xai", "xAI Grok", "https://api.x.ai/v1", &["grok-4.3", "grok-4.1-fast"], USAGE),
    Entry {
        category: Category::Router,
        ..cloud(
            "groq",
            "Groq",
            "https://api.groq.com/openai/v1",
            &["llama-3.3-70b-versatile", "openai/gpt-oss-120b", "qwen/qwen3-32b"],
            PLAIN,
        )
    },
    Entry {
        category: Category::Router,
        ..cloud(
            "openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            &["openrouter/free", "qwen/qwen3.7-max", "minimax/minimax-m3"],
            Quirks { title_header: true, ..USAGE },
        )
    },
    Entry {
        id: CUSTOM,
        label: "OpenAI-compatible server",
        category: Category::Cloud,
        dialect: Dialect::OpenAiChat,
        base_url: "",
        model: "",
        suggested: &[],
        needs_key: false,
        needs_model: false,
        quirks: PLAIN,
    },
];

/// Every built-in provider, in the order of the settings page.
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

/// The entry of that id.
pub fn find(id: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.id == id)
}

/// First match of a model's name (lower case, without the router's prefix) gives its context window in tokens.
/// Source: reference `providers.md` 5.
static WINDOWS: &[(&str, u32)] = &[
    ("gpt-5.5-pro", 1_050_000),
    ("gpt-5.6", 1_050_000),
    ("gpt-5", 400_000),
    ("gpt-oss", 131_072),
    ("claude-fable", 1_000_000),
    ("claude-mythos", 1_000_000),
    ("claude-opus-4-6", 1_000_000),
    ("claude-opus-4-7", 1_000_000),
    ("claude-opus-4-8", 1_000_000),
    ("claude-sonnet-4-6", 1_000_000),
    ("claude", 200_000),
    ("gemini-", 1_000_000),
    ("mistral-medium-3.5", 262_144),
    ("deepseek-v4", 1_000_000),
    ("grok-4.3", 1_000_000),
    ("llama-3.1", 131_072),
    ("llama-3.3", 131_072),
    ("minimax-m3", 1_000_000),
    ("minimax-m2", 204_800),
    ("qwen3.7-max", 262_144),
    ("qwen3-", 131_072),
];

/// Context window of a cloud model whose name says which it is; 128,000 otherwise.
pub fn window_of(model: &str) -> u32 {
    let name = short_name(model);
    WINDOWS.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(128_000, |(_, window)| *window)
}

/// The model's own name, lower case, without a router's `vendor/` prefix.
pub fn short_name(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).trim().to_ascii_lowercase()
}

/// Whether a model's name says that it takes images. Source: reference `providers.md` 3.
pub fn sees(model: &str) -> bool {
    const NAMES: &[&str] =
        &["gpt-4o", "gpt-4.1", "gpt-4-turbo", "gpt-5", "claude", "gemini", "llava", "pixtral", "gemma-3", "gemma-4"];
    let name = short_name(model);
    let family = |start: &str, end: &str| name.contains(start) && name.contains(end);
    NAMES.iter().any(|known| name.contains(known)) || family("qwen", "vl") || family("llama", "vision")
}
