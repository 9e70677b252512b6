//! The browser's objects, as far as they are used. Declared here rather than taken from web-sys: elements of same-origin
//! frames are of another realm, where `instanceof` says no, and web-sys lacks `checkVisibility`, popovers and WeakRef.

use js_sys::{Function, Object, Reflect};
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
    #[wasm_bindgen(method, getter, js_name = firstChild)]
    pub fn first_child(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = nextSibling)]
    pub fn next_sibling(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = parentNode)]
    pub fn parent_node(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = assignedSlot)]
    pub fn assigned_slot(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, js_name = assignedNodes)]
    pub fn assigned_nodes(this: &Node) -> js_sys::Array;
    #[wasm_bindgen(method, getter, js_name = shadowRoot)]
    pub fn shadow_root(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter)]
    pub fn host(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = isConnected)]
    pub fn is_connected(this: &Node) -> bool;
    #[wasm_bindgen(method, getter, js_name = ownerDocument)]
    pub fn owner_document(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = defaultView)]
    pub fn default_view(this: &Node) -> JsValue;
    #[wasm_bindgen(method, catch, getter, js_name = contentDocument)]
    pub fn content_document(this: &Node) -> Result<Option<Node>, JsValue>;
    #[wasm_bindgen(method, js_name = getRootNode)]
    pub fn root_node(this: &Node) -> Node;
    #[wasm_bindgen(method, catch, js_name = getElementById)]
    pub fn by_id(this: &Node, id: &str) -> Result<Option<Node>, JsValue>;
    #[wasm_bindgen(method, catch, js_name = querySelectorAll)]
    pub fn query_all(this: &Node, selector: &str) -> Result<List, JsValue>;
    #[wasm_bindgen(method, catch, js_name = querySelector)]
    pub fn query(this: &Node, selector: &str) -> Result<Option<Node>, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn matches(this: &Node, selector: &str) -> Result<bool, JsValue>;
    #[wasm_bindgen(method)]
    pub fn closest(this: &Node, selector: &str) -> Option<Node>;
    #[wasm_bindgen(method)]
    pub fn contains(this: &Node, other: &Node) -> bool;
    #[wasm_bindgen(method, js_name = hasAttributes)]
    pub fn has_attributes(this: &Node) -> bool;
    #[wasm_bindgen(method, js_name = getAttribute)]
    pub fn attribute_value(this: &Node, name: &JsValue) -> Option<String>;
    #[wasm_bindgen(method, js_name = getAttribute)]
    pub fn attribute(this: &Node, name: &str) -> Option<String>;
    #[wasm_bindgen(method, js_name = setAttribute)]
    pub fn set_attribute(this: &Node, name: &str, value: &str);
    #[wasm_bindgen(method, getter)]
    pub fn data(this: &Node) -> js_sys::JsString;
    #[wasm_bindgen(method, getter, js_name = textContent)]
    pub fn text_content(this: &Node) -> Option<String>;
    #[wasm_bindgen(method, setter, js_name = textContent)]
    pub fn set_text_content(this: &Node, text: &str);
    #[wasm_bindgen(method, getter, js_name = innerText)]
    pub fn inner_text(this: &Node) -> Option<String>;
    #[wasm_bindgen(method, catch, js_name = checkVisibility)]
    pub fn check_visibility(this: &Node, options: &JsValue) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, js_name = getBoundingClientRect)]
    pub fn bounds(this: &Node) -> DomRect;
    #[wasm_bindgen(method, js_name = getClientRects)]
    pub fn client_rects(this: &Node) -> List;
    #[wasm_bindgen(method, catch, js_name = elementFromPoint)]
    pub fn element_from_point(this: &Node, x: f64, y: f64) -> Result<Option<Node>, JsValue>;
    #[wasm_bindgen(method, getter, js_name = activeElement)]
    pub fn active_element(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter)]
    pub fn body(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = documentElement)]
    pub fn document_element(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter, js_name = scrollingElement)]
    pub fn scrolling_element(this: &Node) -> Option<Node>;
    #[wasm_bindgen(method, getter)]
    pub fn title(this: &Node) -> String;
    #[wasm_bindgen(method, getter, js_name = visibilityState)]
    pub fn visibility_state(this: &Node) -> String;
    #[wasm_bindgen(method, js_name = createElement)]
    pub fn create_element(this: &Node, name: &str) -> Node;
    #[wasm_bindgen(method, js_name = execCommand, catch)]
    pub fn exec_command(this: &Node, command: &str, ui: bool, value: &str) -> Result<bool, JsValue>;

    // Geometry and scrolling.
    #[wasm_bindgen(method, getter, js_name = clientWidth)]
    pub fn client_width(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = clientHeight)]
    pub fn client_height(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = scrollWidth)]
    pub fn scroll_width(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = scrollHeight)]
    pub fn scroll_height(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = scrollTop)]
    pub fn scroll_top(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = clientLeft)]
    pub fn client_left(this: &Node) -> f64;
    #[wasm_bindgen(method, getter, js_name = clientTop)]
    pub fn client_top(this: &Node) -> f64;
    #[wasm_bindgen(method, js_name = scrollTo)]
    pub fn scroll_to(this: &Node, options: &JsValue);
    #[wasm_bindgen(method, js_name = scrollIntoView)]
    pub fn scroll_into_view(this: &Node, options: &JsValue);

    // Form controls. A type that does not match reads as absent.
    #[wasm_bindgen(method, getter, js_name = type)]
    pub fn input_type(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn value(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = defaultValue)]
    pub fn default_value(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn checked(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = defaultChecked)]
    pub fn default_checked(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn indeterminate(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = readOnly)]
    pub fn read_only(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = maxLength)]
    pub fn max_length(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn form(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn labels(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn control(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn options(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn multiple(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn label(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn text(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn selected(this: &Node) -> JsValue;
    #[wasm_bindgen(method, setter)]
    pub fn set_selected(this: &Node, on: bool);
    #[wasm_bindgen(method, getter, js_name = defaultSelected)]
    pub fn default_selected(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = selectedIndex)]
    pub fn selected_index(this: &Node) -> JsValue;
    #[wasm_bindgen(method, setter, js_name = selectedIndex)]
    pub fn set_selected_index(this: &Node, index: i32);
    #[wasm_bindgen(method, getter, js_name = isContentEditable)]
    pub fn is_content_editable(this: &Node) -> JsValue;
    #[wasm_bindgen(method, catch, js_name = setSelectionRange)]
    pub fn set_selection_range(this: &Node, start: u32, end: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, getter, js_name = selectionStart)]
    pub fn selection_start(this: &Node) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, getter, js_name = selectionEnd)]
    pub fn selection_end(this: &Node) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = stepUp)]
    pub fn step_up(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = stepDown)]
    pub fn step_down(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = checkValidity)]
    pub fn check_validity(this: &Node) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, catch, js_name = requestSubmit)]
    pub fn request_submit(this: &Node) -> Result<(), JsValue>;

    // Links and images.
    #[wasm_bindgen(method, getter)]
    pub fn href(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn src(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = naturalWidth)]
    pub fn natural_width(this: &Node) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = naturalHeight)]
    pub fn natural_height(this: &Node) -> JsValue;

    // Acting.
    #[wasm_bindgen(method, catch)]
    pub fn click(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn focus(this: &Node, options: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn blur(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = dispatchEvent)]
    pub fn dispatch(this: &Node, event: &JsValue) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, js_name = addEventListener)]
    pub fn listen(this: &Node, kind: &str, listener: &Function, options: &JsValue);
    #[wasm_bindgen(method, js_name = removeEventListener)]
    pub fn unlisten(this: &Node, kind: &str, listener: &Function, options: &JsValue);
    #[wasm_bindgen(method)]
    pub fn remove(this: &Node);
    #[wasm_bindgen(method, js_name = appendChild)]
    pub fn append_child(this: &Node, child: &Node) -> Node;
    #[wasm_bindgen(method, js_name = attachShadow, catch)]
    pub fn attach_shadow(this: &Node, options: &JsValue) -> Result<Node, JsValue>;
    #[wasm_bindgen(method, getter)]
    pub fn style(this: &Node) -> Style;
    #[wasm_bindgen(method, catch)]
    pub fn close(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = showPopover)]
    pub fn show_popover(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = hidePopover)]
    pub fn hide_popover(this: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn animate(this: &Node, frames: &JsValue, options: &JsValue) -> Result<JsValue, JsValue>;

    /// `NodeList`, `HTMLCollection` or `DOMRectList`.
    pub type List;
    #[wasm_bindgen(method, getter)]
    pub fn length(this: &List) -> u32;
    #[wasm_bindgen(method)]
    pub fn item(this: &List, index: u32) -> JsValue;

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
    #[wasm_bindgen(method, getter)]
    pub fn display(this: &Style) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn cursor(this: &Style) -> String;
    #[wasm_bindgen(method, getter, js_name = overflowX)]
    pub fn overflow_x(this: &Style) -> String;
    #[wasm_bindgen(method, getter, js_name = overflowY)]
    pub fn overflow_y(this: &Style) -> String;
    #[wasm_bindgen(method, getter, js_name = content)]
    pub fn content(this: &Style) -> String;
    #[wasm_bindgen(method, js_name = setProperty)]
    pub fn set_property(this: &Style, name: &str, value: &str, priority: &str);

    #[wasm_bindgen(js_name = getComputedStyle)]
    pub fn computed_style(node: &Node) -> Style;
    #[wasm_bindgen(js_name = getComputedStyle)]
    pub fn computed_pseudo(node: &Node, pseudo: &str) -> Style;

    /// `WeakRef`.
    pub type WeakRef;
    #[wasm_bindgen(constructor)]
    pub fn new(node: &Node) -> WeakRef;
    #[wasm_bindgen(method)]
    pub fn deref(this: &WeakRef) -> Option<Node>;

    /// `MutationObserver`.
    pub type MutationObserver;
    #[wasm_bindgen(constructor)]
    pub fn new(callback: &Function) -> MutationObserver;
    #[wasm_bindgen(method)]
    pub fn observe(this: &MutationObserver, node: &Node, options: &JsValue);
    #[wasm_bindgen(method)]
    pub fn disconnect(this: &MutationObserver);

    /// `Selection`.
    pub type Selection;
    #[wasm_bindgen(method, js_name = toString)]
    pub fn to_text(this: &Selection) -> String;
    #[wasm_bindgen(method, catch, js_name = selectAllChildren)]
    pub fn select_all_children(this: &Selection, node: &Node) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = collapseToEnd)]
    pub fn collapse_to_end(this: &Selection) -> Result<(), JsValue>;
    #[wasm_bindgen(js_name = getSelection)]
    pub fn selection() -> Option<Selection>;

    #[wasm_bindgen(js_name = Number)]
    fn js_number(text: &str) -> f64;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: f64);
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
pub fn after(ms: f64, callback: &Function) {
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

/// Px or ms for a text: formatting a fraction would take a tenth of this script's size.
pub fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// A property, `undefined` when it cannot be read.
pub fn property(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// A plain object.
pub fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let out = Object::new();
    for (key, value) in entries {
        // A plain object takes any property.
        let _ = Reflect::set(&out, &JsValue::from_str(key), value);
    }
    out.into()
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
    (0..list.length()).map(|i| list.item(i)).filter(|n| !n.is_null()).map(JsCast::unchecked_into).collect()
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
