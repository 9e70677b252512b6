//! Text that a person reads: a key of the localisation catalogue and its arguments, never a sentence.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A message for the user. The panel looks `key` up in the catalogue and fills `{name}` from `args`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Msg {
    /// A key listed in [`keys`].
    pub key: String,
    /// Values for the placeholders; data, shown as text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<String, String>,
}

impl Msg {
    /// A message without arguments. `key` should be one of [`keys`].
    pub fn new(key: &str) -> Self {
        Msg { key: key.to_owned(), args: BTreeMap::new() }
    }

    /// Adds the value of placeholder `{name}`.
    #[must_use]
    pub fn arg(mut self, name: &str, value: impl Into<String>) -> Self {
        self.args.insert(name.to_owned(), value.into());
        self
    }
}

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        /// Keys that the core, the wire and the background use. The panel's own labels are keys of its catalogue only.
        /// A test of the panel crate holds that the English catalogue has every one of them.
        pub mod keys {
            $($(#[$doc])* pub const $name: &str = $key;)*
            /// Every key above.
            pub const ALL: &[&str] = &[$($name),*];
        }
    };
}

keys! {
    /// No connection to the model's server. `{server}`.
    ERR_UNREACHABLE = "error.unreachable";
    /// The server refused the key. `{server}`.
    ERR_AUTH = "error.auth";
    /// A local server refuses requests of browser extensions; its allowed origins must be set. `{server}`.
    ERR_ORIGIN = "error.originRefused";
    /// The server asks to wait; tries used up. `{seconds}` may be absent.
    ERR_RATE_LIMITED = "error.rateLimited";
    /// The conversation does not fit the model. `{used}`, `{window}` may be absent.
    ERR_CONTEXT = "error.contextOverflow";
    /// The model or its filter declined.
    ERR_REFUSED = "error.refused";
    /// No such model or no such address. `{server}`, `{detail}`.
    ERR_NOT_FOUND = "error.notFound";
    /// The answer was not what the protocol says (HTML instead of JSON, say). `{server}`, `{detail}`.
    ERR_PROTOCOL = "error.protocol";
    /// The server failed on its side. `{server}`, `{status}`, `{detail}`.
    ERR_SERVER = "error.server";
    /// The request was refused as malformed. `{server}`, `{detail}`.
    ERR_BAD_REQUEST = "error.badRequest";
    /// No answer in time. `{server}`, `{seconds}`.
    ERR_TIMEOUT = "error.timeout";
    /// The stream ended in the middle of an answer. `{server}`.
    ERR_CUT = "error.cut";
    /// Payment needed or allowance used up at the provider. `{server}`.
    ERR_PAYMENT = "error.payment";
    /// Provider settings are incomplete or wrong. `{field}`, `{detail}`.
    ERR_CONFIG = "error.config";
    /// The model answered nothing twice.
    ERR_EMPTY = "error.emptyAnswer";
    /// The model used up the length of its answer before it said anything, twice.
    ERR_LENGTH = "error.answerLength";
    /// The server answered with a redirect, which is not followed. `{server}`.
    ERR_REDIRECT = "error.redirect";
    /// The tab was closed during the run.
    ERR_TAB_CLOSED = "error.tabClosed";
    /// This page cannot be read by extensions. `{url}`.
    ERR_TAB_PROTECTED = "error.tabProtected";
    /// A second message while a run is active.
    ERR_BUSY = "error.busy";
    /// Dev mode with a compact-tier provider.
    ERR_DEV_TIER = "error.devTier";
    /// Stored record unreadable; it was set aside. `{record}`.
    ERR_CORRUPT = "error.corruptRecord";
    /// Something in the extension failed. `{detail}`.
    ERR_INTERNAL = "error.internal";
    /// Session storage is full: the run goes on but cannot be resumed.
    NOTICE_NOT_DURABLE = "notice.notDurable";
    /// Waiting before the next try. `{seconds}`.
    NOTICE_RETRYING = "notice.retrying";
    /// The run was picked up after the browser stopped the worker.
    NOTICE_RESUMED = "notice.resumed";
    /// The model's answer was cut off at its length limit.
    NOTICE_CUT = "notice.cut";
    /// The user pressed Stop.
    NOTICE_STOPPED = "notice.stopped";
    /// The model was told to go on, having answered nothing.
    NOTICE_NUDGED = "notice.nudged";
    /// A stored record could not be read and was set aside. `{record}`.
    NOTICE_CORRUPT = "notice.corruptRecord";
    /// Stored settings that could not be read; defaults are used. `{records}`.
    NOTICE_SETTINGS = "notice.corruptSettings";
    /// The page has not answered an action for a while.
    NOTICE_DIALOG = "notice.dialog";
    /// Success without evidence, or a plain answer in an action mode without `done`.
    NOTICE_UNCONFIRMED = "notice.unconfirmed";
    /// A tool that was running when the worker died; its outcome is unknown.
    NOTICE_OUTCOME_UNKNOWN = "notice.outcomeUnknown";
}
