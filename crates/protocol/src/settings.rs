//! Keys of `storage.local` with their types and defaults. Source: the contract, reference `ui.md` 2.1 and `providers.md` 2.

use crate::mode::Tier;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Storage keys, exactly as the contract names them.
pub mod storage_keys {
    /// `local`: `{ID: ProviderConfig}`.
    pub const PROVIDERS: &str = "providers";
    /// `local`: id of the active provider.
    pub const ACTIVE_PROVIDER: &str = "activeProvider";
    /// `local`: list of grants.
    pub const PERMISSIONS: &str = "wb_permissions";
    /// `local`: step limit; 0 means unlimited.
    pub const MAX_AGENT_STEPS: &str = "maxAgentSteps";
    /// `local`: ms without a byte from the model before it counts as a timeout.
    pub const REQUEST_TIMEOUT_MS: &str = "requestTimeoutMs";
    /// `local`: whether permission cards are shown.
    pub const ASK_BEFORE: &str = "askBeforeConsequentialActions";
    /// `local`: `system`, `light` or `dark`.
    pub const THEME_MODE: &str = "themeMode";
    /// `local`: locale tag.
    pub const LOCALE: &str = "wbLocale";
    /// `local`: show arguments and results of every step.
    pub const VERBOSE: &str = "verboseMode";
    /// `local`: the user has seen the first-run page.
    pub const ONBOARDING_COMPLETE: &str = "onboardingComplete";
    /// `session`: prefix of the conversation view, followed by the tab id.
    pub const AGENT_CONV: &str = "agentConv:";
    /// `session`: prefix of the chat view.
    pub const TAB_CHAT: &str = "tabChat:";
    /// `session`: prefix of the run view.
    pub const RUN_UI: &str = "runUi:";
}

/// Id of the built-in provider that needs no key, no server and no download.
pub const COMMANDS_PROVIDER: &str = "commands";

/// Where a provider runs; decides its default tier and whether it costs anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Built into the extension.
    Builtin,
    /// On the user's own machine or network.
    Local,
    /// A vendor's service.
    #[default]
    Cloud,
    /// A service that resells many vendors' models.
    Router,
}

/// Which wire protocol a provider speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// OpenAI chat completions.
    #[default]
    OpenAiChat,
    /// Anthropic messages.
    Anthropic,
    /// The built-in interpreter of plain commands.
    Commands,
}

/// What the user set for one provider: a value of the `providers` record. Every field may be absent in storage; unknown
/// fields are kept in `other`, so that a newer version's record survives an older one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProviderConfig {
    /// Base address, without the path of an endpoint.
    pub base_url: String,
    /// Key; empty when none is needed.
    pub api_key: Secret,
    /// Model id; empty lets the server choose where it can.
    pub model: String,
    /// Overrides the category's tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tier: Option<Tier>,
    /// Context window in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u32>,
    /// Whether the model takes images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports_vision: Option<bool>,
    /// Dialect of a custom provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Name that the user gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Category of a custom provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}

/// The `providers` record.
pub type Providers = BTreeMap<String, ProviderConfig>;

/// A key or password. It has no `Display`, and its `Debug` shows only whether it is set.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(value: impl Into<String>) -> Self {
        Secret(value.into())
    }

    /// The secret itself; call it only where it goes into a request header.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "Secret(none)" } else { "Secret(set)" })
    }
}

/// Settings that a run reads, with the defaults of the reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Steps per run, 0 for no limit; stored values of 200 and above also mean no limit.
    pub max_agent_steps: u32,
    /// Ms without a byte before a model call counts as timed out.
    pub request_timeout_ms: u32,
    /// Whether permission cards are shown before acting.
    pub ask_before_consequential_actions: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { max_agent_steps: 130, request_timeout_ms: 120_000, ask_before_consequential_actions: true }
    }
}

impl Settings {
    /// The step limit, `None` when there is none.
    pub fn step_limit(&self) -> Option<u32> {
        (self.max_agent_steps != 0 && self.max_agent_steps < 200).then_some(self.max_agent_steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Secret::new("sk-1234")), "Secret(set)");
        let config = ProviderConfig { api_key: Secret::new("sk-1234"), ..ProviderConfig::default() };
        assert!(!format!("{config:?}").contains("1234"));
    }

    #[test]
    fn unknown_fields_of_a_provider_survive() {
        let text = r#"{"baseUrl":"http://x","futureField":{"a":1}}"#;
        let config: ProviderConfig = serde_json::from_str(text).unwrap();
        let back: serde_json::Value = serde_json::to_value(&config).unwrap();
        assert_eq!(back["futureField"]["a"], 1);
        assert_eq!(back["baseUrl"], "http://x");
    }

    #[test]
    fn zero_and_the_slider_maximum_mean_no_step_limit() {
        let limit = |n| Settings { max_agent_steps: n, ..Settings::default() }.step_limit();
        assert_eq!((limit(0), limit(200), limit(130), limit(5)), (None, None, Some(130), Some(5)));
    }
}
