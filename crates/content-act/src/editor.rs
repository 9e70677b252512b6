//! Text into editors. An editor keeps a model of its own, which cannot be reached from here: it takes text as its user would give
//! it, by a paste; what only follows the browser's own editing gets that. Nothing counts until it is drawn.

use crate::entry::entry_of;
use crate::events;
use crate::fail::Fail;
use crate::field::Edit;
use crate::js::{self, Node};
use crate::outcome::touch;
use crate::task::{Deadline, sleep};
use crate::{rendered, text, transfer};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use webbrain_content_base::node::invoke;
use webbrain_tools::Insertion;

/// Editors that draw their lines themselves, and the field in each that gets the keys.
const SHELLS: &str = ".monaco-editor,.cm-editor,.CodeMirror,.ace_editor";
const INPUTS: &str = ".native-edit-context,textarea.inputarea,.cm-content,.CodeMirror>div>textarea,.ace_text-input";
/// Editors that make one line end of several in plain text, but take paragraphs as they come.
const MERGES_LINES: &str = ".ProseMirror,.ck-content";
/// ms for an editor to follow the selection: some look at it every tenth of a second.
const SELECTED_MS: f64 = 130.0;
/// ms for what was taken to be drawn.
const DRAWN_MS: f64 = 1_000.0;
const LOOK_MS: f64 = 30.0;

/// How an editor draws its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As elements that are edited in place.
    Rich,
    /// Line by line, only those in view.
    Lines,
}

/// An editor.
#[derive(Clone)]
pub struct Editor {
    /// What gets the events, and holds the text of a rich one.
    pub node: Node,
    /// What its user sees.
    pub shell: Node,
    /// How it draws.
    pub kind: Kind,
}

/// The editor that an element is, or is the field of.
pub fn editor_of(node: &Node) -> Option<Editor> {
    if let Some(shell) = node.closest(SHELLS)
        && let Some(input) = shell.query(INPUTS).ok().flatten()
    {
        // The search field of a code editor is a field like any other.
        let own = input.contains(node) || node.contains(&input);
        return own.then_some(Editor { node: input, shell, kind: Kind::Lines });
    }
    let editable = entry_of(node).is_none_or(|e| e == crate::entry::Entry::Editor);
    (editable && node.is_content_editable().is_truthy()).then(|| Editor {
        node: node.clone(),
        shell: node.clone(),
        kind: Kind::Rich,
    })
}

/// What became of an edit.
pub struct Written {
    /// The text that was there.
    pub before: String,
    /// The text that should be there.
    pub expected: String,
    /// What only the browser's own editing can do.
    pub ask: Option<Insertion>,
}

/// Line ends as editors have them.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => out.push('\n'),
            c => out.push(c),
        }
    }
    out
}

/// Writes into an editor, as far as it takes what it is given.
pub async fn write(editor: &Editor, edit: Edit<'_>, deadline: Deadline) -> Result<Written, Fail> {
    focus(editor)?;
    let old = rendered::text(editor);
    let wanted = plain(edit.text);
    let expected = if edit.replace { wanted.clone() } else { format!("{old}{wanted}") };
    let written = |ask| Ok(Written { before: old.clone(), expected: expected.clone(), ask });
    if expected == old && rendered::is_whole(editor) {
        return written(None);
    }
    select(editor, edit.replace).await?;
    if wanted.is_empty() {
        let gone = erase(editor, &old).await?;
        return written((!gone).then(Insertion::default));
    }
    // An address over a selection makes a link of it in some editors.
    if edit.replace && !old.is_empty() && is_address(&wanted) && erase(editor, &old).await? {
        select(editor, true).await?;
    }
    let ask = Insertion { text: wanted.clone(), keys: false };
    if deadline.passed() {
        return Err(Fail::Late);
    }
    let markup = markup_of(&wanted);
    let first = if editor.node.closest(MERGES_LINES).is_some() { markup.as_deref() } else { None };
    if !give(editor, &wanted, first, &expected).await? {
        return written(Some(ask));
    }
    // Once more as paragraphs where line ends were lost.
    if edit.replace && first.is_none() && markup.is_some() && rendered::text(editor) != expected {
        if deadline.passed() {
            return Err(Fail::Late);
        }
        select(editor, true).await?;
        let now = rendered::text(editor);
        if erase(editor, &now).await? {
            select(editor, true).await?;
            if !give(editor, &wanted, markup.as_deref(), &expected).await? {
                give(editor, &wanted, None, &expected).await?;
            }
        }
    }
    written(None)
}

