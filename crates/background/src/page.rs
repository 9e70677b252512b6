//! Page calls: bring the content script into the tab when it is not there, call it, and say honestly what happened when the
//! document went away in the middle.

use crate::app::Actor;
use crate::error::Error;
use crate::{host, keys, platform};
use futures::future::{Either, select};
use std::pin::pin;
use webbrain_core::{PageInfo, ToolOutcome, ToolReport};
use webbrain_protocol::text::keys as text;
use webbrain_protocol::{Msg, TabId};
use webbrain_tools::{Dispatched, PageCall, PageReply, PageRequest};

/// ms beyond a call's own limit after which it is given up.
const GRACE_MS: u32 = 3_000;
/// ms that a page may go on loading after an action before the result is given without waiting longer.
const LOAD_MS: u64 = 10_000;
const POLL_MS: u32 = 60;
/// ms for an answer to arrive after its document has left.
const GONE_MS: u32 = 250;

/// Why a page cannot be used by an extension, when its address says so.
pub(crate) fn protected(url: &str) -> Option<Msg> {
    let scheme = url.split(':').next().unwrap_or_default();
    let store =
        ["https://chromewebstore.google.com/", "https://chrome.google.com/webstore", "https://addons.mozilla.org/"];
    let closed = !matches!(scheme, "http" | "https" | "file" | "ftp") || store.iter().any(|s| url.starts_with(s));
    closed.then(|| Msg::new(text::ERR_TAB_PROTECTED).arg("url", url))
}

/// Carries a page call of a run out and reports it.
pub(crate) async fn run(actor: &Actor, call: PageCall, acting: bool, ref_floor: u32, timeout_ms: u32) -> ToolReport {
    let before = actor.commits();
    let result = match &call {
        PageCall::PressKeys(press) if host::has_trusted_input() => {
            keys::press(actor, press, ref_floor, timeout_ms).await
        }
        _ => {
            let request = PageRequest::Call { call, ref_floor, timeout_ms, observe_only: false };
            match send_watching(actor, &request, timeout_ms + GRACE_MS).await {
                // A read of a page that left is a read of the page that came.
                Err(Error::Gone) if !acting => {
                    loaded(actor.tab).await;
                    send(actor, &request, timeout_ms + GRACE_MS).await
                }
                result => result,
            }
        }
    };
    match result {
        Ok(reply) => {
            if acting && reply.dispatched != Dispatched::No {
                loaded(actor.tab).await;
            }
            report(actor, reply).await
        }
        Err(error) => failed(actor, error, acting, before).await,
    }
}

/// Sends a request to the tab's top frame, injecting the content script first when it is missing.
pub(crate) async fn send(actor: &Actor, request: &PageRequest, timeout_ms: u32) -> Result<PageReply, Error> {
    let json = serde_json::to_string(request)?;
    let answer = platform::within(timeout_ms, async {
        if let Some(answer) = host::call_content(actor.tab, &json).await? {
            return Ok(answer);
        }
        inject(actor.tab).await?;
        actor.injected();
        let none = || Error::Browser("the page does not answer".to_owned());
        host::call_content(actor.tab, &json).await?.ok_or_else(none)
    })
    .await??;
    Ok(serde_json::from_str(&answer)?)
}

/// As [`send`], but gives up when the document goes away: Firefox never answers for a script whose document has left.
pub(crate) async fn send_watching(actor: &Actor, request: &PageRequest, timeout_ms: u32) -> Result<PageReply, Error> {
    let before = actor.commits();
    let gone = async {
        while actor.commits() == before {
            platform::sleep(POLL_MS).await;
        }
        // An answer that was on its way is still taken.
        platform::sleep(GONE_MS).await;
    };
    match select(pin!(send(actor, request, timeout_ms)), pin!(gone)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Error::Gone),
    }
}

/// Sends a request only if the content script is there already.
pub(crate) async fn send_if_there(tab: TabId, request: &PageRequest) -> Result<(), Error> {
    let json = serde_json::to_string(request)?;
    platform::within(GRACE_MS, host::call_content(tab, &json)).await??;
    Ok(())
}

async fn inject(tab: TabId) -> Result<(), Error> {
    let form = host::execute_files(tab, &["shim/content-loader.js"]).await?;
    let file = match form.as_deref() {
        Some("pdf") => return Err(Error::Pdf),
        Some("wasm") => "content-wasm.js",
        _ => "content-js.js",
    };
    host::execute_files(tab, &[file]).await?;
    Ok(())
}

