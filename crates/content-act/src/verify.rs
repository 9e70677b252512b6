//! Reading back: what is in a field once it has settled, and whether that is the text that was asked for.

use crate::editor::Kind;
use crate::entry::Entry;
use crate::fail::Fail;
use crate::field::{Edit, Field};
use crate::js::{self, Node};
use crate::outcome::Outcome;
use crate::services::{self, Before};
use crate::target::Target;
use crate::task::{Deadline, sleep};
use crate::{choice, rendered, submit, text};

/// ms between two looks at a field.
const LOOK_MS: f64 = 60.0;
/// Looks at most, while the field still changes.
const LOOKS: usize = 10;

/// What became of an edit.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The text that should be in the field now.
    pub expected: String,
    /// The text that was in it.
    pub before: String,
    /// The page did something of its own with a key or an input event.
    pub handled: bool,
    /// Characters that the field's maxlength cut off, in UTF-16 units as the browser counts.
    pub cut: usize,
    /// The page was not told of the text by the events that editors listen for.
    pub unheard: bool,
}

impl Done {
    /// The text should be there as it is, in the place of `before`.
    pub fn of(before: String, expected: String) -> Self {
        Done { expected, before, ..Done::default() }
    }
}

/// Whether the text that was asked for is in the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// It is, character for character.
    Yes,
    /// It is not.
    No,
    /// The field formatted or cut it, or not all of it can be seen.
    Unknown,
}

impl Verified {
    /// As results have it.
    pub fn word(self) -> &'static str {
        match self {
            Verified::Yes => "yes",
            Verified::No => "no",
            Verified::Unknown => "unknown",
        }
    }
}

/// Waits until the field has settled, reads it back, submits if asked, and says what is there.
pub async fn finish(
    target: &Target,
    edit: Edit<'_>,
    field: &Field,
    done: Done,
    before: Before,
    deadline: Deadline,
) -> Result<Outcome, Fail> {
    let node = target.node.clone();
    let value = settled(&node, field, deadline).await;
    let verified = verdict(field, &done, &value);
    let mut lines = vec![field_line(target, field, &done, verified, &value)];
    let failed = verified == Verified::No && (!done.handled || matches!(field, Field::Editor(_)));
    if edit.submit {
        if verified == Verified::No {
            lines.push("not submitted, since the field does not hold the text".to_owned());
        } else if matches!(field, Field::Editor(editor) if editor.kind == Kind::Lines) {
            lines.push("not submitted: Enter begins a new line here".to_owned());
        } else if deadline.passed() {
            return Err(Fail::Late);
        } else {
            lines.push(submit::submit(&node, edit.text, deadline).await?);
        }
    } else if !edit.text.is_empty() && choice::is_combobox(&node) {
        lines.extend(choice::offered(&node, deadline).await);
    }
    lines.push(before.changes(deadline).await?);
    Ok(Outcome { failed, ..Outcome::new(text::joined(&lines, "\n"), target.summary()) })
}

fn read(node: &Node, field: &Field) -> String {
    match field {
        Field::Editor(editor) => rendered::text(editor),
        Field::Control(_) => node.value_text(),
    }
}

/// The value once it stays the same from one look to the next.
async fn settled(node: &Node, field: &Field, deadline: Deadline) -> String {
    let mut last = None;
    for _ in 0..LOOKS {
        sleep(LOOK_MS).await;
        let now = read(node, field);
        if last.as_ref() == Some(&now) || deadline.passed() {
            return now;
        }
        last = Some(now);
    }
    last.unwrap_or_default()
}

fn verdict(field: &Field, done: &Done, value: &str) -> Verified {
    let (editor, whole) = match field {
        Field::Editor(editor) => (true, rendered::is_whole(editor)),
        Field::Control(_) => (false, true),
    };
    let compared = match compare(&done.expected, value, editor) {
        Verified::Unknown if value == done.before => Verified::No,
        compared => compared,
    };
    match compared {
        Verified::Yes if done.cut > 0 || done.unheard || !whole => Verified::Unknown,
        // The lines in view are a part.
        Verified::No if !whole => Verified::Unknown,
        Verified::No if done.handled && !editor => Verified::Unknown,
        other => other,
    }
}

fn field_line(target: &Target, field: &Field, done: &Done, verified: Verified, value: &str) -> String {
    let node = &target.node;
    let mut line = if node.name() == "input" && services::is_secret(node) {
        format!("{} is now {}", target.words(), if value.is_empty() { "empty" } else { "filled" })
    } else {
        // In an editor the line ends are part of it.
        let shown = if matches!(field, Field::Editor(_)) || node.name() == "textarea" {
            value.replace('\n', "⏎")
        } else {
            value.to_owned()
        };
        format!("{} now holds \"{}\"", target.words(), text::clip(&text::collapse(&shown), 200))
    };
    line.push_str("; verified: ");
    line.push_str(verified.word());
    if done.cut > 0 {
        line.push_str(&format!("; {} characters did not fit its maximum length", done.cut));
    }
    if done.handled {
        line.push_str("; the page handled some of the input itself");
    }
    if done.unheard {
        line.push_str("; the page may not have noticed the text");
    }
    if matches!(field, Field::Control(Entry::Typed | Entry::Whole)) && node.is(":invalid") {
        let why = js::property(node, "validationMessage").as_string().unwrap_or_default();
        line.push_str("; not valid: ");
        line.push_str(&text::clip(&text::collapse(&why), 100));
    }
    line
}

/// Compares what was asked for with what is there. A field that formats keeps the letters and digits.
fn compare(expected: &str, value: &str, editor: bool) -> Verified {
    // Editors draw a space between words as one that does not break where they have to.
    let drawn = |t: &str| if editor { t.replace(['\u{a0}', '\t'], " ") } else { t.to_owned() };
    let (expected, value) = (drawn(expected), drawn(value));
    if expected == value {
        return Verified::Yes;
    }
    let bare = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect::<String>();
    let (a, b) = (bare(&expected), bare(&value));
    if !a.is_empty() && (a == b || (!b.is_empty() && (text::has(&b, &a) || text::has(&a, &b)))) {
        Verified::Unknown
    } else {
        Verified::No
    }
}

#[cfg(test)]
mod tests {
    use super::{Verified, compare};

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
            ("a\nb", "a\nb", true, Verified::Yes),
            ("a\nb", "a b", true, Verified::Unknown),
            ("a\n\nb", "a\nb", true, Verified::Unknown),
            ("a\u{a0}b", "a b", true, Verified::Yes),
            ("a\u{a0}b", "a b", false, Verified::Unknown),
            ("a  b", "a b", false, Verified::Unknown),
        ] {
            assert_eq!(compare(expected, value, editor), want, "{expected:?} against {value:?}");
        }
    }
}
