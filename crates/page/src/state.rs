//! States and attributes of a line.

use crate::dom::{Dom, Kind, Live, NodeId};
use crate::name::{content, is_hidden};
use crate::role::Role;
use crate::tag::Tag;
use crate::text::{self, VALUE_CHARS, clip, collapse, push_attr, short_href};

/// Everything after the ref, for the line of an element.
pub fn attributes<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, name: &str) -> String {
    let mut out = String::new();
    let live = match tag {
        Tag::Input | Tag::Textarea | Tag::Select | Tag::Button | Tag::Option => dom.live(node),
        _ => Live::default(),
    };
    if role == Role::Heading {
        push_level(dom, node, tag, &mut out);
    }
    if !dom.has_attrs(node) && !matches!(tag, Tag::Summary | Tag::Textarea | Tag::Select | Tag::Button | Tag::Input) {
        return out;
    }
    push_kind(dom, node, tag, role, name, &mut out);
    push_value(dom, node, tag, role, name, &live, &mut out);
    push_checks(dom, node, tag, role, &live, &mut out);
    push_flags(dom, node, tag, role, &live, &mut out);
    push_description(dom, node, name, &mut out);
    out
}

fn push_level<D: Dom>(dom: &D, node: NodeId, tag: Tag, out: &mut String) {
    let explicit = dom.attr(node, "aria-level").and_then(|l| l.trim().parse::<u8>().ok()).filter(|l| *l > 0);
    if let Some(level) = explicit.or(tag.heading_level()) {
        push_attr(out, "level", &level.to_string());
    }
}

fn push_kind<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, name: &str, out: &mut String) {
    if role == Role::Link
        && let Some(href) = dom.attr(node, "href").and_then(|h| short_href(&h))
    {
        push_attr(out, "href", &href);
    }
    if role == Role::Iframe
        && let Some(src) = dom.attr(node, "src").and_then(|s| short_href(&s))
    {
        push_attr(out, "src", &src);
    }
    if matches!(tag, Tag::Input | Tag::Button)
        && let Some(kind) = dom.attr(node, "type")
    {
        let kind = kind.trim().to_ascii_lowercase();
        let says_nothing =
            matches!(kind.as_str(), "" | "text" | "button" | "checkbox" | "radio" | "number" | "range" | "search");
        if !says_nothing && text::len(&kind) < 20 {
            push_attr(out, "type", &kind);
        }
    }
    if let Some(placeholder) = dom.attr(node, "placeholder") {
        let placeholder = collapse(&placeholder);
        if !placeholder.is_empty() && placeholder != name {
            push_attr(out, "placeholder", &clip(&placeholder, VALUE_CHARS));
        }
    }
}

fn push_value<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, name: &str, live: &Live, out: &mut String) {
    let value = match role {
        Role::TextBox | Role::SearchBox | Role::SpinButton | Role::Combobox | Role::Slider
            if matches!(tag, Tag::Input | Tag::Textarea) =>
        {
            if live.secret {
                out.push_str(if live.value.is_empty() { " empty" } else { " filled" });
                return;
            }
            live.value.clone()
        }
        Role::Combobox | Role::Listbox if tag == Tag::Select => {
            let chosen: Vec<String> =
                dom.choices(node).into_iter().filter(|c| c.selected).take(6).map(|c| c.label).collect();
            chosen.join(", ")
        }
        Role::Combobox => dom.attr(node, "aria-valuetext").unwrap_or_else(|| content(dom, node, 0, false)),
        Role::TextBox | Role::SearchBox => content(dom, node, 0, false),
        Role::Slider | Role::SpinButton | Role::ProgressBar | Role::Meter | Role::Scrollbar => ranged(dom, node, tag),
        _ => return,
    };
    let value = collapse(&value);
    if !value.is_empty() && value != name {
        push_attr(out, "value", &clip(&value, VALUE_CHARS));
    }
    if matches!(role, Role::Slider | Role::SpinButton) {
        push_limits(dom, node, out);
    }
}

