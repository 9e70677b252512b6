//! What an action changed: the tree before, quiet, the tree after.

use crate::collector;
use crate::dom::PageDom;
use crate::focus::deep_active;
use crate::js::{self, MutationObserver, Node};
use crate::registry::Shown;
use crate::task::{Deadline, sleep};
use crate::{kept, secret, state};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use webbrain_page::{Line, Options, Role, Tree, diff, diff::DIFF_CHARS, text};

/// ms between two looks for quiet.
const LOOK_MS: f64 = 60.0;
/// ms that settling takes at most.
const SETTLE_MS: f64 = 600.0;

/// Reads the whole page with its refs and focus.
pub fn tree_now(options: &Options, dom: &PageDom) -> Tree {
    let mut tree = webbrain_page::build(dom, options);
    state::with(|s| {
        tree.assign(|line| line.node.map_or(0, |id| s.registry.number(dom, id)));
    });
    tree.focus(kept::focused());
    tree
}

thread_local! {
    /// What the model is shown by the call under way: a row for each element, as `ShownRef` reads it.
    static SHOWN: RefCell<Vec<JsValue>> = const { RefCell::new(Vec::new()) };
    static FRAMES: RefCell<Vec<JsValue>> = const { RefCell::new(Vec::new()) };
}

/// Frames that cannot be read from here, among the lines that the call under way gives: rows as `FrameSlot` reads them.
pub fn keep_frames(dom: &PageDom, lines: &[Line], first_line: usize) {
    for (at, line) in lines.iter().enumerate() {
        if line.role == Role::Iframe
            && line.attrs.ends_with(" unread")
            && let Some(id) = line.node
        {
            let node = dom.node(id);
            let place = collector::place(&js::property(&node, "contentWindow"));
            let (at, url) = ((first_line + at) as u32, js::property(&node, "src"));
            let row = js::array(&[at.into(), line.reference.into(), place.as_str().into(), url]);
            FRAMES.with_borrow_mut(|all| all.push(row.into()));
        }
    }
}

/// What [`keep_frames`] kept since this was last asked.
pub fn take_frames() -> Vec<JsValue> {
    FRAMES.take()
}

/// What the model was shown since this was last asked.
pub fn take_shown() -> Vec<JsValue> {
    SHOWN.take()
}

/// The model is about to see these lines.
pub fn show<'l>(lines: impl Iterator<Item = &'l Line>) {
    state::with(|s| {
        for line in lines.filter(|l| l.reference > 0) {
            let shown = Shown {
                role: line.role,
                name: line.name.clone(),
                control: line.control,
                recomputable: line.recomputable,
            };
            s.registry.show(line.reference, shown);
            let secret = s.registry.find(line.reference).is_some_and(|(node, _)| secret::takes_secret(&node));
            let (role, name) = (line.role.name(), text::clip(&line.name, 120));
            let row = js::array(&[line.reference.into(), role.into(), name.as_str().into(), secret.into()]);
            SHOWN.with_borrow_mut(|all| all.push(row.into()));
        }
    });
}

/// Remembers the tree for a later look at what changed.
pub fn mark() {
    let before = Before::now();
    state::with(|s| s.mark = Some((before.tree, before.url)));
}

/// The page before an action.
pub struct Before {
    tree: Rc<Tree>,
    url: String,
    focus: Option<Node>,
}

impl Before {
    /// As it is now.
    pub fn now() -> Self {
        Before { tree: kept::whole(&Options::all()).1, url: js::location(), focus: deep_active() }
    }

    /// As it was at the last mark; as it is now without one.
    pub fn marked() -> Self {
        match state::with(|s| s.mark.take()) {
            Some((tree, url)) => Before { tree, url, focus: None },
            None => Before::now(),
        }
    }

    /// Waits for quiet and says what changed: the address, the lines, the focus.
    pub async fn changes(self, deadline: Deadline) -> Changes {
        settle(deadline).await;
        let after = kept::whole(&Options::all()).1;
        let found = diff(&self.tree, &after, DIFF_CHARS);
        show(found.shown.iter().filter_map(|at| after.lines.get(*at)));
        let url = js::location();
        let moved = url != self.url;
        let mut text = String::new();
        if moved {
            text.push_str(&format!("url: {url}\n"));
        }
        if found.count == 0 {
            text.push_str(if moved { "changes: none in the page" } else { "nothing changed on the page" });
        } else {
            text.push_str("changes:\n");
            text.push_str(&found.text);
        }
        if let Some(focus) = focus_line(self.focus.as_ref(), &after) {
            text.push('\n');
            text.push_str(&focus);
        }
        Changes { text }
    }
}

/// What changed, in words.
pub struct Changes {
    /// Lines for the model.
    pub text: String,
}

fn focus_line(before: Option<&Node>, after: &Tree) -> Option<String> {
    let now = deep_active();
    let same = match (before, &now) {
        (Some(a), Some(b)) => a.same(b),
        (None, None) => true,
        _ => false,
    };
    if same {
        return None;
    }
    let line = after.lines.iter().find(|l| l.focused)?;
    show(std::iter::once(line));
    Some(format!("focused: {}", line.body()))
}

/// Counts the mutations of the document while it lives.
pub struct Mutations {
    observer: MutationObserver,
    count: Rc<Cell<u32>>,
    // Kept alive for the observer.
    _callback: Closure<dyn FnMut()>,
}

impl Mutations {
    /// Starts to count.
    pub fn watch() -> Self {
        let count = Rc::new(Cell::new(0));
        let counter = count.clone();
        let callback = Closure::new(move || counter.set(counter.get() + 1));
        let observer = MutationObserver::new(callback.as_ref());
        let what = js::object(&[
            ("subtree", true.into()),
            ("childList", true.into()),
            ("attributes", true.into()),
            ("characterData", true.into()),
        ]);
        observer.observe(&js::document(), &what);
        Mutations { observer, count, _callback: callback }
    }

    /// Batches of mutations since the start.
    pub fn count(&self) -> u32 {
        self.count.get()
    }
}

impl Drop for Mutations {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Waits until nothing changed in two looks, for a short while at most.
pub async fn settle(deadline: Deadline) {
    let mutations = Mutations::watch();
    let start = js::now();
    let mut quiet = 0;
    let mut seen = mutations.count();
    while quiet < 2 && js::now() - start < SETTLE_MS && !deadline.passed() {
        sleep(LOOK_MS.min(deadline.left())).await;
        let count = mutations.count();
        quiet = if count == seen { quiet + 1 } else { 0 };
        seen = count;
        // A hidden tab's timers come once a second: one look has to do.
        if js::document().is_hidden_tab() {
            break;
        }
    }
}
