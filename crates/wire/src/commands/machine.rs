//! Where a request stands, folded from the calls that were made and their results, and what comes next.

use super::answer::Answer;
use super::choice;
use super::failure;
use super::parse::{Step, Target};
use super::reading::{self, Reading, Said};
use super::tree::{self, Node, Pick, Wanted};
use super::words;
use serde_json::{Value, json};
use webbrain_protocol::{RunStatus, ToolCall};

/// What comes next.
pub(super) enum Next {
    /// These calls.
    Calls(Vec<Call>),
    /// The end.
    End {
        /// How it ended.
        outcome: RunStatus,
        /// For the user.
        summary: Answer,
    },
}

/// A tool and its arguments.
pub(super) type Call = (&'static str, Value);

/// The state of a request.
pub(super) struct Machine<'a> {
    steps: &'a [Step],
    has: &'a dyn Fn(&str) -> bool,
    /// Index of the step at hand.
    at: usize,
    /// A line for each finished step.
    log: Vec<String>,
    /// Why the step at hand cannot be done.
    failure: Option<String>,
    /// What reading commands found.
    findings: Answer,
    /// A finding does not cover the whole page.
    unsure: bool,
    page: Page,
    /// A popup was opened for the option of a `choose`.
    opened: bool,
    /// What the user answered to "which one?".
    answer: Option<String>,
}

/// What is known of the page for the step at hand.
#[derive(Default)]
struct Page {
    tree: Reading,
    /// The lines of the tree, once all parts of it that are read are there.
    nodes: Vec<Node>,
    /// Trees read: interactive, whole, and the same again after waiting.
    reads: u32,
    /// The tree at hand is the whole one.
    whole: bool,
    waited: bool,
    /// Parts of the interactive tree.
    first_parts: u32,
    headings: Option<Reading>,
    text: Reading,
}

/// Choices that a question can offer.
const OFFERED: usize = 4;
/// Parts of an interactive tree from which on it is not read twice.
const LONG: u32 = 4;

impl<'a> Machine<'a> {
    pub fn new(steps: &'a [Step], has: &'a dyn Fn(&str) -> bool) -> Self {
        Machine {
            steps,
            has,
            at: 0,
            log: Vec::new(),
            failure: None,
            findings: Answer::default(),
            unsure: false,
            page: Page::default(),
            opened: false,
            answer: None,
        }
    }

    /// Takes note of a call and its result.
    pub fn observe(&mut self, call: &ToolCall, result: Option<(bool, &str)>) {
        if self.failure.is_some() || self.at >= self.steps.len() {
            return;
        }
        let (ok, text) = result.unwrap_or((false, "there is no result"));
        match call.name.as_str() {
            "get_accessibility_tree" if ok => self.read_tree(call, text),
            "extract_data" => {
                let mut headings = Reading::default();
                headings.add(1, if ok { text } else { "" });
                self.page.headings = Some(headings);
            }
            "read_page" if ok => self.page.text.add(number(call, "page"), text),
            "wait_for_stable" => {
                // What can be clicked is in the whole tree, too.
                let reads = u32::from(self.page.first_parts > LONG);
                self.page = Page { waited: true, reads, ..Page::default() };
            }
            "clarify" if ok => self.answer = Some(text.trim_start_matches("The user answered:").trim().to_owned()),
            "click_ax" if ok && self.opens_popup() => {
                self.opened = true;
                self.answer = None;
                self.page = Page::default();
            }
            _ if ok => self.step_done(call, text),
            _ => self.failure = Some(failure::for_user(&gist(text))),
        }
        self.finish_reading();
    }

    fn read_tree(&mut self, call: &ToolCall, text: &str) {
        let page = &mut self.page;
        let at = number(call, "page");
        if at <= 1 {
            page.reads += 1;
            page.whole = call.arguments.contains("\"all\"");
        }
        page.tree.add(at, text);
        if !page.whole {
            page.first_parts = page.tree.parts.of;
        }
        // Only the whole shows what lies in what.
        page.nodes = if page.tree.parts.next().is_none() { page.tree.nodes() } else { Vec::new() };
    }

