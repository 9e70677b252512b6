//! `scroll`: finds what scrolls, moves it, says how far it got.

use crate::collector::can_scroll;
use crate::fail::Fail;
use crate::focus::deep_active;
use crate::js::{self, Node, WeakRef};
use crate::observe::Before;
use crate::outcome::{Outcome, touch};
use crate::task::Deadline;
use crate::{state, target, words};
use webbrain_tools::{Direction, Scroll};

/// Share of the container's height that is scrolled by default: some of the old stays in view.
const SHARE: f64 = 0.85;
/// Share of the viewport that a container must take to be chosen without being asked for.
const LARGE: f64 = 0.15;

/// Something that scrolls.
pub struct Container {
    node: Node,
    whole_page: bool,
}

impl Container {
    /// Scrolls by px.
    pub fn scroll_by(&self, dx: f64, dy: f64) {
        let left = js::property(&self.node, "scrollLeft").as_f64().unwrap_or(0.0);
        self.move_to(left + dx, self.node.scroll_top() + dy);
    }

    fn move_to(&self, left: f64, top: f64) {
        // `instant` overrides smooth scrolling by style, whose end could not be waited for.
        let to = js::object(&[("left", left.into()), ("top", top.into()), ("behavior", "instant".into())]);
        self.node.scroll_to(&to);
    }

    fn reach(&self) -> f64 {
        (self.node.scroll_height() - self.height()).max(0.0)
    }

    fn height(&self) -> f64 {
        if self.whole_page { js::window_number("innerHeight") } else { self.node.client_height() }
    }

    fn words(&self) -> String {
        if self.whole_page { "the page".to_owned() } else { words::words(&self.node) }
    }
}

/// The nearest container of `near`, else the page if it scrolls, else the largest container.
pub fn container(near: Option<&Node>) -> Container {
    let page = js::document().scrolling_element().or_else(|| js::document().body()).unwrap_or_else(js::document);
    let mut at = near.cloned();
    while let Some(here) = at {
        if here.node_type() != 1 || matches!(here.name().as_str(), "body" | "html") {
            break;
        }
        let editable = here.is("textarea,input,select") || here.is_content_editable().is_truthy();
        if !editable && can_scroll(&here) {
            return Container { node: here, whole_page: false };
        }
        at = here.flat_parent();
    }
    if page.scroll_height() > js::window_number("innerHeight") + 1.0 && page_moves(&page) {
        return Container { node: page, whole_page: true };
    }
    match largest() {
        Some(node) => Container { node, whole_page: false },
        None => Container { node: page, whole_page: true },
    }
}

/// Whether style lets the page scroll.
fn page_moves(page: &Node) -> bool {
    let clipped = |n: &Node| matches!(js::computed_style(n).read("overflowY").as_str(), "hidden" | "clip");
    !clipped(page) && !js::document().body().is_some_and(|b| clipped(&b) && clipped(page))
}

fn largest() -> Option<Node> {
    let (w, h) = (js::window_number("innerWidth"), js::window_number("innerHeight"));
    let mut best: Option<(f64, Node)> = None;
    for node in js::all(&js::document(), "body *") {
        if node.scroll_height() <= node.client_height() + 1.0 || node.client_height() < 40.0 {
            continue;
        }
        let at = node.bounds();
        let area = (at.width().min(w) * at.height().min(h)).max(0.0);
        let larger = best.as_ref().is_none_or(|(most, _)| area > *most);
        if area >= LARGE * w * h && larger && can_scroll(&node) && node.is(":not(textarea,select)") {
            best = Some((area, node));
        }
    }
    best.map(|(_, node)| node)
}

/// Scrolls.
pub async fn scroll(args: &Scroll, deadline: Deadline) -> Result<Outcome, Fail> {
    let near = match &args.ref_id {
        Some(reference) => Some(target::find(reference)?.0),
        None => near_last(),
    };
    let container = container(near.as_ref());
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    let from = container.node.scroll_top();
    let amount = args.amount.map_or(container.height() * SHARE, f64::from);
    let to = match args.direction {
        Direction::Up => from - amount,
        Direction::Down => from + amount,
        Direction::Top => 0.0,
        Direction::Bottom => container.node.scroll_height(),
    };
    touch();
    container.move_to(js::property(&container.node, "scrollLeft").as_f64().unwrap_or(0.0), to);
    let now = container.node.scroll_top();
    let reach = container.reach();
    let place = format!("{} of {} px", js::whole(now), js::whole(reach.max(now)));
    if (now - from).abs() < 1.0 {
        let why = if reach < 1.0 {
            "everything is in view"
        } else if matches!(args.direction, Direction::Down | Direction::Bottom) {
            "it is at its end"
        } else {
            "it is at its start"
        };
        let text = format!("nothing moved: {} is at {place}; {why}", container.words());
        return Ok(Outcome::new(text, "nothing moved"));
    }
    let changes = before.changes(deadline).await;
    let end = if reach - now < 1.0 { ", the end" } else { "" };
    let text = format!("scrolled {} from {} to {place}{end}\n{}", container.words(), js::whole(from), changes.text);
    Ok(Outcome::new(text, place))
}

/// The focused element or the last one acted on, while it is still there.
fn near_last() -> Option<Node> {
    let last = state::with(|s| s.last.as_ref().and_then(WeakRef::deref)).filter(Node::is_connected);
    last.or_else(deep_active)
}
