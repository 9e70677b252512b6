//! `wait_for_element` and `wait_for_stable`.

use crate::dom::PageDom;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::observe::{Mutations, show, tree_now};
use crate::outcome::Outcome;
use crate::task::{Deadline, sleep};
use webbrain_page::{Options, is_shown};
use webbrain_tools::{WaitForElement, WaitForStable};

const LOOK_MS: f64 = 100.0;
const USUAL_MS: u32 = 5_000;
const LONGEST_MS: u32 = 20_000;

/// Waits until a selector matches something visible.
pub async fn for_element(args: &WaitForElement, deadline: Deadline) -> Result<Outcome, Fail> {
    let selector = args.selector.trim();
    if js::document().query(selector).is_err() {
        return Err(Fail::Unfit(format!("\"{selector}\" is not a CSS selector.")));
    }
    let limit = f64::from(args.timeout.unwrap_or(USUAL_MS).min(LONGEST_MS));
    let start = js::now();
    loop {
        let matches = js::all(&js::document(), selector);
        if let Some(line) = visible_line(&matches) {
            let ms = js::whole(js::now() - start);
            return Ok(Outcome::new(format!("found after {ms} ms: {line}"), selector));
        }
        if js::now() - start >= limit || deadline.passed() {
            let why = if matches.is_empty() { "nothing matches" } else { "what matches is not visible" };
            return Ok(Outcome {
                text: format!("not found in {} ms: {why}", js::whole(limit)),
                summary: selector.to_owned(),
                failed: true,
                ..Outcome::default()
            });
        }
        sleep(LOOK_MS).await;
    }
}

/// The line of the first visible match.
fn visible_line(matches: &[Node]) -> Option<String> {
    let dom = PageDom::new();
    let node = matches.iter().find(|m| is_shown(&dom, dom.handle(m)) || webbrain_page::is_seen(&dom, dom.handle(m)))?;
    let tree = tree_now(&Options { anchor: Some(dom.handle(node)), ..Options::all() }, &dom);
    show(tree.lines.iter().take(1));
    Some(tree.lines.first().map_or_else(|| format!("<{}>", node.name()), |l| l.body()))
}

/// Waits until the document stops changing.
pub async fn for_stable(args: &WaitForStable, deadline: Deadline) -> Outcome {
    let limit = f64::from(args.timeout.unwrap_or(USUAL_MS).clamp(200, LONGEST_MS));
    let quiet = f64::from(args.quiet_ms.unwrap_or(500).clamp(100, 3_000));
    let mutations = Mutations::watch();
    let start = js::now();
    let mut last_change = start;
    let mut seen = 0;
    loop {
        sleep(LOOK_MS).await;
        let now = js::now();
        let count = mutations.count();
        if count != seen {
            seen = count;
            last_change = now;
        }
        let loading = js::property(&js::document(), "readyState").as_string().is_some_and(|s| s != "complete");
        if now - last_change >= quiet && !loading {
            return Outcome::new(format!("stable after {} ms", js::whole(now - start)), "");
        }
        if now - start >= limit || deadline.passed() {
            let why = if loading { "it is still loading" } else { "it keeps changing" };
            let text = format!("not stable after {} ms: {why}; go on with what is there", js::whole(now - start));
            return Outcome { failed: true, ..Outcome::new(text, "") };
        }
    }
}
