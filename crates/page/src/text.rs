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

/// Whether there are characters with which a page could hide words from its user: tags, and controls of direction in numbers.
pub fn has_hidden_characters(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{202d}' | '\u{202e}'))
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

/// An address as a line shows it: of `data:`, `javascript:` and `blob:` only the scheme, and without what stands before an `@`
/// in the host, which is there to look like a host.
pub fn short_href(href: &str) -> Option<String> {
    let mut href = collapse(href);
    if href.is_empty() {
        return None;
    }
    let start = href.get(..11).unwrap_or(&href).to_ascii_lowercase();
    for scheme in ["data:", "javascript:", "blob:"] {
        if start.starts_with(scheme) {
            return Some(scheme.to_owned());
        }
    }
    if let Some((start, end)) = authority(&href)
        && let Some(at) = href[start..end].rfind('@')
    {
        href.replace_range(start..=start + at, "");
    }
    Some(clip(&href, HREF_CHARS))
}

/// Whether the host of an address is not written as it is: other scripts, escapes, something before an `@`.
pub fn has_odd_host(href: &str) -> bool {
    authority(href)
        .is_some_and(|(start, end)| href[start..end].bytes().any(|b| !b.is_ascii() || b == b'%' || b == b'@'))
}

/// Where the authority of an absolute address stands.
fn authority(href: &str) -> Option<(usize, usize)> {
    let start = if href.starts_with("//") { 2 } else { href.bytes().position(|b| b == b':')? + 3 };
    if !href.get(..start)?.ends_with("//") {
        return None;
    }
    let len = href[start..].bytes().position(|b| matches!(b, b'/' | b'?' | b'#' | b'\\'));
    Some((start, len.map_or(href.len(), |l| start + l)))
}

/// The texts with `between` between them.
pub fn joined(parts: &[String], between: &str) -> String {
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str(between);
        }
        out.push_str(part);
    }
    out
}

/// Whether `part` is in the text. The standard search is faster on long texts and weighs two kilobytes more.
pub fn has(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    text.len() >= part.len() && (0..=text.len() - part.len()).any(|at| text[at..].starts_with(part))
}
