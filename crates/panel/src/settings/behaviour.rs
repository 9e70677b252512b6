//! Section "Behaviour": limits, theme, detail. Every change is saved at once.

use crate::i18n::{key, t};
use crate::settings::{Shared, switch};
use crate::{store, theme};
use leptos::prelude::*;
use serde_json::{Value, json};
use webbrain_protocol::settings::{Settings, storage_keys};

/// Bounds of the answer timeout, s.
const TIMEOUT: std::ops::RangeInclusive<u32> = 10..=600;

/// The section.
#[component]
pub fn Behaviour(shared: Shared) -> impl IntoView {
    let defaults = Settings::default();
    let steps = move || {
        store::number(shared.value(storage_keys::MAX_AGENT_STEPS).as_ref(), 0..=u32::MAX, defaults.max_agent_steps)
    };
    let timeout = move || {
        let range = TIMEOUT.start() * 1000..=TIMEOUT.end() * 1000;
        store::number(shared.value(storage_keys::REQUEST_TIMEOUT_MS).as_ref(), range, defaults.request_timeout_ms)
    };
    let verbose = move || store::flag(shared.value(storage_keys::VERBOSE).as_ref(), false);
    let theme = move || shared.value(storage_keys::THEME_MODE);
    view! {
        <section class="panel-section">
            <h2>{t(key::SET_BEHAVIOUR)}</h2>
            <div class="sheet">
                <StepLimit shared position=Signal::derive(move || store::steps_position(steps().0)) />
                <Timeout shared seconds=Signal::derive(move || timeout().0 / 1000) />
                <Theme shared theme=Signal::derive(move || theme().and_then(|t| t.as_str().map(str::to_owned))) />
                {switch(
                    "setting-verbose",
                    key::B_VERBOSE,
                    key::B_VERBOSE_ABOUT,
                    move || verbose().0,
                    move |on| shared.save(storage_keys::VERBOSE, Value::Bool(on)),
                )}
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn StepLimit(shared: Shared, position: Signal<u32>) -> impl IntoView {
    let shown = RwSignal::new(position.get_untracked());
    Effect::new(move || shown.set(position.get()));
    let words = move || match shown.get() {
        store::STEPS_UNLIMITED.. => t(key::B_STEPS_NONE),
        steps => steps.to_string(),
    };
    let read = |event: &web_sys::Event| event_target_value(event).parse::<u32>().unwrap_or(store::STEPS_UNLIMITED);
    let save = move |event: web_sys::Event| {
        shared.save(storage_keys::MAX_AGENT_STEPS, json!(store::steps_stored(read(&event))));
    };
    view! {
        <label class="row">
            <span class="row-text">
                <span class="row-label">{t(key::B_STEPS)}</span>
                <span class="row-about">{t(key::B_STEPS_ABOUT)}</span>
            </span>
            <span class="slider">
                <input
                    type="range"
                    min="5"
                    max="200"
                    step="5"
                    data-testid="setting-steps"
                    aria-valuetext=words
                    prop:value=move || shown.get().to_string()
                    on:input=move |event| shown.set(read(event.as_ref()))
                    on:change=save
                />
                <output>{words}</output>
            </span>
        </label>
    }
    .into_any()
}

#[component]
fn Timeout(shared: Shared, seconds: Signal<u32>) -> impl IntoView {
    let save = move |event: web_sys::Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&event);
        match input.value().trim().parse::<u32>() {
            Ok(typed) => {
                let kept = typed.clamp(*TIMEOUT.start(), *TIMEOUT.end());
                input.set_value(&kept.to_string());
                shared.save(storage_keys::REQUEST_TIMEOUT_MS, json!(kept * 1000));
            }
            Err(_) => input.set_value(&seconds.get_untracked().to_string()),
        }
    };
    view! {
        <label class="row">
            <span class="row-text">
                <span class="row-label">{t(key::B_TIMEOUT)}</span>
                <span class="row-about">{t(key::B_TIMEOUT_ABOUT)}</span>
            </span>
            <input
                type="number"
                class="short"
                min=TIMEOUT.start().to_string()
                max=TIMEOUT.end().to_string()
                data-testid="setting-timeout"
                prop:value=move || seconds.get().to_string()
                on:change=save
            />
        </label>
    }
    .into_any()
}

#[component]
fn Theme(shared: Shared, theme: Signal<Option<String>>) -> impl IntoView {
    let option = move |value: &'static str, label: &'static str| {
        let on = move || theme.with(|theme| theme.as_deref().unwrap_or("system") == value);
        let choose = move |_| {
            let stored = Value::String(value.to_owned());
            theme::adopt(Some(&stored));
            shared.save(storage_keys::THEME_MODE, stored);
        };
        view! {
            <button
                type="button"
                class="mode"
                data-testid=format!("theme-{value}")
                aria-pressed=move || on().to_string()
                on:click=choose
            >
                {t(label)}
            </button>
        }
    };
    view! {
        <div class="row">
            <span class="row-text"><span class="row-label">{t(key::B_THEME)}</span></span>
            <div class="modes" role="group" aria-label=t(key::B_THEME)>
                {option("system", key::B_SYSTEM)} {option("light", key::B_LIGHT)} {option("dark", key::B_DARK)}
            </div>
        </div>
    }
    .into_any()
}
