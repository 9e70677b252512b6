//! Records of `storage.local`, read with care: what cannot be read is named and left as it is.

use serde_json::{Map, Value};
use webbrain_protocol::permission::Grant;
use webbrain_protocol::settings::{COMMANDS_PROVIDER, ProviderConfig, Providers, storage_keys};

/// The `providers` record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProvidersRead {
    /// Those that could be read.
    pub providers: Providers,
    /// Names of records that could not: `providers`, or `providers.ID`.
    pub unreadable: Vec<String>,
}

/// Reads the `providers` record; an absent one is empty.
pub fn providers(stored: Option<&Value>) -> ProvidersRead {
    let mut read = ProvidersRead::default();
    match stored {
        None | Some(Value::Null) => {}
        Some(Value::Object(record)) => {
            for (id, value) in record {
                match serde_json::from_value::<ProviderConfig>(value.clone()) {
                    Ok(config) if value.is_object() => {
                        read.providers.insert(id.clone(), config);
                    }
                    _ => read.unreadable.push(format!("{}.{id}", storage_keys::PROVIDERS)),
                }
            }
        }
        Some(_) => read.unreadable.push(storage_keys::PROVIDERS.to_owned()),
    }
    read
}

/// The `providers` record with one provider's settings put in, or removed. Every other entry stays as it is, unreadable
/// ones too.
pub fn with_provider(stored: Option<&Value>, id: &str, config: Option<&ProviderConfig>) -> Value {
    let mut record = match stored {
        Some(Value::Object(record)) => record.clone(),
        _ => Map::new(),
    };
    match config.map(serde_json::to_value) {
        Some(Ok(value)) => {
            record.insert(id.to_owned(), value);
        }
        Some(Err(_)) => {}
        None => {
            record.remove(id);
        }
    }
    Value::Object(record)
}

/// Names of all the records of `stored` that cannot be read, in the order of the settings page.
pub fn unreadable(stored: &Map<String, Value>) -> Vec<String> {
    let value = |key: &str| stored.get(key);
    let not_text = |key: &str| value(key).is_some_and(|value| !value.is_string() && !value.is_null());
    let not_number = |key: &str| number(value(key), 0..=u32::MAX, 0).1;
    let not_flag = |key: &str| flag(value(key), false).1;
    let rest = [
        (storage_keys::ACTIVE_PROVIDER, not_text(storage_keys::ACTIVE_PROVIDER)),
        (storage_keys::MAX_AGENT_STEPS, not_number(storage_keys::MAX_AGENT_STEPS)),
        (storage_keys::REQUEST_TIMEOUT_MS, not_number(storage_keys::REQUEST_TIMEOUT_MS)),
        (storage_keys::THEME_MODE, not_text(storage_keys::THEME_MODE)),
        (storage_keys::VERBOSE, not_flag(storage_keys::VERBOSE)),
        (storage_keys::ASK_BEFORE, not_flag(storage_keys::ASK_BEFORE)),
        (storage_keys::PERMISSIONS, grants(value(storage_keys::PERMISSIONS)).1),
    ];
    let rest = rest.into_iter().filter(|(_, broken)| *broken).map(|(key, _)| key.to_owned());
    providers(value(storage_keys::PROVIDERS)).unreadable.into_iter().chain(rest).collect()
}

/// `activeProvider` once the provider `removed` is gone: the built-in commands if it was that one.
pub fn without_active(stored: Option<&Value>, removed: &str) -> Value {
    let other = stored.filter(|active| active.as_str() != Some(removed));
    other.cloned().unwrap_or_else(|| Value::String(COMMANDS_PROVIDER.to_owned()))
}

/// A whole number within `range`, or the default; the flag says that something else was stored.
pub fn number(stored: Option<&Value>, range: std::ops::RangeInclusive<u32>, default: u32) -> (u32, bool) {
    match stored {
        None => (default, false),
        Some(value) => match value.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => (n.clamp(*range.start(), *range.end()), false),
            None => (default, true),
        },
    }
}

/// A flag, or the default.
pub fn flag(stored: Option<&Value>, default: bool) -> (bool, bool) {
    match stored {
        None => (default, false),
        Some(Value::Bool(flag)) => (*flag, false),
        Some(_) => (default, true),
    }
}

/// Readable grants of `wb_permissions`, and whether something in it is not.
pub fn grants(stored: Option<&Value>) -> (Vec<Grant>, bool) {
    match stored {
        None | Some(Value::Null) => (Vec::new(), false),
        Some(Value::Array(rows)) => {
            let read: Vec<Grant> = rows.iter().filter_map(|row| serde_json::from_value(row.clone()).ok()).collect();
            let all = read.len() == rows.len();
            (read, !all)
        }
        Some(_) => (Vec::new(), true),
    }
}

