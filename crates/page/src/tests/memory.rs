//! A document in memory for tests, which answers as a browser does for markup without scripts. Style comes from `style`
//! elements and attributes (see `style.rs`). Beyond that: `data-box="x y w h"` is a box, `data-modal` an open modal dialog,
//! `data-mixed` an indeterminate checkbox, and a `template` with `shadowrootmode` or `shadow` an open shadow root.

use super::style::{Part, Sheets, Style, display};
use crate::dom::*;
use crate::tag::Tag;
use scraper::{ElementRef, Html, Node, Selector};
use std::cell::OnceCell;
use std::collections::HashMap;

type Ref<'a> = ego_tree::NodeRef<'a, Node>;

pub struct Memory {
    html: Html,
    ids: Vec<ego_tree::NodeId>,
    numbers: HashMap<ego_tree::NodeId, u32>,
    sheets: Sheets,
    styles: Vec<OnceCell<Style>>,
    labels: OnceCell<HashMap<NodeId, Vec<NodeId>>>,
}

fn is_shadow(node: Ref<'_>) -> bool {
    node.value()
        .as_element()
        .is_some_and(|e| e.name() == "template" && (e.attr("shadowrootmode").is_some() || e.attr("shadow").is_some()))
}

fn name(node: Ref<'_>) -> &str {
    node.value().as_element().map_or("", |e| e.name())
}

fn attr<'a>(node: Ref<'a>, name: &str) -> Option<&'a str> {
    node.value().as_element()?.attr(name)
}

/// The root of the node's own tree: the document or the fragment of a template.
fn root(node: Ref<'_>) -> Ref<'_> {
    node.ancestors().find(|a| a.value().is_fragment() || a.value().is_document()).unwrap_or(node)
}

impl Memory {
    pub fn new(body: &str) -> Self {
        let html = Html::parse_document(&format!("<!doctype html><html><body>{body}</body></html>"));
        let ids: Vec<_> = html.tree.nodes().map(|n| n.id()).collect();
        let numbers = ids.iter().enumerate().map(|(i, id)| (*id, i as u32)).collect();
        let sheets = Sheets::of(&html);
        let styles = ids.iter().map(|_| OnceCell::new()).collect();
        Memory { html, ids, numbers, sheets, styles, labels: OnceCell::new() }
    }

    fn at(&self, id: NodeId) -> Ref<'_> {
        self.html.tree.get(self.ids[id.0 as usize]).unwrap()
    }

    fn id(&self, node: Ref<'_>) -> NodeId {
        NodeId(self.numbers[&node.id()])
    }

    /// The first match in the document or an open shadow root.
    pub fn find(&self, selector: &str) -> Option<NodeId> {
        let selector = Selector::parse(selector).ok()?;
        self.html.select(&selector).find(|e| !is_shadow(**e)).map(|e| self.id(*e))
    }

    fn style(&self, id: NodeId) -> &Style {
        self.styles[id.0 as usize].get_or_init(|| match ElementRef::wrap(self.at(id)) {
            Some(element) => self.sheets.style(element, Part::Itself),
            None => Style::new(),
        })
    }

    fn is(&self, id: NodeId, property: &str, value: &str) -> bool {
        self.style(id).get(property).is_some_and(|v| v == value)
    }

    /// A property that children take from their parents.
    fn inherited(&self, id: NodeId, property: &str) -> Option<String> {
        let mut at = Some(id);
        while let Some(here) = at {
            if let Some(value) = self.style(here).get(property).filter(|v| *v != "inherit") {
                return Some(value.clone());
            }
            at = self.parent(here);
        }
        None
    }

    fn display(&self, id: NodeId) -> String {
        let style = self.style(id);
        let own = match (style.get("display"), ElementRef::wrap(self.at(id))) {
            (Some(given), _) => given.clone(),
            (None, Some(element)) => display(element).to_owned(),
            (None, None) => "inline".to_owned(),
        };
        let floats = style.get("float").is_some_and(|f| f != "none");
        let placed = style.get("position").is_some_and(|p| p == "absolute" || p == "fixed");
        if own.starts_with("inline") && (floats || placed) { "block".to_owned() } else { own }
    }

    /// The template that holds the shadow tree of an element.
    fn shadow(&self, id: NodeId) -> Option<Ref<'_>> {
        let template = self.at(id).children().find(|c| is_shadow(*c))?;
        template.children().find(|c| c.value().is_fragment()).or(Some(template))
    }

    /// The nodes in a slot, or none.
    fn assigned(&self, slot: Ref<'_>) -> Vec<NodeId> {
        let Some(host) = slot.ancestors().find(|a| is_shadow(*a)).and_then(|t| t.parent()) else { return Vec::new() };
        let wanted = attr(slot, "name").unwrap_or_default();
        let fits = |c: &Ref<'_>| match c.value() {
            Node::Element(e) => !is_shadow(*c) && e.attr("slot").unwrap_or_default() == wanted,
            Node::Text(_) => wanted.is_empty(),
            _ => false,
        };
        host.children().filter(fits).map(|c| self.id(c)).collect()
    }

    fn slot_of(&self, node: Ref<'_>, host: Ref<'_>) -> Option<NodeId> {
        let shadow = self.shadow(self.id(host))?;
        let slots = shadow.descendants().filter(|n| name(*n) == "slot");
        let wanted = attr(node, "slot").unwrap_or_default();
        slots.into_iter().find(|s| attr(*s, "name").unwrap_or_default() == wanted).map(|s| self.id(s))
    }

    fn is_labelable(&self, id: NodeId) -> bool {
        let node = self.at(id);
        match name(node) {
            "input" => attr(node, "type") != Some("hidden"),
            name => matches!(name, "select" | "textarea" | "button" | "meter" | "progress" | "output"),
        }
    }

    /// Whether an option or details content is not laid out because what holds it is closed.
    fn is_closed_in(&self, id: NodeId, parent: NodeId) -> bool {
        let (node, parent) = (self.at(id), self.at(parent));
        match name(parent) {
            "details" if attr(parent, "open").is_none() => {
                let summary = parent.children().find(|c| name(*c) == "summary");
                summary.is_none_or(|s| s.id() != node.id())
            }
            "select" => attr(parent, "multiple").is_none() && attr(parent, "size").is_none_or(|s| s == "1"),
            _ => false,
        }
    }

    fn content(&self, id: NodeId, part: Part) -> Option<(String, bool)> {
        let style = self.sheets.style(ElementRef::wrap(self.at(id))?, part);
        let content = style.get("content").filter(|c| !matches!(c.as_str(), "none" | "normal"))?;
        let display = style.get("display").map_or("inline", String::as_str);
        (display != "none").then(|| (content.clone(), display == "inline"))
    }
}

