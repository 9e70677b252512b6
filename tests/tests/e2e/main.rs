//! End-to-end tests of the main job, in real Chromium and real Firefox. See `webbrain_e2e::config` for the environment.

// Assertions of a test may stop it: the harness keeps what is needed to understand why.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod accname;
mod commands;
mod corpus;
mod corrupt;
mod detached;
mod editors;
mod faults;
mod fixtures;
mod frames;
mod idle;
mod kept;
mod limits;
mod looks;
mod modes;
mod navigation;
mod paging;
mod permissions;
mod protected;
mod real_panel;
mod secrets;
mod seed;
mod stop;
mod strict_pages;
mod typing;
mod unseen;
mod worker;

use serde_json::json;
use webbrain_e2e::Turn;

/// The model reads the whole tree.
fn read_tree() -> Turn {
    Turn::call("get_accessibility_tree", json!({"filter": "all"}))
}
