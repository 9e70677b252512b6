//! .
#![allow(clippy::unwrap_used)]
mod probe;
