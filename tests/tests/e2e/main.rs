//! End-to-end tests of the main job, in real Chromium and real Firefox. See `webbrain_e2e::config` for the environment.

// Assertions of a test may stop it: the harness keeps what is needed to understand why.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod commands;
mod corrupt;
mod detached;
mod faults;
mod fixtures;
mod idle;
mod limits;
mod modes;
mod navigation;
mod permissions;
mod protected;
mod real_panel;
mod secrets;
mod seed;
mod strict_pages;
mod worker;

use serde_json::json;
use webbrain_e2e::Turn;

/// The model reads the whole tree.
fn read_tree() -> Turn {
    Turn::call("get_accessibility_tree", json!({"filter": "all"}))
}
