//! Style for the document in memory: the browser's own sheet, simple author sheets and inline style. Enough of CSS for
//! what the tree asks: display, visibility, opacity, boxes that are cut, the cursor, generated content.

use scraper::{ElementRef, Html, Selector};
use std::collections::HashMap;

/// Which box a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Itself,
    Before,
    After,
}

/// Declarations that won, by property.
pub type Style = HashMap<String, String>;

struct Rule {
    selector: Selector,
    part: Part,
    /// `:dir(rtl)` or `:dir(ltr)`, which the selector library does not know.
    dir: Option<String>,
    weight: usize,
    declarations: Vec<(String, String)>,
}

/// All author rules of a document.
pub struct Sheets {
    rules: Vec<Rule>,
}

impl Sheets {
    /// Of the `style` elements.
    pub fn of(html: &Html) -> Sheets {
        let mut rules = Vec::new();
        for node in html.tree.nodes() {
            if node.value().as_element().is_some_and(|e| e.name() == "style") {
                let css: String = node.children().filter_map(|c| c.value().as_text().map(|t| t.to_string())).collect();
                parse(&css, &mut rules);
            }
        }
        rules.sort_by_key(|r| r.weight);
        Sheets { rules }
    }

    /// What the sheets and the element's own `style` say about a part of it.
    pub fn style(&self, element: ElementRef<'_>, part: Part) -> Style {
        let mut out = Style::new();
        for rule in &self.rules {
            if rule.part == part
                && rule.selector.matches(&element)
                && rule.dir.as_deref().is_none_or(|d| d == direction(element))
            {
                out.extend(rule.declarations.iter().cloned());
            }
        }
        if part == Part::Itself {
            out.extend(declarations(element.attr("style").unwrap_or_default()));
        }
        out
    }
}

fn direction(element: ElementRef<'_>) -> String {
    let given = std::iter::once(*element).chain(element.ancestors());
    let found = given.filter_map(ElementRef::wrap).find_map(|e| e.attr("dir").map(str::to_ascii_lowercase));
    found.unwrap_or_else(|| "ltr".to_owned())
}

/// Comments out, everything else kept; strings are respected.
fn without_comments(css: &str) -> String {
    let mut out = String::new();
    let mut rest = css;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at + 2..].find("*/").map_or("", |end| &rest[at + 2 + end + 2..]);
    }
    out + rest
}

/// The text up to one of `ends` outside of strings and brackets, and what follows it.
fn until<'a>(text: &'a str, ends: &[char]) -> (&'a str, Option<(char, &'a str)>) {
    let (mut quote, mut depth, mut escaped) = (None, 0, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if depth == 0 && ends.contains(&c) => {
                return (&text[..at], Some((c, &text[at + c.len_utf8()..])));
            }
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            _ => {}
        }
    }
    (text, None)
}

fn parse(css: &str, rules: &mut Vec<Rule>) {
    let css = without_comments(css);
    let mut rest = css.as_str();
    while let (selectors, Some((_, body))) = until(rest, &['{']) {
        let selectors = selectors.trim();
        if selectors.starts_with("@media") || selectors.starts_with("@layer") || selectors.starts_with("@supports") {
            rest = body; // The rules inside count; the stray brace at the end is dropped with the next selector.
            continue;
        }
        let (block, after) = until(body, &['}']);
        rest = after.map_or("", |(_, r)| r);
        let found: Vec<_> = declarations(block).collect();
        let mut list = selectors.trim_start_matches(['}', ' ', '\n', '\t']);
        while !list.is_empty() {
            let (one, more) = until(list, &[',']);
            rules.extend(rule(one.trim(), &found));
            list = more.map_or("", |(_, r)| r);
        }
    }
}

fn rule(selector: &str, declarations: &[(String, String)]) -> Option<Rule> {
    let lower = selector.to_ascii_lowercase();
    let mut part = Part::Itself;
    let mut base = selector;
    for (suffix, which) in
        [("::before", Part::Before), (":before", Part::Before), ("::after", Part::After), (":after", Part::After)]
    {
        if part == Part::Itself && lower.ends_with(suffix) {
            part = which;
            base = &selector[..selector.len() - suffix.len()];
        }
    }
    let mut base = base.to_owned();
    let mut dir = None;
    for wanted in ["rtl", "ltr"] {
        let name = format!(":dir({wanted})");
        if base.contains(&name) {
            base = base.replace(&name, "");
            dir = Some(wanted.to_owned());
        }
    }
    if base.is_empty() || base.ends_with(' ') {
        base.push('*');
    }
    let count = |what: &[char]| base.chars().filter(|c| what.contains(c)).count();
    let weight = count(&['#']) * 10_000
        + (count(&['.', '[', ':']) + usize::from(dir.is_some())) * 100
        + base.split([' ', '>', '+', '~']).filter(|p| p.starts_with(|c: char| c.is_ascii_alphabetic())).count();
    Some(Rule { selector: Selector::parse(&base).ok()?, part, dir, weight, declarations: declarations.to_vec() })
}

fn declarations(block: &str) -> impl Iterator<Item = (String, String)> {
    let mut rest = block;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (one, more) = until(rest, &[';']);
            rest = more.map_or("", |(_, r)| r);
            if let Some((name, value)) = one.split_once(':') {
                let value = value.trim().trim_end_matches("!important").trim();
                return Some((name.trim().to_ascii_lowercase(), decoded(value)));
            }
        }
        None
    })
}

/// Codes of characters as the characters, which is how a browser gives them back.
fn decoded(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let digits = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len()).min(6);
        match u32::from_str_radix(&after[..digits], 16).ok().and_then(char::from_u32).filter(|c| !c.is_control()) {
            Some(c) => {
                out.push(c);
                rest = after[digits..].strip_prefix(' ').unwrap_or(&after[digits..]);
            }
            None => {
                out.push('\\');
                out.extend(after.chars().next());
                rest = after.get(1..).unwrap_or_default();
            }
        }
    }
    out + rest
}

/// `display` by the browser's own sheet.
pub fn display(element: ElementRef<'_>) -> &'static str {
    let has = |name: &str| element.attr(name).is_some();
    let kind = element.attr("type").unwrap_or_default();
    match element.value().name() {
        _ if has("hidden") => "none",
        "head" | "script" | "style" | "template" | "title" | "meta" | "link" | "base" | "datalist" | "noscript"
        | "noframes" | "param" | "source" | "track" | "rp" | "area" | "desc" | "metadata" => "none",
        "dialog" if !has("open") => "none",
        "audio" if !has("controls") => "none",
        "input" if kind.eq_ignore_ascii_case("hidden") => "none",
        "input" | "select" | "button" | "textarea" | "meter" | "progress" => "inline-block",
        "math" => "math",
        "slot" => "contents",
        "li" | "summary" => "list-item",
        "table" => "table",
        "caption" => "table-caption",
        "tr" => "table-row",
        "td" | "th" => "table-cell",
        "tbody" => "table-row-group",
        "thead" => "table-header-group",
        "tfoot" => "table-footer-group",
        "col" => "table-column",
        "colgroup" => "table-column-group",
        "html" | "body" | "address" | "article" | "aside" | "blockquote" | "center" | "dd" | "details" | "dialog"
        | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "h1" | "h2"
        | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup" | "hr" | "legend" | "listing" | "main" | "menu" | "nav"
        | "ol" | "optgroup" | "option" | "p" | "plaintext" | "pre" | "search" | "section" | "ul" | "xmp" => "block",
        _ => "inline",
    }
}
