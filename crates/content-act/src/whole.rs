//! Dates, numbers, colours and the like: a whole value that the browser checks, written the same in every language.

use crate::entry::kind_of;
use crate::events;
use crate::fail::Fail;
use crate::field::Edit;
use crate::js;
use crate::target::Target;
use crate::text;
use crate::typed::set_native;
use crate::verify::Done;

/// Sets the value; the browser refuses what does not fit, and then the old value is put back.
pub fn set(target: &Target, edit: Edit<'_>) -> Result<Done, Fail> {
    let node = &target.node;
    let kind = kind_of(node);
    let old = node.value_text();
    // Only digits can be added to; half a date is none.
    let start = if !edit.replace && kind == "number" { old.as_str() } else { "" };
    let wanted = format!("{start}{}", edit.text.trim());
    events::focus(node)?;
    if old == wanted {
        return Ok(Done::of(old, wanted));
    }
    set_native(node, &wanted)?;
    let now = node.value_text();
    if !wanted.is_empty() && !is_same_value(&kind, &wanted, &now) {
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
    Ok(Done::of(old, now))
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
