//! The browser's objects, as far as they are used. Declared here rather than taken from web-sys: elements of same-origin
//! frames are of another realm, where `instanceof` says no, and web-sys lacks `checkVisibility`, popovers and WeakRef. Nor is
//! anything taken from js-sys: its glue for closures that are never made stays in the table of functions.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A node: element, text, document or shadow root. A getter that the node lacks gives `undefined`.
    #[derive(Clone, Debug)]
    pub type Node;

    #[wasm_bindgen(method, getter, js_name = nodeType)]
    pub fn node_type(this: &Node) -> u32;
    #[wasm_bindgen(method, getter, js_name = localName)]
    pub fn local_name(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = parentNode)]
    pub fn parent_node(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = assignedSlot)]
    pub fn assigned_slot(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = shadowRoot)]
    pub fn shadow_root(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = isConnected)]
    pub fn is_connected(this: &Node) -> bool;
    #[wasm_bindgen(method, getter, js_name = ownerDocument)]
    pub fn owner_document(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, js_name = getRootNode)]
    pub fn root_node(this: &Node) -> Node;
    #[wasm_bindgen(method, catch, js_name = querySelectorAll)]
    pub fn query_all(this: &Node, selector: &str) -> Result<List, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn matches(this: &Node, selector: &str) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, js_name = getAttribute)]
    pub fn attribute(this: &Node, name: &str) -> Option<String>;
    #[wasm_bindgen(method, js_name = getBoundingClientRect)]
    pub fn bounds(this: &Node) -> DomRect;
    #[wasm_bindgen(method, js_name = getClientRects)]
    pub fn client_rects(this: &Node) -> List;

    // Geometry and scrolling.
    #[wasm_bindgen(method, getter, js_name = clientWidth)]
    pub fn client_width(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = clientHeight)]
    pub fn client_height(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = scrollWidth)]
    pub fn scroll_width(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = scrollHeight)]
    pub fn scroll_height(this: &Node) -> f64;

    // Form controls. A type that does not match reads as absent.
    #[wasm_bindgen(method, getter, js_name = type)]
    pub fn input_type(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn value(this: &Node) -> JsValue;

    // Acting.
    #[wasm_bindgen(method, catch, js_name = dispatchEvent)]
    pub fn dispatch(this: &Node, event: &JsValue) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, getter)]
    pub fn style(this: &Node) -> Style;

    /// `NodeList`, `HTMLCollection`, `DOMRectList` or `Array`.
    pub type List;
    #[wasm_bindgen(method, getter)]
    pub fn length(this: &List) -> u32;
    #[wasm_bindgen(method, structural, indexing_getter)]
    pub fn item(this: &List, index: u32) -> JsValue;
    #[wasm_bindgen(method)]
    fn push(this: &List, value: &JsValue);
    #[wasm_bindgen(js_namespace = Array, js_name = of)]
    fn new_array() -> List;

    /// A string that stays on the browser's side.
    pub type Text;
    #[wasm_bindgen(method, js_name = toLowerCase)]
    fn to_lower_case(this: &Text) -> String;

    /// `WeakMap` from nodes to numbers.
    pub type WeakMap;
    #[wasm_bindgen(constructor)]
    pub fn new() -> WeakMap;
    #[wasm_bindgen(method)]
    pub fn get(this: &WeakMap, key: &Node) -> JsValue;
    #[wasm_bindgen(method)]
    pub fn set(this: &WeakMap, key: &Node, value: u32);

    /// `Promise`.
    pub type Promise;
    #[wasm_bindgen(constructor)]
    pub fn new(start: &mut dyn FnMut(JsValue)) -> Promise;
    #[wasm_bindgen(js_namespace = Promise, js_name = resolve)]
    pub fn resolved() -> Promise;
    #[wasm_bindgen(js_namespace = Promise, js_name = allSettled)]
    pub fn all_settled(promises: &List) -> Promise;
    #[wasm_bindgen(method)]
    pub fn then(this: &Promise, callback: &JsValue) -> Promise;

    #[wasm_bindgen(js_namespace = Reflect, js_name = get, catch)]
    fn reflect_get(of: &JsValue, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = Reflect, js_name = set, catch)]
    fn reflect_set(of: &JsValue, name: &str, value: &JsValue) -> Result<bool, JsValue>;
    #[wasm_bindgen(js_namespace = Reflect, js_name = apply, catch)]
    fn reflect_apply(function: &JsValue, of: &JsValue, arguments: &List) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = Object)]
    fn new_object() -> JsValue;
    #[wasm_bindgen(js_namespace = Object, js_name = getPrototypeOf, catch)]
    pub fn prototype_of(of: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = Object, js_name = getOwnPropertyDescriptor, catch)]
    pub fn own_property(of: &JsValue, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    pub fn parse_json(text: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = JSON, js_name = stringify)]
    pub fn to_json(value: &JsValue) -> String;

    /// `DOMRect`.
    pub type DomRect;
    #[wasm_bindgen(method, getter)]
    pub fn x(this: &DomRect) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn y(this: &DomRect) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn width(this: &DomRect) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn height(this: &DomRect) -> f64;

    /// `CSSStyleDeclaration`.
    pub type Style;
    #[wasm_bindgen(method, js_name = setProperty)]
    pub fn set_property(this: &Style, name: &str, value: &str, priority: &str);

    #[wasm_bindgen(js_name = getComputedStyle)]
    pub fn computed_style(node: &Node) -> Style;

    /// `WeakRef`.
    pub type WeakRef;
    #[wasm_bindgen(constructor)]
    pub fn new(node: &Node) -> WeakRef;
    #[wasm_bindgen(method)]
    pub fn deref(this: &WeakRef) -> Option<Node>;

    /// `MutationObserver`.
    pub type MutationObserver;
    #[wasm_bindgen(constructor)]
    pub fn new(callback: &JsValue) -> MutationObserver;
    #[wasm_bindgen(method)]
    pub fn observe(this: &MutationObserver, node: &Node, options: &JsValue);
    #[wasm_bindgen(method)]
    pub fn disconnect(this: &MutationObserver);

    /// `Selection`.
    pub type Selection;
    #[wasm_bindgen(js_name = getSelection)]
    pub fn selection() -> Option<Selection>;

    #[wasm_bindgen(js_name = Number)]
    fn js_number(text: &str) -> f64;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &JsValue, ms: f64);
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    #[wasm_bindgen(thread_local_v2, js_name = document)]
    static DOCUMENT: Node;
    #[wasm_bindgen(thread_local_v2, js_name = window)]
    static WINDOW: JsValue;

    // What the loader set up for this script.
    #[wasm_bindgen(js_namespace = __webbrainHost, js_name = stop, catch)]
    pub fn host_stop() -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = __webbrainHost, js_name = text, catch)]
    pub fn host_text(key: &str) -> Result<String, JsValue>;
}

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident, $make:ident;)*) => { $(
        #[wasm_bindgen]
        extern "C" {
            $(#[$doc])*
            type $name;
            #[wasm_bindgen(constructor, catch)]
            fn new(kind: &str, init: &JsValue) -> Result<$name, JsValue>;
        }
        /// A new event of this class.
        pub fn $make(kind: &str, init: &JsValue) -> Result<JsValue, JsValue> {
            $name::new(kind, init).map(JsValue::from)
        }
    )* };
}

