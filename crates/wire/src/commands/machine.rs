//! Where a request stands, folded from the calls that were made and their results, and what comes next.

use super::parse::{Step, Target};
use super::tree::{self, Node, Pick, Wanted};
use super::words;
use serde_json::{Value, json};
use webbrain_protocol::ToolCall;

/// What comes next.
pub(super) enum Next {
    /// This call.
    Call(&'static str, Value),
    /// The end.
    End {
        /// Outcome of `done`.
        outcome: &'static str,
        /// For the user.
        summary: String,
    },
}

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
    findings: Vec<String>,
    page: Page,
    /// A popup was opened for the option of a `choose`.
    opened: bool,
    /// What the user answered to "which one?".
    answer: Option<String>,
}

/// What is known of the page for the step at hand.
#[derive(Default)]
struct Page {
    nodes: Vec<Node>,
    /// Trees read: interactive, whole, and the same again after waiting.
    reads: u32,
    /// The page of a long tree that was read last, and how many there are.
    part: (u32, u32),
    waited: bool,
    headings: Option<String>,
    text: Option<String>,
}

/// Pages of a long tree that are looked through for a target.
const MAX_PARTS: u32 = 6;

impl<'a> Machine<'a> {
    pub fn new(steps: &'a [Step], has: &'a dyn Fn(&str) -> bool) -> Self {
        Machine {
            steps,
            has,
            at: 0,
            log: Vec::new(),
            failure: None,
            findings: Vec::new(),
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
            "get_accessibility_tree" if ok => self.read_tree(text),
            "extract_data" => self.page.headings = Some(if ok { lines(text) } else { String::new() }),
            "read_page" if ok => {
                self.page.text = Some(lines(text));
            }
            "wait_for_stable" => {
                self.page = Page { waited: true, ..Page::default() };
            }
            "clarify" if ok => self.answer = Some(text.trim_start_matches("The user answered:").trim().to_owned()),
            "click_ax" if ok && self.opens_popup() => {
                self.opened = true;
                self.page = Page::default();
            }
            _ if ok => self.step_done(call, text),
            _ => self.failure = Some(words::clip(&one_line(text), 200)),
        }
        self.finish_reading();
    }

    fn read_tree(&mut self, text: &str) {
        self.page.part = parts_of(text);
        if self.page.part.0 <= 1 {
            self.page.nodes.clear();
            self.page.reads += 1;
        }
        let offset = self.page.nodes.len();
        self.page
            .nodes
            .extend(tree::parse(text).into_iter().map(|node| Node { parent: node.parent.map(|p| p + offset), ..node }));
        self.page.text.get_or_insert_default().push_str(&format!("\n{}", lines(text)));
    }

    /// Whether the click at hand opens the list of a `choose` rather than ending the step.
    fn opens_popup(&self) -> bool {
        matches!(&self.steps[self.at], Step::Choose(_, Some(_))) && !self.opened
    }

    fn step_done(&mut self, call: &ToolCall, text: &str) {
        let step = &self.steps[self.at];
        let lower = text.to_ascii_lowercase();
        let unchanged = lower.contains("nothing changed") && !matches!(step, Step::Scroll(_));
        let note = if unchanged { " (the page showed no change)" } else { "" };
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
        let finding = match step {
            Step::Read => match (&page.headings, &page.text) {
                (Some(headings), Some(text)) => reading(headings, text),
                _ => return,
            },
            Step::Find(wanted) => match &page.text {
                // Not in the main text: look at the whole tree before giving up.
                Some(text) if page.reads > 0 || contains(text, wanted) => found(text, wanted),
                _ => return,
            },
            Step::Describe if page.reads > 0 => describe(&page.nodes),
            _ => return,
        };
        let line = past(step);
        self.findings.push(finding);
        self.next_step(line);
    }

