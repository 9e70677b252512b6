//! Tab calls: navigation, history, new tabs.

use crate::app::Actor;
use crate::leave::Leave;
use crate::{frames, host, page, platform};
use webbrain_core::{ToolOutcome, ToolReport};
use webbrain_tools::{PageRequest, TabCall};

/// ms for the new document to arrive.
const COMMIT_MS: u64 = 20_000;
/// ms for a move in history to begin.
const HISTORY_MS: u64 = 4_000;
const POLL_MS: u32 = 50;
const NOT_OPENED: &str = "The browser did not open it.";
const STILL_LOADING: &str =
    "The page has come but is still loading: wait for it, or read what is there. Refs of the page before are void.";
/// Fields with unsaved input from which on leaving needs `force`. Source: reference `tools.md` 2.2.
const DIRTY_FIELDS: u32 = 2;

/// Carries a tab call of a run out and reports it.
pub(crate) async fn run(actor: &Actor, call: TabCall, leave: &Leave) -> ToolReport {
    match call {
        TabCall::Navigate(n) => {
            if let Some(refusal) = unsaved(actor, n.force, leave).await {
                return refusal;
            }
            let before = Before::now(actor).await;
            if let Some(refusal) = page::refusal(actor, leave).await {
                return refusal;
            }
            match host::tabs_update(actor.tab, &serde_json::json!({ "url": n.url })).await {
                Err(error) => page::failure(actor, NOT_OPENED, &error.to_string()).await,
                Ok(()) => arrived(actor, before, Some(&n.url), COMMIT_MS).await,
            }
        }
        TabCall::GoBack(back) => go(actor, -steps(back.steps), back.force, leave).await,
        TabCall::GoForward(forward) => go(actor, steps(forward.steps), forward.force, leave).await,
        TabCall::NewTab(new) => open(actor, &new.url, leave).await,
    }
}

fn steps(asked: Option<u32>) -> i32 {
    i32::try_from(asked.unwrap_or(1).clamp(1, 10)).unwrap_or(1)
}

async fn go(actor: &Actor, delta: i32, force: Option<bool>, leave: &Leave) -> ToolReport {
    if let Some(refusal) = unsaved(actor, force, leave).await {
        return refusal;
    }
    let before = Before::now(actor).await;
    if let Some(refusal) = page::refusal(actor, leave).await {
        return refusal;
    }
    if let Err(error) = host::history(actor.tab, delta).await {
        return page::failure(actor, "There is no such page in the tab's history.", &error.to_string()).await;
    }
    arrived(actor, before, None, HISTORY_MS).await
}

/// Where the tab was before it was told to move.
struct Before {
    commits: u32,
    url: String,
}

impl Before {
    async fn now(actor: &Actor) -> Self {
        let url = page::place(actor.tab).await.map(|p| p.url).unwrap_or_default();
        Before { commits: actor.commits(frames::TOP), url }
    }
}

/// Waits for the new document and says where the tab is.
async fn arrived(actor: &Actor, before: Before, wanted: Option<&str>, limit_ms: u64) -> ToolReport {
    let began = platform::now();
    let mut moved = false;
    let mut loading = false;
    while platform::now() < began + limit_ms {
        platform::sleep(POLL_MS).await;
        let Ok(tab) = host::tabs_get(actor.tab).await else { break };
        let url = tab.url.unwrap_or_default();
        let there = actor.commits(frames::TOP) != before.commits || url != before.url;
        // The same address with another fragment commits no document.
        let same = wanted.is_some_and(|w| w == url) && platform::now() > began + 500;
        loading = tab.status.as_deref() == Some("loading");
        moved = there || (same && !loading);
        if moved && !loading {
            break;
        }
    }
    if !moved {
        let words = match wanted {
            Some(_) => "The page did not arrive; the tab is where it was.",
            None => "Nothing there in the tab's history; the tab is where it was.",
        };
        return page::failure(actor, words, "").await;
    }
    let status = page::send(actor, frames::TOP, &PageRequest::Status {}, &Leave::free(), 8_000).await;
    if let Err(error) = &status
        && page::error_page(error)
    {
        return page::failure(actor, "The page could not be loaded: the tab shows the browser's error page.", "").await;
    }
    let place = page::place(actor.tab).await;
    let now = place.clone().unwrap_or_default();
    let words = if loading { STILL_LOADING } else { "The page has loaded. Refs of the page before are void." };
    ToolReport {
        outcome: ToolOutcome::Ok,
        own_text: words.to_owned(),
        page_text: page::where_it_is(&now),
        summary: now.url,
        page: place,
        next_ref: status.ok().map(|s| s.next_ref),
        ..ToolReport::default()
    }
}

async fn open(actor: &Actor, url: &str, leave: &Leave) -> ToolReport {
    let Ok(own) = host::tabs_get(actor.tab).await else {
        return ToolReport::error("The run's own tab is gone.");
    };
    if let Some(refusal) = page::refusal(actor, leave).await {
        return refusal;
    }
    let options = serde_json::json!({
        "url": url, "active": false, "openerTabId": actor.tab, "index": own.index + 1, "windowId": own.window_id,
    });
    match host::tabs_create(&options).await {
        Err(error) => page::failure(actor, NOT_OPENED, &error.to_string()).await,
        Ok(_) => ToolReport {
            outcome: ToolOutcome::Ok,
            own_text: "Opened it in a new background tab. You are still in the first tab.".to_owned(),
            page_text: format!("opened: {url}"),
            summary: url.to_owned(),
            page: page::place(actor.tab).await,
            ..ToolReport::default()
        },
    }
}

/// A refusal when leaving would lose what is typed in the page.
async fn unsaved(actor: &Actor, force: Option<bool>, leave: &Leave) -> Option<ToolReport> {
    if force == Some(true) {
        return None;
    }
    // A page that cannot be read has no input that this extension could have typed.
    let status = page::send(actor, frames::TOP, &PageRequest::Status {}, leave, 5_000).await.ok()?;
    (status.dirty_fields >= DIRTY_FIELDS).then(|| {
        ToolReport::error(format!(
            "{} fields of this page hold input that would be lost. Save it first, or repeat with force: true.",
            status.dirty_fields
        ))
    })
}
