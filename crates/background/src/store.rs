//! The journal and the views in session storage.
//!
//! `wb_run:<tab>` is a snapshot (`{upto, run}`), `wb_log:<tab>:<n>` the inputs after it; together they are the truth.
//! `agentConv:`, `tabChat:` and `runUi:` are views, written for other readers and never read back. `wb_lit:<tab>` is there while
//! the tab's page may show the indicator.

use crate::error::Error;
use crate::host::{self, Records};
use crate::platform;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use webbrain_core::{Run, Stamped};
use webbrain_protocol::TabId;
use webbrain_protocol::json;
use webbrain_protocol::settings::storage_keys;

const AREA: &str = "session";
const SNAPSHOT: &str = "wb_run:";
const LOG: &str = "wb_log:";
const CORRUPT: &str = "wb_corrupt:";
const LIT: &str = "wb_lit:";
const VIEWS: [&str; 3] = [storage_keys::AGENT_CONV, storage_keys::TAB_CHAT, storage_keys::RUN_UI];

#[derive(Serialize)]
struct Snapshot<'a> {
    upto: u64,
    run: &'a Run,
}

#[derive(Deserialize)]
struct Stored {
    upto: u64,
    run: Run,
}

/// A run as storage has it.
pub(crate) struct Restored {
    pub(crate) run: Run,
    /// Number of the last entry that the snapshot includes.
    pub(crate) snapshot: u64,
    /// Highest number of an entry that storage may have.
    pub(crate) highest: u64,
    /// Names of records that could not be read and were set aside.
    pub(crate) corrupt: Vec<String>,
    /// Whether the tab's page may still show the indicator.
    pub(crate) lit: bool,
}

/// Writes journal entries from number `first` on, all or none of them, with the small views where they are due.
pub(crate) async fn append(run: &Run, first: u64, entries: &[Stamped], with_views: bool) -> host::Done {
    let tab = run.chat().tab_id;
    let mut records = if with_views { views(run)? } else { Records::default() };
    for (number, entry) in (first..).zip(entries) {
        records.put(format!("{LOG}{tab}:{number}"), entry)?;
    }
    host::storage_set(AREA, &records).await
}

/// Writes the small views.
pub(crate) async fn put_views(run: &Run) -> host::Done {
    host::storage_set(AREA, &views(run)?).await
}

/// Writes a snapshot that includes every entry up to `upto`, with all views, then drops those entries.
pub(crate) async fn snapshot(run: &Run, first: u64, upto: u64) -> host::Done {
    let tab = run.chat().tab_id;
    let mut records = views(run)?;
    records.put(format!("{SNAPSHOT}{tab}"), &Snapshot { upto, run })?;
    records.put(format!("{}{tab}", storage_keys::AGENT_CONV), &run.messages())?;
    host::storage_set(AREA, &records).await?;
    let old: Vec<String> = (first..=upto).map(|n| format!("{LOG}{tab}:{n}")).collect();
    host::storage_remove(AREA, &old).await
}

/// Forgets what could be replayed of a tab; the views stay.
pub(crate) async fn forget(tab: TabId, upto: u64) -> host::Done {
    let mut keys: Vec<String> = (0..=upto).rev().take(200).map(|n| format!("{LOG}{tab}:{n}")).collect();
    keys.push(format!("{SNAPSHOT}{tab}"));
    host::storage_remove(AREA, &keys).await
}

/// Forgets everything of tabs that are gone.
pub(crate) async fn remove_tab(tab: TabId) -> host::Done {
    remove(|_, of| of == tab).await
}

/// Makes room: drops everything of tabs that are gone, and the views, which come again with the next write.
pub(crate) async fn make_room() -> host::Done {
    let open = host::tab_ids().await?;
    remove(|key, of| !open.contains(&of) || VIEWS.iter().any(|view| key.starts_with(view))).await
}

