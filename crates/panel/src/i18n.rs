//! The localisation catalogue: keys to words.
//!
//! `locales/en.json` is compiled in and is what every other language falls back to. A text may hold `{placeholders}`; when
//! a value is missing and the catalogue has the same key with `.plain` behind it, that text is used instead.

use crate::bidi;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use webbrain_protocol::text::Msg;

/// The English catalogue, as JSON text.
pub const ENGLISH: &str = include_str!("../locales/en.json");

/// Texts of one language over those of English.
#[derive(Debug, Default)]
pub struct Catalogue {
    language: String,
    texts: BTreeMap<String, String>,
}

impl Catalogue {
    /// The catalogue for a language tag. Languages without a file of their own speak English.
    pub fn new(tag: &str) -> Self {
        let language = match language_of(tag) {
            "en" => tag.to_owned(),
            _ => "en".to_owned(),
        };
        Catalogue { language, texts: serde_json::from_str(ENGLISH).unwrap_or_default() }
    }

    /// Tag of the language that the texts are in.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The text of `key` with its placeholders filled; the key itself when it is unknown, so that nothing is hidden.
    pub fn text(&self, key: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
        let Some(template) = self.texts.get(key) else { return key.to_owned() };
        // A value is often someone else's text; it must not turn the sentence round.
        let around = direction(&self.language);
        let value = |name: &str| value(name).map(|value| bidi::isolate(value, around));
        match fill(template, &value) {
            Some(text) => text,
            None => match self.texts.get(&format!("{key}.plain")) {
                Some(plain) => fill(plain, &value).unwrap_or_else(|| plain.clone()),
                None => fill(template, &|name| Some(value(name).unwrap_or_default())).unwrap_or_default(),
            },
        }
    }

    /// Whether there is a text for `key`.
    pub fn has(&self, key: &str) -> bool {
        self.texts.contains_key(key)
    }
}

/// Replaces each `{name}`; `None` when a value is missing.
fn fill(template: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        out.push_str(&rest[..open]);
        out.push_str(&value(&rest[open + 1..open + length])?);
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    Some(out)
}

fn language_of(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// Writing direction of a language: `rtl` or `ltr`.
pub fn direction(tag: &str) -> &'static str {
    match language_of(tag) {
        "ar" | "fa" | "he" | "ur" => "rtl",
        _ => "ltr",
    }
}

thread_local! {
    static CURRENT: OnceCell<Catalogue> = const { OnceCell::new() };
}

/// Chooses the page's language, once, before anything is drawn. A second call changes nothing.
pub fn install(tag: &str) {
    CURRENT.with(|current| current.get_or_init(|| Catalogue::new(tag)).language().len());
}

fn with_current<T>(read: impl FnOnce(&Catalogue) -> T) -> T {
    CURRENT.with(|current| read(current.get_or_init(|| Catalogue::new("en"))))
}

/// Tag of the language in use.
pub fn language() -> String {
    with_current(|catalogue| catalogue.language().to_owned())
}

/// The text of a key without placeholders.
pub fn t(key: &str) -> String {
    with_current(|catalogue| catalogue.text(key, &|_| None))
}

/// The text of a key with placeholders.
pub fn tf(key: &str, values: &[(&str, &str)]) -> String {
    let value = |name: &str| values.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
    with_current(|catalogue| catalogue.text(key, &value))
}

/// A message of the core or the background in words. An unknown key is shown as the internal error that it is.
pub fn tm(message: &Msg) -> String {
    with_current(|catalogue| catalogue.text(&message.key, &|name| message.args.get(name).cloned()))
}

/// The text of `key`, or of `fallback` when the catalogue does not know it. For families such as `tool.<name>`.
pub fn t_or(key: &str, fallback: &str) -> String {
    with_current(|catalogue| catalogue.text(if catalogue.has(key) { key } else { fallback }, &|_| None))
}

/// Whether there is a text for `key`.
pub fn has(key: &str) -> bool {
    with_current(|catalogue| catalogue.has(key))
}

/// Whether the text of `key` has a place for the value `name`.
pub fn quotes(key: &str, name: &str) -> bool {
    let place = format!("{{{name}}}");
    with_current(|catalogue| catalogue.texts.get(key).is_some_and(|text| text.contains(&place)))
}

macro_rules! panel_keys {
    ($($name:ident = $key:literal;)*) => {
        /// Keys of the panel's own labels. The compiler finds those that nothing uses.
        pub(crate) mod key {
            $(pub(crate) const $name: &str = $key;)*
            #[cfg(test)]
            pub(crate) const ALL: &[&str] = &[$($name),*];
        }
    };
}

include!("keys.rs");

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use webbrain_protocol::permission::Capability;
    use webbrain_protocol::text::keys;

    /// Keys made at run time from a name.
    fn families() -> Vec<String> {
        let tools = webbrain_tools::all().iter().map(|entry| entry.spec.name).chain(["other"]);
        let mut all: Vec<String> =
            tools.flat_map(|name| ["", ".now", ".failed"].map(|form| format!("tool.{name}{form}"))).collect();
        all.extend(
            webbrain_wire::provider::PROBLEMS.iter().map(|(field, what)| format!("error.config.{field}.{what}")),
        );
        for capability in [Capability::Click, Capability::Type, Capability::Upload, Capability::Navigate] {
            all.push(crate::chat::words::capability_key(capability).to_owned());
        }
        all
    }

    #[test]
    fn the_english_catalogue_has_every_key_and_no_other() {
        let texts: BTreeMap<String, String> = serde_json::from_str(ENGLISH).unwrap();
        let wanted: BTreeSet<String> =
            key::ALL.iter().chain(keys::ALL).map(|k| (*k).to_owned()).chain(families()).collect();
        let plain = |k: &str| k.strip_suffix(".plain").is_some_and(|base| wanted.contains(base));
        let present: BTreeSet<String> = texts.keys().filter(|k| !plain(k)).cloned().collect();
        let missing: Vec<_> = wanted.difference(&present).collect();
        let unused: Vec<_> = present.difference(&wanted).collect();
        assert_eq!((missing, unused), (vec![], vec![]), "(missing, unused)");
        assert!(texts.values().all(|text| !text.trim().is_empty()));
    }

    #[test]
    fn placeholders_are_filled_and_missing_ones_choose_the_plain_text() {
        let english = Catalogue::new("en-GB");
        let text = |key: &str, values: &[(&str, &str)]| {
            english.text(key, &|n| values.iter().find(|(k, _)| *k == n).map(|(_, v)| (*v).to_owned()))
        };
        assert!(text(keys::ERR_RATE_LIMITED, &[("seconds", "20")]).contains("20"));
        let plain = text(keys::ERR_RATE_LIMITED, &[]);
        assert!(!plain.contains('{') && !plain.contains("20"), "{plain}");
        assert!(!text(keys::ERR_AUTH, &[]).contains('{'));
        assert_eq!(text("no.such.key", &[]), "no.such.key");
        assert!(text(keys::ERR_AUTH, &[("server", "متجر")]).starts_with("\u{2068}متجر\u{2069} "));
        // A value is data: braces in it are not placeholders.
        assert!(text(keys::ERR_AUTH, &[("server", "{detail}")]).contains("{detail}"));
    }

    #[test]
    fn direction_follows_the_language_not_the_region() {
        let of = |tags: &[&str]| tags.iter().map(|t| direction(t)).collect::<Vec<_>>();
        assert_eq!(of(&["ar", "he-IL", "fa_IR", "en-AE", "arn"]), ["rtl", "rtl", "rtl", "ltr", "ltr"]);
    }
}
