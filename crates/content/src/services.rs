//! What the actor asks of the reader. It holds elements; names, refs and what is seen are the reader's.

use crate::dom::PageDom;
use crate::js::{self, List, Node, Promise};
use crate::observe::Before;
use crate::task::{self, Deadline};
use crate::{fail::Fail, scroll, secret, state, target, words};
use wasm_bindgen::prelude::*;
use webbrain_page::{Role, describe, is_seen, is_shown};
use webbrain_tools::RefId;

/// The element of a ref: `{ node, role, name }`; `{ near }` with words for refs near one that is not found; `{ was, now }` for
/// an element that has to be and is not what the model was shown.
#[wasm_bindgen]
pub fn target(reference: String, unchanged: bool) -> JsValue {
    let reference = RefId(reference);
    let found = if unchanged { target::unchanged(&reference) } else { target::find(&reference) };
    let text = |t: String| JsValue::from(t.as_str());
    match found {
        Ok((node, shown)) => {
            js::object(&[("node", node.into()), ("role", shown.role.name().into()), ("name", text(shown.name))])
        }
        Err(Fail::Changed { was, now, .. }) => js::object(&[("was", text(was)), ("now", text(now))]),
        Err(Fail::NotFound { near, .. }) => js::object(&[("near", text(near))]),
        Err(_) => js::object(&[]),
    }
}

/// `{ role, name }` of an element that has no ref.
#[wasm_bindgen(js_name = described)]
pub fn described(node: Node) -> JsValue {
    let dom = PageDom::new();
    let (role, name) = describe(&dom, dom.handle(&node), Role::Generic, false);
    js::object(&[("role", role.name().into()), ("name", name.as_str().into())])
}

/// See [`target::stand_in`].
#[wasm_bindgen(js_name = standIn)]
pub fn stand_in(node: Node) -> Option<Node> {
    target::stand_in(&node)
}

/// See [`words::words`].
#[wasm_bindgen]
pub fn words(node: Node) -> String {
    words::words(&node)
}

/// The first of a list that is shown, or that can be seen where it is.
#[wasm_bindgen]
pub fn first(list: List, seen: bool) -> Option<Node> {
    let dom = PageDom::new();
    js::nodes(&list).into_iter().find(|node| {
        let id = dom.handle(node);
        if seen { is_seen(&dom, id) } else { is_shown(&dom, id) }
    })
}

/// See [`secret::is_secret`].
#[wasm_bindgen(js_name = isSecret)]
pub fn is_secret(input: Node) -> bool {
    secret::is_secret(&input)
}

/// Remembers the page as it is before an action; its number.
#[wasm_bindgen]
pub fn before() -> u32 {
    let before = Before::now();
    state::with(|s| {
        s.before = (s.before.0.wrapping_add(1), Some(before));
        s.before.0
    })
}

/// Remembers where an action was.
#[wasm_bindgen(js_name = actedOn)]
pub fn acted_on(node: Node) {
    state::acted_on(&node);
}

/// Waits for quiet, so many ms at most, and says what changed since [`before`] gave this number.
#[wasm_bindgen]
pub fn changes(number: u32, left: f64) -> Promise {
    let deadline = Deadline::after(left);
    task::promise(async move {
        match state::with(|s| if s.before.0 == number { s.before.1.take() } else { None }) {
            Some(before) => before.changes(deadline).await.text.as_str().into(),
            // The call that asks was given up, and another has begun.
            None => "".into(),
        }
    })
}

/// Scrolls the nearest container of an element.
#[wasm_bindgen(js_name = scrollBy)]
pub fn scroll_by(node: Node, dx: f64, dy: f64) {
    scroll::container(Some(&node)).scroll_by(dx, dy);
}
