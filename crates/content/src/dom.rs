//! The document as the tree sees it. One value serves one reading: answers are kept for its life.

use crate::arena::{Arena, UNREAD};
use crate::collector::{self, Collector};
use crate::focus::modal_dialog;
use crate::js::{self, Node};
use crate::secret;
use crate::style::{self, Look};
use std::cell::{Cell, RefCell};
use webbrain_page::{Choice, Dom, Kind, Live, NodeId, PageBox, Painted, Rect, Tag};

/// Attributes that the collector brings along; any other is asked for.
const ATTRIBUTES: &str = "type aria-label open aria-labelledby aria-hidden role href value title tabindex placeholder label \
    disabled checked aria-valuetext aria-description aria-describedby alt src size onclick multiple list \
    inert hidden aria-valuenow aria-selected aria-owns aria-invalid aria-haspopup aria-expanded \
    aria-disabled aria-current aria-checked xlink:title summary slot scope required readonly popover \
    name contenteditable aria-valuemin aria-valuemax aria-required aria-relevant aria-readonly \
    aria-pressed aria-placeholder aria-modal aria-live aria-level aria-atomic aria-busy aria-controls \
    aria-details aria-dropeffect aria-errormessage aria-flowto aria-grabbed aria-keyshortcuts \
    aria-roledescription selected";
/// Elements whose children are read only when they are asked for.
const UNREAD_TAGS: &str =
    "script style template noscript head title select datalist textarea object embed canvas video audio";
/// Elements whose own text says whether they are seen by their colour are looked at this far up for what is behind.
const MOST_BEHIND: usize = 60;

thread_local! {
    static SET_UP: Cell<bool> = const { Cell::new(false) };
}

/// The document of this frame, and same-origin frames in it.
pub struct PageDom {
    collector: Collector,
    arena: RefCell<Arena>,
    body: Cell<Option<NodeId>>,
    /// Computed styles, each with the number of the first that is equal; and what tells them apart: the look of the parent,
    /// and the keys of the element, its parent and its grandparent.
    looks: RefCell<Vec<(Look, u32)>>,
    look_keys: RefCell<Vec<([u32; 4], u32)>>,
    /// By the number of the look, doubled, one more for what comes before: 1 without generated content, else its place in `contents`
    /// and 2.
    pseudos: RefCell<Vec<u32>>,
    contents: RefCell<Vec<(String, bool)>>,
    /// By node: what the collector said, and 1.
    painted: RefCell<Vec<u32>>,
    /// By node: 1 outside of a container that scrolls, 2 in one.
    scrollers: RefCell<Vec<u32>>,
}

/// What is kept at a place; 0 for nothing.
fn kept(all: &RefCell<Vec<u32>>, at: u32) -> u32 {
    all.borrow().get(at as usize).copied().unwrap_or(0)
}

fn keep(all: &RefCell<Vec<u32>>, at: u32, value: u32) {
    let mut all = all.borrow_mut();
    while all.len() <= at as usize {
        all.push(0);
    }
    all[at as usize] = value;
}

impl PageDom {
    /// For one reading.
    pub fn new() -> Self {
        if !SET_UP.replace(true) {
            collector::set_up(Tag::LIST, ATTRIBUTES, UNREAD_TAGS);
        }
        PageDom {
            collector: Collector::new(),
            arena: RefCell::default(),
            body: Cell::new(None),
            looks: RefCell::default(),
            look_keys: RefCell::default(),
            pseudos: RefCell::default(),
            contents: RefCell::default(),
            painted: RefCell::default(),
            scrollers: RefCell::default(),
        }
    }

    /// A handle for an element.
    pub fn handle(&self, node: &Node) -> NodeId {
        let known = self.collector.one(node);
        match u32::try_from(known) {
            Ok(known) => self.arena.borrow().node(known),
            Err(_) => self.collect(None),
        }
    }

    /// The element of a handle.
    pub fn node(&self, id: NodeId) -> Node {
        self.collector.get(self.element(id))
    }

    /// The ref number of an element, `next` if it had none.
    pub fn number(&self, id: NodeId, next: u32) -> u32 {
        self.collector.number(self.element(id), next)
    }

