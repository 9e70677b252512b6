//! Things that can be clicked although nothing in their markup says so.

use super::{Bubble, Ctx, Sink, Walk, drop_repeated, is_whole};
use crate::dom::{Dom, Kind, NodeId};
use crate::name::{Name, Source, clipped, content, name_of};
use crate::role::Role;
use crate::state::attributes;
use crate::tag::Tag;
use crate::text;
use crate::tree::Line;

/// A clickable element with more lines than this is a part of the page, not a control.
const MAX_LINES: usize = 30;

/// The role that a clickable element without a control's role is shown with.
pub(super) fn shown_role(tag: Tag, role: Role) -> Role {
    match role {
        Role::Row | Role::ListItem | Role::Article | Role::GridCell | Role::Cell | Role::Heading | Role::Img => role,
        _ if tag == Tag::A => Role::Link,
        _ => Role::Button,
    }
}

/// The author's name of a clickable element, else its content.
pub(super) fn clickable_name<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Name {
    name_of(dom, node, tag, Role::Button)
}

impl<D: Dom> Walk<'_, D> {
    /// Whether an attribute says that the element acts on a click.
    pub(super) fn acts_by_attribute(&self, node: NodeId, tag: Tag) -> bool {
        if matches!(tag, Tag::Body | Tag::Html | Tag::Label | Tag::Form | Tag::Main) {
            return false;
        }
        self.dom.attr(node, "onclick").is_some()
            || self.dom.attr(node, "tabindex").and_then(|t| t.trim().parse::<i32>().ok()).is_some_and(|t| t >= 0)
    }

    /// Whether it has a name of its own, so that it is a target of its own inside a larger one.
    pub(super) fn has_own_label(&self, node: NodeId) -> bool {
        ["aria-label", "title"].iter().any(|a| self.dom.attr(node, a).is_some_and(|v| !v.trim().is_empty()))
    }

    /// Whether the mouse cursor is a hand over the text or icon that this element holds itself. Only elements that could
    /// carry the style are asked: plain inline ones look like their parent.
    pub(super) fn shows_hand(&self, node: NodeId, tag: Tag, attrs: bool) -> bool {
        if tag == Tag::Tr {
            return self.dom.pointer(node);
        }
        if !attrs && !matches!(tag, Tag::Li | Tag::Div) {
            return false;
        }
        let children = self.dom.children(node);
        let leaf = attrs
            && children
                .iter()
                .all(|c| !matches!(self.dom.kind(*c), Kind::Element(t) if t != Tag::Svg && t != Tag::Img));
        (leaf || self.holds_text(&children, 0)) && self.dom.pointer(node)
    }

    /// Whether there is text among the nodes, or in plain inline elements among them.
    fn holds_text(&self, nodes: &[NodeId], depth: u32) -> bool {
        nodes.iter().any(|n| match self.dom.kind(*n) {
            Kind::Text => !self.dom.text(*n).trim().is_empty(),
            Kind::Element(tag) => {
                depth < 4
                    && tag.is_inline()
                    && !self.dom.has_attrs(*n)
                    && self.holds_text(&self.dom.children(*n), depth + 1)
            }
            Kind::Other => false,
        })
    }

    /// The hand is shown here. The outermost element that shows it is the one to click.
    #[allow(clippy::too_many_arguments, reason = "what the walk knows of one element, handed on once")]
    pub(super) fn hand(
        &mut self,
        node: NodeId,
        tag: Tag,
        attrs: bool,
        role: Role,
        ctx: Ctx,
        mark: usize,
        sink: &mut Sink,
    ) -> Bubble {
        let outer =
            self.dom.parent(node).filter(|p| !matches!(self.dom.kind(*p), Kind::Element(Tag::Body | Tag::Html)));
        let inherited = outer.is_some_and(|p| self.dom.pointer(p));
        if !inherited || (attrs && self.has_own_label(node)) {
            self.wrap(node, tag, attrs, role, ctx, mark, sink);
        }
        inherited
    }

    /// Makes the lines from `mark` on the inside of one clickable line.
    #[allow(clippy::too_many_arguments, reason = "what the walk knows of one element, handed on once")]
    pub(super) fn wrap(
        &mut self,
        node: NodeId,
        tag: Tag,
        attrs: bool,
        role: Role,
        ctx: Ctx,
        mark: usize,
        sink: &mut Sink,
    ) {
        sink.flush();
        let mark = mark.min(sink.lines.len());
        let inside = &sink.lines[mark..];
        if inside.len() > MAX_LINES || !self.seen.control(node, tag, ctx.collapsed) || self.out_of_view(node) {
            return;
        }
        let name = clickable_name(self.dom, node, tag);
        let has_controls = inside.iter().any(|l| l.control);
        let by_focus_only = attrs && self.dom.attr(node, "onclick").is_none() && !self.dom.pointer(node);
        if by_focus_only && (has_controls || text::len(&name.text) > 200) {
            return;
        }
        let shown = shown_role(tag, role);
        if inside.iter().filter(|l| !l.is_text()).count() == 1
            && inside.iter().any(|l| l.control && l.name == clipped(&name.text))
        {
            return; // It only wraps the control that it is about.
        }
        if is_whole(&name) {
            let mut at = mark;
            while at < sink.lines.len() {
                if sink.lines[at].is_text() {
                    sink.lines.remove(at);
                } else {
                    at += 1;
                }
            }
        } else if name.source == Source::Author {
            drop_repeated(&mut sink.lines, mark, &name.text);
        }
        for line in &mut sink.lines[mark..] {
            line.depth += 1;
        }
        sink.lines.insert(mark, self.clickable_line(node, tag, shown, &name, ctx.depth));
    }

    fn clickable_line(&self, node: NodeId, tag: Tag, shown: Role, name: &Name, depth: usize) -> Line {
        let mut line = Line::element(node, shown, clipped(&name.text));
        line.depth = depth;
        line.attrs = attributes(self.dom, node, tag, shown, &line.name);
        if !shown.is_control() {
            line.attrs.push_str(" clickable");
        }
        line.control = true;
        line.recomputable = true;
        line
    }

    /// A row, list item or article that can be clicked as a whole.
    pub(super) fn clickable_group(
        &self,
        node: NodeId,
        tag: Tag,
        role: Role,
        inside: Vec<Line>,
        depth: usize,
    ) -> Vec<Line> {
        let text = content(self.dom, node);
        let name = clickable_name(self.dom, node, tag);
        let whole = text::len(&text) <= text::NAME_CHARS;
        let mut out = vec![self.clickable_line(node, tag, role, &name, depth)];
        for mut line in inside {
            if whole && line.is_text() {
                continue;
            }
            line.depth += 1;
            out.push(line);
        }
        out
    }
}
