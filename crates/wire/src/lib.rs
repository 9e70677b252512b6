//! Provider dialects: conversation, tools and settings become a request; stream bytes become deltas and a completion;
//! status and body become a typed error. Nothing here does I/O.
//!
//! Invariants:
//! - Tool calls are known only at the terminal event: [`stream::Decoder::feed`] gives text and reasoning, never a call.
//! - Any split of the same bytes gives the same completion.
//! - The serialised prompt is byte-stable: adding a turn changes nothing before it.
//! - No key can be printed: header values that hold one have no readable `Debug`.

pub mod catalogue;
pub mod commands;
pub mod error;
pub mod message;
pub mod models;
pub mod probe;
pub mod provider;
pub mod recover;
pub mod repair;
pub mod request;
pub mod stream;

pub use provider::{Provider, Quirks};
pub use request::{HeaderValue, HttpRequest, Params};
pub use stream::Decoder;
