//! The text of an editor as it is drawn: line by line, as its user reads it. `innerText` would tell margins as empty lines, and
//! placeholders as text.

use crate::editor::{Editor, Kind};
use crate::js::{self, Node};
use webbrain_content_base::js::computed_style;

/// Lines of code editors, each drawn by itself.
const LINES: &str = ".view-line,.cm-line,.CodeMirror-line,.ace_line";

/// The text, its lines separated by newlines.
pub fn text(editor: &Editor) -> String {
    if editor.kind == Kind::Lines {
        return code(&editor.shell);
    }
    let mut lines = Lines::default();
    block(&editor.node, &mut lines, true);
    lines.done()
}

/// Whether all lines of an editor are drawn: code editors draw what is in view only.
pub fn is_whole(editor: &Editor) -> bool {
    if editor.kind != Kind::Lines {
        return true;
    }
    if editor.shell.query(".cm-gap").is_ok_and(|gap| gap.is_some()) {
        return false;
    }
    let drawn = js::all(&editor.shell, LINES);
    let bottom = |node: &Node| node.bounds().y() + node.bounds().height();
    // Another line would be drawn if there were one: there is room for it, or it would be cut.
    let Some(last) = drawn.iter().map(bottom).reduce(f64::max) else { return true };
    last <= bottom(&editor.shell) + 1.0
}

fn code(shell: &Node) -> String {
    let mut drawn: Vec<(f64, Node)> = Vec::new();
    // Drawn in any order, each at its own place.
    for line in js::all(shell, LINES) {
        let y = line.bounds().y();
        let at = drawn.iter().rposition(|(other, _)| *other <= y).map_or(0, |at| at + 1);
        drawn.insert(at, (y, line));
    }
    let mut out = String::new();
    for (at, (_, line)) in drawn.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let mut lines = Lines::default();
        inline(line, &mut lines);
        out.push_str(&lines.done());
    }
    out
}

/// Lines as they come.
#[derive(Default)]
struct Lines {
    done: String,
    any: bool,
    open: Option<String>,
}

impl Lines {
    fn add(&mut self, text: &str) {
        self.open.get_or_insert_default().push_str(text);
    }

    /// Ends the line, be it empty.
    fn end(&mut self) {
        let line = self.open.take().unwrap_or_default();
        if self.any {
            self.done.push('\n');
        }
        self.any = true;
        self.done.push_str(&line);
    }

    /// Ends the line if there is one.
    fn close(&mut self) {
        if self.open.is_some() {
            self.end();
        }
    }

    fn done(mut self) -> String {
        self.close();
        self.done
    }
}

fn block(node: &Node, lines: &mut Lines, root: bool) {
    lines.close();
    let before = lines.done.len();
    let any = lines.any;
    children(node, lines);
    lines.close();
    // A paragraph without anything is a line; the editor itself is not.
    if !root && lines.done.len() == before && lines.any == any && !has_block(node) {
        lines.end();
    }
}

fn has_block(node: &Node) -> bool {
    node.query("p,div,li,ul,ol,table,h1,h2,h3,h4,h5,h6,pre,blockquote,img,video").is_ok_and(|b| b.is_some())
}

fn children(node: &Node, lines: &mut Lines) {
    for child in js::nodes(&js::property(node, "childNodes")) {
        inline(&child, lines);
    }
}

fn inline(node: &Node, lines: &mut Lines) {
    match node.node_type() {
        3 => add_text(node, lines),
        1 => {
            if node.name() == "br" {
                lines.end();
                return;
            }
            let style = computed_style(node);
            let display = style.read("display");
            if display == "none" || is_decoration(node, &style) {
                return;
            }
            let flows = display.starts_with("inline") || display == "contents" || display == "ruby";
            // A line of a code editor is asked for by itself.
            if flows || node.is(LINES) { children(node, lines) } else { block(node, lines, false) }
        }
        _ => {}
    }
}

/// Placeholders, handles and buttons that an editor puts among its text.
fn is_decoration(node: &Node, style: &js::Style) -> bool {
    let fixed = node.attribute("contenteditable").is_some_and(|v| v == "false");
    fixed
        && (style.read("pointerEvents") == "none"
            || style.read("userSelect") == "none"
            || node.attribute("aria-hidden").is_some_and(|v| v == "true"))
}

fn add_text(node: &Node, lines: &mut Lines) {
    // Editors put zero-width characters where the caret must have a place.
    let data: String = node
        .text_content()
        .unwrap_or_default()
        .chars()
        .filter(|c| !matches!(c, '\u{feff}' | '\u{200b}'))
        .map(|c| if c == '\u{a0}' { ' ' } else { c })
        .collect();
    if data.is_empty() {
        return;
    }
    let space = node.parent_node().map(|p| computed_style(&p).read("whiteSpace")).unwrap_or_default();
    if space.starts_with("pre") || space.starts_with("break") {
        for (at, part) in data.split('\n').enumerate() {
            if at > 0 {
                lines.end();
            }
            if !part.is_empty() {
                lines.add(part);
            }
        }
    } else {
        let kept: String = data.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c }).collect();
        // Space between paragraphs is none.
        if lines.open.is_some() || kept.chars().any(|c| c != ' ') {
            lines.add(&kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn a_break_ends_a_line_and_the_last_one_begins_none() {
        let drawn = |parts: &[&str]| {
            let mut lines = Lines::default();
            for part in parts {
                match *part {
                    "<br>" => lines.end(),
                    "</p>" => lines.close(),
                    text => lines.add(text),
                }
            }
            lines.done()
        };
        assert_eq!(drawn(&["a", "b", "</p>", "c"]), "ab\nc");
        assert_eq!(drawn(&["a", "<br>", "</p>", "c", "<br>", "<br>"]), "a\nc\n");
        assert_eq!(drawn(&["<br>", "</p>", "a"]), "\na");
        assert_eq!(drawn(&[]), "");
    }
}
