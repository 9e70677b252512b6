//! The lines of a tree.

use crate::dom::NodeId;
use crate::role::Role;
use crate::text;

/// One line: a node, a run of static text or a note of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Levels below the root; one space each.
    pub depth: usize,
    /// Its element; none for text and notes.
    pub node: Option<NodeId>,
    /// Its role; [`Role::Text`] for static text.
    pub role: Role,
    /// Its name, collapsed and clipped; of a note the note itself.
    pub name: String,
    /// Rendered attributes and states, each with a space before it.
    pub attrs: String,
    /// Number of its ref; 0 until [`Tree::assign`] and for lines without an element.
    pub reference: u32,
    /// Whether it has the focus.
    pub focused: bool,
    /// Whether a user can operate it.
    pub control: bool,
    /// Whether [`crate::describe`] gives the same role and name while the element stays as it is.
    pub recomputable: bool,
    /// Whether it is a note of this program, shown in brackets.
    pub note: bool,
}

impl Line {
    /// A line of an element.
    pub fn element(node: NodeId, role: Role, name: String) -> Line {
        Line {
            depth: 0,
            node: Some(node),
            role,
            name,
            attrs: String::new(),
            reference: 0,
            focused: false,
            control: role.is_control(),
            recomputable: false,
            note: false,
        }
    }

    /// A run of static text.
    pub fn text(content: &str) -> Line {
        let mut line = Line::element(NodeId(0), Role::Text, text::clip(content, text::TEXT_CHARS));
        line.node = None;
        line
    }

    /// A note in brackets.
    pub fn note(content: impl Into<String>) -> Line {
        let mut line = Line::element(NodeId(0), Role::Text, content.into());
        line.node = None;
        line.note = true;
        line
    }

    /// Whether it is static text of the page.
    pub fn is_text(&self) -> bool {
        self.role == Role::Text && !self.note
    }

    /// The line without its indent.
    pub fn body(&self) -> String {
        if self.note {
            return format!("[{}]", self.name);
        }
        let mut out = String::with_capacity(self.name.len() + self.attrs.len() + 24);
        out.push_str(self.role.name());
        if !self.name.is_empty() || self.control || self.role == Role::Text {
            out.push(' ');
            text::push_quoted(&mut out, &self.name);
        }
        if self.reference > 0 {
            out.push_str(" [ref_");
            out.push_str(&self.reference.to_string());
            out.push(']');
        }
        out.push_str(&self.attrs);
        if self.focused {
            out.push_str(" focused");
        }
        out
    }

    /// The whole line.
    pub fn render(&self) -> String {
        let mut out = " ".repeat(self.depth);
        out.push_str(&self.body());
        out
    }
}

/// A reading of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Its lines, overlays first.
    pub lines: Vec<Line>,
}

impl Tree {
    /// Gives every line of an element its ref number. `number` is asked once per line, in order.
    pub fn assign(&mut self, mut number: impl FnMut(&Line) -> u32) {
        for at in 0..self.lines.len() {
            if self.lines[at].node.is_some() {
                self.lines[at].reference = number(&self.lines[at]);
            }
        }
    }

    /// Marks the line of the focused element.
    pub fn focus(&mut self, reference: u32) {
        for line in &mut self.lines {
            line.focused = reference > 0 && line.reference == reference;
        }
    }

    /// Whether [`Tree::focus`] with this would change nothing.
    pub fn has_focus(&self, reference: u32) -> bool {
        self.lines.iter().all(|line| line.focused == (reference > 0 && line.reference == reference))
    }

    /// The lines as text.
    pub fn render(&self) -> Vec<String> {
        self.lines.iter().map(Line::render).collect()
    }
}
