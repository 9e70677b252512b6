//! What is handed to a page in one piece, as from the clipboard or by a drop.

use crate::fail::Fail;
use crate::js::{self, Node};
use crate::outcome::touch;
use wasm_bindgen::prelude::*;
use webbrain_content_base::node::invoke;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Reflect, js_name = construct, catch)]
    fn construct(class: &JsValue, arguments: &js::List) -> Result<JsValue, JsValue>;
}

/// Where the objects are made that the page is to read. Firefox gives what an extension made to no page; there they are made
/// among the page's own. The page gets nothing by that but what it is handed anyway.
struct Realm(JsValue);

impl Realm {
    fn of(node: &Node) -> Self {
        let view = node.doc().default_view();
        let own = js::property(&view, "wrappedJSObject");
        Realm(if own.is_undefined() { view } else { own })
    }

    fn make(&self, class: &str, arguments: &[JsValue]) -> Result<JsValue, Fail> {
        Ok(construct(&js::property(&self.0, class), &js::array(arguments))?)
    }

    fn object(&self, entries: &[(&str, JsValue)]) -> Result<JsValue, Fail> {
        let out = self.make("Object", &[])?;
        for (key, value) in entries {
            js::set_property(&out, key, value);
        }
        Ok(out)
    }

    fn list(&self, items: &[JsValue]) -> Result<JsValue, Fail> {
        Ok(invoke(&js::property(&self.0, "Array"), "of", items)?)
    }
}

/// Sends a `paste` with a text, and the same as markup when given. Returns whether the page took it.
pub fn paste(node: &Node, text: &str, markup: Option<&str>) -> Result<bool, Fail> {
    let realm = Realm::of(node);
    let init = realm.object(&[
        ("bubbles", true.into()),
        ("cancelable", true.into()),
        ("composed", true.into()),
        ("clipboardData", realm.make("DataTransfer", &[])?),
        // Firefox makes a clipboard of its own from these two.
        ("data", text.into()),
        ("dataType", "text/plain".into()),
    ])?;
    let event = realm.make("ClipboardEvent", &["paste".into(), init])?;
    let data = js::property(&event, "clipboardData");
    invoke(&data, "setData", &["text/plain".into(), text.into()])?;
    if let Some(markup) = markup {
        invoke(&data, "setData", &["text/html".into(), markup.into()])?;
    }
    touch();
    Ok(!node.dispatch(&event)?)
}

/// A `beforeinput` that deletes what is selected, with the range of it. Returns whether the page took it.
pub fn announce_deletion(node: &Node, selection: &JsValue) -> Result<bool, Fail> {
    let realm = Realm::of(node);
    let mut ranges = Vec::new();
    if js::property(selection, "rangeCount").as_f64().is_some_and(|n| n > 0.0) {
        let range = invoke(selection, "getRangeAt", &[0.into()])?;
        let keys = ["startContainer", "startOffset", "endContainer", "endOffset"];
        let entries: Vec<(&str, JsValue)> = keys.iter().map(|key| (*key, js::property(&range, key))).collect();
        ranges.push(realm.make("StaticRange", &[realm.object(&entries)?])?);
    }
    let init = realm.object(&[
        ("bubbles", true.into()),
        ("cancelable", true.into()),
        ("composed", true.into()),
        ("inputType", "deleteContentBackward".into()),
        ("targetRanges", realm.list(&ranges)?),
    ])?;
    let event = realm.make("InputEvent", &["beforeinput".into(), init])?;
    touch();
    Ok(!node.dispatch(&event)?)
}

/// Says that the node has the focus, as a browser does in a window that has it.
pub fn tell_focus(node: &Node) -> Result<(), Fail> {
    let realm = Realm::of(node);
    for (kind, bubbles) in [("focus", false), ("focusin", true)] {
        let init = realm.object(&[("bubbles", bubbles.into()), ("composed", true.into())])?;
        let event = realm.make("FocusEvent", &[kind.into(), init])?;
        touch();
        node.dispatch(&event)?;
    }
    Ok(())
}

/// A transfer that carries a file, for what is at `node`.
pub fn with_file(node: &Node, name: &str, content: &str, mime: &str) -> Result<JsValue, Fail> {
    let realm = Realm::of(node);
    let options = realm.object(&[("type", mime.into())])?;
    let file = realm.make("File", &[realm.list(&[content.into()])?, name.into(), options])?;
    let data = realm.make("DataTransfer", &[])?;
    invoke(&js::property(&data, "items"), "add", &[file])?;
    js::set_property(&data, "dropEffect", &"copy".into());
    Ok(data)
}

/// Sends an event of a drag. Returns whether the page took it.
pub fn drag(node: &Node, kind: &str, at: crate::events::Point, data: &JsValue) -> Result<bool, Fail> {
    let realm = Realm::of(node);
    let init = realm.object(&[
        ("bubbles", true.into()),
        ("cancelable", (kind != "dragleave").into()),
        ("composed", true.into()),
        ("clientX", at.x.into()),
        ("clientY", at.y.into()),
        ("dataTransfer", data.clone()),
    ])?;
    let event = realm.make("DragEvent", &[kind.into(), init])?;
    touch();
    Ok(!node.dispatch(&event)?)
}
