//! Properties and methods of nodes that are used seldom.

use crate::js::{Node, Selection, Style, call, object, property, set_property, some_node};
use wasm_bindgen::prelude::*;

/// What is used seldom is reached by name: an import each would cost more than the calls.
impl Node {
    fn get(&self, name: &str) -> JsValue {
        property(self, name)
    }

    fn node(&self, name: &str) -> Option<Node> {
        some_node(self.get(name))
    }

    fn number(&self, name: &str) -> f64 {
        self.get(name).as_f64().unwrap_or(0.0)
    }

    fn set(&self, name: &str, value: JsValue) {
        set_property(self, name, &value);
    }

    fn invoke(&self, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
        invoke(self, name, arguments)
    }
}

/// Calls a method.
pub fn invoke(of: &JsValue, name: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
    call(&property(of, name), of, arguments)
}

macro_rules! getters {
    ($($method:ident = $name:literal,)*) => {
        impl Node { $(
            /// The property of this name.
            pub fn $method(&self) -> JsValue {
                self.get($name)
            }
        )* }
    };
}

getters! {
    default_value = "defaultValue", default_checked = "defaultChecked", default_selected = "defaultSelected",
    indeterminate = "indeterminate", read_only = "readOnly", max_length = "maxLength", multiple = "multiple",
    label = "label", text = "text", selected_index = "selectedIndex", is_content_editable = "isContentEditable",
    href = "href", src = "src", natural_width = "naturalWidth", natural_height = "naturalHeight", checked = "checked",
    selected = "selected", options = "options", form = "form", control = "control",
    selection_start = "selectionStart", selection_end = "selectionEnd", default_view = "defaultView",
}

macro_rules! actions {
    ($($method:ident = $name:literal,)*) => {
        impl Node { $(
            /// Calls the method of this name.
            pub fn $method(&self) -> Result<(), JsValue> {
                self.invoke($name, &[]).map(|_| ())
            }
        )* }
    };
}

actions! {
    step_up = "stepUp", step_down = "stepDown", request_submit = "requestSubmit", click = "click", blur = "blur",
    close = "close", show_popover = "showPopover", hide_popover = "hidePopover", remove_now = "remove",
}