events! {
    /// `Event`.
    Event, event;
    /// `InputEvent`.
    InputEvent, input_event;
    /// `KeyboardEvent`.
    KeyboardEvent, keyboard_event;
    /// `MouseEvent`.
    MouseEvent, mouse_event;
    /// `PointerEvent`.
    PointerEvent, pointer_event;
}

/// The document of this frame.
pub fn document() -> Node {
    DOCUMENT.with(Clone::clone)
}

/// The window of this frame.
pub fn window() -> JsValue {
    WINDOW.with(Clone::clone)
}

/// ms since the document started: for durations only.
pub fn now() -> f64 {
    performance_now()
}

/// Calls `callback` after `ms`.
pub fn after(ms: f64, callback: &JsValue) {
    set_timeout(callback, ms);
}

/// A numeric property of the window; 0 when it has none.
pub fn window_number(name: &str) -> f64 {
    property(&window(), name).as_f64().unwrap_or(0.0)
}

/// The number that a text is to the browser; not a number for other texts.
pub fn number(text: &str) -> f64 {
    js_number(text)
}

/// Lower case, by the browser: the tables would weigh more than all of `select`.
pub fn lower(text: &str) -> String {
    JsValue::from_str(text).unchecked_into::<Text>().to_lower_case()
}

/// Px or ms for a text: formatting a fraction would take a tenth of this script's size.
pub fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// A property, `undefined` when it cannot be read.
pub fn property(of: &JsValue, name: &str) -> JsValue {
    reflect_get(of, name).unwrap_or(JsValue::UNDEFINED)
}

