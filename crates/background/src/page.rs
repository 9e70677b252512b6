//! Page calls: bring the content script into the tab when it is not there, call it, and say honestly what happened when the
//! document went away in the middle.

use crate::app::Actor;
use crate::error::Error;
use crate::frames::{self, Answer, TOP};
use crate::leave::{Begun, Leave};
use crate::{host, keys, platform};
use futures::future::{Either, select};
use std::pin::pin;
use webbrain_core::{PageInfo, ToolOutcome, ToolReport};
use webbrain_protocol::json;
use webbrain_protocol::text::keys as text;
use webbrain_protocol::{Msg, TabId};
use webbrain_tools::{Dispatched, PageCall, PageReply, PageRequest};

/// ms beyond a call's own limit after which it is given up.
const GRACE_MS: u32 = 3_000;
/// ms that a page may go on loading after an action before the result is given without waiting longer.
const LOAD_MS: u64 = 10_000;
const POLL_MS: u32 = 60;
/// How an answer begins that says that the acting half of the content script is not there yet; its form follows.
const NEEDS_ACTOR: &str = "need-act-";
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
pub(crate) async fn run(actor: &Actor, call: PageCall, leave: &Leave, ref_floor: u32, timeout_ms: u32) -> ToolReport {
    match carry_out(actor, call, leave, ref_floor, timeout_ms).await {
        Ok(answer) => {
            if leave.acts && answer.reply.dispatched != Dispatched::No {
                loaded(actor.tab).await;
            }
            report(actor, answer).await
        }
        Err(error) => failed(actor, error, leave).await,
    }
}

async fn carry_out(
    actor: &Actor,
    call: PageCall,
    leave: &Leave,
    ref_floor: u32,
    timeout_ms: u32,
) -> Result<Answer, Error> {
    if let PageCall::PressKeys(press) = &call
        && host::has_trusted_input()
    {
        leave.check(actor).await?;
        let reply = keys::press(actor, press, leave, ref_floor, timeout_ms).await?;
        return Ok(Answer { top_url: reply.url.clone(), reply });
    }
    frames::routed(actor, &call, leave, ref_floor, timeout_ms).await
}

/// Carries a call out in the top frame.
pub(crate) async fn at_top(
    actor: &Actor,
    call: &PageCall,
    leave: &Leave,
    ref_floor: u32,
    timeout_ms: u32,
) -> Result<PageReply, Error> {
    let origin = leave.check(actor).await?;
    let call = call.clone();
    let request = PageRequest::Call { call, ref_floor, timeout_ms, observe_only: false, origin, within: None };
    match send_watching(actor, &request, leave, timeout_ms + GRACE_MS).await {
        // A read of a page that left is a read of the page that came.
        Err(Error::Gone) if !leave.acts => {
            loaded(actor.tab).await;
            send(actor, TOP, &request, leave, timeout_ms + GRACE_MS).await
        }
        result => result,
    }
}

/// Sends a request to a frame, injecting the content script first when it is missing.
pub(crate) async fn send(
    actor: &Actor,
    frame: i64,
    request: &PageRequest,
    leave: &Leave,
    timeout_ms: u32,
) -> Result<PageReply, Error> {
    let json = serde_json::to_string(request)?;
    let answer = platform::within(timeout_ms, async {
        leave.check_stopped()?;
        let was_there = actor.is_there(frame);
        let commits = actor.commits(frame);
        leave.set_begun(frame, if was_there { Begun::Yes(commits) } else { Begun::Maybe(commits) });
        if let Some(answer) = ask(actor, frame, leave, &json).await? {
            actor.set_there(frame);
            return Ok(answer);
        }
        leave.set_begun(frame, Begun::No);
        if was_there && leave.acts {
            // The document that the call was meant for has left.
            return Err(Error::Gone);
        }
        inject(actor.tab, frame).await?;
        actor.injected(frame);
        leave.check_stopped()?;
        leave.set_begun(frame, Begun::Yes(actor.commits(frame)));
        let none = || Error::Browser("the page does not answer".to_owned());
        ask(actor, frame, leave, &json).await?.ok_or_else(none)
    })
    .await??;
    Ok(json::from_str(&answer)?)
}

