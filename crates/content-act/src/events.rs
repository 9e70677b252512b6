//! Synthetic events as a browser would send them.

use crate::fail::Fail;
use crate::js::{self, Node};
use crate::outcome::touch;
use wasm_bindgen::JsValue;

/// Where a pointer event happens, in px of the element's own viewport.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

fn send(node: &Node, event: JsValue) -> Result<bool, Fail> {
    touch();
    Ok(node.dispatch(&event)?)
}

/// Sends a plain event that bubbles. Returns whether the default action may happen.
pub fn plain(node: &Node, kind: &str, cancelable: bool) -> Result<bool, Fail> {
    let init = js::object(&[("bubbles", true.into()), ("composed", true.into()), ("cancelable", cancelable.into())]);
    send(node, js::event(kind, &init)?)
}

/// Sends a pointer or mouse event of the main button.
pub fn pointer(node: &Node, kind: &str, at: Point, pressed: bool) -> Result<bool, Fail> {
    let is_pointer = kind.starts_with("pointer");
    let presses = matches!(kind, "mousedown" | "mouseup" | "click");
    let moves = kind.ends_with("move") || kind.ends_with("over");
    let init = js::object(&[
        ("bubbles", true.into()),
        ("cancelable", true.into()),
        ("composed", true.into()),
        ("view", js::window()),
        ("detail", i32::from(presses).into()),
        ("clientX", at.x.into()),
        ("clientY", at.y.into()),
        ("screenX", (at.x + js::window_number("screenX")).into()),
        ("screenY", (at.y + js::window_number("screenY")).into()),
        // No button changed its state in a move.
        ("button", if moves && is_pointer { -1 } else { 0 }.into()),
        ("buttons", i32::from(pressed).into()),
        ("pointerId", 1.into()),
        ("pointerType", "mouse".into()),
        ("isPrimary", true.into()),
        ("width", 1.into()),
        ("height", 1.into()),
        ("pressure", if pressed { 0.5 } else { 0.0 }.into()),
    ]);
    let event = if is_pointer { js::pointer_event(kind, &init) } else { js::mouse_event(kind, &init) };
    send(node, event?)
}

/// A key as events name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyName {
    /// `key`.
    pub key: String,
    /// `code`.
    pub code: String,
    /// `keyCode` of `keydown` and `keyup`.
    pub key_code: u32,
    /// `keyCode` of `keypress`: the character; 0 for a key without one.
    pub char_code: u32,
    /// Whether it takes Shift on a US keyboard.
    pub shift: bool,
}

/// The key that types a character. Characters off a US keyboard have no code.
pub fn key_of(c: char) -> KeyName {
    let char_code = c as u32;
    let (code, key_code, shift) = match c {
        'a'..='z' => (format!("Key{}", c.to_ascii_uppercase()), c.to_ascii_uppercase() as u32, false),
        'A'..='Z' => (format!("Key{c}"), char_code, true),
        '0'..='9' => (format!("Digit{c}"), char_code, false),
        ' ' => ("Space".to_owned(), 32, false),
        '\n' => ("Enter".to_owned(), 13, false),
        _ => match PUNCTUATION.iter().find(|(plain, shifted, ..)| *plain == c || *shifted == c) {
            Some((plain, _, code, key_code)) => ((*code).to_owned(), *key_code, *plain != c),
            None => (String::new(), 0, false),
        },
    };
    let key = if c == '\n' { "Enter".to_owned() } else { c.to_string() };
    KeyName { key, code, key_code, char_code: if c == '\n' { 13 } else { char_code }, shift }
}

const PUNCTUATION: [(char, char, &str, u32); 21] = [
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('`', '~', "Backquote", 192),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
];

/// Sends a keyboard event. Returns whether the default action may happen.
pub fn key(node: &Node, kind: &str, key: &KeyName) -> Result<bool, Fail> {
    let code = if kind == "keypress" { key.char_code } else { key.key_code };
    let char_code = if kind == "keypress" { key.char_code } else { 0 };
    let init = js::object(&[
        ("bubbles", true.into()),
        ("cancelable", true.into()),
        ("composed", true.into()),
        ("view", js::window()),
        ("key", key.key.as_str().into()),
        ("code", key.code.as_str().into()),
        ("keyCode", code.into()),
        ("which", code.into()),
        ("charCode", char_code.into()),
        ("shiftKey", key.shift.into()),
    ]);
    send(node, js::keyboard_event(kind, &init)?)
}

/// Sends `beforeinput` or `input`. Returns whether the default action may happen.
pub fn input(node: &Node, kind: &str, input_type: &str, data: Option<&str>) -> Result<bool, Fail> {
    let init = js::object(&[
        ("bubbles", true.into()),
        ("cancelable", (kind == "beforeinput").into()),
        ("composed", true.into()),
        ("view", js::window()),
        ("inputType", input_type.into()),
        ("data", data.map_or(JsValue::NULL, JsValue::from_str)),
    ]);
    send(node, js::input_event(kind, &init)?)
}

/// Focuses without scrolling.
pub fn focus(node: &Node) -> Result<(), Fail> {
    touch();
    Ok(node.focus(&js::object(&[("preventScroll", true.into())]))?)
}
