//! The panel's state: one tab's chat, kept up to date.
//!
//! Updates are applied to a [`Chat`] as they come; the rows that the page draws are brought in line at most once a frame,
//! and only rows whose item changed are touched. When an update is missing, or a live run has been silent for
//! [`SILENCE`], the whole chat is fetched; updates that arrive meanwhile are kept and applied after it.

use crate::error::PanelError;
use crate::{dom, shim, task};
use gloo_timers::callback::Interval;
use leptos::prelude::*;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use webbrain_protocol::chat::{Applied, Event};
use webbrain_protocol::message::{Request, Response, Update};
use webbrain_protocol::settings::{Providers, storage_keys};
use webbrain_protocol::text::{Msg, keys};
use webbrain_protocol::{Card, Chat, Item, Mode, RunStatus, TabId};

use crate::{providers, store};

/// How often the silence is looked at, ms.
const TICK: u32 = 500;
/// Ticks without an update before a live run's chat is fetched.
const SILENCE: u32 = 3;
/// `storage.local`: the user has read what Act does.
const ACT_CONFIRMED: &str = "actConfirmed";

/// What identifies an item for as long as the chat lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowKey {
    /// A message, an answer or a step.
    Item(u8, u64),
    /// The n-th notice.
    Notice(usize),
}

/// One row of the page.
#[derive(Clone)]
pub struct Row {
    /// Its identity.
    pub key: RowKey,
    /// Its content.
    pub item: ArcRwSignal<Item>,
}

/// The panel. Everything in it is a handle, so it is copied freely.
#[derive(Clone, Copy)]
pub struct Panel {
    /// Tab that is shown.
    pub tab: RwSignal<Option<TabId>>,
    /// Rows of its chat.
    pub rows: RwSignal<Vec<Row>>,
    /// State of its run.
    pub status: RwSignal<RunStatus>,
    /// Whether the model is at work and nothing of its answer is known.
    pub thinking: RwSignal<bool>,
    /// Mode of the next message.
    pub mode: RwSignal<Mode>,
    /// Text in the composer.
    pub draft: RwSignal<String>,
    /// Whether a message is on its way to the background.
    pub sending: RwSignal<bool>,
    /// Whether the chat has been fetched once.
    pub loaded: RwSignal<bool>,
    /// Why this page cannot be worked on.
    pub page_notice: RwSignal<Option<Msg>>,
    /// A message of the panel itself.
    pub notice: RwSignal<Option<Msg>>,
    /// Whether the question before clearing is open.
    pub clearing: RwSignal<bool>,
    /// Whether what Act does is being explained.
    pub explaining_act: RwSignal<bool>,
    /// Text for the screen reader.
    pub announcement: RwSignal<String>,
    /// The `providers` record.
    pub providers: RwSignal<Providers>,
    /// Id of the active provider.
    pub active: RwSignal<String>,
    /// Whether steps are shown with their details.
    pub verbose: RwSignal<bool>,
    act_confirmed: RwSignal<bool>,
    inner: StoredValue<Inner>,
}

#[derive(Default)]
struct Inner {
    chat: Chat,
    waiting: VecDeque<Update>,
    fetching: bool,
    drawing: bool,
    heard: u32,
    silent: u32,
    drafts: HashMap<TabId, (String, Mode)>,
}

impl Panel {
    /// A panel that shows nothing yet. Call it within a component.
    pub fn new() -> Self {
        Panel {
            tab: RwSignal::new(None),
            rows: RwSignal::new(Vec::new()),
            status: RwSignal::new(RunStatus::Idle),
            thinking: RwSignal::new(false),
            mode: RwSignal::new(Mode::Ask),
            draft: RwSignal::new(String::new()),
            sending: RwSignal::new(false),
            loaded: RwSignal::new(false),
            page_notice: RwSignal::new(None),
            notice: RwSignal::new(None),
            clearing: RwSignal::new(false),
            explaining_act: RwSignal::new(false),
            announcement: RwSignal::new(String::new()),
            providers: RwSignal::new(Providers::new()),
            active: RwSignal::new(webbrain_protocol::settings::COMMANDS_PROVIDER.to_owned()),
            verbose: RwSignal::new(false),
            act_confirmed: RwSignal::new(true),
            inner: StoredValue::new(Inner::default()),
        }
    }

