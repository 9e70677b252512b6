//! The journal and the views in session storage.
//!
//! `wb_run:<tab>` is a snapshot (`{upto, run}`), `wb_log:<tab>:<n>` the inputs after it; together they are the truth.
//! `agentConv:`, `tabChat:` and `runUi:` are views, written for other readers and never read back.

use crate::error::Error;
use crate::host;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
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
    records.insert(format!("{LOG}{tab}:{number}"), serde_json::to_value(entry)?);
    host::storage_set(AREA, &records).await
}

/// Writes a snapshot that includes every entry up to `upto`, with all views, then drops those entries.
pub(crate) async fn snapshot(run: &Run, first: u64, upto: u64) -> host::Done {
    let tab = run.chat().tab_id;
    let mut records = views(run)?;
    records.insert(format!("{SNAPSHOT}{tab}"), serde_json::to_value(Snapshot { upto, run })?);
    let conversation = json!({ "conversationId": run.run_id(), "messages": run.messages() });
    records.insert(format!("{}{tab}", storage_keys::AGENT_CONV), conversation);
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

fn views(run: &Run) -> Result<Map<String, Value>, Error> {
    let chat = run.chat();
    let tab = chat.tab_id;
    let mut records = Map::new();
    records.insert(format!("{}{tab}", storage_keys::TAB_CHAT), serde_json::to_value(chat)?);
    let events: Vec<_> = run.events().collect();
    let view = json!({
        "tabId": tab, "requestId": run.request_id(), "runId": run.run_id(), "status": chat.status, "seq": chat.seq,
        "events": events,
    });
    records.insert(format!("{}{tab}", storage_keys::RUN_UI), view);
    Ok(records)
}

/// Every run that storage has, rebuilt. What cannot be read is renamed, so that nothing is lost, and named in the result.
pub(crate) async fn load() -> Result<Vec<(TabId, Restored)>, Error> {
    let all = host::storage_get(AREA, None).await?;
    let mut snapshots: BTreeMap<TabId, (String, Value)> = BTreeMap::new();
    let mut logs: BTreeMap<TabId, BTreeMap<u64, (String, Value)>> = BTreeMap::new();
    for (key, value) in all {
        if let Some(tab) = key.strip_prefix(SNAPSHOT).and_then(|t| t.parse().ok()) {
            snapshots.insert(tab, (key, value));
        } else if let Some((tab, number)) = key.strip_prefix(LOG).and_then(split_log) {
            logs.entry(tab).or_default().insert(number, (key, value));
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

async fn rebuild(
    tab: TabId,
    snapshot: Option<(String, Value)>,
    log: BTreeMap<u64, (String, Value)>,
) -> Result<Restored, Error> {
    let mut corrupt = Vec::new();
    let (mut run, mut upto) = (Run::new(tab), 0);
    if let Some((key, value)) = snapshot {
        match serde_json::from_value::<Stored>(value.clone()) {
            Ok(stored) => (run, upto) = (stored.run, stored.upto),
            Err(_) => corrupt.push((key, value)),
        }
    }
    for (number, (key, value)) in log {
        let follows = number == upto + 1 && corrupt.is_empty();
        match serde_json::from_value::<Stamped>(value.clone()) {
            Ok(entry) if follows => {
                // The effects of old inputs were executed then.
                run.handle(entry);
                upto = number;
            }
            // An entry that the snapshot includes already.
            Ok(_) if number <= upto && corrupt.is_empty() => {}
            _ => corrupt.push((key, value)),
        }
    }
    let names = corrupt.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    if !corrupt.is_empty() {
        let aside = corrupt.into_iter().map(|(key, value)| (format!("{CORRUPT}{key}"), value)).collect();
        host::storage_set(AREA, &aside).await?;
        host::storage_remove(AREA, &names).await?;
    }
    Ok(Restored { run, upto, corrupt: names })
}

fn split_log(rest: &str) -> Option<(TabId, u64)> {
    let (tab, number) = rest.split_once(':')?;
    Some((tab.parse().ok()?, number.parse().ok()?))
}
