//! From a ref to an element that may be acted on: still there, still what was shown, visible, enabled, not covered.

use crate::cover;
use crate::dom::{PageDom, modal_dialog};
use crate::events::Point;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::state;
use crate::task::{Deadline, sleep};
use webbrain_page::{Dom, NodeId, Painted, Rect, Role, describe, is_seen, is_shown, text};
use webbrain_tools::RefId;

/// ms between two measurements of a box.
const STILL_MS: f64 = 34.0;
/// Measurements of a moving box at most.
const STILL_TRIES: usize = 24;

/// An element that a ref resolved to.
pub struct Target {
    /// The element.
    pub node: Node,
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// The ref, as the model wrote it.
    pub reference: String,
}

impl Target {
    /// `button "Save" [ref_3]`.
    pub fn words(&self) -> String {
        format!("{} [{}]", named(self.role, &self.name), self.reference)
    }

    /// One short line for the user.
    pub fn summary(&self) -> String {
        if self.name.is_empty() { self.role.name().to_owned() } else { self.name.clone() }
    }
}

/// `role "name"`.
pub fn named(role: Role, name: &str) -> String {
    let mut out = role.name().to_owned();
    out.push(' ');
    text::push_quoted(&mut out, name);
    out
}

/// The element of a ref, wherever it is and whatever it became.
pub fn find(reference: &RefId) -> Result<Target, Fail> {
    let number = reference.number();
    match number.and_then(|n| state::with(|s| s.registry.find(n))) {
        Some((node, shown)) => {
            Ok(Target { node, role: shown.role, name: shown.name, reference: reference.to_string() })
        }
        None => {
            let near = state::with(|s| s.registry.near(number));
            let near: Vec<String> =
                near.into_iter().map(|c| format!("ref_{} {}", c.reference, named(c.role, &c.name))).collect();
            let near = if near.is_empty() { String::new() } else { format!(" Near: {}.", near.join("; ")) };
            Err(Fail::NotFound { reference: reference.to_string(), near })
        }
    }
}

/// The element of a ref, which must still be what the model was shown.
pub fn unchanged(reference: &RefId) -> Result<Target, Fail> {
    let target = find(reference)?;
    let Some((_, shown)) = reference.number().and_then(|n| state::with(|s| s.registry.find(n))) else {
        return Ok(target);
    };
    if !shown.recomputable {
        return Ok(target);
    }
    let dom = PageDom::new();
    let (role, name) = describe(&dom, dom.handle(&target.node), shown.role, shown.control);
    if role == shown.role && name == shown.name {
        return Ok(target);
    }
    Err(Fail::Changed { reference: target.reference, was: named(shown.role, &shown.name), now: named(role, &name) })
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
        return Err(Fail::Inert(target.words(), cover::words(&dialog)));
    }
    Ok(())
}

/// Brings the target into view, waits until it stands still and makes sure that a user could hit it. Returns where.
pub async fn reach(target: &Target, deadline: Deadline) -> Result<Point, Fail> {
    usable(target)?;
    let dom = PageDom::new();
    let id = dom.handle(&target.node);
    if !is_shown(&dom, id) {
        return Err(Fail::Hidden(target.words()));
    }
    let stand_in = stand_in(&dom, id, &target.node);
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
        return Err(find(&RefId(target.reference.clone())).err().unwrap_or_else(|| Fail::Hidden(target.words())));
    }
    cover::free_point(target, &stand_in, rect)
}

/// Whether all of the box is in the viewport.
fn is_in_view(node: &Node, rect: Rect) -> bool {
    let view = node.doc().default_view();
    let size = |name: &str| js::property(&view, name).as_f64().unwrap_or(0.0);
    rect.x >= 0.0 && rect.y >= 0.0 && rect.x + rect.w <= size("innerWidth") && rect.y + rect.h <= size("innerHeight")
}

/// What the user would click: the element, or its label or parent where the element itself is not painted.
fn stand_in(dom: &PageDom, id: NodeId, node: &Node) -> Node {
    let own = dom.painted(id) == Painted::Yes && dom.rect(id).is_visible_size() && is_seen(dom, id);
    if own {
        return node.clone();
    }
    if let Some(label) = dom.labels(id).into_iter().find(|l| is_seen(dom, *l)) {
        return dom.node(label);
    }
    if dom.painted(id) == Painted::Transparent && dom.rect(id).is_visible_size() {
        return node.clone();
    }
    node.flat_parent().filter(|p| p.node_type() == 1).unwrap_or_else(|| node.clone())
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
