//! The page's tree as a list of nodes, and the choice of the one that a name means.

use webbrain_core::label::FENCE;

/// One line: an element with a ref, or text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Role.
    pub role: String,
    /// Accessible name; may be empty.
    pub name: String,
    /// `ref_N`; empty for text.
    pub reference: String,
    /// Attributes in order; a flag has an empty value.
    pub attributes: Vec<(String, String)>,
    /// Index of the line that it lies in.
    pub parent: Option<usize>,
    /// In a dialog or popup that lies above the page.
    pub overlay: bool,
}

impl Node {
    /// Value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether the tree shows only the beginning of its name.
    pub fn is_clipped(&self) -> bool {
        // A tree shows 100 characters, less the spaces before the cut.
        self.name.ends_with('…') && self.name.chars().count() > 80
    }

    /// Whether it is a control that cannot be used now.
    fn is_disabled(&self) -> bool {
        self.attribute("disabled").is_some_and(|v| v != "false")
    }

    /// `role "name"`; of text the text itself.
    pub fn label(&self) -> String {
        if self.reference.is_empty() {
            return self.name.clone();
        }
        format!("{} \"{}\"", self.role, super::words::clip(&self.name, 60))
    }
}

/// Lines of `text` that a page said: what stands in fences, or all of it when there are none.
pub fn page_lines(text: &str) -> Vec<&str> {
    let open = format!("<{FENCE} ");
    let close = format!("</{FENCE}");
    if !text.contains(&open) {
        return text.lines().collect();
    }
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with(&open) {
            inside = true;
        } else if line.starts_with(&close) {
            inside = false;
        } else if inside {
            lines.push(line);
        }
    }
    lines
}

/// The nodes of a tree's text.
pub fn parse(text: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut overlay = false;
    let mut overlay_indent = 0;
    for line in page_lines(text) {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if body.starts_with("[open overlays") {
            overlay = true;
            overlay_indent = indent;
            continue;
        }
        // Another heading in brackets ends the overlays.
        if overlay && body.starts_with('[') && indent <= overlay_indent && !body.starts_with("[page ") {
            overlay = false;
            continue;
        }
        let Some(mut node) = parse_line(body) else { continue };
        while open.last().is_some_and(|(depth, _)| *depth >= indent) {
            open.pop();
        }
        node.parent = open.last().map(|(_, at)| *at);
        let in_dialog =
            node.parent.is_some_and(|at| nodes[at].overlay) || matches!(node.role.as_str(), "dialog" | "alertdialog");
        node.overlay = overlay || in_dialog;
        open.push((indent, nodes.len()));
        nodes.push(node);
    }
    nodes
}

/// `role "name" [ref_N] key="value" flag`, or `text "…"`.
fn parse_line(line: &str) -> Option<Node> {
    let role_end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))?;
    let (role, rest) = line.split_at(role_end);
    let mut rest = rest.trim_start();
    let mut name = String::new();
    if rest.starts_with('"') {
        (name, rest) = quoted(rest)?;
        rest = rest.trim_start();
    }
    let mut attributes = Vec::new();
    if role == "text" && rest.is_empty() {
        let (role, reference) = (role.to_owned(), String::new());
        return Some(Node { role, name, reference, attributes, parent: None, overlay: false });
    }
    let (reference, mut rest) = rest.strip_prefix('[')?.split_once(']')?;
    if role.is_empty() || reference.strip_prefix("ref_")?.parse::<u32>().is_err() {
        return None;
    }
    loop {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        let key = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            if after.starts_with('"') {
                let Some((text, left)) = quoted(after) else { break };
                (value, rest) = (text, left);
            } else {
                let end = after.find(char::is_whitespace).unwrap_or(after.len());
                value = after[..end].to_owned();
                rest = &after[end..];
            }
        }
        attributes.push((key, value));
    }
    Some(Node {
        role: role.to_owned(),
        name,
        reference: reference.to_owned(),
        attributes,
        parent: None,
        overlay: false,
    })
}

