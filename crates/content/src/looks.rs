//! Tools that only look: text on the page, its controls, its components, its source, an element's styles.

use crate::collector;
use crate::dom::PageDom;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::json::Json;
use crate::node::invoke;
use crate::observe::show;
use crate::outcome::Outcome;
use crate::{kept, secret, state, target};
use webbrain_page::{HARD_CHARS, Line, Options, Page, Role, describe, is_seen, is_shown, paginate, text};
use webbrain_tools::{Filter, RefId};

/// Characters of an attribute and of a rule.
const VALUE_CHARS: usize = 800;
const RULE_CHARS: usize = 300;
/// Elements around the one that is inspected, and rules of style that are listed.
const ANCESTORS: usize = 5;
const RULES: usize = 30;
/// Computed properties that are listed.
const PROPERTIES: &str = "display position visibility opacity zIndex overflowX overflowY width height margin padding border \
    boxSizing flex gridArea color backgroundColor font lineHeight textAlign cursor pointerEvents transform";

/// Carries a call out.
pub fn look(call: &Json) -> Result<Outcome, Fail> {
    let with = call.at("with");
    let page = with.number("page").unwrap_or(1) as usize;
    match call.text("name").unwrap_or_default().as_str() {
        "find_text" => find(&with.text("text").unwrap_or_default(), with.flag("matchCase") == Some(true), page),
        "get_interactive_elements" => Ok(controls(page)),
        "get_shadow_dom" => {
            let hosts = js::nodes(&collector::hosts());
            Ok(listed(&hosts, page, "get_shadow_dom", "[no component has a shadow tree that can be entered]"))
        }
        "shadow_dom_query" => {
            let found = everywhere(&with.text("selector").unwrap_or_default())?;
            Ok(listed(&found, page, "shadow_dom_query", "[nothing matches, in no shadow tree either]"))
        }
        "read_page_source" => Ok(source(page)),
        "inspect_element_styles" => inspect(call.reference(), with.text("selector")),
        _ => Err(Fail::Unfit("This tool is not known here; the extension was updated: reload the page.".to_owned())),
    }
}

fn everywhere(selector: &str) -> Result<Vec<Node>, Fail> {
    let found = collector::everywhere(selector);
    Ok(js::nodes(&found.map_err(|_| Fail::Unfit(format!("\"{selector}\" is not a CSS selector.")))?))
}

fn paged(lines: &[String], page: usize, how: &str) -> Page {
    state::with(|s| s.revisions.page(lines, None, page, how))
}

/// `find_text`: the lines of the tree that hold it, each with what it is in. The first is scrolled to.
fn find(wanted: &str, match_case: bool, page: usize) -> Result<Outcome, Fail> {
    let wanted = text::collapse(wanted);
    if wanted.is_empty() {
        return Err(Fail::Unfit("Say which text to find.".to_owned()));
    }
    let (dom, tree) = kept::whole(&Options::all());
    // One call for all: the browser knows how to fold case in every language.
    let bodies: Vec<String> = tree.lines.iter().map(Line::body).collect();
    let fold = |all: &str| if match_case { all.to_owned() } else { js::lower(all) };
    let folded = fold(&text::joined(&bodies, "\n"));
    let needle = fold(&wanted);
    let hits: Vec<usize> =
        folded.split('\n').enumerate().filter(|(_, body)| text::has(body, &needle)).map(|(at, _)| at).collect();
    let around = |at: usize| (0..at).rev().find(|up| tree.lines[*up].depth < tree.lines[at].depth);
    let lines: Vec<String> = hits
        .iter()
        .map(|&at| match around(at) {
            Some(up) => format!("{}  (in {} \"{}\")", bodies[at], tree.lines[up].role.name(), tree.lines[up].name),
            None => bodies[at].clone(),
        })
        .collect();
    let Some(&first) = hits.first() else {
        return Ok(Outcome::new(format!("[\"{wanted}\" is nowhere on the page as it is shown now]"), "0"));
    };
    match tree.lines[first].node {
        Some(node) => {
            let options = js::object(&[("block", "center".into()), ("behavior", "instant".into())]);
            dom.node(node).scroll_into_view(&options);
        }
        // A text has no element of its own: the browser finds, selects and shows it.
        None => {
            let how = [wanted.as_str().into(), match_case.into(), false.into(), true.into()];
            let _ = invoke(&js::window(), "find", &how);
        }
    }
    let out = paged(&lines, page, "find_text with page");
    show(hits.get(out.lines).unwrap_or_default().iter().map(|at| &tree.lines[*at]));
    Ok(Outcome::new(out.text, lines.len().to_string()))
}

/// `get_interactive_elements`: the controls in the order of the page, numbered.
fn controls(page: usize) -> Outcome {
    let tree = kept::whole(&Options { filter: Filter::Interactive, ..Options::all() }).1;
    let controls: Vec<&Line> = tree.lines.iter().filter(|line| line.control).collect();
    if controls.is_empty() {
        return Outcome::new("[the page shows no control]", "0");
    }
    let lines: Vec<String> =
        controls.iter().enumerate().map(|(at, line)| format!("{}. {}", at + 1, line.body())).collect();
    let out = paged(&lines, page, "get_interactive_elements with page");
    show(controls.get(out.lines).unwrap_or_default().iter().copied());
    Outcome::new(out.text, lines.len().to_string())
}

