//! The agent as a pure state machine. One aggregate per tab, [`run::Run`], is serialisable; one function drives it.
//!
//! Invariants and the tests that hold them are listed in `docs/architecture.md`.

pub mod effect;
pub mod gate;
pub mod input;
pub mod label;
pub mod prompt;
pub mod run;

pub use effect::{Effect, ModelParams};
pub use input::{Input, ModelProfile, Now, PageInfo, Stamped, ToolOutcome, ToolReport};
pub use run::Run;
