//! A document in memory for tests. Style and boxes come from attributes: `hidden`, inline `display`, `visibility`, `opacity`,
//! `left: -9999px`, `font-size: 0`, `cursor: pointer`, `data-box="x y w h"`, `data-modal`, `data-focus`.

use crate::dom::*;
use crate::tag::Tag;
use scraper::{Html, Node, Selector};

pub struct Memory {
    html: Html,
    ids: Vec<ego_tree::NodeId>,
    numbers: std::collections::HashMap<ego_tree::NodeId, u32>,
}

impl Memory {
    pub fn new(body: &str) -> Self {
        let html = Html::parse_document(&format!("<!doctype html><html><body>{body}</body></html>"));
        let ids: Vec<_> = html.tree.nodes().map(|n| n.id()).collect();
        let numbers = ids.iter().enumerate().map(|(i, id)| (*id, i as u32)).collect();
        Memory { html, ids, numbers }
    }

    fn at(&self, id: NodeId) -> ego_tree::NodeRef<'_, Node> {
        self.html.tree.get(self.ids[id.0 as usize]).unwrap()
    }

    fn id(&self, node: ego_tree::NodeRef<'_, Node>) -> NodeId {
        NodeId(self.numbers[&node.id()])
    }

    pub fn find(&self, selector: &str) -> Option<NodeId> {
        let selector = Selector::parse(selector).ok()?;
        self.html.select(&selector).next().map(|e| self.id(*e))
    }

    fn style(&self, id: NodeId, wanted: &str) -> bool {
        let style = self.attr(id, "style").unwrap_or_default().replace(' ', "");
        style.split(';').any(|p| p == wanted)
    }

    fn template(&self, id: NodeId) -> Option<ego_tree::NodeRef<'_, Node>> {
        self.at(id).children().find(|c| {
            c.value().as_element().is_some_and(|e| e.name() == "template" && e.attr("shadowrootmode").is_some())
        })
    }

    fn host_of_slot(&self, id: NodeId) -> Option<ego_tree::NodeRef<'_, Node>> {
        let template = self.at(id).ancestors().find(|a| {
            a.value().as_element().is_some_and(|e| e.name() == "template" && e.attr("shadowrootmode").is_some())
        })?;
        template.parent()
    }

    fn element_name(&self, id: NodeId) -> &str {
        self.at(id).value().as_element().map_or("", |e| e.name())
    }

    fn by_selector(&self, selector: &str) -> Vec<NodeId> {
        match Selector::parse(selector) {
            Ok(s) => self.html.select(&s).map(|e| self.id(*e)).collect(),
            Err(_) => Vec::new(),
        }
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
        self.at(id).value().as_element()?.attr(name).map(str::to_owned)
    }
    fn children(&self, id: NodeId) -> Vec<NodeId> {
        if self.element_name(id) == "slot"
            && let Some(host) = self.host_of_slot(id)
        {
            let name = self.attr(id, "name").unwrap_or_default();
            let assigned: Vec<NodeId> = host
                .children()
                .filter(|c| match c.value() {
                    Node::Element(e) => e.name() != "template" && e.attr("slot").unwrap_or_default() == name,
                    Node::Text(t) => name.is_empty() && !t.trim().is_empty(),
                    _ => false,
                })
                .map(|c| self.id(c))
                .collect();
            if !assigned.is_empty() {
                return assigned;
            }
        }
        let from = self.template(id).unwrap_or(self.at(id));
        // scraper keeps a template's content in a fragment below it.
        let from = from.children().find(|c| c.value().is_fragment()).unwrap_or(from);
        from.children().map(|c| self.id(c)).collect()
    }
    fn parent(&self, id: NodeId) -> Option<NodeId> {
        let mut parent = self.at(id).parent()?;
        while parent.value().is_fragment()
            || parent.value().as_element().is_some_and(|e| e.attr("shadowrootmode").is_some())
        {
            parent = parent.parent()?;
        }
        parent.value().is_element().then(|| self.id(parent))
    }
    fn by_id(&self, _near: NodeId, id: &str) -> Option<NodeId> {
        self.by_selector("[id]").into_iter().find(|n| self.attr(*n, "id").as_deref() == Some(id))
    }
    fn labels(&self, id: NodeId) -> Vec<NodeId> {
        self.by_selector("label").into_iter().filter(|l| self.control(*l) == Some(id)).collect()
    }
    fn control(&self, label: NodeId) -> Option<NodeId> {
        let labelable = |n: NodeId| {
            matches!(self.element_name(n), "input" | "select" | "textarea" | "button" | "meter" | "progress" | "output")
        };
        match self.attr(label, "for") {
            Some(id) => self.by_id(label, &id).filter(|n| labelable(*n)),
            None => self.at(label).descendants().map(|n| self.id(n)).find(|n| labelable(*n)),
        }
    }
    fn live(&self, id: NodeId) -> Live {
        let kind = self.attr(id, "type").unwrap_or_default();
        let value = match self.element_name(id) {
            "textarea" => self.at(id).children().filter_map(|c| c.value().as_text().map(|t| t.to_string())).collect(),
            _ => self.attr(id, "value").unwrap_or_default(),
        };
        let in_disabled = self
            .at(id)
            .ancestors()
            .any(|a| a.value().as_element().is_some_and(|e| e.name() == "fieldset" && e.attr("disabled").is_some()));
        Live {
            value,
            checked: self.attr(id, "checked").is_some(),
            mixed: self.attr(id, "data-mixed").is_some(),
            disabled: self.attr(id, "disabled").is_some() || in_disabled,
            secret: kind == "password",
        }
    }
    fn choices(&self, id: NodeId) -> Vec<Choice> {
        let options: Vec<_> = self
            .at(id)
            .descendants()
            .filter(|n| n.value().as_element().is_some_and(|e| e.name() == "option"))
            .collect();
        let any = options.iter().any(|o| o.value().as_element().is_some_and(|e| e.attr("selected").is_some()));
        options
            .into_iter()
            .enumerate()
            .map(|(i, o)| {
                let e = o.value().as_element().unwrap();
                let group = o.parent().and_then(|p| p.value().as_element().cloned()).filter(|p| p.name() == "optgroup");
                Choice {
                    node: Some(self.id(o)),
                    label: o.descendants().filter_map(|n| n.value().as_text().map(|t| t.to_string())).collect(),
                    group: group.and_then(|g| g.attr("label").map(str::to_owned)).unwrap_or_default(),
                    selected: e.attr("selected").is_some() || (!any && i == 0),
                    disabled: e.attr("disabled").is_some(),
                }
            })
            .collect()
    }
    fn painted(&self, id: NodeId) -> Painted {
        if matches!(self.element_name(id), "slot") {
            return Painted::Contents;
        }
        let mut at = Some(id);
        let mut worst = Painted::Yes;
        let mut below_summary = false;
        while let Some(here) = at {
            let closed = self.element_name(here) == "details" && self.attr(here, "open").is_none();
            let closed_dialog = self.element_name(here) == "dialog" && self.attr(here, "open").is_none();
            if self.attr(here, "hidden").is_some() || self.style(here, "display:none") || closed_dialog {
                return Painted::No;
            }
            if closed && here != id && !below_summary {
                return Painted::No;
            }
            below_summary = self.element_name(here) == "summary";
            if self.style(here, "visibility:hidden") {
                worst = Painted::Hidden;
            } else if self.style(here, "opacity:0") && worst == Painted::Yes {
                worst = Painted::Transparent;
            }
            at = self.parent(here);
        }
        worst
    }
    fn rect(&self, id: NodeId) -> Rect {
        if let Some(given) = self.attr(id, "data-box") {
            let n: Vec<f64> = given.split_whitespace().filter_map(|v| v.parse().ok()).collect();
            if n.len() == 4 {
                return Rect { x: n[0], y: n[1], w: n[2], h: n[3] };
            }
        }
        if self.style(id, "left:-9999px") {
            return Rect { x: -9999.0, y: 0.0, w: 100.0, h: 20.0 };
        }
        if self.style(id, "font-size:0") {
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
        self.style(id, "height:0") && self.style(id, "overflow:hidden")
    }
    fn pointer(&self, id: NodeId) -> bool {
        self.style(id, "cursor:pointer") || self.parent(id).is_some_and(|p| self.pointer(p))
    }
    fn inline(&self, id: NodeId) -> bool {
        let Kind::Element(tag) = self.kind(id) else { return true };
        if self.style(id, "display:block") || self.style(id, "display:inline-block") {
            return false;
        }
        self.style(id, "display:inline") || tag.is_inline()
    }
    fn pseudo(&self, _: NodeId) -> (String, String) {
        Default::default()
    }
}
