//! From a ref to an element that may be acted on: still there, still what was shown, visible, enabled, not covered.

use crate::cover;
use crate::events::Point;
use crate::fail::Fail;
use crate::focus::modal_dialog;
use crate::js::{self, Node};
use crate::task::{Deadline, sleep};
use crate::{Rect, named, services};
use webbrain_tools::RefId;

/// ms between two measurements of a box.
const STILL_MS: f64 = 34.0;
/// Measurements of a moving box at most.
const STILL_TRIES: usize = 24;

/// An element that a ref resolved to.
pub struct Target {
    /// The element.
    pub node: Node,
    /// Its role, as it was shown.
    pub role: String,
    /// Its name, as it was shown.
    pub name: String,
    /// The ref, as the model wrote it.
    pub reference: String,
}

impl Target {
    /// `button "Save" [ref_3]`.
    pub fn words(&self) -> String {
        format!("{} [{}]", named(&self.role, &self.name), self.reference)
    }

    /// One short line for the user.
    pub fn summary(&self) -> String {
        if self.name.is_empty() { self.role.clone() } else { self.name.clone() }
    }
}

/// The element of a ref, which must still be what the model was shown.
pub fn unchanged(reference: &RefId) -> Result<Target, Fail> {
    resolve(&reference.0, true)
}

fn resolve(reference: &str, unchanged: bool) -> Result<Target, Fail> {
    let found = services::target(reference, unchanged);
    let text = |key: &str| js::property(&found, key).as_string();
    let reference = reference.to_owned();
    if let Some(node) = js::some_node(js::property(&found, "node")) {
        let (role, name) = (text("role").unwrap_or_default(), text("name").unwrap_or_default());
        return Ok(Target { node, role, name, reference });
    }
    Err(match (text("was"), text("now")) {
        (Some(was), Some(now)) => Fail::Changed { reference, was, now },
        _ => Fail::NotFound { reference, near: text("near").unwrap_or_default() },
    })
}

/// Refuses what is disabled or behind a modal dialog.
pub fn usable(target: &Target) -> Result<(), Fail> {
    let node = &target.node;
    if node.is(":disabled") || node.attribute("aria-disabled").is_some_and(|v| v.eq_ignore_ascii_case("true")) {
        return Err(Fail::Disabled(target.words()));
    }
    if node.closest("[inert]").is_some() {
        return Err(Fail::Inert(target.words(), "another part of the page".to_owned()));
    }
    if let Some(dialog) = modal_dialog()
        && !dialog.flat_contains(node)
        && node.doc().same(&js::document())
    {
        return Err(Fail::Inert(target.words(), services::words(&dialog)));
    }
    Ok(())
}

/// Brings the target into view, waits until it stands still and makes sure that a user could hit it. Returns where.
pub async fn reach(target: &Target, deadline: Deadline) -> Result<Point, Fail> {
    usable(target)?;
    let Some(stand_in) = services::stand_in(&target.node) else { return Err(Fail::Hidden(target.words())) };
    let mut rect = still(&stand_in, deadline).await;
    // What can be hit where it is need not be moved: scrolling makes some lists draw themselves anew.
    if !is_in_view(&stand_in, rect) || cover::free_point(target, &stand_in, rect).is_err() {
        scroll_to(&stand_in);
        rect = still(&stand_in, deadline).await;
    }
    if deadline.passed() {
        return Err(Fail::Late);
    }
    if !target.node.is_connected() {
        return Err(resolve(&target.reference, false).err().unwrap_or_else(|| Fail::Hidden(target.words())));
    }
    cover::free_point(target, &stand_in, rect)
}

/// Whether all of the box is in the viewport.
fn is_in_view(node: &Node, rect: Rect) -> bool {
    let view = node.doc().default_view();
    let size = |name: &str| js::property(&view, name).as_f64().unwrap_or(0.0);
    rect.x >= 0.0 && rect.y >= 0.0 && rect.x + rect.w <= size("innerWidth") && rect.y + rect.h <= size("innerHeight")
}

/// Scrolls it to the middle of the viewport and of its containers, unless it is well in view.
pub fn scroll_to(node: &Node) {
    let options =
        js::object(&[("block", "center".into()), ("inline", "center".into()), ("behavior", "instant".into())]);
    node.scroll_into_view(&options);
}

async fn still(node: &Node, deadline: Deadline) -> Rect {
    let mut last = measure(node);
    for _ in 0..STILL_TRIES {
        sleep(STILL_MS.min(deadline.left())).await;
        let now = measure(node);
        if now == last || deadline.passed() {
            return now;
        }
        last = now;
    }
    last
}

/// The box in px of the element's own viewport: of several lines of text the first.
pub fn measure(node: &Node) -> Rect {
    let rects = node.client_rects();
    let whole = node.bounds();
    let rect = if rects.length() > 1 { wasm_bindgen::JsCast::unchecked_into(rects.item(0)) } else { whole };
    Rect { x: rect.x(), y: rect.y(), w: rect.width(), h: rect.height() }
}