    /// Starts listening to the background, the settings and the clock.
    pub fn listen(self) {
        shim::on_broadcast(move |text| {
            // Other broadcasts are not for this page; a broken one is made good by the next fetch.
            if let Ok(update) = serde_json::from_str::<Update>(&text)
                && update.action == Update::ACTION
                && self.tab.get_untracked() == Some(update.tab_id)
            {
                self.receive(update);
            }
        });
        shim::on_local_change(move |_| self.read_settings());
        self.read_settings();
        Interval::new(TICK, move || self.tick()).forget();
        let focused = window_event_listener(leptos::ev::focus, move |_| self.fetch());
        on_cleanup(move || focused.remove());
    }

    /// Shows a failure as a notice.
    pub fn tell(self, error: &PanelError) {
        self.notice.set(Some(error.message()));
    }

    fn read_settings(self) {
        task::spawn(move |error| self.tell(&error), async move {
            let keys = [storage_keys::PROVIDERS, storage_keys::ACTIVE_PROVIDER, storage_keys::VERBOSE, ACT_CONFIRMED];
            let stored = shim::load(&keys).await?;
            let read = store::providers(stored.get(storage_keys::PROVIDERS));
            let active = stored.get(storage_keys::ACTIVE_PROVIDER).and_then(Value::as_str);
            self.active.set(providers::active(active, &read.providers));
            self.providers.set(read.providers);
            self.verbose.set(store::flag(stored.get(storage_keys::VERBOSE), false).0);
            self.act_confirmed.set(store::flag(stored.get(ACT_CONFIRMED), false).0);
            Ok(())
        });
    }

    /// Shows another tab; the draft stays with the tab that it was written for.
    pub fn show_tab(self, tab: TabId) {
        let before = self.tab.get_untracked();
        if before == Some(tab) {
            return;
        }
        let mine = (self.draft.get_untracked(), self.mode.get_untracked());
        let next = self.inner.try_update_value(|inner| {
            if let Some(before) = before {
                inner.drafts.insert(before, mine);
            }
            inner.chat = Chat::new(tab);
            inner.waiting.clear();
            inner.fetching = false;
            inner.drafts.remove(&tab)
        });
        let (draft, mode) = next.flatten().unwrap_or_default();
        self.draft.set(draft);
        self.mode.set(mode);
        self.rows.set(Vec::new());
        self.loaded.set(false);
        self.sending.set(false);
        self.page_notice.set(None);
        self.notice.set(None);
        self.clearing.set(false);
        self.explaining_act.set(false);
        self.tab.set(Some(tab));
        self.draw();
        self.fetch();
    }

    fn tick(self) {
        let silent = self.inner.try_update_value(|inner| {
            inner.silent += 1;
            inner.silent
        });
        if self.status.get_untracked().is_live() && silent.unwrap_or_default() >= SILENCE {
            self.fetch();
        }
    }

    /// Fetches the whole chat, unless that is under way.
    pub fn fetch(self) {
        let Some(tab) = self.tab.get_untracked() else { return };
        let heard = self.inner.try_update_value(|inner| {
            let free = !std::mem::replace(&mut inner.fetching, true);
            inner.silent = 0;
            free.then_some(inner.heard)
        });
        let Some(heard) = heard.flatten() else { return };
        let failed = move |error: PanelError| {
            if self.tab.get_untracked() == Some(tab) {
                self.inner.update_value(|inner| inner.fetching = false);
                self.loaded.set(true);
                self.tell(&error);
            }
        };
        task::spawn(failed, async move {
            let response = shim::ask(&Request::AgentRunState { tab_id: tab }).await?;
            if self.tab.get_untracked() == Some(tab) {
                self.fetched(response, heard);
            }
            Ok(())
        });
    }

