//! `press_keys` with synthetic events: the events of a key, then what the browser would do, unless the page prevented it.

use crate::entry::is_text_entry;
use crate::events::{self, KeyName};
use crate::fail::Fail;
use crate::focus::{deep_active, modal_dialog};
use crate::js::{self, Node};
use crate::outcome::{Outcome, touch};
use crate::services::{self, Before};
use crate::submit::{SubmitWatch, default_button};
use crate::task::{Deadline, sleep};
use crate::{MOST_PRESSES, pressed};
use wasm_bindgen::JsValue;
use webbrain_tools::Key;

/// What Tab stops at.
const TABBABLE: &str = "a[href],button,input:not([type=hidden]),select,textarea,summary,iframe,[tabindex],[contenteditable]:not([contenteditable=false])";
/// px that an arrow key scrolls.
const ARROW_PX: f64 = 40.0;

/// A key without a character of its own; Enter has one.
pub fn named(name: &str, code: u32) -> KeyName {
    let char_code = if name == "Enter" { 13 } else { 0 };
    KeyName { key: name.to_owned(), code: name.to_owned(), key_code: code, char_code, shift: false }
}

fn key_name(key: Key) -> KeyName {
    match key {
        Key::Escape => named("Escape", 27),
        Key::Tab => named("Tab", 9),
        Key::Enter => named("Enter", 13),
        Key::ArrowUp => named("ArrowUp", 38),
        Key::ArrowDown => named("ArrowDown", 40),
        Key::ArrowLeft => named("ArrowLeft", 37),
        Key::ArrowRight => named("ArrowRight", 39),
    }
}

/// The events of one key without any default action.
pub fn send_plain(node: &Node, name: &str, code: u32) -> Result<(), Fail> {
    let key = named(name, code);
    let allowed = events::key(node, "keydown", &key)?;
    if allowed && key.char_code > 0 && node.is_connected() {
        events::key(node, "keypress", &key)?;
    }
    if node.is_connected() {
        events::key(node, "keyup", &key)?;
    }
    Ok(())
}

/// Presses a key on the focused element.
pub async fn press(key: Key, repeat: Option<u32>, deadline: Deadline) -> Result<Outcome, Fail> {
    let name = key_name(key);
    let before = Before::now();
    for turn in 0..repeat.unwrap_or(1).clamp(1, MOST_PRESSES) {
        if deadline.passed() {
            return Err(Fail::Late);
        }
        if turn > 0 {
            sleep(30.0).await;
        }
        press_once(key, &name)?;
    }
    let words = pressed(&name.key, repeat);
    let changes = before.changes(deadline).await?;
    Ok(Outcome::new(format!("pressed {words}\n{changes}"), words))
}

fn press_once(key: Key, name: &KeyName) -> Result<(), Fail> {
    let doc = js::document();
    let body = doc.body().or_else(|| doc.document_element()).unwrap_or(doc);
    let node = deep_active().unwrap_or(body);
    let watch = SubmitWatch::new(&node);
    let mut allowed = events::key(&node, "keydown", name)?;
    // Tab moves the focus before the key comes up, so that keyup arrives at the next element.
    if allowed && key == Key::Enter && node.is_connected() {
        allowed = events::key(&node, "keypress", name)?;
    }
    if allowed && node.is_connected() && !watch.submitted() {
        default_action(key, &node)?;
    }
    let up = deep_active().filter(|_| key == Key::Tab).unwrap_or(node);
    if up.is_connected() {
        events::key(&up, "keyup", name)?;
    }
    Ok(())
}

fn default_action(key: Key, node: &Node) -> Result<(), Fail> {
    touch();
    match key {
        Key::Tab => move_focus(node),
        Key::Enter => enter(node),
        Key::Escape => escape(node),
        Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight => arrow(key, node),
    }
}

fn move_focus(node: &Node) -> Result<(), Fail> {
    let scope = modal_dialog().unwrap_or_else(js::document);
    let mut stops: Vec<(i32, Node)> = Vec::new();
    for node in js::all(&scope, TABBABLE) {
        let order = node.attribute("tabindex").and_then(|t| t.trim().parse::<i32>().ok()).unwrap_or(0);
        if order < 0 || node.is(":disabled") {
            continue;
        }
        // Positive numbers come first, in their order; the rest follow in document order.
        let order = if order == 0 { i32::MAX } else { order };
        let at = stops.iter().rposition(|(other, _)| *other <= order).map_or(0, |at| at + 1);
        stops.insert(at, (order, node));
    }
    let here = stops.iter().position(|(_, n)| n.same(node));
    let from = here.map_or_else(|| after_in_document(&stops, node), |at| at + 1);
    let (earlier, later) = stops.split_at(from % stops.len().max(1));
    let in_turn: Vec<JsValue> = later.iter().chain(earlier).map(|(_, stop)| stop.into()).collect();
    match services::first(&js::array(&in_turn), false) {
        Some(next) => events::focus(&next),
        None => Ok(()),
    }
}

/// Where to go on from an element that is no stop itself: the first stop after it in the document.
fn after_in_document(stops: &[(i32, Node)], node: &Node) -> usize {
    stops.iter().position(|(_, n)| node.contains(n) && !n.same(node)).unwrap_or(0)
}

