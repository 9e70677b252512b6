//! What this half asks of the reader: the functions of `services.rs` in `crates/content`, in the scope of this script as
//! `services`.

use crate::js::{List, Node, Promise};
use crate::task::{self, Deadline};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// `{ node, role, name }` of a ref, or `{ near }`, or `{ was, now }`.
    #[wasm_bindgen(js_namespace = services)]
    pub fn target(reference: &str, unchanged: bool) -> JsValue;
    /// `{ role, name }` of an element that has no ref.
    #[wasm_bindgen(js_namespace = services)]
    pub fn described(node: &Node) -> JsValue;
    /// What the user would click; none for an element that is not shown.
    #[wasm_bindgen(js_namespace = services, js_name = standIn)]
    pub fn stand_in(node: &Node) -> Option<Node>;
    /// Words for an element that has no ref.
    #[wasm_bindgen(js_namespace = services)]
    pub fn words(node: &Node) -> String;
    /// The first of a list that is shown, or that can be seen where it is.
    #[wasm_bindgen(js_namespace = services)]
    pub fn first(list: &List, seen: bool) -> Option<Node>;
    /// Whether the value of an input must never be told.
    #[wasm_bindgen(js_namespace = services, js_name = isSecret)]
    pub fn is_secret(input: &Node) -> bool;
    /// Remembers where an action was.
    #[wasm_bindgen(js_namespace = services, js_name = actedOn)]
    pub fn acted_on(node: &Node);
    /// Scrolls the nearest container of an element.
    #[wasm_bindgen(js_namespace = services, js_name = scrollBy)]
    pub fn scroll_by(node: &Node, dx: f64, dy: f64);

    #[wasm_bindgen(js_namespace = services)]
    fn before() -> u32;
    #[wasm_bindgen(js_namespace = services)]
    fn changes(number: u32, left: f64) -> Promise;
}

/// The page before an action, which the reader keeps.
pub struct Before(u32);

impl Before {
    /// As it is now.
    pub fn now() -> Self {
        Before(before())
    }

    /// Waits for quiet and says what changed.
    pub async fn changes(self, deadline: Deadline) -> Result<String, JsValue> {
        let text = task::settled(changes(self.0, deadline.left())).await?;
        Ok(text.as_string().unwrap_or_default())
    }
}
