//! Trusted key presses through the debugger, attached only while pressing.

use crate::app::Actor;
use crate::error::Error;
use crate::{host, page};
use serde_json::{Value, json};
use webbrain_tools::{Key, PageCall, PageReply, PageRequest, PressKeys};

/// Most presses of one call. Source: reference `tools.md` 2.2.
const MOST: u32 = 3;

/// Presses the key and reports what changed. When the debugger cannot be attached (another one is), the page script presses it.
pub(crate) async fn press(
    actor: &Actor,
    press: &PressKeys,
    ref_floor: u32,
    timeout_ms: u32,
) -> Result<PageReply, Error> {
    let call = |observe_only| PageRequest::Call {
        call: PageCall::PressKeys(press.clone()),
        ref_floor,
        timeout_ms,
        observe_only,
    };
    page::send(actor, &PageRequest::Mark { ref_floor }, timeout_ms).await?;
    if host::debugger_attach(actor.tab).await.is_err() {
        return page::send_watching(actor, &call(false), timeout_ms).await;
    }
    let pressed = press_all(actor.tab, press).await;
    // Detached whatever happened; a tab that is gone is detached already.
    let _ = host::debugger_detach(actor.tab).await;
    pressed?;
    page::send_watching(actor, &call(true), timeout_ms).await
}

async fn press_all(tab: i32, press: &PressKeys) -> Result<(), Error> {
    // Without it a hidden tab takes no input.
    host::debugger_send(tab, "Emulation.setFocusEmulationEnabled", r#"{"enabled":true}"#).await?;
    let (key, code, number, text) = names(press.key);
    let event = |kind: &str| -> Value {
        let mut event = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number });
        if kind == "keyDown" && !text.is_empty() {
            event["text"] = json!(text);
        }
        event
    };
    for _ in 0..press.repeat.unwrap_or(1).clamp(1, MOST) {
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        host::debugger_send(tab, "Input.dispatchKeyEvent", &event(down).to_string()).await?;
        host::debugger_send(tab, "Input.dispatchKeyEvent", &event("keyUp").to_string()).await?;
    }
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
