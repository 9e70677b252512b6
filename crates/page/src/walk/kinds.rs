//! Lines of the elements that have a role of their own.

use super::{Bubble, Ctx, Sink, Walk, drop_repeated, is_whole};
use crate::dom::{Choice, Dom, NodeId, Painted};
use crate::name::{Source, clipped, content, name_of};
use crate::role::Role;
use crate::state::attributes;
use crate::tag::Tag;
use crate::text::{self, NAME_CHARS, VALUE_CHARS, collapse, push_attr};
use crate::tree::Line;
use webbrain_tools::Filter;

/// Options of a select that are listed.
const MAX_OPTIONS: usize = 20;

impl<D: Dom> Walk<'_, D> {
    fn line(&self, node: NodeId, tag: Tag, role: Role, name: &str, depth: usize) -> Line {
        let mut line = Line::element(node, role, clipped(name));
        line.depth = depth;
        line.attrs = attributes(self.dom, node, tag, role, &line.name);
        line.recomputable = true;
        line
    }

    /// A control that is seen. A control that is not seen is walked for what it may hold.
    pub(super) fn control(
        &mut self,
        node: NodeId,
        tag: Tag,
        attrs: bool,
        role: Role,
        ctx: Ctx,
        sink: &mut Sink,
    ) -> Bubble {
        if !self.seen.control(node, tag, ctx.collapsed) || self.out_of_view(node) {
            if !matches!(tag, Tag::Input | Tag::Textarea) && self.dom.painted(node) != Painted::No {
                self.children(node, attrs, Ctx { pointer: true, ..ctx }, sink);
            }
            return false;
        }
        let name = name_of(self.dom, node, tag, role);
        sink.push(self.line(node, tag, role, &name.text, ctx.depth));
        if matches!(tag, Tag::Input | Tag::Textarea) {
            return false;
        }
        let mark = sink.lines.len();
        let value_shown = matches!(role, Role::TextBox | Role::SearchBox | Role::Combobox)
            && text::len(&content(self.dom, node)) <= VALUE_CHARS;
        let inner = Ctx { quiet: ctx.quiet || value_shown || is_whole(&name), pointer: true, ..ctx.deeper() };
        self.children(node, attrs, inner, sink);
        sink.flush();
        if name.source == Source::Author {
            drop_repeated(&mut sink.lines, mark, &name.text);
        }
        false
    }

    /// A native select and its options.
    pub(super) fn select(&mut self, node: NodeId, role: Role, ctx: Ctx, sink: &mut Sink) -> Bubble {
        if !self.seen.control(node, Tag::Select, ctx.collapsed) || self.out_of_view(node) {
            return false;
        }
        let name = name_of(self.dom, node, Tag::Select, role);
        sink.push(self.line(node, Tag::Select, role, &name.text, ctx.depth));
        let choices = self.dom.choices(node);
        let cap = if self.options.filter == Filter::All { MAX_OPTIONS } else { MAX_OPTIONS / 2 };
        for choice in choices.iter().take(cap) {
            sink.push(option_line(choice, ctx.depth + 1));
        }
        if choices.len() > cap {
            let mut note =
                Line::note(format!("{} more options; set_field takes any option's label", choices.len() - cap));
            note.depth = ctx.depth + 1;
            sink.push(note);
        }
        false
    }

    /// A heading. Its text is its name.
    pub(super) fn heading(&mut self, node: NodeId, tag: Tag, attrs: bool, ctx: Ctx, sink: &mut Sink) -> Bubble {
        sink.flush();
        let shown = !ctx.collapsed && !ctx.quiet && !self.only_controls() && self.seen.text_in(node, attrs);
        if !shown || self.out_of_view(node) {
            let bubble = self.children(node, attrs, ctx, sink);
            sink.flush();
            return bubble;
        }
        let name = name_of(self.dom, node, tag, Role::Heading);
        if name.text.is_empty() {
            let bubble = self.children(node, attrs, ctx, sink);
            sink.flush();
            return bubble;
        }
        let at = sink.mark();
        sink.push(self.line(node, tag, Role::Heading, &name.text, ctx.depth));
        let bubble = self.children(node, attrs, Ctx { quiet: is_whole(&name), ..ctx.deeper() }, sink);
        sink.flush();
        if name.source == Source::Author {
            drop_repeated(&mut sink.lines, at + 1, &name.text);
        }
        if bubble && let Some(line) = sink.lines.get_mut(at) {
            line.attrs.push_str(" clickable");
            line.control = true;
        }
        false
    }

    /// An image or another thing whose inside is not read.
    pub(super) fn leaf(
        &mut self,
        node: NodeId,
        tag: Tag,
        attrs: bool,
        role: Role,
        ctx: Ctx,
        sink: &mut Sink,
    ) -> Bubble {
        let opaque =
            matches!(tag, Tag::Img | Tag::Svg | Tag::Canvas | Tag::Video | Tag::Audio | Tag::Progress | Tag::Meter);
        if ctx.quiet || ctx.collapsed || self.only_controls() {
            return if !opaque { self.children(node, attrs, ctx, sink) } else { false };
        }
        let name = name_of(self.dom, node, tag, role);
        let silent = name.text.is_empty() && matches!(role, Role::Img | Role::Math);
        if silent && !opaque {
            return self.children(node, attrs, ctx, sink);
        }
        if silent || !self.seen.is_seen(node) || self.out_of_view(node) {
            return false;
        }
        sink.push(self.line(node, tag, role, &name.text, ctx.depth));
        false
    }

    /// A frame, with its document where that can be read.
    pub(super) fn frame(&mut self, node: NodeId, tag: Tag, ctx: Ctx, sink: &mut Sink) -> Bubble {
        if ctx.collapsed || !self.seen.is_seen(node) || self.out_of_view(node) {
            return false;
        }
        let name = name_of(self.dom, node, tag, Role::Iframe);
        let mut line = self.line(node, tag, Role::Iframe, &name.text, ctx.depth);
        let documents = self.dom.children(node);
        if documents.is_empty() {
            line.attrs.push_str(" unread");
        }
        sink.push(line);
        self.children(node, true, Ctx { depth: ctx.depth + 1, in_overlay: true, ..Ctx::default() }, sink);
        sink.flush();
        false
    }

    /// A part of the page: shown when it has something to show.
    pub(super) fn container(
        &mut self,
        node: NodeId,
        tag: Tag,
        attrs: bool,
        role: Role,
        ctx: Ctx,
        sink: &mut Sink,
    ) -> Bubble {
        sink.flush();
        let collapsed = ctx.collapsed || (attrs && self.dom.collapsed(node));
        let inner = Ctx { collapsed, ..ctx };
        let name = if self.only_controls() { String::new() } else { self.part_name(node, tag, role) };
        let nameless_shown = role.is_landmark() && !matches!(role, Role::Form | Role::Region | Role::TabPanel);
        if self.only_controls() || (name.is_empty() && !nameless_shown) {
            let bubble = self.children(node, attrs, inner, sink);
            sink.flush();
            return bubble;
        }
        let at = sink.mark();
        sink.push(self.line(node, tag, role, &name, ctx.depth));
        let place = role.is_landmark();
        let outside = if place { std::mem::take(&mut self.withheld) } else { 0 };
        let bubble = self.children(node, attrs, inner.deeper(), sink);
        sink.flush();
        if place {
            self.tell_withheld(outside, ctx.depth + 1, sink);
        }
        drop_caption(&mut sink.lines, at + 1, &name);
        match sink.lines.len() - at - 1 {
            0 if name.is_empty() || !self.seen.is_seen(node) || self.out_of_view(node) => {
                sink.lines.truncate(at);
            }
            1 if name.is_empty()
                && sink.lines[at + 1].is_text()
                && text::len(&sink.lines[at + 1].name) <= NAME_CHARS =>
            {
                let only = sink.lines.remove(at + 1);
                sink.lines[at].name = only.name;
                sink.lines[at].recomputable = false;
            }
            _ => {}
        }
        bubble
    }

    fn part_name(&self, node: NodeId, tag: Tag, role: Role) -> String {
        // A part is named by its author only, never by its whole content.
        let named_like = if role.named_by_content() { Role::Group } else { role };
        name_of(self.dom, node, tag, named_like).text
    }

    /// A row, list item or article: short texts become its name, the rest stands below it.
    pub(super) fn group(
        &mut self,
        node: NodeId,
        tag: Tag,
        attrs: bool,
        role: Role,
        ctx: Ctx,
        sink: &mut Sink,
    ) -> Bubble {
        sink.flush();
        let mut inner = ctx;
        if attrs && self.dom.collapsed(node) {
            inner.collapsed = true;
        }
        let sure = attrs && self.acts_by_attribute(node, tag);
        let pointer = !ctx.pointer && !sure && self.shows_hand(node, tag, attrs);
        let mut sub = Sink::default();
        let bubble = self.children(node, attrs, Ctx { pointer: ctx.pointer || pointer || sure, ..inner }, &mut sub);
        sub.flush();
        let clicks = (sure || pointer || bubble)
            && sub.lines.len() <= 30
            && self.seen.control(node, tag, ctx.collapsed)
            && !self.out_of_view(node);
        let only_wraps = sub.lines.len() == 1 && sub.lines[0].control;
        if clicks && !only_wraps {
            sink.lines.extend(self.clickable_group(node, tag, role, sub.lines, ctx.depth));
            return false;
        }
        if sub.lines.is_empty() {
            return false;
        }
        if self.only_controls() || (role != Role::Row && sub.lines.len() == 1) {
            sink.lines.append(&mut sub.lines);
            return false;
        }
        let author = if attrs { self.part_name(node, tag, role) } else { String::new() };
        let (name, rest) = gather_name(author, sub.lines, if role == Role::Row { " | " } else { " " });
        let mut line = self.line(node, tag, role, &name, ctx.depth);
        line.recomputable = false;
        sink.lines.push(line);
        sink.lines.extend(rest.into_iter().map(|mut l| {
            l.depth += 1;
            l
        }));
        false
    }
}

