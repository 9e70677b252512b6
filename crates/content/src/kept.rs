//! Readings of the whole page that are used again while they hold. A reading depends on the structure, which a
//! `MutationObserver` watches, and on what was asked beyond it (style, boxes, live values), which is asked again. So what is given is
//! what a fresh reading would give, for the price of the questions. `docs/page-tree.md` has the figures.

use crate::dom::PageDom;
use crate::focus::{deep_active, modal_dialog};
use crate::js::Node;
use crate::{collector, observe};
use std::cell::RefCell;
use std::rc::Rc;
use webbrain_page::{Options, Tree};

/// Readings that are kept: what the model asks for, and what actions are compared by.
const MOST: usize = 2;

struct Kept {
    options: Options,
    modal: Option<Node>,
    dom: Rc<PageDom>,
    tree: Rc<Tree>,
}

thread_local! {
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// The whole page with its refs and focus, as it is now. `options` have no anchor.
pub fn whole(options: &Options) -> (Rc<PageDom>, Rc<Tree>) {
    let modal = modal_dialog();
    let known = KEPT.with_borrow_mut(|all| {
        let at = all.iter().position(|kept| kept.options == *options)?;
        Some(all.remove(at))
    });
    let holds = |kept: &Kept| is_same(kept.modal.as_ref(), modal.as_ref()) && kept.dom.is_unchanged();
    let kept = match known.filter(holds) {
        Some(mut kept) => {
            let focused = focused();
            if !kept.tree.has_focus(focused) {
                Rc::make_mut(&mut kept.tree).focus(focused);
            }
            kept
        }
        None => {
            let dom = PageDom::new();
            let tree = Rc::new(observe::tree_now(options, &dom));
            dom.watch();
            Kept { options: *options, modal, dom: Rc::new(dom), tree }
        }
    };
    let out = (kept.dom.clone(), kept.tree.clone());
    KEPT.with_borrow_mut(|all| {
        all.push(kept);
        if all.len() > MOST {
            all.remove(0);
        }
    });
    out
}

/// Keeps none, and no observer.
pub fn forget() {
    drop(KEPT.take());
}

/// Number of the focused element's ref; 0 without one.
pub fn focused() -> u32 {
    deep_active().map_or(0, |active| collector::known_number(&active))
}

fn is_same(a: Option<&Node>, b: Option<&Node>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same(b),
        (None, None) => true,
        _ => false,
    }
}