    /// Whether the click at hand opens the list of a `choose` rather than ending the step.
    fn opens_popup(&self) -> bool {
        matches!(&self.steps[self.at], Step::Choose(_, Some(_))) && !self.opened
    }

    fn step_done(&mut self, call: &ToolCall, text: &str) {
        let step = &self.steps[self.at];
        let note = match new_tab(text) {
            Some(address) if step.acts() => words::in_new_tab(address),
            _ if is_unchanged(text) && !matches!(step, Step::Scroll(_)) => words::UNCHANGED.to_owned(),
            _ => String::new(),
        };
        let target = self
            .target_of(call)
            .filter(|_| matches!(step, Step::Click(_) | Step::Choose(..) | Step::Check(..) | Step::Type(..)));
        let on = target.map_or_else(String::new, |label| format!(", on {label}"));
        self.next_step(format!("{}{on}{note}", past(step)));
    }

    /// What a call acted on, as the page calls it.
    fn target_of(&self, call: &ToolCall) -> Option<String> {
        let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
        let reference = arguments.get("ref_id")?.as_str()?;
        self.page.nodes.iter().find(|node| node.reference == reference).map(Node::label)
    }

    fn next_step(&mut self, line: String) {
        self.log.push(line);
        self.at += 1;
        self.page = Page::default();
        self.opened = false;
        self.answer = None;
    }

    /// Ends a reading step once it has what it needs.
    fn finish_reading(&mut self) {
        let Some(step) = self.steps.get(self.at).filter(|_| self.failure.is_none()) else { return };
        let page = &self.page;
        let is_read = |reading: &Reading| reading.parts.at > 0 && reading.parts.next().is_none();
        let (finding, sure) = match step {
            Step::Read => match &page.headings {
                Some(headings) if page.text.parts.at > 0 => (reading::read(headings, &page.text), true),
                _ => return,
            },
            // Not in the text: look at the whole tree before giving up.
            Step::Find(wanted) if page.reads == 0 && is_read(&page.text) => {
                let said = Said::by_text(&page.text);
                if !said.iter().any(|said| said.holds(wanted)) {
                    return;
                }
                (reading::found(&said, wanted, &page.text), page.text.is_whole())
            }
            Step::Find(wanted) if is_read(&page.tree) => {
                // What neither could read stays unread.
                let reading = if page.text.is_whole() { &page.tree } else { &page.text };
                (reading::found(&Said::by_nodes(&page.nodes), wanted, reading), reading.is_whole())
            }
            Step::Describe if is_read(&page.tree) => (reading::describe(&page.nodes, &page.tree), page.tree.is_whole()),
            _ => return,
        };
        let line = past(step);
        self.unsure |= !sure;
        self.findings = std::mem::take(&mut self.findings).and(finding);
        self.next_step(line);
    }

    /// What to do now.
    pub fn next(&mut self) -> Next {
        loop {
            if self.failure.is_some() || self.at >= self.steps.len() {
                return self.end();
            }
            match self.step(&self.steps[self.at]) {
                Move::Calls(calls) if !calls.iter().all(|(name, _)| (self.has)(name)) => {
                    self.failure = Some(words::NOT_OFFERED.to_owned());
                }
                Move::Calls(calls) => return Next::Calls(calls),
                Move::Fail(why) => self.failure = Some(why),
                Move::Already(line) => self.next_step(line),
            }
        }
    }

    fn step(&self, step: &Step) -> Move {
        match step {
            Step::Open(url) => one("navigate", json!({ "url": url })),
            Step::NewTab(url) => one("new_tab", json!({ "url": url })),
            Step::Back => one("go_back", json!({})),
            Step::Forward => one("go_forward", json!({})),
            Step::Scroll(direction) => one("scroll", json!({ "direction": direction })),
            Step::Press(key, 1) => one("press_keys", json!({ "key": key })),
            Step::Press(key, times) => one("press_keys", json!({ "key": key, "repeat": times })),
            Step::Read if self.page.headings.is_none() => one("extract_data", json!({ "type": "headings" })),
            Step::Read => one("read_page", json!({})),
            Step::Find(_) => self.look_for_text(),
            Step::Describe => self.look(),
            Step::Click(target) => self.on_target(target, Wanted::Control, click),
            Step::Check(target, on) => self.on_target(target, Wanted::Toggle, |node| check(node, *on)),
            Step::Type(text, Some(target)) => self.on_target(target, Wanted::Field, |node| set(node, text, false)),
            Step::Type(text, None) => self.only_field(text),
            Step::Search(text) => self.search(text),
            Step::Choose(option, Some(target)) => self.choose_in(option, target),
            Step::Choose(option, None) => self.choose(option),
        }
    }

