//! The page's text as a reader sees it: paragraphs, headings, list items, table rows. Values of form fields are not text.

use crate::block::Joined;
use crate::dom::{Dom, Kind, NodeId, Painted};
use crate::role::{Role, role_of};
use crate::seen::Seen;
use crate::tag::Tag;
use crate::text;

/// Deepest DOM nesting that is followed.
const MAX_NESTING: usize = 400;

/// The visible text below `root`, one paragraph a line. Without `chrome`, menus, headers, footers and sidebars are left out.
pub fn read<D: Dom>(dom: &D, root: NodeId, chrome: bool) -> Vec<String> {
    let mut reader =
        Reader { dom, seen: Seen::new(dom), chrome, root, lines: Vec::new(), run: Joined::default(), nesting: 0 };
    if let Kind::Element(tag) = dom.kind(root) {
        reader.element(root, tag);
    }
    reader.flush("");
    reader.lines
}

/// The visible text of one element on one line.
pub fn text_of<D: Dom>(dom: &D, node: NodeId) -> String {
    text::joined(&read(dom, node, true), " ")
}

/// The rows of a table that can be seen, each with the text of its cells.
pub fn cells<D: Dom>(dom: &D, table: NodeId) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    collect_rows(dom, table, 0, &mut rows);
    rows
}

fn collect_rows<D: Dom>(dom: &D, node: NodeId, depth: usize, rows: &mut Vec<Vec<String>>) {
    for child in dom.children(node) {
        let Kind::Element(tag) = dom.kind(child) else { continue };
        let (role, _) = role_of(dom, child, tag);
        if role == Role::Row {
            if dom.painted(child) != Painted::No {
                rows.push(row(dom, child));
            }
        } else if depth < 6 && role != Role::Table {
            collect_rows(dom, child, depth + 1, rows);
        }
    }
}

fn row<D: Dom>(dom: &D, row: NodeId) -> Vec<String> {
    let children = dom.children(row);
    let cells = children.into_iter().filter(|c| match dom.kind(*c) {
        Kind::Element(tag) => {
            let role = role_of(dom, *c, tag).0;
            matches!(role, Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader)
        }
        _ => false,
    });
    cells.map(|c| text_of(dom, c)).collect()
}

struct Reader<'d, D: Dom> {
    dom: &'d D,
    seen: Seen<'d, D>,
    chrome: bool,
    root: NodeId,
    lines: Vec<String>,
    run: Joined,
    nesting: usize,
}

impl<D: Dom> Reader<'_, D> {
    fn flush(&mut self, mark: &str) {
        let content = std::mem::take(&mut self.run).finish();
        if !content.is_empty() {
            self.lines.push(format!("{mark}{content}"));
        }
    }

    fn is_left_out(&self, node: NodeId, tag: Tag, role: Role) -> bool {
        let field = matches!(tag, Tag::Input | Tag::Textarea | Tag::Select | Tag::Option | Tag::Optgroup | Tag::Button);
        if field || tag.is_never_shown() || tag == Tag::Svg || self.is_editable_field(node, role) {
            return true;
        }
        !self.chrome
            && node != self.root
            && matches!(
                role,
                Role::Navigation
                    | Role::Banner
                    | Role::ContentInfo
                    | Role::Complementary
                    | Role::Menu
                    | Role::Menubar
                    | Role::Search
                    | Role::Toolbar
            )
    }

    fn is_editable_field(&self, node: NodeId, role: Role) -> bool {
        node != self.root && matches!(role, Role::TextBox | Role::SearchBox)
    }

    fn element(&mut self, node: NodeId, tag: Tag) {
        if tag == Tag::Br {
            return self.flush("");
        }
        let attrs = self.dom.has_attrs(node);
        let (role, _) = role_of(self.dom, node, tag);
        if self.nesting >= MAX_NESTING || self.is_left_out(node, tag, role) || (attrs && self.is_pruned(node)) {
            return;
        }
        let block = !tag.is_inline() && tag != Tag::Img;
        if block && !matches!(tag, Tag::Td | Tag::Th) {
            self.flush("");
        }
        if attrs && block && self.dom.collapsed(node) {
            return;
        }
        self.nesting += 1;
        if attrs {
            self.seen.enter(node);
        }
        self.inside(node, tag, attrs);
        if attrs {
            self.seen.leave();
        }
        self.nesting -= 1;
        match tag {
            Tag::Td | Tag::Th => {
                if !self.run.is_empty() {
                    self.run.push(" | ");
                }
            }
            Tag::Tr => {
                let content = std::mem::take(&mut self.run).finish();
                let content = content.trim_end_matches(['|', ' ']);
                if !content.is_empty() {
                    self.lines.push(content.to_owned());
                }
            }
            Tag::Li => self.flush("- "),
            _ => match tag.heading_level() {
                Some(level) => self.flush(&format!("{} ", "#".repeat(usize::from(level)))),
                None if block => self.flush(""),
                None => {}
            },
        }
    }

    fn is_pruned(&self, node: NodeId) -> bool {
        self.dom.attr_is(node, "aria-hidden", "true")
            || self.dom.attr(node, "inert").is_some()
            || (self.dom.attr(node, "hidden").is_some() && self.dom.painted(node) != Painted::Yes)
    }

    fn inside(&mut self, node: NodeId, tag: Tag, attrs: bool) {
        if tag == Tag::Img {
            let alt = self.dom.attr(node, "alt").map(|a| text::collapse(&a)).unwrap_or_default();
            if !alt.is_empty() && self.seen.text_in(node, attrs) {
                self.run.gap();
                self.run.push(&format!("[image: {alt}]"));
                self.run.gap();
            }
            return;
        }
        let closed = tag == Tag::Details && self.dom.attr(node, "open").is_none();
        let mut text_seen = None;
        for child in self.dom.children(node) {
            match self.dom.kind(child) {
                kind if closed && kind != Kind::Element(Tag::Summary) => {}
                Kind::Text => {
                    let content = self.dom.text(child);
                    if content.trim().is_empty() {
                        self.run.gap();
                    } else if *text_seen.get_or_insert_with(|| self.seen.text_in(node, attrs)) {
                        self.run.push(&content);
                    }
                }
                Kind::Element(tag) => self.element(child, tag),
                Kind::Other => {}
            }
            if self.seen.is_gone() {
                return;
            }
        }
    }
}
