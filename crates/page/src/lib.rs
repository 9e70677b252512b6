//! The page as the model sees it: roles, accessible names, states, the lines of the tree, its pages and what changed
//! between two readings. Everything is generic over the small [`Dom`] trait, so that it runs on the host in tests and over
//! the browser's document in the content script. Nothing here can fail: any document gives a tree.

pub mod diff;
pub mod dom;
pub mod name;
pub mod paging;
pub mod reading;
pub mod role;
pub mod state;
pub mod suggest;
pub mod tag;
pub mod text;
pub mod tree;

mod block;
mod gather;
mod near;
mod pseudo;
mod seen;
mod walk;

pub use diff::{Diff, diff};
pub use dom::{Choice, Dom, Kind, Live, NodeId, PageBox, Painted, Rect};
pub use paging::{DEFAULT_CHARS, HARD_CHARS, Page, Revisions, paginate};
pub use reading::{cells, read, text_of};
pub use role::Role;
pub use suggest::{Candidate, suggest};
pub use tag::Tag;
pub use tree::{Line, Tree};
pub use walk::{Options, build, describe, is_seen, is_shown};

#[cfg(test)]
mod tests;
