//! The document as the tree sees it. One value serves one reading: answers are kept for its life.

use crate::js::{self, Node};
use crate::secret;
use js_sys::Map;
use std::cell::{Cell, RefCell};
use wasm_bindgen::{JsCast, JsValue};
use webbrain_page::{Choice, Dom, Kind, Live, NodeId, PageBox, Painted, Rect, Tag};

/// Characters of one text node that are read.
const TEXT_CHARS: u32 = 600;

struct Entry {
    node: Node,
    kind: Cell<Option<Kind>>,
    parent: Option<NodeId>,
    /// Where the node's document begins in the viewport of the top one.
    offset: (f64, f64),
    has_attrs: Cell<Option<bool>>,
    painted: Cell<Option<Painted>>,
    rect: Cell<Option<Rect>>,
    pointer: Cell<Option<bool>>,
    in_scroller: Cell<Option<bool>>,
    children: RefCell<Option<Vec<NodeId>>>,
}

thread_local! {
    /// From a local name, as JavaScript has it, to the number of its tag: no name is decoded twice.
    static TAGS: Map = {
        let map = Map::new();
        for (index, name) in Tag::NAMES.iter().enumerate() {
            map.set(&JsValue::from_str(name), &JsValue::from(index as u32));
        }
        map
    };
    /// Attribute names as JavaScript strings: a few dozen, found by their address.
    static NAMES: RefCell<Vec<(&'static str, JsValue)>> = const { RefCell::new(Vec::new()) };
    static ASKS: [JsValue; 3] = [
        js::object(&[
            ("visibilityProperty", true.into()), ("checkVisibilityCSS", true.into()),
            ("opacityProperty", true.into()), ("checkOpacity", true.into()),
        ]),
        js::object(&[("visibilityProperty", true.into()), ("checkVisibilityCSS", true.into())]),
        js::object(&[]),
    ];
}

/// The document of this frame, and same-origin frames in it.
pub struct PageDom {
    entries: RefCell<Vec<Entry>>,
}

impl PageDom {
    /// For one reading.
    pub fn new() -> Self {
        PageDom { entries: RefCell::new(Vec::new()) }
    }

    /// A handle for an element.
    pub fn handle(&self, node: &Node) -> NodeId {
        self.add(node.clone(), None, frame_offset(node))
    }

    /// The element of a handle.
    pub fn node(&self, id: NodeId) -> Node {
        self.with(id, |e| e.node.clone())
    }

    fn add(&self, node: Node, parent: Option<NodeId>, offset: (f64, f64)) -> NodeId {
        let mut entries = self.entries.borrow_mut();
        entries.push(Entry {
            node,
            kind: Cell::new(None),
            parent,
            offset,
            has_attrs: Cell::new(None),
            painted: Cell::new(None),
            rect: Cell::new(None),
            pointer: Cell::new(None),
            in_scroller: Cell::new(None),
            children: RefCell::new(None),
        });
        // A document has fewer than four thousand million nodes.
        NodeId(entries.len() as u32 - 1)
    }

    fn with<R>(&self, id: NodeId, read: impl FnOnce(&Entry) -> R) -> R {
        read(&self.entries.borrow()[id.0 as usize])
    }

    fn tag(&self, id: NodeId) -> Tag {
        match self.kind(id) {
            Kind::Element(tag) => tag,
            _ => Tag::Other,
        }
    }

    fn flat_children(&self, id: NodeId) -> Vec<NodeId> {
        let (node, offset) = self.with(id, |e| (e.node.clone(), e.offset));
        let tag = self.tag(id);
        if matches!(tag, Tag::Iframe | Tag::Frame) {
            return self.frame_body(id, &node, offset);
        }
        if tag == Tag::Slot {
            let assigned = node.assigned_nodes();
            if assigned.length() > 0 {
                return assigned.iter().map(|n| self.add(n.unchecked_into(), Some(id), offset)).collect();
            }
        }
        let from =
            if matches!(tag, Tag::Other | Tag::Div | Tag::Span | Tag::Section | Tag::Article | Tag::Main | Tag::Body) {
                node.shadow_root().unwrap_or(node)
            } else {
                node
            };
        let mut out = Vec::new();
        let mut at = from.first_child();
        while let Some(child) = at {
            at = child.next_sibling();
            out.push(self.add(child, Some(id), offset));
        }
        out
    }

    fn frame_body(&self, id: NodeId, frame: &Node, (x, y): (f64, f64)) -> Vec<NodeId> {
        let Some(body) = frame.content_document().and_then(|d| d.body()) else { return Vec::new() };
        let at = frame.bounds();
        let offset = (x + at.x() + frame.client_left(), y + at.y() + frame.client_top());
        vec![self.add(body, Some(id), offset)]
    }
}

/// Where the viewport of a node's document begins in that of the top document.
fn frame_offset(node: &Node) -> (f64, f64) {
    let mut offset = (0.0, 0.0);
    let mut doc = node.doc();
    let top = js::document();
    for _ in 0..8 {
        if doc.same(&top) {
            break;
        }
        let Some(frame) = js::some_node(js::property(&doc.default_view(), "frameElement")) else { break };
        let at = frame.bounds();
        offset = (offset.0 + at.x() + frame.client_left(), offset.1 + at.y() + frame.client_top());
        doc = frame.doc();
    }
    offset
}

fn check(node: &Node, ask: usize) -> bool {
    // An element without the method is taken as rendered.
    ASKS.with(|asks| node.check_visibility(&asks[ask]).unwrap_or(true))
}

impl Dom for PageDom {
    fn body(&self) -> NodeId {
        let doc = js::document();
        let root = doc.body().or_else(|| doc.document_element()).unwrap_or(doc);
        self.add(root, None, (0.0, 0.0))
    }

    fn modal(&self) -> Option<NodeId> {
        modal_dialog().map(|dialog| self.handle(&dialog))
    }

    fn same(&self, a: NodeId, b: NodeId) -> bool {
        a == b || self.node(a).same(&self.node(b))
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.with(id, |e| {
            if let Some(kind) = e.kind.get() {
                return kind;
            }
            let kind = match e.node.node_type() {
                1 => Kind::Element(
                    TAGS.with(|tags| tags.get(&e.node.local_name()))
                        .as_f64()
                        .map_or(Tag::Other, |n| Tag::from_index(n as usize)),
                ),
                3 => Kind::Text,
                _ => Kind::Other,
            };
            e.kind.set(Some(kind));
            kind
        })
    }

    fn text(&self, id: NodeId) -> String {
        self.with(id, |e| {
            let data = e.node.data();
            if data.length() > TEXT_CHARS { String::from(data.substring(0, TEXT_CHARS)) } else { String::from(data) }
        })
    }

    fn has_attrs(&self, id: NodeId) -> bool {
        self.with(id, |e| {
            e.has_attrs.get().unwrap_or_else(|| {
                let has = e.node.node_type() == 1 && e.node.has_attributes();
                e.has_attrs.set(Some(has));
                has
            })
        })
    }

    fn attr(&self, id: NodeId, name: &'static str) -> Option<String> {
        if !self.has_attrs(id) {
            return None;
        }
        NAMES.with(|names| {
            let mut names = names.borrow_mut();
            let at = names.iter().position(|(known, _)| std::ptr::eq(*known, name)).unwrap_or_else(|| {
                names.push((name, JsValue::from_str(name)));
                names.len() - 1
            });
            self.with(id, |e| e.node.attribute_value(&names[at].1))
        })
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        if let Some(known) = self.with(id, |e| e.children.borrow().clone()) {
            return known;
        }
        let children = self.flat_children(id);
        self.with(id, |e| *e.children.borrow_mut() = Some(children.clone()));
        children
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        if let Some(parent) = self.with(id, |e| e.parent) {
            return Some(parent);
        }
        let (node, offset) = self.with(id, |e| (e.node.clone(), e.offset));
        let parent = node.flat_parent().filter(|p| p.node_type() == 1)?;
        Some(self.add(parent, None, offset))
    }

    fn by_id(&self, near: NodeId, id: &str) -> Option<NodeId> {
        let (node, offset) = self.with(near, |e| (e.node.clone(), e.offset));
        let found = node.root_node().by_id(id)?;
        Some(self.add(found, None, offset))
    }

    fn labels(&self, id: NodeId) -> Vec<NodeId> {
        let (node, offset) = self.with(id, |e| (e.node.clone(), e.offset));
        js::nodes(&node.labels()).into_iter().map(|label| self.add(label, None, offset)).collect()
    }

    fn control(&self, label: NodeId) -> Option<NodeId> {
        let (node, offset) = self.with(label, |e| (e.node.clone(), e.offset));
        js::some_node(node.control()).map(|control| self.add(control, None, offset))
    }

    fn live(&self, id: NodeId) -> Live {
        let node = self.node(id);
        let tag = self.tag(id);
        let mut live = Live { disabled: node.is(":disabled"), ..Live::default() };
        if matches!(tag, Tag::Input | Tag::Textarea) {
            live.value = node.value_text();
            live.secret = secret::is_secret(&node);
            live.checked = node.checked().is_truthy();
            live.mixed = node.indeterminate().is_truthy();
        }
        live
    }

    fn choices(&self, id: NodeId) -> Vec<Choice> {
        let (node, offset) = self.with(id, |e| (e.node.clone(), e.offset));
        js::nodes(&node.options())
            .into_iter()
            .map(|option| {
                let group = option.parent_node().filter(|p| p.name() == "optgroup");
                Choice {
                    label: option_label(&option),
                    group: group.and_then(|g| g.attribute("label")).unwrap_or_default(),
                    selected: option.selected().is_truthy(),
                    disabled: option.is(":disabled"),
                    node: Some(self.add(option, Some(id), offset)),
                }
            })
            .collect()
    }

    fn painted(&self, id: NodeId) -> Painted {
        self.with(id, |e| {
            if let Some(known) = e.painted.get() {
                return known;
            }
            let painted = if check(&e.node, 0) {
                Painted::Yes
            } else if check(&e.node, 1) {
                Painted::Transparent
            } else if check(&e.node, 2) {
                Painted::Hidden
            } else if js::computed_style(&e.node).display() == "contents" {
                Painted::Contents
            } else {
                Painted::No
            };
            e.painted.set(Some(painted));
            painted
        })
    }

    fn rect(&self, id: NodeId) -> Rect {
        self.with(id, |e| {
            e.rect.get().unwrap_or_else(|| {
                let b = e.node.bounds();
                let rect = Rect { x: b.x() + e.offset.0, y: b.y() + e.offset.1, w: b.width(), h: b.height() };
                e.rect.set(Some(rect));
                rect
            })
        })
    }

    fn page_box(&self) -> PageBox {
        let root = js::document().document_element();
        PageBox {
            view_w: js::window_number("innerWidth"),
            view_h: js::window_number("innerHeight"),
            scroll_x: js::window_number("scrollX"),
            scroll_y: js::window_number("scrollY"),
            page_w: root.as_ref().map_or(0.0, Node::scroll_width),
            page_h: root.as_ref().map_or(0.0, Node::scroll_height),
        }
    }

    fn in_scroller(&self, id: NodeId) -> bool {
        let Some(parent) = self.parent(id) else { return false };
        if let Some(known) = self.with(parent, |e| e.in_scroller.get()) {
            return known;
        }
        let node = self.node(parent);
        let answer = self.tag(parent) != Tag::Body && (can_scroll(&node) || self.in_scroller(parent));
        self.with(parent, |e| e.in_scroller.set(Some(answer)));
        answer
    }

    fn collapsed(&self, id: NodeId) -> bool {
        self.with(id, |e| {
            if e.node.client_height() > 1.0 && e.node.client_width() > 1.0 {
                return false;
            }
            let style = js::computed_style(&e.node);
            style.read("overflowX") != "visible" && style.read("overflowY") != "visible" && style.display() != "inline"
        })
    }

    fn pointer(&self, id: NodeId) -> bool {
        self.with(id, |e| {
            e.pointer.get().unwrap_or_else(|| {
                let hand = js::computed_style(&e.node).read("cursor") == "pointer";
                e.pointer.set(Some(hand));
                hand
            })
        })
    }

    fn inline(&self, id: NodeId) -> bool {
        self.with(id, |e| matches!(js::computed_style(&e.node).display().as_str(), "inline" | "contents"))
    }

    fn pseudo(&self, id: NodeId) -> (String, String) {
        self.with(id, |e| {
            let read = |which| pseudo_text(&js::computed_pseudo(&e.node, which).read("content"));
            (read("::before"), read("::after"))
        })
    }
}

/// The topmost dialog opened with `showModal`.
pub fn modal_dialog() -> Option<Node> {
    let open: Vec<Node> = js::all(&js::document(), "dialog[open]").into_iter().filter(|d| d.is(":modal")).collect();
    let active = js::document().active_element();
    let focused = open.iter().rev().find(|d| active.as_ref().is_some_and(|a| d.contains(a)));
    focused.or(open.last()).cloned()
}

/// An option's label as the user reads it.
pub fn option_label(option: &Node) -> String {
    let label = option.label().as_string().filter(|l| !l.is_empty());
    label.or_else(|| option.text().as_string()).unwrap_or_default()
}

/// Whether it is a container whose content can be scrolled.
pub fn can_scroll(node: &Node) -> bool {
    let down = node.scroll_height() > node.client_height() + 1.0;
    let across = node.scroll_width() > node.client_width() + 1.0;
    if !down && !across {
        return false;
    }
    let style = js::computed_style(node);
    let scrolls = |o: String| matches!(o.as_str(), "auto" | "scroll" | "overlay");
    (down && scrolls(style.read("overflowY"))) || (across && scrolls(style.read("overflowX")))
}

/// The words in a computed `content`: quoted strings, without icon characters.
fn pseudo_text(content: &str) -> String {
    let Some(inner) = content.strip_prefix('"').and_then(|c| c.split('"').next()) else { return String::new() };
    inner.chars().filter(|c| !matches!(c, '\u{e000}'..='\u{f8ff}')).collect()
}
