//! Submitting after a field was set: the suggestion of a combobox, else Enter, else the form; never two of them.

use crate::dom::PageDom;
use crate::events;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::keys;
use crate::state;
use crate::task::{Deadline, sleep};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use webbrain_page::is_seen;

/// ms that options of a combobox may take to come.
const OPTIONS_MS: f64 = 700.0;

/// Submits and says how.
pub async fn submit(node: &Node, deadline: Deadline) -> Result<String, Fail> {
    if is_combobox(node)
        && let Some(list) = wait_for_options(node, deadline).await
    {
        return pick_suggestion(node, &list, deadline).await;
    }
    if deadline.passed() {
        return Err(Fail::Late);
    }
    press_enter(node)
}

fn is_combobox(node: &Node) -> bool {
    let auto = node.attribute("aria-autocomplete").unwrap_or_default();
    node.attribute("role").is_some_and(|r| r.split_ascii_whitespace().any(|t| t == "combobox"))
        || matches!(auto.as_str(), "list" | "both")
        || node.attribute("aria-haspopup").as_deref() == Some("listbox")
}

/// The list that the field itself names; another list on the page is none of its business.
fn own_list(node: &Node) -> Option<Node> {
    let root = node.root_node();
    let by_id = |id: &str| root.by_id(id);
    for attr in ["aria-controls", "aria-owns"] {
        let ids = node.attribute(attr).unwrap_or_default();
        if let Some(list) = ids.split_ascii_whitespace().find_map(by_id) {
            return Some(list);
        }
    }
    let active = node.attribute("aria-activedescendant").and_then(|id| by_id(&id))?;
    active.closest("[role=listbox],[role=grid],[role=tree]")
}

async fn wait_for_options(node: &Node, deadline: Deadline) -> Option<Node> {
    let start = js::now();
    loop {
        if let Some(list) = own_list(node)
            && has_visible_option(&list)
        {
            return Some(list);
        }
        if js::now() - start > OPTIONS_MS || deadline.passed() {
            return None;
        }
        sleep(50.0).await;
    }
}

fn has_visible_option(list: &Node) -> bool {
    let dom = PageDom::new();
    js::all(list, "[role=option],[role=row],[role=treeitem],li").iter().any(|o| is_seen(&dom, dom.handle(o)))
}

async fn pick_suggestion(node: &Node, list: &Node, deadline: Deadline) -> Result<String, Fail> {
    let highlighted = node.attribute("aria-activedescendant").is_some_and(|id| !id.trim().is_empty());
    if !highlighted {
        keys::send_plain(node, "ArrowDown", 40)?;
        sleep(40.0).await;
    }
    if deadline.passed() {
        return Err(Fail::Late);
    }
    let active = node.attribute("aria-activedescendant").filter(|id| !id.trim().is_empty());
    let option = active.and_then(|id| node.root_node().by_id(&id));
    let option = option.or_else(|| list.query("[aria-selected=true]").ok().flatten());
    let picked = option.and_then(|o| o.text_content()).map(|t| webbrain_page::text::collapse(&t)).unwrap_or_default();
    keys::send_plain(node, "Enter", 13)?;
    Ok(if picked.is_empty() {
        "pressed ArrowDown and Enter in its list of suggestions".to_owned()
    } else {
        format!("picked the suggestion \"{}\"", webbrain_page::text::clip(&picked, 80))
    })
}

/// Notices a `submit` event of the document while it lives.
pub struct SubmitWatch {
    doc: Node,
    seen: Rc<Cell<bool>>,
    callback: Closure<dyn FnMut()>,
}

impl SubmitWatch {
    /// Starts to watch.
    pub fn new(node: &Node) -> Self {
        let seen = Rc::new(Cell::new(false));
        let flag = seen.clone();
        let callback = Closure::new(move || flag.set(true));
        let doc = node.doc();
        doc.listen("submit", callback.as_ref(), true);
        SubmitWatch { doc, seen, callback }
    }

    /// Whether a form was submitted.
    pub fn submitted(&self) -> bool {
        self.seen.get()
    }
}

impl Drop for SubmitWatch {
    fn drop(&mut self) {
        self.doc.unlisten("submit", self.callback.as_ref(), true);
    }
}

/// Enter, and the form's own submission only where the page left Enter alone.
fn press_enter(node: &Node) -> Result<String, Fail> {
    let watch = SubmitWatch::new(node);
    let url = js::location();
    let enter = keys::named("Enter", 13);
    let mut allowed = events::key(node, "keydown", &enter)?;
    if allowed && node.is_connected() {
        allowed = events::key(node, "keypress", &enter)?;
    }
    let acted = !allowed || watch.submitted() || js::location() != url || !node.is_connected();
    let mut words = "pressed Enter; the page handled it".to_owned();
    if !acted {
        words = match js::some_node(node.form()) {
            Some(form) => submit_form(node, &form, &watch)?,
            None => "pressed Enter; the field is in no form and the page did not take the key".to_owned(),
        };
    }
    if node.is_connected() {
        events::key(node, "keyup", &enter)?;
    }
    Ok(words)
}

/// Submits as the browser does on Enter: by the form's default button where there is one.
pub fn submit_form(node: &Node, form: &Node, watch: &SubmitWatch) -> Result<String, Fail> {
    state::touch();
    match default_button(node, form) {
        Some(button) if button.is(":disabled") => {
            return Ok("pressed Enter; the form was not submitted: its submit button is disabled".to_owned());
        }
        Some(button) => button.click()?,
        None => form.request_submit()?,
    }
    if watch.submitted() {
        return Ok("submitted the form".to_owned());
    }
    let invalid = form.query(":invalid:not(fieldset)").ok().flatten();
    Ok(match invalid {
        Some(field) => format!("the form was not submitted: {} is not valid", crate::cover::words(&field)),
        None => "asked the form to submit".to_owned(),
    })
}

/// The first submit button of the form, buttons outside that belong to it included.
pub fn default_button(node: &Node, form: &Node) -> Option<Node> {
    let selector = "button,input[type=submit],input[type=image]";
    js::all(&node.root_node(), selector).into_iter().find(|b| {
        b.input_type().as_string().is_some_and(|t| matches!(t.as_str(), "submit" | "image"))
            && js::some_node(b.form()).is_some_and(|f| f.same(form))
    })
}
