//! The actors of all tabs, and what keeps the worker alive while one of them is at work.

pub(crate) use crate::actor::Actor;
use crate::{host, platform, store};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use webbrain_core::{Input, Run};
use webbrain_protocol::text::keys;
use webbrain_protocol::{Msg, TabId};

/// Wakes a worker that the browser stopped while a run was live.
const WAKE_ALARM: &str = "wb_wake";
/// Shortest period that Chrome allows, in minutes.
const WAKE_MINUTES: f64 = 0.5;
/// ms between calls that keep the worker alive while it works; it is stopped after 30 s without any.
const KEEP_ALIVE_MS: u32 = 20_000;

thread_local! {
    static ACTORS: RefCell<HashMap<TabId, Rc<Actor>>> = RefCell::default();
    static WAKING: Cell<bool> = const { Cell::new(false) };
    static KEEPING: Cell<bool> = const { Cell::new(false) };
}

/// The tab's actor, made when there is none.
pub(crate) fn actor(tab: TabId) -> Rc<Actor> {
    ACTORS.with_borrow_mut(|all| Rc::clone(all.entry(tab).or_insert_with(|| Actor::new(Run::new(tab), 0))))
}

fn existing(tab: TabId) -> Option<Rc<Actor>> {
    ACTORS.with_borrow(|all| all.get(&tab).cloned())
}

fn all() -> Vec<Rc<Actor>> {
    ACTORS.with_borrow(|all| all.values().cloned().collect())
}

/// Rebuilds the runs of an earlier worker and goes on with those that were live.
pub(crate) async fn boot() {
    let restored = match store::load().await {
        Ok(restored) => restored,
        Err(error) => {
            platform::report("the journal cannot be read", &error);
            return;
        }
    };
    for (tab, found) in restored {
        let live = found.run.is_live();
        let actor = Actor::new(found.run, found.upto);
        ACTORS.with_borrow_mut(|all| all.insert(tab, Rc::clone(&actor)));
        for record in found.corrupt {
            let message = Msg::new(keys::NOTICE_CORRUPT).arg("record", record);
            actor.feed(Input::Notice { message });
        }
        if live {
            // A tab that was closed while no worker ran.
            let input = if host::tabs_get(tab).await.is_ok() { Input::Restored {} } else { Input::TabClosed {} };
            actor.feed(input);
        }
    }
    upkeep().await;
}

/// A tab was closed.
pub(crate) fn tab_removed(tab: TabId) {
    if let Some(actor) = existing(tab) {
        actor.feed(Input::TabClosed {});
    }
}

/// A frame moved.
pub(crate) fn navigated(tab: TabId, frame: i32, _url: &str, kind: &str) {
    let Some(actor) = existing(tab) else { return };
    if frame != 0 {
        return;
    }
    if kind == "committed" {
        actor.committed();
    } else if kind == "completed" && actor.with(Run::is_working) {
        platform::spawn(async move { actor.indicate().await });
    }
}

/// An alarm fired. One that a worker left behind when it was stopped at the end of a run is cleared.
pub(crate) async fn woken(name: &str) {
    if name == WAKE_ALARM
        && !all().iter().any(|a| a.with(Run::is_live))
        && let Err(error) = host::alarm_clear(WAKE_ALARM).await
    {
        platform::report("alarm", &error);
    }
    upkeep().await;
}

/// Keeps the worker alive while a run works, and has it woken while a run is live; stops both otherwise.
pub(crate) async fn upkeep() {
    let live = all().iter().any(|a| a.with(Run::is_live));
    if live != WAKING.replace(live) {
        let done =
            if live { host::alarm_every(WAKE_ALARM, WAKE_MINUTES).await } else { host::alarm_clear(WAKE_ALARM).await };
        if let Err(error) = done {
            platform::report("alarm", &error);
        }
    }
    if any_working() && !KEEPING.replace(true) {
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