/// One word that is an address.
fn is_address(text: &str) -> bool {
    !text.chars().any(char::is_whitespace) && (text::has(text, "://") || text.starts_with("www."))
}

/// Text with empty lines as paragraphs; none where plain text says the same, or where markup would lose spaces.
fn markup_of(text: &str) -> Option<String> {
    let spaces = text::has(text, "  ") || text.split('\n').any(|line| line.starts_with(' ') || line.ends_with(' '));
    if !text::has(text, "\n\n") || spaces || text.chars().any(|c| c == '\t') {
        return None;
    }
    let mut out = String::new();
    for line in text.split('\n') {
        out.push_str("<p>");
        for c in line.chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                c => out.push(c),
            }
        }
        out.push_str("</p>");
    }
    Some(out)
}

/// Pastes; whether the editor took it and something came of it.
async fn give(editor: &Editor, text: &str, markup: Option<&str>, expected: &str) -> Result<bool, Fail> {
    let before = rendered::text(editor);
    if !transfer::paste(&editor.node, text, markup)? {
        return Ok(false);
    }
    drawn(editor, |now| now == expected, |now| now != before).await
}

/// Deletes what is selected, which is all of `old`; whether it is gone.
async fn erase(editor: &Editor, old: &str) -> Result<bool, Fail> {
    if old.is_empty() {
        return Ok(true);
    }
    let down = chord(&editor.node, "keydown", "Backspace", 8, false)?;
    let taken = !down || transfer::announce_deletion(&editor.node, &selection(&editor.node)?)?;
    if editor.node.is_connected() {
        chord(&editor.node, "keyup", "Backspace", 8, false)?;
    }
    if !taken {
        return Ok(false);
    }
    drawn(editor, str::is_empty, str::is_empty).await
}

/// Waits until the text is right, or until it is no better than `enough` for a while.
async fn drawn(editor: &Editor, right: impl Fn(&str) -> bool, enough: impl Fn(&str) -> bool) -> Result<bool, Fail> {
    let start = js::now();
    let mut last = String::new();
    loop {
        sleep(LOOK_MS).await;
        let now = rendered::text(editor);
        if right(&now) {
            return Ok(true);
        }
        let past = js::now() - start;
        if enough(&now) && now == last && past > 4.0 * LOOK_MS {
            return Ok(true);
        }
        if past > DRAWN_MS || !editor.node.is_connected() {
            return Ok(enough(&now));
        }
        last = now;
    }
}

/// What takes the focus: the editable element around it all.
fn focus(editor: &Editor) -> Result<(), Fail> {
    let mut host = editor.node.clone();
    while editor.kind == Kind::Rich
        && let Some(parent) = host.parent_node().filter(|p| p.is_content_editable().is_truthy())
    {
        host = parent;
    }
    let doc = host.doc();
    let had = doc.active_element().is_some_and(|active| active.same(&host));
    let heard = Heard::on(&doc, "focusin");
    events::focus(&host)?;
    // In a tab that is not in front nothing is said of the focus until it is.
    let in_front = invoke(&doc, "hasFocus", &[]).is_ok_and(|f| f.is_truthy());
    let knows = heard.any() || (had && in_front);
    if !knows {
        transfer::tell_focus(&host)?;
    }
    Ok(())
}

/// Whether an event came.
struct Heard {
    doc: Node,
    kind: &'static str,
    any: Rc<Cell<bool>>,
    listener: Closure<dyn FnMut()>,
}

impl Heard {
    fn on(doc: &Node, kind: &'static str) -> Self {
        let any = Rc::new(Cell::new(false));
        let flag = any.clone();
        let listener = Closure::new(move || flag.set(true));
        doc.listen(kind, listener.as_ref(), true);
        Heard { doc: doc.clone(), kind, any, listener }
    }

    fn any(&self) -> bool {
        self.any.get()
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        self.doc.unlisten(self.kind, self.listener.as_ref(), true);
    }
}

fn selection(node: &Node) -> Result<JsValue, Fail> {
    Ok(invoke(&node.doc(), "getSelection", &[])?)
}

