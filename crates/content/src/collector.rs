//! What `extension-common/content/collector.js` offers: it stands in front of this script in the same scope.

use crate::js::Node;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The elements of one reading, by number.
    pub type Collector;
    #[wasm_bindgen(constructor)]
    pub fn new() -> Collector;
    /// Collects an element with what is below it.
    #[wasm_bindgen(method)]
    pub fn tree(this: &Collector, element: &Node);
    /// Collects an element alone. Its number when it was collected before, else -1.
    #[wasm_bindgen(method)]
    pub fn one(this: &Collector, element: &Node) -> i32;
    /// Collects the children of an element that was collected without them.
    #[wasm_bindgen(method)]
    pub fn children(this: &Collector, number: u32);
    /// What was collected since the last call.
    #[wasm_bindgen(method)]
    pub fn take(this: &Collector) -> Vec<i32>;
    /// The texts that belong to it.
    #[wasm_bindgen(method, js_name = takeText)]
    pub fn take_text(this: &Collector) -> String;
    /// An element.
    #[wasm_bindgen(method)]
    pub fn get(this: &Collector, number: u32) -> Node;
    /// 0 painted, 1 transparent, 2 hidden, 3 without a box of its own, 4 not rendered.
    #[wasm_bindgen(method)]
    pub fn painted(this: &Collector, number: u32) -> u32;
    /// Left, top, width, height in CSS px of the top document's viewport.
    #[wasm_bindgen(method)]
    pub fn rect(this: &Collector, number: u32) -> Vec<f64>;
    /// Whether its box has at most one px in a direction.
    #[wasm_bindgen(method)]
    pub fn small(this: &Collector, number: u32) -> bool;
    /// Whether there is at most one px of room in it in a direction.
    #[wasm_bindgen(method)]
    pub fn narrow(this: &Collector, number: u32) -> bool;
    /// Whether it is a container whose content can be scrolled.
    #[wasm_bindgen(method)]
    pub fn scrolls(this: &Collector, number: u32) -> bool;
    /// Computed properties; `style::parse` knows their order.
    #[wasm_bindgen(method)]
    pub fn style(this: &Collector, number: u32) -> String;
    /// Display, a line end and content of what style puts before the content; empty without it.
    #[wasm_bindgen(method)]
    pub fn before(this: &Collector, number: u32) -> String;
    /// The same after the content.
    #[wasm_bindgen(method)]
    pub fn after(this: &Collector, number: u32) -> String;
    /// A digit or letter for 1 disabled, 2 checked, 4 mixed, 8 selected, counted from `0`; then the value.
    #[wasm_bindgen(method)]
    pub fn live(this: &Collector, number: u32) -> String;
    /// From now on [`Collector::unchanged`] can be asked.
    #[wasm_bindgen(method)]
    pub fn watch(this: &Collector);
    /// Takes the listener of [`Collector::watch`] away.
    #[wasm_bindgen(method)]
    pub fn leave(this: &Collector);
    /// Whether everything that the reading saw is as it was.
    #[wasm_bindgen(method)]
    pub fn unchanged(this: &Collector) -> bool;
    /// An array of the labels of a form control.
    #[wasm_bindgen(method)]
    pub fn labels(this: &Collector, number: u32) -> JsValue;
    /// The ref number of an element, given now if it has none.
    #[wasm_bindgen(method)]
    pub fn number(this: &Collector, number: u32, next: u32) -> u32;

    /// Whether an element is a container whose content can be scrolled.
    #[wasm_bindgen(js_name = canScroll)]
    pub fn can_scroll(element: &Node) -> bool;
    /// Tells the collector the numbers of tags and attributes, and the tags whose children it leaves unread.
    #[wasm_bindgen(js_name = setUp)]
    pub fn set_up(tags: &str, attributes: &str, unread: &str);
    /// The ref number of an element; 0 without one.
    #[wasm_bindgen(js_name = knownNumber)]
    pub fn known_number(element: &Node) -> u32;
    /// The element of a ref number, unless it is gone.
    #[wasm_bindgen(js_name = heldElement)]
    pub fn held_element(number: u32) -> Option<Node>;
    /// Where a window is: the index in the list of frames of the window around it, for each window from the top; `?` for one
    /// that is in no list, as a frame in a shadow tree is.
    #[wasm_bindgen(js_name = placeOf)]
    pub fn place(window: &JsValue) -> String;
    /// Elements that match in the document and in every shadow tree that can be entered. Throws for what is no selector.
    #[wasm_bindgen(catch)]
    pub fn everywhere(selector: &str) -> Result<JsValue, JsValue>;
    /// Elements whose shadow tree can be entered.
    pub fn hosts() -> JsValue;
    /// Whether its shadow tree can be entered.
    #[wasm_bindgen(js_name = isHost)]
    pub fn is_host(element: &Node) -> bool;
    /// The rules of style that match an element, one a line; a last line for sheets that may not be read.
    #[wasm_bindgen(js_name = rulesOf)]
    pub fn rules(element: &Node) -> String;
    /// Forgets elements that are gone; their numbers.
    pub fn sweep() -> Vec<u32>;
}
