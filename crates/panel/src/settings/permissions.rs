//! Section "Permissions": whether to ask, and what was decided for good.

use crate::chat::words;
use crate::i18n::{key, t, tf};
use crate::settings::{Shared, notice, switch, twice};
use crate::store;
use leptos::prelude::*;
use serde_json::Value;
use webbrain_protocol::permission::{Action, Grant};
use webbrain_protocol::settings::storage_keys;

/// The section.
#[component]
pub fn Permissions(shared: Shared) -> impl IntoView {
    let ask = move || store::flag(shared.value(storage_keys::ASK_BEFORE).as_ref(), true);
    let grants = move || store::grants(shared.value(storage_keys::PERMISSIONS).as_ref());
    let rows = move || {
        let grants = grants().0;
        if grants.is_empty() {
            return view! { <p class="empty">{t(key::G_NONE)}</p> }.into_any();
        }
        let rows = grants.into_iter().map(|grant| row(shared, grant)).collect_view();
        let clear = move || shared.save(storage_keys::PERMISSIONS, Value::Array(Vec::new()));
        view! {
            <ul class="grants">{rows}</ul>
            <div class="buttons">{twice("grants-clear", key::G_CLEAR, key::G_CLEAR_ASK, clear)}</div>
        }
        .into_any()
    };
    view! {
        <section class="panel-section">
            <h2>{t(key::SET_PERMISSIONS)}</h2>
            <div class="sheet">
                {switch(
                    "setting-ask",
                    key::G_ASK,
                    key::G_ASK_ABOUT,
                    move || ask().0,
                    move |on| shared.save(storage_keys::ASK_BEFORE, Value::Bool(on)),
                )}
                {move || (!ask().0).then(|| notice(t(key::G_OFF_WARNING)))}
            </div>
            <h3>{t(key::G_LIST)}</h3>
            <div class="sheet">{rows}</div>
        </section>
    }
    .into_any()
}

fn row(shared: Shared, grant: Grant) -> AnyView {
    let what = t(words::capability_key(grant.capability));
    let (sentence, class) = match grant.action {
        Action::Allow => (key::G_ALLOWED, "grant-what"),
        Action::Deny => (key::G_DENIED, "grant-what denied"),
    };
    let host = grant.host.clone();
    let label = format!("{}: {host}", t(key::G_REVOKE));
    let revoke = move |_| {
        let grant = grant.clone();
        shared.change(storage_keys::PERMISSIONS, move |stored| store::without_grant(stored, &grant));
    };
    view! {
        <li class="grant" data-testid="grant" data-host=host.clone()>
            <span class="grant-host" dir="ltr">{host.clone()}</span>
            <span class=class>{tf(sentence, &[("what", &what)])}</span>
            <button type="button" class="button quiet" data-testid="grant-revoke" aria-label=label on:click=revoke>
                {t(key::G_REVOKE)}
            </button>
        </li>
    }
    .into_any()
}
