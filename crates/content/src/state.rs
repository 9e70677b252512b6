//! What outlives a call: the registry, the marked tree, the last place acted on, the indicator.

use crate::indicator::Indicator;
use crate::js::{Node, WeakRef};
use crate::registry::Registry;
use std::cell::{Cell, RefCell};
use webbrain_page::Tree;

/// State of this document.
#[derive(Default)]
pub struct State {
    /// Refs.
    pub registry: Registry,
    /// The tree as it was at the last `Mark`, with its address.
    pub mark: Option<(Tree, String)>,
    /// Where the last action was, for scrolling.
    pub last: Option<WeakRef>,
    /// The run indicator while it is on.
    pub indicator: Option<Indicator>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::default());
    static TOUCHED: Cell<bool> = const { Cell::new(false) };
}

/// Works on the state. Never across an await, never while the page's code may run.
pub fn with<R>(work: impl FnOnce(&mut State) -> R) -> R {
    STATE.with(|state| work(&mut state.borrow_mut()))
}

/// An event was dispatched, or something else was done to the page.
pub fn touch() {
    TOUCHED.with(|t| t.set(true));
}

/// Whether the page was touched since the last [`untouched`].
pub fn is_touched() -> bool {
    TOUCHED.with(Cell::get)
}

/// A call begins.
pub fn untouched() {
    TOUCHED.with(|t| t.set(false));
}

/// Remembers where an action was.
pub fn acted_on(node: &Node) {
    with(|s| s.last = Some(WeakRef::new(node)));
}
