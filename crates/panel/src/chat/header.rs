//! The top of the panel: product, provider, settings, clear.

use crate::chat::Panel;
use crate::i18n::{key, t};
use crate::{icons, providers};
use leptos::html::Button;
use leptos::prelude::*;

/// Value of the choice that leads to the settings.
const SET_UP: &str = "+";

/// The header with its provider choice and the question before clearing.
#[component]
pub fn Header(panel: Panel) -> impl IntoView {
    let clear_button = NodeRef::<Button>::new();
    view! {
        <header class="top">
            <div class="brand">{icons::logo()}<span class="brand-name">{t(key::APP_NAME)}</span></div>
            <ProviderSelect panel />
            <button
                type="button"
                class="icon-button"
                data-testid="clear"
                node_ref=clear_button
                title=t(key::CLEAR)
                aria-label=t(key::CLEAR)
                disabled=move || panel.rows.with(Vec::is_empty)
                on:click=move |_| panel.clearing.update(|open| *open = !*open)
            >
                {icons::icon(icons::TRASH)}
            </button>
            <button
                type="button"
                class="icon-button"
                data-testid="open-settings"
                title=t(key::SETTINGS)
                aria-label=t(key::SETTINGS)
                on:click=move |_| panel.open_settings()
            >
                {icons::icon(icons::GEAR)}
            </button>
            {move || panel.clearing.get().then(|| view! { <ClearQuestion panel back=clear_button /> })}
        </header>
    }
    .into_any()
}

#[component]
fn ProviderSelect(panel: Panel) -> impl IntoView {
    let options = move || {
        let active = panel.active.get();
        panel.providers.with(|record| {
            let option = |id: String| {
                let config = record.get(&id);
                let mut label = providers::name(&id, config);
                if let Some(model) = config.map(|c| c.model.as_str()).filter(|model| !model.is_empty()) {
                    label = format!("{label} · {model}");
                }
                let selected = id == active;
                view! { <option value=id selected=selected>{label}</option> }
            };
            providers::choices(record, &active).into_iter().map(option).collect_view()
        })
    };
    let chosen = move |event| {
        let value = event_target_value(&event);
        if value == SET_UP {
            event_target::<web_sys::HtmlSelectElement>(&event).set_value(&panel.active.get_untracked());
            panel.open_settings();
        } else {
            panel.choose_provider(value);
        }
    };
    view! {
        <select class="provider" data-testid="provider-select" aria-label=t(key::PROVIDER_LABEL) on:change=chosen>
            {options}
            <option value=SET_UP>{t(key::PROVIDER_SETUP)}</option>
        </select>
    }
    .into_any()
}

#[component]
fn ClearQuestion(panel: Panel, back: NodeRef<Button>) -> impl IntoView {
    let first = NodeRef::<Button>::new();
    Effect::new(move || {
        if let Some(button) = first.get() {
            crate::dom::focus(&button);
        }
    });
    let cancel = move |_| {
        panel.clearing.set(false);
        if let Some(button) = back.get_untracked() {
            crate::dom::focus(&button);
        }
    };
    view! {
        <div class="popover" role="alertdialog" aria-label=t(key::CLEAR)>
            <p>{t(key::CLEAR_ASK)}</p>
            <div class="buttons">
                <button type="button" class="button" node_ref=first data-testid="clear-cancel" on:click=cancel>
                    {t(key::CANCEL)}
                </button>
                <button type="button" class="button danger" data-testid="clear-confirm" on:click=move |_| panel.clear()>
                    {t(key::CLEAR_YES)}
                </button>
            </div>
        </div>
    }
    .into_any()
}
