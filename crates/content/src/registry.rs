//! `ref_N` to element and back. Elements are held weakly: a ref never keeps one alive and never moves to another.

use crate::js::{Node, WeakRef};
use js_sys::{Object, WeakMap};
use wasm_bindgen::{JsCast, JsValue};
use webbrain_page::{Candidate, Role};

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

struct Entry {
    number: u32,
    element: WeakRef,
    shown: Option<Shown>,
}

/// The refs of this document.
pub struct Registry {
    /// By number, which only grows.
    entries: Vec<Entry>,
    numbers: WeakMap,
    next: u32,
}

impl Default for Registry {
    fn default() -> Self {
        Registry { entries: Vec::new(), numbers: WeakMap::new(), next: 1 }
    }
}

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
    pub fn number(&mut self, element: &Node) -> u32 {
        if let Some(known) = self.known(element) {
            return known;
        }
        let number = self.next;
        self.next += 1;
        self.numbers.set(element.unchecked_ref::<Object>(), &JsValue::from(number));
        self.entries.push(Entry { number, element: WeakRef::new(element), shown: None });
        number
    }

    /// The number of an element that has one.
    pub fn known(&self, element: &Node) -> Option<u32> {
        // Numbers are stored as whole numbers that fit.
        self.numbers.get(element.unchecked_ref::<Object>()).as_f64().map(|n| n as u32)
    }

    /// The model has seen this line.
    pub fn show(&mut self, number: u32, shown: Shown) {
        if let Some(at) = self.position(number) {
            self.entries[at].shown = Some(shown);
        }
    }

    /// The element of a ref and how it was shown, if it is still in the document.
    pub fn find(&self, number: u32) -> Option<(Node, Shown)> {
        let entry = &self.entries[self.position(number)?];
        let shown = entry.shown.clone()?;
        let element = entry.element.deref()?;
        element.is_connected().then_some((element, shown))
    }

    fn position(&self, number: u32) -> Option<usize> {
        self.entries.binary_search_by_key(&number, |e| e.number).ok()
    }

    /// Forgets elements that were collected.
    pub fn sweep(&mut self) {
        self.entries.retain(|entry| entry.element.deref().is_some());
    }

    /// Refs near one that was not found.
    pub fn near(&self, wanted: Option<u32>) -> Vec<Candidate> {
        let live = self.entries.iter().filter_map(|entry| {
            let shown = entry.shown.as_ref()?;
            let connected = entry.element.deref()?.is_connected();
            connected.then(|| Candidate { reference: entry.number, role: shown.role, name: shown.name.clone() })
        });
        webbrain_page::suggest(wanted, live.collect(), MAX_SUGGESTIONS)
    }
}
