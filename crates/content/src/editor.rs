//! Text into contenteditable editors, through the browser's editing pipeline.

use crate::events;
use crate::fail::Fail;
use crate::field::{Done, Edit};
use crate::js::{self, Node};
use crate::state;
use crate::task::sleep;

/// Inserts the text. `execCommand` sends no `beforeinput`, so one is sent first: an editor that keeps a model of its own
/// listens for it and does the work itself.
pub async fn insert(node: &Node, edit: Edit<'_>) -> Result<Done, Fail> {
    events::focus(node)?;
    let doc = node.doc();
    let old = node.inner_text().unwrap_or_default();
    let old = old.trim_end_matches('\n').to_owned();
    let replace = edit.replace;
    let expected = if replace { edit.text.to_owned() } else { format!("{old}{}", edit.text) };
    if replace && old == edit.text {
        return Ok(Done { expected, handled: false, cut: 0 });
    }
    if let Some(selection) = js::selection() {
        selection.select_all_children(node)?;
        if !replace {
            selection.collapse_to_end()?;
        }
    }
    // Editors follow the selection by an event that comes later.
    sleep(20.0).await;
    let mut handled = false;
    if edit.text.is_empty() {
        if !old.is_empty() {
            handled = !command(node, &doc, "delete", "deleteContentBackward", None)?;
        }
    } else {
        handled = !command(node, &doc, "insertText", "insertText", Some(edit.text))?;
    }
    if handled {
        sleep(60.0).await;
    }
    Ok(Done { expected, handled, cut: 0 })
}

/// Returns false when the page prevented the browser's own editing.
fn command(node: &Node, doc: &Node, name: &str, input_type: &str, data: Option<&str>) -> Result<bool, Fail> {
    let first = data.and_then(|d| d.chars().last()).map(events::key_of);
    // A newline is text here, never the Enter key, which would send a message.
    let key = first.filter(|k| k.key != "Enter");
    if let Some(key) = &key {
        events::key(node, "keydown", key)?;
    }
    let allowed = events::input(node, "beforeinput", input_type, data)?;
    if allowed {
        state::touch();
        if !doc.exec_command(name, data.unwrap_or_default())? {
            return Err(Fail::Threw("the editor refused the text".to_owned()));
        }
    }
    if let Some(key) = &key
        && node.is_connected()
    {
        events::key(node, "keyup", key)?;
    }
    Ok(allowed)
}
