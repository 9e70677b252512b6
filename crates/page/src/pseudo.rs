//! What style adds to the text: `content` of `::before` and `::after`, its alternative text preferred.

/// The words in a `content` as browsers compute it. Pictures and counters say nothing; icons from the private use areas
/// neither. `attribute` gives the element's attributes.
pub fn words(content: &str, attribute: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut quote = None;
    let mut depth = 0_u32;
    let mut is_attribute = false;
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        if let Some(end) = quote {
            match c {
                _ if c == end => quote = None,
                '\\' => push(&mut out, escaped(&mut chars), depth),
                _ => push(&mut out, c, depth),
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' => {
                is_attribute = depth == 0 && word.eq_ignore_ascii_case("attr");
                word.clear();
                depth += 1;
            }
            ')' | ' ' | ',' => {
                // The name comes first in the brackets; what may follow is its type and what stands in for it.
                if is_attribute && !word.is_empty() {
                    out.push_str(&attribute(&word));
                    is_attribute = false;
                }
                word.clear();
                depth = depth.saturating_sub(u32::from(c == ')'));
            }
            // What follows is said instead of what is shown.
            '/' if depth == 0 => out.clear(),
            _ => word.push(c),
        }
    }
    out
}

/// Only what stands outside of functions is text.
fn push(out: &mut String, c: char, depth: u32) {
    let icon = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    if depth == 0 && !icon {
        out.push(c);
    }
}

/// What a backslash stands before. Browsers write codes for control characters only, and those part words.
fn escaped(chars: &mut std::str::Chars<'_>) -> char {
    match chars.next() {
        Some(c) if c.is_ascii_hexdigit() => {
            while let Some(next) = chars.next()
                && next.is_ascii_hexdigit()
            {}
            ' '
        }
        other => other.unwrap_or(' '),
    }
}
