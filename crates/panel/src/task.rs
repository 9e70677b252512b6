//! The one place where a future is detached: its failure is always reported.

use crate::error::PanelError;
use std::future::Future;

/// Runs `work` by itself and hands its error, if any, to `report`.
#[allow(clippy::disallowed_methods, reason = "this is the module that the rule names")]
pub fn spawn(report: impl Fn(PanelError) + 'static, work: impl Future<Output = Result<(), PanelError>> + 'static) {
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(error) = work.await {
            report(error);
        }
    });
}
