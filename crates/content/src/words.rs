//! Words for an element that has no ref: what lies over another one, a dialog, a container, an invalid field.

use crate::dom::PageDom;
use crate::js::Node;
use crate::named;
use webbrain_page::{Dom, Kind, Role, role::role_of, text, text_of};

/// Names an element for the model: the nearest part of the page with a name.
pub fn words(node: &Node) -> String {
    let dom = PageDom::new();
    let mut at = Some(node.clone());
    for _ in 0..6 {
        let Some(here) = at else { break };
        if here.node_type() != 1 || matches!(here.name().as_str(), "body" | "html") {
            break;
        }
        let id = dom.handle(&here);
        if let Kind::Element(tag) = dom.kind(id) {
            let (role, _) = role_of(&dom, id, tag);
            let asked = if role.named_by_content() { role } else { Role::Group };
            let name = webbrain_page::name::name_of(&dom, id, tag, asked).text;
            if role.is_landmark() || (role != Role::Generic && !name.is_empty()) {
                return named(role.name(), &text::clip(&name, 60));
            }
            if !name.is_empty() {
                return format!("the element \"{}\"", text::clip(&name, 60));
            }
        }
        at = here.flat_parent();
    }
    let content = text::clip(&text_of(&dom, dom.handle(node)), 60);
    if content.is_empty() { format!("a <{}> element", node.name()) } else { format!("<{}> \"{content}\"", node.name()) }
}
