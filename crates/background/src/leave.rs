//! The leave that a tool call has to act: until the run gives it up, and only where it was allowed.

use crate::app::Actor;
use crate::error::Error;
use crate::page;
use std::cell::Cell;
use std::rc::Rc;
use webbrain_core::gate;

/// Set when the run gives a call up.
pub(crate) type Stopped = Rc<Cell<bool>>;

/// How far a call has come, with the count of the tab's documents then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    /// Nothing of it has reached the page.
    No,
    /// It was sent to a page of which it is not known whether the content script is there.
    Maybe(u32),
    /// It was sent to the content script, or to the browser.
    Yes(u32),
}

/// What a call may do.
pub(crate) struct Leave {
    stopped: Stopped,
    /// Host that it was charged to; none for a call that needs no permission.
    charged: Option<String>,
    /// Whether doing it twice would matter.
    pub(crate) acts: bool,
    begun: Cell<Begun>,
    /// Whether something was done, whatever is sent after it.
    done: Cell<bool>,
    /// Frame that it is sent to.
    frame: Cell<i64>,
}

impl Leave {
    /// Of a tool call.
    pub(crate) fn new(stopped: Stopped, charged: Option<String>, acts: bool) -> Self {
        Leave { stopped, charged, acts, begun: Cell::new(Begun::No), done: Cell::default(), frame: Cell::default() }
    }

    /// Of a request that belongs to no call.
    pub(crate) fn free() -> Self {
        Leave::new(Stopped::default(), None, false)
    }

    /// Refuses a call that was given up.
    ///
    /// # Errors
    /// `Stopped`.
    pub(crate) fn check_stopped(&self) -> Result<(), Error> {
        if self.stopped.get() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// To be asked right before anything is done: refuses a call that was given up, or whose tab has gone to another host than
    /// the gate was asked about. Returns the origin of the page that it may be done to, where that matters.
    ///
    /// # Errors
    /// `Stopped` or `Moved`.
    pub(crate) async fn check(&self, actor: &Actor) -> Result<Option<String>, Error> {
        let mut origin = None;
        if let Some(charged) = &self.charged {
            let url = page::place(actor.tab).await.map(|p| p.url).unwrap_or_default();
            if gate::host_of(&url).as_ref() != Some(charged) {
                return Err(Error::Moved);
            }
            origin = Some(gate::origin_of(&url));
        }
        self.check_stopped()?;
        Ok(origin)
    }

    /// Whether it may be done where actions are charged to `host`.
    pub(crate) fn allows(&self, host: Option<&str>) -> bool {
        self.charged.is_none() || self.charged.as_deref() == host
    }

    /// The frame that it was sent to last.
    pub(crate) fn frame(&self) -> i64 {
        self.frame.get()
    }

    /// How far it has come.
    pub(crate) fn begun(&self) -> Begun {
        self.begun.get()
    }

    /// The call is about to be sent to the page, or was found to have reached nothing.
    pub(crate) fn set_begun(&self, frame: i64, begun: Begun) {
        if !self.done.get() {
            self.frame.set(frame);
            self.begun.set(begun);
        }
    }

    /// Something is about to be done that cannot be taken back.
    pub(crate) fn set_done(&self, frame: i64, commits: u32) {
        if !self.done.replace(true) {
            self.frame.set(frame);
            self.begun.set(Begun::Yes(commits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_up_may_do_nothing() {
        let stopped = Stopped::default();
        let leave = Leave::new(Rc::clone(&stopped), None, true);
        assert!(leave.check_stopped().is_ok());
        stopped.set(true);
        assert!(matches!(leave.check_stopped(), Err(Error::Stopped)));
    }

    #[test]
    fn what_is_done_stays_done() {
        let leave = Leave::free();
        leave.set_begun(0, Begun::Maybe(1));
        leave.set_begun(0, Begun::No);
        assert_eq!(leave.begun(), Begun::No);
        leave.set_done(5, 2);
        leave.set_done(0, 3);
        leave.set_begun(0, Begun::No);
        assert_eq!((leave.begun(), leave.frame()), (Begun::Yes(2), 5));
    }
}
