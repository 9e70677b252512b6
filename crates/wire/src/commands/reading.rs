//! Results of the reading tools: their parts, their notices, and what they say in an answer.

use super::answer::Answer;
use super::tree::{self, Node};
use super::words::{self, clip};
use std::ops::RangeInclusive;

/// Parts of a long result that are read. What is beyond them is said to be unread.
pub const MAX_PARTS: u32 = 40;
/// Parts that are asked for at once.
const AT_ONCE: u32 = 8;

/// How far a result that comes in parts has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The last part that was read, from 1; 0 before the first.
    pub at: u32,
    /// How many there are.
    pub of: u32,
}

impl Parts {
    /// The parts to ask for next.
    pub fn next(self) -> Option<RangeInclusive<u32>> {
        let last = self.of.min(MAX_PARTS);
        (self.at > 0 && self.at < last).then(|| self.at + 1..=last.min(self.at + AT_ONCE))
    }
}

/// What was read of the page, in lines without the notices of the tool.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The lines.
    pub lines: Vec<String>,
    /// How far.
    pub parts: Parts,
    /// Something within these parts was left out.
    pub shortened: bool,
    /// A dialog is open, and what lies behind it is not part of this.
    pub dialog: bool,
}

impl Reading {
    /// Takes the result for part `at`; the first part begins anew.
    pub fn add(&mut self, at: u32, text: &str) {
        if at <= 1 {
            *self = Reading::default();
        }
        self.parts = Parts { at: at.max(1), of: at.max(1) };
        let lines = tree::page_lines(text);
        let last = lines.len().saturating_sub(1);
        for (n, line) in lines.iter().enumerate() {
            if let Some(of) = line.strip_prefix("[page ").and_then(|rest| self.notice(n == 0 || n == last, rest)) {
                self.parts.of = of;
            } else if line.starts_with("[cut: ") && n == last {
                self.shortened = true;
            } else if !(n == 0 && is_heading(line)) {
                let whole = line.strip_suffix(" [line cut]");
                self.shortened |= whole.is_some();
                self.lines.push(whole.unwrap_or(line).to_owned());
            }
        }
    }

    /// How many parts there are, by the notice `[page …` of which `rest` is the end.
    fn notice(&self, at_end: bool, rest: &str) -> Option<u32> {
        let (page, rest) = rest.split_once(' ')?;
        if !at_end || page.parse() != Ok(self.parts.at) {
            return None;
        }
        if rest.starts_with("does not exist") {
            return Some(self.parts.at);
        }
        let (of, rest) = rest.strip_prefix("of ")?.split_once(": ")?;
        let is_cut = rest.starts_with("cut, ");
        (is_cut || rest.contains("earlier lines"))
            .then(|| if is_cut { of.parse().ok() } else { Some(self.parts.of) })?
    }

    /// The same lines as a tree. Its notes, which stand in brackets, are taken note of.
    pub fn nodes(&mut self) -> Vec<Node> {
        for line in self.lines.iter().map(|line| line.trim_start()).filter(|line| line.starts_with('[')) {
            self.dialog |= line.contains("behind this modal dialog");
            self.shortened |= line.contains("lines below maxDepth");
        }
        let nodes = tree::parse(&self.lines.join("\n"));
        // The whole name of anything else is in the page's text.
        self.shortened |= nodes.iter().any(|n| matches!(n.role.as_str(), "button" | "option") && n.is_clipped());
        nodes
    }

    /// Whether all of the page was read.
    pub fn is_whole(&self) -> bool {
        !self.shortened && self.parts.of <= MAX_PARTS
    }

    /// Where something was looked for, after "on" or the like.
    pub fn place(&self) -> String {
        match (self.parts.of, self.dialog) {
            (of, _) if of > MAX_PARTS => {
                format!("in the first {MAX_PARTS} of {of} parts of the page; the rest was not searched")
            }
            (_, true) => "in the dialog that is open; the page behind it cannot be used until it is closed".to_owned(),
            _ if self.shortened => {
                "in what could be read of the page; parts of it are too long or too deep to be read".to_owned()
            }
            _ => "on the page".to_owned(),
        }
    }
}

/// Whether a first line is the tool's, not the page's.
fn is_heading(line: &str) -> bool {
    const HEADINGS: &[&str] =
        &["[text of ", "[the page shows no text", "[no heading is visible]", "[nothing to show with"];
    HEADINGS.iter().any(|heading| line.starts_with(heading))
}

