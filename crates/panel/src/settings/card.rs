//! One provider's card: its fields, saved only when the user says so.

use crate::error::PanelError;
use crate::i18n::{key, t, tf, tm};
use crate::settings::providers::{category_key, own_server};
use crate::settings::{Shared, twice};
use crate::{icons, providers, shim, store, task};
use leptos::prelude::*;
use serde_json::Value;
use webbrain_protocol::Tier;
use webbrain_protocol::message::Request;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, ProviderConfig, Secret, storage_keys};
use webbrain_protocol::text::Msg;
use webbrain_wire::catalogue::{self, Entry};

/// The fields as the user has typed them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Form {
    label: String,
    base_url: String,
    api_key: String,
    model: String,
    tier: Option<Tier>,
    window: String,
}

impl Form {
    fn of(config: &ProviderConfig) -> Self {
        Form {
            label: config.label.clone().unwrap_or_default(),
            base_url: config.base_url.clone(),
            api_key: config.api_key.expose().to_owned(),
            model: config.model.clone(),
            tier: config.prompt_tier,
            window: config.context_window.map(|n| n.to_string()).unwrap_or_default(),
        }
    }

    /// The settings that the form describes; what it has no field for stays as in `before`.
    fn to_config(&self, before: &ProviderConfig) -> Result<ProviderConfig, &'static str> {
        let window = self.window.trim();
        let context_window = match window.parse::<u32>() {
            Ok(tokens) => Some(tokens),
            Err(_) if window.is_empty() => None,
            Err(_) => return Err(key::P_WINDOW_BAD),
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
#[derive(Clone)]
enum Outcome {
    None,
    Busy,
    Good(String),
    Bad(Msg),
    BadForm(&'static str),
}

#[derive(Clone, Copy)]
struct State {
    shared: Shared,
    id: StoredValue<String>,
    config: Signal<Option<ProviderConfig>>,
    form: RwSignal<Form>,
    saved: RwSignal<Form>,
    models: RwSignal<Vec<String>>,
    outcome: RwSignal<Outcome>,
}

impl State {
    fn entry(self) -> Option<&'static Entry> {
        self.id.with_value(|id| catalogue::find(id))
    }

    fn set(self, change: impl FnOnce(&mut Form)) {
        self.form.update(change);
        self.outcome.set(Outcome::None);
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

    fn failed(self) -> impl Fn(PanelError) {
        move |error| self.outcome.set(Outcome::Bad(error.message()))
    }

    fn save(self, then_use: bool) {
        let Some(config) = self.config_of_form() else { return };
        let id = self.id.get_value();
        self.outcome.set(Outcome::Busy);
        task::spawn(self.failed(), async move {
            if id != COMMANDS_PROVIDER {
                let put = |stored: Option<&Value>| store::with_provider(stored, &id, Some(&config));
                self.shared.replace(storage_keys::PROVIDERS, put).await?;
            }
            if then_use {
                self.shared.replace(storage_keys::ACTIVE_PROVIDER, |_| Value::String(id.clone())).await?;
            }
            let form = Form::of(&config);
            self.saved.set(form.clone());
            self.form.set(form);
            self.outcome.set(Outcome::Good(t(key::P_SAVED)));
            Ok(())
        });
    }

    fn test(self) {
        let Some(config) = self.config_of_form() else { return };
        self.outcome.set(Outcome::Busy);
        task::spawn(self.failed(), async move {
            let request = Request::TestProvider { provider_id: self.id.get_value(), config: Some(config) };
            let response = shim::ask(&request).await?;
            let model = response.model.filter(|model| !model.is_empty());
            let words = match &model {
                Some(model) => tf(key::P_TEST_OK, &[("model", model)]),
                None => t(key::P_TEST_OK),
            };
            self.outcome.set(Outcome::Good(words));
            Ok(())
        });
    }

    fn load_models(self) {
        let Some(config) = self.config_of_form() else { return };
        self.outcome.set(Outcome::Busy);
        task::spawn(self.failed(), async move {
            let request = Request::ListProviderModels { provider_id: self.id.get_value(), config: Some(config) };
            let models = shim::ask(&request).await?.models.unwrap_or_default();
            self.outcome.set(Outcome::Good(match models.len() {
                0 => t(key::P_NO_MODELS),
                count => tf(key::P_LOADED, &[("count", &count.to_string())]),
            }));
            self.models.set(models);
            Ok(())
        });
    }
}

/// A provider's card. `fresh` cards were added a moment ago and are not stored.
#[component]
pub fn Card(
    shared: Shared,
    id: String,
    config: Signal<Option<ProviderConfig>>,
    active: Signal<String>,
    shown: Signal<bool>,
    fresh: bool,
    gone: impl Fn() + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let first = config.get_untracked().unwrap_or_else(|| if fresh { own_server() } else { ProviderConfig::default() });
    let form = Form::of(&first);
    let state = State {
        shared,
        id: StoredValue::new(id.clone()),
        config,
        saved: RwSignal::new(form.clone()),
        form: RwSignal::new(form),
        models: RwSignal::new(Vec::new()),
        outcome: RwSignal::new(Outcome::None),
    };
    // What another page saved is shown, unless the user is editing here.
    Effect::new(move |_| {
        if let Some(stored) = config.get().map(|config| Form::of(&config)) {
            let edited = state.form.get_untracked() != state.saved.get_untracked();
            state.saved.set(stored.clone());
            if !edited {
                state.form.set(stored);
            }
        }
    });
    let is_active = {
        let id = id.clone();
        Memo::new(move |_| active.get() == id)
    };
    let body = if id == COMMANDS_PROVIDER {
        view! { <p class="about">{t(key::P_COMMANDS_ABOUT)}</p> <CommandsButtons state active=is_active.into() /> }
            .into_any()
    } else {
        let removable = catalogue::find(&id).is_none().then_some(gone);
        view! { <Fields state /> <Buttons state active=is_active.into() /> <OutcomeView state /> {removable.map(|gone| remove(state, gone))} }
            .into_any()
    };
    view! {
        <details class="provider-card" data-testid="provider-card" data-provider=id.clone() hidden=move || !shown.get() open=fresh>
            <Summary state active=is_active.into() />
            <div class="card-body">{body}</div>
        </details>
    }
    .into_any()
}

#[component]
fn Summary(state: State, active: Signal<bool>) -> impl IntoView {
    let id = state.id.get_value();
    let name = {
        let id = id.clone();
        move || match (catalogue::find(&id), state.form.with(|form| form.label.trim().to_owned())) {
            (None, label) if !label.is_empty() => label,
            _ => providers::name(&id, None),
        }
    };
    let category = {
        let id = id.clone();
        move || t(category_key(state.config.with(|config| providers::category(&id, config.as_ref()))))
    };
    let badge = move || {
        let set_up =
            state.config.with(|config| config.as_ref().is_some_and(|config| providers::is_set_up(&id, config)));
        match (active.get(), set_up) {
            (true, _) => Some(view! { <span class="badge on">{t(key::P_ACTIVE)}</span> }.into_any()),
            (false, true) => Some(view! { <span class="badge">{t(key::P_SET)}</span> }.into_any()),
            (false, false) => None,
        }
    };
    let unsaved = move || {
        (state.form.get() != state.saved.get()).then(|| view! { <span class="badge warn">{t(key::P_UNSAVED)}</span> })
    };
    view! {
        <summary>
            {icons::icon(icons::CHEVRON)}
            <span class="provider-name">{name}</span>
            <span class="provider-about">{category} <span dir="ltr">{move || state.form.with(|form| form.model.clone())}</span></span>
            {unsaved}
            {badge}
        </summary>
    }
    .into_any()
}

#[component]
fn Fields(state: State) -> impl IntoView {
    let entry = state.entry();
    let placeholder = entry.map(|entry| entry.base_url).filter(|url| !url.is_empty());
    let own_name = entry.is_none().then(|| {
        text_field(
            state,
            "provider-label",
            key::P_NAME,
            String::new(),
            |form| form.label.clone(),
            |form, v| form.label = v,
        )
    });
    view! {
        <div class="fields">
            {own_name}
            {text_field(
                state,
                "provider-base-url",
                key::P_BASE_URL,
                placeholder.unwrap_or("http://localhost:8080/v1").to_owned(),
                |form| form.base_url.clone(),
                |form, v| form.base_url = v,
            )}
            <KeyField state />
            <ModelField state />
            <TierField state />
            {text_field(
                state,
                "provider-context-window",
                key::P_WINDOW,
                t(key::P_WINDOW_HINT),
                |form| form.window.clone(),
                |form, v| form.window = v,
            )}
        </div>
    }
    .into_any()
}

fn text_field(
    state: State,
    test_id: &'static str,
    label: &'static str,
    placeholder: String,
    get: fn(&Form) -> String,
    set: fn(&mut Form, String),
) -> AnyView {
    view! {
        <label class="field">
            <span>{t(label)}</span>
            <input
                type="text"
                dir="auto"
                autocomplete="off"
                spellcheck="false"
                data-testid=test_id
                placeholder=placeholder
                prop:value=move || state.form.with(get)
                on:input=move |event| state.set(|form| set(form, event_target_value(&event)))
            />
        </label>
    }
    .into_any()
}

#[component]
fn KeyField(state: State) -> impl IntoView {
    let shown = RwSignal::new(false);
    view! {
        <label class="field">
            <span>{t(key::P_KEY)}</span>
            <span class="with-button">
                <input
                    type=move || if shown.get() { "text" } else { "password" }
                    dir="ltr"
                    autocomplete="off"
                    spellcheck="false"
                    data-testid="provider-key"
                    prop:value=move || state.form.with(|form| form.api_key.clone())
                    on:input=move |event| state.set(|form| form.api_key = event_target_value(&event))
                />
                <button
                    type="button"
                    class="button quiet"
                    aria-pressed=move || shown.get().to_string()
                    on:click=move |_| shown.update(|shown| *shown = !*shown)
                >
                    {move || t(if shown.get() { key::P_KEY_HIDE } else { key::P_KEY_SHOW })}
                </button>
            </span>
        </label>
    }
    .into_any()
}

#[component]
fn ModelField(state: State) -> impl IntoView {
    let list_id = state.id.with_value(|id| format!("models-{id}"));
    let hint = state.entry().map(|entry| entry.model.to_owned()).filter(|model| !model.is_empty());
    let options = move || {
        let loaded = state.models.get();
        let suggested = state.entry().map(|entry| entry.suggested).unwrap_or_default();
        let all = if loaded.is_empty() { suggested.iter().map(|m| (*m).to_owned()).collect() } else { loaded };
        all.into_iter().map(|model| view! { <option value=model></option> }).collect_view()
    };
    view! {
        <label class="field">
            <span>{t(key::P_MODEL)}</span>
            <span class="with-button">
                <input
                    type="text"
                    dir="ltr"
                    autocomplete="off"
                    spellcheck="false"
                    list=list_id.clone()
                    data-testid="provider-model"
                    placeholder=hint.unwrap_or_else(|| t(key::P_MODEL_HINT))
                    prop:value=move || state.form.with(|form| form.model.clone())
                    on:input=move |event| state.set(|form| form.model = event_target_value(&event))
                />
                <button
                    type="button"
                    class="button quiet"
                    data-testid="provider-load-models"
                    on:click=move |_| state.load_models()
                >
                    {t(key::P_LOAD_MODELS)}
                </button>
            </span>
            <datalist id=list_id data-testid="provider-models">{options}</datalist>
        </label>
    }
    .into_any()
}

#[component]
fn TierField(state: State) -> impl IntoView {
    const TIERS: [(Option<Tier>, &str, &str); 4] = [
        (None, "", key::P_TIER_AUTO),
        (Some(Tier::Compact), "compact", key::P_TIER_COMPACT),
        (Some(Tier::Mid), "mid", key::P_TIER_MID),
        (Some(Tier::Full), "full", key::P_TIER_FULL),
    ];
    let option = move |(tier, value, label): (Option<Tier>, &'static str, &'static str)| {
        view! { <option value=value selected=move || state.form.with(|form| form.tier == tier)>{t(label)}</option> }
    };
    let changed = move |event| {
        let value = event_target_value(&event);
        let tier = TIERS.iter().find(|(_, name, _)| *name == value).and_then(|(tier, _, _)| *tier);
        state.set(|form| form.tier = tier);
    };
    view! {
        <label class="field">
            <span>{t(key::P_TIER)}</span>
            <select data-testid="provider-tier" on:change=changed>{TIERS.map(option).into_iter().collect_view()}</select>
        </label>
    }
    .into_any()
}

#[component]
fn Buttons(state: State, active: Signal<bool>) -> impl IntoView {
    let busy = move || state.outcome.with(|outcome| matches!(outcome, Outcome::Busy));
    view! {
        <div class="buttons">
            <button type="button" class="button" data-testid="provider-test" disabled=busy on:click=move |_| state.test()>
                {t(key::P_TEST)}
            </button>
            <button type="button" class="button" data-testid="provider-save" disabled=busy on:click=move |_| state.save(false)>
                {t(key::P_SAVE)}
            </button>
            <button
                type="button"
                class="button primary"
                data-testid="provider-use"
                disabled=move || busy() || active.get()
                on:click=move |_| state.save(true)
            >
                {t(key::P_USE)}
            </button>
        </div>
    }
    .into_any()
}

#[component]
fn CommandsButtons(state: State, active: Signal<bool>) -> impl IntoView {
    view! {
        <div class="buttons">
            <button
                type="button"
                class="button primary"
                data-testid="provider-use"
                disabled=active
                on:click=move |_| state.save(true)
            >
                {t(key::P_USE)}
            </button>
        </div>
    }
    .into_any()
}

#[component]
fn OutcomeView(state: State) -> impl IntoView {
    let words = move || match state.outcome.get() {
        Outcome::None => None,
        Outcome::Busy => Some(("outcome", t(key::P_TESTING))),
        Outcome::Good(words) => Some(("outcome good", words)),
        Outcome::Bad(message) => Some(("outcome bad", tm(&message))),
        Outcome::BadForm(key) => Some(("outcome bad", t(key))),
    };
    view! {
        <div role="status" data-testid="provider-outcome">
            {move || words().map(|(class, words)| view! { <p class=class>{words}</p> })}
        </div>
    }
    .into_any()
}

/// The button that removes a server of the user's own.
fn remove(state: State, gone: impl Fn() + Clone + 'static) -> AnyView {
    let removed = move || {
        let id = state.id.get_value();
        gone();
        state.shared.change(storage_keys::PROVIDERS, move |stored| store::with_provider(stored, &id, None));
    };
    twice("provider-remove", key::P_REMOVE, key::P_REMOVE_ASK, removed)
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
}
