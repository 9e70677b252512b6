//! `upload_file`: a file into a file input, or dropped where the page takes drops. The system's file chooser is never opened.

use crate::entry::kind_of;
use crate::events::{self, Point};
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::outcome::{Outcome, touch};
use crate::services::{self, Before};
use crate::target::{self, Target};
use crate::task::{Deadline, sleep};
use crate::{click, text, transfer};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use webbrain_content_base::node::invoke;
use webbrain_tools::RefId;

const INPUT: &str = "input[type=file]";
/// ms for a page to ask for a file, or to take one.
const SETTLE_MS: f64 = 150.0;
/// What the system would call a file by its extension.
const TYPES: [(&str, &str); 16] = [
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("tsv", "text/tab-separated-values"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("xml", "text/xml"),
    ("svg", "image/svg+xml"),
    ("ics", "text/calendar"),
    ("vcf", "text/vcard"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("rtf", "application/rtf"),
];

/// A file to give.
pub struct Gift<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its text.
    pub content: &'a str,
    /// Its type; by its extension when none is said.
    pub mime: Option<&'a str>,
}

impl Gift<'_> {
    fn mime(&self) -> &str {
        self.mime.filter(|m| !m.trim().is_empty()).unwrap_or_else(|| mime_of(self.name))
    }

    fn words(&self) -> String {
        format!("\"{}\" ({} bytes)", text::clip(self.name, 80), self.content.len())
    }
}

fn mime_of(name: &str) -> &'static str {
    let end = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    TYPES.iter().find(|(extension, _)| *extension == end).map_or("application/octet-stream", |(_, mime)| mime)
}

/// Gives the file to what a ref names.
pub async fn upload(reference: &RefId, gift: Gift<'_>, deadline: Deadline) -> Result<Outcome, Fail> {
    if gift.name.trim().is_empty() || gift.name.contains(['/', '\\']) {
        return Err(Fail::Unfit("a file needs a name without a path. Nothing was done.".to_owned()));
    }
    let target = target::unchanged(reference)?;
    if let Some(input) = input_of(&target.node) {
        target::usable(&Target { node: input.clone(), ..target_like(&target) })?;
        return give(&target, &input, &gift, Before::now(), deadline).await;
    }
    let at = target::reach(&target, deadline).await?;
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    services::acted_on(&target.node);
    if is_pressed(&target) {
        let asked = Chooser::new(&target.node);
        click::press(&target.node, at)?;
        sleep(SETTLE_MS).await;
        return match asked.input() {
            Some(input) => give(&target, &input, &gift, before, deadline).await,
            None => {
                let changes = before.changes(deadline).await?;
                let words = "was pressed, but the page asked for no file that can be given. No file was given.";
                let text =
                    format!("{} {words} See whether it opened a dialog with a file input.\n{changes}", target.words());
                Ok(Outcome { failed: true, ..Outcome::new(text, target.summary()) })
            }
        };
    }
    drop_on(&target, at, &gift, before, deadline).await
}

fn target_like(target: &Target) -> Target {
    Target {
        node: target.node.clone(),
        role: target.role.clone(),
        name: target.name.clone(),
        reference: target.reference.clone(),
    }
}

fn is_file_input(node: &Node) -> bool {
    node.name() == "input" && kind_of(node) == "file"
}

/// The file input that an element is, labels or holds.
fn input_of(node: &Node) -> Option<Node> {
    if is_file_input(node) {
        return Some(node.clone());
    }
    let label = node.closest("label").and_then(|l| js::some_node(l.control())).filter(is_file_input);
    let root = node.shadow_root().unwrap_or_else(|| node.clone());
    let inside = js::all(&root, INPUT);
    // Of several it is not clear which is meant.
    label.or_else(|| inside.into_iter().next().filter(|_| js::all(&root, INPUT).len() == 1))
}

fn is_pressed(target: &Target) -> bool {
    matches!(target.role.as_str(), "button" | "link" | "menuitem")
}

/// Catches the click by which a page would open the system's file chooser.
struct Chooser {
    doc: Node,
    seen: Rc<RefCell<Option<Node>>>,
    callback: Closure<dyn FnMut(JsValue)>,
}

impl Chooser {
    fn new(node: &Node) -> Self {
        let seen = Rc::new(RefCell::new(None));
        let kept = seen.clone();
        let callback = Closure::new(move |event: JsValue| {
            // Where it began, also in a shadow tree.
            let path = invoke(&event, "composedPath", &[]).map(|p| js::nodes(&p)).unwrap_or_default();
            if let Some(input) = path.into_iter().next().filter(is_file_input) {
                // An event that cannot be stopped opens nothing without the user's own press.
                let _ = invoke(&event, "preventDefault", &[]);
                kept.replace(Some(input));
            }
        });
        let doc = node.doc();
        doc.listen("click", callback.as_ref(), true);
        Chooser { doc, seen, callback }
    }

    fn input(&self) -> Option<Node> {
        self.seen.borrow().clone()
    }
}

