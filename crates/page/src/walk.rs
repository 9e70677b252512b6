//! One walk over the flat tree that gives the lines.

mod clickable;
mod kinds;

use crate::block::Joined;
use crate::dom::{Dom, Kind, NodeId, Painted};
use crate::name::{Source, clipped, name_of};
use crate::role::{Role, role_of};
use crate::seen::Seen;
use crate::tag::Tag;
use crate::text;
use crate::tree::{Line, Tree};
use webbrain_tools::Filter;

/// What to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which elements to show.
    pub filter: Filter,
    /// Levels of lines shown; 15 for [`Filter::All`] and 10 otherwise when absent.
    pub max_depth: Option<usize>,
    /// Read this element only, wherever it is.
    pub anchor: Option<NodeId>,
    /// Show text that no user can see, marked as such, rather than count it.
    pub hidden_text: bool,
}

impl Options {
    /// The whole page.
    pub fn all() -> Self {
        Options { filter: Filter::All, max_depth: None, anchor: None, hidden_text: false }
    }
}

/// Deepest DOM nesting that is followed; deeper content is left out rather than overflowing the stack.
const MAX_NESTING: usize = 400;

/// Reads the page. Refs are 0 until [`Tree::assign`].
pub fn build<D: Dom>(dom: &D, options: &Options) -> Tree {
    let mut walk = Walk { dom, options, seen: Seen::new(dom), overlays: Vec::new(), nesting: 0, withheld: 0 };
    let mut sink = Sink::default();
    let modal = if options.anchor.is_none() { dom.modal() } else { None };
    let root = options.anchor.or(modal).unwrap_or_else(|| dom.body());
    let start = Ctx { in_overlay: options.anchor.is_some(), ..Ctx::default() };
    if let Kind::Element(tag) = dom.kind(root) {
        walk.element(root, tag, start, &mut sink);
    }
    sink.flush();
    walk.tell_withheld(0, 0, &mut sink);
    let mut lines = Vec::new();
    if !walk.overlays.is_empty() {
        lines.push(Line::note("open overlays"));
        lines.append(&mut walk.overlays);
        lines.push(Line::note("/open overlays"));
    }
    if modal.is_some() {
        lines.push(Line::note("the page behind this modal dialog cannot be used and is not shown"));
    }
    lines.append(&mut sink.lines);
    Tree { lines: limit_depth(lines, options) }
}

/// Leaves out what is too deep; every line that loses something says so.
fn limit_depth(lines: Vec<Line>, options: &Options) -> Vec<Line> {
    let usual = if options.filter == Filter::All { 15 } else { 10 };
    let max = options.max_depth.unwrap_or(usual).max(1);
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    let mut cut = 0;
    for line in lines {
        if line.depth >= max {
            cut += 1;
            continue;
        }
        note_cut(&mut kept, &mut cut, max);
        kept.push(line);
    }
    note_cut(&mut kept, &mut cut, max);
    kept
}

fn note_cut(kept: &mut Vec<Line>, cut: &mut usize, max: usize) {
    if *cut > 0 {
        let mut note = Line::note(format!("{cut} lines in here are deeper than maxDepth {max}; read with ref_id"));
        note.depth = max;
        kept.push(note);
        *cut = 0;
    }
}

/// The role and name that a line of this element shows now. `shown` and `control` are those of the line: an element that is
/// a control only because it can be clicked is named by its content.
pub fn describe<D: Dom>(dom: &D, node: NodeId, shown: Role, control: bool) -> (Role, String) {
    let Kind::Element(tag) = dom.kind(node) else { return (Role::Text, String::new()) };
    let (role, _) = role_of(dom, node, tag);
    if control && !role.is_control() {
        let role = clickable::shown_role(tag, role);
        return (if shown == role { shown } else { role }, clipped(&clickable::clickable_name(dom, node, tag).text));
    }
    (role, clipped(&name_of(dom, node, tag, role).text))
}

