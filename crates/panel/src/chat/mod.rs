//! The side panel.

mod cards;
mod composer;
mod header;
mod items;
mod list;
mod scroll;
mod session;
pub mod words;

use crate::error::PanelError;
use crate::{dom, shim, task};
use composer::Composer;
use header::Header;
use leptos::prelude::*;
use list::Messages;
pub use session::Panel;
use webbrain_protocol::TabId;

/// The whole side panel.
#[component]
pub fn Page() -> impl IntoView {
    let panel = Panel::new();
    panel.listen();
    task::spawn(move |error| panel.tell(&error), choose_tab(panel));
    let stop_on_escape = window_event_listener(leptos::ev::keydown, move |event| {
        let free = !event.default_prevented() && !event.is_composing() && event.key() == "Escape";
        if free && panel.close_popup() {
            event.prevent_default();
        } else if free && panel.status.get_untracked().is_live() {
            event.prevent_default();
            panel.stop();
        }
    });
    on_cleanup(move || stop_on_escape.remove());
    view! {
        <Header panel />
        <Messages panel />
        <Composer panel />
        <div class="sr-only" aria-live="polite">{panel.announcement}</div>
    }
}

/// The tab that the address names, for good; else the active tab of the page's window, as it changes.
async fn choose_tab(panel: Panel) -> Result<(), PanelError> {
    if let Some(tab) = dom::parameter("tabId").and_then(|id| id.parse::<TabId>().ok()) {
        panel.show_tab(tab);
        return Ok(());
    }
    let own = shim::current_window_id().await?;
    shim::on_tab_activated(move |tab, window| {
        if own.is_none_or(|own| own == window) {
            panel.show_tab(tab);
        }
    });
    if let Some(tab) = shim::active_tab().await? {
        panel.show_tab(tab);
    }
    Ok(())
}
