//! The actors of all tabs, and what keeps the worker alive while one of them is at work.

pub(crate) use crate::actor::Actor;
use crate::error::Error;
use crate::frames::TOP;
use crate::journal::Journal;
use crate::store::Restored;
use crate::{host, platform, store};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use webbrain_core::{Input, Run};
use webbrain_protocol::text::keys;
use webbrain_protocol::{Msg, TabId};

/// Wakes a worker that the browser stopped while a run was at work.
const WAKE_ALARM: &str = "wb_wake";
/// Shortest period that Chrome allows, in minutes.
const WAKE_MINUTES: f64 = 0.5;
/// ms between calls that keep the worker alive while it works; it is stopped after 30 s without any.
const KEEP_ALIVE_MS: u32 = 20_000;

/// Times that storage is read again at the start before it is given up, and ms between them.
const LOAD_TRIES: u32 = 3;
const LOAD_PAUSE_MS: u32 = 200;

thread_local! {
    static ACTORS: RefCell<HashMap<TabId, Rc<Actor>>> = RefCell::default();
    /// Whether storage could not be read when this worker started.
    static UNREAD: Cell<bool> = const { Cell::new(false) };
    static WAKING: Cell<bool> = const { Cell::new(false) };
    static KEEPING: Cell<bool> = const { Cell::new(false) };
}

/// The tab's actor, made when there is none.
pub(crate) fn actor(tab: TabId) -> Rc<Actor> {
    let make = || {
        // Where storage could not be read, its numbers are not known: the time is above them all.
        let unread = UNREAD.get();
        Actor::new(Run::new(tab), Journal::new(tab, if unread { platform::now() } else { 0 }, 0, unread))
    };
    ACTORS.with_borrow_mut(|all| Rc::clone(all.entry(tab).or_insert_with(make)))
}

fn existing(tab: TabId) -> Option<Rc<Actor>> {
    ACTORS.with_borrow(|all| all.get(&tab).cloned())
}

fn all() -> Vec<Rc<Actor>> {
    ACTORS.with_borrow(|all| all.values().cloned().collect())
}

/// Rebuilds the runs of an earlier worker and goes on with those that were live.
pub(crate) async fn boot() {
    let restored = match load().await {
        Ok(restored) => restored,
        Err(error) => {
            UNREAD.set(true);
            platform::report("the journal cannot be read", &error);
            return;
        }
    };
    // A tab may have been closed while no worker ran. Where the browser does not say, all count as open.
    let open = if restored.is_empty() { None } else { host::tab_ids().await.ok() };
    for (tab, found) in restored {
        let is_open = open.as_ref().is_none_or(|open| open.contains(&tab));
        restore(tab, found, is_open).await;
    }
    upkeep().await;
}

/// Reads storage, which may not answer at once while the browser starts.
async fn load() -> Result<Vec<(TabId, Restored)>, Error> {
    for _ in 0..LOAD_TRIES {
        if let Ok(restored) = store::load().await {
            return Ok(restored);
        }
        platform::sleep(LOAD_PAUSE_MS).await;
    }
    store::load().await
}

async fn restore(tab: TabId, found: Restored, is_open: bool) {
    let (live, working) = (found.run.is_live(), found.run.is_working());
    let journal = Journal::new(tab, found.highest, found.snapshot, !found.corrupt.is_empty());
    let actor = Actor::new(found.run, journal);
    ACTORS.with_borrow_mut(|all| all.insert(tab, Rc::clone(&actor)));
    if !is_open {
        actor.feed(Input::TabClosed {});
        return;
    }
    if !found.corrupt.is_empty() {
        let message = Msg::new(keys::NOTICE_CORRUPT).arg("record", found.corrupt.join(", "));
        actor.feed(Input::Notice { message });
    }
    if found.lit {
        actor.was_lit();
        if !live {
            let actor = Rc::clone(&actor);
            platform::spawn(async move { actor.release().await });
        }
    }
    if working {
        if host::has_trusted_input() {
            // The worker may have been stopped while it pressed keys.
            crate::keys::detach(tab).await;
        }
        actor.feed(Input::Restored {});
    }
}

/// A tab was closed.
pub(crate) fn tab_removed(tab: TabId) {
    if let Some(actor) = existing(tab) {
        actor.feed(Input::TabClosed {});
    }
}

/// A frame moved.
pub(crate) fn navigated(tab: TabId, frame: i64, _url: &str, kind: &str) {
    let Some(actor) = existing(tab) else { return };
    if kind == "committed" {
        actor.committed(frame);
    } else if frame == TOP && kind == "completed" && actor.with(Run::is_working) {
        platform::spawn(async move { actor.indicate().await });
    }
}

/// An alarm fired. One that a worker left behind when it was stopped at the end of a run is cleared.
pub(crate) async fn woken(name: &str) {
    if name == WAKE_ALARM
        && !any_working()
        && let Err(error) = host::alarm_clear(WAKE_ALARM).await
    {
        platform::report("alarm", &error);
    }
    upkeep().await;
}

/// Keeps the worker alive while a run works, and has it woken should it be stopped all the same; stops both otherwise. A run
/// that waits for the user needs neither: the answer wakes the worker.
pub(crate) async fn upkeep() {
    let working = any_working();
    if working != WAKING.replace(working) {
        let done = if working {
            host::alarm_every(WAKE_ALARM, WAKE_MINUTES).await
        } else {
            host::alarm_clear(WAKE_ALARM).await
        };
        if let Err(error) = done {
            platform::report("alarm", &error);
        }
    }
    if working && !KEEPING.replace(true) {
        platform::spawn(async {
            while any_working() {
                platform::sleep(KEEP_ALIVE_MS).await;
                // Any call of the extension API counts; its result does not matter.
                let _ = host::keep_alive().await;
            }
            KEEPING.set(false);
        });
    }
}

fn any_working() -> bool {
    all().iter().any(|a| a.with(Run::is_working))
}
