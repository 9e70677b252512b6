//! Trusted key presses through the debugger, attached only while pressing.

use crate::app::Actor;
use crate::error::Error;
use crate::leave::Leave;
use crate::{frames, host, page, platform};
use serde_json::json;
use webbrain_protocol::TabId;
use webbrain_tools::{Insertion, Key, PageCall, PageReply, PageRequest, PressKeys};

/// Most presses of one call. Source: reference `tools.md` 2.2.
const MOST: u32 = 3;

/// Most characters that are typed key by key.
const MOST_KEYS: usize = 200;

/// ms that a command of the debugger may take.
const COMMAND_MS: u32 = 5_000;

/// Presses the key and reports what changed. When the debugger cannot be attached (another one is), the page script presses it.
/// A failure before the first key went down leaves `leave` as not begun.
pub(crate) async fn press(
    actor: &Actor,
    press: &PressKeys,
    leave: &Leave,
    ref_floor: u32,
    timeout_ms: u32,
) -> Result<PageReply, Error> {
    let call = |observe_only, origin| PageRequest::Call {
        call: PageCall::PressKeys(press.clone()),
        ref_floor,
        timeout_ms,
        observe_only,
        origin,
        within: None,
    };
    page::send(actor, frames::TOP, &PageRequest::Mark { ref_floor }, &Leave::free(), timeout_ms).await?;
    let origin = leave.check(actor).await?;
    if !matches!(platform::within(COMMAND_MS, host::debugger_attach(actor.tab)).await, Ok(Ok(_))) {
        // One that attaches late is not left behind.
        detach(actor.tab).await;
        return page::send_watching(actor, &call(false, origin), leave, timeout_ms).await;
    }
    let pressed = press_all(actor, press, leave).await;
    detach(actor.tab).await;
    pressed?;
    page::send_watching(actor, &call(true, None), leave, timeout_ms).await
}

/// Finishes a call whose reply asks for trusted input: does it where this browser has it, and tells the content script.
/// Nothing is done twice: the content script edits by itself only where nothing was done here.
pub(crate) async fn complete(
    actor: &Actor,
    frame: i64,
    reply: PageReply,
    leave: &Leave,
    timeout_ms: u32,
) -> Result<PageReply, Error> {
    let Some(insertion) = reply.insert else { return Ok(reply) };
    let (trusted, commits) = (host::has_trusted_input(), actor.commits(frame));
    let mut done = false;
    if trusted {
        still(actor, frame, commits, leave).await?;
        if matches!(platform::within(COMMAND_MS, host::debugger_attach(actor.tab)).await, Ok(Ok(_))) {
            let inserted = insert(actor, frame, commits, &insertion, leave).await;
            detach(actor.tab).await;
            inserted?;
            done = true;
        } else {
            // One that attaches late is not left behind.
            detach(actor.tab).await;
        }
    }
    still(actor, frame, commits, leave).await?;
    let request = PageRequest::Inserted { done, announce: trusted, timeout_ms };
    let reply = page::send_if_there(actor, frame, &request, leave, timeout_ms).await?;
    reply.ok_or(Error::Gone)
}

/// Refuses when the call was given up or the document that it was prepared in has left.
async fn still(actor: &Actor, frame: i64, commits: u32, leave: &Leave) -> Result<(), Error> {
    if frame == frames::TOP {
        leave.check(actor).await?;
    }
    leave.check_stopped()?;
    if actor.commits(frame) == commits { Ok(()) } else { Err(Error::Gone) }
}

