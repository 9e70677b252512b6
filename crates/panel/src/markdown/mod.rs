//! Markdown of an answer: text -> blocks (pure) -> DOM nodes. No HTML is ever parsed or built.

mod model;
mod parse;
pub mod view;
