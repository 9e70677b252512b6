//! The agent as a pure state machine. One aggregate per tab, [`run::Run`], is serialisable; one function drives it.
//!
//! Invariants and the tests that hold them are listed in `docs/architecture.md`.

pub mod label;
pub mod prompt;