    /// What to do now.
    pub fn next(&mut self) -> Next {
        loop {
            if self.failure.is_some() || self.at >= self.steps.len() {
                return self.end();
            }
            match self.step(&self.steps[self.at]) {
                Move::Call(name, _) if !(self.has)(name) => self.failure = Some(words::no_tool(name)),
                Move::Call(name, arguments) => return Next::Call(name, arguments),
                Move::Fail(why) => self.failure = Some(why),
                Move::Already(line) => self.next_step(line),
            }
        }
    }

    fn step(&self, step: &Step) -> Move {
        match step {
            Step::Open(url) => Move::Call("navigate", json!({ "url": url })),
            Step::NewTab(url) => Move::Call("new_tab", json!({ "url": url })),
            Step::Back => Move::Call("go_back", json!({})),
            Step::Forward => Move::Call("go_forward", json!({})),
            Step::Scroll(direction) => Move::Call("scroll", json!({ "direction": direction })),
            Step::Press(key, 1) => Move::Call("press_keys", json!({ "key": key })),
            Step::Press(key, times) => Move::Call("press_keys", json!({ "key": key, "repeat": times })),
            Step::Read if self.page.headings.is_none() => Move::Call("extract_data", json!({ "type": "headings" })),
            Step::Read => Move::Call("read_page", json!({})),
            Step::Find(_) if self.page.text.is_none() => Move::Call("read_page", json!({ "includeChrome": true })),
            Step::Find(_) => Move::Call("get_accessibility_tree", json!({ "filter": "all" })),
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

    /// Reads the tree: controls only first, the rest of a long one, then all of it, then once more after waiting.
    fn look(&self) -> Move {
        let page = &self.page;
        let (part, parts) = page.part;
        let filter = if page.reads == 2 { "all" } else { "interactive" };
        if page.reads > 0 && part < parts.min(MAX_PARTS) {
            return Move::Call("get_accessibility_tree", json!({ "filter": filter, "page": part + 1 }));
        }
        match page.reads {
            0 => Move::Call("get_accessibility_tree", json!({ "filter": "interactive" })),
            1 => Move::Call("get_accessibility_tree", json!({ "filter": "all" })),
            _ if !page.waited && (self.has)("wait_for_stable") => Move::Call("wait_for_stable", json!({})),
            _ => Move::Fail(String::new()),
        }
    }

    /// Finds the target, or looks further for it, or asks which one is meant; then does `act` to it.
    fn on_target(&self, target: &Target, wanted: Wanted, act: impl Fn(&Node) -> Move) -> Move {
        if self.page.reads == 0 {
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
                Move::Fail(_) => Move::Fail(words::no_target(&target.full, &near(nodes, wanted))),
                further => further,
            },
        }
    }

    /// Asks which of several is meant, or acts on the one that the user named.
    fn which(&self, name: &str, all: &[usize], act: impl Fn(&Node) -> Move) -> Move {
        let nodes = &self.page.nodes;
        let mut options: Vec<String> =
            all.iter().enumerate().map(|(place, at)| tree::describe(nodes, *at, place)).collect();
        // Words that fit two of them tell neither: add their place.
        for place in 0..options.len() {
            if options.iter().filter(|o| **o == options[place]).count() > 1 {
                options[place] = format!("{} (number {})", options[place], place + 1);
            }
        }
        match &self.answer {
            Some(answer) => {
                let answer = tree::plain(answer);
                let exact = options.iter().position(|o| tree::plain(o) == answer);
                let partly: Vec<usize> =
                    (0..all.len()).filter(|i| tree::plain(&options[*i]).contains(&answer)).collect();
                match (exact, &partly[..]) {
                    (Some(place), _) => act(&nodes[all[place]]),
                    (None, [place]) if !answer.is_empty() => act(&nodes[all[*place]]),
                    _ => Move::Fail(words::unclear(name)),
                }
            }
            None => {
                options.truncate(4);
                Move::Call("clarify", json!({ "question": words::which(name), "options": options }))
            }
        }
    }

    /// Types into the focused field, or into the only one.
    fn only_field(&self, text: &str) -> Move {
        if self.page.reads == 0 {
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
                Move::Fail(_) => Move::Fail("there is no field to type into on the page".to_owned()),
                further => further,
            },
            (_, all) => self.which("field", all, |node| set(node, text, false)),
        }
    }

