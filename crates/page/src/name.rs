//! Accessible names: accname 1.2, then the seed's fallbacks for what would stay nameless.

use crate::block::Joined;
use crate::dom::{Dom, Kind, NodeId, Painted};
use crate::role::{Role, role_of};
use crate::tag::Tag;
use crate::text::{self, collapse};

/// Bytes after which a name is long enough; lines show 100 characters.
const ENOUGH: usize = 600;
/// Depth of content looked at for a name.
const MAX_DEPTH: u32 = 40;

/// How content is gathered.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    /// What is hidden counts too: a reference asked for it.
    hidden: bool,
    /// The control that is being named: inside its own label it stands for nothing.
    named: Option<(NodeId, Tag)>,
}

/// Where a name came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// No name.
    Nothing,
    /// An attribute, a label or another element.
    Author,
    /// The element's own text, which therefore need not be shown again.
    Content,
    /// Text nearby, by guess.
    Nearby,
}

/// A name and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Collapsed; not clipped.
    pub text: String,
    /// Where it came from.
    pub source: Source,
}

impl Name {
    fn new(text: String, source: Source) -> Name {
        if text.is_empty() { Name { text, source: Source::Nothing } } else { Name { text, source } }
    }
}

/// The name of an element.
pub fn name_of<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role) -> Name {
    let attrs = dom.has_attrs(node);
    if attrs && let Some(label) = referenced(dom, node) {
        return Name::new(label, Source::Author);
    }
    if attrs && let Some(label) = non_empty(dom.attr(node, "aria-label")) {
        return Name::new(label, Source::Author);
    }
    if let Some(host) = host_name(dom, node, tag) {
        return Name::new(host, Source::Author);
    }
    if role.named_by_content() || tag == Tag::Summary {
        let content = if role == Role::TreeItem { item_content(dom, node) } else { content(dom, node, 0, false) };
        // A sign such as a cross says less than the author's tooltip.
        let is_sign = || !content.chars().any(char::is_alphanumeric) && !tooltip(dom, node, tag).is_empty();
        if !content.is_empty() && !is_sign() {
            return Name::new(content, Source::Content);
        }
    }
    let tooltip = tooltip(dom, node, tag);
    if !tooltip.is_empty() {
        return Name::new(tooltip, Source::Author);
    }
    fallback(dom, node, tag, role)
}

fn non_empty(value: Option<String>) -> Option<String> {
    value.map(|v| collapse(&v)).filter(|v| !v.is_empty())
}

/// Step 2B: `aria-labelledby`. Ids are looked up in the node's own tree; each is followed once, never further.
fn referenced<D: Dom>(dom: &D, node: NodeId) -> Option<String> {
    let ids = dom.attr(node, "aria-labelledby")?;
    let mut joined = Joined::default();
    for id in ids.split_ascii_whitespace().take(16) {
        if let Some(target) = dom.by_id(node, id) {
            joined.gap();
            joined.push(&piece_by_reference(dom, target));
        }
    }
    Some(joined.finish()).filter(|t| !t.is_empty())
}

/// The text of an element that a label reference names: a hidden one counts, with what is hidden inside it.
fn piece_by_reference<D: Dom>(dom: &D, target: NodeId) -> String {
    let Kind::Element(tag) = dom.kind(target) else { return collapse(&dom.text(target)) };
    if let Some(label) = non_empty(dom.attr(target, "aria-label")) {
        return label;
    }
    let hidden = is_hidden(dom, target);
    if let Some(value) = embedded_value(dom, target, tag) {
        return value;
    }
    if let Some(host) = host_name(dom, target, tag) {
        return host;
    }
    let own = content(dom, target, 0, hidden);
    if own.is_empty() { tooltip(dom, target, tag) } else { own }
}

/// Step 2E: what the host language says.
fn host_name<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Option<String> {
    match tag {
        Tag::Input => input_name(dom, node),
        Tag::Select | Tag::Textarea | Tag::Button | Tag::Meter | Tag::Progress | Tag::Output => {
            label_name(dom, node, tag)
        }
        Tag::Img | Tag::Area => non_empty(dom.attr(node, "alt")),
        Tag::Svg => child_text(dom, node, Tag::Title).or_else(|| non_empty(dom.attr(node, "xlink:title"))),
        Tag::Fieldset => child_text(dom, node, Tag::Legend),
        Tag::Table => child_text(dom, node, Tag::Caption),
        Tag::Figure => child_text(dom, node, Tag::Figcaption),
        Tag::Optgroup => non_empty(dom.attr(node, "label")),
        Tag::Option => non_empty(dom.attr(node, "label")),
        _ => None,
    }
}

