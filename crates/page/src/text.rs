//! Text as it is put into a line.

/// Longest name shown, in characters.
pub const NAME_CHARS: usize = 100;
/// Longest value, placeholder or description shown.
pub const VALUE_CHARS: usize = 60;
/// Longest address shown.
pub const HREF_CHARS: usize = 100;
/// Longest run of static text shown on one line; `read_page` gives the rest.
pub const TEXT_CHARS: usize = 300;

/// White space and characters that show nothing: they would let a page hide or reorder what the model reads.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_invisible(c)
}

/// Zero-width, bidi-control and tag characters. The zero-width joiner stays: emoji and some scripts need it.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}' | '\u{00ad}' | '\u{e0000}'..='\u{e007f}')
}

/// Collapses every run of white space into one space and trims both ends; invisible characters are dropped.
pub fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(256));
    push_collapsed(&mut out, text);
    if out.ends_with(' ') {
        out.pop();
    }
    out
}

/// Appends `text` to `out` so that `out` stays free of double and leading spaces. A trailing space may remain.
pub fn push_collapsed(out: &mut String, text: &str) {
    for c in text.chars() {
        if is_invisible(c) {
            continue;
        }
        if is_blank(c) {
            push_space(out);
        } else {
            out.push(c);
        }
    }
}

/// Appends a space unless there is one or nothing yet.
pub fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// The first `max` characters, with an ellipsis for the rest.
pub fn clip(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => {
            let cut = text.char_indices().nth(max.saturating_sub(1)).map_or(0, |(i, _)| i);
            let mut kept = text.get(..cut).unwrap_or_default().trim_end().to_owned();
            kept.push('…');
            kept
        }
    }
}

/// Number of characters.
pub fn len(text: &str) -> usize {
    text.chars().count()
}

/// Text between quotes: collapsed by the caller, quotes and backslashes escaped here.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

/// Appends ` key="value"`.
pub fn push_attr(out: &mut String, key: &str, value: &str) {
    out.push(' ');
    out.push_str(key);
    out.push('=');
    push_quoted(out, value);
}

/// An address as a line shows it; none for addresses that say nothing (`data:`, `javascript:`).
pub fn short_href(href: &str) -> Option<String> {
    let href = collapse(href);
    let scheme = href.get(..11).unwrap_or(&href).to_ascii_lowercase();
    if href.is_empty()
        || scheme.starts_with("data:")
        || scheme.starts_with("javascript:")
        || scheme.starts_with("blob:")
    {
        return None;
    }
    Some(clip(&href, HREF_CHARS))
}
