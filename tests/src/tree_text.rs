//! The tree as the model reads it: lines of `role "name" [ref_N] key="value" flag`, one space of indent a level.

/// One line of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Levels below the root.
    pub depth: usize,
    /// Role.
    pub role: String,
    /// Name, without its quotes and escapes; empty when it has none.
    pub name: String,
    /// `ref_N`, where it has one.
    pub reference: Option<String>,
    /// Attributes in order; a flag has no value.
    pub attributes: Vec<(String, Option<String>)>,
    /// The line as it was sent, without its indent.
    pub raw: String,
}

impl Line {
    /// Value of an attribute; an empty text for a flag.
    pub fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_deref().unwrap_or_default())
    }
}

/// The lines of a tree; whatever else a result says (fences, notes, words of the program) is left out.
pub fn lines(text: &str) -> Vec<Line> {
    text.lines().filter_map(line).collect()
}

/// Positions of the lines above `at` in which it lies, innermost first.
pub fn ancestors(lines: &[Line], at: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut depth = lines.get(at).map_or(0, |l| l.depth);
    for index in (0..at).rev() {
        if lines[index].depth < depth {
            depth = lines[index].depth;
            found.push(index);
        }
    }
    found
}

fn line(text: &str) -> Option<Line> {
    let raw = text.trim_start_matches(' ');
    let depth = text.len() - raw.len();
    let end = raw.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(raw.len());
    let (role, rest) = raw.split_at(end);
    let (name, rest) = match rest.strip_prefix(" \"") {
        Some(quoted) => unquote(quoted)?,
        None => (String::new(), rest),
    };
    let (reference, rest) = match rest.strip_prefix(" [ref_") {
        Some(numbered) => {
            let (number, rest) = numbered.split_once(']')?;
            (Some(format!("ref_{number}")), rest)
        }
        None => (None, rest),
    };
    // A line of words is no element.
    let is_element = !role.is_empty() && (reference.is_some() || raw[end..].starts_with(" \""));
    let attributes = attributes(rest)?;
    is_element.then(|| Line { depth, role: role.to_owned(), name, reference, attributes, raw: raw.to_owned() })
}

/// Reads to the closing quote; gives the text and what follows it.
fn unquote(quoted: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out, &quoted[at + 1..])),
            '\\' => out.push(chars.next()?.1),
            c => out.push(c),
        }
    }
    None
}

fn attributes(mut rest: &str) -> Option<Vec<(String, Option<String>)>> {
    let mut found = Vec::new();
    while !rest.is_empty() {
        rest = rest.strip_prefix(' ')?;
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if let Some(quoted) = after.strip_prefix("=\"") {
            let (value, after) = unquote(quoted)?;
            found.push((key.to_owned(), Some(value)));
            rest = after;
        } else {
            found.push((key.to_owned(), None));
            rest = after;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "<page_content id=\"x\" from=\"http://a\">\nmain [ref_1]\n table \"T\" [ref_2]\n  row \"Ash | Delete\" [ref_3]\n   button \"Delete\" [ref_4]\n  row \"Say \\\"hi\\\" \\\\ | Delete\" [ref_5]\n   button \"Delete\" [ref_6] description=\"a b\" disabled\n text \"plain\"\n[3 elements not shown]\nrefs of the old page are void.\n</page_content id=\"x\">";

    #[test]
    fn lines_are_read_whole_and_words_are_left_out() {
        let read = lines(TREE);
        let roles: Vec<(&str, &str, Option<&str>, usize)> =
            read.iter().map(|l| (l.role.as_str(), l.name.as_str(), l.reference.as_deref(), l.depth)).collect();
        assert_eq!(
            roles,
            [
                ("main", "", Some("ref_1"), 0),
                ("table", "T", Some("ref_2"), 1),
                ("row", "Ash | Delete", Some("ref_3"), 2),
                ("button", "Delete", Some("ref_4"), 3),
                ("row", "Say \"hi\" \\ | Delete", Some("ref_5"), 2),
                ("button", "Delete", Some("ref_6"), 3),
                ("text", "plain", None, 1),
            ]
        );
        assert_eq!(read[5].attribute("description"), Some("a b"));
        assert_eq!((read[5].attribute("disabled"), read[3].attribute("disabled")), (Some(""), None));
    }

    #[test]
    fn a_line_lies_in_those_above_it_with_less_indent() {
        assert_eq!(ancestors(&lines(TREE), 5), [4, 1, 0]);
        assert_eq!(ancestors(&lines(TREE), 0), [0; 0]);
    }
}