async fn remove(is_wanted: impl Fn(&str, TabId) -> bool) -> host::Done {
    let all = host::storage_get(AREA, None).await?;
    let keys = all.iter().map(|(key, _)| key).filter(|key| tab_of(key).is_some_and(|tab| is_wanted(key, tab)));
    host::storage_remove(AREA, &keys.map(str::to_owned).collect::<Vec<_>>()).await
}

/// The tab that a record belongs to.
fn tab_of(key: &str) -> Option<TabId> {
    let key = key.strip_prefix(CORRUPT).unwrap_or(key);
    let rest = [SNAPSHOT, LOG, LIT].iter().chain(&VIEWS).find_map(|prefix| key.strip_prefix(prefix))?;
    rest.split(':').next()?.parse().ok()
}

/// Notes whether a tab's page shows the indicator, so that one which a lost worker left behind is found.
pub(crate) async fn set_lit(tab: TabId, lit: bool) -> host::Done {
    let key = format!("{LIT}{tab}");
    if !lit {
        return host::storage_remove(AREA, &[key]).await;
    }
    let mut records = Records::default();
    records.put(key, &true)?;
    host::storage_set(AREA, &records).await
}

fn views(run: &Run) -> Result<Records, Error> {
    let chat = run.chat();
    let tab = chat.tab_id;
    let mut records = Records::default();
    records.put(format!("{}{tab}", storage_keys::TAB_CHAT), chat)?;
    let events: Vec<&str> = run.events().collect();
    let view = format!(
        r#"{{"tabId":{tab},"requestId":{},"runId":{},"status":{},"seq":{},"events":[{}]}}"#,
        serde_json::to_string(run.request_id())?,
        serde_json::to_string(&run.run_id())?,
        serde_json::to_string(&chat.status)?,
        chat.seq,
        events.join(",")
    );
    records.put_text(format!("{}{tab}", storage_keys::RUN_UI), &view)?;
    Ok(records)
}

/// Every run that storage has, rebuilt. What cannot be read is renamed, so that nothing is lost, and named in the result.
pub(crate) async fn load() -> Result<Vec<(TabId, Restored)>, Error> {
    let all = host::storage_get(AREA, None).await?;
    let mut snapshots: BTreeMap<TabId, Record> = BTreeMap::new();
    let mut logs: BTreeMap<TabId, BTreeMap<u64, Record>> = BTreeMap::new();
    for (key, text) in all.iter() {
        let record = (key, text);
        if let Some(tab) = key.strip_prefix(SNAPSHOT).and_then(|t| t.parse().ok()) {
            snapshots.insert(tab, record);
        } else if let Some((tab, number)) = key.strip_prefix(LOG).and_then(split_log) {
            logs.entry(tab).or_default().insert(number, record);
        }
    }
    let mut tabs: Vec<TabId> = snapshots.keys().chain(logs.keys()).copied().collect();
    tabs.sort_unstable();
    tabs.dedup();
    let mut runs = Vec::new();
    for tab in tabs {
        let (mut found, corrupt) = rebuild(tab, snapshots.remove(&tab), logs.remove(&tab).unwrap_or_default());
        found.lit = all.text(&format!("{LIT}{tab}")).is_some();
        if let Err(error) = set_aside(&corrupt).await {
            // They are found again next time; the entries of this tab that are written from now on have other numbers.
            platform::report("records cannot be set aside", &error);
        }
        runs.push((tab, found));
    }
    Ok(runs)
}

/// Key and JSON text.
type Record<'a> = (&'a str, &'a str);

fn rebuild<'a>(
    tab: TabId,
    snapshot: Option<Record<'a>>,
    log: BTreeMap<u64, Record<'a>>,
) -> (Restored, Vec<Record<'a>>) {
    let mut corrupt = Vec::new();
    let (mut run, mut upto) = (Run::new(tab), 0);
    if let Some((key, text)) = snapshot {
        match json::from_str::<Stored>(text) {
            Ok(stored) => (run, upto) = (stored.run, stored.upto),
            Err(_) => corrupt.push((key, text)),
        }
    }
    let snapshot = upto;
    let highest = log.keys().next_back().copied().unwrap_or(0).max(upto);
    for (number, (key, text)) in log {
        // The snapshot includes it already.
        if number <= snapshot {
            continue;
        }
        match json::from_str::<Stamped>(text) {
            Ok(entry) if number == upto + 1 && corrupt.is_empty() => {
                // The effects of old inputs were executed then.
                run.handle(entry);
                upto = number;
            }
            _ => corrupt.push((key, text)),
        }
    }
    let names = corrupt.iter().map(|(key, _)| (*key).to_owned()).collect();
    (Restored { run, snapshot, highest, corrupt: names, lit: false }, corrupt)
}

