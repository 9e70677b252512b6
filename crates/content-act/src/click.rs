//! `click_ax`: the pointer and mouse events that pages listen for, then exactly one `click()`.

use crate::entry::is_text_entry;
use crate::events::{self, Point};
use crate::fail::Fail;
use crate::focus::deep_active;
use crate::js::{self, Node};
use crate::outcome::{Outcome, touch};
use crate::services::{self, Before};
use crate::target::{self, Target};
use crate::task::Deadline;
use crate::{select, text};
use webbrain_tools::RefId;

/// What can take the focus by a click.
const FOCUSABLE: &str =
    "a[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable]:not([contenteditable=false])";

/// Activates the element of a ref.
pub async fn click(reference: &RefId, deadline: Deadline) -> Result<Outcome, Fail> {
    let target = target::unchanged(reference)?;
    if target.node.name() == "option"
        && let Some(list) = target.node.closest("select")
    {
        return select::pick_option(&target, &list, deadline).await;
    }
    refuse_unfit(&target)?;
    let at = target::reach(&target, deadline).await?;
    let before = Before::now();
    // The look at the page takes time: check once more, right before the first event.
    if deadline.passed() {
        return Err(Fail::Late);
    }
    services::acted_on(&target.node);
    let note = link_note(&target.node);
    let clicked = press(&target.node, at)?;
    let mut lines = vec![format!("clicked {}", target.words())];
    if !clicked {
        lines.push("the element was removed while the mouse button went down; no click followed".to_owned());
    }
    lines.extend(note);
    if is_text_entry(&target.node) {
        lines.push("the field is focused; enter text with set_field".to_owned());
    }
    lines.push(before.changes(deadline).await?);
    Ok(Outcome::new(text::joined(&lines, "\n"), target.summary()))
}

fn refuse_unfit(target: &Target) -> Result<(), Fail> {
    let node = &target.node;
    if node.name() == "select" {
        let options = select::labels(node);
        return Err(Fail::Unfit(format!(
            "{} is a list: use set_field with the label of an option. Options: {options}",
            target.words()
        )));
    }
    if node.name() == "input" && node.input_type().as_string().is_some_and(|t| t == "file") {
        return Err(Fail::Unfit(format!(
            "{} opens the system's file chooser, which cannot be used from here. Ask the user to choose the file.",
            target.words()
        )));
    }
    Ok(())
}

/// The events of a mouse press and one click. Returns whether the click was sent.
pub fn press(node: &Node, at: Point) -> Result<bool, Fail> {
    for kind in ["pointerover", "mouseover", "pointermove", "mousemove"] {
        events::pointer(node, kind, at, false)?;
    }
    let pointer_allows = events::pointer(node, "pointerdown", at, true)?;
    // Preventing pointerdown suppresses the mouse events that would follow, as in a browser.
    let mut focus_allowed = true;
    if pointer_allows {
        focus_allowed = events::pointer(node, "mousedown", at, true)?;
    }
    if focus_allowed && node.is_connected() {
        take_focus(node)?;
    }
    if node.is_connected() {
        events::pointer(node, "pointerup", at, false)?;
        if pointer_allows && node.is_connected() {
            events::pointer(node, "mouseup", at, false)?;
        }
    }
    if !node.is_connected() {
        return Ok(false);
    }
    touch();
    node.click()?;
    Ok(true)
}

/// Focuses what a mouse press focuses: the element, its nearest focusable ancestor, or nothing.
fn take_focus(node: &Node) -> Result<(), Fail> {
    let mut at = Some(node.clone());
    while let Some(here) = at {
        if here.is(FOCUSABLE) {
            return events::focus(&here);
        }
        // A press on a label focuses its control by the click that follows.
        if here.is("label") {
            return Ok(());
        }
        at = here.flat_parent();
    }
    if let Some(active) = deep_active() {
        active.blur()?;
    }
    Ok(())
}

/// What following a link would do.
fn link_note(node: &Node) -> Option<String> {
    let link = node.closest("a[href]")?;
    let href = link.href().as_string()?;
    let here = js::location();
    let page = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    if href.starts_with("javascript:") {
        return None;
    }
    if link.attribute("target").is_some_and(|t| t.eq_ignore_ascii_case("_blank")) {
        return Some(format!("opens a new tab: {}", text::clip(&href, 200)));
    }
    if page(&href) == page(&here) && href.contains('#') {
        return Some("a link to a place in this page".to_owned());
    }
    Some(format!("navigates to {}", text::clip(&href, 200)))
}
