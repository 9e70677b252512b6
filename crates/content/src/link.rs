//! The way to the actor, the half of the content script that acts. `extension-common/content/link.js` stands in front of this
//! script in the same scope.

use crate::js::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What to answer while it is not here: that it is needed, and in which form.
    #[wasm_bindgen(js_namespace = actor)]
    pub fn missing() -> Option<String>;
    /// Settles when it can be called.
    #[wasm_bindgen(js_namespace = actor)]
    pub fn ready() -> Promise;
    /// Has it carry out a call in so many ms; gives an `Ended`. Only once it is ready.
    #[wasm_bindgen(js_namespace = ["actor", "core"])]
    pub fn act(call: &JsValue, left: f64) -> Promise;
    /// Gives up what it has under way, if it is here.
    #[wasm_bindgen(js_namespace = actor, js_name = giveUp)]
    pub fn give_up();
}
