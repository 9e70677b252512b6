//! What an action changed, as lines of the tree.

use crate::tree::{Line, Tree};

/// Characters of a diff: 600 tokens.
pub const DIFF_CHARS: usize = 2_400;

/// Lines that went away of which each is named; of more, only the number is said.
const GONE_NAMED: usize = 3;

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

/// Lines of the earlier reading by what identifies them: the element, or the words of static text. A plain table of our own:
/// the standard one would take two per cent of the content script.
struct Index<'t> {
    lines: &'t [Line],
    /// Per bucket the lines that were not met again yet.
    buckets: Vec<Vec<u32>>,
}

impl<'t> Index<'t> {
    fn of(lines: &'t [Line]) -> Self {
        let mut index = Index { lines, buckets: vec![Vec::new(); lines.len().max(1)] };
        for (at, line) in lines.iter().enumerate() {
            if !line.note {
                let bucket = index.bucket(line);
                index.buckets[bucket].push(at as u32);
            }
        }
        index
    }

    fn bucket(&self, line: &Line) -> usize {
        let mut hash = line.reference;
        if line.reference == 0 {
            for byte in line.name.bytes() {
                hash = (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
            }
        }
        hash as usize % self.buckets.len()
    }

    /// Takes out the line that stands for the same as `line`.
    fn take(&mut self, line: &Line) -> Option<&'t Line> {
        let lines = self.lines;
        let bucket = self.bucket(line);
        let same = |at: &u32| {
            let other = &lines[*at as usize];
            other.reference == line.reference && (line.reference > 0 || other.name == line.name)
        };
        let at = self.buckets[bucket].iter().position(same)?;
        Some(&lines[self.buckets[bucket].remove(at) as usize])
    }
}

/// Compares two readings whose refs are the same for the same element. Moves are not changes.
pub fn diff(before: &Tree, after: &Tree, budget: usize) -> Diff {
    let mut old = Index::of(&before.lines);
    let mut changes: Vec<(char, Option<usize>, String)> = Vec::new();
    for (at, line) in after.lines.iter().enumerate().filter(|(_, l)| !l.note) {
        match old.take(line) {
            None => changes.push(('+', Some(at), line.body())),
            Some(was) if bare(was) != bare(line) => changes.push(('~', Some(at), line.body())),
            Some(_) => {}
        }
    }
    // What is left was not met again. Closing a list or opening a modal dialog takes away many lines at once: that they
    // are gone matters, which ones hardly does.
    let gone: Vec<&Line> = before.lines.iter().filter(|l| !l.note && old.take(l).is_some()).collect();
    let count = changes.len() + gone.len();
    let named = if gone.len() > GONE_NAMED + 1 { GONE_NAMED } else { gone.len() };
    changes.extend(gone[..named].iter().map(|line| ('-', None, line.body())));
    if gone.len() > named {
        changes.push(('-', None, format!("and {} more lines", gone.len() - named)));
    }
    within(changes, count, budget)
}

/// Focus is told apart from the changes.
fn bare(line: &Line) -> (crate::Role, &str, &str) {
    (line.role, &line.name, &line.attrs)
}

fn within(changes: Vec<(char, Option<usize>, String)>, count: usize, budget: usize) -> Diff {
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