/// The text in double quotes that `text` begins with, backslash escapes resolved, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out, &text[at + 1..])),
            '\\' => out.push(chars.next()?.1),
            _ => out.push(c),
        }
    }
    None
}

/// Kinds of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Anything that can be activated.
    Control,
    /// Fields that take text.
    Field,
    /// Fields that take one of several options.
    Choice,
    /// Options themselves.
    Option,
    /// Check boxes and switches.
    Toggle,
}

impl Wanted {
    fn fits(self, role: &str) -> bool {
        const FIELD: &[&str] = &["textbox", "searchbox", "combobox", "spinbutton", "slider"];
        const OPTION: &[&str] = &["option", "menuitemradio", "radio", "menuitem", "treeitem"];
        const TOGGLE: &[&str] = &["checkbox", "switch", "menuitemcheckbox", "radio"];
        match self {
            Wanted::Control => !matches!(role, "text" | "paragraph" | "document" | "main" | "banner" | "contentinfo"),
            Wanted::Field => FIELD.contains(&role),
            Wanted::Choice => matches!(role, "combobox" | "listbox" | "button" | "radiogroup" | "menu"),
            Wanted::Option => OPTION.contains(&role),
            Wanted::Toggle => TOGGLE.contains(&role),
        }
    }

    /// Roles that are meant before others of the same name.
    fn prefers(self, role: &str) -> bool {
        match self {
            Wanted::Control => matches!(
                role,
                "button"
                    | "link"
                    | "menuitem"
                    | "menuitemcheckbox"
                    | "menuitemradio"
                    | "tab"
                    | "checkbox"
                    | "radio"
                    | "switch"
                    | "option"
                    | "combobox"
                    | "textbox"
                    | "searchbox"
                    | "treeitem"
                    | "spinbutton"
                    | "slider"
            ),
            Wanted::Choice => matches!(role, "combobox" | "listbox"),
            _ => true,
        }
    }
}

/// What a name means on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// This node.
    One(usize),
    /// Any of these.
    Many(Vec<usize>),
    /// None.
    Nothing,
}

/// The node that `name` means, among those that fit `wanted` and, when given, have one of `roles`. The closest kind of
/// match wins: the very name, then without regard to case, then its beginning, then a part of it, then all its words.
pub fn pick(nodes: &[Node], name: &str, wanted: Wanted, roles: &[&str]) -> Pick {
    let lower = plain(name);
    if lower.is_empty() {
        return Pick::Nothing;
    }
    let words: Vec<&str> = lower.split(' ').collect();
    let tests: [&dyn Fn(&Node) -> bool; 5] = [
        &|n| n.name.trim() == name.trim(),
        &|n| plain(&n.name) == lower,
        &|n| {
            let name = plain(&n.name);
            name.starts_with(&lower) || (n.is_clipped() && lower.starts_with(&name)) || hints(n).contains(&lower)
        },
        &|n| plain(&n.name).contains(&lower) || hints(n).iter().any(|h| h.contains(&lower)),
        &|n| {
            let all = format!("{} {}", plain(&n.name), hints(n).join(" "));
            let known: Vec<&str> = all.split(' ').collect();
            words.iter().all(|w| known.contains(w))
        },
    ];
    let fits: Vec<usize> = (0..nodes.len())
        .filter(|at| !nodes[*at].reference.is_empty())
        .filter(|at| wanted.fits(&nodes[*at].role) && (roles.is_empty() || roles.contains(&nodes[*at].role.as_str())))
        .collect();
    for test in tests {
        let found: Vec<usize> = fits.iter().copied().filter(|at| test(&nodes[*at])).collect();
        match narrow(nodes, found, wanted) {
            Pick::Nothing => {}
            other => return other,
        }
    }
    Pick::Nothing
}

