//! Text into fields that are typed into: key by key where that makes sense, else in one piece, through the browser's own setter.

use crate::events;
use crate::fail::Fail;
use crate::field::Edit;
use crate::js::{self, Node};
use crate::outcome::touch;
use crate::task::{Deadline, breathe};
use crate::text;
use crate::verify::Done;

/// A text longer than this goes in at once, without an event per key.
const TYPED_CHARS: usize = 200;

/// The text as a field can hold it: one line, unless it has several.
pub fn fitting(node: &Node, text: &str) -> String {
    let lines = crate::editor::plain(text);
    if node.name() == "textarea" { lines } else { lines.replace('\n', " ") }
}

/// Enters the text.
pub async fn enter(node: &Node, edit: Edit<'_>, deadline: Deadline) -> Result<Done, Fail> {
    events::focus(node)?;
    let wanted = fitting(node, edit.text);
    let before = node.value_text();
    let start = if edit.replace { String::new() } else { before.clone() };
    let (piece, cut) = within_max(node, &start, &wanted);
    let mut done = Done { cut, ..Done::of(before.clone(), format!("{start}{piece}")) };
    if edit.replace && !before.is_empty() {
        if before == done.expected {
            return Ok(done);
        }
        done.handled |= !replace_all(node, "", "deleteContentBackward", None)?;
    } else {
        caret_to_end(node);
    }
    let by_key = text::len(&piece) <= TYPED_CHARS && piece.chars().all(is_typed_alone);
    if by_key {
        for c in piece.chars() {
            if deadline.passed() {
                return Err(Fail::Late);
            }
            if !node.is_connected() {
                return Err(Fail::Threw("the field was replaced while text was typed; read the page again".to_owned()));
            }
            done.handled |= !type_char(node, c)?;
            breathe().await;
        }
    } else if !piece.is_empty() {
        done.handled |= !insert(node, &piece)?;
    }
    if node.is_connected() && node.value_text() != before {
        events::plain(node, "change", false)?;
    }
    Ok(done)
}

/// Characters that make sense one at a time; combining marks and emoji sequences do not.
fn is_typed_alone(c: char) -> bool {
    // Latin, Greek, Cyrillic, Armenian, without their combining marks.
    c.is_ascii_graphic() || matches!(c, ' ' | '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{482}' | '\u{48a}'..='\u{58a}')
}

/// One key: down, press, input, up. Returns false when the page took the key or the input for itself.
fn type_char(node: &Node, c: char) -> Result<bool, Fail> {
    let key = events::key_of(c);
    let mut allowed = events::key(node, "keydown", &key)?;
    if allowed {
        allowed = events::key(node, "keypress", &key)?;
    }
    if allowed && node.is_connected() {
        allowed = insert(node, &c.to_string())?;
    }
    if node.is_connected() {
        events::key(node, "keyup", &key)?;
    }
    Ok(allowed)
}

/// Puts the caret after what is there. Types without a caret have none to put.
pub fn caret_to_end(node: &Node) {
    let end = node.value_text().encode_utf16().count();
    // The browser counts in u32, too.
    let end = u32::try_from(end).unwrap_or(u32::MAX);
    let _ = node.set_selection_range(end, end);
}

/// Inserts at the caret, where a mask may have put it; at the end where the type has no caret.
fn insert(node: &Node, piece: &str) -> Result<bool, Fail> {
    let value = node.value_text();
    let (from, to) = match (node.selection_start().as_f64(), node.selection_end().as_f64()) {
        // Offsets are whole numbers of UTF-16 units.
        (Some(from), Some(to)) => (from as usize, to as usize),
        _ => (usize::MAX, usize::MAX),
    };
    let (new, caret) = spliced(&value, from, to, piece);
    if !events::input(node, "beforeinput", "insertText", Some(piece))? {
        return Ok(false);
    }
    set_native(node, &new)?;
    let _ = node.set_selection_range(caret, caret);
    events::input(node, "input", "insertText", Some(piece))?;
    Ok(true)
}

/// The text with `piece` in the place of what is from `from` to `to`, and where the piece ends, all in UTF-16 units.
fn spliced(value: &str, from: usize, to: usize, piece: &str) -> (String, u32) {
    let at = |units: usize| {
        let mut used = 0;
        for (index, c) in value.char_indices() {
            if used >= units {
                return index;
            }
            used += c.len_utf16();
        }
        value.len()
    };
    let (start, end) = (at(from), at(to.max(from)));
    let mut out = value.get(..start).unwrap_or_default().to_owned();
    out.push_str(piece);
    let caret = u32::try_from(out.encode_utf16().count()).unwrap_or(u32::MAX);
    out.push_str(value.get(end..).unwrap_or_default());
    (out, caret)
}

/// Sets the whole value between `beforeinput` and `input`. Returns false when the page prevented it.
fn replace_all(node: &Node, value: &str, input_type: &str, data: Option<&str>) -> Result<bool, Fail> {
    if !events::input(node, "beforeinput", input_type, data)? {
        return Ok(false);
    }
    set_native(node, value)?;
    events::input(node, "input", input_type, data)?;
    Ok(true)
}

/// Sets a value as the browser itself does, past setters that a framework put on the element.
pub fn set_native(node: &Node, value: &str) -> Result<(), Fail> {
    touch();
    let mut proto = js::prototype_of(node)?;
    while proto.is_object() {
        let setter = js::property(&js::own_property(&proto, "value")?, "set");
        if setter.is_function() {
            js::call(&setter, node, &[value.into()])?;
            return Ok(());
        }
        proto = js::prototype_of(&proto)?;
    }
    Err(Fail::Threw("the field has no native value".to_owned()))
}

/// As much of a text as maxlength lets a user type, and how much was cut.
pub fn within_max(node: &Node, start: &str, piece: &str) -> (String, usize) {
    let Some(max) = node.max_length().as_f64().filter(|m| *m >= 0.0) else { return (piece.to_owned(), 0) };
    // maxLength is a whole number of UTF-16 units.
    let room = (max as usize).saturating_sub(start.encode_utf16().count());
    let mut used = 0;
    let kept: String = piece
        .chars()
        .take_while(|c| {
            used += c.len_utf16();
            used <= room
        })
        .collect();
    let cut = piece.encode_utf16().count() - kept.encode_utf16().count();
    (kept, cut)
}

#[cfg(test)]
mod tests {
    use super::{is_typed_alone, spliced};

    #[test]
    fn sequences_are_not_typed_apart() {
        assert!("Zoë 12,".chars().all(is_typed_alone));
        assert!(!"渡".chars().all(is_typed_alone));
        assert!(!"👩\u{200d}🚀".chars().all(is_typed_alone));
        assert!(!"e\u{301}".chars().all(is_typed_alone));
    }

    #[test]
    fn text_goes_in_at_the_caret() {
        for (value, from, to, piece, want) in [
            ("", 0, 0, "a", ("a", 1)),
            ("ac", 1, 1, "b", ("abc", 2)),
            ("👩c", 2, 2, "b", ("👩bc", 3)),
            ("__/__", 0, 1, "1", ("1_/__", 1)),
            ("ab", usize::MAX, usize::MAX, "c", ("abc", 3)),
            ("ab", 0, 2, "渡", ("渡", 1)),
        ] {
            let (text, caret) = spliced(value, from, to, piece);
            assert_eq!((text.as_str(), caret), want, "{value:?} {from} {to}");
        }
    }
}
