//! `tidy`: the project's own style rules, over the tracked files. Each rule says why it is one.

use crate::sh;
use anyhow::{Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;

const MAX_LINES: usize = 600;
const MAX_SHIM_LINES: usize = 900;

/// A tracked text file.
struct File {
    name: String,
    text: String,
}

/// Checks every rule and prints every breach.
pub fn tidy() -> Result<()> {
    let files = tracked()?;
    let mut breaches = Vec::new();
    for file in &files {
        breaches.extend(check(&file.name, &file.text));
    }
    breaches.extend(shim_sizes(&files));
    breaches.extend(locale_keys(&files)?);
    for breach in &breaches {
        println!("{breach}");
    }
    if breaches.is_empty() {
        println!("tidy: {} files are in order", files.len());
        return Ok(());
    }
    bail!("tidy found {} breaches", breaches.len())
}

/// Tracked files and those about to be: what git neither ignores nor knows yet would be committed next.
fn tracked() -> Result<Vec<File>> {
    let mut command = sh::command("git");
    let listed = sh::output(command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    let names = listed.split('\0').filter(|name| !name.is_empty());
    let read = |name: &str| {
        let text = String::from_utf8(std::fs::read(sh::path(name)).ok()?).ok()?;
        Some(File { name: name.to_owned(), text })
    };
    Ok(names.filter_map(read).collect())
}

fn check(name: &str, text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    let fixture = name.starts_with("tests/fixtures/") || name.starts_with("tests/corpus/");
    let code = [".rs", ".js", ".css"].iter().any(|end| name.ends_with(end));
    let lines = text.lines().count();
    if code && !fixture && lines > MAX_LINES {
        breaches.push(format!("{name}: {lines} lines; a file that needs more than {MAX_LINES} holds two concerns"));
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        if code && !fixture {
            breaches.extend(check_code(name, line).map(|breach| format!("{place}: {breach}")));
        }
        if let Some(host) = registry_host(line) {
            breaches.push(format!("{place}: names the registry host {host}; the clients know where their registry is"));
        }
    }
    breaches
}

fn check_code(name: &str, line: &str) -> Option<&'static str> {
    let rules = name.ends_with("xtask/src/tidy.rs");
    if rules {
        return None;
    }
    // End-to-end tests run snippets inside extension pages and read pages as a user's browser would.
    let test = name.starts_with("tests/");
    // Host tests read pages whose own scripts say these words; they have no document to put markup into.
    let host_test = name.contains("/src/tests/");
    let speaks_browser = name.starts_with("extension-chrome/") || name.starts_with("extension-firefox/");
    let comment = line.trim_start().starts_with("//");
    if !test && !speaks_browser && !comment && calls_browser(line) {
        return Some("calls the browser's extension API; only the extension folders do");
    }
    let html = ["innerHTML", "insertAdjacentHTML", "outerHTML", "set_inner_html", "set_outer_html"];
    if !test && !host_test && !comment && html.iter().any(|word| line.contains(word)) {
        return Some("builds markup from text; build nodes");
    }
    let exempts = ["#[allow(", "#[expect(", "#![allow(", "#![expect("].iter().any(|start| line.contains(start));
    if exempts && line.contains(")]") && !line.contains("reason =") {
        return Some("exempts code from a lint without a reason");
    }
    None
}

fn calls_browser(line: &str) -> bool {
    const AREAS: [&str; 12] = [
        "runtime",
        "tabs",
        "storage",
        "scripting",
        "debugger",
        "alarms",
        "webNavigation",
        "sidePanel",
        "sidebarAction",
        "permissions",
        "windows",
        "i18n",
    ];
    let mut roots = ["chrome.", "browser."].into_iter();
    roots.any(|root| AREAS.iter().any(|area| line.contains(&format!("{root}{area}"))))
}

/// Written in pieces, so that this file does not break its own rule.
fn registry_host(line: &str) -> Option<String> {
    let hosts = [
        ("registry.npmjs", "org"),
        ("files.pythonhosted", "org"),
        ("static.crates", "io"),
        ("index.crates", "io"),
        ("deb.debian", "org"),
    ];
    hosts.into_iter().map(|(name, top)| format!("{name}.{top}")).find(|host| line.contains(host.as_str()))
}

fn shim_sizes(files: &[File]) -> Vec<String> {
    let mut breaches = Vec::new();
    for folder in ["extension-chrome/", "extension-firefox/"] {
        let scripts = files.iter().filter(|file| file.name.starts_with(folder) && file.name.ends_with(".js"));
        let lines: usize = scripts.map(|file| file.text.lines().count()).sum();
        if lines > MAX_SHIM_LINES {
            breaches.push(format!("{folder}: {lines} lines of JavaScript; more than {MAX_SHIM_LINES} hold decisions"));
        }
    }
    breaches
}

/// Every language has the keys of English, no more and no less.
fn locale_keys(files: &[File]) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    let panel = |name: &str| name.strip_prefix("crates/panel/locales/")?.strip_suffix(".json").map(str::to_owned);
    let browser =
        |name: &str| name.strip_prefix("extension-common/_locales/")?.strip_suffix("/messages.json").map(str::to_owned);
    for language in [&panel as &dyn Fn(&str) -> Option<String>, &browser] {
        let mut catalogues = BTreeMap::new();
        for file in files {
            if let Some(code) = language(&file.name) {
                catalogues.insert(code, (file.name.as_str(), keys(&file.text)?));
            }
        }
        let Some((_, english)) = catalogues.get("en").cloned() else { continue };
        for (name, keys) in catalogues.values() {
            let missing = english.iter().filter(|key| !keys.contains(key)).map(|key| format!("{name}: lacks {key}"));
            let extra =
                keys.iter().filter(|key| !english.contains(key)).map(|key| format!("{name}: {key} is not in English"));
            breaches.extend(missing.chain(extra));
        }
    }
    Ok(breaches)
}

