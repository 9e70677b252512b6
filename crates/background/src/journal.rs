//! The journal of one tab: what is written when. Only the actor's pump writes, one entry after the other, so that entries are
//! never out of order.

use crate::error::Error;
use crate::{platform, store};
use std::cell::{Cell, RefCell};
use webbrain_core::{Input, Run, Stamped};
use webbrain_protocol::TabId;
use webbrain_protocol::model::Delta;

/// Entries after which a snapshot is written.
const SNAPSHOT_EVERY: u64 = 24;
/// ms after which the views of a run that works are written again.
pub(crate) const VIEWS_MS: u32 = 2_000;

/// The journal of one tab.
pub(crate) struct Journal {
    tab: TabId,
    /// Number of the last entry, and of the last one in the snapshot.
    written: Cell<u64>,
    snapshotted: Cell<u64>,
    /// Whether the next write must be a snapshot: what storage has does not lead to where the run is.
    broken: Cell<bool>,
    /// Whether entries cannot be written at present.
    volatile: Cell<bool>,
    /// Whether the tab is gone, so that nothing of it is to be kept.
    closed: Cell<bool>,
    /// Streamed pieces that the run has and storage does not have yet.
    waiting: RefCell<Vec<Stamped>>,
    viewed_at: Cell<u64>,
    /// Whether the run has changed since the views were written.
    stale: Cell<bool>,
}

impl Journal {
    /// Goes on after entry `written`, of which `snapshotted` are in the snapshot.
    pub(crate) fn new(tab: TabId, written: u64, snapshotted: u64, broken: bool) -> Self {
        Journal {
            tab,
            written: Cell::new(written),
            snapshotted: Cell::new(snapshotted),
            broken: Cell::new(broken),
            volatile: Cell::new(false),
            closed: Cell::new(false),
            waiting: RefCell::default(),
            viewed_at: Cell::new(0),
            stale: Cell::new(false),
        }
    }

    /// Whether the views lag behind the run.
    pub(crate) fn is_stale(&self) -> bool {
        self.stale.get()
    }

    /// Keeps a streamed piece for the next write; adjacent pieces of one kind become one entry.
    pub(crate) fn gather(&self, stamped: Stamped) {
        let mut waiting = self.waiting.borrow_mut();
        if let (Some(Stamped { input: Input::Delta { call: a, delta: last }, .. }), Input::Delta { call: b, delta }) =
            (waiting.last_mut(), &stamped.input)
            && *a == *b
        {
            match (last, delta) {
                (Delta::Text(text), Delta::Text(more)) | (Delta::Reasoning(text), Delta::Reasoning(more)) => {
                    text.push_str(more);
                    return;
                }
                _ => {}
            }
        }
        waiting.push(stamped);
    }

    /// Writes what was gathered and `entry` after it, and a snapshot where one is due.
    ///
    /// # Errors
    /// When the journal can no longer be written: what it held is dropped then, since half a journal could repeat an action.
    pub(crate) async fn write(&self, run: &Run, entry: Option<Stamped>) -> Result<(), Error> {
        let mut entries = self.waiting.take();
        entries.extend(entry);
        if entries.is_empty() || self.closed.get() {
            return Ok(());
        }
        let first = self.written.get() + 1;
        self.written.set(self.written.get() + entries.len() as u64);
        let written = self.written.get();
        let due = !run.is_live() || written >= self.snapshotted.get() + SNAPSHOT_EVERY || self.broken.get();
        if !self.volatile.get() && !self.broken.get() {
            // A snapshot brings them, too.
            let with_views =
                !due && (!run.is_working() || platform::now() >= self.viewed_at.get() + u64::from(VIEWS_MS));
            let put = async || store::append(run, first, &entries, with_views).await;
            if let Err(error) = twice(put).await {
                return Err(self.give_up(error).await);
            }
            self.set_viewed(with_views);
        }
        if due {
            let first = self.snapshotted.get() + 1;
            match twice(async || store::snapshot(run, first, written).await).await {
                Ok(()) => {
                    self.snapshotted.set(written);
                    self.volatile.set(false);
                    self.broken.set(false);
                    self.set_viewed(true);
                }
                // Known already; a later snapshot may fit again.
                Err(_) if self.volatile.get() => {}
                Err(error) => return Err(self.give_up(error).await),
            }
        }
        Ok(())
    }

    /// Writes the views if they lag behind. When there is no room they stay as they are.
    pub(crate) async fn write_views(&self, run: &Run) {
        if !self.stale.get() || self.closed.get() {
            return;
        }
        match store::put_views(run).await {
            Ok(()) => self.set_viewed(true),
            Err(error) => platform::report("the views cannot be written", &error),
        }
    }

    /// The tab is gone: nothing of it is kept.
    pub(crate) async fn close(&self) {
        self.closed.set(true);
        if let Err(error) = store::remove_tab(self.tab).await {
            platform::report("the records of a closed tab cannot be dropped", &error);
        }
    }

    fn set_viewed(&self, written: bool) {
        self.stale.set(!written);
        if written {
            self.viewed_at.set(platform::now());
        }
    }

    async fn give_up(&self, error: Error) -> Error {
        self.volatile.set(true);
        platform::report("the journal cannot be written", &error);
        if let Err(error) = store::forget(self.tab, self.written.get()).await {
            platform::report("the journal cannot be dropped", &error);
        }
        error
    }
}

/// Writes, and once more after making room.
async fn twice(put: impl AsyncFn() -> Result<(), Error>) -> Result<(), Error> {
    if put().await.is_ok() {
        return Ok(());
    }
    store::make_room().await?;
    put().await
}
