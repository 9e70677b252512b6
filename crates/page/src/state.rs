//! States and attributes of a line.

use crate::dom::{Dom, Kind, Live, NodeId};
use crate::name::{clipped, content, description_of, labelled};
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
    if matches!(role, Role::Heading | Role::TreeItem) {
        push_level(dom, node, tag, role, &mut out);
    }
    if !dom.has_attrs(node) && !matches!(tag, Tag::Summary | Tag::Textarea | Tag::Select | Tag::Button | Tag::Input) {
        return out;
    }
    push_kind(dom, node, tag, role, name, &mut out);
    push_value(dom, node, tag, role, name, &live, &mut out);
    push_checks(dom, node, tag, role, &live, &mut out);
    push_flags(dom, node, tag, role, &live, &mut out);
    push_description(dom, node, role, name, &mut out);
    out
}

/// A token of an attribute in lower case; empty where it says nothing.
fn token<D: Dom>(dom: &D, node: NodeId, name: &'static str) -> String {
    let value = dom.attr(node, name).unwrap_or_default();
    let value = value.trim();
    if value == "undefined" { String::new() } else { value.to_ascii_lowercase() }
}

/// Appends a token that is one of three.
fn push_three(out: &mut String, key: &str, value: &str) {
    if matches!(value, "true" | "false" | "mixed") {
        push_attr(out, key, value);
    }
}

fn push_level<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, out: &mut String) {
    let explicit = token(dom, node, "aria-level").parse::<u8>().ok().filter(|l| *l > 0);
    // A heading without a level is on the second one, by ARIA.
    let usual = tag.heading_level().or(if role == Role::Heading { Some(2) } else { None });
    if let Some(level) = explicit.or(usual) {
        push_attr(out, "level", &level.to_string());
    }
}

fn push_kind<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, name: &str, out: &mut String) {
    let address = match role {
        Role::Link => "href",
        Role::Iframe => "src",
        _ => "",
    };
    if !address.is_empty()
        && let Some(written) = dom.attr(node, address)
        && let Some(shown) =
            short_href(&if text::has_odd_host(&written) { dom.address(node).unwrap_or(written) } else { written })
    {
        push_attr(out, address, &shown);
    }
    if matches!(tag, Tag::Input | Tag::Button) {
        let kind = token(dom, node, "type");
        let says_nothing =
            matches!(kind.as_str(), "" | "text" | "button" | "checkbox" | "radio" | "number" | "range" | "search");
        if !says_nothing && text::len(&kind) < 20 {
            push_attr(out, "type", &kind);
        }
    }
    if let Some(placeholder) = labelled(dom, node, "placeholder")
        && placeholder != name
    {
        push_attr(out, "placeholder", &clip(&placeholder, VALUE_CHARS));
    }
}

fn push_value<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, name: &str, live: &Live, out: &mut String) {
    let typed = matches!(tag, Tag::Input | Tag::Textarea);
    let ranged = matches!(
        role,
        Role::Slider | Role::SpinButton | Role::ProgressBar | Role::Meter | Role::Scrollbar | Role::Separator
    );
    let value = match role {
        _ if typed && (role.is_text_entry() || role == Role::Slider) => {
            if live.secret {
                out.push_str(if live.value.is_empty() { " empty" } else { " filled" });
                return;
            }
            collapse(&live.value)
        }
        Role::Combobox | Role::Listbox if tag == Tag::Select => {
            let chosen: Vec<String> =
                dom.choices(node).into_iter().filter(|c| c.selected).take(6).map(|c| c.label).collect();
            collapse(&text::joined(&chosen, ", "))
        }
        Role::Combobox => labelled(dom, node, "aria-valuetext").unwrap_or_else(|| content(dom, node)),
        Role::TextBox | Role::SearchBox => content(dom, node),
        _ if ranged => range_text(dom, node).unwrap_or_default(),
        _ => return,
    };
    if !value.is_empty() && value != name {
        push_attr(out, "value", &clip(&value, VALUE_CHARS));
    }
    if ranged {
        for (key, aria) in [("min", "aria-valuemin"), ("max", "aria-valuemax")] {
            if let Some(limit) = labelled(dom, node, key).or_else(|| labelled(dom, node, aria)) {
                push_attr(out, key, &clip(&limit, 20));
            }
        }
    }
}

