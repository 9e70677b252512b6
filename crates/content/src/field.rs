//! `type_ax` and `set_field`: text into a field, read back.

use crate::act::Outcome;
use crate::events;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::observe::Before;
use crate::secret;
use crate::state;
use crate::target::{self, Target};
use crate::task::{Deadline, breathe};
use crate::{editor, select, submit};
use wasm_bindgen::{JsCast, JsValue};
use webbrain_page::text;
use webbrain_tools::RefId;

/// A text longer than this goes in at once, without an event per key.
const TYPED_CHARS: usize = 200;

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

/// Whether the text that was asked for is in the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// It is, character for character.
    Yes,
    /// It is not.
    No,
    /// The field formatted or cut it.
    Unknown,
}

impl Verified {
    fn word(self) -> &'static str {
        match self {
            Verified::Yes => "yes",
            Verified::No => "no",
            Verified::Unknown => "unknown",
        }
    }
}

/// How a field takes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// Key by key.
    Typed,
    /// A whole value that the browser checks: dates, colours, ranges, numbers.
    Whole,
    /// An editor.
    Editor,
    /// A native list.
    List,
}

/// Whether clicking it leads to typing.
pub fn is_text_entry(node: &Node) -> bool {
    matches!(entry_of(node), Some(Entry::Typed | Entry::Editor | Entry::Whole))
}

fn kind_of(node: &Node) -> String {
    node.input_type().as_string().unwrap_or_default()
}

fn entry_of(node: &Node) -> Option<Entry> {
    match node.name().as_str() {
        "textarea" => Some(Entry::Typed),
        "select" => Some(Entry::List),
        "input" => match kind_of(node).as_str() {
            "text" | "search" | "email" | "url" | "tel" | "password" | "" => Some(Entry::Typed),
            "number" | "date" | "time" | "datetime-local" | "month" | "week" | "color" | "range" => Some(Entry::Whole),
            _ => None,
        },
        _ if node.is_content_editable().is_truthy() => Some(Entry::Editor),
        _ => None,
    }
}

/// Fills the field of a ref.
pub async fn fill(reference: &RefId, edit: Edit<'_>, deadline: Deadline) -> Result<Outcome, Fail> {
    let mut target = target::unchanged(reference)?;
    if entry_of(&target.node).is_none()
        && let Some(inner) = inner_field(&target.node)
    {
        target.node = inner;
    }
    let Some(entry) = entry_of(&target.node) else { return Err(refusal(&target)) };
    if entry == Entry::List {
        return select::choose(&target, edit.text, edit.replace, deadline).await;
    }
    if is_read_only(&target.node) {
        return Err(Fail::Unfit(format!("{} is read-only. Nothing was done.", target.words())));
    }
    target::reach(&target, deadline).await?;
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    state::acted_on(&target.node);
    let done = match entry {
        Entry::Typed => type_text(&target.node, edit, deadline).await?,
        Entry::Whole => set_whole(&target, edit)?,
        Entry::Editor => editor::insert(&target.node, edit).await?,
        Entry::List => return Err(refusal(&target)),
    };
    finish(&target, edit, entry, done, before, deadline).await
}

/// A field inside a wrapper that was given the role of one: a custom element, a styled combobox.
fn inner_field(node: &Node) -> Option<Node> {
    let root = node.shadow_root().unwrap_or_else(|| node.clone());
    let fields: Vec<Node> =
        js::all(&root, "input,textarea,[contenteditable]").into_iter().filter(|n| entry_of(n).is_some()).collect();
    // Of several it is not clear which is meant.
    if fields.len() == 1 { fields.into_iter().next() } else { None }
}

fn is_read_only(node: &Node) -> bool {
    node.read_only().is_truthy() || node.attribute("aria-readonly").is_some_and(|v| v.eq_ignore_ascii_case("true"))
}

fn refusal(target: &Target) -> Fail {
    let advice = match kind_of(&target.node).as_str() {
        "checkbox" | "radio" => "is switched with click_ax",
        "submit" | "button" | "reset" | "image" => "is pressed with click_ax",
        "file" => "takes a file that only the user can choose",
        "hidden" => "is hidden from the user and is not filled",
        _ => "does not take text; click_ax activates it",
    };
    Fail::Unfit(format!("{} {advice}. Nothing was done.", target.words()))
}

