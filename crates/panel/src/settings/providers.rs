//! Section "Models": a card for each provider.

use crate::i18n::{key, t};
use crate::settings::card::Card;
use crate::settings::detect::Detect;
use crate::settings::{Shared, new_id};
use crate::{providers, store};
use leptos::prelude::*;
use std::collections::BTreeSet;
use webbrain_protocol::settings::{Category, ProviderConfig, storage_keys};
use webbrain_wire::catalogue;

/// Categories of the filter, with their words.
const CATEGORIES: [(Category, &str); 4] = [
    (Category::Builtin, key::CAT_BUILTIN),
    (Category::Local, key::CAT_LOCAL),
    (Category::Cloud, key::CAT_CLOUD),
    (Category::Router, key::CAT_ROUTER),
];

/// Key of a category's word.
pub fn category_key(category: Category) -> &'static str {
    CATEGORIES.iter().find(|(known, _)| *known == category).map_or(key::CAT_CLOUD, |(_, label)| *label)
}

/// The section.
#[component]
pub fn Providers(shared: Shared) -> impl IntoView {
    let read = Memo::new(move |_| store::providers(shared.value(storage_keys::PROVIDERS).as_ref()));
    let active = Memo::new(move |_| {
        let stored = shared.value(storage_keys::ACTIVE_PROVIDER);
        read.with(|read| providers::active(stored.as_ref().and_then(|id| id.as_str()), &read.providers))
    });
    // Cards that were added and not saved yet.
    let added = RwSignal::new(BTreeSet::<String>::new());
    let ids = Memo::new(move |_| {
        let mut ids: Vec<String> =
            catalogue::entries().iter().filter(|e| e.id != catalogue::CUSTOM).map(|e| e.id.to_owned()).collect();
        let own = read.with(|read| read.providers.keys().cloned().collect::<BTreeSet<_>>());
        let own = own.union(&added.get()).filter(|id| !ids.contains(id)).cloned().collect::<Vec<_>>();
        ids.extend(own);
        ids
    });
    let words = RwSignal::new(String::new());
    let category = RwSignal::new(None::<Category>);
    let matches = move |id: &str| {
        read.with(|read| {
            let config = read.providers.get(id);
            let wanted = words.with(|words| fold(words));
            let named = fold(&providers::name(id, config)).contains(&wanted) || id.contains(&wanted);
            named && category.get().is_none_or(|wanted| wanted == providers::category(id, config))
        })
    };
    let nothing = move || (!ids.with(|ids| ids.iter().any(|id| matches(id)))).then(|| t(key::SET_NONE));
    let add = move |_| {
        let id = new_id();
        words.set(String::new());
        category.set(None);
        added.update(|added| {
            added.insert(id);
        });
    };
    let card = move |id: String| {
        let key = id.clone();
        let config = Memo::new(move |_| read.with(|read| read.providers.get(&key).cloned()));
        let shown = {
            let id = id.clone();
            Signal::derive(move || matches(&id))
        };
        let fresh = added.with_untracked(|added| added.contains(&id));
        let gone = {
            let id = id.clone();
            move || {
                added.update(|added| {
                    added.remove(&id);
                });
            }
        };
        view! { <Card shared id config=config.into() active=active.into() shown fresh gone /> }
    };
    view! {
        <section class="panel-section">
            <h2>{t(key::SET_PROVIDERS)}</h2>
            <p class="about">{t(key::SET_PROVIDERS_ABOUT)}</p>
            <Detect shared />
            <div class="filters">
                <input
                    type="search"
                    data-testid="provider-search"
                    placeholder=t(key::SET_SEARCH)
                    aria-label=t(key::SET_SEARCH)
                    prop:value=words
                    on:input=move |event| words.set(event_target_value(&event))
                />
                <CategorySelect category />
            </div>
            <div class="cards">
                <For each=move || ids.get() key=|id| id.clone() children=card />
                <p class="empty">{nothing}</p>
            </div>
            <button type="button" class="button" data-testid="add-custom" on:click=add>{t(key::P_ADD)}</button>
        </section>
    }
    .into_any()
}

#[component]
fn CategorySelect(category: RwSignal<Option<Category>>) -> impl IntoView {
    let changed = move |event| {
        let index = event_target_value(&event).parse::<usize>().ok();
        category.set(index.and_then(|index| CATEGORIES.get(index)).map(|(category, _)| *category));
    };
    let option = move |(index, (this, label)): (usize, (Category, &'static str))| {
        view! { <option value=index.to_string() selected=move || category.get() == Some(this)>{t(label)}</option> }
    };
    view! {
        <select data-testid="provider-category" aria-label=t(key::SET_FILTER) on:change=changed>
            <option value="" selected=move || category.get().is_none()>{t(key::SET_ALL)}</option>
            {CATEGORIES.into_iter().enumerate().map(option).collect_view()}
        </select>
    }
    .into_any()
}

/// Text without case, for searching.
fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

/// What a new card of the user's own starts with.
pub fn own_server() -> ProviderConfig {
    ProviderConfig { label: Some(t(key::P_CUSTOM)), ..ProviderConfig::default() }
}
