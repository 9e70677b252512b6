//! Messages of the core, the wire and the background in words.

use crate::i18n::{self, key, t, tf, tm};
use crate::providers;
use webbrain_protocol::settings::storage_keys;
use webbrain_protocol::text::{Msg, keys};

/// Longest quotation of a server, in characters.
const SAID_LIMIT: usize = 400;

/// The sentence for a message.
pub fn words(message: &Msg) -> String {
    let arg = |name: &str| message.args.get(name).map(String::as_str).unwrap_or_default();
    match message.key.as_str() {
        keys::ERR_CONFIG => {
            let exact = format!("{}.{}.{}", keys::ERR_CONFIG, arg("field"), arg("detail"));
            if i18n::has(&exact) { t(&exact) } else { tm(message) }
        }
        keys::NOTICE_SETTINGS if message.args.contains_key("records") => {
            tf(keys::NOTICE_SETTINGS, &[("records", &records(arg("records").split(", ")))])
        }
        _ => tm(message),
    }
}

/// What the other side itself said, when the sentence does not quote it.
pub fn said(message: &Msg) -> Option<String> {
    // The browser's words for "no connection" say nothing more than ours.
    if matches!(message.key.as_str(), keys::ERR_CONFIG | keys::ERR_UNREACHABLE) || i18n::quotes(&message.key, "detail")
    {
        return None;
    }
    let detail = message.args.get("detail").map(|detail| detail.trim()).filter(|detail| !detail.is_empty())?;
    let cut: String = match detail.char_indices().nth(SAID_LIMIT) {
        Some((end, _)) => format!("{}…", detail[..end].trim_end()),
        None => detail.to_owned(),
    };
    Some(tf(key::ERR_DETAILS, &[("detail", &cut)]))
}

/// Names of stored records as the settings page calls them.
pub fn records<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(record).collect::<Vec<_>>().join(", ")
}

fn record(name: &str) -> String {
    match name {
        storage_keys::PROVIDERS => t(key::SET_PROVIDERS),
        storage_keys::ACTIVE_PROVIDER => t(key::PROVIDER_LABEL),
        storage_keys::PERMISSIONS => t(key::G_LIST),
        storage_keys::ASK_BEFORE => t(key::G_ASK),
        storage_keys::MAX_AGENT_STEPS => t(key::B_STEPS),
        storage_keys::REQUEST_TIMEOUT_MS => t(key::B_TIMEOUT),
        storage_keys::THEME_MODE => t(key::B_THEME),
        storage_keys::VERBOSE => t(key::B_VERBOSE),
        other => match other.strip_prefix(storage_keys::PROVIDERS).and_then(|rest| rest.strip_prefix('.')) {
            Some(id) => providers::name(id, None),
            None => other.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &Msg, sentence: &str, detail: Option<&str>) {
        assert_eq!((words(message).as_str(), said(message).as_deref()), (sentence, detail));
    }

    #[test]
    fn wrong_settings_are_told_in_a_whole_sentence() {
        let config = |field: &str, detail: &str| Msg::new(keys::ERR_CONFIG).arg("field", field).arg("detail", detail);
        check(
            &config("baseUrl", "missing"),
            "The provider's address is missing. Enter one such as http://localhost:8080/v1.",
            None,
        );
        check(
            &config("future", "odd"),
            "The provider's settings cannot be used (future: odd). Check them and try again.",
            None,
        );
        for (field, detail) in webbrain_wire::provider::PROBLEMS {
            assert!(words(&config(field, detail)).ends_with('.'), "{field} {detail}");
        }
    }

    #[test]
    fn what_a_server_said_is_shown_unless_the_sentence_has_it() {
        let limited = Msg::new(keys::ERR_RATE_LIMITED).arg("server", "Groq").arg("seconds", "20");
        check(&limited, "The server asks you to wait 20 s. Try again after that.", None);
        let limited = limited.arg("detail", " Limit of 30 requests a minute ");
        check(
            &limited,
            "The server asks you to wait 20 s. Try again after that.",
            Some("Details: Limit of 30 requests a minute"),
        );
        let internal = Msg::new(keys::ERR_INTERNAL).arg("detail", "x");
        check(&internal, "Something in the extension failed (x). Try again.", None);
        let long = Msg::new(keys::ERR_SERVER).arg("detail", "é".repeat(900));
        assert_eq!(said(&long).map(|text| text.chars().count()), Some("Details: ".len() + SAID_LIMIT + 1));
    }

    #[test]
    fn no_error_promises_something_about_a_message_that_the_settings_page_does_not_have() {
        for name in keys::ALL.iter().filter(|name| name.starts_with("error.") && **name != keys::ERR_BUSY) {
            let text = words(&Msg::new(name));
            assert!(!text.contains("kept") && text.ends_with(['.', '?']), "{name}: {text}");
        }
    }

    #[test]
    fn unreadable_settings_are_named_as_the_settings_page_names_them() {
        let notice = Msg::new(keys::NOTICE_SETTINGS).arg("records", "maxAgentSteps, providers.openai, odd");
        assert!(words(&notice).ends_with(": Steps per task, OpenAI, odd."), "{}", words(&notice));
    }
}
