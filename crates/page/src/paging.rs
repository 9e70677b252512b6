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
        return Page { text: format!("[page {page} does not exist: there are {pages}]"), page, pages };
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
    Page { text, page, pages }
}