/// `wb_permissions` without one grant; rows that cannot be read stay.
pub fn without_grant(stored: Option<&Value>, revoked: &Grant) -> Value {
    let Some(Value::Array(rows)) = stored else { return stored.cloned().unwrap_or_else(|| Value::Array(Vec::new())) };
    let same = |row: &Value| {
        serde_json::from_value::<Grant>(row.clone())
            .is_ok_and(|grant| grant.host == revoked.host && grant.capability == revoked.capability)
    };
    Value::Array(rows.iter().filter(|row| !same(row)).cloned().collect())
}

/// The steps slider's position for a stored limit, and back: 0 is stored for "no limit", which is its last position.
pub fn steps_position(stored: u32) -> u32 {
    if stored == 0 || stored >= STEPS_UNLIMITED { STEPS_UNLIMITED } else { stored.max(5) }
}

/// What is stored for a position of the steps slider.
pub fn steps_stored(position: u32) -> u32 {
    if position >= STEPS_UNLIMITED { 0 } else { position }
}

/// Last position of the steps slider.
pub const STEPS_UNLIMITED: u32 = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use webbrain_protocol::settings::Secret;

    #[test]
    fn unreadable_providers_are_named_and_survive_a_save() {
        let stored = json!({"openai": {"baseUrl": "u", "futureField": 1}, "bad": 7, "worse": {"model": []}});
        let read = providers(Some(&stored));
        assert_eq!(read.providers.keys().collect::<Vec<_>>(), ["openai"]);
        assert_eq!(read.unreadable, ["providers.bad", "providers.worse"]);
        let mut config = read.providers["openai"].clone();
        config.api_key = Secret::new("k");
        let saved = with_provider(Some(&stored), "openai", Some(&config));
        assert_eq!(saved["openai"], json!({"apiKey": "k", "baseUrl": "u", "futureField": 1, "model": ""}));
        assert_eq!((&saved["bad"], &saved["worse"]), (&stored["bad"], &stored["worse"]));
        assert_eq!(with_provider(Some(&stored), "openai", None).get("openai"), None);
    }

    #[test]
    fn records_of_the_wrong_type_give_defaults_and_are_reported() {
        assert_eq!(providers(Some(&json!("x"))).unreadable, ["providers"]);
        assert_eq!(providers(None), ProvidersRead::default());
        assert_eq!(number(Some(&json!("9")), 5..=200, 130), (130, true));
        assert_eq!(number(Some(&json!(999)), 5..=200, 130), (200, false));
        assert_eq!(number(None, 5..=200, 130), (130, false));
        assert_eq!(flag(Some(&json!(1)), true), (true, true));
        assert_eq!(grants(Some(&json!({"a": 1}))), (vec![], true));
    }

    #[test]
    fn every_unreadable_record_is_named_once() {
        let broken = json!({
            "providers": {"openai": 7, "mine": {"baseUrl": []}, "ollama": {}}, "activeProvider": 7, "maxAgentSteps": "many",
            "requestTimeoutMs": [], "themeMode": 1, "verboseMode": "yes", "askBeforeConsequentialActions": 0,
            "wb_permissions": "x", "other": 1,
        });
        let names = |value: &Value| unreadable(value.as_object().unwrap()).join(" ");
        assert_eq!(
            names(&broken),
            "providers.mine providers.openai activeProvider maxAgentSteps requestTimeoutMs themeMode verboseMode \
             askBeforeConsequentialActions wb_permissions"
        );
        let sound = json!({"providers": {}, "activeProvider": "x", "maxAgentSteps": 5, "themeMode": "dark", "verboseMode": true});
        assert_eq!((names(&sound), names(&json!({"providers": 3}))), (String::new(), "providers".to_owned()));
    }

    #[test]
    fn removing_the_provider_in_use_leads_back_to_the_built_in_commands() {
        let after = |stored: Option<Value>| without_active(stored.as_ref(), "mine");
        assert_eq!((after(Some(json!("mine"))), after(None)), (json!("commands"), json!("commands")));
        assert_eq!((after(Some(json!("openai"))), after(Some(json!(7)))), (json!("openai"), json!(7)));
    }

    #[test]
    fn revoking_a_grant_leaves_the_others_and_what_cannot_be_read() {
        let row = |host: &str| json!({"capability":"click","host":host,"action":"allow","duration":"always","ts":1});
        let stored = json!([row("a.test"), 5, row("b.test")]);
        let (read, broken) = grants(Some(&stored));
        assert!(broken && read.len() == 2);
        assert_eq!(without_grant(Some(&stored), &read[0]), json!([5, row("b.test")]));
        assert_eq!(without_grant(Some(&json!("x")), &read[0]), json!("x"));
    }

    #[test]
    fn the_last_slider_position_is_no_limit() {
        assert_eq!([0, 3, 130, 200, 500].map(steps_position), [200, 5, 130, 200, 200]);
        assert_eq!([5, 195, 200].map(steps_stored), [5, 195, 0]);
    }
}
