//! What a provider's card holds, and what its buttons do.

use crate::error::PanelError;
use crate::i18n::{key, t, tf};
use crate::settings::Shared;
use crate::{shim, store, task};
use leptos::prelude::*;
use serde_json::Value;
use webbrain_protocol::Tier;
use webbrain_protocol::message::Request;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, ProviderConfig, Secret, storage_keys};
use webbrain_protocol::text::Msg;
use webbrain_wire::catalogue::{self, Entry};

/// Smallest context window that leaves room for a page, tokens.
const SMALLEST_WINDOW: u32 = 1_024;

/// The fields as the user has typed them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// Name of a server of the user's own.
    pub label: String,
    /// Address.
    pub base_url: String,
    /// Key.
    pub api_key: String,
    /// Model id.
    pub model: String,
    /// Tool set; `None` is automatic.
    pub tier: Option<Tier>,
    /// Context window.
    pub window: String,
}

impl Form {
    /// The form of settings that are stored.
    pub fn of(config: &ProviderConfig) -> Self {
        Form {
            label: config.label.clone().unwrap_or_default(),
            base_url: config.base_url.clone(),
            api_key: config.api_key.expose().to_owned(),
            model: config.model.clone(),
            tier: config.prompt_tier,
            // Earlier versions stored 0 for "unknown".
            window: config.context_window.filter(|n| *n > 0).map(|n| n.to_string()).unwrap_or_default(),
        }
    }

    /// The settings that the form describes; what it has no field for stays as in `before`.
    pub fn to_config(&self, before: &ProviderConfig) -> Result<ProviderConfig, &'static str> {
        let window = self.window.trim();
        let context_window = match window.parse::<u32>() {
            Ok(tokens) if tokens >= SMALLEST_WINDOW => Some(tokens),
            Err(_) if window.is_empty() => None,
            _ => return Err(key::P_WINDOW_BAD),
        };
        let label = self.label.trim();
        Ok(ProviderConfig {
            base_url: self.base_url.trim().to_owned(),
            api_key: Secret::new(self.api_key.trim()),
            model: self.model.trim().to_owned(),
            prompt_tier: self.tier,
            context_window,
            label: (!label.is_empty()).then(|| label.to_owned()),
            ..before.clone()
        })
    }
}

/// What the last button had for a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing to tell.
    None,
    /// Under way.
    Busy,
    /// It worked.
    Good(String),
    /// It did not.
    Bad(Msg),
    /// The form cannot be used as it is.
    BadForm(&'static str),
}

/// A card. Everything in it is a handle.
#[derive(Clone, Copy)]
pub struct State {
    /// What the page shares.
    pub shared: Shared,
    /// Id of the provider.
    pub id: StoredValue<String>,
    /// What is stored.
    pub config: Signal<Option<ProviderConfig>>,
    /// What is typed.
    pub form: RwSignal<Form>,
    /// What the form was when it was last stored.
    pub saved: RwSignal<Form>,
    /// Models that the server listed.
    pub models: RwSignal<Vec<String>>,
    /// What to tell.
    pub outcome: RwSignal<Outcome>,
    /// Number of the latest request; a result of an earlier one says nothing about what is typed now.
    latest: StoredValue<u64>,
}

impl State {
    /// A card with the form filled in.
    pub fn new(shared: Shared, id: String, config: Signal<Option<ProviderConfig>>, form: Form) -> Self {
        State {
            shared,
            id: StoredValue::new(id),
            config,
            saved: RwSignal::new(form.clone()),
            form: RwSignal::new(form),
            models: RwSignal::new(Vec::new()),
            outcome: RwSignal::new(Outcome::None),
            latest: StoredValue::new(0),
        }
    }

