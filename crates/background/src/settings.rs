//! Reading the user's settings. Records of the wrong shape are named, left untouched and replaced by defaults for the moment.

use crate::error::Error;
use crate::host::{self, Records};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use webbrain_core::{ModelProfile, Now, PageInfo};
use webbrain_protocol::json;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, ProviderConfig, Settings, storage_keys as keys};
use webbrain_protocol::{Grant, ModelError};
use webbrain_wire::Provider;

const AREA: &str = "local";

/// What a run needs to know when it starts.
pub(crate) struct Loaded {
    pub(crate) settings: Settings,
    pub(crate) profile: ModelProfile,
    pub(crate) grants: Vec<Grant>,
    /// Records that could not be read.
    pub(crate) corrupt: Vec<&'static str>,
}

impl Loaded {
    /// The same for a run whose tab is there.
    pub(crate) fn at(self, page: PageInfo) -> Now {
        Now { settings: self.settings, profile: self.profile, grants: self.grants, page }
    }
}

/// Settings, active provider and grants.
pub(crate) async fn load() -> Result<Loaded, Error> {
    let wanted = [
        keys::PROVIDERS,
        keys::ACTIVE_PROVIDER,
        keys::PERMISSIONS,
        keys::MAX_AGENT_STEPS,
        keys::REQUEST_TIMEOUT_MS,
        keys::ASK_BEFORE,
    ];
    let records = host::storage_get(AREA, Some(&wanted)).await?;
    let mut corrupt = Vec::new();
    let defaults = Settings::default();
    let settings = Settings {
        max_agent_steps: read(&records, keys::MAX_AGENT_STEPS, &mut corrupt).unwrap_or(defaults.max_agent_steps),
        request_timeout_ms: read(&records, keys::REQUEST_TIMEOUT_MS, &mut corrupt)
            .unwrap_or(defaults.request_timeout_ms),
        ask_before_consequential_actions: read(&records, keys::ASK_BEFORE, &mut corrupt)
            .unwrap_or(defaults.ask_before_consequential_actions),
    };
    let mut id = active(&records, &mut corrupt);
    let config = config_of(&records, &id, &mut corrupt);
    if config.is_none() && webbrain_wire::catalogue::find(&id).is_none() {
        // A provider of the user's own that was removed.
        id = COMMANDS_PROVIDER.to_owned();
    }
    let tier = webbrain_wire::provider::resolve(&id, config.as_ref()).map(|p| p.tier).unwrap_or_default();
    let grants = grants_of(&records, &mut corrupt);
    Ok(Loaded { settings, profile: ModelProfile { provider: id, tier }, grants, corrupt })
}

/// The provider of that id with what the user set for it; `unsaved` replaces what is stored.
pub(crate) async fn provider(id: &str, unsaved: Option<ProviderConfig>) -> Result<Provider, ModelError> {
    let stored = host::storage_get(AREA, Some(&[keys::PROVIDERS])).await.unwrap_or_default();
    let config = unsaved.or_else(|| config_of(&stored, id, &mut Vec::new()));
    webbrain_wire::provider::resolve(id, config.as_ref())
}

/// Adds a grant to those stored. Rows that cannot be read stay; a record that is no list is kept under another name.
pub(crate) async fn store_grant(grant: &Grant) -> host::Done {
    let mut records = host::storage_get(AREA, Some(&[keys::PERMISSIONS])).await?;
    let old = records.text(keys::PERMISSIONS).unwrap_or("[]").to_owned();
    let mut rows: Vec<Box<RawValue>> = match serde_json::from_str(&old) {
        Ok(rows) => rows,
        Err(_) => {
            records.put_text(format!("wb_corrupt:{}", keys::PERMISSIONS), &old)?;
            Vec::new()
        }
    };
    rows.retain(|row| {
        json::from_str::<Grant>(row.get())
            .map_or(true, |old| old.capability != grant.capability || old.host != grant.host)
    });
    rows.push(RawValue::from_string(serde_json::to_string(grant)?)?);
    records.put(keys::PERMISSIONS, &rows)?;
    host::storage_set(AREA, &records).await
}

fn active(records: &Records, corrupt: &mut Vec<&'static str>) -> String {
    let id: Option<String> = read(records, keys::ACTIVE_PROVIDER, corrupt);
    id.filter(|id| !id.is_empty()).unwrap_or_else(|| COMMANDS_PROVIDER.to_owned())
}

fn config_of(records: &Records, id: &str, corrupt: &mut Vec<&'static str>) -> Option<ProviderConfig> {
    let mut providers: BTreeMap<String, Value> = read(records, keys::PROVIDERS, corrupt)?;
    known(json::from_value(providers.remove(id)?), keys::PROVIDERS, corrupt)
}

/// Rows that cannot be read are left out: what is not clearly allowed is asked for.
fn grants_of(records: &Records, corrupt: &mut Vec<&'static str>) -> Vec<Grant> {
    let rows: Vec<Value> = read(records, keys::PERMISSIONS, corrupt).unwrap_or_default();
    rows.into_iter().filter_map(|row| json::from_value(row).ok()).collect()
}

fn read<T: DeserializeOwned>(records: &Records, key: &'static str, corrupt: &mut Vec<&'static str>) -> Option<T> {
    known(json::from_str(records.text(key)?), key, corrupt)
}

/// What was read; the record's name is noted when it could not be.
fn known<T, E>(read: Result<T, E>, key: &'static str, corrupt: &mut Vec<&'static str>) -> Option<T> {
    if read.is_err() && !corrupt.contains(&key) {
        corrupt.push(key);
    }
    read.ok()
}