    /// Reads the text, all of it; then the whole tree.
    fn look_for_text(&self) -> Move {
        let page = &self.page;
        if page.text.parts.at == 0 {
            return one("read_page", json!({ "includeChrome": true }));
        }
        match page.text.parts.next() {
            Some(parts) if page.reads == 0 => {
                Move::Calls(parts.map(|at| ("read_page", json!({ "includeChrome": true, "page": at }))).collect())
            }
            _ => self.look_at_whole(),
        }
    }

    /// Reads the tree: controls only first, then all of it, then once more after waiting; each to its end.
    fn look(&self) -> Move {
        let page = &self.page;
        if page.tree.parts.next().is_some() {
            return self.read_on(page.whole);
        }
        match page.reads {
            0 => self.read_on(false),
            1 => self.read_on(true),
            _ if !page.waited && (self.has)("wait_for_stable") => one("wait_for_stable", json!({})),
            _ => Move::Fail(String::new()),
        }
    }

    /// Reads the whole tree, or the rest of it.
    fn look_at_whole(&self) -> Move {
        self.read_on(true)
    }

    /// The next parts of the tree of this kind; its first when another is at hand.
    fn read_on(&self, whole: bool) -> Move {
        let read = |at: u32| {
            // Nothing is left out for its depth where it would be said not to be there.
            let mut arguments = match whole {
                true => json!({ "filter": "all", "maxDepth": 100 }),
                false => json!({ "filter": "interactive" }),
            };
            if at > 1 {
                arguments["page"] = at.into();
            }
            ("get_accessibility_tree", arguments)
        };
        match self.page.tree.parts.next().filter(|_| self.page.whole == whole) {
            Some(parts) => Move::Calls(parts.map(read).collect()),
            None => Move::Calls(vec![read(1)]),
        }
    }

    /// Whether the tree at hand is still to be read, or read to its end.
    fn is_unread(&self) -> bool {
        self.page.tree.parts.at == 0 || self.page.tree.parts.next().is_some()
    }

    /// Finds the target, or looks further for it, or asks which one is meant; then does `act` to it.
    fn on_target(&self, target: &Target, wanted: Wanted, act: impl Fn(&Node) -> Move) -> Move {
        if self.is_unread() {
            return self.look();
        }
        let nodes = &self.page.nodes;
        let mut picked = tree::pick(nodes, &target.name, wanted, target.roles);
        if picked == Pick::Nothing && target.name != target.full {
            picked = tree::pick(nodes, &target.full, wanted, &[]);
        }
        // The user may call a link a button.
        if picked == Pick::Nothing && !target.roles.is_empty() && self.page.reads > 1 {
            picked = tree::pick(nodes, &target.name, wanted, &[]);
        }
        match picked {
            Pick::One(at) => act(&nodes[at]),
            Pick::Many(all) => self.which(&target.name, &all, act),
            Pick::Nothing => match self.look() {
                Move::Fail(_) => {
                    Move::Fail(words::no_target(&target.full, &self.page.tree.place(), &near(nodes, wanted)))
                }
                further => further,
            },
        }
    }