    /// The catalogue's entry, unless the server is the user's own.
    pub fn entry(self) -> Option<&'static Entry> {
        self.id.with_value(|id| catalogue::find(id))
    }

    /// Whether something typed is not stored.
    pub fn is_unsaved(self) -> bool {
        self.form.with(|form| self.saved.with(|saved| form != saved))
    }

    /// The user edits: results on their way are about something else now.
    pub fn set(self, change: impl FnOnce(&mut Form)) {
        self.form.update(change);
        self.next();
        self.outcome.set(Outcome::None);
    }

    fn next(self) -> u64 {
        let next = self.latest.try_update_value(|latest| {
            *latest += 1;
            *latest
        });
        next.unwrap_or_default()
    }

    /// A request begins; the number is for [`State::end`].
    fn begin(self) -> u64 {
        self.outcome.set(Outcome::Busy);
        self.next()
    }

    /// A request has ended. Says whether its outcome is told: not when a later one or an edit has come between.
    fn end(self, number: u64, outcome: Outcome) -> bool {
        let current = self.latest.try_get_value() == Some(number);
        if current {
            self.outcome.try_set(outcome);
        }
        current
    }

    fn config_of_form(self) -> Option<ProviderConfig> {
        let before = self.config.get_untracked().unwrap_or_default();
        match self.form.with_untracked(|form| form.to_config(&before)) {
            Ok(config) => Some(config),
            Err(key) => {
                self.outcome.set(Outcome::BadForm(key));
                None
            }
        }
    }

    fn failed(self, number: u64) -> impl Fn(PanelError) {
        move |error| {
            self.end(number, Outcome::Bad(error.message()));
        }
    }

    /// Stores the form, and makes the provider the active one if wanted.
    pub fn save(self, then_use: bool) {
        let Some(config) = self.config_of_form() else { return };
        let id = self.id.get_value();
        let typed = self.form.get_untracked();
        let number = self.begin();
        let failed = move |error: PanelError| {
            // Nothing was stored: that is told in any case.
            if !self.end(number, Outcome::Bad(error.message())) {
                self.shared.tell(&error);
            }
        };
        task::spawn(failed, async move {
            if id != COMMANDS_PROVIDER {
                let put = |stored: Option<&Value>| store::with_provider(stored, &id, Some(&config));
                self.shared.replace(storage_keys::PROVIDERS, put).await?;
            }
            if then_use {
                self.shared.replace(storage_keys::ACTIVE_PROVIDER, |_| Value::String(id.clone())).await?;
            }
            let form = Form::of(&config);
            self.saved.try_set(form.clone());
            // What was typed meanwhile stays, unsaved.
            if self.form.try_get_untracked() == Some(typed) {
                self.form.try_set(form);
            }
            self.end(number, Outcome::Good(t(key::P_SAVED)));
            Ok(())
        });
    }

    /// Asks the model of the form for a word.
    pub fn test(self) {
        let Some(config) = self.config_of_form() else { return };
        let number = self.begin();
        let request = Request::TestProvider { provider_id: self.id.get_value(), config: Some(config) };
        task::spawn(self.failed(number), async move {
            let response = shim::ask(&request).await?;
            let model = response.model.filter(|model| !model.is_empty());
            let words = match &model {
                Some(model) => tf(key::P_TEST_OK, &[("model", model)]),
                None => t(key::P_TEST_OK),
            };
            self.end(number, Outcome::Good(words));
            Ok(())
        });
    }

    /// Asks the server of the form for its models.
    pub fn load_models(self) {
        let Some(config) = self.config_of_form() else { return };
        let number = self.begin();
        let request = Request::ListProviderModels { provider_id: self.id.get_value(), config: Some(config) };
        task::spawn(self.failed(number), async move {
            let models = shim::ask(&request).await?.models.unwrap_or_default();
            let words = match models.len() {
                0 => t(key::P_NO_MODELS),
                count => tf(key::P_LOADED, &[("count", &count.to_string())]),
            };
            if self.end(number, Outcome::Good(words)) {
                self.models.try_set(models);
            }
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_keeps_what_it_has_no_field_for() {
        let mut before = ProviderConfig { supports_vision: Some(true), ..ProviderConfig::default() };
        before.other.insert("future".into(), Value::from(1));
        let form = Form { base_url: " http://x ".into(), window: "4096".into(), ..Form::of(&before) };
        let config = form.to_config(&before).unwrap();
        assert_eq!((config.base_url.as_str(), config.context_window), ("http://x", Some(4096)));
        assert_eq!((config.supports_vision, config.other), (before.supports_vision, before.other.clone()));
        assert_eq!(Form { window: "lots".into(), ..form }.to_config(&before), Err(key::P_WINDOW_BAD));
    }

    #[test]
    fn a_context_window_holds_something_or_is_unknown() {
        let window = |typed: &str| {
            let form = Form { window: typed.into(), ..Form::default() };
            form.to_config(&ProviderConfig::default()).map(|config| config.context_window)
        };
        assert_eq!((window(""), window(" 1024 ")), (Ok(None), Ok(Some(1024))));
        for typed in ["0", "1023", "-5", "1e5", "4.096", "99999999999"] {
            assert_eq!(window(typed), Err(key::P_WINDOW_BAD), "{typed}");
        }
        let stored = ProviderConfig { context_window: Some(0), ..ProviderConfig::default() };
        assert_eq!(Form::of(&stored).window, "");
    }

    #[test]
    fn only_the_latest_result_about_what_is_typed_is_told() {
        let owner = Owner::new();
        owner.set();
        let state = State::new(Shared::new(), "mine".into(), Signal::derive(|| None), Form::default());
        let good = |words: &str| Outcome::Good(words.to_owned());
        let first = state.begin();
        state.set(|form| form.base_url = "http://b".into());
        // An edit frees the buttons at once.
        assert_eq!(state.outcome.get_untracked(), Outcome::None);
        let second = state.begin();
        assert!(!state.end(first, good("old")));
        assert_eq!(state.outcome.get_untracked(), Outcome::Busy);
        assert!(state.end(second, good("new")));
        assert!(!state.end(first, good("old")));
        assert_eq!(state.outcome.get_untracked(), good("new"));
        let third = state.begin();
        state.set(|form| form.model = "m".into());
        assert!(!state.end(third, good("of the fields before")));
        assert_eq!(state.outcome.get_untracked(), Outcome::None);
    }
}
