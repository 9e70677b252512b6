//! Submitting after a field was set: the suggestion of a combobox, else Enter, else the form; never two of them.

use crate::fail::Fail;
use crate::js::{self, Node};
use crate::outcome::touch;
use crate::task::Deadline;
use crate::{choice, events, keys, services};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Submits and says how. `wanted` is what was typed.
pub async fn submit(node: &Node, wanted: &str, deadline: Deadline) -> Result<String, Fail> {
    if choice::is_combobox(node)
        && let Some(list) = choice::wait_for_options(node, deadline).await
    {
        return choice::pick_suggestion(node, &list, wanted, deadline).await;
    }
    if deadline.passed() {
        return Err(Fail::Late);
    }
    press_enter(node)
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
    touch();
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
        Some(field) => format!("the form was not submitted: {} is not valid", services::words(&field)),
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