/// As [`send`] to the top frame, but gives up when the document goes away.
pub(crate) async fn send_watching(
    actor: &Actor,
    request: &PageRequest,
    leave: &Leave,
    timeout_ms: u32,
) -> Result<PageReply, Error> {
    watching(actor, TOP, send(actor, TOP, request, leave, timeout_ms)).await
}

/// What is answered, unless the frame's document goes away first: Firefox never answers for a script whose document has left.
async fn watching<T>(actor: &Actor, frame: i64, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let before = actor.commits(frame);
    let gone = async {
        while actor.commits(frame) == before {
            platform::sleep(POLL_MS).await;
        }
        // An answer that was on its way is still taken.
        platform::sleep(GONE_MS).await;
    };
    match select(pin!(answer), pin!(gone)).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Error::Gone),
    }
}

/// Sends a request of a call to a frame if the content script is there already; none when it is not.
pub(crate) async fn send_if_there(
    actor: &Actor,
    frame: i64,
    request: &PageRequest,
    leave: &Leave,
    timeout_ms: u32,
) -> Result<Option<PageReply>, Error> {
    let json = serde_json::to_string(request)?;
    leave.check_stopped()?;
    leave.set_begun(frame, Begun::Yes(actor.commits(frame)));
    let sent = async { platform::within(timeout_ms + GRACE_MS, ask(actor, frame, leave, &json)).await? };
    let reply: Option<PageReply> = match watching(actor, frame, sent).await? {
        Some(answer) => Some(json::from_str(&answer)?),
        None => None,
    };
    if reply.as_ref().is_none_or(|reply| reply.missing) {
        leave.set_begun(frame, Begun::No);
    }
    Ok(reply)
}

/// Tells a frame something if the content script is there.
pub(crate) async fn tell(tab: TabId, frame: i64, request: &PageRequest) -> Result<(), Error> {
    let json = serde_json::to_string(request)?;
    platform::within(GRACE_MS, host::call_content(tab, frame, &json)).await??;
    Ok(())
}

/// Calls the content script; none when it is not there. Where it answers that its acting half is missing, which it says before
/// anything is done, that half is brought in and it is asked again.
async fn ask(actor: &Actor, frame: i64, leave: &Leave, json: &str) -> Result<Option<String>, Error> {
    let answer = host::call_content(actor.tab, frame, json).await?;
    let Some(form) = answer.as_deref().and_then(|answer| answer.strip_prefix(NEEDS_ACTOR)) else { return Ok(answer) };
    leave.set_begun(frame, Begun::No);
    let file = if form == "wasm" { "content-act-wasm.js" } else { "content-act-js.js" };
    host::execute_files(actor.tab, frame, &[file]).await?;
    leave.check_stopped()?;
    leave.set_begun(frame, Begun::Yes(actor.commits(frame)));
    let error = match host::call_content(actor.tab, frame, json).await? {
        Some(answer) if !answer.starts_with(NEEDS_ACTOR) => return Ok(Some(answer)),
        Some(_) => Error::Browser("the page does not let the extension act".to_owned()),
        // The document that the call was meant for has left.
        None => Error::Gone,
    };
    leave.set_begun(frame, Begun::No);
    Err(error)
}

async fn inject(tab: TabId, frame: i64) -> Result<(), Error> {
    let form = host::execute_files(tab, frame, &["shim/content-loader.js"]).await?;
    let file = match form.as_deref() {
        Some("pdf") => return Err(Error::Pdf),
        Some("wasm") => "content-wasm.js",
        _ => "content-js.js",
    };
    host::execute_files(tab, frame, &[file]).await?;
    Ok(())
}

async fn report(actor: &Actor, answer: Answer) -> ToolReport {
    let Answer { reply, top_url } = answer;
    let page = place(actor.tab).await;
    let moved = page.as_ref().is_some_and(|p| !top_url.is_empty() && p.url != top_url);
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
        page_text.push('\n');
        page_text.push_str(&where_it_is(page));
    }
    ToolReport {
        outcome,
        own_text,
        page_text,
        source: reply.url,
        summary: reply.summary,
        page,
        next_ref: Some(reply.next_ref),
        shown: reply.shown,
    }
}

