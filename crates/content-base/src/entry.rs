//! Which elements take text, and how.

use crate::js::{self, Node};

/// How a field takes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Key by key.
    Typed,
    /// A whole value that the browser checks: dates, colours, ranges, numbers.
    Whole,
    /// An editor.
    Editor,
    /// A native list.
    List,
}

/// Whether clicking it leads to typing.
pub fn is_text_entry(node: &Node) -> bool {
    matches!(entry_of(node), Some(Entry::Typed | Entry::Editor | Entry::Whole))
}

/// Its `type`.
pub fn kind_of(node: &Node) -> String {
    node.input_type().as_string().unwrap_or_default()
}

/// How it takes text; none for what does not.
pub fn entry_of(node: &Node) -> Option<Entry> {
    match node.name().as_str() {
        "textarea" => Some(Entry::Typed),
        "select" => Some(Entry::List),
        "input" => match kind_of(node).as_str() {
            "text" | "search" | "email" | "url" | "tel" | "password" | "" => Some(Entry::Typed),
            "number" | "date" | "time" | "datetime-local" | "month" | "week" | "color" | "range" => Some(Entry::Whole),
            _ => None,
        },
        _ if node.is_content_editable().is_truthy() => Some(Entry::Editor),
        _ => None,
    }
}

/// A field inside a wrapper that was given the role of one: a custom element, a styled combobox.
pub fn inner_field(node: &Node) -> Option<Node> {
    let root = node.shadow_root().unwrap_or_else(|| node.clone());
    let fields: Vec<Node> =
        js::all(&root, "input,textarea,[contenteditable]").into_iter().filter(|n| entry_of(n).is_some()).collect();
    // Of several it is not clear which is meant.
    if fields.len() == 1 { fields.into_iter().next() } else { None }
}