/// Elements as lines with refs.
fn listed(nodes: &[Node], page: usize, tool: &str, none: &str) -> Outcome {
    if nodes.is_empty() {
        return Outcome::new(none, "0");
    }
    let dom = PageDom::new();
    let lines: Vec<Line> = nodes.iter().map(|node| line_of(&dom, node)).collect();
    let bodies: Vec<String> = lines.iter().map(Line::body).collect();
    let out = paged(&bodies, page, &format!("{tool} with page"));
    show(lines.get(out.lines).unwrap_or_default().iter());
    Outcome::new(out.text, lines.len().to_string())
}

fn line_of(dom: &PageDom, node: &Node) -> Line {
    let id = dom.handle(node);
    let (role, name) = describe(dom, id, Role::Text, false);
    let mut line = Line::element(id, role, name);
    line.reference = state::with(|s| s.registry.number(dom, id));
    line.attrs = format!(" {}", tag_of(node));
    if node.shadow_root().is_some() {
        line.attrs.push_str(" shadow=open");
    } else if collector::is_host(node) {
        line.attrs.push_str(" shadow=closed");
    }
    if !is_seen(dom, id) && !is_shown(dom, id) {
        line.attrs.push_str(" hidden");
    }
    line
}

/// `<div#id.class>`.
fn tag_of(node: &Node) -> String {
    let mut out = format!("<{}", node.name());
    if let Some(id) = node.attribute("id").filter(|id| !id.is_empty()) {
        out.push('#');
        out.push_str(&text::clip(&id, 60));
    }
    for class in node.attribute("class").unwrap_or_default().split_ascii_whitespace().take(4) {
        out.push('.');
        out.push_str(&text::clip(class, 40));
    }
    out.push('>');
    out
}

/// `read_page_source`: the HTML as it is now. What password fields hold is left out.
fn source(page: usize) -> Outcome {
    let document = js::document();
    let Some(root) = document.document_element() else { return Outcome::new("[the document is empty]", "0") };
    let Some(copy) = root.inert_copy() else { return Outcome::new("[the document cannot be read]", "0") };
    for (input, copied) in js::all(&root, "input").iter().zip(js::all(&copy, "input")) {
        if secret::is_secret(input) && copied.attribute("value").is_some() {
            copied.set_attribute("value", "");
        }
    }
    let html = invoke(&copy, "getHTML", &[]).ok().and_then(|html| html.as_string()).unwrap_or_default();
    let room = HARD_CHARS - 200;
    let pages = text::len(&html).div_ceil(room).max(1);
    if page > pages {
        return Outcome::new(format!("[page {page} does not exist: there are {pages}]"), "0");
    }
    let page = page.max(1);
    let part: String = html.chars().skip((page - 1) * room).take(room).collect();
    let next =
        if page < pages { format!("; read_page_source with page: {} for more", page + 1) } else { String::new() };
    Outcome::new(format!("[source, page {page} of {pages}{next}]\n{part}"), "")
}

/// `inspect_element_styles`.
fn inspect(reference: Option<RefId>, selector: Option<String>) -> Result<Outcome, Fail> {
    let node = match (&reference, selector) {
        (Some(reference), _) => target::find(reference)?.0,
        (None, Some(selector)) => everywhere(&selector)?
            .into_iter()
            .next()
            .ok_or_else(|| Fail::Unfit(format!("Nothing matches \"{selector}\".")))?,
        (None, None) => js::document().body().unwrap_or_else(js::document),
    };
    let dom = PageDom::new();
    let line = line_of(&dom, &node);
    let summary = line.name.clone();
    let mut out = line.body();
    let rect = node.bounds();
    out.push_str(&format!(
        "\nbox: x {} y {} width {} height {}\ncomputed:",
        js::whole(rect.x()),
        js::whole(rect.y()),
        js::whole(rect.width()),
        js::whole(rect.height())
    ));
    let style = js::computed_style(&node);
    for property in PROPERTIES.split_ascii_whitespace() {
        out.push_str(&format!("\n {property}: {}", text::clip(&style.read(property), VALUE_CHARS)));
    }
    if let Some(own) = node.attribute("style") {
        out.push_str(&format!("\ninline: {}", text::clip(&own, VALUE_CHARS)));
    }
    let rules = collector::rules(&node);
    let rules: Vec<&str> = rules.split('\n').filter(|rule| !rule.is_empty()).collect();
    out.push_str(&format!("\nrules that match: {}", rules.len()));
    for rule in rules.iter().take(RULES) {
        out.push_str(&format!("\n {}", text::clip(rule, RULE_CHARS)));
    }
    out.push_str("\nin:");
    let mut at = node.flat_parent();
    for _ in 0..ANCESTORS {
        let Some(parent) = at.filter(|p| p.node_type() == 1) else { break };
        let style = js::computed_style(&parent);
        out.push_str(&format!("\n {} {} {}", tag_of(&parent), style.read("display"), style.read("position")));
        at = parent.flat_parent();
    }
    show(std::iter::once(&line));
    let lines: Vec<String> = out.split('\n').map(str::to_owned).collect();
    Ok(Outcome::new(paginate(&lines, Some(HARD_CHARS), 1, "read_page_source for more, page").text, summary))
}
