//! Accessible names and descriptions: accname 1.2, then the seed's fallbacks for what would stay nameless.

use crate::block::Joined;
use crate::dom::{Dom, Kind, NodeId};
use crate::gather::{alternative, item_content, referenced};
use crate::near::nearby;
use crate::role::Role;
use crate::tag::Tag;
use crate::text::{self, collapse};

pub use crate::gather::{content, is_hidden};

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
    let name = accname(dom, node, tag, role);
    if name.source == Source::Content && !name.text.chars().any(is_letter) {
        // A sign such as a cross says less than the author's tooltip.
        let tooltip = tooltip(dom, node, tag);
        return if tooltip.is_empty() { name } else { Name::new(tooltip, Source::Author) };
    }
    let field = role.is_text_entry() || matches!(tag, Tag::Input | Tag::Select | Tag::Textarea);
    if name.text.is_empty() && field { Name::new(nearby(dom, node), Source::Nearby) } else { name }
}

/// Letters and digits of any script, roughly: the tables of Unicode would weigh more than all roles. Signs are the blocks of
/// punctuation, arrows, shapes and pictures.
fn is_letter(c: char) -> bool {
    match c {
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        '\u{d7}'
        | '\u{f7}'
        | '\u{80}'..='\u{bf}'
        | '\u{2000}'..='\u{2bff}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}' => false,
        '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1faff}' | '\u{f0000}'.. => false,
        _ => true,
    }
}

/// The name as accname computes it, nothing guessed.
pub fn accname<D: Dom>(dom: &D, node: NodeId, tag: Tag, role: Role) -> Name {
    let attrs = dom.has_attrs(node);
    if attrs {
        let label = referenced(dom, node, "aria-labelledby");
        if !label.is_empty() {
            return Name::new(label, Source::Author);
        }
        if let Some(label) = labelled(dom, node, "aria-label") {
            return Name::new(label, Source::Author);
        }
        if role == Role::None {
            return Name::new(String::new(), Source::Nothing);
        }
    }
    if let Some(host) = host_name(dom, node, tag, true) {
        return Name::new(host, Source::Author);
    }
    if (role.named_by_content() && tag != Tag::Input) || matches!(tag, Tag::Summary | Tag::Legend | Tag::Label) {
        let content = if role == Role::TreeItem { item_content(dom, node) } else { content(dom, node) };
        if !content.is_empty() {
            return Name::new(content, Source::Content);
        }
    }
    Name::new(tooltip(dom, node, tag), Source::Author)
}

/// The description of an element with this name.
pub fn description_of<D: Dom>(dom: &D, node: NodeId, name: &str) -> String {
    if !dom.has_attrs(node) {
        return String::new();
    }
    let described = referenced(dom, node, "aria-describedby");
    if !described.is_empty() {
        return described;
    }
    let own = labelled(dom, node, "aria-description").or_else(|| labelled(dom, node, "title"));
    own.filter(|d| d != name).unwrap_or_default()
}

/// An attribute that says something, collapsed.
pub fn labelled<D: Dom>(dom: &D, node: NodeId, attribute: &'static str) -> Option<String> {
    dom.attr(node, attribute).map(|v| collapse(&v)).filter(|v| !v.is_empty())
}

/// Step 2E: what the host language says. `whole`: labels count too, which they do not inside something else's name.
pub fn host_name<D: Dom>(dom: &D, node: NodeId, tag: Tag, whole: bool) -> Option<String> {
    match tag {
        Tag::Input => input_name(dom, node, whole),
        Tag::Select | Tag::Textarea | Tag::Button | Tag::Meter | Tag::Progress | Tag::Output if whole => {
            label_name(dom, node, tag)
        }
        Tag::Img | Tag::Area => labelled(dom, node, "alt"),
        Tag::Svg => child_text(dom, node, Tag::Title).or_else(|| labelled(dom, node, "xlink:title")),
        Tag::Fieldset => child_text(dom, node, Tag::Legend),
        Tag::Table => child_text(dom, node, Tag::Caption).or_else(|| labelled(dom, node, "summary")),
        Tag::Figure => child_text(dom, node, Tag::Figcaption),
        Tag::Option | Tag::Optgroup => labelled(dom, node, "label"),
        _ => None,
    }
}

fn input_name<D: Dom>(dom: &D, node: NodeId, whole: bool) -> Option<String> {
    let label = if whole { label_name(dom, node, Tag::Input) } else { None };
    if label.is_some() {
        return label;
    }
    let kind = dom.attr(node, "type")?.to_ascii_lowercase();
    let (usual, standing) = match kind.as_str() {
        "button" => ("value", None),
        "submit" => ("value", Some("Submit")),
        "reset" => ("value", Some("Reset")),
        "image" => ("alt", Some("Submit")),
        _ => return None,
    };
    let own = labelled(dom, node, usual);
    let own = if usual == "alt" { own.or_else(|| labelled(dom, node, "title")) } else { own };
    own.or_else(|| standing.map(str::to_owned))
}

fn label_name<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Option<String> {
    let mut joined = Joined::default();
    for label in dom.labels(node) {
        joined.gap();
        joined.push(&alternative(dom, label, Some((node, tag))));
    }
    Some(joined.finish()).filter(|t| !t.is_empty())
}

fn child_text<D: Dom>(dom: &D, node: NodeId, wanted: Tag) -> Option<String> {
    let children = dom.children(node);
    let child = children.into_iter().find(|c| dom.kind(*c) == Kind::Element(wanted))?;
    Some(alternative(dom, child, None)).filter(|t| !t.is_empty())
}

/// Step 2I.
pub fn tooltip<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> String {
    if !dom.has_attrs(node) {
        return String::new();
    }
    let own = labelled(dom, node, "title").or_else(|| match tag {
        Tag::Input | Tag::Textarea => labelled(dom, node, "placeholder"),
        _ => None,
    });
    own.or_else(|| labelled(dom, node, "aria-placeholder")).unwrap_or_default()
}

/// A name or an empty text, ready for a line.
pub fn clipped(name: &str) -> String {
    text::clip(name, text::NAME_CHARS)
}