    fn search(&self, text: &str) -> Move {
        if self.page.reads == 0 {
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
        let mut text = self.findings.join("\n\n");
        let only_read = self.steps.iter().all(|step| !step.acts()) && self.failure.is_none();
        if !only_read || text.is_empty() {
            let numbered = self.log.iter().enumerate().map(|(n, line)| format!("{}. {line}.", n + 1));
            let mut report: Vec<String> = numbered.collect();
            if let Some(why) = &self.failure {
                report.push(format!("{}. Could not {}: {why}.", self.at + 1, self.steps[self.at].words()));
                let left = self.steps[self.at + 1..].iter().map(|step| format!("Not tried: {}.", step.words()));
                report.extend(left);
            }
            let report = report.join("\n");
            text = if text.is_empty() { report } else { format!("{report}\n\n{text}") };
        }
        let outcome = match (&self.failure, self.log.is_empty()) {
            (None, _) => "success",
            (Some(_), false) => "partial",
            (Some(_), true) => "failed",
        };
        Next::End { outcome, summary: text }
    }
}

/// What the step at hand asks for.
enum Move {
    Call(&'static str, Value),
    /// Nothing to do: it is so already.
    Already(String),
    Fail(String),
}

fn click(node: &Node) -> Move {
    Move::Call("click_ax", json!({ "ref_id": node.reference }))
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
    Move::Call("set_field", arguments)
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

/// `[page 2 of 5` in a tree that was cut.
fn parts_of(text: &str) -> (u32, u32) {
    let numbers = text.lines().rev().find_map(|line| {
        let (page, rest) = line.trim().strip_prefix("[page ")?.split_once(" of ")?;
        let pages = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((page.parse().ok()?, pages.parse().ok()?))
    });
    numbers.unwrap_or((1, 1))
}

fn lines(text: &str) -> String {
    tree::page_lines(text).join("\n")
}

fn one_line(text: &str) -> String {
    let text = lines(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}

fn contains(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(&wanted.to_lowercase())
}

fn reading(headings: &str, text: &str) -> String {
    let mut out = words::reading_note();
    let headings: Vec<&str> = headings.lines().map(str::trim).filter(|l| !l.is_empty()).take(20).collect();
    if !headings.is_empty() {
        out.push_str(&format!(
            "\n\nHeadings:\n{}",
            headings.iter().map(|h| format!("- {h}")).collect::<Vec<_>>().join("\n")
        ));
    }
    let text = text.trim();
    if text.is_empty() {
        out.push_str("\n\nThe page has no text that can be read.");
    } else {
        out.push_str(&format!("\n\nThe text begins:\n{}", words::clip(text, 1_200)));
    }
    out
}

fn found(text: &str, wanted: &str) -> String {
    let hits: Vec<&str> = text.lines().map(str::trim).filter(|line| contains(line, wanted)).collect();
    if hits.is_empty() {
        return format!("\"{}\" is not in the text of this page.", words::short(wanted));
    }
    let shown: Vec<String> = hits.iter().take(8).map(|line| format!("- {}", words::clip(line, 200))).collect();
    let count = if hits.len() == 1 { "1 place".to_owned() } else { format!("{} places", hits.len()) };
    format!("\"{}\" is in {count} on this page:\n{}", words::short(wanted), shown.join("\n"))
}

fn describe(nodes: &[Node]) -> String {
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
            let shown: Vec<String> = names.iter().take(12).map(|n| words::clip(n, 40)).collect();
            out.push(format!("{kind}: {}{more}", shown.join(", ")));
        }
    }
    if out.is_empty() {
        "I see nothing on this page that can be clicked or filled in.".to_owned()
    } else {
        out.join("\n")
    }
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