async fn report(actor: &Actor, reply: PageReply) -> ToolReport {
    let page = place(actor.tab).await;
    let moved = page.as_ref().is_some_and(|p| !reply.url.is_empty() && p.url != reply.url);
    let outcome = match (reply.ok, reply.dispatched) {
        (true, _) => ToolOutcome::Ok,
        (false, Dispatched::Unknown) => ToolOutcome::Unknown,
        (false, _) => ToolOutcome::Error,
    };
    let own_text = if moved {
        "The tab is now at another address; refs of the old page are void.".to_owned()
    } else {
        String::new()
    };
    let mut page_text = reply.text;
    if let Some(page) = page.as_ref().filter(|_| moved) {
        page_text.push_str(&format!("\nurl: {}\ntitle: {}", page.url, page.title));
    }
    ToolReport { outcome, own_text, page_text, summary: reply.summary, page, next_ref: Some(reply.next_ref) }
}

/// The call did not come back. When a new document arrived meanwhile, an action most likely caused it, and its result is
/// gone with the old one: that is said, not guessed away.
async fn failed(actor: &Actor, error: Error, acting: bool, commits_before: u32) -> ToolReport {
    if !acting {
        return refused(actor, &error).await;
    }
    // The commit event may come a moment after the script's end.
    for _ in 0..5 {
        if actor.commits() != commits_before {
            break;
        }
        platform::sleep(POLL_MS).await;
    }
    let gone = actor.commits() != commits_before;
    if !gone {
        if unusable(&error) {
            return refused(actor, &error).await;
        }
        let words =
            format!("No result came back ({error}). It may or may not have happened: read the page before you go on.");
        return ToolReport { outcome: ToolOutcome::Unknown, ..ToolReport::error(words) };
    }
    loaded(actor.tab).await;
    let page = place(actor.tab).await;
    let now = page.clone().unwrap_or_default();
    ToolReport {
        outcome: ToolOutcome::Ok,
        own_text: "A new document loaded during this call; refs of the old page are void. Read the new page."
            .to_owned(),
        page_text: format!("url: {}\ntitle: {}", now.url, now.title),
        summary: now.url,
        page,
        next_ref: None,
    }
}

/// A failure before anything was done to the page.
async fn refused(actor: &Actor, error: &Error) -> ToolReport {
    let page = place(actor.tab).await;
    let url = page.as_ref().map(|p| p.url.clone()).unwrap_or_default();
    let words = if protected(&url).is_some() {
        format!(
            "The page {url} belongs to the browser: extensions cannot read or change it. Go to another page or end."
        )
    } else if matches!(error, Error::Pdf) || is_pdf(&url) {
        "This tab shows a PDF in the browser's own viewer, which extensions cannot read or change. Say so, or go to another page."
            .to_owned()
    } else if error_page(error) {
        "The page could not be loaded: the tab shows the browser's error page.".to_owned()
    } else if matches!(error, Error::Timeout) {
        "The page did not answer in time. It may be busy or showing a dialog; wait and read again.".to_owned()
    } else {
        format!("The page cannot be reached: {error}.")
    };
    ToolReport { page, ..ToolReport::error(words) }
}

/// Firefox refuses scripts in its viewer without saying why; the address tells.
fn is_pdf(url: &str) -> bool {
    url.split(['?', '#']).next().is_some_and(|path| path.to_ascii_lowercase().ends_with(".pdf"))
}

fn error_page(error: &Error) -> bool {
    matches!(error, Error::Browser(words) if words.contains("error page") || words.contains("about:neterror"))
}

/// Whether the browser refused to run anything in the tab at all.
fn unusable(error: &Error) -> bool {
    let Error::Browser(words) = error else { return matches!(error, Error::Pdf) };
    ["Cannot access", "cannot be scripted", "Missing host permission", "error page", "No tab with id", "Invalid tab ID"]
        .iter()
        .any(|mark| words.contains(mark))
}

/// Where the tab is.
pub(crate) async fn place(tab: TabId) -> Option<PageInfo> {
    let tab = host::tabs_get(tab).await.ok()?;
    Some(PageInfo { url: tab.url.unwrap_or_default(), title: tab.title.unwrap_or_default() })
}

/// Waits until the tab is not loading, for a while.
pub(crate) async fn loaded(tab: TabId) {
    let end = platform::now() + LOAD_MS;
    while platform::now() < end {
        match host::tabs_get(tab).await {
            Ok(t) if t.status.as_deref() == Some("loading") => platform::sleep(POLL_MS).await,
            _ => return,
        }
    }
}
