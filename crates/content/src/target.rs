//! From a ref to its element, and whether that still is what the model was shown.

use crate::dom::PageDom;
use crate::fail::Fail;
use crate::js::Node;
use crate::registry::Shown;
use crate::{named, state};
use webbrain_page::{Dom, Painted, describe, is_seen, is_shown, text};
use webbrain_tools::RefId;

/// The element of a ref and how it was shown, wherever it is and whatever it became.
pub fn find(reference: &RefId) -> Result<(Node, Shown), Fail> {
    let number = reference.number();
    match number.and_then(|n| state::with(|s| s.registry.find(n))) {
        Some(found) => Ok(found),
        None => {
            let near = state::with(|s| s.registry.near(number));
            let near: Vec<String> =
                near.into_iter().map(|c| format!("ref_{} {}", c.reference, named(c.role.name(), &c.name))).collect();
            let near = if near.is_empty() { String::new() } else { format!(" Near: {}.", text::joined(&near, "; ")) };
            Err(Fail::NotFound { reference: reference.to_string(), near })
        }
    }
}

/// The same, of an element that must still be what the model was shown.
pub fn unchanged(reference: &RefId) -> Result<(Node, Shown), Fail> {
    let (node, shown) = find(reference)?;
    if !shown.recomputable {
        return Ok((node, shown));
    }
    let dom = PageDom::new();
    let (role, name) = describe(&dom, dom.handle(&node), shown.role, shown.control);
    if role == shown.role && name == shown.name {
        return Ok((node, shown));
    }
    Err(Fail::Changed {
        reference: reference.to_string(),
        was: named(shown.role.name(), &shown.name),
        now: named(role.name(), &name),
    })
}

/// What the user would click: the element, or its label or parent where the element itself is not painted. None for an
/// element that is not shown.
pub fn stand_in(node: &Node) -> Option<Node> {
    let dom = PageDom::new();
    let id = dom.handle(node);
    if !is_shown(&dom, id) {
        return None;
    }
    let own = dom.painted(id) == Painted::Yes && dom.rect(id).is_visible_size() && is_seen(&dom, id);
    if own {
        return Some(node.clone());
    }
    if let Some(label) = dom.labels(id).into_iter().find(|l| is_seen(&dom, *l)) {
        return Some(dom.node(label));
    }
    if dom.painted(id) == Painted::Transparent && dom.rect(id).is_visible_size() {
        return Some(node.clone());
    }
    node.flat_parent().filter(|p| p.node_type() == 1).or_else(|| Some(node.clone()))
}
