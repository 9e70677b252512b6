//! Plain imperative instructions as steps. All of a request is understood, or none of it is carried out.

use url::Url;

/// Something to act on: a name, and the roles that a word such as "button" after it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Name without that word.
    pub name: String,
    /// The name as it was written, should the word be part of it.
    pub full: String,
    /// Roles; empty for any.
    pub roles: &'static [&'static str],
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Load an address.
    Open(String),
    /// Open an address in a new tab.
    NewTab(String),
    /// Activate something.
    Click(Target),
    /// Put text into a field; into the only field when none is named.
    Type(String, Option<Target>),
    /// Type into the search field and submit.
    Search(String),
    /// Choose an option, of a field when one is named.
    Choose(String, Option<Target>),
    /// Set a check box or switch.
    Check(Target, bool),
    /// Press a key some times.
    Press(&'static str, u32),
    /// Scroll.
    Scroll(&'static str),
    /// Back in history.
    Back,
    /// Forward in history.
    Forward,
    /// Give the page's text.
    Read,
    /// Find words in the page's text.
    Find(String),
    /// Say what can be done on the page.
    Describe,
}

impl Step {
    /// Whether it may change something.
    pub fn acts(&self) -> bool {
        !matches!(self, Step::Scroll(_) | Step::Read | Step::Find(_) | Step::Describe)
    }

    /// As a person would say it, with "to" before it.
    pub fn words(&self) -> String {
        let quote = super::words::short;
        let field = |f: &Option<Target>, word: &str| {
            f.as_ref().map_or_else(String::new, |t| format!(" {word} \"{}\"", quote(&t.full)))
        };
        match self {
            Step::Open(url) => format!("open {url}"),
            Step::NewTab(url) => format!("open {url} in a new tab"),
            Step::Click(target) => format!("click \"{}\"", quote(&target.full)),
            Step::Type(text, target) => format!("type \"{}\"{}", quote(text), field(target, "into")),
            Step::Search(text) => format!("search for \"{}\"", quote(text)),
            Step::Choose(option, target) => format!("choose \"{}\"{}", quote(option), field(target, "in")),
            Step::Check(target, true) => format!("check \"{}\"", quote(&target.full)),
            Step::Check(target, false) => format!("uncheck \"{}\"", quote(&target.full)),
            Step::Press(key, 1) => format!("press {key}"),
            Step::Press(key, times) => format!("press {key} {times} times"),
            Step::Scroll(to @ ("up" | "down")) => format!("scroll {to}"),
            Step::Scroll(to) => format!("scroll to the {to}"),
            Step::Back => "go back".to_owned(),
            Step::Forward => "go forward".to_owned(),
            Step::Read => "read the page".to_owned(),
            Step::Find(text) => format!("find \"{}\"", quote(text)),
            Step::Describe => "look at the page".to_owned(),
        }
    }
}

/// The steps of a request.
///
/// # Errors
/// The first part that is no command.
pub fn steps(request: &str) -> Result<Vec<Step>, String> {
    let mut out = Vec::new();
    for part in split(request) {
        out.extend(joined(&part)?);
    }
    if out.is_empty() { Err(request.trim().to_owned()) } else { Ok(out) }
}

/// One part: a command, or several joined by "and" or commas where each side is a command.
fn joined(part: &str) -> Result<Vec<Step>, String> {
    let part = tidy(part);
    if part.is_empty() {
        return Ok(Vec::new());
    }
    let mut cuts: Vec<(usize, usize)> = [" and ", ", "]
        .iter()
        .flat_map(|word| outside_quotes(part, word).into_iter().map(|at| (at, word.len())))
        .collect();
    cuts.sort_unstable();
    for (at, len) in cuts {
        if let (Some(first), Ok(rest)) = (command(tidy(&part[..at])), joined(&part[at + len..]))
            && !rest.is_empty()
        {
            return Ok([vec![first], rest].concat());
        }
    }
    command(part).map(|step| vec![step]).ok_or_else(|| part.to_owned())
}

/// Splits at "then", semicolons, line ends and sentence ends, outside of quotes.
fn split(request: &str) -> Vec<String> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for word in [";", "\n", " then ", ", then ", " and then ", ". "] {
        cuts.extend(outside_quotes(request, word).into_iter().map(|at| (at, word.len())));
    }
    // The longer separator first where two begin together; what overlaps an earlier one is left out.
    cuts.sort_by_key(|(at, len)| (*at, usize::MAX - len));
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, len) in cuts {
        if at >= start {
            parts.push(request[start..at].to_owned());
            start = at + len;
        }
    }
    parts.push(request[start..].to_owned());
    parts
}