impl Drop for Chooser {
    fn drop(&mut self) {
        self.doc.unlisten("click", self.callback.as_ref(), true);
    }
}

async fn give(
    target: &Target,
    input: &Node,
    gift: &Gift<'_>,
    before: Before,
    deadline: Deadline,
) -> Result<Outcome, Fail> {
    if input.is(":disabled") {
        return Err(Fail::Disabled(target.words()));
    }
    let accept = input.attribute("accept").unwrap_or_default();
    if !accepts(&accept, gift.name, gift.mime()) {
        return Err(Fail::Unfit(format!(
            "{} takes only {}, and {} is {}. No file was given.",
            target.words(),
            text::clip(&accept, 100),
            gift.words(),
            gift.mime()
        )));
    }
    if deadline.passed() {
        return Err(Fail::Late);
    }
    let data = transfer::with_file(input, gift.name, gift.content, gift.mime())?;
    touch();
    js::set_property(input, "files", &js::property(&data, "files"));
    let given = is_given(input, gift);
    if !given {
        return Ok(Outcome {
            failed: true,
            ..Outcome::new(format!("{} did not take the file; nothing was given", target.words()), target.summary())
        });
    }
    events::plain(input, "input", false)?;
    events::plain(input, "change", false)?;
    sleep(SETTLE_MS).await;
    let state = if input.is_connected() && is_given(input, gift) {
        format!("{} now holds {}; verified: yes", target.words(), gift.words())
    } else {
        // As pages do that upload at once; others do it to refuse.
        format!(
            "{} was given {}; the page has emptied the control since; verified: unknown; see below what the page says",
            target.words(),
            gift.words()
        )
    };
    let changes = before.changes(deadline).await?;
    Ok(Outcome::new(format!("{state}\n{changes}"), gift.name))
}

/// Whether the input holds this very file.
fn is_given(input: &Node, gift: &Gift<'_>) -> bool {
    let files = js::property(input, "files");
    let file = js::property(&files, "0");
    js::property(&files, "length").as_f64() == Some(1.0)
        && js::property(&file, "name").as_string().as_deref() == Some(gift.name)
        && js::property(&file, "size").as_f64() == Some(gift.content.len() as f64)
}

/// Whether a file input's `accept` lets a file through, as the system's chooser would offer it.
fn accepts(accept: &str, name: &str, mime: &str) -> bool {
    let (name, mime) = (name.to_ascii_lowercase(), mime.to_ascii_lowercase());
    let mut any = false;
    for rule in accept.split(',').map(|r| r.trim().to_ascii_lowercase()).filter(|r| !r.is_empty()) {
        any = true;
        let fits = match rule.strip_suffix("/*") {
            Some(kind) => mime.split('/').next() == Some(kind) || kind == "*",
            None if rule.starts_with('.') => name.ends_with(&rule),
            None => rule == mime,
        };
        if fits {
            return true;
        }
    }
    !any
}

/// Drops the file where it is; what the page does not take is not given.
async fn drop_on(
    target: &Target,
    at: Point,
    gift: &Gift<'_>,
    before: Before,
    deadline: Deadline,
) -> Result<Outcome, Fail> {
    let node = target.node.clone();
    let data = transfer::with_file(&node, gift.name, gift.content, gift.mime())?;
    let over = transfer::drag(&node, "dragenter", at, &data)? | transfer::drag(&node, "dragover", at, &data)?;
    sleep(30.0).await;
    if deadline.passed() || !node.is_connected() {
        return Err(Fail::Late);
    }
    let over = over | transfer::drag(&node, "dragover", at, &data)?;
    if !over {
        // The browser would not let go of a file here either.
        transfer::drag(&node, "dragleave", at, &data)?;
        let changes = before.changes(deadline).await?;
        let text = format!("{} takes no files; no file was given\n{changes}", target.words());
        return Ok(Outcome { failed: true, ..Outcome::new(text, target.summary()) });
    }
    let taken = transfer::drag(&node, "drop", at, &data)?;
    sleep(SETTLE_MS).await;
    let state = if taken { "the page took the drop" } else { "the page let it be dropped, but may not have taken it" };
    let changes = before.changes(deadline).await?;
    let text = format!("dropped {} on {}; {state}; verified: unknown\n{changes}", gift.words(), target.words());
    Ok(Outcome { failed: !taken, ..Outcome::new(text, gift.name) })
}

#[cfg(test)]
mod tests {
    use super::{accepts, mime_of};

    #[test]
    fn a_type_is_told_by_the_extension() {
        assert_eq!(mime_of("a.CSV"), "text/csv");
        assert_eq!(mime_of("a.unknown"), "application/octet-stream");
    }

    #[test]
    fn only_what_the_chooser_would_offer_is_given() {
        for (accept, want) in [
            ("", true),
            (".txt", true),
            (".TXT, .pdf", true),
            ("text/plain", true),
            ("text/*", true),
            ("*/*", true),
            ("image/*", false),
            (".pdf,application/pdf", false),
        ] {
            assert_eq!(accepts(accept, "cv.txt", "text/plain"), want, "{accept:?}");
        }
    }
}
