//! "Find local servers".

use crate::i18n::{key, t, tf};
use crate::settings::Shared;
use crate::{messages, providers, shim, store, task};
use leptos::prelude::*;
use serde_json::Value;
use webbrain_protocol::message::{LocalServer, Request};
use webbrain_protocol::settings::storage_keys;
use webbrain_protocol::text::Msg;

#[derive(Clone)]
enum Search {
    NotYet,
    Running,
    Found(Vec<LocalServer>),
    Failed(Msg),
}

/// The button and what it found.
#[component]
pub fn Detect(shared: Shared) -> impl IntoView {
    let search = RwSignal::new(Search::NotYet);
    let look = move |_| {
        search.set(Search::Running);
        task::spawn(move |error| search.set(Search::Failed(error.message())), async move {
            let response = shim::ask(&Request::DetectLocalServers {}).await?;
            search.set(Search::Found(response.servers.unwrap_or_default()));
            Ok(())
        });
    };
    let running = move || search.with(|search| matches!(search, Search::Running));
    let outcome = move || match search.get() {
        Search::NotYet => view! { <span class="row-about">{t(key::DETECT_ABOUT)}</span> }.into_any(),
        Search::Running => view! { <span class="row-about">{t(key::DETECTING)}</span> }.into_any(),
        Search::Failed(message) => view! { <span class="outcome bad">{messages::words(&message)}</span> }.into_any(),
        Search::Found(servers) if servers.is_empty() => {
            view! { <span class="row-about">{t(key::DETECT_NONE)}</span> }.into_any()
        }
        Search::Found(servers) => {
            let rows = servers.into_iter().map(|server| found(shared, server)).collect_view();
            view! { <ul class="servers">{rows}</ul> }.into_any()
        }
    };
    view! {
        <div class="sheet detect">
            <button type="button" class="button" data-testid="detect-local" disabled=running on:click=look>
                {t(key::DETECT)}
            </button>
            <div class="detect-outcome" role="status">{outcome}</div>
        </div>
    }
    .into_any()
}

fn found(shared: Shared, server: LocalServer) -> AnyView {
    let name = providers::name(&server.provider_id, None);
    let models = (!server.models.is_empty()).then(|| {
        let some = server.models.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
        view! { <span class="row-about">{tf(key::DETECT_MODELS, &[("models", &some)])}</span> }
    });
    let address = server.base_url.clone();
    let id = server.provider_id.clone();
    let take = move |_| {
        let server = server.clone();
        task::spawn(move |error| shared.tell(&error), adopt(shared, server));
    };
    view! {
        <li class="server" data-testid="local-server" data-provider=id>
            <span class="row-text">
                <span class="row-label">{name}</span>
                <span class="row-about" dir="ltr">{address}</span>
                {models}
            </span>
            <button type="button" class="button" data-testid="local-use" on:click=take>{t(key::DETECT_USE)}</button>
        </li>
    }
    .into_any()
}

/// Saves a server that was found and makes it the active one; what the user had set otherwise stays.
async fn adopt(shared: Shared, server: LocalServer) -> Result<(), crate::error::PanelError> {
    let id = server.provider_id.clone();
    shared
        .replace(storage_keys::PROVIDERS, |stored| {
            let mut config = store::providers(stored).providers.remove(&server.provider_id).unwrap_or_default();
            config.base_url.clone_from(&server.base_url);
            if !server.models.contains(&config.model) {
                config.model = server.models.first().cloned().unwrap_or_default();
            }
            store::with_provider(stored, &server.provider_id, Some(&config))
        })
        .await?;
    shared.replace(storage_keys::ACTIVE_PROVIDER, |_| Value::String(id.clone())).await
}
