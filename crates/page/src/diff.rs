//! What an action changed, as lines of the tree.

use crate::tree::{Line, Tree};
use std::collections::HashMap;

/// Characters of a diff: 600 tokens.
pub const DIFF_CHARS: usize = 2_400;

/// The difference of two readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// Lines to show, within the budget; empty when nothing changed.
    pub text: String,
    /// Changes in all.
    pub count: usize,
    /// Indexes of lines of the later tree that `text` shows.
    pub shown: Vec<usize>,
}

/// What makes two lines of two readings the same: the element, or the words of static text.
#[derive(PartialEq, Eq, Hash)]
enum Key<'l> {
    Ref(u32),
    Text(&'l str),
}

/// Compares two readings whose refs are the same for the same element. Moves are not changes.
pub fn diff(before: &Tree, after: &Tree, budget: usize) -> Diff {
    // For a ref the index of its line in `before`; for a text how often it is left there.
    let mut old: HashMap<Key<'_>, usize> = HashMap::new();
    for (at, line) in before.lines.iter().enumerate() {
        match key(line) {
            Some(Key::Text(text)) => *old.entry(Key::Text(text)).or_insert(0) += 1,
            Some(key) => {
                old.insert(key, at);
            }
            None => {}
        }
    }
    let mut changes: Vec<(char, Option<usize>, String)> = Vec::new();
    for (at, line) in after.lines.iter().enumerate() {
        match key(line) {
            Some(Key::Text(text)) => match old.get_mut(&Key::Text(text)) {
                Some(left) if *left > 0 => *left -= 1,
                _ => changes.push(('+', Some(at), line.body())),
            },
            Some(key) => match old.remove(&key) {
                None => changes.push(('+', Some(at), line.body())),
                Some(was) if bare(&before.lines[was]) != bare(line) => changes.push(('~', Some(at), line.body())),
                Some(_) => {}
            },
            None => {}
        }
    }
    // What is left was not met again.
    for line in &before.lines {
        let gone = match key(line) {
            Some(Key::Text(text)) => old.get_mut(&Key::Text(text)).is_some_and(|left| {
                let gone = *left > 0;
                *left = left.saturating_sub(1);
                gone
            }),
            Some(key) => old.contains_key(&key),
            None => false,
        };
        if gone {
            changes.push(('-', None, line.body()));
        }
    }
    within(changes, budget)
}

fn key(line: &Line) -> Option<Key<'_>> {
    match line.reference {
        _ if line.note => None,
        0 => Some(Key::Text(&line.name)),
        reference => Some(Key::Ref(reference)),
    }
}

/// Focus is told apart from the changes.
fn bare(line: &Line) -> (crate::Role, &str, &str) {
    (line.role, &line.name, &line.attrs)
}

fn within(changes: Vec<(char, Option<usize>, String)>, budget: usize) -> Diff {
    let count = changes.len();
    let mut out = Diff { count, ..Diff::default() };
    let mut used = 0;
    let mut left_out = 0;
    // Removals say least: they come last and are the first to go.
    for (sign, at, body) in changes {
        let need = crate::text::len(&body) + 3;
        if used + need > budget {
            left_out += 1;
            continue;
        }
        used += need;
        out.text.push(sign);
        out.text.push(' ');
        out.text.push_str(&body);
        out.text.push('\n');
        out.shown.extend(at);
    }
    if left_out > 0 {
        out.text.push_str(&format!("[{left_out} more changes not shown; read the tree]\n"));
    }
    out.text.truncate(out.text.trim_end_matches('\n').len());
    out
}