/// Where `word` (ASCII, lower case) stands in `text` outside of quotes, in any case.
fn outside_quotes(text: &str, word: &str) -> Vec<usize> {
    let quoted = quotes(text);
    let lower = text.to_ascii_lowercase();
    lower
        .match_indices(word)
        .map(|(at, _)| at)
        .filter(|at| !quoted.iter().any(|(a, b)| (*a..*b).contains(at)))
        .collect()
}

/// Byte ranges of quoted text, quotes included. An apostrophe inside a word is no quote.
fn quotes(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |(_, c)| *c);
        match open {
            None => {
                let closing = match c {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    '\'' if !before.is_alphanumeric() => Some('\''),
                    '‘' => Some('’'),
                    _ => None,
                };
                // A quote that is never closed is none.
                open = closing.filter(|close| text[at + c.len_utf8()..].contains(*close)).map(|close| (at, close));
            }
            Some((start, close)) if c == close && (!matches!(c, '\'' | '’') || !after.is_alphanumeric()) => {
                out.push((start, at + c.len_utf8()));
                open = None;
            }
            Some(_) => {}
        }
        before = c;
    }
    out
}

/// Without quotes around it, and without the sentence's punctuation when there are none.
fn unquote(text: &str) -> String {
    let text = text.trim();
    match quotes(text).first() {
        Some((0, end)) if *end == text.len() => {
            let mut chars = text.chars();
            chars.next();
            chars.next_back();
            chars.as_str().to_owned()
        }
        _ => text.to_owned(),
    }
}

/// Without politeness and connecting words in front, and without punctuation behind.
fn tidy(part: &str) -> &str {
    const FILLERS: &[&str] = &[
        "please ",
        "now ",
        "first, ",
        "first ",
        "next, ",
        "next ",
        "then ",
        "and ",
        "also ",
        "finally, ",
        "finally ",
        "after that, ",
        "after that ",
        "can you ",
        "could you ",
        "would you ",
        "i want you to ",
        "just ",
        "- ",
        "* ",
    ];
    let mut part = part.trim();
    while let Some(filler) = FILLERS.iter().find(|f| starts(part, f)) {
        part = part[filler.len()..].trim_start();
    }
    // "1. click X"
    if let Some((number, rest)) = part.split_once(['.', ')'])
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit())
        && rest.starts_with(' ')
    {
        part = rest.trim_start();
    }
    let part = part.trim_end_matches(['.', '!', '?', ',']).trim_end();
    let please = part.len().saturating_sub(" please".len());
    if part.get(please..).is_some_and(|end| end.eq_ignore_ascii_case(" please")) {
        part[..please].trim_end_matches(',')
    } else {
        part
    }
}

fn starts(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// What follows the first of `verbs` that `text` begins with, as a whole word.
fn after<'a>(text: &'a str, verbs: &[&str]) -> Option<&'a str> {
    verbs.iter().find_map(|verb| {
        let rest = starts(text, verb).then(|| &text[verb.len()..])?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
    })
}

/// One command, tidied.
fn command(text: &str) -> Option<Step> {
    fixed(text)
        .or_else(|| addresses(text))
        .or_else(|| fields(text))
        .or_else(|| keys(text))
        .or_else(|| {
            after(text, &["uncheck", "untick", "deselect", "turn off", "switch off", "disable"])
                .and_then(|t| Some(Step::Check(target(t)?, false)))
        })
        .or_else(|| {
            after(text, &["check", "tick", "turn on", "switch on", "enable"])
                .and_then(|t| Some(Step::Check(target(t)?, true)))
        })
        .or_else(|| {
            let rest = after(text, &["click on", "click", "tap on", "tap", "press on", "press", "push", "activate"])?;
            Some(Step::Click(target(rest)?))
        })
        .or_else(|| after(text, &["search for", "search"]).filter(|t| !t.is_empty()).map(|t| Step::Search(unquote(t))))
        .or_else(|| {
            let rest = after(text, &["find", "look for", "where is"]).filter(|t| !t.is_empty())?;
            let on_page = [" on the page", " on this page", " in the page"]
                .iter()
                .find_map(|end| rest.to_ascii_lowercase().strip_suffix(end).map(str::len));
            Some(Step::Find(unquote(&rest[..on_page.unwrap_or(rest.len())])))
        })
}

