//! The reading tools: the tree, the text, the selection.

use crate::dom::PageDom;
use crate::fail::Fail;
use crate::focus::deep_active;
use crate::js::{self, Node};
use crate::observe::{keep_frames, show, tree_now};
use crate::outcome::Outcome;
use crate::{kept, secret, state, target};
use std::rc::Rc;
use webbrain_page::{Options, paginate, text};
use webbrain_tools::{Filter, GetAccessibilityTree, ReadPage, RefId};

/// Characters of text that make a part of the page worth being called its article.
const ARTICLE_CHARS: usize = 300;
/// Where the main text usually is, best first.
const ARTICLES: [&str; 6] = ["[itemprop=articleBody]", "article", "main", "[role=main]", "#content", "#main"];

/// `get_accessibility_tree`. `within`: the ref that stands for this whole document.
pub fn tree(args: &GetAccessibilityTree, within: Option<RefId>) -> Result<Outcome, Fail> {
    let anchor = match args.ref_id.as_ref().filter(|asked| within.as_ref() != Some(*asked)) {
        Some(reference) => Some(target::find(reference)?.0),
        None => None,
    };
    // No page has this many levels.
    let max_depth = args.max_depth.map(|d| d.min(500) as usize);
    let options =
        Options { filter: args.filter, max_depth, anchor: None, hidden_text: args.include_hidden == Some(true) };
    let (dom, tree) = match anchor {
        None => kept::whole(&options),
        Some(anchor) => {
            let dom = PageDom::new();
            let tree = tree_now(&Options { anchor: Some(dom.handle(&anchor)), ..options }, &dom);
            (Rc::new(dom), Rc::new(tree))
        }
    };
    let filter = match args.filter {
        Filter::All => "",
        Filter::Visible => "filter visible, ",
        Filter::Interactive => "filter interactive, ",
    };
    let how = match &args.ref_id {
        Some(reference) => format!("get_accessibility_tree with {filter}ref_id {reference}, page"),
        None => format!("get_accessibility_tree with {filter}page"),
    };
    let lines = tree.render();
    if lines.is_empty() {
        return Ok(Outcome::new("[nothing to show with this filter]", "0"));
    }
    // The pages of a frame that cannot be read from here are those of its document.
    let asked = if lines.len() == 1 { 1 } else { args.page.unwrap_or(1) as usize };
    let page = state::with(|s| s.revisions.page(&lines, args.max_chars.map(|c| c as usize), asked, &how));
    let shown = tree.lines.get(page.lines).unwrap_or_default();
    show(shown.iter());
    keep_frames(&dom, shown, page.head);
    Ok(Outcome::new(page.text, lines.len().to_string()))
}

/// `read_page`.
pub fn page(args: &ReadPage) -> Outcome {
    let chrome = args.include_chrome == Some(true);
    let dom = PageDom::new();
    let (source, lines) = main_text(&dom, chrome);
    if lines.is_empty() {
        return Outcome::new("[the page shows no text; get_accessibility_tree lists its controls]", "0");
    }
    let how = if chrome { "read_page with includeChrome true, page" } else { "read_page with page" };
    let mut page = state::with(|s| s.revisions.page(&lines, None, args.page.unwrap_or(1) as usize, how)).text;
    page.insert_str(0, &format!("[text of {source}]\n"));
    Outcome::new(page, lines.len().to_string())
}

fn main_text(dom: &PageDom, chrome: bool) -> (String, Vec<String>) {
    if !chrome {
        for selector in ARTICLES {
            let found: Vec<Node> = js::all(&js::document(), selector);
            // Several articles are a list of them, and none is the page's text.
            if found.len() != 1 {
                continue;
            }
            let lines = webbrain_page::read(dom, dom.handle(&found[0]), false);
            if lines.iter().map(|l| text::len(l)).sum::<usize>() >= ARTICLE_CHARS {
                return (format!("the part {selector}"), lines);
            }
        }
    }
    let body = js::document().body().unwrap_or_else(js::document);
    let lines = webbrain_page::read(dom, dom.handle(&body), chrome);
    if lines.is_empty() && !chrome {
        let all = webbrain_page::read(dom, dom.handle(&body), true);
        return ("the whole page, menus included".to_owned(), all);
    }
    (if chrome { "the whole page, menus included" } else { "the page without its menus" }.to_owned(), lines)
}

/// `get_selection`.
pub fn selection() -> Outcome {
    let mut chosen = js::selection().map(|s| s.to_text()).unwrap_or_default();
    if chosen.trim().is_empty()
        && let Some(field) = deep_active().filter(|f| f.is("input,textarea"))
    {
        chosen = selected_in(&field).unwrap_or_default();
    }
    if chosen.trim().is_empty() {
        return Outcome::new("[nothing is selected]", "");
    }
    let lines: Vec<String> = chosen.lines().map(text::collapse).filter(|l| !l.is_empty()).collect();
    let page = paginate(&lines, None, 1, "read_page for more of the text, page");
    Outcome::new(page.text, text::clip(&text::collapse(&chosen), 60))
}

fn selected_in(field: &Node) -> Option<String> {
    if field.name() == "input" && secret::is_secret(field) {
        return None;
    }
    let start = field.selection_start().as_f64()? as usize;
    let end = field.selection_end().as_f64()? as usize;
    let units: Vec<u16> = field.value_text().encode_utf16().collect();
    units.get(start..end).map(String::from_utf16_lossy)
}
