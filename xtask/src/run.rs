//! In progress.
use anyhow::{Result, bail};
/// Opens the browser.
pub fn run(_browser: crate::Browser, _headless: bool) -> Result<()> {
    bail!("not yet")
}