    fn collect(&self, parent: Option<NodeId>) -> NodeId {
        self.arena.borrow_mut().add(&self.collector.take(), &self.collector.take_text(), parent)
    }

    fn element(&self, id: NodeId) -> u32 {
        self.arena.borrow().element(id)
    }

    fn tag(&self, id: NodeId) -> Tag {
        match self.kind(id) {
            Kind::Element(tag) => tag,
            _ => Tag::Other,
        }
    }

    fn look(&self, id: NodeId) -> Look {
        let at = self.look_number(id);
        self.looks.borrow()[at].0
    }

    /// Elements that look alike are asked about once. What their parents look like tells what they inherit, their own name
    /// and attributes and those of two levels above what rules of style they match; a rule that counts siblings is not seen.
    fn look_number(&self, id: NodeId) -> usize {
        let known = self.arena.borrow().look(id);
        if let Some(known) = known {
            return known;
        }
        // One that was collected alone has its parents looked for: without them all such elements would be alike.
        let parent = self.parent(id);
        // Equal looks count as one, so that what is below them is not told apart for nothing.
        let around = match parent {
            Some(parent) => {
                let look = self.look_number(parent);
                self.looks.borrow()[look].1 + 1
            }
            None => 0,
        };
        let keys = self.arena.borrow().keys(id);
        let key = [around, keys[0], keys[1], keys[2]];
        let place = self.look_keys.borrow().binary_search_by(|(k, _)| k.cmp(&key));
        let look = match place {
            Ok(at) => self.look_keys.borrow()[at].1,
            Err(at) => {
                let look = style::parse(&self.collector.style(self.element(id)));
                let mut looks = self.looks.borrow_mut();
                let number = looks.len() as u32;
                let first = looks.iter().position(|(l, _)| *l == look).map_or(number, |at| at as u32);
                looks.push((look, first));
                self.look_keys.borrow_mut().insert(at, (key, number));
                number
            }
        } as usize;
        self.arena.borrow_mut().set_look(id, look);
        look
    }

    /// Elements inside a line of text: rules that count siblings seldom hide them, and there are many.
    fn is_plain_inline(&self, id: NodeId) -> bool {
        let tag = self.tag(id);
        tag.is_inline() && !matches!(tag, Tag::A | Tag::Label | Tag::Slot | Tag::Other)
    }

    /// What the collector would say of an element, from its look and its parent.
    fn painted_by_look(&self, id: NodeId) -> Option<Painted> {
        let parent = self.arena.borrow().parent(id)?;
        let look = self.look(id);
        Some(match self.painted(parent) {
            Painted::No => Painted::No,
            _ if look.gone => Painted::No,
            _ if look.contents => Painted::Contents,
            _ if look.hidden => Painted::Hidden,
            Painted::Transparent => Painted::Transparent,
            _ if look.transparent => Painted::Transparent,
            _ => Painted::Yes,
        })
    }

    /// Whether the text of an element can be told from what is behind it. Where something may lie between the two, or a
    /// colour is not understood, it can.
    fn stands_out(&self, id: NodeId) -> bool {
        let Some(color) = self.look(id).color else { return true };
        if color[3] < 20 {
            // Transparent letters may be what a background shows through.
            return self.look(id).picture;
        }
        let mut at = id;
        let mut lifted = false;
        for _ in 0..MOST_BEHIND {
            let look = self.look(at);
            match look.background {
                None => return true,
                _ if look.picture => return true,
                Some(behind) if behind[3] > 120 => {
                    return style::differ(color, behind) || (lifted && self.has_picture(at));
                }
                _ => {}
            }
            lifted |= look.lifted;
            match self.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        // The canvas is white, unless the page says that it is dark.
        lifted || style::differ(color, [255; 4]) || self.is_dark()
    }

    /// See [`Collector::live`].
    fn flags_and_value(&self, id: NodeId) -> (u8, String) {
        let mut answer = self.collector.live(self.element(id));
        let flags = answer.as_bytes().first().map_or(0, |digit| digit.saturating_sub(b'0'));
        answer.drain(..answer.len().min(1));
        (flags, answer)
    }

    /// From now on [`PageDom::is_unchanged`] can be asked.
    pub fn watch(&self) {
        self.collector.watch();
    }

    /// Whether everything that was read is as it was: the same reading would give the same.
    pub fn is_unchanged(&self) -> bool {
        self.collector.unchanged()
    }

    fn has_picture(&self, id: NodeId) -> bool {
        self.node(id).query("img,video,canvas,picture,svg,iframe,object").is_ok_and(|found| found.is_some())
    }

    fn is_dark(&self) -> bool {
        js::document().document_element().is_some_and(|root| js::computed_style(&root).read("colorScheme") != "normal")
    }
}

impl Drop for PageDom {
    fn drop(&mut self) {
        self.collector.leave();
    }
}

impl Dom for PageDom {
    fn body(&self) -> NodeId {
        if let Some(known) = self.body.get() {
            return known;
        }
        let doc = js::document();
        let root = doc.body().or_else(|| doc.document_element()).unwrap_or(doc);
        self.collector.tree(&root);
        let body = self.collect(None);
        self.body.set(Some(body));
        body
    }

