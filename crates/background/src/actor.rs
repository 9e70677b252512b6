//! One actor per tab: a queue of inputs in front of a run. An input is journaled before its effects are executed, so the
//! journal always says at least as much as has happened.

use crate::error::Error;
use crate::model::{self, Abort};
use crate::{app, host, page, platform, settings, store, tabs};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use webbrain_core::{Effect, Input, Run, Stamped, ToolReport};
use webbrain_protocol::message::Update;
use webbrain_protocol::model::Delta;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Mode, Msg, TabId};
use webbrain_tools::{PageCall, PageRequest};

/// ms over which streamed pieces are gathered into one journal entry. Source: the seed, persistence.
const DELTA_WINDOW_MS: u32 = 200;
/// Journal entries after which a snapshot is written.
const SNAPSHOT_EVERY: u64 = 24;

/// The run of one tab and what is under way for it.
pub(crate) struct Actor {
    pub(crate) tab: TabId,
    run: RefCell<Run>,
    inbox: RefCell<VecDeque<Input>>,
    pumping: Cell<bool>,
    /// Number of the last journal entry, and of the last one in the snapshot.
    written: Cell<u64>,
    snapshotted: Cell<u64>,
    /// Whether the journal can no longer be written.
    volatile: Cell<bool>,
    /// Streamed pieces that the run has and the journal does not have yet.
    unwritten: RefCell<Vec<Stamped>>,
    flushing: Cell<bool>,
    models: RefCell<HashMap<u64, Rc<Abort>>>,
    cancelled: RefCell<Vec<u64>>,
    commits: Cell<u32>,
    indicated: Cell<bool>,
}

impl Actor {
    pub(crate) fn new(run: Run, written: u64) -> Rc<Self> {
        Rc::new(Actor {
            tab: run.chat().tab_id,
            run: RefCell::new(run),
            inbox: RefCell::default(),
            pumping: Cell::new(false),
            written: Cell::new(written),
            snapshotted: Cell::new(0),
            volatile: Cell::new(false),
            unwritten: RefCell::default(),
            flushing: Cell::new(false),
            models: RefCell::default(),
            cancelled: RefCell::default(),
            commits: Cell::new(0),
            indicated: Cell::new(false),
        })
    }