fn input_name<D: Dom>(dom: &D, node: NodeId) -> Option<String> {
    let kind = dom.attr(node, "type").unwrap_or_default().to_ascii_lowercase();
    let label = label_name(dom, node, Tag::Input);
    match kind.as_str() {
        "button" => label.or_else(|| non_empty(dom.attr(node, "value"))),
        "submit" => label.or_else(|| non_empty(dom.attr(node, "value"))).or_else(|| Some("Submit".to_owned())),
        "reset" => label.or_else(|| non_empty(dom.attr(node, "value"))).or_else(|| Some("Reset".to_owned())),
        "image" => label
            .or_else(|| non_empty(dom.attr(node, "alt")))
            .or_else(|| non_empty(dom.attr(node, "value")))
            .or_else(|| non_empty(dom.attr(node, "title")))
            .or_else(|| Some("Submit".to_owned())),
        _ => label,
    }
}

fn label_name<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Option<String> {
    let mut joined = Joined::default();
    for label in dom.labels(node) {
        joined.gap();
        let own = non_empty(dom.attr(label, "aria-label"));
        joined.push(&own.unwrap_or_else(|| {
            let mut inner = Joined::default();
            push_content(dom, label, 0, Pass { hidden: false, named: Some((node, tag)) }, &mut inner);
            inner.finish()
        }));
    }
    Some(joined.finish()).filter(|t| !t.is_empty())
}

fn child_text<D: Dom>(dom: &D, node: NodeId, wanted: Tag) -> Option<String> {
    let children = dom.children(node);
    let child = children.into_iter().find(|c| dom.kind(*c) == Kind::Element(wanted))?;
    Some(content(dom, child, 0, false)).filter(|t| !t.is_empty())
}

/// Step 2I.
fn tooltip<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> String {
    if !dom.has_attrs(node) {
        return String::new();
    }
    if let Some(title) = non_empty(dom.attr(node, "title")) {
        return title;
    }
    let placeholder = match tag {
        Tag::Input | Tag::Textarea => non_empty(dom.attr(node, "placeholder")),
        _ => None,
    };
    placeholder.or_else(|| non_empty(dom.attr(node, "aria-placeholder"))).unwrap_or_default()
}

/// Whether the node is hidden from everyone, its own style and attributes considered.
pub fn is_hidden<D: Dom>(dom: &D, node: NodeId) -> bool {
    if !dom.has_attrs(node) {
        return false;
    }
    dom.attr(node, "hidden").is_some()
        || dom.attr(node, "aria-hidden").as_deref() == Some("true")
        || matches!(dom.painted(node), Painted::No | Painted::Hidden)
}

/// Step 2F: the text of the content, `through_hidden` when a reference asked for a hidden element.
pub fn content<D: Dom>(dom: &D, node: NodeId, depth: u32, through_hidden: bool) -> String {
    let mut joined = Joined::default();
    push_content(dom, node, depth, Pass { hidden: through_hidden, named: None }, &mut joined);
    joined.finish()
}

fn push_content<D: Dom>(dom: &D, node: NodeId, depth: u32, pass: Pass, out: &mut Joined) {
    if depth > MAX_DEPTH || out.len() > ENOUGH {
        return;
    }
    let start = out.len();
    for child in children_and_owned(dom, node) {
        match dom.kind(child) {
            Kind::Text => out.push(&dom.text(child)),
            Kind::Element(tag) => push_element(dom, child, tag, depth, pass, out),
            Kind::Other => {}
        }
        if out.len() > ENOUGH {
            return;
        }
    }
    if out.len() == start && dom.has_attrs(node) {
        // Style is dear to ask for, so only where nothing else gives a text.
        let (before, after) = dom.pseudo(node);
        out.push(&before);
        out.push(&after);
    }
}

/// The text of a tree item, without the items below it.
fn item_content<D: Dom>(dom: &D, node: NodeId) -> String {
    let mut joined = Joined::default();
    for child in dom.children(node) {
        match dom.kind(child) {
            Kind::Text => joined.push(&dom.text(child)),
            Kind::Element(tag) if !dom.attr_is(child, "role", "group") && tag != Tag::Ul => {
                push_element(dom, child, tag, 1, Pass::default(), &mut joined);
            }
            _ => {}
        }
    }
    joined.finish()
}

fn children_and_owned<D: Dom>(dom: &D, node: NodeId) -> Vec<NodeId> {
    let mut children = dom.children(node);
    if dom.has_attrs(node)
        && let Some(owned) = dom.attr(node, "aria-owns")
    {
        children.extend(owned.split_ascii_whitespace().take(16).filter_map(|id| dom.by_id(node, id)));
    }
    children
}