/// What became of an edit.
pub struct Done {
    /// The text that should be in the field now.
    pub expected: String,
    /// The page did something of its own with a key or an input event.
    pub handled: bool,
    /// Characters that the field's maxlength cut off, in UTF-16 units as the browser counts.
    pub cut: usize,
}

async fn type_text(node: &Node, edit: Edit<'_>, deadline: Deadline) -> Result<Done, Fail> {
    events::focus(node)?;
    let wanted: String =
        if node.name() == "textarea" { edit.text.replace("\r\n", "\n") } else { edit.text.replace(['\r', '\n'], " ") };
    let before = node.value_text();
    let start = if edit.replace { String::new() } else { before.clone() };
    let (piece, cut) = within_max(node, &start, &wanted);
    let expected = format!("{start}{piece}");
    let mut handled = false;
    if edit.replace && !before.is_empty() {
        if before == expected {
            return Ok(Done { expected, handled: false, cut });
        }
        handled |= !replace_all(node, "", "deleteContentBackward", None)?;
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
            handled |= !type_char(node, c)?;
            breathe().await;
        }
    } else if !piece.is_empty() {
        let value = format!("{}{piece}", node.value_text());
        handled |= !replace_all(node, &value, "insertText", Some(&piece))?;
    }
    if node.is_connected() && node.value_text() != before {
        events::plain(node, "change", false)?;
    }
    Ok(Done { expected, handled, cut })
}

/// Characters that make sense one at a time; combining marks and emoji sequences do not.
fn is_typed_alone(c: char) -> bool {
    c.is_ascii_graphic() || c == ' ' || (c.is_alphanumeric() && (c as u32) < 0x2e80)
}

/// One key: down, press, input, up. Returns false when the page took the key or the input for itself.
fn type_char(node: &Node, c: char) -> Result<bool, Fail> {
    let key = events::key_of(c);
    let mut allowed = events::key(node, "keydown", &key)?;
    if allowed {
        allowed = events::key(node, "keypress", &key)?;
    }
    if allowed && node.is_connected() {
        let data = c.to_string();
        let value = format!("{}{c}", node.value_text());
        allowed = replace_all(node, &value, "insertText", Some(&data))?;
    }
    if node.is_connected() {
        events::key(node, "keyup", &key)?;
    }
    Ok(allowed)
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
    state::touch();
    let mut proto = js_sys::Object::get_prototype_of(node);
    for _ in 0..6 {
        let found = js_sys::Object::get_own_property_descriptor(&proto, &JsValue::from_str("value"));
        let setter = if found.is_undefined() { JsValue::UNDEFINED } else { js::property(&found, "set") };
        if let Some(setter) = setter.dyn_ref::<js_sys::Function>() {
            setter.call1(node, &JsValue::from_str(value))?;
            return Ok(());
        }
        if proto.is_null() || proto.is_undefined() {
            break;
        }
        proto = js_sys::Object::get_prototype_of(&proto);
        if proto.is_null() || proto.is_undefined() {
            break;
        }
    }
    Err(Fail::Threw("the field has no native value".to_owned()))
}

/// As much of a text as maxlength lets a user type, and how much was cut.
fn within_max(node: &Node, start: &str, piece: &str) -> (String, usize) {
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

/// Dates, numbers and the like: the browser refuses what does not fit, and then the old value is put back.
fn set_whole(target: &Target, edit: Edit<'_>) -> Result<Done, Fail> {
    let node = &target.node;
    let wanted = edit.text.trim().to_owned();
    let old = node.value_text();
    events::focus(node)?;
    if old == wanted {
        return Ok(Done { expected: wanted, handled: false, cut: 0 });
    }
    set_native(node, &wanted)?;
    let now = node.value_text();
    let kind = kind_of(node);
    let refused = !wanted.is_empty() && !is_same_value(&kind, &wanted, &now);
    if refused {
        set_native(node, &old)?;
        return Err(Fail::Unfit(format!(
            "{} did not accept \"{}\": it takes {}. Its value is unchanged.",
            target.words(),
            text::clip(&wanted, 40),
            format_of(&kind)
        )));
    }
    events::input(node, "input", "insertText", None)?;
    events::plain(node, "change", false)?;
    Ok(Done { expected: now, handled: false, cut: 0 })
}

/// Whether the browser kept what was meant, be it written otherwise (`1.0`, `#FFF000`, `12:00:00`).
fn is_same_value(kind: &str, wanted: &str, now: &str) -> bool {
    if now.is_empty() {
        return false;
    }
    match kind {
        // By the browser's own reading of numbers; what is none equals nothing.
        "number" | "range" => js::number(wanted) == js::number(now),
        "color" => wanted.eq_ignore_ascii_case(now),
        _ => true,
    }
}

fn format_of(kind: &str) -> &'static str {
    match kind {
        "date" => "a date as YYYY-MM-DD",
        "time" => "a time as HH:MM, 24 hours",
        "datetime-local" => "a date and time as YYYY-MM-DDTHH:MM",
        "month" => "a month as YYYY-MM",
        "week" => "a week as YYYY-Www",
        "color" => "a colour as #rrggbb",
        "range" => "a number within its limits and steps",
        _ => "a number",
    }
}