    fn fetched(self, response: Response, heard: u32) {
        self.page_notice.set(response.page_notice);
        let first = !self.loaded.get_untracked();
        let gap = self.inner.try_update_value(|inner| {
            inner.fetching = false;
            if let Some(chat) = response.chat {
                // What came while the answer was on its way is newer, unless something before it is missing.
                let newer = chat.seq > inner.chat.seq;
                if newer || heard == inner.heard || !inner.waiting.is_empty() {
                    inner.chat = chat;
                }
            }
            let waiting = std::mem::take(&mut inner.waiting);
            waiting.iter().any(|update| inner.chat.apply(update.seq, &update.event) == Applied::Gap)
        });
        if first {
            let mode = self.inner.with_value(|inner| (!inner.chat.items.is_empty()).then_some(inner.chat.mode));
            if let Some(mode) = mode.filter(|_| self.draft.with_untracked(String::is_empty)) {
                self.mode.set(mode);
            }
        }
        self.loaded.set(true);
        self.draw();
        if gap == Some(true) {
            set_timeout(move || self.fetch(), Duration::from_millis(200));
        }
    }

    fn receive(self, update: Update) {
        let delta = update.event.is_delta();
        self.announce(&update.event);
        let gap = self.inner.try_update_value(|inner| {
            inner.heard = inner.heard.wrapping_add(1);
            inner.silent = 0;
            let gap = inner.chat.apply(update.seq, &update.event) == Applied::Gap;
            if gap {
                inner.waiting.push_back(update);
            }
            gap
        });
        if gap == Some(true) {
            self.fetch();
        } else if delta {
            self.draw_soon();
        } else {
            self.draw();
        }
    }

    fn announce(self, event: &Event) {
        let text = match event {
            Event::Text { text, .. } => text.chars().take(400).collect(),
            _ => return,
        };
        self.announcement.set(text);
    }

    /// Draws within the next frame; a hidden page has no frames, so it draws at once.
    fn draw_soon(self) {
        if document().hidden() {
            self.draw();
            return;
        }
        let first = self.inner.try_update_value(|inner| !std::mem::replace(&mut inner.drawing, true));
        if first == Some(true) {
            request_animation_frame(move || self.draw());
        }
    }

    fn draw(self) {
        let Some(state) = self.inner.try_update_value(|inner| {
            inner.drawing = false;
            (inner.chat.status, inner.chat.thinking)
        }) else {
            return;
        };
        let fresh = self.rows.with_untracked(|old| self.inner.with_value(|inner| reconcile(old, &inner.chat.items)));
        if let Some(rows) = fresh {
            self.rows.set(rows);
        }
        set_changed(self.status, state.0);
        set_changed(self.thinking, state.1);
    }

    /// Number of the open question to which a message in the composer is the answer.
    pub fn open_question(self) -> Option<u64> {
        self.inner.with_value(|inner| {
            inner.chat.items.iter().rev().find_map(|item| match item {
                Item::Card { id, body: Card::Clarify { .. }, answer: None } => Some(*id),
                _ => None,
            })
        })
    }

    /// Sends what is in the composer; it stays there until the background has taken it.
    pub fn send(self) {
        let Some(tab) = self.tab.get_untracked() else { return };
        let text = self.draft.get_untracked();
        if text.trim().is_empty() || self.sending.get_untracked() {
            return;
        }
        self.sending.set(true);
        self.notice.set(None);
        if self.explaining_act.get_untracked() {
            self.confirm_act();
        }
        let mode = self.mode.get_untracked();
        let request = match self.open_question() {
            Some(id) => Request::ClarifyResponse { tab_id: tab, clarify_id: id, answer: text.clone() },
            None => Request::ChatStart { tab_id: tab, text: text.clone(), mode, request_id: dom::unique_id() },
        };
        self.ask_about(tab, request, move |sent| {
            self.sending.set(false);
            if sent && self.draft.with_untracked(|draft| *draft == text) {
                self.draft.set(String::new());
            }
        });
    }

