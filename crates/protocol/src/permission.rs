//! Capability x host grants: the record that `wb_permissions` holds. Source: reference `engine.md` 7.

use serde::{Deserialize, Serialize};

/// What an acting tool does to a site; the unit in which permission is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Activates a control.
    Click,
    /// Puts text into a field.
    Type,
    /// Gives the site a file.
    Upload,
    /// Moves a tab to an address.
    Navigate,
}

/// The user's answer on a permission card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// This tab, until the next message of the user.
    Once,
    /// Every tab, until revoked in the settings.
    Always,
    /// Not this time.
    Deny,
}

/// `allow` or `deny` in a stored grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The capability may be used on the host.
    Allow,
    /// It may not, and no card is shown.
    Deny,
}

/// One row of `wb_permissions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// What is granted.
    pub capability: Capability,
    /// Exact host, lower case, without a leading `www.`, with the port when it is not the scheme's own.
    pub host: String,
    /// Allowed or denied.
    pub action: Action,
    /// Only [`Decision::Always`] is stored.
    pub duration: Decision,
    /// When it was given, ms since the epoch.
    pub ts: u64,
}