/// Whether a control can be seen, itself or by what stands for it: a label, a painted parent.
pub fn is_shown<D: Dom>(dom: &D, node: NodeId) -> bool {
    match dom.kind(node) {
        Kind::Element(tag) => Seen::new(dom).control(node, tag, false),
        _ => false,
    }
}

/// Whether the element itself is painted where the user can see it.
pub fn is_seen<D: Dom>(dom: &D, node: NodeId) -> bool {
    Seen::new(dom).is_seen(node)
}

/// Where the walk is.
#[derive(Clone, Copy, Debug, Default)]
struct Ctx {
    depth: usize,
    /// Text here is part of a name that is shown already.
    quiet: bool,
    /// Inside something that can be clicked: the hand cursor says nothing new.
    pointer: bool,
    /// Inside a box that cuts everything off.
    collapsed: bool,
    /// Overlays are not hoisted again.
    in_overlay: bool,
}

impl Ctx {
    fn deeper(self) -> Ctx {
        Ctx { depth: self.depth + 1, ..self }
    }
}

/// Lines so far and the run of static text that is not a line yet.
#[derive(Default)]
struct Sink {
    lines: Vec<Line>,
    run: Joined,
    run_depth: usize,
}

impl Sink {
    fn flush(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let content = std::mem::take(&mut self.run).finish();
        if !content.is_empty() {
            let mut line = Line::text(&content);
            line.depth = self.run_depth;
            self.lines.push(line);
        }
    }

    fn push(&mut self, line: Line) {
        self.flush();
        self.lines.push(line);
    }

    /// Where the next line will be, the pending text being one.
    fn mark(&self) -> usize {
        self.lines.len() + usize::from(!self.run.is_empty())
    }
}

struct Walk<'d, D: Dom> {
    dom: &'d D,
    options: &'d Options,
    seen: Seen<'d, D>,
    overlays: Vec<Line>,
    nesting: usize,
    /// Texts that are rendered where no user can see them, since the last note about them.
    withheld: usize,
}

/// What becomes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    /// It is shown.
    Shown,
    /// It is rendered, but no user can see it: it is counted.
    Withheld,
    /// It is not rendered now, or not asked for.
    Left,
}

/// Whether something inside shows the hand cursor because of this element or one around it.
type Bubble = bool;

