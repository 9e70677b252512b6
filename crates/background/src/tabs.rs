//! Tab calls: navigation, history, new tabs.

use crate::app::Actor;
use crate::{host, page, platform};
use webbrain_core::{ToolOutcome, ToolReport};
use webbrain_tools::{PageRequest, TabCall};

/// ms for the new document to arrive.
const COMMIT_MS: u64 = 20_000;
/// ms for a move in history to begin.
const HISTORY_MS: u64 = 4_000;
const POLL_MS: u32 = 50;
/// Fields with unsaved input from which on leaving needs `force`. Source: reference `tools.md` 2.2.
const DIRTY_FIELDS: u32 = 2;

/// Carries a tab call of a run out and reports it.
pub(crate) async fn run(actor: &Actor, call: TabCall) -> ToolReport {
    match call {
        TabCall::Navigate(n) => {
            if let Some(refusal) = unsaved(actor, n.force).await {
                return refusal;
            }
            let before = Before::now(actor).await;
            match host::tabs_update(actor.tab, &serde_json::json!({ "url": n.url })).await {
                Err(error) => ToolReport::error(format!("The browser did not open it: {error}.")),
                Ok(()) => arrived(actor, before, Some(&n.url), COMMIT_MS).await,
            }
        }
        TabCall::GoBack(back) => go(actor, -steps(back.steps), back.force).await,
        TabCall::GoForward(forward) => go(actor, steps(forward.steps), forward.force).await,
        TabCall::NewTab(new) => open(actor, &new.url).await,
    }
}

fn steps(asked: Option<u32>) -> i32 {
    i32::try_from(asked.unwrap_or(1).clamp(1, 10)).unwrap_or(1)
}

async fn go(actor: &Actor, delta: i32, force: Option<bool>) -> ToolReport {
    if let Some(refusal) = unsaved(actor, force).await {
        return refusal;
    }
    let before = Before::now(actor).await;
    if let Err(error) = host::history(actor.tab, delta).await {
        return ToolReport::error(format!("There is no such page in the tab's history ({error})."));
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
        Before { commits: actor.commits(), url }
    }
}

/// Waits for the new document and says where the tab is.
async fn arrived(actor: &Actor, before: Before, wanted: Option<&str>, limit_ms: u64) -> ToolReport {
    let began = platform::now();
    let mut moved = false;
    while platform::now() < began + limit_ms {
        platform::sleep(POLL_MS).await;
        let Ok(tab) = host::tabs_get(actor.tab).await else { break };
        let url = tab.url.unwrap_or_default();
        let there = actor.commits() != before.commits || url != before.url;
        // The same address with another fragment commits no document.
        let same = wanted.is_some_and(|w| w == url) && platform::now() > began + 500;
        if (there || same) && tab.status.as_deref() != Some("loading") {
            moved = true;
            break;
        }
        moved = there;
    }
    let place = page::place(actor.tab).await;
    let now = place.clone().unwrap_or_default();
    if !moved {
        let words = match wanted {
            Some(_) => format!("The page did not arrive; the tab is still at {}.", now.url),
            None => format!("Nothing there in the tab's history; the tab is still at {}.", now.url),
        };
        return ToolReport { page: place, ..ToolReport::error(words) };
    }
    let status = page::send(actor, &PageRequest::Status {}, 8_000).await;
    if let Err(crate::error::Error::Browser(words)) = &status
        && words.contains("error page")
    {
        let words = format!("{} could not be loaded: the tab shows the browser's error page.", now.url);
        return ToolReport { page: place, ..ToolReport::error(words) };
    }
    ToolReport {
        outcome: ToolOutcome::Ok,
        own_text: "The page has loaded. Refs of the page before are void.".to_owned(),
        page_text: format!("url: {}\ntitle: {}", now.url, now.title),
        summary: now.url,
        page: place,
        next_ref: status.ok().map(|s| s.next_ref),
    }
}

async fn open(actor: &Actor, url: &str) -> ToolReport {
    let Ok(own) = host::tabs_get(actor.tab).await else {
        return ToolReport::error("The run's own tab is gone.");
    };
    let options = serde_json::json!({
        "url": url, "active": false, "openerTabId": actor.tab, "index": own.index + 1, "windowId": own.window_id,
    });
    match host::tabs_create(&options).await {
        Err(error) => ToolReport::error(format!("The browser did not open it: {error}.")),
        Ok(_) => ToolReport {
            outcome: ToolOutcome::Ok,
            own_text: format!("Opened {url} in a new background tab. You are still in the first tab."),
            page_text: String::new(),
            summary: url.to_owned(),
            page: page::place(actor.tab).await,
            next_ref: None,
        },
    }
}

/// A refusal when leaving would lose what is typed in the page.
async fn unsaved(actor: &Actor, force: Option<bool>) -> Option<ToolReport> {
    if force == Some(true) {
        return None;
    }
    // A page that cannot be read has no input that this extension could have typed.
    let status = page::send(actor, &PageRequest::Status {}, 5_000).await.ok()?;
    (status.dirty_fields >= DIRTY_FIELDS).then(|| {
        ToolReport::error(format!(
            "{} fields of this page hold input that would be lost. Save it first, or repeat with force: true.",
            status.dirty_fields
        ))
    })
}
