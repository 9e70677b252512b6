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

/// Compares two readings whose refs are the same for the same element. Moves are not changes.
pub fn diff(before: &Tree, after: &Tree, budget: usize) -> Diff {
    let old = by_ref(before);
    let new = by_ref(after);
    let mut old_texts = texts(before);
    let mut changes: Vec<(char, Option<usize>, String)> = Vec::new();
    for (at, line) in after.lines.iter().enumerate() {
        if line.note {
            continue;
        }
        if line.reference == 0 {
            match old_texts.get_mut(line.name.as_str()) {
                Some(left) if *left > 0 => *left -= 1,
                _ => changes.push(('+', Some(at), line.body())),
            }
            continue;
        }
        match old.get(&line.reference) {
            None => changes.push(('+', Some(at), line.body())),
            Some(was) if bare(was) != bare(line) => changes.push(('~', Some(at), line.body())),
            Some(_) => {}
        }
    }
    for line in &before.lines {
        if line.reference > 0 && !new.contains_key(&line.reference) {
            changes.push(('-', None, line.body()));
        } else if line.is_text()
            && let Some(left) = old_texts.get_mut(line.name.as_str())
            && *left > 0
        {
            *left -= 1;
            changes.push(('-', None, line.body()));
        }
    }
    within(changes, budget)
}

fn by_ref(tree: &Tree) -> HashMap<u32, &Line> {
    tree.lines.iter().filter(|l| l.reference > 0).map(|l| (l.reference, l)).collect()
}

fn texts(tree: &Tree) -> HashMap<&str, usize> {
    let mut out = HashMap::new();
    for line in tree.lines.iter().filter(|l| l.is_text()) {
        *out.entry(line.name.as_str()).or_insert(0) += 1;
    }
    out
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
