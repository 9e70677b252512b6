//! What can go wrong in a page of the extension, and how it is told.

use webbrain_protocol::text::{Msg, keys};

use crate::i18n::key;

/// A failure of something that a page tried.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PanelError {
    /// The browser refused a call of the shim.
    #[error("the browser refused {call}: {detail}")]
    Browser {
        /// Name of the shim's function.
        call: &'static str,
        /// The browser's words.
        detail: String,
    },
    /// The background did not answer.
    #[error("the background did not answer")]
    NoAnswer,
    /// The background answered something that is not a response.
    #[error("the answer could not be read: {0}")]
    Unreadable(String),
    /// The background said no.
    #[error("refused: {}", .0.key)]
    Refused(Msg),
}

impl PanelError {
    /// The failure in words of the catalogue.
    pub fn message(&self) -> Msg {
        match self {
            PanelError::Refused(message) => message.clone(),
            PanelError::NoAnswer => Msg::new(key::ERR_NO_ANSWER),
            other => Msg::new(keys::ERR_INTERNAL).arg("detail", other.to_string()),
        }
    }
}
