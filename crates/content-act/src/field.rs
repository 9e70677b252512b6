//! `type_ax`, `set_field` and `type_text`: text into a field, read back.

use crate::editor::{self, Editor, editor_of};
use crate::entry::{Entry, entry_of, inner_field, kind_of};
use crate::fail::Fail;
use crate::focus::deep_active;
use crate::js::{self, Node};
use crate::outcome::{Outcome, touch};
use crate::services::{self, Before};
use crate::target::{self, Target};
use crate::task::Deadline;
use crate::verify::{self, Done};
use crate::{choice, events, select, typed, whole};
use std::cell::RefCell;
use webbrain_content_base::node::invoke;
use webbrain_tools::{Insertion, RefId};

/// What to do to a field.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// The text.
    pub text: &'a str,
    /// Whether it takes the place of what is there.
    pub replace: bool,
    /// Whether to submit afterwards.
    pub submit: bool,
}

/// What was filled, and how to read it back.
#[derive(Clone)]
pub enum Field {
    /// A control with a value.
    Control(Entry),
    /// An editor.
    Editor(Editor),
}

/// A call that waits for trusted input.
struct Pending {
    target: Target,
    field: Field,
    text: String,
    replace: bool,
    submit: bool,
    insertion: Insertion,
    done: Done,
    before: Before,
}

thread_local! {
    /// What the last call left to trusted input. A call that begins forgets it.
    static PENDING: RefCell<Option<Pending>> = const { RefCell::new(None) };
}

/// Fills the field of a ref.
pub async fn fill(reference: &RefId, edit: Edit<'_>, deadline: Deadline) -> Result<Outcome, Fail> {
    let target = target::unchanged(reference)?;
    fill_target(target, edit, false, deadline).await
}

/// Types into the field that has the focus.
pub async fn type_focused(text: &str, replace: bool, deadline: Deadline) -> Result<Outcome, Fail> {
    let Some(node) = deep_active() else { return Err(nothing_focused("nothing")) };
    let described = services::described(&node);
    let word = |key: &str| js::property(&described, key).as_string().unwrap_or_default();
    let target = Target { role: word("role"), name: word("name"), reference: "focused".to_owned(), node };
    if target.node.name() == "iframe" {
        return Err(nothing_focused("a frame of another site"));
    }
    if editor_of(&target.node).is_none() && !matches!(entry_of(&target.node), Some(Entry::Typed | Entry::Whole)) {
        return Err(nothing_focused(&target.words()));
    }
    if target.node.name() == "input" && services::is_secret(&target.node) {
        return Err(Fail::Unfit(format!(
            "{} takes a secret. Nothing was done. Use set_field with its ref, which the user is asked about.",
            target.words()
        )));
    }
    fill_target(target, Edit { text, replace, submit: false }, true, deadline).await
}

fn nothing_focused(what: &str) -> Fail {
    Fail::Unfit(format!(
        "{what} has the focus, which takes no text. Nothing was done. Use set_field with the ref of a field."
    ))
}

async fn fill_target(mut target: Target, edit: Edit<'_>, trusted: bool, deadline: Deadline) -> Result<Outcome, Fail> {
    PENDING.take();
    if entry_of(&target.node).is_none()
        && editor_of(&target.node).is_none()
        && let Some(inner) = inner_field(&target.node)
    {
        target.node = inner;
    }
    let field = match (editor_of(&target.node), entry_of(&target.node)) {
        (Some(editor), _) => Field::Editor(editor),
        (None, Some(Entry::List)) => return select::choose(&target, edit.text, edit.replace, deadline).await,
        (None, Some(entry)) => Field::Control(entry),
        (None, None) if choice::opens_a_list(&target.node) => {
            return choice::choose(&target, edit.text, deadline).await;
        }
        (None, None) => return Err(refusal(&target)),
    };
    if is_read_only(&target.node) || matches!(&field, Field::Editor(e) if is_read_only(&e.node)) {
        return Err(Fail::Unfit(format!("{} is read-only. Nothing was done.", target.words())));
    }
    target::reach(&seen(&target, &field), deadline).await?;
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    services::acted_on(&seen(&target, &field).node);
    let (done, ask) = match &field {
        Field::Editor(editor) => {
            let written = editor::write(editor, edit, deadline).await?;
            (Done::of(written.before, written.expected), written.ask)
        }
        Field::Control(Entry::Whole) => (whole::set(&target, edit)?, None),
        Field::Control(_) if trusted => prepare(&target.node, edit)?,
        Field::Control(_) => (typed::enter(&target.node, edit, deadline).await?, None),
    };
    let Some(insertion) = ask else {
        return verify::finish(&target, edit, &field, done, before, deadline).await;
    };
    let outcome = Outcome { insert: Some(insertion.clone()), ..Outcome::new("", target.summary()) };
    let (text, replace, submit) = (edit.text.to_owned(), edit.replace, edit.submit);
    PENDING.set(Some(Pending { target, field, text, replace, submit, insertion, done, before }));
    Ok(outcome)
}

/// What a user would look for: of a code editor all of it, not the field that gets its keys.
fn seen(target: &Target, field: &Field) -> Target {
    let node = match field {
        Field::Editor(editor) => editor.shell.clone(),
        Field::Control(_) => target.node.clone(),
    };
    Target { node, role: target.role.clone(), name: target.name.clone(), reference: target.reference.clone() }
}

/// Focuses and selects for trusted input.
fn prepare(node: &Node, edit: Edit<'_>) -> Result<(Done, Option<Insertion>), Fail> {
    events::focus(node)?;
    let old = node.value_text();
    let start = if edit.replace { "" } else { old.as_str() };
    let (piece, cut) = typed::within_max(node, start, &typed::fitting(node, edit.text));
    let done = Done { cut, ..Done::of(old.clone(), format!("{start}{piece}")) };
    if done.expected == old {
        return Ok((done, None));
    }
    if edit.replace {
        invoke(node, "select", &[])?;
    } else {
        typed::caret_to_end(node);
    }
    Ok((done, Some(Insertion { text: piece, keys: true })))
}

/// Goes on after trusted input, or does by itself what that could not do.
pub async fn inserted(was_done: bool, announce: bool, deadline: Deadline) -> Result<Outcome, Fail> {
    let Some(pending) = PENDING.take() else {
        return Err(Fail::Threw("the page was called out of turn".to_owned()));
    };
    touch();
    let Pending { target, field, text, replace, submit, insertion, mut done, before } = pending;
    let edit = Edit { text: &text, replace, submit };
    if deadline.passed() {
        return Err(Fail::Late);
    }
    if !was_done {
        match &field {
            Field::Editor(editor) => done.unheard = !editor::command(editor, &insertion, announce).await?,
            Field::Control(_) => done = typed::enter(&target.node, edit, deadline).await?,
        }
    }
    verify::finish(&target, edit, &field, done, before, deadline).await
}

fn is_read_only(node: &Node) -> bool {
    node.read_only().is_truthy() || node.attribute("aria-readonly").is_some_and(|v| v.eq_ignore_ascii_case("true"))
}

fn refusal(target: &Target) -> Fail {
    let advice = match kind_of(&target.node).as_str() {
        "checkbox" | "radio" => "is switched with click_ax",
        "submit" | "button" | "reset" | "image" => "is pressed with click_ax",
        "file" => "takes a file: upload_file",
        "hidden" => "is hidden from the user and is not filled",
        _ => "does not take text; click_ax activates it",
    };
    Fail::Unfit(format!("{} {advice}. Nothing was done.", target.words()))
}