/// The texts of a group as its name where they fit, and the lines that stay below it.
fn gather_name(author: String, lines: Vec<Line>, between: &str) -> (String, Vec<Line>) {
    let texts: Vec<String> = lines.iter().filter(|l| l.is_text()).map(|l| l.name.clone()).collect();
    let joined = text::joined(&texts, between);
    if !author.is_empty() {
        let mut lines = lines;
        drop_repeated(&mut lines, 0, &author);
        return (author, lines);
    }
    if joined.is_empty() || text::len(&joined) > NAME_CHARS {
        return (String::new(), lines);
    }
    (joined, lines.into_iter().filter(|l| !l.is_text()).collect())
}

/// A legend or caption that is the name need not stand below it once more.
fn drop_caption(lines: &mut Vec<Line>, at: usize, name: &str) {
    if !name.is_empty() && lines.get(at).is_some_and(|l| l.is_text() && l.name == name) {
        lines.remove(at);
    }
}

fn option_line(choice: &Choice, depth: usize) -> Line {
    let mut line = Line::element(NodeId(0), Role::Option, clipped(&collapse(&choice.label)));
    line.node = choice.node;
    line.depth = depth;
    line.recomputable = true;
    if !choice.group.is_empty() {
        push_attr(&mut line.attrs, "group", &text::clip(&collapse(&choice.group), 40));
    }
    if choice.selected {
        line.attrs.push_str(" selected");
    }
    if choice.disabled {
        line.attrs.push_str(" disabled");
    }
    line
}
