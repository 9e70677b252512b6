//! One provider's card: its fields, saved only when the user says so.

use crate::i18n::{key, t};
use crate::settings::fields::Fields;
use crate::settings::form::{Form, Outcome, State};
use crate::settings::providers::{category_key, own_server};
use crate::settings::{Shared, twice};
use crate::{dom, icons, messages, providers, store, task};
use leptos::html::{Details, Div};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::ScrollLogicalPosition;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, ProviderConfig, storage_keys};
use webbrain_wire::catalogue;

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
    let state = State::new(shared, id.clone(), config, Form::of(&first));
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
    count_unsaved(state);
    let root = NodeRef::<Details>::new();
    Effect::new(move || {
        if let Some(root) = root.get().filter(|_| fresh) {
            request_animation_frame(move || present(&root));
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
        <details
            class="provider-card"
            data-testid="provider-card"
            data-provider=id.clone()
            hidden=move || !shown.get()
            open=fresh
            node_ref=root
        >
            <Summary state active=is_active.into() />
            <div class="card-body">{body}</div>
        </details>
    }
    .into_any()
}

/// Keeps the page's record of cards whose edits would be lost.
fn count_unsaved(state: State) {
    let record = state.shared.unsaved;
    let id = state.id.get_value();
    let name = id.clone();
    Effect::new(move || {
        let unsaved = state.is_unsaved();
        if record.with_untracked(|record| record.contains(&name)) != unsaved {
            record.update(|record| {
                if unsaved {
                    record.insert(name.clone())
                } else {
                    record.remove(&name)
                };
            });
        }
    });
    on_cleanup(move || {
        record.try_update(|record| record.remove(&id));
    });
}

/// Brings a new card into view, and the keyboard to its first field.
fn present(root: &web_sys::HtmlElement) {
    dom::bring_into_view(root, ScrollLogicalPosition::Start);
    let first = root.query_selector("input").ok().flatten().and_then(|input| input.dyn_into().ok());
    if let Some(first) = first {
        dom::focus(&first);
    }
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
        // Of what is typed, so that an address tells where it is before it is saved. Without one there is nothing to tell.
        move || {
            let base_url = state.form.with(|form| form.base_url.trim().to_owned());
            if catalogue::find(&id).is_none() && base_url.is_empty() {
                return String::new();
            }
            let config = ProviderConfig { base_url, ..state.config.get().unwrap_or_default() };
            t(category_key(providers::category(&id, Some(&config))))
        }
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
    let unsaved = move || state.is_unsaved().then(|| view! { <span class="badge warn">{t(key::P_UNSAVED)}</span> });
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
        Outcome::Busy => Some(("outcome", t(key::P_TESTING), None)),
        Outcome::Good(words) => Some(("outcome good", words, None)),
        Outcome::Bad(message) => Some(("outcome bad", messages::words(&message), messages::said(&message))),
        Outcome::BadForm(key) => Some(("outcome bad", t(key), None)),
    };
    let root = NodeRef::<Div>::new();
    Effect::new(move || {
        if state.outcome.with(|outcome| *outcome == Outcome::None) {
            return;
        }
        // The words are there with the next frame.
        request_animation_frame(move || {
            if let Some(root) = root.get_untracked() {
                dom::bring_into_view(&root, ScrollLogicalPosition::Nearest);
            }
        });
    });
    let lines = move || {
        words().map(|(class, words, said)| {
            let said = said.map(|said| view! { <p class="outcome">{said}</p> });
            view! { <p class=class>{words}</p> {said} }
        })
    };
    view! {
        <div class="outcomes" role="status" data-testid="provider-outcome" node_ref=root>
            {lines}
        </div>
    }
    .into_any()
}

/// The button that removes a server of the user's own.
fn remove(state: State, gone: impl Fn() + Clone + 'static) -> AnyView {
    let removed = move || {
        let id = state.id.get_value();
        let shared = state.shared;
        gone();
        task::spawn(move |error| shared.tell(&error), async move {
            // First of all nothing may lead to a server that is gone.
            shared.replace(storage_keys::ACTIVE_PROVIDER, |stored| store::without_active(stored, &id)).await?;
            shared.replace(storage_keys::PROVIDERS, |stored| store::with_provider(stored, &id, None)).await
        });
    };
    twice("provider-remove", key::P_REMOVE, key::P_REMOVE_ASK, removed)
}