/// Commands without a free part.
fn fixed(text: &str) -> Option<Step> {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().filter(|w| !matches!(*w, "the" | "this" | "a" | "me")).collect();
    let step = match words.join(" ").as_str() {
        "go back" | "back" | "go back page" | "previous page" => Step::Back,
        "go forward" | "forward" => Step::Forward,
        "scroll" | "scroll down" | "scroll page down" | "scroll down page" | "page down" => Step::Scroll("down"),
        "scroll up" | "scroll page up" | "scroll up page" | "page up" => Step::Scroll("up"),
        "scroll top" | "scroll to top" | "scroll to top of page" | "go to top" => Step::Scroll("top"),
        "scroll bottom" | "scroll to bottom" | "scroll to bottom of page" | "scroll to end" | "go to bottom" => {
            Step::Scroll("bottom")
        }
        "read" | "read page" | "read it" | "summarise" | "summarize" | "summarise page" | "summarize page"
        | "summarise it" | "summarize it" | "summary" | "what does page say" | "what is page about"
        | "what's page about" => Step::Read,
        "what is on page" | "what's on page" | "what is here" | "what can i do here" | "look at page"
        | "describe page" | "list controls" | "show controls" => Step::Describe,
        _ => return None,
    };
    Some(step)
}

fn addresses(text: &str) -> Option<Step> {
    let rest = after(text, &["open", "go to", "goto", "visit", "navigate to", "load", "browse to"])?;
    let lower = rest.to_ascii_lowercase();
    let tab = [" in a new tab", " in new tab", " in another tab"]
        .iter()
        .find_map(|end| lower.strip_suffix(end).map(str::len));
    let place = unquote(&rest[..tab.unwrap_or(rest.len())]);
    match (address(&place), tab) {
        (Some(url), Some(_)) => Some(Step::NewTab(url)),
        (Some(url), None) => Some(Step::Open(url)),
        (None, Some(_)) => None,
        // Not an address: something on the page.
        (None, None) => Some(Step::Click(target(rest)?)),
    }
}

/// The address that a word means.
fn address(place: &str) -> Option<String> {
    const SITES: &[(&str, &str)] = &[
        ("wikipedia", "https://www.wikipedia.org/"),
        ("google", "https://www.google.com/"),
        ("youtube", "https://www.youtube.com/"),
        ("github", "https://github.com/"),
        ("duckduckgo", "https://duckduckgo.com/"),
        ("gmail", "https://mail.google.com/"),
        ("openstreetmap", "https://www.openstreetmap.org/"),
    ];
    let lower = place.trim().to_lowercase();
    if let Some((_, url)) = SITES.iter().find(|(name, _)| *name == lower) {
        return Some((*url).to_owned());
    }
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return Url::parse(place.trim()).ok().map(String::from);
    }
    let host = lower.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    let local = name == "localhost" || name.parse::<std::net::Ipv4Addr>().is_ok();
    let dotted = name.split('.').count() > 1
        && name.split('.').all(|label| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-'))
        && name.rsplit('.').next().is_some_and(|end| end.chars().count() > 1 && end.chars().all(char::is_alphabetic));
    if lower.contains(char::is_whitespace) || !(local || dotted) || !port.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Url::parse(&format!("{}://{}", if local { "http" } else { "https" }, place.trim())).ok().map(String::from)
}