    /// Looks at the run.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&Run) -> T) -> T {
        look(&self.run.borrow())
    }

    /// Documents that the tab's top frame has gone to since this worker started.
    pub(crate) fn commits(&self) -> u32 {
        self.commits.get()
    }

    /// The tab's top frame went to a new document.
    pub(crate) fn committed(&self) {
        self.commits.set(self.commits.get() + 1);
        self.indicated.set(false);
    }

    /// The content script was brought into the page anew.
    pub(crate) fn injected(&self) {
        self.indicated.set(false);
    }

    /// Queues an input and works the queue off.
    pub(crate) fn feed(self: &Rc<Self>, input: Input) {
        self.inbox.borrow_mut().push_back(input);
        if !self.pumping.replace(true) {
            let actor = Rc::clone(self);
            platform::spawn(async move { actor.pump().await });
        }
    }

    /// Queues an input and waits until the queue is empty.
    pub(crate) async fn feed_and_settle(self: &Rc<Self>, input: Input) {
        self.feed(input);
        while self.pumping.get() {
            platform::sleep(0).await;
        }
    }

    async fn pump(self: Rc<Self>) {
        loop {
            let next = self.inbox.borrow_mut().pop_front();
            let Some(input) = next else { break };
            let stamped = Stamped { at: platform::now(), random: platform::random(), input };
            let effects = self.run.borrow_mut().handle(stamped.clone());
            if matches!(stamped.input, Input::Delta { .. }) {
                self.gather(stamped);
            } else {
                self.journal(stamped).await;
            }
            for effect in effects {
                self.execute(effect).await;
            }
        }
        self.pumping.set(false);
        app::upkeep().await;
    }

    /// Keeps a streamed piece for the next write; adjacent pieces of one kind become one entry.
    fn gather(self: &Rc<Self>, stamped: Stamped) {
        let mut waiting = self.unwritten.borrow_mut();
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
        drop(waiting);
        if !self.flushing.replace(true) {
            let actor = Rc::clone(self);
            platform::spawn(async move {
                platform::sleep(DELTA_WINDOW_MS).await;
                actor.flushing.set(false);
                actor.flush().await;
            });
        }
    }

    /// Writes the gathered pieces. Their numbers are taken at once, so that nothing can come between them.
    async fn flush(&self) {
        let waiting = std::mem::take(&mut *self.unwritten.borrow_mut());
        let numbered: Vec<_> = waiting.into_iter().map(|stamped| (self.next_number(), stamped)).collect();
        for (number, stamped) in numbered {
            self.write(number, &stamped).await;
        }
    }

    fn next_number(&self) -> u64 {
        self.written.set(self.written.get() + 1);
        self.written.get()
    }

    async fn journal(self: &Rc<Self>, stamped: Stamped) {
        self.flush().await;
        let number = self.next_number();
        self.write(number, &stamped).await;
        let (written, first) = (self.written.get(), self.snapshotted.get() + 1);
        let ended = !self.run.borrow().is_live();
        if !self.volatile.get() && (ended || written >= self.snapshotted.get() + SNAPSHOT_EVERY) {
            let run = self.run.borrow().clone();
            match store::snapshot(&run, first, written).await {
                Ok(()) => self.snapshotted.set(written),
                Err(error) => self.not_durable(&error).await,
            }
        }
    }

    async fn write(&self, number: u64, stamped: &Stamped) {
        if self.volatile.get() {
            return;
        }
        let run = self.run.borrow().clone();
        if let Err(error) = store::append(&run, number, stamped).await {
            self.not_durable(&error).await;
        }
    }

    /// The journal cannot be written any more. What it holds is dropped: replaying half of it could repeat an action.
    async fn not_durable(&self, error: &Error) {
        self.volatile.set(true);
        platform::report("the journal cannot be written", error);
        if let Err(error) = store::forget(self.tab, self.written.get()).await {
            platform::report("the journal cannot be dropped", &error);
        }
        self.inbox.borrow_mut().push_back(Input::NotDurable {});
    }

    async fn execute(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Emit { seq, event } => {
                let update = self.with(|run| Update {
                    action: Update::ACTION.to_owned(),
                    tab_id: self.tab,
                    request_id: run.request_id().to_owned(),
                    run_id: run.run_id(),
                    seq,
                    event,
                });
                if let Ok(json) = serde_json::to_string(&update) {
                    platform::spawn(async move { host::broadcast(&json).await });
                }
            }
            Effect::CallModel { call, provider, prompt, params } => {
                let Some(abort) = Abort::new() else { return };
                let abort = Rc::new(abort);
                self.models.borrow_mut().insert(call, Rc::clone(&abort));
                let actor = Rc::clone(self);
                platform::spawn(async move { actor.call_model(call, provider, prompt, params, abort).await });
            }
            Effect::CancelModel { call } => {
                if let Some(abort) = self.models.borrow_mut().remove(&call) {
                    abort.abort();
                }
            }
            Effect::RunPage { call, page, ref_floor, timeout_ms } => {
                let actor = Rc::clone(self);
                platform::spawn(async move { actor.run_page(call, page, ref_floor, timeout_ms).await });
            }
            Effect::RunTab { call, tab } => {
                let actor = Rc::clone(self);
                platform::spawn(async move {
                    let report = tabs::run(&actor, tab).await;
                    actor.indicate().await;
                    actor.finished(call, report);
                });
            }
            Effect::CancelTool { call } => self.cancelled.borrow_mut().push(call),
            Effect::SetTimer { id, after_ms } => {
                let actor = Rc::clone(self);
                platform::spawn(async move {
                    platform::sleep(u32::try_from(after_ms).unwrap_or(u32::MAX)).await;
                    actor.feed(Input::Timer { id });
                });
            }
            Effect::StoreGrant(grant) => {
                if let Err(error) = settings::store_grant(&grant).await {
                    let message = Msg::new(keys::ERR_INTERNAL).arg("detail", error.to_string());
                    self.inbox.borrow_mut().push_back(Input::Notice { message });
                }
            }
            Effect::Ended => self.release().await,
        }
    }

    async fn call_model(
        self: Rc<Self>,
        call: u64,
        provider: String,
        prompt: webbrain_core::prompt::Prompt,
        params: webbrain_core::ModelParams,
        abort: Rc<Abort>,
    ) {
        let timeout_ms = match settings::load().await {
            Ok(loaded) => loaded.settings.request_timeout_ms.clamp(1_000, 3_600_000),
            Err(_) => webbrain_protocol::settings::Settings::default().request_timeout_ms,
        };
        let on_delta = |delta| {
            if self.models.borrow().contains_key(&call) {
                self.feed(Input::Delta { call, delta });
            }
        };
        let result = model::call(&provider, &prompt, params, timeout_ms, &abort, on_delta).await;
        // A cancelled call has no outcome.
        if self.models.borrow_mut().remove(&call).is_none() {
            return;
        }
        self.feed(match result {
            Ok(completion) => Input::ModelDone { call, completion },
            Err(failure) => Input::ModelFailed { call, error: failure.error, words: failure.words },
        });
    }

    async fn run_page(self: Rc<Self>, call: u64, page_call: PageCall, ref_floor: u32, timeout_ms: u32) {
        if self.cancelled.borrow().contains(&call) {
            return;
        }
        let acting = matches!(
            page_call,
            PageCall::ClickAx(_) | PageCall::TypeAx(_) | PageCall::SetField(_) | PageCall::PressKeys(_)
        );
        self.indicate().await;
        let report = page::run(&self, page_call, acting, ref_floor, timeout_ms).await;
        self.indicate().await;
        self.finished(call, report);
    }

    fn finished(self: &Rc<Self>, call: u64, report: ToolReport) {
        let mut cancelled = self.cancelled.borrow_mut();
        if cancelled.contains(&call) {
            cancelled.retain(|c| *c != call);
            return;
        }
        drop(cancelled);
        self.feed(Input::ToolFinished { call, report });
    }

    /// Shows the indicator in the page of a run that may act, once a document.
    pub(crate) async fn indicate(&self) {
        let wanted = self.with(|run| run.is_live() && run.chat().mode != Mode::Ask);
        if !wanted || self.indicated.get() {
            return;
        }
        // A page that cannot be reached shows nothing; the tool call itself says why.
        if page::send(self, &PageRequest::Indicator { on: true }, 5_000).await.is_ok() {
            self.indicated.set(true);
        }
    }

    /// Leaves the page as it was found.
    async fn release(&self) {
        self.indicated.set(false);
        if let Err(error) = page::send_if_there(self.tab, &PageRequest::Release {}).await {
            // The tab is closed, or at a page where nothing was done.
            platform::report("release", &error);
        }
    }
}