/// The answer to "read the page".
pub fn read(headings: &Reading, text: &Reading) -> Answer {
    const MOST: usize = 20;
    let mut out = Answer::line(words::reading_note());
    let names: Vec<String> =
        headings.lines.iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let more = names.len() > MOST || headings.parts.of > 1;
    let shown: Vec<String> = names.into_iter().take(MOST).collect();
    match &shown[..] {
        [] => {}
        [one] => out = out.then(format!("Heading: {one}")),
        all => {
            let title = if more { format!("The first {} headings:", all.len()) } else { "Headings:".to_owned() };
            out = out.then(title).bullets(shown);
        }
    }
    let all = text.lines.join("\n");
    if all.trim().is_empty() {
        return out.then("The page has no text that can be read.");
    }
    let begin = clip(all.trim(), 1_200);
    let title = if begin == all.trim() && text.parts.of == 1 { "The text:" } else { "The text begins:" };
    let mut lines = vec![title.to_owned()];
    lines.extend(begin.lines().map(str::to_owned));
    out.lines(lines)
}

/// A text of the page that words are looked for in, and what is said around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    before: String,
    text: String,
    after: &'static str,
}

impl Said {
    /// Whether `wanted` stands in it, in any case.
    pub fn holds(&self, wanted: &str) -> bool {
        self.text.to_lowercase().contains(&wanted.to_lowercase())
    }

    /// The lines of a text.
    pub fn by_text(reading: &Reading) -> Vec<Said> {
        let said = |line: &String| Said { before: String::new(), text: line.trim().to_owned(), after: "" };
        reading.lines.iter().map(said).collect()
    }

    /// The names and values of a tree.
    pub fn by_nodes(nodes: &[Node]) -> Vec<Said> {
        let mut out = Vec::new();
        for node in nodes {
            let (before, after) = match node.reference.is_empty() {
                true => (String::new(), ""),
                false => (format!("{} \"", node.role), "\""),
            };
            out.push(Said { before, text: node.name.clone(), after });
            if let Some(value) = node.attribute("value").or(node.attribute("placeholder")) {
                out.push(Said { before: format!("{}: \"", node.label()), text: value.to_owned(), after: "\"" });
            }
        }
        out
    }
}

/// The answer to "find".
pub fn found(said: &[Said], wanted: &str, reading: &Reading) -> Answer {
    const MOST: usize = 8;
    let quoted = words::short(wanted);
    let hits: Vec<&Said> = said.iter().filter(|said| said.holds(wanted)).collect();
    if hits.is_empty() {
        return Answer::line(match reading.is_whole() {
            true => format!("\"{quoted}\" is not in the text of this page."),
            false => format!("\"{quoted}\" was not found {}.", reading.place()),
        });
    }
    let quote = |hit: &&Said| format!("{}{}{}", hit.before, around(&hit.text, wanted), hit.after);
    let shown: Vec<String> = hits.iter().take(MOST).map(quote).collect();
    let places = if hits.len() == 1 { "1 place".to_owned() } else { format!("{} places", hits.len()) };
    let mut head = match reading.is_whole() {
        true => format!("\"{quoted}\" is in {places} on this page"),
        false => format!("\"{quoted}\" is in {places} {}", reading.place()),
    };
    match &shown[..] {
        [one] if hits.len() == 1 => return Answer::line(format!("{head}: {one}")),
        _ if hits.len() > MOST => head.push_str(&format!(". The first {MOST}:")),
        _ => head.push(':'),
    }
    Answer::line(head).bullets(shown)
}

/// About 200 characters of `line` with `wanted` among them.
fn around(line: &str, wanted: &str) -> String {
    const BEFORE: usize = 80;
    let lower = line.to_lowercase();
    let hit = lower.find(&wanted.to_lowercase()).map_or(0, |at| lower[..at].chars().count());
    if line.chars().count() <= 200 || hit <= BEFORE {
        return clip(line, 200);
    }
    let rest: String = line.chars().skip(hit - BEFORE).collect();
    format!("…{}", clip(&rest, 199))
}

/// The answer to "what is on this page".
pub fn describe(nodes: &[Node], reading: &Reading) -> Answer {
    const KINDS: &[(&str, &[&str])] = &[
        ("Buttons", &["button"]),
        ("Links", &["link"]),
        ("Fields", &["textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"]),
        ("Check boxes and switches", &["checkbox", "switch", "radio"]),
        ("Tabs and menu items", &["tab", "menuitem", "menuitemcheckbox", "menuitemradio"]),
    ];
    let mut out = Vec::new();
    for (kind, roles) in KINDS {
        let mut names: Vec<&str> = Vec::new();
        for node in nodes.iter().filter(|n| roles.contains(&n.role.as_str()) && !n.name.is_empty()) {
            if !names.contains(&node.name.as_str()) {
                names.push(&node.name);
            }
        }
        if !names.is_empty() {
            let more = if names.len() > 12 { format!(" and {} more", names.len() - 12) } else { String::new() };
            let shown: Vec<String> = names.iter().take(12).map(|n| clip(n, 40)).collect();
            out.push(format!("{kind}: {}{more}", shown.join(", ")));
        }
    }
    if out.is_empty() {
        out.push(format!("I see nothing that can be clicked or filled in {}.", reading.place()));
    } else if reading.parts.of > MAX_PARTS || reading.dialog {
        out.push(format!("This is what there is {}.", reading.place()));
    }
    Answer::default().lines(out)
}
