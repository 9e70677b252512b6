//! Hit tests: would the user's click land on the target, and if not, on what?

use crate::events::Point;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::target::Target;
use crate::{Rect, services};

/// A point of the box where the target is what the user would hit.
pub fn free_point(target: &Target, stand_in: &Node, rect: Rect) -> Result<Point, Fail> {
    let doc = stand_in.doc();
    let view = js::property(&doc, "defaultView");
    let size = |name: &str| js::property(&view, name).as_f64().unwrap_or(0.0);
    let (right, bottom) = (size("innerWidth"), size("innerHeight"));
    // Only what is in the viewport can be hit.
    let (x0, y0) = (rect.x.max(0.0), rect.y.max(0.0));
    let (x1, y1) = ((rect.x + rect.w).min(right), (rect.y + rect.h).min(bottom));
    if x1 <= x0 || y1 <= y0 {
        return Err(Fail::Hidden(target.words()));
    }
    let mut cover = None;
    for (fx, fy) in [(0.5, 0.5), (0.2, 0.5), (0.8, 0.5), (0.5, 0.2), (0.5, 0.8)] {
        let at = Point { x: x0 + (x1 - x0) * fx, y: y0 + (y1 - y0) * fy };
        match deepest(&doc, at) {
            Some(hit) if is_related(&target.node, stand_in, &hit) => return Ok(at),
            Some(hit) => cover = cover.or(Some(hit)),
            None => {}
        }
    }
    match cover {
        Some(cover) => Err(Fail::Covered(target.words(), services::words(&cover))),
        None => Err(Fail::Hidden(target.words())),
    }
}

/// The element at a point, through open shadow roots.
fn deepest(doc: &Node, at: Point) -> Option<Node> {
    let mut hit = doc.element_from_point(at.x, at.y)?;
    for _ in 0..20 {
        let inner = hit.shadow_root().and_then(|r| r.element_from_point(at.x, at.y));
        match inner {
            Some(inner) if !inner.same(&hit) => hit = inner,
            _ => break,
        }
    }
    Some(hit)
}

/// A hit on the target, inside it, on its label, or on what the target is inside of: an ancestor never covers.
fn is_related(target: &Node, stand_in: &Node, hit: &Node) -> bool {
    if target.flat_contains(hit) || hit.flat_contains(target) || stand_in.flat_contains(hit) {
        return true;
    }
    let label = hit.closest("label");
    label.is_some_and(|l| js::some_node(l.control()).is_some_and(|c| c.same(target)))
}
