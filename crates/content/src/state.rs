//! What outlives a call: the registry, the marked tree, the last place acted on, the indicator.

use crate::indicator::Indicator;
use crate::js::{Node, WeakRef};
use crate::observe::Before;
use crate::registry::Registry;
use std::cell::RefCell;
use std::rc::Rc;
use webbrain_page::{Revisions, Tree};

/// State of this document.
#[derive(Default)]
pub struct State {
    /// Refs.
    pub registry: Registry,
    /// What was read page by page.
    pub revisions: Revisions,
    /// The tree as it was at the last `Mark`, with its address.
    pub mark: Option<(Rc<Tree>, String)>,
    /// The page before the action that is under way, and the number of that.
    pub before: (u32, Option<Before>),
    /// Where the last action was, for scrolling.
    pub last: Option<WeakRef>,
    /// The run indicator while it is on.
    pub indicator: Option<Indicator>,
}

thread_local! {
    static STATE: &'static RefCell<State> = Box::leak(Box::new(RefCell::new(State::default())));
}

/// Works on the state. Never across an await, never while the page's code may run.
pub fn with<R>(work: impl FnOnce(&mut State) -> R) -> R {
    work(&mut state().borrow_mut())
}

/// Apart from [`with`], so that its many copies need not set the state up themselves.
#[inline(never)]
fn state() -> &'static RefCell<State> {
    STATE.with(|state| *state)
}

/// Remembers where an action was.
pub fn acted_on(node: &Node) {
    with(|s| s.last = Some(WeakRef::new(node)));
}
