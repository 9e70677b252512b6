//! Which fields hold secrets. A field that once was a password stays one, also when the page shows it.

use crate::entry::{entry_of, inner_field};
use crate::js::{Node, WeakMap};
use webbrain_page::text;

thread_local! {
    static TAINTED: WeakMap = WeakMap::new();
}

const NAMES: [&str; 8] = ["passw", "passwd", "pwd", "otp", "one-time", "cvv", "cvc", "card-security"];

/// Whether the value of an input must never be told.
pub fn is_secret(input: &Node) -> bool {
    if TAINTED.with(|t| t.get(input).is_truthy()) {
        return true;
    }
    let secret = input.input_type().as_string().is_some_and(|t| t == "password") || says_secret(input);
    if secret {
        TAINTED.with(|t| t.set(input, 1));
    }
    secret
}

/// Whether what is typed into it must not be shown: it is such a field, or the wrapper of one.
pub fn takes_secret(node: &Node) -> bool {
    match entry_of(node) {
        Some(_) => node.name() == "input" && is_secret(node),
        None => node.name().contains('-') && inner_field(node).is_some_and(|inner| is_secret(&inner)),
    }
}

fn says_secret(input: &Node) -> bool {
    let auto = input.attribute("autocomplete").unwrap_or_default().to_ascii_lowercase();
    if text::has(&auto, "password")
        || text::has(&auto, "one-time-code")
        || auto.starts_with("cc-number")
        || text::has(&auto, "cc-csc")
    {
        return true;
    }
    let words = |a: &str| input.attribute(a).unwrap_or_default().to_ascii_lowercase();
    let (name, id) = (words("name"), words("id"));
    NAMES.iter().any(|n| name.contains(n) || id.contains(n))
}