async fn insert(actor: &Actor, frame: i64, commits: u32, insertion: &Insertion, leave: &Leave) -> Result<(), Error> {
    command(actor.tab, "Emulation.setFocusEmulationEnabled", r#"{"enabled":true}"#).await?;
    still(actor, frame, commits, leave).await?;
    leave.set_done(frame, commits);
    if insertion.text.is_empty() {
        let event = |kind: &str| {
            json!({ "type": kind, "key": "Backspace", "code": "Backspace", "windowsVirtualKeyCode": 8 }).to_string()
        };
        return press_key(actor.tab, &event("rawKeyDown"), &event("keyUp")).await;
    }
    let by_key = insertion.keys && insertion.text.chars().count() <= MOST_KEYS;
    if !by_key || !insertion.text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
        let text = json!({ "text": insertion.text }).to_string();
        return command(actor.tab, "Input.insertText", &text).await;
    }
    for c in insertion.text.chars() {
        still(actor, frame, commits, leave).await?;
        let (code, number) = key_of(c);
        let event = |kind: &str| {
            let text = if kind == "keyDown" { c.to_string() } else { String::new() };
            json!({ "type": kind, "key": c, "code": code, "windowsVirtualKeyCode": number, "text": text }).to_string()
        };
        press_key(actor.tab, &event("keyDown"), &event("keyUp")).await?;
    }
    Ok(())
}

/// `code` and virtual key code of letters, digits and the space; other characters have a key of their own on each keyboard.
fn key_of(c: char) -> (String, u32) {
    match c {
        'a'..='z' | 'A'..='Z' => (format!("Key{}", c.to_ascii_uppercase()), u32::from(c.to_ascii_uppercase())),
        '0'..='9' => (format!("Digit{c}"), u32::from(c)),
        ' ' => ("Space".to_owned(), 32),
        _ => (String::new(), 0),
    }
}

/// A key that may be down is let up, whatever became of it.
async fn press_key(tab: TabId, down: &str, up: &str) -> Result<(), Error> {
    let pressed = command(tab, "Input.dispatchKeyEvent", down).await;
    let let_up = command(tab, "Input.dispatchKeyEvent", up).await;
    pressed.and(let_up)
}

/// Lets go of a tab. One that is gone, or was never held, is let go of already.
pub(crate) async fn detach(tab: TabId) {
    let _ = platform::within(COMMAND_MS, host::debugger_detach(tab)).await;
}

async fn press_all(actor: &Actor, press: &PressKeys, leave: &Leave) -> Result<(), Error> {
    // Without it a hidden tab takes no input.
    command(actor.tab, "Emulation.setFocusEmulationEnabled", r#"{"enabled":true}"#).await?;
    let (key, code, number, text) = names(press.key);
    let event = |kind: &str| -> String {
        let mut event = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number });
        if kind == "keyDown" && !text.is_empty() {
            event["text"] = json!(text);
        }
        event.to_string()
    };
    let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
    for turn in 0..press.repeat.unwrap_or(1).clamp(1, MOST) {
        match leave.check(actor).await {
            Ok(_) => {}
            // The page went elsewhere with the first key: what that did is told, and no other follows.
            Err(Error::Moved) if turn > 0 => break,
            Err(error) => return Err(error),
        }
        leave.set_done(frames::TOP, actor.commits(frames::TOP));
        press_key(actor.tab, &event(down), &event("keyUp")).await?;
    }
    Ok(())
}

async fn command(tab: TabId, method: &str, params: &str) -> Result<(), Error> {
    platform::within(COMMAND_MS, host::debugger_send(tab, method, params)).await??;
    Ok(())
}

/// `key`, `code`, virtual key code and text of a key.
fn names(key: Key) -> (&'static str, &'static str, u32, &'static str) {
    match key {
        Key::Escape => ("Escape", "Escape", 27, ""),
        Key::Tab => ("Tab", "Tab", 9, ""),
        Key::Enter => ("Enter", "Enter", 13, "\r"),
        Key::ArrowUp => ("ArrowUp", "ArrowUp", 38, ""),
        Key::ArrowDown => ("ArrowDown", "ArrowDown", 40, ""),
        Key::ArrowLeft => ("ArrowLeft", "ArrowLeft", 37, ""),
        Key::ArrowRight => ("ArrowRight", "ArrowRight", 39, ""),
    }
}