fn fields(text: &str) -> Option<Step> {
    if let Some(rest) = after(text, &["type in", "type", "enter", "write", "input", "put"]) {
        if key(rest).is_some() {
            return None;
        }
        let cut =
            [" into ", " in ", " to "].iter().find_map(|word| Some((*outside_quotes(rest, word).last()?, word.len())));
        let (value, field) = match cut {
            Some((at, len)) => (&rest[..at], Some(target(&rest[at + len..])?)),
            None => (rest, None),
        };
        // "write a poem" is no command; `write "hello"` is one.
        let other = field.is_none() && !starts(text, "type") && quotes(value).is_empty();
        let value = unquote(value);
        return (!other && !value.trim().is_empty()).then_some(Step::Type(value, field));
    }
    let set = after(text, &["set"])
        .map(|rest| (rest, " to "))
        .or_else(|| Some((after(text, &["fill in", "fill out", "fill"])?, " with ")));
    if let Some((rest, word)) = set {
        let at = *outside_quotes(rest, word).first()?;
        return Some(Step::Type(unquote(&rest[at + word.len()..]), Some(target(&rest[..at])?)));
    }
    let rest = after(text, &["choose", "select", "pick"])?;
    let cut =
        [" from ", " in ", " for "].iter().find_map(|word| Some((*outside_quotes(rest, word).last()?, word.len())));
    let (option, field) = match cut {
        Some((at, len)) => (&rest[..at], Some(target(&rest[at + len..])?)),
        None => (rest, None),
    };
    let option = target(option)?;
    Some(Step::Choose(if option.roles == OPTION { option.name } else { option.full }, field))
}

fn keys(text: &str) -> Option<Step> {
    let rest = after(text, &["press", "hit", "type", "enter"])
        .or_else(|| text.eq_ignore_ascii_case("enter").then_some("enter"))?;
    let lower = rest.to_ascii_lowercase();
    let (name, times) = match lower.strip_suffix(" times").and_then(|t| t.rsplit_once(' ')) {
        Some((name, number)) => (name.to_owned(), number.parse().ok()?),
        None => match lower.strip_suffix(" twice") {
            Some(name) => (name.to_owned(), 2),
            None => (lower, 1),
        },
    };
    // More than three presses at once are not offered by the tool.
    (1..=3).contains(&times).then_some(())?;
    Some(Step::Press(key(&name)?, times))
}

fn key(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let name = name.trim().trim_start_matches("the ").trim_end_matches(" key");
    Some(match name {
        "enter" | "return" => "Enter",
        "escape" | "esc" => "Escape",
        "tab" => "Tab",
        "up" | "arrow up" | "up arrow" | "arrowup" => "ArrowUp",
        "down" | "arrow down" | "down arrow" | "arrowdown" => "ArrowDown",
        "left" | "arrow left" | "left arrow" | "arrowleft" => "ArrowLeft",
        "right" | "arrow right" | "right arrow" | "arrowright" => "ArrowRight",
        _ => return None,
    })
}

const OPTION: &[&str] = &["option", "menuitem", "menuitemradio", "radio", "treeitem"];

