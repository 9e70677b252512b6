//! Words of a server, fit to be shown: one line, at most 300 characters, nothing that looks like a key.

use webbrain_protocol::settings::Secret;

/// Characters of a detail.
const LIMIT: usize = 300;

/// Removes `key` and anything that looks like a key, then shortens.
pub(crate) fn clean(text: &str, key: &Secret) -> String {
    let text = match key.expose() {
        own if own.len() >= 4 => text.replace(own, "[key]"),
        _ => text.to_owned(),
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '*' | '…');
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(if looks_like_key(word) { "[key]" } else { word });
        let between = after.find(is_part).unwrap_or(after.len());
        out.push_str(&after[..between]);
        rest = &after[between..];
    }
    shorten(&out)
}

/// One line of at most 300 characters.
pub(crate) fn shorten(text: &str) -> String {
    let line: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let line = line.join(" ");
    match line.char_indices().nth(LIMIT) {
        None => line,
        Some(_) => line.chars().take(LIMIT - 1).chain(['…']).collect(),
    }
}

fn looks_like_key(word: &str) -> bool {
    const PREFIXES: &[&str] =
        &["sk-", "sk_", "pk-", "gsk_", "xai-", "nvapi-", "hf_", "r8_", "fw_", "ghp_", "AIza", "AKIA", "eyJ"];
    if word.len() >= 8 && PREFIXES.iter().any(|p| word.starts_with(p)) {
        return true;
    }
    // A long run of letters and digits mixed. Names of models and UUIDs have dashes in between.
    word.split(['-', '_', '.']).any(|run| {
        run.len() >= 20 && run.bytes().any(|b| b.is_ascii_digit()) && run.bytes().any(|b| b.is_ascii_alphabetic())
    })
}