async fn finish(
    target: &Target,
    edit: Edit<'_>,
    entry: Entry,
    done: Done,
    before: Before,
    deadline: Deadline,
) -> Result<Outcome, Fail> {
    let node = target.node.clone();
    crate::task::sleep(50.0).await;
    let mut lines = Vec::new();
    let (verified, value) = read_back(&node, entry, &done);
    lines.push(field_line(target, &node, &done, verified, &value));
    let mut failed = verified == Verified::No;
    if edit.submit {
        if failed {
            lines.push("not submitted, since the field does not hold the text".to_owned());
        } else if deadline.passed() {
            return Err(Fail::Late);
        } else {
            lines.push(submit::submit(&node, deadline).await?);
        }
    }
    lines.push(before.changes(deadline).await.text);
    failed &= !done.handled;
    Ok(Outcome { text: lines.join("\n"), summary: target.summary(), failed })
}

fn field_line(target: &Target, node: &Node, done: &Done, verified: Verified, value: &str) -> String {
    let mut line = if node.name() == "input" && secret::is_secret(node) {
        format!("{} is now {}", target.words(), if value.is_empty() { "empty" } else { "filled" })
    } else {
        format!("{} now holds \"{}\"", target.words(), text::clip(&text::collapse(value), 200))
    };
    line.push_str("; verified: ");
    line.push_str(verified.word());
    if done.cut > 0 {
        line.push_str(&format!("; {} characters did not fit its maximum length", done.cut));
    }
    if done.handled {
        line.push_str("; the page handled some of the input itself");
    }
    line
}

fn read_back(node: &Node, entry: Entry, done: &Done) -> (Verified, String) {
    let value = if entry == Entry::Editor { node.inner_text().unwrap_or_default() } else { node.value_text() };
    let verified = compare(&done.expected, &value, entry == Entry::Editor);
    let verified = match verified {
        Verified::Yes if done.cut > 0 => Verified::Unknown,
        Verified::No if done.handled && entry != Entry::Editor => Verified::Unknown,
        other => other,
    };
    (verified, value)
}

/// Compares what was asked for with what is there. A field that formats keeps the letters and digits.
fn compare(expected: &str, value: &str, editor: bool) -> Verified {
    if expected == value || (editor && text::collapse(expected) == text::collapse(value)) {
        return Verified::Yes;
    }
    let bare = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect::<String>();
    let (a, b) = (bare(expected), bare(value));
    if !a.is_empty() && (a == b || (!b.is_empty() && (b.contains(&a) || a.contains(&b)))) {
        Verified::Unknown
    } else {
        Verified::No
    }
}

#[cfg(test)]
mod tests {
    use super::{Verified, compare, is_typed_alone};

    #[test]
    fn read_back_is_proof_only_when_exact() {
        for (expected, value, editor, want) in [
            ("abc", "abc", false, Verified::Yes),
            ("abc", "", false, Verified::No),
            ("", "", false, Verified::Yes),
            ("", "abc", false, Verified::No),
            ("5551234", "(555) 1234", false, Verified::Unknown),
            ("abcdefgh", "abcd", false, Verified::Unknown),
            ("abc", "xyz", false, Verified::No),
            ("a\nb", "a\n\nb\n", true, Verified::Yes),
            ("a  b", "a b", false, Verified::Unknown),
        ] {
            assert_eq!(compare(expected, value, editor), want, "{expected:?} against {value:?}");
        }
    }

    #[test]
    fn sequences_are_not_typed_apart() {
        assert!("Zoë 12,".chars().all(is_typed_alone));
        assert!(!"渡".chars().all(is_typed_alone));
        assert!(!"👩\u{200d}🚀".chars().all(is_typed_alone));
        assert!(!"e\u{301}".chars().all(is_typed_alone));
    }
}
