//! The run indicator: a border around the viewport and a Stop button, in a closed shadow root that the page cannot read.

use crate::js::{self, Node};
use crate::state;
use wasm_bindgen::prelude::*;

const COLOUR: &str = "#6c63ff";
/// Key of the button's text in the extension's messages.
const STOP_KEY: &str = "indicatorStop";

/// The indicator while it is in the page.
pub struct Indicator {
    host: Node,
    button: Node,
    on_click: Closure<dyn FnMut(JsValue)>,
}

/// Puts the indicator up or takes it down.
pub fn switch(on: bool) {
    let shown = state::with(|s| s.indicator.take());
    match (on, shown) {
        (true, Some(shown)) if shown.host.is_connected() => state::with(|s| s.indicator = Some(shown)),
        (true, old) => {
            drop(old);
            // Without an indicator the run goes on; the panel has its own Stop button.
            if let Ok(indicator) = Indicator::put_up() {
                state::with(|s| s.indicator = Some(indicator));
            }
        }
        (false, old) => drop(old),
    }
}

/// Hides it while the page is acted on, so that it is never hit.
pub fn suspend() {
    visibility("hidden");
}

/// Shows it again.
pub fn resume() {
    visibility("visible");
}

fn visibility(value: &str) {
    if let Some(host) = state::with(|s| s.indicator.as_ref().map(|i| i.host.clone())) {
        host.style().set_property("visibility", value, "important");
    }
}

impl Indicator {
    fn put_up() -> Result<Self, JsValue> {
        let doc = js::document();
        let Some(root) = doc.document_element() else { return Err(JsValue::NULL) };
        let host = doc.create_element("div")?;
        host.set_attribute("popover", "manual");
        host.set_attribute("aria-hidden", "false");
        style(&host, HOST);
        let shadow = host.closed_shadow()?;
        let border = doc.create_element("div")?;
        style(&border, BORDER);
        shadow.append_child(&border)?;
        let button = doc.create_element("button")?;
        let label = js::host_text(STOP_KEY).ok().filter(|t| !t.is_empty()).unwrap_or_else(|| "Stop".to_owned());
        button.set_text_content(&label);
        button.set_attribute("type", "button");
        button.set_attribute("aria-label", &label);
        style(&button, BUTTON);
        shadow.append_child(&button)?;
        let on_click = Closure::new(|event: JsValue| {
            // Only the user may stop the run: a page cannot send a trusted click.
            if js::property(&event, "isTrusted").is_truthy() {
                // There is nobody to tell when the extension is gone.
                let _ = js::host_stop();
            }
        });
        button.listen("click", on_click.as_ref(), false);
        root.append_child(&host)?;
        // In the top layer the page's own dialogs do not hide it; where there are no popovers it still is on top of most.
        let _ = host.show_popover();
        pulse(&border);
        Ok(Indicator { host, button, on_click })
    }
}

impl Drop for Indicator {
    fn drop(&mut self) {
        self.button.unlisten("click", self.on_click.as_ref(), false);
        self.host.remove();
    }
}

fn pulse(border: &Node) {
    let calm = crate::node::invoke(&js::window(), "matchMedia", &["(prefers-reduced-motion: reduce)".into()])
        .is_ok_and(|m| js::property(&m, "matches").is_truthy());
    if calm {
        return;
    }
    let frame = |opacity: f64| js::object(&[("opacity", opacity.into())]);
    let frames = js::array(&[frame(1.0), frame(0.45), frame(1.0)]);
    let options = js::object(&[("duration", 2_000.into()), ("iterations", f64::INFINITY.into())]);
    // A border that stands still says the same.
    let _ = border.animate(&frames, &options);
}

/// Styles are set property by property, which every content security policy allows.
fn style(node: &Node, properties: &[(&str, &str)]) {
    let style = node.style();
    style.set_property("all", "initial", "important");
    for (name, value) in properties {
        style.set_property(name, value, "important");
    }
}

const HOST: &[(&str, &str)] = &[
    ("position", "fixed"),
    ("inset", "0"),
    ("width", "100vw"),
    ("height", "100vh"),
    ("margin", "0"),
    ("padding", "0"),
    ("border", "0"),
    ("background", "transparent"),
    ("pointer-events", "none"),
    ("z-index", "2147483647"),
    ("display", "block"),
    ("overflow", "hidden"),
];

const BORDER: &[(&str, &str)] = &[
    ("position", "absolute"),
    ("inset", "0"),
    ("display", "block"),
    ("box-sizing", "border-box"),
    ("border", "3px solid #6c63ff"),
    ("box-shadow", "inset 0 0 18px #6c63ff80"),
    ("pointer-events", "none"),
];

const BUTTON: &[(&str, &str)] = &[
    ("position", "absolute"),
    ("bottom", "18px"),
    ("left", "50%"),
    ("transform", "translateX(-50%)"),
    ("display", "block"),
    ("padding", "8px 18px"),
    ("border-radius", "18px"),
    ("background", COLOUR),
    ("color", "#fff"),
    ("font", "600 14px/18px system-ui, sans-serif"),
    ("cursor", "pointer"),
    ("pointer-events", "auto"),
    ("box-shadow", "0 2px 10px #0006"),
];