    fn modal(&self) -> Option<NodeId> {
        modal_dialog().map(|dialog| {
            self.body();
            self.handle(&dialog)
        })
    }

    fn same(&self, a: NodeId, b: NodeId) -> bool {
        a == b || (self.element(a) != u32::MAX && self.element(b) != u32::MAX && self.node(a).same(&self.node(b)))
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.arena.borrow().kind(id)
    }

    fn text(&self, id: NodeId) -> String {
        self.arena.borrow().text(id).to_owned()
    }

    fn has_attrs(&self, id: NodeId) -> bool {
        self.arena.borrow().flags(id) & crate::arena::HAS_ATTRIBUTES != 0
    }

    fn attr(&self, id: NodeId, name: &'static str) -> Option<String> {
        if !self.has_attrs(id) {
            return None;
        }
        match number_of(name) {
            Some(number) => self.arena.borrow().attribute(id, number).map(str::to_owned),
            None => self.node(id).attribute(name),
        }
    }

    fn attr_is(&self, id: NodeId, name: &'static str, value: &str) -> bool {
        if !self.has_attrs(id) {
            return false;
        }
        match number_of(name) {
            Some(number) => {
                self.arena.borrow().attribute(id, number).is_some_and(|v| v.trim().eq_ignore_ascii_case(value))
            }
            None => self.attr(id, name).is_some_and(|v| v.trim().eq_ignore_ascii_case(value)),
        }
    }

    fn children(&self, id: NodeId) -> Vec<NodeId> {
        let unread = self.arena.borrow().flags(id) & UNREAD != 0;
        if unread {
            self.arena.borrow_mut().set_read(id);
            self.collector.children(self.element(id));
            self.collect(Some(id));
        }
        self.arena.borrow().children(id)
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        let known = self.arena.borrow().parent(id);
        if known.is_some() {
            return known;
        }
        if self.element(id) == u32::MAX {
            return None;
        }
        let parent = self.node(id).flat_parent().filter(|p| p.node_type() == 1)?;
        let parent = self.handle(&parent);
        self.arena.borrow_mut().set_parent(id, parent);
        Some(parent)
    }

    fn by_id(&self, near: NodeId, id: &str) -> Option<NodeId> {
        let found = self.node(near).root_node().by_id(id)?;
        Some(self.handle(&found))
    }

    fn labels(&self, id: NodeId) -> Vec<NodeId> {
        js::nodes(&self.collector.labels(self.element(id))).iter().map(|label| self.handle(label)).collect()
    }

    fn control(&self, label: NodeId) -> Option<NodeId> {
        js::some_node(self.node(label).control()).map(|control| self.handle(&control))
    }

    fn live(&self, id: NodeId) -> Live {
        let (flags, value) = self.flags_and_value(id);
        let mut live = Live { disabled: flags & 1 != 0, ..Live::default() };
        if matches!(self.tag(id), Tag::Input | Tag::Textarea) {
            live.value = value;
            live.secret = secret::is_secret(&self.node(id));
            live.checked = flags & 2 != 0;
            live.mixed = flags & 4 != 0;
        }
        live
    }