fn keys(catalogue: &str) -> Result<Vec<String>> {
    let value: Value = serde_json::from_str(catalogue)?;
    Ok(value.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_one(name: &str, text: &str, breaches: usize) {
        let found = check(name, text);
        assert_eq!(found.len(), breaches, "{name}: {found:?}");
    }

    #[test]
    fn rules_hold_where_they_apply() {
        check_one("crates/a/src/lib.rs", &"//\n".repeat(600), 0);
        check_one("crates/a/src/lib.rs", &"//\n".repeat(601), 1);
        check_one("tests/fixtures/pages/big.js", &"//\n".repeat(601), 0);
        check_one("crates/panel/web/a.js", "chrome.tabs.query({});", 1);
        check_one("extension-chrome/shim/host.js", "chrome.tabs.query({});", 0);
        check_one("crates/a/src/lib.rs", "element.set_inner_html(text);", 1);
        check_one("crates/a/src/tests/pages.rs", "script.split(\".innerHTML = '\");", 0);
        check_one("crates/a/src/tests/pages.rs", "chrome.tabs.query({});", 1);
        check_one("crates/a/src/lib.rs", "#[allow(dead_code)]", 1);
        check_one("crates/a/src/lib.rs", "#[expect(dead_code, reason = \"kept for readers\")]", 0);
        check_one("package-lock.json", &format!("https://{}.{}/x", "registry.npmjs", "org"), 1);
    }

    #[test]
    fn a_language_must_have_the_keys_of_english() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let files = [
            file("crates/panel/locales/en.json", r#"{"a":"A","b":"B"}"#),
            file("crates/panel/locales/fr.json", r#"{"a":"A","c":"C"}"#),
        ];
        let breaches = locale_keys(&files).unwrap();
        assert_eq!(
            breaches,
            ["crates/panel/locales/fr.json: lacks b", "crates/panel/locales/fr.json: c is not in English"]
        );
    }
}
