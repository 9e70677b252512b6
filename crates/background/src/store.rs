//! The journal and the views in session storage.
//!
//! `wb_run:<tab>` is a snapshot (`{upto, run}`), `wb_log:<tab>:<n>` the inputs after it; together they are the truth.
//! `agentConv:`, `tabChat:` and `runUi:` are views, written for other readers and never read back.

use crate::error::Error;
use crate::host::{self, Records};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use webbrain_core::{Run, Stamped};
use webbrain_protocol::TabId;
use webbrain_protocol::settings::storage_keys;

const AREA: &str = "session";
const SNAPSHOT: &str = "wb_run:";
const LOG: &str = "wb_log:";
const CORRUPT: &str = "wb_corrupt:";

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
    /// Number of the last entry that it includes.
    pub(crate) upto: u64,
    /// Names of records that could not be read and were set aside.
    pub(crate) corrupt: Vec<String>,
}

/// Writes journal entry `number`, with the small views.
pub(crate) async fn append(run: &Run, number: u64, entry: &Stamped) -> host::Done {
    let tab = run.chat().tab_id;
    let mut records = views(run)?;
    records.put(format!("{LOG}{tab}:{number}"), entry)?;
    host::storage_set(AREA, &records).await
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
        runs.push((tab, rebuild(tab, snapshots.remove(&tab), logs.remove(&tab).unwrap_or_default()).await?));
    }
    Ok(runs)
}

/// Key and JSON text.
type Record<'a> = (&'a str, &'a str);

async fn rebuild(tab: TabId, snapshot: Option<Record<'_>>, log: BTreeMap<u64, Record<'_>>) -> Result<Restored, Error> {
    let mut corrupt = Vec::new();
    let (mut run, mut upto) = (Run::new(tab), 0);
    if let Some((key, text)) = snapshot {
        match serde_json::from_str::<Stored>(text) {
            Ok(stored) => (run, upto) = (stored.run, stored.upto),
            Err(_) => corrupt.push((key, text)),
        }
    }
    for (number, (key, text)) in log {
        let follows = number == upto + 1 && corrupt.is_empty();
        match serde_json::from_str::<Stamped>(text) {
            Ok(entry) if follows => {
                // The effects of old inputs were executed then.
                run.handle(entry);
                upto = number;
            }
            // An entry that the snapshot includes already.
            Ok(_) if number <= upto && corrupt.is_empty() => {}
            _ => corrupt.push((key, text)),
        }
    }
    let names: Vec<String> = corrupt.iter().map(|(key, _)| (*key).to_owned()).collect();
    if !corrupt.is_empty() {
        let mut aside = Records::default();
        for (key, text) in corrupt {
            aside.put_text(format!("{CORRUPT}{key}"), text)?;
        }
        host::storage_set(AREA, &aside).await?;
        host::storage_remove(AREA, &names).await?;
    }
    Ok(Restored { run, upto, corrupt: names })
}

fn split_log(rest: &str) -> Option<(TabId, u64)> {
    let (tab, number) = rest.split_once(':')?;
    Some((tab.parse().ok()?, number.parse().ok()?))
}
