//! Where the focus is, and what holds it.

use crate::js::{self, Node};

/// The focused element, through shadow roots and same-origin frames; none when it is the body.
pub fn deep_active() -> Option<Node> {
    let mut at = js::document().active_element()?;
    for _ in 0..20 {
        let inner = at.shadow_root().and_then(|root| root.active_element()).or_else(|| {
            if at.name() != "iframe" {
                return None;
            }
            at.content_document().and_then(|d| d.active_element()).filter(|a| a.name() != "body")
        });
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    (!matches!(at.name().as_str(), "body" | "html")).then_some(at)
}

/// The topmost dialog opened with `showModal`.
pub fn modal_dialog() -> Option<Node> {
    let open: Vec<Node> = js::all(&js::document(), "dialog[open]").into_iter().filter(|d| d.is(":modal")).collect();
    let active = js::document().active_element();
    let focused = open.iter().rev().find(|d| active.as_ref().is_some_and(|a| d.contains(a)));
    focused.or(open.last()).cloned()
}