async fn set_aside(corrupt: &[Record<'_>]) -> host::Done {
    if corrupt.is_empty() {
        return Ok(());
    }
    let mut aside = Records::default();
    for (key, text) in corrupt {
        aside.put_text(format!("{CORRUPT}{key}"), text)?;
    }
    host::storage_set(AREA, &aside).await?;
    let keys: Vec<String> = corrupt.iter().map(|(key, _)| (*key).to_owned()).collect();
    host::storage_remove(AREA, &keys).await
}

fn split_log(rest: &str) -> Option<(TabId, u64)> {
    let (tab, number) = rest.split_once(':')?;
    Some((tab.parse().ok()?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use webbrain_core::Input;
    use webbrain_protocol::Msg;

    fn entry(words: &str) -> String {
        let input = Input::Notice { message: Msg::new(words) };
        serde_json::to_string(&Stamped { at: 1, random: 1, input }).unwrap()
    }

    /// Notices that the rebuilt run has, the numbers found, and what was set aside.
    fn check(snapshot: Option<(u64, &str)>, log: &[(u64, &str)]) -> (usize, u64, u64, Vec<String>) {
        let snapshot = snapshot.map(|(upto, words)| {
            let mut run = Run::new(4);
            run.handle(serde_json::from_str(&entry(words)).unwrap());
            serde_json::to_string(&Snapshot { upto, run: &run }).unwrap()
        });
        let log: Vec<(u64, String, String)> = log
            .iter()
            .map(|(n, words)| (*n, format!("wb_log:4:{n}"), if *words == "bad" { "{".into() } else { entry(words) }))
            .collect();
        let records = log.iter().map(|(n, key, text)| (*n, (key.as_str(), text.as_str()))).collect();
        let (found, corrupt) = rebuild(4, snapshot.as_deref().map(|text| ("wb_run:4", text)), records);
        assert_eq!(found.corrupt.len(), corrupt.len());
        (found.run.chat().items.len(), found.snapshot, found.highest, found.corrupt)
    }

    #[test]
    fn a_run_is_its_snapshot_and_the_entries_after_it() {
        assert_eq!(check(None, &[(1, "a"), (2, "b")]), (2, 0, 2, vec![]));
        assert_eq!(check(Some((5, "a")), &[(6, "b"), (7, "c")]), (3, 5, 7, vec![]));
        // Left over from before the snapshot, readable or not.
        assert_eq!(check(Some((5, "a")), &[(4, "x"), (5, "bad"), (6, "b")]), (2, 5, 6, vec![]));
    }

    #[test]
    fn nothing_is_replayed_after_a_gap_and_no_number_is_given_again() {
        assert_eq!(check(None, &[(1, "a"), (3, "c")]), (1, 0, 3, vec!["wb_log:4:3".to_owned()]));
        let aside = vec!["wb_log:4:2".to_owned(), "wb_log:4:3".to_owned()];
        assert_eq!(check(None, &[(1, "a"), (2, "bad"), (3, "c")]), (1, 0, 3, aside));
    }

    #[test]
    fn every_record_of_a_tab_is_known_as_its_own() {
        for key in
            ["wb_run:7", "wb_log:7:12", "wb_lit:7", "tabChat:7", "runUi:7", "agentConv:7", "wb_corrupt:wb_log:7:3"]
        {
            assert_eq!(tab_of(key), Some(7), "{key}");
        }
        assert_eq!((tab_of("providers"), tab_of("wb_run:x"), tab_of("")), (None, None, None));
    }
}
