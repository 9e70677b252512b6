//! Serde types that cross panel <-> background <-> content script, and the view model that the panel draws.
//!
//! Nothing here does I/O. Both sides of every boundary use the same type, so a message that one side can write is a
//! message that the other can read. The JSON names are those of the contract (`camelCase` fields, `snake_case` actions).

pub mod chat;
pub mod json;
pub mod message;
pub mod mode;
pub mod model;
pub mod permission;
pub mod settings;
pub mod text;

pub use chat::{Card, Chat, Event, Item, RunStatus, StepStatus};
pub use mode::{Mode, Tier};
pub use model::{Completion, ModelError, StopReason, ToolCall, Usage};
pub use permission::{Capability, Decision, Grant};
pub use text::Msg;

/// A browser tab's id, as the browser gives it. It changes when the browser restarts.
pub type TabId = i32;