    /// Sends a request about `tab`. Its outcome is shown only if that tab still is; `done` then says whether it worked.
    pub fn ask_about(self, tab: TabId, request: Request, done: impl Fn(bool) + Clone + 'static) {
        let failed = done.clone();
        let report = move |error: PanelError| {
            if self.tab.get_untracked() == Some(tab) {
                self.tell(&error);
                failed(false);
            }
        };
        task::spawn(report, async move {
            let response = shim::ask(&request).await?;
            if self.tab.get_untracked() == Some(tab) {
                done(true);
                match response.chat {
                    Some(_) => {
                        let heard = self.inner.with_value(|inner| inner.heard);
                        let notice = self.page_notice.get_untracked();
                        self.fetched(Response { page_notice: notice, ..response }, heard.wrapping_sub(1));
                    }
                    None => self.fetch(),
                }
            }
            Ok(())
        });
    }

    /// Stops the run.
    pub fn stop(self) {
        if let Some(tab) = self.tab.get_untracked() {
            self.ask_about(tab, Request::Abort { tab_id: tab }, |_| {});
        }
    }

    /// Clears the conversation; the composer is locked meanwhile.
    pub fn clear(self) {
        let Some(tab) = self.tab.get_untracked() else { return };
        self.clearing.set(false);
        self.sending.set(true);
        self.notice.set(None);
        self.ask_about(tab, Request::ClearConversation { tab_id: tab }, move |_| self.sending.set(false));
    }

    /// Chooses the mode of the next message. The first time, what Act does is explained.
    pub fn choose_mode(self, mode: Mode) {
        self.mode.set(mode);
        self.explaining_act.set(mode.acts() && !self.act_confirmed.get_untracked());
    }

    /// The explanation of Act has been read.
    pub fn confirm_act(self) {
        self.explaining_act.set(false);
        self.save_setting(ACT_CONFIRMED, Value::Bool(true));
    }

    /// Makes another provider the active one.
    pub fn choose_provider(self, id: String) {
        self.active.set(id.clone());
        self.save_setting(storage_keys::ACTIVE_PROVIDER, Value::String(id));
    }

    fn save_setting(self, key: &'static str, value: Value) {
        task::spawn(move |error| self.tell(&error), async move { shim::save(key, value).await });
    }

    /// Opens the settings page.
    pub fn open_settings(self) {
        task::spawn(move |error| self.tell(&error), shim::open_settings());
    }

    /// Closes what is open above the chat. Returns whether something was.
    pub fn close_popup(self) -> bool {
        let open = self.clearing.get_untracked();
        if open {
            self.clearing.set(false);
        }
        open
    }

    /// Words for the state of the chat before the first message.
    pub fn is_empty(self) -> bool {
        self.rows.with(Vec::is_empty) && self.loaded.get()
    }
}

/// Sets a signal only to wake its readers for a reason.
pub fn set_changed<T: Copy + PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.get_untracked() != value {
        signal.set(value);
    }
}

/// What is drawn: of waits that follow each other directly, only the last.
fn shown(items: &[Item]) -> impl Iterator<Item = &Item> + Clone {
    let waits = |item: &Item| matches!(item, Item::Notice { message, .. } if message.key == keys::NOTICE_RETRYING);
    let next = items.iter().skip(1).map(Some).chain([None]);
    items.iter().zip(next).filter(move |(item, next)| !(waits(item) && next.is_some_and(waits))).map(|(item, _)| item)
}

fn keys_of<'a>(items: impl Iterator<Item = &'a Item>) -> impl Iterator<Item = RowKey> {
    let mut notices = 0;
    items.map(move |item| match item {
        Item::User { id, .. } => RowKey::Item(0, *id),
        Item::Assistant { id, .. } => RowKey::Item(1, *id),
        Item::Step { id, .. } => RowKey::Item(2, *id),
        Item::Card { id, .. } => RowKey::Item(3, *id),
        Item::Notice { .. } => {
            notices += 1;
            RowKey::Notice(notices)
        }
    })
}