/// Leaves out what is plainly not meant: the same element twice, disabled ones, lesser roles, what lies under a dialog,
/// and links that lead to the same place.
fn narrow(nodes: &[Node], mut found: Vec<usize>, wanted: Wanted) -> Pick {
    let mut seen: Vec<&str> = Vec::new();
    found.retain(|at| {
        let reference = nodes[*at].reference.as_str();
        let new = !seen.contains(&reference);
        seen.push(reference);
        new
    });
    let better: [&dyn Fn(&usize) -> bool; 3] =
        [&|at| wanted.prefers(&nodes[*at].role), &|at| !nodes[*at].is_disabled(), &|at| nodes[*at].overlay];
    for test in better {
        if found.iter().any(test) {
            found.retain(test);
        }
    }
    let mut places: Vec<(&str, &str)> = Vec::new();
    found.retain(|at| match nodes[*at].attribute("href") {
        Some(href) if places.contains(&(&nodes[*at].name, href)) => false,
        Some(href) => {
            places.push((&nodes[*at].name, href));
            true
        }
        None => true,
    });
    match found[..] {
        [] => Pick::Nothing,
        [one] => Pick::One(one),
        _ => Pick::Many(found),
    }
}

/// Other words that a user may know a field by.
fn hints(node: &Node) -> Vec<String> {
    node.attribute("placeholder").map(plain).into_iter().collect()
}

/// Lower case, single spaces, without punctuation at either end.
pub fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '-' | '#' | '@' | '$' | '%'))
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<page_content id=\"x\" from=\"https://a.test\">\n[open overlays]\ndialog \"Add [ref_9] product\" [ref_1]\n textbox \"Name\" [ref_2] placeholder=\"Product name\" value=\"say \\\"hi\\\"\"\n button \"Save\" [ref_3]\n[page]\nbutton \"Save\" [ref_4]\nbutton \"Save draft\" [ref_5] disabled\nlink \"Docs\" [ref_6] href=\"/d\"\nlink \"Docs\" [ref_7] href=\"/d\"\ntext \"Save now\"\nrow \"Ann\" [ref_8]\n button \"Delete\" [ref_10]\nrow \"Bob\" [ref_11]\n button \"Delete\" [ref_12]\ncheckbox \"Remember me\" [ref_13] checked=\"false\"\n</page_content id=\"x\">\nbutton \"Outside\" [ref_99]";

    #[test]
    fn lines_become_nodes() {
        let nodes = parse(PAGE);
        assert_eq!(nodes[0].name, "Add [ref_9] product");
        assert_eq!(nodes[1].attribute("value"), Some("say \"hi\""));
        assert_eq!(nodes.iter().filter(|n| n.overlay).count(), 3);
        assert!(nodes.iter().all(|n| n.reference != "ref_99"));
    }

    #[test]
    fn names_pick_nodes() {
        let nodes = parse(PAGE);
        let row = |name: &str, wanted, expected: &[&str]| {
            let got = match pick(&nodes, name, wanted, &[]) {
                Pick::One(at) => vec![at],
                Pick::Many(all) => all,
                Pick::Nothing => vec![],
            };
            let got: Vec<&str> = got.into_iter().map(|at| nodes[at].reference.as_str()).collect();
            assert_eq!(got, expected, "{name}");
        };
        row("save", Wanted::Control, &["ref_3"]);
        row("Save draft", Wanted::Control, &["ref_5"]);
        row("docs", Wanted::Control, &["ref_6"]);
        row("Delete", Wanted::Control, &["ref_10", "ref_12"]);
        row("product name", Wanted::Field, &["ref_2"]);
        row("remember", Wanted::Toggle, &["ref_13"]);
        row("me remember", Wanted::Toggle, &["ref_13"]);
        row("nothing", Wanted::Control, &[]);
    }

    #[test]
    fn a_name_that_the_tree_cuts_is_found_whole() {
        let whole = "word ".repeat(30);
        let nodes = parse(&format!("link \"{}…\" [ref_1]\nlink \"word…\" [ref_2]", &whole[..99]));
        assert_eq!(pick(&nodes, &whole, Wanted::Control, &[]), Pick::One(0));
    }
}