impl Dom for Memory {
    fn body(&self) -> NodeId {
        self.find("body").unwrap()
    }
    fn modal(&self) -> Option<NodeId> {
        self.find("dialog[data-modal]")
    }
    fn kind(&self, id: NodeId) -> Kind {
        match self.at(id).value() {
            Node::Element(e) => Kind::Element(Tag::from_name(e.name())),
            Node::Text(_) => Kind::Text,
            _ => Kind::Other,
        }
    }
    fn text(&self, id: NodeId) -> String {
        self.at(id).value().as_text().map(|t| t.to_string()).unwrap_or_default()
    }
    fn has_attrs(&self, id: NodeId) -> bool {
        self.at(id).value().as_element().is_some_and(|e| e.attrs().next().is_some())
    }
    fn attr(&self, id: NodeId, name: &'static str) -> Option<String> {
        attr(self.at(id), name).map(str::to_owned)
    }
    fn children(&self, id: NodeId) -> Vec<NodeId> {
        let node = self.at(id);
        if name(node) == "slot" {
            let assigned = self.assigned(node);
            if !assigned.is_empty() {
                return assigned;
            }
        }
        self.shadow(id).unwrap_or(node).children().map(|c| self.id(c)).collect()
    }
    fn parent(&self, id: NodeId) -> Option<NodeId> {
        let node = self.at(id);
        let parent = node.parent()?;
        if parent.value().is_fragment() && parent.parent().is_some_and(is_shadow) {
            return parent.parent()?.parent().map(|host| self.id(host));
        }
        if is_shadow(parent) {
            return parent.parent().map(|host| self.id(host));
        }
        if let Some(slot) = self.slot_of(node, parent) {
            return Some(slot);
        }
        parent.value().is_element().then(|| self.id(parent))
    }
    fn by_id(&self, near: NodeId, id: &str) -> Option<NodeId> {
        let scope = root(self.at(near));
        let same_tree = |n: &Ref<'_>| root(*n).id() == scope.id();
        scope.descendants().find(|n| attr(*n, "id") == Some(id) && same_tree(n)).map(|n| self.id(n))
    }
    fn labels(&self, id: NodeId) -> Vec<NodeId> {
        let all = self.labels.get_or_init(|| {
            let mut all: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
            for label in self.html.tree.nodes().filter(|n| name(*n) == "label").map(|n| self.id(n)) {
                if let Some(control) = self.control(label) {
                    all.entry(control).or_default().push(label);
                }
            }
            all.values_mut().for_each(|labels| {
                let order: Vec<NodeId> = self.html.tree.root().descendants().map(|n| self.id(n)).collect();
                labels.sort_by_key(|l| order.iter().position(|n| n == l));
            });
            all
        });
        all.get(&id).cloned().unwrap_or_default()
    }
    fn control(&self, label: NodeId) -> Option<NodeId> {
        match attr(self.at(label), "for") {
            Some(id) => self.by_id(label, id).filter(|n| self.is_labelable(*n)),
            None => self.at(label).descendants().map(|n| self.id(n)).find(|n| self.is_labelable(*n)),
        }
    }
    fn live(&self, id: NodeId) -> Live {
        let node = self.at(id);
        let value = match name(node) {
            "textarea" => node.children().filter_map(|c| c.value().as_text().map(|t| t.to_string())).collect(),
            _ => attr(node, "value").unwrap_or_default().to_owned(),
        };
        let in_disabled = node.ancestors().any(|a| name(a) == "fieldset" && attr(a, "disabled").is_some());
        Live {
            value,
            checked: attr(node, "checked").is_some(),
            mixed: attr(node, "data-mixed").is_some(),
            disabled: attr(node, "disabled").is_some() || in_disabled,
            secret: attr(node, "type") == Some("password"),
        }
    }
    fn choices(&self, id: NodeId) -> Vec<Choice> {
        let options: Vec<_> = self.at(id).descendants().filter(|n| name(*n) == "option").collect();
        let list = attr(self.at(id), "multiple").is_some() || attr(self.at(id), "size").is_some_and(|s| s != "1");
        let any = list || options.iter().any(|o| attr(*o, "selected").is_some());
        options
            .into_iter()
            .enumerate()
            .map(|(i, o)| {
                let group = o.parent().filter(|p| name(*p) == "optgroup");
                Choice {
                    node: Some(self.id(o)),
                    label: match attr(o, "label") {
                        Some(label) => label.to_owned(),
                        None => o.descendants().filter_map(|n| n.value().as_text().map(|t| t.to_string())).collect(),
                    },
                    group: group.and_then(|g| attr(g, "label")).unwrap_or_default().to_owned(),
                    selected: attr(o, "selected").is_some() || (!any && i == 0),
                    disabled: attr(o, "disabled").is_some(),
                }
            })
            .collect()
    }
    fn painted(&self, id: NodeId) -> Painted {
        let mut at = id;
        let mut transparent = false;
        loop {
            if self.display(at) == "none" {
                return Painted::No;
            }
            transparent |= self.is(at, "opacity", "0");
            let Some(parent) = self.parent(at) else { break };
            let unslotted = self.shadow(parent).is_some() && root(self.at(at)).id() == root(self.at(parent)).id();
            if self.is_closed_in(at, parent) || unslotted {
                return Painted::No;
            }
            at = parent;
        }
        match self.inherited(id, "visibility").as_deref() {
            _ if self.display(id) == "contents" => Painted::Contents,
            Some("hidden" | "collapse") => Painted::Hidden,
            _ if transparent => Painted::Transparent,
            _ => Painted::Yes,
        }
    }
    fn rect(&self, id: NodeId) -> Rect {
        if let Some(given) = attr(self.at(id), "data-box") {
            let n: Vec<f64> = given.split_whitespace().filter_map(|v| v.parse().ok()).collect();
            if n.len() == 4 {
                return Rect { x: n[0], y: n[1], w: n[2], h: n[3] };
            }
        }
        if self.is(id, "left", "-9999px") {
            return Rect { x: -9999.0, y: 0.0, w: 100.0, h: 20.0 };
        }
        if self.is(id, "font-size", "0") {
            return Rect { x: 0.0, y: 0.0, w: 0.0, h: 0.0 };
        }
        Rect { x: 0.0, y: 0.0, w: 100.0, h: 20.0 }
    }
    fn page_box(&self) -> PageBox {
        PageBox { view_w: 800.0, view_h: 600.0, page_w: 800.0, page_h: 2000.0, ..PageBox::default() }
    }
    fn in_scroller(&self, _: NodeId) -> bool {
        false
    }
    fn collapsed(&self, id: NodeId) -> bool {
        self.is(id, "height", "0") && self.is(id, "overflow", "hidden")
    }
    fn pointer(&self, id: NodeId) -> bool {
        self.inherited(id, "cursor").as_deref() == Some("pointer")
    }
    fn inline(&self, id: NodeId) -> bool {
        matches!(self.display(id).as_str(), "inline" | "contents")
    }
    fn pseudo(&self, id: NodeId, before: bool) -> Option<(String, bool)> {
        self.content(id, if before { Part::Before } else { Part::After })
    }
    fn named_attr(&self, id: NodeId, name: &str) -> String {
        attr(self.at(id), name).unwrap_or_default().to_owned()
    }
}
