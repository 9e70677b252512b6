//! One actor per tab: a queue of inputs in front of a run. An input is journaled before its effects are executed, so the
//! journal always says at least as much as has happened.

use crate::frames::TOP;
use crate::journal::{Journal, VIEWS_MS};
use crate::leave::{Leave, Stopped};
use crate::model::{self, Abort};
use crate::{app, host, page, platform, settings, store, tabs};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use webbrain_core::{Effect, Input, Run, Stamped, ToolReport};
use webbrain_protocol::message::Update;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Mode, Msg, TabId};
use webbrain_tools::{PageCall, PageRequest};

/// ms over which streamed pieces are gathered into one journal entry. Source: the seed, persistence.
const DELTA_WINDOW_MS: u32 = 200;
/// ms without a result after which the user is told that a dialog of the page may be in the way.
const DIALOG_HINT_MS: u32 = 6_000;

/// What the pump does.
enum Work {
    /// Hands an input to the run.
    Input(Input),
    /// Writes the streamed pieces that were gathered.
    Flush,
    /// Writes the views.
    Views,
}

/// The run of one tab and what is under way for it.
pub(crate) struct Actor {
    pub(crate) tab: TabId,
    run: RefCell<Run>,
    inbox: RefCell<VecDeque<Work>>,
    pumping: Cell<bool>,
    journal: Journal,
    flushing: Rc<Cell<bool>>,
    viewing: Rc<Cell<bool>>,
    models: RefCell<HashMap<u64, Rc<Abort>>>,
    /// Tool calls under way.
    calls: RefCell<HashMap<u64, Stopped>>,
    /// Documents that each frame has gone to.
    commits: RefCell<HashMap<i64, u32>>,
    /// Frames whose document is known to have the content script.
    there: RefCell<Vec<i64>>,
    /// Whether the document shows the indicator.
    indicated: Cell<bool>,
    /// Whether storage says that the page may show the indicator.
    lit: Cell<bool>,
}

impl Actor {
    pub(crate) fn new(run: Run, journal: Journal) -> Rc<Self> {
        Rc::new(Actor {
            tab: run.chat().tab_id,
            run: RefCell::new(run),
            inbox: RefCell::default(),
            pumping: Cell::new(false),
            journal,
            flushing: Rc::default(),
            viewing: Rc::default(),
            models: RefCell::default(),
            calls: RefCell::default(),
            commits: RefCell::default(),
            there: RefCell::default(),
            indicated: Cell::new(false),
            lit: Cell::new(false),
        })
    }