/// A name, with the roles that its last word means.
fn target(text: &str) -> Option<Target> {
    const NOUNS: &[(&str, &[&str])] = &[
        ("menu item", &["menuitem", "menuitemradio", "menuitemcheckbox"]),
        ("text box", &["textbox", "searchbox"]),
        ("check box", &["checkbox", "switch"]),
        ("radio button", &["radio", "menuitemradio"]),
        ("drop down", &["combobox", "listbox", "button"]),
        ("text field", &["textbox", "searchbox"]),
        ("button", &["button"]),
        ("link", &["link"]),
        ("tab", &["tab"]),
        ("checkbox", &["checkbox", "switch"]),
        ("switch", &["switch", "checkbox"]),
        ("toggle", &["switch", "checkbox", "button"]),
        ("radio", &["radio", "menuitemradio"]),
        ("field", &["textbox", "searchbox", "combobox", "spinbutton", "slider"]),
        ("input", &["textbox", "searchbox", "combobox", "spinbutton", "slider"]),
        ("box", &["textbox", "searchbox", "combobox", "spinbutton", "checkbox"]),
        ("textbox", &["textbox", "searchbox"]),
        ("dropdown", &["combobox", "listbox", "button"]),
        ("list", &["combobox", "listbox", "list"]),
        ("option", OPTION),
    ];
    let text = text.trim();
    let quoted = quotes(text).first() == Some(&(0, text.len())) && !text.is_empty();
    let bare = ["on ", "the ", "a ", "an "]
        .iter()
        .fold(text, |t, article| if starts(t, article) { t[article.len()..].trim_start() } else { t });
    let full = unquote(bare);
    if full.trim().is_empty() {
        return None;
    }
    if !quoted {
        let lower = bare.to_ascii_lowercase();
        for (noun, roles) in NOUNS {
            if let Some(before) = lower.strip_suffix(noun).filter(|b| b.ends_with(' ')) {
                let name = unquote(bare[..before.len()].trim());
                if !name.is_empty() {
                    return Some(Target { name, full, roles });
                }
            }
        }
    }
    Some(Target { name: full.clone(), full, roles: &[] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn check(request: &str, expected: Expect) {
        let got = match steps(request) {
            Ok(steps) => steps.iter().map(Step::words).collect::<Vec<_>>().join(" | "),
            Err(part) => format!("? {part}"),
        };
        expected.assert_eq(&got);
    }

    #[test]
    fn commands_of_every_kind() {
        check("open example.com", expect!["open https://example.com/"]);
        check("Go to http://localhost:3000/a?b=C", expect!["open http://localhost:3000/a?b=C"]);
        check("visit 127.0.0.1:8080", expect!["open http://127.0.0.1:8080/"]);
        check("open Wikipedia in a new tab", expect!["open https://www.wikipedia.org/ in a new tab"]);
        check("open the Settings menu", expect![[r#"click "Settings menu""#]]);
        check("click on the \"Log in\" button.", expect![[r#"click ""Log in" button""#]]);
        check("press Save", expect![[r#"click "Save""#]]);
        check("press Enter", expect!["press Enter"]);
        check("hit the down arrow 3 times", expect!["press ArrowDown 3 times"]);
        check("type 'it''s fine' into Name", expect![[r#"type "'it''s fine'" into "Name""#]]);
        check("type I live in Paris in City", expect![[r#"type "I live in Paris" into "City""#]]);
        check("enter \"a, then b; c\" into the Notes field", expect![[r#"type "a, then b; c" into "Notes field""#]]);
        check("set Title to How to bake", expect![[r#"type "How to bake" into "Title""#]]);
        check("fill in Email with me@x.example", expect![[r#"type "me@x.example" into "Email""#]]);
        check("choose Every 2 months in Billing period", expect![[r#"choose "Every 2 months" in "Billing period""#]]);
        check("select the Blue option", expect![[r#"choose "Blue""#]]);
        check("uncheck the Newsletter checkbox", expect![[r#"uncheck "Newsletter checkbox""#]]);
        check("turn on Dark mode", expect![[r#"check "Dark mode""#]]);
        check("scroll to the bottom", expect!["scroll to the bottom"]);
        check("please summarize this page!", expect!["read the page"]);
        check("find shipping costs on this page", expect![[r#"find "shipping costs""#]]);
        check("What is on this page?", expect!["look at the page"]);
        check("search for red shoes", expect![[r#"search for "red shoes""#]]);
    }

    #[test]
    fn several_commands_are_taken_apart() {
        check(
            "open a.example, then click Next; go back",
            expect![[r#"open https://a.example/ | click "Next" | go back"#]],
        );
        check("type hello into Search and press enter", expect![[r#"type "hello" into "Search" | press Enter"#]]);
        check("click Salt and pepper", expect![[r#"click "Salt and pepper""#]]);
        check(
            "Click Add. Set Name to namaz and then click Save",
            expect![[r#"click "Add" | type "namaz" into "Name" | click "Save""#]],
        );
        check("1. click A\n2. click B", expect!["? 1"]);
        check("click A, click B, and scroll down", expect![[r#"click "A" | click "B" | scroll down"#]]);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        check(
            "create a product named 'namaz', 500 CNY, every 2 months",
            expect!["? create a product named 'namaz', 500 CNY, every 2 months"],
        );
        check("click Save then make me happy", expect!["? make me happy"]);
        check("", expect!["? "]);
        check("click", expect!["? click"]);
        check("how are you?", expect!["? how are you"]);
    }

    #[test]
    fn the_word_for_a_role_is_taken_off_the_name() {
        let of = |text: &str| target(text).map(|t| (t.name, t.roles.first().copied())).unwrap();
        assert_eq!(of("the \"Log in\" button"), ("Log in".to_owned(), Some("button")));
        assert_eq!(of("Name field"), ("Name".to_owned(), Some("textbox")));
        assert_eq!(of("\"Price list\""), ("Price list".to_owned(), None));
        assert_eq!(of("button"), ("button".to_owned(), None));
    }

    proptest! {
        #[test]
        fn it_never_panics(text in "(click|type|set|to|in|into|open|press|choose|then|and|;|,|\\.|\"|'|“|”|é|x\\.y|enter| |\n){0,16}") {
            let _ = steps(&text);
        }
    }
}