    /// Asks which of several is meant, or acts on the one that the user named.
    fn which(&self, name: &str, all: &[usize], act: impl Fn(&Node) -> Move) -> Move {
        let nodes = &self.page.nodes;
        let choices = choice::choices(nodes, all);
        // Controls alone do not show the row that each lies in.
        if !self.page.whole && !choice::are_told_apart(&choices) {
            return self.look_at_whole();
        }
        match &self.answer {
            Some(answer) => match choice::resolve(&choices, answer) {
                Some(at) => act(&nodes[at]),
                None => Move::Fail(words::unclear(name)),
            },
            None => {
                let offered: Vec<String> = choices.iter().take(OFFERED).map(choice::Choice::text).collect();
                let question = words::which(name, choices.len(), offered.len());
                one("clarify", json!({ "question": question, "options": offered }))
            }
        }
    }

    /// Types into the focused field, or into the only one.
    fn only_field(&self, text: &str) -> Move {
        if self.is_unread() {
            return self.look();
        }
        let nodes = &self.page.nodes;
        let fields: Vec<usize> = (0..nodes.len())
            .filter(|at| matches!(nodes[*at].role.as_str(), "textbox" | "searchbox" | "combobox"))
            .collect();
        let focused: Vec<usize> =
            fields.iter().copied().filter(|at| nodes[*at].attribute("focused").is_some()).collect();
        match (&focused[..], &fields[..]) {
            ([at], _) | ([], [at]) => set(&nodes[*at], text, false),
            ([], []) => match self.look() {
                Move::Fail(_) => Move::Fail(words::no_field(&self.page.tree.place())),
                further => further,
            },
            (_, all) => self.which("field", all, |node| set(node, text, false)),
        }
    }

    fn search(&self, text: &str) -> Move {
        if self.is_unread() {
            return self.look();
        }
        let nodes = &self.page.nodes;
        let boxes: Vec<usize> = (0..nodes.len()).filter(|at| nodes[*at].role == "searchbox").collect();
        if let [at] = boxes[..] {
            return set(&nodes[at], text, true);
        }
        let target = Target { name: "search".to_owned(), full: "search".to_owned(), roles: &[] };
        self.on_target(&target, Wanted::Field, |node| set(node, text, true))
    }

    /// A field with options: set where the page has a real one, opened and picked from where it is made of other things.
    fn choose_in(&self, option: &str, target: &Target) -> Move {
        let pick_option = || {
            let target = Target { name: option.to_owned(), full: option.to_owned(), roles: &[] };
            self.on_target(&target, Wanted::Option, click)
        };
        if self.opened {
            return match pick_option() {
                // No such option to see: fields with suggestions show them only while one types.
                Move::Fail(why) => match self.on_target(target, Wanted::Field, |node| set(node, option, true)) {
                    Move::Fail(_) => Move::Fail(why),
                    typed => typed,
                },
                other => other,
            };
        }
        self.on_target(target, Wanted::Choice, |node| {
            let made_up = node.attribute("type") == Some("button") || node.attribute("expanded").is_some();
            let opens =
                matches!(node.role.as_str(), "button" | "menu" | "radiogroup") || (node.role == "combobox" && made_up);
            match node.attribute("expanded") {
                Some("true") => pick_option(),
                _ if opens => click(node),
                _ => set(node, option, false),
            }
        })
    }

    /// An option without its field: the list that it lies in takes it where that is a real one.
    fn choose(&self, option: &str) -> Move {
        let target = Target { name: option.to_owned(), full: option.to_owned(), roles: &[] };
        self.on_target(&target, Wanted::Option, |node| {
            let list = node.parent.and_then(|at| self.page.nodes.get(at)).filter(|up| up.role == "combobox");
            list.map_or_else(|| click(node), |list| set(list, &node.name, false))
        })
    }

    fn end(&self) -> Next {
        let acted = self.failure.is_some() || self.steps.iter().any(Step::acts);
        let mut summary = Answer::default();
        if acted || self.findings.is_empty() {
            let mut report: Vec<String> = self.log.iter().map(|line| format!("{}.", begin(line))).collect();
            let mut left = Vec::new();
            if let Some(why) = &self.failure {
                report.push(format!("Could not {}: {why}.", self.steps[self.at].words()));
                left = self.steps[self.at + 1..].iter().map(Step::words).collect();
            }
            summary = summary.numbered(report);
            if !left.is_empty() {
                summary = summary.then(format!("Not tried: {}.", left.join("; ")));
            }
        }
        let outcome = match (&self.failure, self.log.is_empty()) {
            (None, _) if self.unsure => RunStatus::Partial,
            (None, _) => RunStatus::Done,
            (Some(_), false) => RunStatus::Partial,
            (Some(_), true) => RunStatus::Failed,
        };
        Next::End { outcome, summary: summary.and(self.findings.clone()) }
    }
}