fn enter(node: &Node) -> Result<(), Fail> {
    match node.name().as_str() {
        "input" => enter_input(node),
        "textarea" => {
            node.doc().exec_command("insertText", "\n")?;
            Ok(())
        }
        "a" | "button" | "summary" => Ok(node.click()?),
        _ if node.is_content_editable().is_truthy() => {
            if events::input(node, "beforeinput", "insertParagraph", None)? {
                node.doc().exec_command("insertParagraph", "")?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Implicit submission, or the press of a button.
fn enter_input(node: &Node) -> Result<(), Fail> {
    let kind = node.input_type().as_string().unwrap_or_default();
    if matches!(kind.as_str(), "submit" | "button" | "reset" | "image" | "file" | "color") {
        return Ok(node.click()?);
    }
    let Some(form) = js::some_node(node.form()) else { return Ok(()) };
    match default_button(node, &form) {
        Some(button) if button.is(":disabled") => Ok(()),
        Some(button) => Ok(button.click()?),
        None => {
            // Without a button, Enter submits only a form with one line of text.
            let blocking = js::all(&form, "input").into_iter().filter(is_text_entry).count();
            if blocking <= 1 { Ok(form.request_submit()?) } else { Ok(()) }
        }
    }
}

fn escape(node: &Node) -> Result<(), Fail> {
    if let Some(popover) =
        js::all(&js::document(), "[popover=auto],[popover='']").into_iter().rfind(|p| p.is(":popover-open"))
    {
        return Ok(popover.hide_popover()?);
    }
    let dialog = modal_dialog().or_else(|| node.closest("dialog:modal"));
    if let Some(dialog) = dialog {
        let init = js::object(&[("cancelable", true.into())]);
        let event = js::event("cancel", &init)?;
        if dialog.dispatch(&event)? {
            dialog.close()?;
        }
    }
    Ok(())
}

fn arrow(key: Key, node: &Node) -> Result<(), Fail> {
    let back = matches!(key, Key::ArrowUp | Key::ArrowLeft);
    let vertical = matches!(key, Key::ArrowUp | Key::ArrowDown);
    let kind = node.input_type().as_string().unwrap_or_default();
    match (node.name().as_str(), kind.as_str()) {
        ("input", "radio") => next_radio(node, back),
        ("input", "range") => step(node, (key == Key::ArrowUp) || (key == Key::ArrowRight)),
        ("input", "number") if vertical => step(node, key == Key::ArrowUp),
        ("select", _) => next_option(node, back),
        ("input" | "textarea", _) if !vertical => move_caret(node, back),
        ("input" | "textarea", _) => Ok(()),
        _ if node.is_content_editable().is_truthy() => Ok(()),
        _ => scroll_by(node, key),
    }
}

fn next_radio(node: &Node, back: bool) -> Result<(), Fail> {
    let name = node.attribute("name").unwrap_or_default();
    let form = js::some_node(node.form());
    let group: Vec<Node> = js::all(&node.root_node(), "input[type=radio]")
        .into_iter()
        .filter(|r| {
            let same_form = match (&form, js::some_node(r.form())) {
                (Some(a), Some(b)) => a.same(&b),
                (None, None) => true,
                _ => false,
            };
            same_form && !r.is(":disabled") && !name.is_empty() && r.attribute("name").as_deref() == Some(&name)
        })
        .collect();
    let Some(here) = group.iter().position(|r| r.same(node)) else { return Ok(()) };
    let next = if back { here + group.len() - 1 } else { here + 1 } % group.len();
    if next != here {
        events::focus(&group[next])?;
        group[next].click()?;
    }
    Ok(())
}

fn step(node: &Node, up: bool) -> Result<(), Fail> {
    let before = node.value_text();
    if up {
        node.step_up()?
    } else {
        node.step_down()?
    }
    if node.value_text() != before {
        events::input(node, "input", "insertText", None)?;
        events::plain(node, "change", false)?;
    }
    Ok(())
}

fn next_option(node: &Node, back: bool) -> Result<(), Fail> {
    let options = js::nodes(&node.options());
    // Between -1 and the number of options.
    let here = node.selected_index().as_f64().map_or(-1, |i| i as i32);
    let mut at = here;
    loop {
        at += if back { -1 } else { 1 };
        let Some(option) = usize::try_from(at).ok().and_then(|i| options.get(i)) else { return Ok(()) };
        if !option.is(":disabled") {
            break;
        }
    }
    node.set_selected_index(at);
    events::plain(node, "input", false)?;
    events::plain(node, "change", false)?;
    Ok(())
}

fn move_caret(node: &Node, back: bool) -> Result<(), Fail> {
    // Types without a caret have no selection.
    let Some(at) = node.selection_end().as_f64() else { return Ok(()) };
    let at = if back { (at - 1.0).max(0.0) } else { at + 1.0 };
    Ok(node.set_selection_range(at as u32, at as u32)?)
}

fn scroll_by(node: &Node, key: Key) -> Result<(), Fail> {
    let (dx, dy) = match key {
        Key::ArrowUp => (0.0, -ARROW_PX),
        Key::ArrowDown => (0.0, ARROW_PX),
        Key::ArrowLeft => (-ARROW_PX, 0.0),
        _ => (ARROW_PX, 0.0),
    };
    services::scroll_by(node, dx, dy);
    Ok(())
}
