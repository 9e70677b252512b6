//! What a run wants done. The driver journals an input before it executes the effects of it, so whatever an effect does,
//! the journal already says that it may have been done.

use crate::prompt::Prompt;
use webbrain_protocol::{Event, Grant};
use webbrain_tools::{PageCall, TabCall};

/// Parameters of a model call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelParams {
    /// Most tokens of the answer.
    pub max_tokens: u32,
    /// Sampling temperature.
    pub temperature: f32,
}

/// What a run wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Call the model; answer with `Delta`, then `ModelDone` or `ModelFailed`.
    CallModel {
        /// Number to answer with.
        call: u64,
        /// Provider id.
        provider: String,
        /// What to send.
        prompt: Prompt,
        /// How.
        params: ModelParams,
    },
    /// Give the model call up; no answer is wanted.
    CancelModel {
        /// Its number.
        call: u64,
    },
    /// Call the content script; answer with `ToolFinished`.
    RunPage {
        /// Number to answer with.
        call: u64,
        /// The call.
        page: PageCall,
        /// Host that it was allowed for: the tab must still be there when it is dispatched. `None` for what acts on nothing.
        charged: Option<String>,
        /// First ref number that may be given.
        ref_floor: u32,
        /// ms that it may take.
        timeout_ms: u32,
    },
    /// Call the tabs API; answer with `ToolFinished`.
    RunTab {
        /// Number to answer with.
        call: u64,
        /// The call; its address is absolute.
        tab: TabCall,
        /// As for `RunPage`.
        charged: Option<String>,
    },
    /// Give the tool call up: nothing of it may happen any more. The driver need not journal before it does this.
    CancelTool {
        /// Its number.
        call: u64,
    },
    /// Answer with `Timer` after a while.
    SetTimer {
        /// Number to answer with.
        id: u64,
        /// ms.
        after_ms: u64,
    },
    /// Tell the panel.
    Emit {
        /// Number of the event, or of the one before it for a delta.
        seq: u64,
        /// What changed.
        event: Event,
    },
    /// Add to the stored grants.
    StoreGrant(Grant),
    /// The run is over: release the page.
    Ended,
}
