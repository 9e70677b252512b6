//! What kind of work the user allows (mode) and how much the model is shown (tier).

use serde::{Deserialize, Serialize};

/// The kind of work that the user allows for a message. Source: the seed, side panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Reads and answers; never clicks, types or navigates.
    #[default]
    Ask,
    /// Acts in the browser with the tools of the provider's tier.
    Act,
    /// Acts, with page-debugging tools added. Needs tier mid or full.
    Dev,
}

impl Mode {
    /// Whether this mode may change anything in the browser.
    pub fn acts(self) -> bool {
        !matches!(self, Mode::Ask)
    }
}

/// How many tools and how long a prompt the model gets. Set per provider (`promptTier`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Small local models.
    Compact,
    /// Local models by default.
    Mid,
    /// Cloud models.
    #[default]
    Full,
}
