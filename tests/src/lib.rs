//! End-to-end tests in the real browsers.
//!
//! What a test needs is here: a scripted model server ([`model_server`]), a server for pages ([`fixture_server`]), and one
//! driver for both browsers ([`driver`]). The tests are in `tests/e2e/`. None of them depends on how long something takes:
//! they wait for conditions, and hold a server or a page at a [`gate::Gate`] until the moment they want.

pub mod answer;
pub mod artefacts;
pub mod chrome;
pub mod config;
pub mod dialogue;
pub mod driver;
pub mod encode;
pub mod error;
pub mod firefox;
pub mod fixture_server;
pub mod gate;
pub mod harness;
pub mod model_request;
pub mod model_server;
pub mod page_run;
pub mod page_test;
pub mod panel;
pub mod process;
pub mod script;
pub mod tree_text;
pub mod wait;

pub use answer::Answer;
pub use dialogue::Dialogue;
pub use driver::{Browser, Session, TabHandle};
pub use error::{Error, Result};
pub use fixture_server::{FixtureServer, Origin};
pub use gate::Gate;
pub use model_request::{ModelRequest, find_ref};
pub use model_server::ModelServer;
pub use page_test::PageTest;
pub use panel::Panel;
pub use script::{Split, Turn};

#[cfg(test)]
mod http_client;