/// Address and title, which are a page's words.
pub(crate) fn where_it_is(page: &PageInfo) -> String {
    format!("url: {}\ntitle: {}", page.url, page.title)
}

/// A failure in this program's words, with what the page or the browser says of it apart.
pub(crate) async fn failure(actor: &Actor, words: &str, said: &str) -> ToolReport {
    let page = place(actor.tab).await;
    let mut page_text = page.as_ref().map(where_it_is).unwrap_or_default();
    if !said.is_empty() {
        page_text.push_str("\nbrowser: ");
        page_text.push_str(said);
    }
    ToolReport { page, page_text, ..ToolReport::error(words) }
}

/// The call did not come back. What that means depends on how far it had come when its document left, if it did.
async fn failed(actor: &Actor, error: Error, leave: &Leave) -> ToolReport {
    let (commits, sure) = match leave.begun() {
        Begun::Yes(commits) => (commits, true),
        Begun::Maybe(commits) => (commits, false),
        Begun::No => return refused(actor, &error).await,
    };
    if !leave.acts || matches!(error, Error::Stopped | Error::Moved) {
        return refused(actor, &error).await;
    }
    let frame = leave.frame();
    // The commit event may come a moment after the script's end.
    for _ in 0..5 {
        if actor.commits(frame) != commits {
            break;
        }
        platform::sleep(POLL_MS).await;
    }
    let gone = actor.commits(frame) != commits;
    if !gone && unusable(&error) {
        return refused(actor, &error).await;
    }
    if !gone || !sure {
        let words = "No result came back. It may or may not have happened: read the page before you go on.";
        let report = failure(actor, words, &error.to_string()).await;
        return ToolReport { outcome: ToolOutcome::Unknown, ..report };
    }
    // It was under way in the document that left, and most likely made it leave, as following a link does.
    loaded(actor.tab).await;
    let page = place(actor.tab).await;
    let now = page.clone().unwrap_or_default();
    ToolReport {
        outcome: ToolOutcome::Ok,
        own_text: "A new document loaded during this call, most likely by it; no other result came back. \
                   Refs of the old page are void. Read the new page."
            .to_owned(),
        page_text: where_it_is(&now),
        summary: now.url,
        page,
        ..ToolReport::default()
    }
}

/// Why a call may not be carried out now, to be asked right before it is.
pub(crate) async fn refusal(actor: &Actor, leave: &Leave) -> Option<ToolReport> {
    match leave.check(actor).await {
        Ok(_) => None,
        Err(error) => Some(refused(actor, &error).await),
    }
}

/// A failure before anything was done to the page.
async fn refused(actor: &Actor, error: &Error) -> ToolReport {
    let url = place(actor.tab).await.map(|p| p.url).unwrap_or_default();
    let mut said = String::new();
    let words = if matches!(error, Error::Moved) {
        "The tab has gone to another site since it was last read. Nothing was done. Read the page before you go on."
    } else if matches!(error, Error::Gone) {
        "A new document loaded before this could be done. Nothing was done. Read the new page."
    } else if protected(&url).is_some() {
        "This page belongs to the browser: extensions cannot read or change it. Go to another page or end."
    } else if matches!(error, Error::Pdf) || is_pdf(&url) {
        "This tab shows a PDF in the browser's own viewer, which extensions cannot read or change. Say so, or go to another page."
    } else if error_page(error) {
        "The page could not be loaded: the tab shows the browser's error page."
    } else if matches!(error, Error::Timeout) {
        "The page did not answer in time. It may be busy or showing a dialog; wait and read again."
    } else {
        said = error.to_string();
        "The page cannot be reached."
    };
    failure(actor, words, &said).await
}

/// Firefox refuses scripts in its viewer without saying why; the address tells.
fn is_pdf(url: &str) -> bool {
    url.split(['?', '#']).next().is_some_and(|path| path.to_ascii_lowercase().ends_with(".pdf"))
}

pub(crate) fn error_page(error: &Error) -> bool {
    matches!(error, Error::Browser(words) if words.contains("error page") || words.contains("about:neterror"))
}

/// Whether the browser refused to run anything in the tab at all.
pub(crate) fn unusable(error: &Error) -> bool {
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
