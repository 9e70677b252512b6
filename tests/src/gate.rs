//! A place where a server waits until the test lets it go on: the way to be "in the middle of" something for sure.

use std::sync::Arc;
use tokio::sync::watch;

/// Shared between the test and whoever waits. Clones are the same gate. Once open it stays open.
#[derive(Clone, Debug)]
pub struct Gate {
    state: Arc<watch::Sender<State>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    waiting: usize,
    open: bool,
}

impl Default for Gate {
    fn default() -> Self {
        Gate::new()
    }
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Gate { state: Arc::new(watch::Sender::new(State::default())) }
    }

    /// Lets everyone through, now and later.
    pub fn open(&self) {
        self.state.send_modify(|s| s.open = true);
    }

    /// Waits for the gate to open; the server's side.
    pub async fn pass(&self) {
        self.state.send_modify(|s| s.waiting += 1);
        let mut seen = self.state.subscribe();
        // The sender lives as long as this gate does, so this cannot fail.
        let _ = seen.wait_for(|s| s.open).await;
    }

    /// How many have come to the gate so far.
    pub fn arrivals(&self) -> usize {
        self.state.borrow().waiting
    }

    /// Waits until `n` have come to the gate.
    ///
    /// # Errors
    /// [`crate::Error::Timeout`].
    pub async fn reached(&self, n: usize) -> crate::Result<()> {
        let mut seen = self.state.subscribe();
        let limit = crate::config::patience();
        match tokio::time::timeout(limit, seen.wait_for(|s| s.waiting >= n)).await {
            Ok(_) => Ok(()),
            Err(_) => Err(crate::Error::Timeout {
                what: format!("arrival {n} at a gate"),
                seconds: limit.as_secs(),
                last: format!("{} arrivals", self.arrivals()),
            }),
        }
    }
}
