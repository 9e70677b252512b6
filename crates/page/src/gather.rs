//! The text alternative of what is inside an element: steps 2A to 2I of accname, as far as they apply to anything but the
//! element that is being named.

use crate::block::Joined;
use crate::dom::{Dom, Kind, NodeId, Painted};
use crate::name::{host_name, labelled, tooltip};
use crate::pseudo;
use crate::role::{Role, explicit, role_of};
use crate::state::range_text;
use crate::tag::Tag;
use crate::text::{collapse, joined};

/// Bytes after which a name is long enough; lines show 100 characters.
const ENOUGH: usize = 600;
/// Depth of content looked at for a name.
const MAX_DEPTH: u32 = 40;
/// Elements that one attribute may refer to.
const MAX_IDS: usize = 16;

/// The text of an element's content, as its name would be were it named by its content.
pub fn content<D: Dom>(dom: &D, node: NodeId) -> String {
    let mut gather = Gather::new(dom);
    gather.children(node, true, 0, false);
    gather.out.finish()
}

/// The text of a tree item, without the items below it.
pub fn item_content<D: Dom>(dom: &D, node: NodeId) -> String {
    let mut gather = Gather::new(dom);
    gather.no_groups = true;
    gather.children(node, true, 0, false);
    gather.out.finish()
}

/// The text of an element that is named by reference or by its role as a label. `named`: the control that this is for.
pub fn alternative<D: Dom>(dom: &D, node: NodeId, named: Option<(NodeId, Tag)>) -> String {
    let mut gather = Gather::new(dom);
    gather.named = named;
    gather.root(node);
    gather.out.finish()
}

/// The texts of the elements that an attribute of ids refers to.
pub fn referenced<D: Dom>(dom: &D, node: NodeId, attribute: &'static str) -> String {
    let mut gather = Gather::new(dom);
    gather.follow(node, attribute);
    gather.out.finish()
}

/// Whether the node is hidden from everyone, its own style and attributes considered.
pub fn is_hidden<D: Dom>(dom: &D, node: NodeId) -> bool {
    dom.has_attrs(node)
        && (dom.attr_is(node, "aria-hidden", "true") || matches!(dom.painted(node), Painted::No | Painted::Hidden))
}

/// The same of an element that a reference names, whether it has attributes or not.
fn is_hidden_target<D: Dom>(dom: &D, node: NodeId) -> bool {
    matches!(dom.painted(node), Painted::No | Painted::Hidden) || dom.attr_is(node, "aria-hidden", "true")
}

/// What a control inside a label stands for.
enum Embedded {
    /// It is no such control.
    No,
    /// Its value.
    Value(String),
    /// Its text, whatever its label is.
    Content,
    /// The options of it that are chosen, else its text if the flag says so.
    Chosen(bool),
}

struct Gather<'d, D: Dom> {
    dom: &'d D,
    /// The control that is being named: inside its own label it stands for nothing.
    named: Option<(NodeId, Tag)>,
    /// What is hidden counts too: a reference named something hidden.
    hidden: bool,
    /// Inside of what a reference named, references are not followed.
    referred: bool,
    /// Groups inside belong to other items.
    no_groups: bool,
    /// Elements that references have had a turn at; none is read twice.
    used: Vec<NodeId>,
    /// Elements that began or ended since the last text. Their style is asked only when the next text would stick to it.
    edges: Vec<NodeId>,
    out: Joined,
}

impl<'d, D: Dom> Gather<'d, D> {
    fn new(dom: &'d D) -> Self {
        Gather {
            dom,
            named: None,
            hidden: false,
            referred: false,
            no_groups: false,
            used: Vec::new(),
            edges: Vec::new(),
            out: Joined::default(),
        }
    }

    /// Whether something was said since `start`.
    fn said(&self, start: usize) -> bool {
        self.out.solid() > start
    }