fn push_element<D: Dom>(dom: &D, node: NodeId, tag: Tag, depth: u32, pass: Pass, out: &mut Joined) {
    if tag == Tag::Br {
        return out.gap();
    }
    if tag.is_never_shown() || (!pass.hidden && is_hidden(dom, node)) || is_itself(dom, node, tag, pass) {
        return;
    }
    let inline = flows_inline(dom, node, tag, out);
    if !inline {
        out.gap();
    }
    let piece = if dom.has_attrs(node) || matches!(tag, Tag::Svg | Tag::Select | Tag::Textarea | Tag::Input) {
        named_piece(dom, node, tag, depth)
    } else {
        None
    };
    match piece {
        Some(piece) => out.push(&piece),
        None => {
            let before = out.len();
            push_content(dom, node, depth + 1, pass, out);
            if out.len() == before {
                out.push(&tooltip(dom, node, tag));
            }
        }
    }
    if !inline {
        out.gap();
    }
}

fn is_itself<D: Dom>(dom: &D, node: NodeId, tag: Tag, pass: Pass) -> bool {
    pass.named.is_some_and(|(named, its_tag)| its_tag == tag && dom.same(named, node))
}

/// A descendant's own name where it is not simply its text.
fn named_piece<D: Dom>(dom: &D, node: NodeId, tag: Tag, depth: u32) -> Option<String> {
    if let Some(value) = embedded_value(dom, node, tag) {
        return Some(value);
    }
    if let Some(label) = non_empty(dom.attr(node, "aria-label")) {
        return Some(label);
    }
    match tag {
        Tag::Img | Tag::Area => Some(non_empty(dom.attr(node, "alt")).unwrap_or_else(|| tooltip(dom, node, tag))),
        Tag::Svg => Some(host_name(dom, node, tag).unwrap_or_default()),
        Tag::Fieldset | Tag::Table | Tag::Figure | Tag::Details if depth < 4 => None,
        _ => None,
    }
}

/// Step 2C: a control inside a label stands for its value. A secret value is never part of a name.
fn embedded_value<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Option<String> {
    let (role, _) = role_of(dom, node, tag);
    match role {
        Role::TextBox | Role::SearchBox => {
            if matches!(tag, Tag::Input | Tag::Textarea) {
                let live = dom.live(node);
                return Some(if live.secret { String::new() } else { collapse(&live.value) });
            }
            Some(content(dom, node, MAX_DEPTH - 8, false))
        }
        Role::Combobox | Role::Listbox if tag == Tag::Select => {
            let chosen: Vec<String> = dom.choices(node).into_iter().filter(|c| c.selected).map(|c| c.label).collect();
            Some(collapse(&chosen.join(" ")))
        }
        Role::Combobox if tag == Tag::Input => Some(collapse(&dom.live(node).value)),
        Role::Listbox => {
            let selected = dom.children(node).into_iter().find(|c| dom.attr_is(*c, "aria-selected", "true"));
            Some(selected.map(|c| content(dom, c, MAX_DEPTH - 8, false)).unwrap_or_default())
        }
        Role::Slider | Role::SpinButton | Role::ProgressBar | Role::Scrollbar | Role::Meter => Some(
            non_empty(dom.attr(node, "aria-valuetext"))
                .or_else(|| non_empty(dom.attr(node, "aria-valuenow")))
                .or_else(|| matches!(tag, Tag::Input).then(|| collapse(&dom.live(node).value)))
                .unwrap_or_default(),
        ),
        _ => None,
    }
}

/// Whether no gap parts the element from its neighbours. Style is asked only where the answer could matter.
fn flows_inline<D: Dom>(dom: &D, node: NodeId, tag: Tag, out: &Joined) -> bool {
    if !dom.has_attrs(node) || !(out.sticks() || out.is_empty()) {
        return tag.is_inline();
    }
    dom.inline(node)
}

/// The seed's fallbacks, for what accname leaves without a name.
fn fallback<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role) -> Name {
    if role.is_text_entry() || matches!(tag, Tag::Input | Tag::Select | Tag::Textarea) {
        return Name::new(nearby(dom, node), Source::Nearby);
    }
    Name::new(String::new(), Source::Nothing)
}

/// Short text just before a field that nothing labels: "Every [1] month(s)".
fn nearby<D: Dom>(dom: &D, node: NodeId) -> String {
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
            content(dom, node, MAX_DEPTH - 6, false)
        }
        Kind::Other => return Near::Nothing,
    };
    let own = own.trim_end_matches([':', '*', ' ']).to_owned();
    if own.is_empty() || text::len(&own) > 60 { Near::Nothing } else { Near::Label(own) }
}

/// A name or an empty text, ready for a line.
pub fn clipped(name: &str) -> String {
    text::clip(name, text::NAME_CHARS)
}