    fn choices(&self, id: NodeId) -> Vec<Choice> {
        js::nodes(&self.node(id).options())
            .into_iter()
            .map(|option| {
                let group = option.parent_node().filter(|p| p.name() == "optgroup");
                let node = self.handle(&option);
                let flags = self.flags_and_value(node).0;
                Choice {
                    label: option.option_label(),
                    group: group.and_then(|g| g.attribute("label")).unwrap_or_default(),
                    selected: flags & 8 != 0,
                    disabled: flags & 1 != 0,
                    node: Some(node),
                }
            })
            .collect()
    }

    fn painted(&self, id: NodeId) -> Painted {
        let mut known = kept(&self.painted, id.0);
        if known == 0
            && self.is_plain_inline(id)
            && let Some(painted) = self.painted_by_look(id)
        {
            return painted;
        }
        if known == 0 {
            known = self.collector.painted(self.element(id)) + 1;
            keep(&self.painted, id.0, known);
        }
        match known {
            1 => Painted::Yes,
            2 => Painted::Transparent,
            3 => Painted::Hidden,
            4 => Painted::Contents,
            _ => Painted::No,
        }
    }

    fn rect(&self, id: NodeId) -> Rect {
        match self.collector.rect(self.element(id))[..] {
            [x, y, w, h] => Rect { x, y, w, h },
            _ => Rect::default(),
        }
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
        let known = kept(&self.scrollers, parent.0);
        if known > 0 {
            return known == 2;
        }
        let answer =
            self.tag(parent) != Tag::Body && (self.collector.scrolls(self.element(parent)) || self.in_scroller(parent));
        keep(&self.scrollers, parent.0, 1 + u32::from(answer));
        answer
    }

    fn collapsed(&self, id: NodeId) -> bool {
        self.look(id).clips && self.collector.narrow(self.element(id))
    }

    fn pointer(&self, id: NodeId) -> bool {
        self.look(id).pointer
    }

    fn inline(&self, id: NodeId) -> bool {
        self.look(id).inline
    }

    fn flows(&self, id: NodeId) -> bool {
        self.look(id).flows
    }

    fn small(&self, id: NodeId) -> bool {
        self.collector.small(self.element(id))
    }

    fn legible(&self, id: NodeId) -> bool {
        !self.look(id).hides && self.stands_out(id)
    }

    fn pseudo(&self, id: NodeId, before: bool) -> Option<(String, bool)> {
        // A browser takes 8 us to say that there is nothing: it is asked once for all that look alike.
        let key = self.look_number(id) as u32 * 2 + u32::from(before);
        let known = kept(&self.pseudos, key);
        if known > 0 {
            return self.contents.borrow().get(known.wrapping_sub(2) as usize).cloned();
        }
        let element = self.element(id);
        let answer = if before { self.collector.before(element) } else { self.collector.after(element) };
        let found = answer
            .split_once('\n')
            .map(|(display, content)| (content.to_owned(), matches!(display, "inline" | "contents")));
        let mut contents = self.contents.borrow_mut();
        contents.extend(found.clone());
        keep(&self.pseudos, key, found.as_ref().map_or(1, |_| contents.len() as u32 + 1));
        found
    }

    fn address(&self, id: NodeId) -> Option<String> {
        self.node(id).href().as_string()
    }

    fn named_attr(&self, id: NodeId, name: &str) -> String {
        self.node(id).attribute(name).unwrap_or_default()
    }
}

/// The number of an attribute with the collector. Names are constants: most are found by where they lie.
fn number_of(name: &'static str) -> Option<u8> {
    thread_local! {
        static SEEN: RefCell<Vec<(*const u8, usize, u8)>> = const { RefCell::new(Vec::new()) };
    }
    const MISSING: u8 = 255;
    let number = SEEN.with_borrow_mut(|seen| {
        if let Some((_, _, known)) = seen.iter().find(|(at, len, _)| *at == name.as_ptr() && *len == name.len()) {
            return *known;
        }
        let number = ATTRIBUTES.split(' ').position(|a| a == name).map_or(MISSING, |n| n as u8);
        seen.push((name.as_ptr(), name.len(), number));
        number
    });
    Some(number).filter(|n| *n != MISSING)
}
