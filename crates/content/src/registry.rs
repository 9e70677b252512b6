//! `ref_N` to element and back. Elements are held weakly: a ref never keeps one alive and never moves to another.

use crate::collector;
use crate::dom::PageDom;
use crate::js::Node;
use webbrain_page::{Candidate, NodeId, Role};

/// Suggestions for a ref that is not found.
const MAX_SUGGESTIONS: usize = 6;

/// How a line showed an element to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// Whether it was shown as something to operate.
    pub control: bool,
    /// Whether role and name can be computed again.
    pub recomputable: bool,
}

/// The refs of this document. Elements are held by the collector, weakly.
pub struct Registry {
    /// What was shown, in the order of the numbers.
    shown: Vec<(u32, Shown)>,
    next: u32,
    /// Numbers given since the last sweep.
    fresh: u32,
}

impl Default for Registry {
    fn default() -> Self {
        Registry { shown: Vec::new(), next: 1, fresh: 0 }
    }
}

/// Numbers given before the dead are looked for again.
const SWEEP_AFTER: u32 = 500;

impl Registry {
    /// Numbers given from now on are at least this.
    pub fn raise_floor(&mut self, floor: u32) {
        self.next = self.next.max(floor).max(1);
    }

    /// First number that was not given.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The number of an element, given now if it has none.
    pub fn number(&mut self, dom: &PageDom, id: NodeId) -> u32 {
        let number = dom.number(id, self.next);
        if number == self.next {
            self.next += 1;
            self.fresh += 1;
        }
        number
    }

    /// The model has seen this line.
    pub fn show(&mut self, number: u32, shown: Shown) {
        match self.position(number) {
            Ok(at) => self.shown[at].1 = shown,
            Err(at) => self.shown.insert(at, (number, shown)),
        }
    }

    fn position(&self, number: u32) -> Result<usize, usize> {
        self.shown.binary_search_by_key(&number, |(n, _)| *n)
    }

    /// The element of a ref and how it was shown, if it is still in the document.
    pub fn find(&self, number: u32) -> Option<(Node, Shown)> {
        let shown = self.shown[self.position(number).ok()?].1.clone();
        let element = collector::held_element(number)?;
        element.is_connected().then_some((element, shown))
    }

    /// Forgets elements that were collected.
    pub fn sweep(&mut self) {
        if self.fresh < SWEEP_AFTER {
            return;
        }
        self.fresh = 0;
        let dead = collector::sweep();
        self.shown.retain(|(number, _)| !dead.contains(number));
    }

    /// Refs near one that was not found.
    pub fn near(&self, wanted: Option<u32>) -> Vec<Candidate> {
        let mut live = Vec::new();
        for (number, shown) in &self.shown {
            if collector::held_element(*number).is_some_and(|e| e.is_connected()) {
                live.push(Candidate { reference: *number, role: shown.role, name: shown.name.clone() });
            }
        }
        webbrain_page::suggest(wanted, live, MAX_SUGGESTIONS)
    }
}
