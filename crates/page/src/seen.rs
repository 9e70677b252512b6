//! What a user can see. Style and boxes are dear to ask for, so the answer for an element with attributes is kept and
//! holds for the plain elements below it: without a class, an id or a style they look like their parent.

use crate::dom::{Dom, NodeId, PageBox, Painted, Rect};
use crate::tag::Tag;
use std::cell::RefCell;

/// What is known about an element with attributes on the way down to the current node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its own text is seen.
    Seen,
    /// Its own text is not seen; what is inside must be asked itself.
    Unseen,
    /// Nothing inside is rendered.
    Gone,
}

struct Frame {
    node: NodeId,
    verdict: Option<Verdict>,
}

/// Answers whether nodes on the current path are seen.
pub struct Seen<'d, D: Dom> {
    dom: &'d D,
    page: PageBox,
    frames: Vec<Frame>,
    /// Of elements whose children flow in them.
    judged: RefCell<Vec<Option<Verdict>>>,
}

impl<'d, D: Dom> Seen<'d, D> {
    /// For a walk that starts now.
    pub fn new(dom: &'d D) -> Self {
        Seen { dom, page: dom.page_box(), frames: Vec::new(), judged: RefCell::default() }
    }

    /// The walk enters an element with attributes.
    pub fn enter(&mut self, node: NodeId) {
        self.frames.push(Frame { node, verdict: None });
    }

    /// The walk leaves it.
    pub fn leave(&mut self) {
        self.frames.pop();
    }

    /// Whether it turned out that nothing below the innermost element with attributes is rendered.
    pub fn is_gone(&self) -> bool {
        self.frames.last().is_some_and(|f| f.verdict == Some(Verdict::Gone))
    }

    /// Whether text directly in `node` is seen. `attrs`: whether the node has attributes and so has a frame.
    pub fn text_in(&mut self, node: NodeId, attrs: bool) -> bool {
        match self.innermost() {
            Some(Verdict::Gone) => false,
            Some(Verdict::Seen) => true,
            Some(Verdict::Unseen) if attrs => false,
            _ => self.judge(node) == Verdict::Seen && self.dom.legible(node),
        }
    }

    fn innermost(&mut self) -> Option<Verdict> {
        let at = self.frames.len().checked_sub(1)?;
        if let Some(known) = self.frames[at].verdict {
            return Some(known);
        }
        let node = self.frames[at].node;
        let verdict = match self.judge(node) {
            Verdict::Seen if !self.dom.legible(node) => Verdict::Unseen,
            verdict => verdict,
        };
        self.frames[at].verdict = Some(verdict);
        Some(verdict)
    }

    fn judge(&self, node: NodeId) -> Verdict {
        match self.dom.painted(node) {
            Painted::No => Verdict::Gone,
            Painted::Hidden | Painted::Transparent => Verdict::Unseen,
            Painted::Contents => match self.dom.parent(node) {
                Some(parent) => self.judge(parent),
                None => Verdict::Unseen,
            },
            Painted::Yes if self.flows_in_seen(node) => Verdict::Seen,
            Painted::Yes => {
                let rect = self.dom.rect(node);
                if rect.is_visible_size() && self.is_reachable(node, rect) { Verdict::Seen } else { Verdict::Unseen }
            }
        }
    }

    /// Whether it flows in a parent that is seen, so that its box need not be asked for.
    fn flows_in_seen(&self, node: NodeId) -> bool {
        if !self.dom.flows(node) {
            return false;
        }
        let Some(parent) = self.dom.parent(node) else { return false };
        let at = parent.0 as usize;
        if let Some(Some(known)) = self.judged.borrow().get(at) {
            return *known == Verdict::Seen;
        }
        let verdict = self.judge(parent);
        let mut judged = self.judged.borrow_mut();
        while judged.len() <= at {
            judged.push(None);
        }
        judged[at] = Some(verdict);
        verdict == Verdict::Seen
    }

    /// Whether a rectangle is where scrolling can bring it to view.
    fn is_reachable(&self, node: NodeId, rect: Rect) -> bool {
        let p = &self.page;
        let (left, top) = (rect.x + p.scroll_x, rect.y + p.scroll_y);
        let inside =
            left + rect.w > 0.0 && top + rect.h > 0.0 && left < p.page_w.max(p.view_w) && top < p.page_h.max(p.view_h);
        inside || self.dom.in_scroller(node)
    }

    /// Whether it is seen on its own, wherever the walk is.
    pub fn is_seen(&self, node: NodeId) -> bool {
        self.judge(node) == Verdict::Seen
    }

    /// Whether the box touches the viewport.
    pub fn in_view(&self, node: NodeId) -> bool {
        let mut at = node;
        while self.dom.painted(at) == Painted::Contents {
            match self.dom.parent(at) {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        let r = self.dom.rect(at);
        r.x < self.page.view_w && r.y < self.page.view_h && r.x + r.w > 0.0 && r.y + r.h > 0.0
    }

    /// Whether a control is to be listed: seen, or stood for by a label or a painted parent.
    pub fn control(&self, node: NodeId, tag: Tag, in_collapsed: bool) -> bool {
        let painted = self.dom.painted(node);
        // The field of an editor that draws its text elsewhere may be as thin as a caret.
        let is_field = || self.dom.attr_is(node, "role", "textbox") && self.dom.attr(node, "tabindex").is_some();
        let native = matches!(tag, Tag::Input | Tag::Select | Tag::Textarea | Tag::Button) || is_field();
        let on_screen = match painted {
            Painted::No | Painted::Hidden => false,
            Painted::Contents => return self.dom.parent(node).is_some_and(|p| self.is_seen(p)),
            Painted::Yes | Painted::Transparent => {
                let flows = self.flows_in_seen(node);
                let reachable = flows || self.is_reachable(node, self.dom.rect(node));
                if painted == Painted::Yes && !in_collapsed && reachable {
                    // Letters give a box its size.
                    let letters = flows && self.dom.inline(node) && self.holds_letters(node);
                    if letters || !self.dom.small(node) {
                        return true;
                    }
                }
                reachable && !in_collapsed
            }
        };
        if native && self.dom.labels(node).into_iter().any(|label| self.is_seen(label)) {
            return true;
        }
        if !on_screen {
            return false;
        }
        if native || painted == Painted::Transparent {
            return self.dom.parent(node).is_some_and(|p| self.is_seen(p));
        }
        self.dom.children(node).into_iter().any(|c| self.is_seen_element(c))
    }

    fn holds_letters(&self, node: NodeId) -> bool {
        let is_text = |child: &NodeId| self.dom.kind(*child) == crate::dom::Kind::Text;
        self.dom.legible(node)
            && self.dom.children(node).iter().any(|c| is_text(c) && !self.dom.text(*c).trim().is_empty())
    }

    fn is_seen_element(&self, node: NodeId) -> bool {
        matches!(self.dom.kind(node), crate::dom::Kind::Element(_)) && self.is_seen(node)
    }
}