/// What the step at hand asks for.
enum Move {
    Calls(Vec<Call>),
    /// Nothing to do: it is so already.
    Already(String),
    Fail(String),
}

fn one(name: &'static str, arguments: Value) -> Move {
    Move::Calls(vec![(name, arguments)])
}

fn click(node: &Node) -> Move {
    one("click_ax", json!({ "ref_id": node.reference }))
}

fn check(node: &Node, on: bool) -> Move {
    let now = node.attribute("checked").is_some_and(|value| value != "false");
    if now == on {
        return Move::Already(format!("{} was already {}", node.label(), if on { "checked" } else { "unchecked" }));
    }
    click(node)
}

fn set(node: &Node, text: &str, submit: bool) -> Move {
    let mut arguments = json!({ "ref_id": node.reference, "text": text });
    if submit {
        arguments["submit"] = Value::Bool(true);
    }
    one("set_field", arguments)
}

/// A finished step as a sentence without its full stop.
fn past(step: &Step) -> String {
    let said = step.words();
    let (verb, rest) = said.split_once(' ').unwrap_or((&said, ""));
    let verb = match verb {
        "open" => "Opened",
        "click" => "Clicked",
        "type" => "Typed",
        "search" => "Searched",
        "choose" => "Chose",
        "check" => "Clicked to check",
        "uncheck" => "Clicked to uncheck",
        "press" => "Pressed",
        "scroll" => "Scrolled",
        "go" => "Went",
        "read" => "Read",
        "find" => "Looked for",
        _ => "Looked",
    };
    format!("{verb} {rest}").trim_end().to_owned()
}

/// A sentence begins with a capital letter.
fn begin(line: &str) -> String {
    let mut chars = line.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A number among the arguments of a call; 1 when it is not there.
fn number(call: &ToolCall, key: &str) -> u32 {
    let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    arguments.get(key).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()).unwrap_or(1)
}

/// What a failed result says: this program's words and the first line of the page's.
fn gist(text: &str) -> String {
    let page = tree::page_lines(text);
    let own = text.lines().take_while(|line| !line.starts_with('<')).filter(|line| !page.contains(line));
    own.chain(page.first().copied()).collect::<Vec<_>>().join("\n")
}

/// Whether a result says that the page stayed as it was.
fn is_unchanged(text: &str) -> bool {
    tree::page_lines(text).iter().any(|line| line.to_ascii_lowercase().starts_with("nothing changed"))
}

/// The address that a result says to open in a new tab; it may be empty.
fn new_tab(text: &str) -> Option<&str> {
    let marks = ["opens a new tab", "opened a new tab", "a new tab opened", "new tab"];
    let rest = text.lines().find_map(|line| marks.iter().find_map(|mark| line.trim().strip_prefix(mark)))?;
    let address = rest.trim_start_matches(':').trim();
    Some(if address.starts_with("http") { address } else { "" })
}

/// Up to four things that could have been meant.
fn near(nodes: &[Node], wanted: Wanted) -> Vec<String> {
    let kind: &[&str] = match wanted {
        Wanted::Field => &["textbox", "searchbox", "combobox", "spinbutton"],
        Wanted::Choice => &["combobox", "listbox"],
        Wanted::Option => &["option", "radio"],
        Wanted::Toggle => &["checkbox", "switch"],
        Wanted::Control => &["button", "link"],
    };
    let mut out: Vec<String> = Vec::new();
    for node in nodes.iter().filter(|n| kind.contains(&n.role.as_str()) && !n.name.is_empty()) {
        if !out.contains(&node.label()) && out.len() < 4 {
            out.push(node.label());
        }
    }
    out
}