/// Selects all, or puts the caret at the end, and lets the editor notice.
async fn select(editor: &Editor, all: bool) -> Result<(), Fail> {
    let node = &editor.node;
    if editor.kind == Kind::Lines {
        let (key, code) = match (all, is_mac()) {
            (true, _) => ("a", 65),
            (false, true) => ("ArrowDown", 40),
            (false, false) => ("End", 35),
        };
        chord(node, "keydown", key, code, true)?;
        chord(node, "keyup", key, code, true)?;
        sleep(LOOK_MS).await;
        return Ok(());
    }
    let selection = selection(node)?;
    touch();
    let heard = Heard::on(&node.doc(), "selectionchange");
    match ends(node) {
        Some((first, last)) => {
            let length = js::property(&last, "length");
            let (from, at) = if all { (&first, 0.into()) } else { (&last, length.clone()) };
            invoke(&selection, "setBaseAndExtent", &[from.into(), at, (&last).into(), length])?;
        }
        None => {
            invoke(&selection, "selectAllChildren", &[node.into()])?;
            if !all {
                invoke(&selection, "collapseToEnd", &[])?;
            }
        }
    }
    sleep(SELECTED_MS).await;
    // In a tab that is not in front it is not said either.
    if !heard.any() {
        events::plain(&node.doc(), "selectionchange", false)?;
        sleep(LOOK_MS).await;
    }
    Ok(())
}

/// The first and last text that can be edited.
fn ends(node: &Node) -> Option<(Node, Node)> {
    let walker = invoke(&node.doc(), "createTreeWalker", &[node.into(), 4.into()]).ok()?;
    let mut found: Option<(Node, Node)> = None;
    while let Some(next) = invoke(&walker, "nextNode", &[]).ok().and_then(js::some_node) {
        let fixed = next.parent_node().and_then(|p| p.closest("[contenteditable=false]"));
        if fixed.is_some_and(|f| node.contains(&f) && !f.same(node)) {
            continue;
        }
        found = Some(match found {
            Some((first, _)) => (first, next),
            None => (next.clone(), next),
        });
    }
    found
}

/// Whether commands are given with the command key.
fn is_mac() -> bool {
    let platform = js::property(&js::property(&js::window(), "navigator"), "platform").as_string();
    platform.is_some_and(|p| p.starts_with("Mac"))
}

/// Sends a key, with the key that commands are given with when asked. Returns whether the default action may happen.
fn chord(node: &Node, kind: &str, key: &str, code: u32, command: bool) -> Result<bool, Fail> {
    let mac = is_mac();
    let name = if key == "a" { "KeyA" } else { key };
    let init = js::object(&[
        ("bubbles", true.into()),
        ("cancelable", true.into()),
        ("composed", true.into()),
        ("view", js::window()),
        ("key", key.into()),
        ("code", name.into()),
        ("keyCode", code.into()),
        ("which", code.into()),
        ("ctrlKey", (command && !mac).into()),
        ("metaKey", (command && mac).into()),
    ]);
    touch();
    Ok(node.dispatch(&js::keyboard_event(kind, &init)?)?)
}

/// Does what trusted input could not: the browser's own editing command on what is selected. Returns whether the page was told
/// by a `beforeinput` event: an extension's command sends one in Firefox, in Chrome it is sent here.
pub async fn command(editor: &Editor, insertion: &Insertion, announce: bool) -> Result<bool, Fail> {
    let node = &editor.node;
    let doc = node.doc();
    let (name, kind, data) = if insertion.text.is_empty() {
        ("delete", "deleteContentBackward", None)
    } else {
        ("insertText", "insertText", Some(insertion.text.as_str()))
    };
    if announce && !events::input(node, "beforeinput", kind, data)? {
        sleep(60.0).await;
        return Ok(true);
    }
    let told = Heard::on(&doc, "beforeinput");
    touch();
    let done = doc.exec_command(name, data.unwrap_or_default());
    // Refused, too, when the page prevented it and did the work itself.
    done?;
    sleep(60.0).await;
    Ok(announce || told.any())
}

#[cfg(test)]
mod tests {
    use super::{is_address, markup_of, plain};

    #[test]
    fn line_ends_are_newlines() {
        assert_eq!(plain("a\r\nb\rc\nd"), "a\nb\nc\nd");
    }

    #[test]
    fn only_text_with_empty_lines_goes_as_paragraphs() {
        assert_eq!(markup_of("a\nb"), None);
        assert_eq!(markup_of("a\n\n<b> & c").as_deref(), Some("<p>a</p><p></p><p>&lt;b&gt; &amp; c</p>"));
        assert_eq!(markup_of("a\n\n  b"), None);
    }

    #[test]
    fn an_address_is_one_word() {
        assert!(is_address("https://a.test/x") && is_address("www.a.test"));
        assert!(!is_address("see https://a.test") && !is_address("a.test"));
    }
}