impl<D: Dom> Walk<'_, D> {
    fn only_controls(&self) -> bool {
        self.options.filter == Filter::Interactive
    }

    /// Whether the viewport matters, and the element is outside of it.
    fn out_of_view(&self, node: NodeId) -> bool {
        self.options.filter == Filter::Visible && self.options.anchor.is_none() && !self.seen.in_view(node)
    }

    fn element(&mut self, node: NodeId, tag: Tag, ctx: Ctx, sink: &mut Sink) -> Bubble {
        if tag.is_never_shown() || self.nesting >= MAX_NESTING {
            return false;
        }
        let attrs = self.dom.has_attrs(node);
        if attrs && self.is_pruned(node) {
            return false;
        }
        self.nesting += 1;
        if attrs {
            self.seen.enter(node);
        }
        let bubble = self.entered(node, tag, attrs, ctx, sink);
        if attrs {
            self.seen.leave();
        }
        self.nesting -= 1;
        bubble
    }

    /// Hidden from everyone by an attribute.
    fn is_pruned(&self, node: NodeId) -> bool {
        if self.dom.attr_is(node, "aria-hidden", "true") || self.dom.attr(node, "inert").is_some() {
            return true;
        }
        match self.dom.attr(node, "hidden") {
            Some(value) => value.eq_ignore_ascii_case("until-found") || self.dom.painted(node) != Painted::Yes,
            None => false,
        }
    }

    fn entered(&mut self, node: NodeId, tag: Tag, attrs: bool, ctx: Ctx, sink: &mut Sink) -> Bubble {
        match tag {
            Tag::Br => {
                sink.run.gap();
                return false;
            }
            Tag::Option | Tag::Optgroup => return false,
            _ => {}
        }
        let (role, explicit) = role_of(self.dom, node, tag);
        if !ctx.in_overlay && self.is_overlay(node, tag, role, explicit, attrs) {
            let mut lifted = Sink::default();
            let fresh = Ctx { in_overlay: true, ..Ctx::default() };
            let outside = std::mem::take(&mut self.withheld);
            self.as_role(node, tag, attrs, role, fresh, &mut lifted);
            lifted.flush();
            self.tell_withheld(outside, 1, &mut lifted);
            self.overlays.append(&mut lifted.lines);
            return false;
        }
        self.as_role(node, tag, attrs, role, ctx, sink)
    }

    fn is_overlay(&self, node: NodeId, tag: Tag, role: Role, explicit: bool, attrs: bool) -> bool {
        if !attrs {
            return false;
        }
        let by_role = role.is_overlay() && (explicit || tag == Tag::Dialog);
        let open = by_role
            || (role == Role::Combobox && explicit && self.dom.attr_is(node, "aria-expanded", "true"))
            || self.dom.attr_is(node, "aria-modal", "true")
            || self.dom.attr(node, "popover").is_some();
        // A dialog without a box of its own may still hold what is fixed to the viewport.
        open && self.dom.painted(node) == Painted::Yes
    }

    fn as_role(&mut self, node: NodeId, tag: Tag, attrs: bool, role: Role, ctx: Ctx, sink: &mut Sink) -> Bubble {
        match role {
            _ if tag == Tag::Select => self.select(node, role, ctx, sink),
            role if role.is_control() => self.control(node, tag, attrs, role, ctx, sink),
            Role::Heading => self.heading(node, tag, attrs, ctx, sink),
            Role::Img | Role::Canvas | Role::Video | Role::Audio | Role::ProgressBar | Role::Meter | Role::Math => {
                self.leaf(node, tag, attrs, role, ctx, sink)
            }
            Role::Iframe => self.frame(node, tag, ctx, sink),
            Role::Row | Role::ListItem | Role::Article => self.group(node, tag, attrs, role, ctx, sink),
            Role::Separator => false,
            Role::List | Role::Group | Role::Figure | Role::Feed | Role::Tooltip | Role::Note | Role::Application => {
                self.container(node, tag, attrs, role, ctx, sink)
            }
            role if role.is_landmark() => self.container(node, tag, attrs, role, ctx, sink),
            role => self.generic(node, tag, attrs, role, ctx, sink),
        }
    }

    /// Of closed details only the summary is there to see; their own style says nothing about it.
    fn is_closed_details(&self, node: NodeId) -> bool {
        self.dom.kind(node) == Kind::Element(Tag::Details) && self.dom.attr(node, "open").is_none()
    }

    /// Walks the children. Text that belongs to no name joins the run of the sink.
    fn children(&mut self, node: NodeId, attrs: bool, ctx: Ctx, sink: &mut Sink) -> Bubble {
        let mut text_seen = None;
        let mut bubble = false;
        let closed = self.is_closed_details(node);
        let with_text = !ctx.quiet && !closed && !self.only_controls();
        for child in self.dom.children(node) {
            match self.dom.kind(child) {
                Kind::Text if with_text => {
                    let content = self.dom.text(child);
                    if ctx.collapsed && content.trim().is_empty() {
                        continue;
                    }
                    if content.trim().is_empty() {
                        if !sink.run.is_empty() {
                            sink.run.gap();
                        }
                        continue;
                    }
                    let seen = match text_seen {
                        Some(known) => known,
                        None => {
                            let answer = if ctx.collapsed { Sight::Withheld } else { self.sight(node, attrs) };
                            text_seen = Some(answer);
                            answer
                        }
                    };
                    self.text(&content, seen, ctx, sink);
                }
                Kind::Element(tag) if !closed || tag == Tag::Summary => {
                    if self.seen.is_gone() {
                        return bubble;
                    }
                    bubble |= self.element(child, tag, ctx, sink);
                }
                _ => {}
            }
        }
        bubble
    }

    /// What is to be done with text directly in an element.
    fn sight(&mut self, node: NodeId, attrs: bool) -> Sight {
        if self.out_of_view(node) {
            Sight::Left
        } else if self.seen.text_in(node, attrs) {
            Sight::Shown
        } else if matches!(self.dom.painted(node), Painted::Yes | Painted::Transparent) {
            Sight::Withheld
        } else {
            Sight::Left
        }
    }

    fn text(&mut self, content: &str, sight: Sight, ctx: Ctx, sink: &mut Sink) {
        match sight {
            Sight::Shown => {
                if text::has_hidden_characters(content) {
                    self.withheld += 1;
                }
                if sink.run.is_empty() {
                    sink.run_depth = ctx.depth;
                }
                sink.run.push(content);
            }
            Sight::Withheld if self.options.hidden_text => {
                let mut line = Line::text(&text::collapse(content));
                line.depth = ctx.depth;
                line.attrs.push_str(" hidden");
                sink.push(line);
            }
            Sight::Withheld => self.withheld += 1,
            Sight::Left => {}
        }
    }

    /// One line for the texts of a place that were withheld; those of the place around it are counted on.
    fn tell_withheld(&mut self, outside: usize, depth: usize, sink: &mut Sink) {
        let count = std::mem::replace(&mut self.withheld, outside);
        if count == 0 || self.only_controls() {
            return;
        }
        let mut note =
            Line::note(format!("left out here: {count} texts that the user cannot see; includeHidden shows them"));
        note.depth = depth;
        sink.push(note);
    }

    /// An element that is no line of its own unless it can be clicked.
    fn generic(&mut self, node: NodeId, tag: Tag, attrs: bool, role: Role, ctx: Ctx, sink: &mut Sink) -> Bubble {
        let block = !tag.is_inline();
        if block {
            sink.flush();
        }
        let mut inner = ctx;
        if attrs && block && self.dom.collapsed(node) {
            inner.collapsed = true;
        }
        if tag == Tag::Label && self.dom.control(node).is_some() {
            // Its text is the name of its control.
            inner.quiet = true;
            inner.pointer = true;
        }
        let sure = attrs && self.acts_by_attribute(node, tag);
        let pointer = !inner.pointer && !sure && self.shows_hand(node, tag, attrs);
        if (pointer || sure) && !block {
            sink.flush();
        }
        let mark = sink.mark();
        let bubble = self.children(node, attrs, Ctx { pointer: inner.pointer || pointer || sure, ..inner }, sink);
        if block {
            sink.flush();
        }
        if tag == Tag::Body || tag == Tag::Html {
            return false;
        }
        if sure {
            self.wrap(node, tag, attrs, role, ctx, mark, sink);
            return false;
        }
        if pointer || bubble {
            return self.hand(node, tag, attrs, role, ctx, mark, sink);
        }
        if ctx.pointer && attrs && self.has_own_label(node) && self.dom.pointer(node) {
            self.wrap(node, tag, attrs, role, ctx, mark, sink);
        }
        false
    }
}

/// Drops the static text lines from `mark` on that `name` says already.
fn drop_repeated(lines: &mut Vec<Line>, mark: usize, name: &str) {
    if text::len(name) > text::NAME_CHARS {
        return; // The line does not say all of it.
    }
    // Case by ASCII only: the tables of Unicode would weigh more than they find here.
    let name = name.to_ascii_lowercase();
    let mut at = mark;
    while at < lines.len() {
        if lines[at].is_text() && text::has(&name, &lines[at].name.to_ascii_lowercase()) {
            lines.remove(at);
        } else {
            at += 1;
        }
    }
}

/// Whether a name from content says everything, so that the content need not be shown.
fn is_whole(name: &crate::name::Name) -> bool {
    name.source == Source::Content && text::len(&name.text) <= text::NAME_CHARS
}
