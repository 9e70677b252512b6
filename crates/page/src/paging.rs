//! Cutting a tree into pages of whole lines.

/// Characters per page unless the call says otherwise.
pub const DEFAULT_CHARS: usize = 7_000;
/// Characters per page at most: a result longer than 8,000 is cut by the core.
pub const HARD_CHARS: usize = 7_500;
/// Characters per page at least.
const MIN_CHARS: usize = 500;
/// Room for the notices around a page.
const NOTICE_CHARS: usize = 160;

/// A page of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its lines and notices.
    pub text: String,
    /// Its number, from 1.
    pub page: usize,
    /// How many there are.
    pub pages: usize,
    /// The lines in it.
    pub lines: std::ops::Range<usize>,
    /// Lines of notices before the first of them.
    pub head: usize,
}

/// The first and the last-but-one line of each page.
fn chunks(lines: &[String], room: usize) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        let need = crate::text::len(line) + 1;
        if used + need > room && at > start {
            out.push((start, at));
            start = at;
            used = 0;
        }
        used += need;
    }
    out.push((start, lines.len()));
    out
}

/// Page `page` (from 1) of `lines`, with notices of what is missing. `how` says how to get another page, for example
/// `get_accessibility_tree with page`. A line longer than a page stands alone and is cut, which is said.
pub fn paginate(lines: &[String], max_chars: Option<usize>, page: usize, how: &str) -> Page {
    let limit = max_chars.unwrap_or(DEFAULT_CHARS).clamp(MIN_CHARS, HARD_CHARS);
    let room = limit - NOTICE_CHARS;
    let chunks = chunks(lines, room);
    let pages = chunks.len();
    let page = page.max(1);
    let Some(&(start, end)) = chunks.get(page - 1) else {
        return Page {
            text: format!("[page {page} does not exist: there are {pages}]"),
            page,
            pages,
            lines: 0..0,
            head: 1,
        };
    };
    let mut text = String::new();
    if page > 1 {
        text.push_str(&format!("[page {page} of {pages}: {start} earlier lines are on the pages before]\n"));
    }
    for line in &lines[start..end] {
        if crate::text::len(line) > room {
            text.push_str(&crate::text::clip(line, room - 20));
            text.push_str(" [line cut]");
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
    if end < lines.len() {
        let left = lines.len() - end;
        text.push_str(&format!("[page {page} of {pages}: cut, {left} more lines; call {how}: {}]\n", page + 1));
    }
    text.truncate(text.trim_end_matches('\n').len());
    Page { text, page, pages, lines: start..end, head: usize::from(page > 1) }
}

/// Readings of which the end of the last page is remembered.
const MOST_READINGS: usize = 8;
const CHANGED: &str = "[what the earlier pages showed has changed: this is page 1 of the page as it is now]\n";
const UNREAD: &str = "[page 1 was not read in this document: this is page 1]\n";
const RESTLESS: &str = "[the page keeps changing: the earlier pages may have become different]\n";

/// What was read so far of each reading, so that a page is only given as the continuation of what came before it.
#[derive(Debug, Default)]
pub struct Revisions(Vec<Revision>);

#[derive(Debug)]
struct Revision {
    how: String,
    /// Lines up to the end of the page that was given last, and their sum.
    end: usize,
    sum: u32,
    /// It was given from the start again because of a change.
    restarted: bool,
}

impl Revisions {
    /// [`paginate`], unless an earlier page would not say now what it said: then page 1, and a note. A page that changes
    /// again before the next one is read is given all the same, with a note: one that never rests could not be read else.
    pub fn page(&mut self, lines: &[String], max_chars: Option<usize>, page: usize, how: &str) -> Page {
        let known = self.0.iter().position(|r| r.how == how).map(|at| self.0.remove(at));
        let mut note = "";
        let mut asked = page.max(1);
        let mut restarted = false;
        if asked > 1 {
            match known {
                None => note = UNREAD,
                Some(old) if lines.get(..old.end).is_some_and(|same| sum(same) == old.sum) => {}
                Some(old) if old.restarted => note = RESTLESS,
                Some(_) => {
                    note = CHANGED;
                    restarted = true;
                }
            }
            if note == UNREAD || note == CHANGED {
                asked = 1;
            }
        }
        let mut found = paginate(lines, max_chars, asked, how);
        if !note.is_empty() {
            found.text.insert_str(0, note);
            found.head += 1;
        }
        let end = found.lines.end;
        let sum = sum(lines.get(..end).unwrap_or_default());
        self.0.push(Revision { how: how.to_owned(), end, sum, restarted });
        if self.0.len() > MOST_READINGS {
            self.0.remove(0);
        }
        found
    }
}

/// A sum of lines (FNV-1a) that tells different ones apart as well as it needs to.
fn sum(lines: &[String]) -> u32 {
    let mut sum = 0x811c_9dc5_u32;
    for line in lines {
        for byte in line.bytes().chain([b'\n']) {
            sum = (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(from: usize, count: usize) -> Vec<String> {
        (from..from + count).map(|n| format!("text \"line number {n}\"")).collect()
    }

    #[test]
    fn a_page_of_another_revision_starts_again_and_says_so() {
        let mut seen = Revisions::default();
        let (old, new) = (lines(0, 100), lines(7, 100));
        assert_eq!(seen.page(&old, Some(500), 1, "read").page, 1);
        // What comes after may change.
        let longer: Vec<String> = old.iter().cloned().chain(lines(500, 9)).collect();
        assert_eq!(seen.page(&longer, Some(500), 2, "read").page, 2);
        let again = seen.page(&new, Some(500), 3, "read");
        assert_eq!((again.page, again.head), (1, 1));
        assert!(
            again.text.starts_with("[what the earlier pages showed has changed") && again.text.contains("number 7\"")
        );
        assert_eq!(seen.page(&new, Some(500), 2, "read").page, 2);
    }

    #[test]
    fn a_page_that_never_rests_can_be_read() {
        let mut seen = Revisions::default();
        seen.page(&lines(0, 100), Some(500), 1, "read");
        assert_eq!(seen.page(&lines(1, 100), Some(500), 2, "read").page, 1);
        let second = seen.page(&lines(2, 100), Some(500), 2, "read");
        assert_eq!((second.page, second.head), (2, 2));
        assert!(second.text.starts_with("[the page keeps changing"));
    }

    #[test]
    fn readings_are_told_apart_and_a_new_document_begins_at_its_first_page() {
        let mut seen = Revisions::default();
        let unread = seen.page(&lines(0, 100), Some(500), 2, "read");
        assert!(unread.page == 1 && unread.text.starts_with("[page 1 was not read"));
        assert_eq!(seen.page(&lines(0, 100), Some(500), 2, "other").page, 1);
        assert_eq!(seen.page(&lines(0, 100), Some(500), 2, "read").page, 2);
        for n in 0..20 {
            seen.page(&lines(0, 3), None, 1, &format!("reading {n}"));
        }
        assert_eq!(seen.0.len(), MOST_READINGS);
    }

    proptest! {
        #[test]
        fn pages_joined_are_the_whole(count in 1usize..300, room in 500usize..900) {
            let all = lines(0, count);
            let mut seen = Revisions::default();
            let mut joined = Vec::new();
            let mut page = 1;
            loop {
                let found = seen.page(&all, Some(room), page, "read");
                prop_assert_eq!(found.page, page);
                joined.extend(found.text.lines().filter(|l| !l.starts_with('[')).map(str::to_owned));
                if page == found.pages {
                    break;
                }
                page += 1;
            }
            prop_assert_eq!(joined, all);
        }
    }
}