/// Brings rows in line with items: changed items are set in place; new rows are returned when the list itself changed.
fn reconcile(old: &[Row], items: &[Item]) -> Option<Vec<Row>> {
    let items = shown(items);
    let same_list = old.iter().map(|row| row.key).eq(keys_of(items.clone()));
    let known: HashMap<RowKey, &Row> =
        if same_list { HashMap::new() } else { old.iter().map(|row| (row.key, row)).collect() };
    let mut fresh = Vec::new();
    for (index, (key, item)) in keys_of(items.clone()).zip(items).enumerate() {
        let row = if same_list { old.get(index) } else { known.get(&key).copied() };
        match row {
            Some(row) => {
                if row.item.with_untracked(|shown| shown != item) {
                    row.item.set(item.clone());
                }
                if !same_list {
                    fresh.push(row.clone());
                }
            }
            None => fresh.push(Row { key, item: ArcRwSignal::new(item.clone()) }),
        }
    }
    (!same_list).then_some(fresh)
}

/// Whether a failure is one that the provider's settings can cure.
pub fn is_settings_matter(key: &str) -> bool {
    [
        keys::ERR_AUTH,
        keys::ERR_CONFIG,
        keys::ERR_NOT_FOUND,
        keys::ERR_PROTOCOL,
        keys::ERR_UNREACHABLE,
        keys::ERR_PAYMENT,
        keys::ERR_DEV_TIER,
        keys::ERR_ORIGIN,
    ]
    .contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use webbrain_protocol::chat::Level;

    fn user(id: u64, text: &str) -> Item {
        Item::User { id, text: text.into(), mode: Mode::Ask, at: 0 }
    }

    #[test]
    fn only_changed_rows_are_touched_and_only_a_changed_list_is_replaced() {
        let owner = Owner::new();
        owner.set();
        let rows = reconcile(&[], &[user(1, "a"), user(2, "b")]).unwrap();
        assert!(reconcile(&rows, &[user(1, "a"), user(2, "c")]).is_none());
        assert_eq!(rows[1].item.get_untracked(), user(2, "c"));
        let fewer = reconcile(&rows, &[user(2, "c")]).unwrap();
        assert_eq!(fewer.iter().map(|row| row.key).collect::<Vec<_>>(), [RowKey::Item(0, 2)]);
    }

    #[test]
    fn an_answer_and_a_card_with_the_same_number_are_two_rows() {
        let card = Item::Card { id: 1, body: Card::Continue { steps: 3 }, answer: None };
        let keys: Vec<RowKey> = keys_of([user(1, "a"), card].iter()).collect();
        assert_ne!(keys[0], keys[1]);
    }

    #[test]
    fn a_wait_after_a_wait_takes_its_place() {
        let owner = Owner::new();
        owner.set();
        let notice = |key: &str| Item::Notice { message: Msg::new(key), level: Level::Info };
        let wait = |seconds: &str| {
            let message = Msg::new(keys::NOTICE_RETRYING).arg("seconds", seconds);
            Item::Notice { message, level: Level::Info }
        };
        let rows = reconcile(&[], &[user(1, "a"), notice(keys::NOTICE_NUDGED), wait("2")]).unwrap();
        assert_eq!(rows.len(), 3);
        let more = [user(1, "a"), notice(keys::NOTICE_NUDGED), wait("2"), wait("4"), wait("8")];
        assert!(reconcile(&rows, &more).is_none(), "the row stays");
        assert_eq!(rows[2].item.get_untracked(), wait("8"));
        // Another step's wait is another one.
        let later = [wait("2"), wait("4"), user(2, "b"), wait("2")];
        assert_eq!(shown(&later).cloned().collect::<Vec<_>>(), [wait("4"), user(2, "b"), wait("2")]);
    }
}