    /// Looks at the run.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&Run) -> T) -> T {
        look(&self.run.borrow())
    }

    /// Documents that a frame has gone to since this worker started; those of the top frame count for every frame.
    pub(crate) fn commits(&self, frame: i64) -> u32 {
        let commits = self.commits.borrow();
        let of = |frame| commits.get(&frame).copied().unwrap_or(0);
        if frame == TOP { of(TOP) } else { of(TOP) + of(frame) }
    }

    /// A frame went to a new document.
    pub(crate) fn committed(&self, frame: i64) {
        *self.commits.borrow_mut().entry(frame).or_default() += 1;
        if frame == TOP {
            self.there.borrow_mut().clear();
            self.indicated.set(false);
        } else {
            self.there.borrow_mut().retain(|f| *f != frame);
        }
    }

    /// The content script was brought into a frame anew.
    pub(crate) fn injected(&self, frame: i64) {
        self.set_there(frame);
        if frame == TOP {
            self.indicated.set(false);
        }
    }

    /// The content script of a frame answered.
    pub(crate) fn set_there(&self, frame: i64) {
        if !self.is_there(frame) {
            self.there.borrow_mut().push(frame);
        }
    }

    /// Whether a frame's document is known to have the content script.
    pub(crate) fn is_there(&self, frame: i64) -> bool {
        self.there.borrow().contains(&frame)
    }

    /// Frames that are to be told what concerns the whole page.
    fn told(&self) -> Vec<i64> {
        let mut frames = self.there.borrow().clone();
        frames.retain(|frame| *frame != TOP);
        // Whether it is there may not be known after the worker was stopped.
        frames.insert(0, TOP);
        frames
    }

    /// Queues an input and works the queue off.
    pub(crate) fn feed(self: &Rc<Self>, input: Input) {
        self.queue(Work::Input(input));
    }

    fn queue(self: &Rc<Self>, work: Work) {
        self.inbox.borrow_mut().push_back(work);
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

    /// Works the queue off. Nothing else handles inputs or writes the journal, so both happen in one order.
    async fn pump(self: Rc<Self>) {
        loop {
            let next = self.inbox.borrow_mut().pop_front();
            match next {
                None => break,
                Some(Work::Input(input)) => self.take(input).await,
                Some(Work::Flush) => self.write(None).await,
                Some(Work::Views) => {
                    let run = self.run.borrow().clone();
                    self.journal.write_views(&run).await;
                }
            }
        }
        self.pumping.set(false);
        app::upkeep().await;
    }

    async fn take(self: &Rc<Self>, input: Input) {
        let stamped = Stamped { at: platform::now(), random: platform::random(), input };
        let is_closed = matches!(stamped.input, Input::TabClosed {});
        let effects = self.run.borrow_mut().handle(stamped.clone());
        self.stop_calls(&effects);
        if matches!(stamped.input, Input::Delta { .. }) {
            self.gather(stamped);
        } else if !is_closed {
            // Nothing of a closed tab is kept, and the end of its run does nothing to any page.
            self.write(Some(stamped)).await;
        }
        for effect in effects {
            self.execute(effect).await;
        }
        if is_closed {
            // A panel that is still open is shown the end of the run from memory.
            self.journal.close().await;
        }
    }

    /// Gives up what the run no longer wants, before anything is waited for: what is stopped does nothing to the page, so the
    /// journal need not know of it first.
    fn stop_calls(self: &Rc<Self>, effects: &[Effect]) {
        for effect in effects {
            let Effect::CancelTool { call } = effect else { continue };
            if let Some(stopped) = self.calls.borrow_mut().remove(call) {
                stopped.set(true);
            }
            for frame in self.told() {
                let tab = self.tab;
                platform::spawn(async move {
                    // A page without the content script has nothing under way.
                    let _ = page::tell(tab, frame, &PageRequest::Cancel {}).await;
                });
            }
        }
    }

    /// Keeps a streamed piece, and has what was kept written after a while.
    fn gather(self: &Rc<Self>, stamped: Stamped) {
        self.journal.gather(stamped);
        self.later(&self.flushing, DELTA_WINDOW_MS, || Work::Flush);
    }

    /// Writes what was kept, and `entry` after it.
    async fn write(self: &Rc<Self>, entry: Option<Stamped>) {
        let run = self.run.borrow().clone();
        if self.journal.write(&run, entry).await.is_err() {
            self.inbox.borrow_mut().push_back(Work::Input(Input::NotDurable {}));
        }
        if self.journal.is_stale() {
            self.later(&self.viewing, VIEWS_MS, || Work::Views);
        }
    }

    /// Queues work after `ms`, unless that is waited for already.
    fn later(self: &Rc<Self>, waits: &Rc<Cell<bool>>, ms: u32, work: impl FnOnce() -> Work + 'static) {
        if !waits.replace(true) {
            let (actor, waits) = (Rc::clone(self), Rc::clone(waits));
            platform::spawn(async move {
                platform::sleep(ms).await;
                waits.set(false);
                actor.queue(work());
            });
        }
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
            Effect::RunPage { call, page, charged, ref_floor, timeout_ms } => {
                let leave = self.leave(call, charged, acts(&page));
                let actor = Rc::clone(self);
                platform::spawn(async move { actor.run_page(call, page, leave, ref_floor, timeout_ms).await });
            }
            Effect::RunTab { call, tab, charged } => {
                let leave = self.leave(call, charged, true);
                let actor = Rc::clone(self);
                platform::spawn(async move {
                    let report = tabs::run(&actor, tab, &leave).await;
                    actor.indicate().await;
                    actor.finished(call, report);
                });
            }
            // Done already, by `stop_calls`.
            Effect::CancelTool { .. } => {}
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
                    self.inbox.borrow_mut().push_back(Work::Input(Input::Notice { message }));
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

    /// Leave for a call that begins.
    fn leave(&self, call: u64, charged: Option<String>, acts: bool) -> Leave {
        let stopped = Stopped::default();
        self.calls.borrow_mut().insert(call, Rc::clone(&stopped));
        Leave::new(stopped, charged, acts)
    }

    async fn run_page(self: Rc<Self>, call: u64, page_call: PageCall, leave: Leave, ref_floor: u32, timeout_ms: u32) {
        self.indicate().await;
        let answered = leave.acts.then(|| self.hint_at_dialog());
        let report = page::run(&self, page_call, &leave, ref_floor, timeout_ms).await;
        if let Some(answered) = answered {
            answered.set(true);
        }
        self.indicate().await;
        self.finished(call, report);
    }

    /// Tells the user that a dialog of the page may be what an action waits for, unless the result is set before.
    fn hint_at_dialog(self: &Rc<Self>) -> Rc<Cell<bool>> {
        let answered = Rc::new(Cell::new(false));
        let (actor, seen) = (Rc::clone(self), Rc::clone(&answered));
        platform::spawn(async move {
            platform::sleep(DIALOG_HINT_MS).await;
            if !seen.get() && actor.with(Run::is_working) {
                actor.feed(Input::Notice { message: Msg::new(keys::NOTICE_DIALOG) });
            }
        });
        answered
    }

    fn finished(self: &Rc<Self>, call: u64, report: ToolReport) {
        // A call that was given up has no outcome.
        if self.calls.borrow_mut().remove(&call).is_some() {
            self.feed(Input::ToolFinished { call, report });
        }
    }

    /// Shows the indicator in the page of a run that may act, once a document.
    pub(crate) async fn indicate(&self) {
        let wanted = self.with(|run| run.is_live() && run.chat().mode != Mode::Ask);
        if !wanted || self.indicated.get() {
            return;
        }
        // A page that cannot be reached shows nothing; the tool call itself says why.
        if page::send(self, TOP, &PageRequest::Indicator { on: true }, &Leave::free(), 5_000).await.is_err() {
            return;
        }
        self.indicated.set(true);
        self.set_lit(true).await;
        if !self.with(Run::is_live) {
            // The run ended while the page was being told.
            self.release().await;
        }
    }

    /// Leaves the page as it was found.
    pub(crate) async fn release(&self) {
        self.indicated.set(false);
        for frame in self.told() {
            match page::tell(self.tab, frame, &PageRequest::Release {}).await {
                Ok(()) if frame == TOP => self.set_lit(false).await,
                Ok(()) => {}
                // The tab is closed, or at a page where nothing was done.
                Err(error) => platform::report("release", &error),
            }
        }
    }

    /// Notes that the page may show the indicator, or that it does not.
    async fn set_lit(&self, lit: bool) {
        if self.lit.replace(lit) != lit
            && let Err(error) = store::set_lit(self.tab, lit).await
        {
            platform::report("indicator", &error);
        }
    }

    /// The page may show the indicator since before this worker.
    pub(crate) fn was_lit(&self) {
        self.lit.set(true);
    }
}

/// Whether doing a page call twice would matter.
fn acts(call: &PageCall) -> bool {
    matches!(
        call,
        PageCall::ClickAx(_)
            | PageCall::TypeAx(_)
            | PageCall::SetField(_)
            | PageCall::TypeText(_)
            | PageCall::UploadFile(_)
            | PageCall::PressKeys(_)
    )
}