/// A plain object.
pub fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let out = new_object();
    for (key, value) in entries {
        set_property(&out, key, value);
    }
    out
}

/// Sets a property. One without a setter keeps its value, which reading back shows.
pub fn set_property(of: &JsValue, name: &str, value: &JsValue) {
    let _ = reflect_set(of, name, value);
}

/// An array.
pub fn array(items: &[JsValue]) -> List {
    let out = new_array();
    for item in items {
        out.push(item);
    }
    out
}

/// Calls a function as a method.
pub fn call(function: &JsValue, of: &JsValue, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    reflect_apply(function, of, &array(arguments))
}

/// Address of the document.
pub fn location() -> String {
    property(&property(&window(), "location"), "href").as_string().unwrap_or_default()
}

/// Words for a value that was thrown.
pub fn thrown(value: &JsValue) -> String {
    property(value, "message").as_string().or_else(|| value.as_string()).unwrap_or_else(|| "unknown error".to_owned())
}

/// Reads a list of nodes.
pub fn nodes(list: &JsValue) -> Vec<Node> {
    if list.is_undefined() || list.is_null() {
        return Vec::new();
    }
    let list: &List = list.unchecked_ref();
    (0..list.length()).map(|i| list.item(i)).filter_map(some_node).collect()
}

/// A node, unless the value is none.
pub fn some_node(value: JsValue) -> Option<Node> {
    if value.is_undefined() || value.is_null() { None } else { Some(value.unchecked_into()) }
}

/// Matches of a selector; none when it is malformed.
pub fn all(root: &Node, selector: &str) -> Vec<Node> {
    root.query_all(selector).map(|l| nodes(&l.into())).unwrap_or_default()
}

impl Node {
    /// Whether it matches; no for what cannot match anything.
    pub fn is(&self, selector: &str) -> bool {
        self.node_type() == 1 && self.matches(selector).unwrap_or(false)
    }

    /// Lower-case name of an element.
    pub fn name(&self) -> String {
        self.local_name().as_string().unwrap_or_default()
    }

    /// Whether the two are one node.
    pub fn same(&self, other: &Node) -> bool {
        let (a, b): (&JsValue, &JsValue) = (self.as_ref(), other.as_ref());
        a == b
    }

    /// Parent in the flat tree: through slots and shadow hosts.
    pub fn flat_parent(&self) -> Option<Node> {
        if let Some(slot) = self.assigned_slot() {
            return Some(slot);
        }
        let parent = self.parent_node()?;
        if parent.node_type() == 11 { parent.host() } else { Some(parent) }
    }

    /// Whether `other` is this node or inside of it, in the flat tree.
    pub fn flat_contains(&self, other: &Node) -> bool {
        let mut at = Some(other.clone());
        while let Some(here) = at {
            if here.same(self) {
                return true;
            }
            at = here.flat_parent();
        }
        false
    }

    /// Value of a control as text.
    pub fn value_text(&self) -> String {
        self.value().as_string().unwrap_or_default()
    }

    /// Its document.
    pub fn doc(&self) -> Node {
        self.owner_document().unwrap_or_else(document)
    }
}