    /// Appends a text, parted from the last one where a box ends between them.
    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.edges.is_empty() {
            let sticks = self.out.sticks() && !text.starts_with([' ', '\n', '\t']);
            if sticks && self.edges.iter().any(|e| !self.dom.inline(*e)) {
                self.out.gap();
            }
            self.edges.clear();
        }
        self.out.push(text);
    }

    /// An element begins or ends here.
    fn edge(&mut self, node: NodeId, tag: Tag, attrs: bool) {
        if is_box(tag) || (!attrs && !tag.is_inline()) {
            self.out.gap();
        } else if self.out.sticks() {
            self.edges.push(node);
        }
    }

    /// Step 2B. Ids are looked up in the node's own tree; each is followed once, never further.
    fn follow(&mut self, node: NodeId, attribute: &'static str) -> bool {
        let Some(ids) = self.dom.attr(node, attribute) else { return false };
        let start = self.out.solid();
        let before = (self.hidden, self.referred);
        self.referred = true;
        for id in ids.split_ascii_whitespace().take(MAX_IDS) {
            if let Some(target) = self.dom.by_id(node, id) {
                self.out.gap();
                let own = self.dom.same(target, node);
                self.referenced(target, own);
                self.used.push(target);
                self.out.gap();
            }
        }
        (self.hidden, self.referred) = before;
        self.said(start)
    }

    fn referenced(&mut self, target: NodeId, own: bool) {
        if let Kind::Element(tag) = self.dom.kind(target) {
            self.hidden = is_hidden_target(self.dom, target);
            self.inside(target, tag, 0, false, true, own);
        }
    }

    /// A label, or what else is asked for by itself.
    fn root(&mut self, node: NodeId) {
        if let Kind::Element(tag) = self.dom.kind(node) {
            self.hidden = is_hidden_target(self.dom, node);
            self.inside(node, tag, 0, false, true, false);
        }
    }

    /// Step 2F: the content, with what style puts around it.
    fn children(&mut self, node: NodeId, styled: bool, depth: u32, unseen: bool) {
        if styled && !unseen {
            self.style_text(node, true);
        }
        let owned = self.owned(node);
        let closed =
            self.dom.kind(node) == Kind::Element(Tag::Details) && !self.hidden && self.dom.attr(node, "open").is_none();
        for child in self.dom.children(node) {
            match self.dom.kind(child) {
                _ if self.out.len() > ENOUGH => return,
                Kind::Text if !unseen && !closed => self.push(&self.dom.text(child)),
                Kind::Element(tag)
                    if (!closed || tag == Tag::Summary) && !owned.iter().any(|o| self.dom.same(*o, child)) =>
                {
                    self.element(child, tag, depth + 1, unseen);
                }
                _ => {}
            }
        }
        for child in owned {
            if let Kind::Element(tag) = self.dom.kind(child) {
                self.element(child, tag, depth + 1, unseen);
                self.used.push(child);
            }
        }
        if styled && !unseen {
            self.style_text(node, false);
        }
    }

    /// What `aria-owns` adds. The owner itself is never read again.
    fn owned(&mut self, node: NodeId) -> Vec<NodeId> {
        if !self.dom.has_attrs(node) {
            return Vec::new();
        }
        let Some(ids) = self.dom.attr(node, "aria-owns") else { return Vec::new() };
        self.used.push(node);
        ids.split_ascii_whitespace().take(MAX_IDS).filter_map(|id| self.dom.by_id(node, id)).collect()
    }

    fn style_text(&mut self, node: NodeId, before: bool) {
        let Some((content, inline)) = self.dom.pseudo(node, before) else { return };
        if !inline {
            self.out.gap();
        }
        self.push(&pseudo::words(&content, &|name| self.dom.named_attr(node, name)));
        if !inline {
            self.out.gap();
        }
    }

    fn element(&mut self, node: NodeId, tag: Tag, depth: u32, unseen: bool) {
        if tag == Tag::Br {
            return self.out.gap();
        }
        if depth > MAX_DEPTH || tag.is_never_shown() {
            return;
        }
        let attrs = self.dom.has_attrs(node);
        let mut unseen = unseen;
        if attrs && !self.hidden {
            if self.dom.attr_is(node, "aria-hidden", "true") {
                return;
            }
            match self.dom.painted(node) {
                Painted::No => return,
                Painted::Hidden => unseen = true,
                Painted::Contents => {}
                Painted::Transparent | Painted::Yes => unseen = false,
            }
        }
        self.edge(node, tag, attrs);
        if !self.is_named(node, tag) && !self.used.iter().any(|u| self.dom.same(*u, node)) {
            self.inside(node, tag, depth, unseen, false, false);
        }
        self.edge(node, tag, attrs);
    }

    fn is_named(&self, node: NodeId, tag: Tag) -> bool {
        self.named.is_some_and(|(named, its_tag)| its_tag == tag && self.dom.same(named, node))
    }

    /// Steps 2B to 2I for one element. `root`: it was asked for by itself, so that its role does not matter. `own`: it is what is
    /// being named, and no control inside something else.
    fn inside(&mut self, node: NodeId, tag: Tag, depth: u32, unseen: bool, root: bool, own: bool) {
        let attrs = self.dom.has_attrs(node);
        if tag == Tag::Slot {
            return self.children(node, false, depth, unseen);
        }
        if attrs && !self.referred && !unseen && self.follow(node, "aria-labelledby") {
            return;
        }
        let start = self.out.solid();
        let role = self.spoken_role(node, tag, attrs);
        match if own { Embedded::No } else { self.embedded(node, tag, role) } {
            Embedded::No => {}
            Embedded::Value(_) if unseen => return,
            // A reference to an empty field is to what the field is called.
            Embedded::Value(value) if root && value.is_empty() => {}
            Embedded::Value(value) => return self.push(&value),
            Embedded::Content => return self.children(node, attrs, depth, unseen),
            Embedded::Chosen(or_text) => {
                if !self.chosen(node, depth, unseen) && or_text {
                    self.children(node, attrs, depth, unseen);
                }
                return;
            }
        }
        if !unseen && let Some(label) = self.author(node, tag, role, attrs, root) {
            return self.push(&label);
        }
        if (root || !self.is_closed_to(role)) && !is_opaque(tag) {
            self.children(node, attrs || root, depth, unseen);
        }
        if attrs && !unseen && role != Some(Role::None) && !self.said(start) {
            let title = tooltip(self.dom, node, tag);
            self.push(&title);
        }
    }

    /// `aria-label`, else what the host language gives. References and labels were dealt with.
    fn author(&self, node: NodeId, tag: Tag, role: Option<Role>, attrs: bool, root: bool) -> Option<String> {
        let label = if attrs { labelled(self.dom, node, "aria-label") } else { None };
        if label.is_some() || role == Some(Role::None) {
            return label;
        }
        match tag {
            Tag::Fieldset | Tag::Table | Tag::Figure if !root => None,
            _ => host_name(self.dom, node, tag, root),
        }
    }

    /// The author's role, and the native one where it decides what is said.
    fn spoken_role(&self, node: NodeId, tag: Tag, attrs: bool) -> Option<Role> {
        match tag {
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Progress | Tag::Meter | Tag::Img => {
                Some(role_of(self.dom, node, tag).0)
            }
            _ if attrs => explicit(self.dom, node, tag),
            _ => None,
        }
    }

    /// Whether what is inside is not said as a part of something around it.
    fn is_closed_to(&self, role: Option<Role>) -> bool {
        role.is_some_and(|r| r.keeps_its_text() || (self.no_groups && r == Role::Group))
    }

    /// Step 2C: a control inside a label stands for its value. A secret value is never part of a name.
    fn embedded(&self, node: NodeId, tag: Tag, role: Option<Role>) -> Embedded {
        let typed = matches!(tag, Tag::Input | Tag::Textarea);
        match role {
            Some(Role::TextBox | Role::SearchBox | Role::Combobox) if typed => {
                let live = self.dom.live(node);
                Embedded::Value(if live.secret { String::new() } else { collapse(&live.value) })
            }
            Some(Role::TextBox | Role::SearchBox) => Embedded::Content,
            Some(Role::Combobox | Role::Listbox) if tag == Tag::Select => {
                let chosen: Vec<String> =
                    self.dom.choices(node).into_iter().filter(|c| c.selected).map(|c| c.label).collect();
                Embedded::Value(collapse(&joined(&chosen, " ")))
            }
            Some(Role::Combobox) => Embedded::Chosen(true),
            Some(Role::Listbox) => Embedded::Chosen(false),
            Some(Role::Slider | Role::SpinButton | Role::ProgressBar | Role::Scrollbar | Role::Meter) => {
                let live = typed.then(|| collapse(&self.dom.live(node).value)).filter(|v| !v.is_empty());
                let said = labelled(self.dom, node, "aria-valuetext").or(live);
                match said.or_else(|| range_text(self.dom, node)) {
                    Some(value) => Embedded::Value(value),
                    None => Embedded::Content,
                }
            }
            _ => Embedded::No,
        }
    }

    /// The options inside that are chosen. Whether there are any.
    fn chosen(&mut self, node: NodeId, depth: u32, unseen: bool) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        let mut all = self.dom.children(node);
        all.extend(self.owned(node));
        let mut found = false;
        for child in all {
            let Kind::Element(tag) = self.dom.kind(child) else { continue };
            if self.dom.has_attrs(child) && self.dom.attr_is(child, "aria-selected", "true") {
                self.out.gap();
                self.element(child, tag, depth + 1, unseen);
                self.out.gap();
                found = true;
            } else {
                found |= self.chosen(child, depth + 1, unseen);
            }
        }
        found
    }
}

/// Whether it is a thing among text rather than text.
fn is_box(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Img
            | Tag::Svg
            | Tag::Input
            | Tag::Select
            | Tag::Textarea
            | Tag::Button
            | Tag::Object
            | Tag::Video
            | Tag::Audio
            | Tag::Canvas
            | Tag::Iframe
            | Tag::Meter
            | Tag::Progress
    )
}

/// Whether the element's children are not its content: they are for browsers that do not know it, or another document.
fn is_opaque(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Iframe
            | Tag::Frame
            | Tag::Video
            | Tag::Audio
            | Tag::Canvas
            | Tag::Select
            | Tag::Textarea
            | Tag::Progress
            | Tag::Meter
            | Tag::Svg
            | Tag::Math
    )
}
