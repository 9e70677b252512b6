//! What both halves of the content script need. The reader (`webbrain-content`) is always there; the actor
//! (`webbrain-content-act`) comes into a frame with the first call that acts. They are two WebAssembly modules: each has its
//! own copy of what is here, and of its state. What they have in common at run time lies in the reader.

pub mod entry;
pub mod fail;
pub mod focus;
#[expect(missing_docs, reason = "declares the browser's objects under the browser's names")]
pub mod js;
pub mod json;
pub mod node;
pub mod outcome;
pub mod task;

pub use webbrain_page::{Rect, text};

/// Most presses of a key in one call. Source: reference `tools.md` 2.2.
pub const MOST_PRESSES: u32 = 3;

/// `role "name"`.
pub fn named(role: &str, name: &str) -> String {
    let mut out = role.to_owned();
    out.push(' ');
    text::push_quoted(&mut out, name);
    out
}

/// A key and how often it was pressed.
pub fn pressed(key: &str, repeat: Option<u32>) -> String {
    match repeat.unwrap_or(1) {
        0 | 1 => key.to_owned(),
        times => format!("{key} {} times", times.min(MOST_PRESSES)),
    }
}
