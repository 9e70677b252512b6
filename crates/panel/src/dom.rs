//! What the pages need of the document and window.

use crate::error::PanelError;
use crate::i18n;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition, UrlSearchParams};

/// The element with this id.
pub fn by_id(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

fn root() -> Option<HtmlElement> {
    document().document_element()?.dyn_into().ok()
}

/// Which page this is: `data-page` of the root element.
pub fn page() -> String {
    root().and_then(|root| root.get_attribute("data-page")).unwrap_or_default()
}

/// A parameter of the page's address.
pub fn parameter(name: &str) -> Option<String> {
    UrlSearchParams::new_with_str(&window().location().search().ok()?).ok()?.get(name)
}

/// Sets the page's language, and with it its direction. `?dir=rtl` turns any page round, to look at its layout.
pub fn set_language(tag: &str) {
    let Some(root) = root() else { return };
    let direction = parameter("dir").filter(|dir| dir == "rtl").unwrap_or_else(|| i18n::direction(tag).to_owned());
    set(&root, "lang", tag);
    set(&root, "dir", &direction);
}

/// Sets or removes an attribute of the root element.
pub fn set_root(name: &str, value: Option<&str>) {
    let Some(root) = root() else { return };
    match value {
        Some(value) => set(&root, name, value),
        None => {
            if let Err(error) = root.remove_attribute(name) {
                report_js(&error);
            }
        }
    }
}

fn set(element: &HtmlElement, name: &str, value: &str) {
    if let Err(error) = element.set_attribute(name, value) {
        report_js(&error);
    }
}

/// An id that nobody else has made.
pub fn unique_id() -> String {
    window().crypto().map(|crypto| crypto.random_uuid()).unwrap_or_else(|_| format!("r{}", js_sys::Math::random()))
}

/// Whether the keyboard's focus is on `element`.
pub fn has_focus(element: &HtmlElement) -> bool {
    document().active_element().is_some_and(|active| active == *element.unchecked_ref::<web_sys::Element>())
}

/// Scrolls as far as it takes to see `element`.
pub fn bring_into_view(element: &HtmlElement, block: ScrollLogicalPosition) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(block);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Moves the keyboard's focus.
pub fn focus(element: &HtmlElement) {
    if let Err(error) = element.focus() {
        report_js(&error);
    }
}

/// Puts text on the clipboard, then says whether that worked.
pub fn copy(text: String, done: impl Fn(bool) + 'static) {
    let promise = window().navigator().clipboard().write_text(&text);
    crate::task::spawn(report, async move {
        done(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
        Ok(())
    });
}

/// A time of day in the page's language, for a message's title. `at` is ms since the epoch.
pub fn clock_time(at: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(at as f64));
    date.to_locale_string(&i18n::language(), &JsValue::UNDEFINED).into()
}

/// The last resort for an error that has no place on the page: the browser's console.
pub fn report(error: PanelError) {
    leptos::logging::error!("{error}");
}

fn report_js(error: &JsValue) {
    leptos::logging::error!("{error:?}");
}
