//! Which fields hold secrets. A field that once was a password stays one, also when the page shows it.

use crate::js::Node;
use js_sys::{Object, WeakMap};
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    static TAINTED: WeakMap = WeakMap::new();
}

const NAMES: [&str; 8] = ["passw", "passwd", "pwd", "otp", "one-time", "cvv", "cvc", "card-security"];

/// Whether the value of an input must never be told.
pub fn is_secret(input: &Node) -> bool {
    let key: &Object = input.unchecked_ref();
    if TAINTED.with(|t| t.has(key)) {
        return true;
    }
    let secret = input.input_type().as_string().is_some_and(|t| t == "password") || says_secret(input);
    if secret {
        TAINTED.with(|t| {
            t.set(key, &JsValue::TRUE);
        });
    }
    secret
}

fn says_secret(input: &Node) -> bool {
    let auto = input.attribute("autocomplete").unwrap_or_default().to_ascii_lowercase();
    if auto.contains("password")
        || auto.contains("one-time-code")
        || auto.starts_with("cc-number")
        || auto.contains("cc-csc")
    {
        return true;
    }
    let words = |a: &str| input.attribute(a).unwrap_or_default().to_ascii_lowercase();
    let (name, id) = (words("name"), words("id"));
    NAMES.iter().any(|n| name.contains(n) || id.contains(n))
}