fn ranged<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> String {
    let aria = dom.attr(node, "aria-valuetext").or_else(|| dom.attr(node, "aria-valuenow"));
    aria.or_else(|| if matches!(tag, Tag::Progress | Tag::Meter) { dom.attr(node, "value") } else { None })
        .unwrap_or_default()
}

fn push_limits<D: Dom>(dom: &D, node: NodeId, out: &mut String) {
    for (key, html, aria) in [("min", "min", "aria-valuemin"), ("max", "max", "aria-valuemax")] {
        if let Some(limit) = dom.attr(node, html).or_else(|| dom.attr(node, aria)) {
            push_attr(out, key, &clip(&collapse(&limit), 20));
        }
    }
}

fn push_checks<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, live: &Live, out: &mut String) {
    if matches!(role, Role::Checkbox | Role::Radio | Role::Switch | Role::MenuItemCheckbox | Role::MenuItemRadio) {
        let native = tag == Tag::Input;
        let aria = dom.attr(node, "aria-checked").map(|v| v.trim().to_ascii_lowercase());
        let checked = match (native, aria.as_deref()) {
            (true, _) if live.mixed => "mixed",
            (true, _) if live.checked => "true",
            (true, _) => "false",
            (false, Some("true")) => "true",
            (false, Some("mixed")) => "mixed",
            _ => "false",
        };
        push_attr(out, "checked", checked);
    }
    if tag == Tag::Summary {
        let open = dom
            .parent(node)
            .is_some_and(|p| dom.kind(p) == Kind::Element(Tag::Details) && dom.attr(p, "open").is_some());
        push_attr(out, "expanded", if open { "true" } else { "false" });
    }
    for (attr, key) in [("aria-expanded", "expanded"), ("aria-pressed", "pressed")] {
        if let Some(value) = dom.attr(node, attr) {
            let value = value.trim().to_ascii_lowercase();
            if matches!(value.as_str(), "true" | "false" | "mixed") {
                push_attr(out, key, &value);
            }
        }
    }
    if matches!(role, Role::Option | Role::Tab | Role::TreeItem | Role::Row | Role::GridCell | Role::Cell)
        && dom.attr_is(node, "aria-selected", "true")
    {
        out.push_str(" selected");
    }
    if let Some(current) = dom.attr(node, "aria-current") {
        let current = current.trim().to_ascii_lowercase();
        if matches!(current.as_str(), "page" | "step" | "location" | "date" | "time" | "true") {
            push_attr(out, "current", &current);
        }
    }
}

fn push_flags<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, live: &Live, out: &mut String) {
    if live.disabled || dom.attr_is(node, "aria-disabled", "true") {
        out.push_str(" disabled");
    }
    let field = matches!(tag, Tag::Input | Tag::Textarea | Tag::Select);
    if (field && dom.attr(node, "required").is_some()) || dom.attr_is(node, "aria-required", "true") {
        out.push_str(" required");
    }
    if (matches!(tag, Tag::Input | Tag::Textarea) && dom.attr(node, "readonly").is_some())
        || dom.attr_is(node, "aria-readonly", "true")
    {
        out.push_str(" readonly");
    }
    if dom.attr(node, "aria-invalid").is_some_and(|v| !matches!(v.trim(), "" | "false")) {
        out.push_str(" invalid");
    }
    if role != Role::Combobox && dom.attr(node, "aria-haspopup").is_some_and(|v| !matches!(v.trim(), "" | "false")) {
        out.push_str(" haspopup");
    }
}

/// A description that the user cannot read as text beside the control.
fn push_description<D: Dom>(dom: &D, node: NodeId, name: &str, out: &mut String) {
    let mut words = dom.attr(node, "aria-description").map(|d| collapse(&d)).unwrap_or_default();
    if let Some(ids) = dom.attr(node, "aria-describedby") {
        for target in ids.split_ascii_whitespace().take(4).filter_map(|id| dom.by_id(node, id)) {
            if is_hidden(dom, target) {
                text::push_space(&mut words);
                words.push_str(&content(dom, target, 0, true));
            }
        }
    }
    let words = words.trim();
    if !words.is_empty() && words != name {
        push_attr(out, "description", &clip(words, VALUE_CHARS));
    }
}
