//! The settings page. It reads and writes `storage.local` itself; the background reads it at every model call.

mod behaviour;
mod card;
mod detect;
mod fields;
mod form;
mod permissions;
mod providers;

use crate::error::PanelError;
use crate::i18n::{key, t, tf};
use crate::{dom, icons, messages, shim, store, task};
use leptos::prelude::*;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use webbrain_protocol::settings::storage_keys;
use webbrain_protocol::text::Msg;

/// Keys of `storage.local` that the page shows.
const KEYS: &[&str] = &[
    storage_keys::PROVIDERS,
    storage_keys::ACTIVE_PROVIDER,
    storage_keys::PERMISSIONS,
    storage_keys::MAX_AGENT_STEPS,
    storage_keys::REQUEST_TIMEOUT_MS,
    storage_keys::ASK_BEFORE,
    storage_keys::THEME_MODE,
    storage_keys::VERBOSE,
];

/// What the sections share.
#[derive(Clone, Copy)]
pub struct Shared {
    /// What is stored, as it is.
    pub stored: RwSignal<Map<String, Value>>,
    /// A failure to tell.
    pub failure: RwSignal<Option<Msg>>,
    /// Cards with edits that are not stored.
    pub unsaved: RwSignal<BTreeSet<String>>,
}

impl Shared {
    fn new() -> Self {
        Shared {
            stored: RwSignal::new(Map::new()),
            failure: RwSignal::new(None),
            unsaved: RwSignal::new(BTreeSet::new()),
        }
    }

    /// Tells a failure.
    pub fn tell(self, error: &PanelError) {
        self.failure.set(Some(error.message()));
    }

    /// Reads everything again.
    pub async fn reload(self) -> Result<(), PanelError> {
        self.stored.set(shim::load(KEYS).await?);
        Ok(())
    }

    /// What is stored under a key, tracked.
    pub fn value(self, key: &str) -> Option<Value> {
        self.stored.with(|stored| stored.get(key).cloned())
    }

    /// Writes one key.
    pub fn save(self, key: &'static str, value: Value) {
        self.change(key, move |_| value.clone());
    }

    /// Replaces what is stored under a key at this moment.
    pub fn change(self, key: &'static str, new: impl Fn(Option<&Value>) -> Value + 'static) {
        task::spawn(move |error| self.tell(&error), async move { self.replace(key, new).await });
    }

    /// Replaces what is stored under a key at this moment, and reads everything again.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn replace(self, key: &str, new: impl Fn(Option<&Value>) -> Value) -> Result<(), PanelError> {
        let now = shim::load(&[key]).await?;
        shim::save(key, new(now.get(key))).await?;
        self.failure.set(None);
        self.reload().await
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Providers,
    Behaviour,
    Permissions,
}

impl Section {
    const ALL: [Section; 3] = [Section::Providers, Section::Behaviour, Section::Permissions];

    fn name(self) -> &'static str {
        match self {
            Section::Providers => "providers",
            Section::Behaviour => "behaviour",
            Section::Permissions => "permissions",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Section::Providers => key::SET_PROVIDERS,
            Section::Behaviour => key::SET_BEHAVIOUR,
            Section::Permissions => key::SET_PERMISSIONS,
        }
    }

    fn of_address() -> Section {
        let hash = window().location().hash().unwrap_or_default();
        let named = Section::ALL.into_iter().find(|section| hash.trim_start_matches('#') == section.name());
        named.unwrap_or(Section::Providers)
    }
}

/// The whole settings page.
#[component]
pub fn Page() -> impl IntoView {
    let shared = Shared::new();
    let ready = RwSignal::new(false);
    let section = RwSignal::new(Section::of_address());
    task::spawn(move |error| shared.tell(&error), async move {
        let read = shared.reload().await;
        ready.set(true);
        read
    });
    shim::on_local_change(move |_| task::spawn(move |error| shared.tell(&error), shared.reload()));
    let hash = window_event_listener(leptos::ev::hashchange, move |_| section.set(Section::of_address()));
    // The browser asks whether to leave, in its own words.
    let leaving = window_event_listener(leptos::ev::beforeunload, move |event| {
        if !shared.unsaved.with_untracked(BTreeSet::is_empty) {
            event.prevent_default();
        }
    });
    on_cleanup(move || {
        hash.remove();
        leaving.remove();
    });
    let tab = move |this: Section| {
        let current = move || (section.get() == this).then_some("page");
        view! {
            <a class="nav-link" href=format!("#{}", this.name()) data-testid=format!("nav-{}", this.name()) aria-current=current>
                {t(this.label())}
            </a>
        }
    };
    // The sections stay, hidden, so that unsaved edits do.
    let sections = move || {
        ready.get().then(|| {
            view! {
                <div hidden=move || section.get() != Section::Providers><providers::Providers shared /></div>
                <div hidden=move || section.get() != Section::Behaviour><behaviour::Behaviour shared /></div>
                <div hidden=move || section.get() != Section::Permissions><permissions::Permissions shared /></div>
            }
            .into_any()
        })
    };
    view! {
        <div class="settings">
            <nav class="side" aria-label=t(key::SET_NAV)>
                <div class="brand">{icons::logo()}<h1 class="brand-name">{t(key::SET_TITLE)}</h1></div>
                <div class="nav-links">{Section::ALL.map(tab).into_iter().collect_view()}</div>
            </nav>
            <main class="sections">
                {move || shared.failure.get().map(|message| notice(messages::words(&message)))}
                {move || shared.stored.with(unreadable)}
                {sections}
            </main>
        </div>
    }
    .into_any()
}

/// A warning within the page.
fn notice(text: String) -> AnyView {
    view! {
        <div class="notice warning boxed" role="status">
            {icons::icon(icons::ALERT)} <span data-testid="notice">{text}</span>
        </div>
    }
    .into_any()
}

/// One warning about all records that could not be read.
fn unreadable(stored: &Map<String, Value>) -> Option<AnyView> {
    let records = store::unreadable(stored);
    let names = messages::records(records.iter().map(String::as_str));
    (!records.is_empty()).then(|| notice(tf(key::SET_UNREADABLE, &[("records", &names)])))
}

/// A switch with its explanation.
fn switch(
    test_id: &'static str,
    label: &'static str,
    about: &'static str,
    on: impl Fn() -> bool + Send + Sync + 'static,
    changed: impl Fn(bool) + 'static,
) -> AnyView {
    view! {
        <label class="row">
            <span class="row-text">
                <span class="row-label">{t(label)}</span>
                <span class="row-about">{t(about)}</span>
            </span>
            <input
                type="checkbox"
                class="switch"
                role="switch"
                data-testid=test_id
                prop:checked=on
                on:change=move |event| changed(event_target_checked(&event))
            />
        </label>
    }
    .into_any()
}

/// A button that does something only when pressed a second time.
fn twice(
    test_id: &'static str,
    label: &'static str,
    question: &'static str,
    confirmed: impl Fn() + 'static,
) -> AnyView {
    let asked = RwSignal::new(false);
    let press = move |_| {
        if asked.get_untracked() {
            asked.set(false);
            confirmed();
        } else {
            asked.set(true);
        }
    };
    view! {
        <button
            type="button"
            class="button quiet"
            class:danger=asked
            data-testid=test_id
            on:click=press
            on:blur=move |_| asked.set(false)
        >
            {move || t(if asked.get() { question } else { label })}
        </button>
    }
    .into_any()
}

/// A new id for a server that the user adds.
fn new_id() -> String {
    let unique = dom::unique_id();
    format!("custom_{}", unique.split('-').next().unwrap_or(&unique))
}
