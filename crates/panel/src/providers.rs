//! Which providers there are: the catalogue and what the user added.

use crate::i18n::{key, t};
use webbrain_protocol::Tier;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, Category, ProviderConfig, Providers};
use webbrain_wire::catalogue;

/// Name of a provider as the user knows it.
pub fn name(id: &str, config: Option<&ProviderConfig>) -> String {
    if id == COMMANDS_PROVIDER {
        return t(key::PROVIDER_COMMANDS);
    }
    let own = config.and_then(|config| config.label.clone()).filter(|label| !label.trim().is_empty());
    own.or_else(|| catalogue::find(id).map(|entry| entry.label.to_owned())).unwrap_or_else(|| t(key::P_CUSTOM))
}

/// Where a provider runs.
pub fn category(id: &str, config: Option<&ProviderConfig>) -> Category {
    webbrain_wire::provider::category(id, config)
}

/// The tier that a provider's runs have.
pub fn tier(id: &str, config: Option<&ProviderConfig>) -> Tier {
    let chosen = config.and_then(|config| config.prompt_tier);
    chosen.unwrap_or_else(|| webbrain_wire::provider::tier_of(category(id, config)))
}

/// Whether the user has set the provider up: it was saved, and has a key where it needs one.
pub fn is_set_up(id: &str, config: &ProviderConfig) -> bool {
    match catalogue::find(id) {
        Some(entry) => !(entry.needs_key && config.api_key.is_empty()),
        None => !config.base_url.trim().is_empty(),
    }
}

/// Ids to choose from in the side panel: the built-in commands, what is set up, and the active one whatever its state.
pub fn choices(providers: &Providers, active: &str) -> Vec<String> {
    let mut ids = vec![COMMANDS_PROVIDER.to_owned()];
    let order = catalogue::entries().iter().map(|entry| entry.id);
    let mut known: Vec<&str> = order.filter(|id| providers.contains_key(*id)).collect();
    known.extend(providers.keys().map(String::as_str).filter(|id| catalogue::find(id).is_none()));
    let chosen = |id: &&str| *id != COMMANDS_PROVIDER && (*id == active || is_set_up(id, &providers[*id]));
    ids.extend(known.into_iter().filter(chosen).map(str::to_owned));
    if !ids.iter().any(|id| id == active) && catalogue::find(active).is_some() {
        ids.push(active.to_owned());
    }
    ids
}

/// The active provider: the stored id when it means something, else the built-in commands.
pub fn active(stored: Option<&str>, providers: &Providers) -> String {
    let known = stored.filter(|id| providers.contains_key(*id) || catalogue::find(id).is_some());
    known.unwrap_or(COMMANDS_PROVIDER).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use webbrain_protocol::settings::Secret;

    fn record(entries: &[(&str, &str, &str)]) -> Providers {
        let config = |url: &str, key: &str| ProviderConfig {
            base_url: url.into(),
            api_key: Secret::new(key),
            ..ProviderConfig::default()
        };
        entries.iter().map(|(id, url, key)| ((*id).to_owned(), config(url, key))).collect()
    }

    #[test]
    fn the_panel_offers_what_can_answer() {
        let providers =
            record(&[("openai", "", ""), ("anthropic", "", "k"), ("ollama", "", ""), ("mine", "http://x", "")]);
        assert_eq!(choices(&providers, COMMANDS_PROVIDER), ["commands", "ollama", "anthropic", "mine"]);
        assert_eq!(choices(&providers, "openai"), ["commands", "ollama", "openai", "anthropic", "mine"]);
        assert_eq!(choices(&Providers::new(), "groq"), ["commands", "groq"]);
    }

    #[test]
    fn an_active_provider_that_is_gone_falls_back_to_the_commands() {
        let providers = record(&[("mine", "http://x", "")]);
        let of = |stored| active(stored, &providers);
        assert_eq!(
            [of(None), of(Some("gone")), of(Some("mine")), of(Some("openai"))],
            ["commands", "commands", "mine", "openai"]
        );
    }

    #[test]
    fn local_servers_get_the_middle_tier_unless_told_otherwise() {
        let compact = ProviderConfig { prompt_tier: Some(Tier::Compact), ..ProviderConfig::default() };
        assert_eq!(
            (tier("ollama", None), tier("openai", None), tier("openai", Some(&compact))),
            (Tier::Mid, Tier::Full, Tier::Compact)
        );
        let own = record(&[("mine", "http://[::1]:8080/v1", ""), ("far", "https://x.example", "")]);
        let of = |id: &str| (category(id, own.get(id)), tier(id, own.get(id)));
        assert_eq!((of("mine"), of("far")), ((Category::Local, Tier::Mid), (Category::Cloud, Tier::Full)));
    }
}