/// The value of a range in the author's words or numbers.
pub fn range_text<D: Dom>(dom: &D, node: NodeId) -> Option<String> {
    ["aria-valuetext", "aria-valuenow", "value"].iter().find_map(|a| labelled(dom, node, a))
}

fn push_checks<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, live: &Live, out: &mut String) {
    use Role::*;
    let aria = token(dom, node, "aria-checked");
    if matches!(role, Checkbox | Radio | Switch | MenuItemCheckbox | MenuItemRadio) {
        // Only what can be neither on nor off is mixed.
        let three = matches!(role, Checkbox | MenuItemCheckbox);
        let (on, mixed) =
            if tag == Tag::Input { (live.checked, live.mixed) } else { (aria == "true", aria == "mixed") };
        push_attr(out, "checked", if mixed && three { "mixed" } else { yes(on) });
    } else if matches!(role, Option | TreeItem) {
        push_three(out, "checked", &aria);
    }
    if tag == Tag::Summary
        && let Some(details) = dom.parent(node)
        && dom.kind(details) == Kind::Element(Tag::Details)
    {
        push_attr(out, "expanded", yes(dom.attr(details, "open").is_some()));
    }
    push_three(out, "expanded", &token(dom, node, "aria-expanded"));
    push_three(out, "pressed", &token(dom, node, "aria-pressed"));
    if matches!(role, Option | Tab | TreeItem | Row | GridCell | Cell | ColumnHeader | RowHeader)
        && token(dom, node, "aria-selected") == "true"
    {
        out.push_str(" selected");
    }
    let current = token(dom, node, "aria-current");
    match current.as_str() {
        "" | "false" => {}
        "page" | "step" | "location" | "date" | "time" => push_attr(out, "current", &current),
        // A word that ARIA does not know counts as true.
        _ => push_attr(out, "current", "true"),
    }
}

fn yes(on: bool) -> &'static str {
    if on { "true" } else { "false" }
}

fn push_flags<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role, live: &Live, out: &mut String) {
    let typed = matches!(tag, Tag::Input | Tag::Textarea);
    let field = typed || tag == Tag::Select;
    let native = |holds: bool, name| holds && dom.attr(node, name).is_some();
    let flags = [
        (live.disabled, "aria-disabled", " disabled"),
        (native(field, "required"), "aria-required", " required"),
        (native(typed && role.is_text_entry(), "readonly"), "aria-readonly", " readonly"),
        (false, "aria-invalid", " invalid"),
        (false, "aria-haspopup", " haspopup"),
    ];
    for (native, aria, shown) in flags {
        let said = token(dom, node, aria);
        let holds = match aria {
            // That a combobox opens something goes without saying.
            "aria-haspopup" if role == Role::Combobox => false,
            // These have words of their own beside true.
            "aria-haspopup" | "aria-invalid" => !matches!(said.as_str(), "" | "false"),
            _ => said == "true",
        };
        if native || holds {
            out.push_str(shown);
        }
    }
}

/// What accname describes the element with. The tooltip of a link that has a text is left out: there are many, and they say
/// the same once more.
fn push_description<D: Dom>(dom: &D, node: NodeId, role: Role, name: &str, out: &mut String) {
    let words = description_of(dom, node, name);
    if words.is_empty() || clipped(&words) == name {
        return;
    }
    let by_tooltip = || {
        ["aria-describedby", "aria-description", "aria-label", "aria-labelledby"]
            .iter()
            .all(|a| dom.attr(node, a).is_none())
    };
    if role == Role::Link && name.chars().any(|c| !c.is_ascii_punctuation()) && by_tooltip() {
        return;
    }
    push_attr(out, "description", &clip(&words, VALUE_CHARS));
}
