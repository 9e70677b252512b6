//! The seed's fallbacks, for fields that accname leaves without a name.

use crate::dom::{Dom, Kind, NodeId};
use crate::gather::{content, is_hidden};
use crate::role::role_of;
use crate::tag::Tag;
use crate::text::{self, collapse};

/// Short text just before a field that nothing labels: "Every [1] month(s)".
pub fn nearby<D: Dom>(dom: &D, node: NodeId) -> String {
    let mut at = node;
    for (level, reach) in [(0, 4), (1, 3), (2, 1)] {
        let Some(parent) = dom.parent(at) else { break };
        if matches!(dom.kind(parent), Kind::Element(Tag::Body | Tag::Form)) && level > 0 {
            break;
        }
        let siblings = dom.children(parent);
        let Some(here) = siblings.iter().position(|s| dom.same(*s, at)) else { break };
        for sibling in siblings[..here].iter().rev().take(reach) {
            match label_like(dom, *sibling) {
                Near::Label(text) => return text,
                Near::Control => return String::new(),
                Near::Nothing => {}
            }
        }
        at = parent;
    }
    String::new()
}

enum Near {
    Label(String),
    Control,
    Nothing,
}

fn label_like<D: Dom>(dom: &D, node: NodeId) -> Near {
    let own = match dom.kind(node) {
        Kind::Text => collapse(&dom.text(node)),
        Kind::Element(tag) => {
            if role_of(dom, node, tag).0.is_control() {
                return Near::Control;
            }
            if tag.is_never_shown() || is_hidden(dom, node) {
                return Near::Nothing;
            }
            content(dom, node)
        }
        Kind::Other => return Near::Nothing,
    };
    let own = own.trim_end_matches([':', '*', ' ']).to_owned();
    if own.is_empty() || text::len(&own) > 60 { Near::Nothing } else { Near::Label(own) }
}
