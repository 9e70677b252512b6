//! The fields of a provider's card.

use crate::i18n::{key, t};
use crate::settings::form::{Form, State};
use leptos::prelude::*;
use webbrain_protocol::Tier;

/// All of them; a server of the user's own has a name too.
#[component]
pub fn Fields(state: State) -> impl IntoView {
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