impl Node {
    /// Document of a frame; none when it is of another origin.
    pub fn content_document(&self) -> Option<Node> {
        self.node("contentDocument")
    }
    /// Focused element of a document or shadow root.
    pub fn active_element(&self) -> Option<Node> {
        self.node("activeElement")
    }
    /// What scrolls the page.
    pub fn scrolling_element(&self) -> Option<Node> {
        self.node("scrollingElement")
    }
    /// Body of a document.
    pub fn body(&self) -> Option<Node> {
        self.node("body")
    }
    /// Root element of a document.
    pub fn document_element(&self) -> Option<Node> {
        self.node("documentElement")
    }
    /// Host of a shadow root.
    pub fn host(&self) -> Option<Node> {
        self.node("host")
    }
    /// Title of a document.
    pub fn title(&self) -> String {
        self.get("title").as_string().unwrap_or_default()
    }
    /// Whether a document is in a hidden tab.
    pub fn is_hidden_tab(&self) -> bool {
        self.get("hidden").is_truthy()
    }
    /// Text as laid out.
    pub fn inner_text(&self) -> Option<String> {
        self.get("innerText").as_string()
    }
    /// All text.
    pub fn text_content(&self) -> Option<String> {
        self.get("textContent").as_string()
    }
    /// Replaces the content by text.
    pub fn set_text_content(&self, text: &str) {
        self.set("textContent", text.into());
    }
    /// Px scrolled down.
    pub fn scroll_top(&self) -> f64 {
        self.number("scrollTop")
    }
    /// Width of the left border.
    pub fn client_left(&self) -> f64 {
        self.number("clientLeft")
    }
    /// Width of the top border.
    pub fn client_top(&self) -> f64 {
        self.number("clientTop")
    }
    /// Chooses an option or not.
    pub fn set_selected(&self, on: bool) {
        self.set("selected", on.into());
    }
    /// Chooses the option at an index.
    pub fn set_selected_index(&self, index: i32) {
        self.set("selectedIndex", index.into());
    }
    /// The element with an id in this document or shadow root.
    pub fn by_id(&self, id: &str) -> Option<Node> {
        self.invoke("getElementById", &[id.into()]).ok().and_then(some_node)
    }
    /// The first match of a selector. Fails when it is malformed.
    pub fn query(&self, selector: &str) -> Result<Option<Node>, JsValue> {
        self.invoke("querySelector", &[selector.into()]).map(some_node)
    }
    /// The nearest match of a selector among this element and its ancestors.
    pub fn closest(&self, selector: &str) -> Option<Node> {
        self.invoke("closest", &[selector.into()]).ok().and_then(some_node)
    }
    /// Whether `other` is this node or inside of it, in the DOM.
    pub fn contains(&self, other: &Node) -> bool {
        self.invoke("contains", &[other.into()]).is_ok_and(|v| v.is_truthy())
    }
    /// The topmost element at a point of the viewport.
    pub fn element_from_point(&self, x: f64, y: f64) -> Option<Node> {
        self.invoke("elementFromPoint", &[x.into(), y.into()]).ok().and_then(some_node)
    }
    /// Runs an editing command. Returns whether it did something.
    pub fn exec_command(&self, command: &str, value: &str) -> Result<bool, JsValue> {
        self.invoke("execCommand", &[command.into(), false.into(), value.into()]).map(|v| v.is_truthy())
    }
    /// Scrolls; see the DOM for `options`.
    pub fn scroll_to(&self, options: &JsValue) {
        // Every element can be asked to scroll.
        let _ = self.invoke("scrollTo", std::slice::from_ref(options));
    }
    /// Scrolls what is around it; see the DOM for `options`.
    pub fn scroll_into_view(&self, options: &JsValue) {
        let _ = self.invoke("scrollIntoView", std::slice::from_ref(options));
    }
    /// Puts the caret or a selection.
    pub fn set_selection_range(&self, start: u32, end: u32) -> Result<(), JsValue> {
        self.invoke("setSelectionRange", &[start.into(), end.into()]).map(|_| ())
    }
    /// Focuses; see the DOM for `options`.
    pub fn focus(&self, options: &JsValue) -> Result<(), JsValue> {
        self.invoke("focus", std::slice::from_ref(options)).map(|_| ())
    }
    /// Adds a listener.
    pub fn listen(&self, kind: &str, listener: &JsValue, capture: bool) {
        let _ = self.invoke("addEventListener", &[kind.into(), listener.clone(), capture.into()]);
    }
    /// Removes a listener.
    pub fn unlisten(&self, kind: &str, listener: &JsValue, capture: bool) {
        let _ = self.invoke("removeEventListener", &[kind.into(), listener.clone(), capture.into()]);
    }
    /// Takes it out of the document.
    pub fn remove(&self) {
        // A node that is in no document stays out.
        let _ = self.remove_now();
    }
    /// Appends a child.
    pub fn append_child(&self, child: &Node) -> Result<(), JsValue> {
        self.invoke("appendChild", &[child.into()]).map(|_| ())
    }
    /// Makes a closed shadow root.
    pub fn closed_shadow(&self) -> Result<Node, JsValue> {
        self.invoke("attachShadow", &[object(&[("mode", "closed".into())])]).map(JsCast::unchecked_into)
    }
    /// A new element.
    pub fn create_element(&self, name: &str) -> Result<Node, JsValue> {
        self.invoke("createElement", &[name.into()]).map(JsCast::unchecked_into)
    }
    /// A copy with everything below it, alone in an element of a document where nothing loads and no component comes to life.
    pub fn inert_copy(&self) -> Option<Node> {
        let documents = property(&self.doc(), "implementation");
        let inert: Node = invoke(&documents, "createHTMLDocument", &["".into()]).ok()?.unchecked_into();
        let copy = invoke(&inert, "importNode", &[self.into(), true.into()]).ok()?;
        let holder = inert.create_element("div").ok()?;
        holder.append_child(copy.unchecked_ref()).ok()?;
        Some(holder)
    }
    /// Sets an attribute.
    pub fn set_attribute(&self, name: &str, value: &str) {
        // The names are this program's own and well-formed.
        let _ = self.invoke("setAttribute", &[name.into(), value.into()]);
    }
    /// An option's label as the user reads it.
    pub fn option_label(&self) -> String {
        let label = self.label().as_string().filter(|l| !l.is_empty());
        label.or_else(|| self.text().as_string()).unwrap_or_default()
    }
    /// Starts an animation; see the DOM.
    pub fn animate(&self, frames: &JsValue, options: &JsValue) -> Result<(), JsValue> {
        self.invoke("animate", &[frames.clone(), options.clone()]).map(|_| ())
    }
}

impl Style {
    /// A computed property by its name in script.
    pub fn read(&self, name: &str) -> String {
        property(self, name).as_string().unwrap_or_default()
    }
}

impl Selection {
    /// The selected text.
    pub fn to_text(&self) -> String {
        invoke(self, "toString", &[]).ok().and_then(|t| t.as_string()).unwrap_or_default()
    }
    /// Selects all inside a node.
    pub fn select_all_children(&self, node: &Node) -> Result<(), JsValue> {
        invoke(self, "selectAllChildren", &[node.into()]).map(|_| ())
    }
    /// Leaves only the caret at the end of the selection.
    pub fn collapse_to_end(&self) -> Result<(), JsValue> {
        invoke(self, "collapseToEnd", &[]).map(|_| ())
    }
}
