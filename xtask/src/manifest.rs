//! The manifest of each browser: a checked-in template with the workspace's version filled in.

use crate::{Browser, sh};
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Where a build goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A folder on the developer's machine.
    Unpacked,
    /// A package for a store, which gives the extension its id itself.
    Store,
}

/// The workspace's version.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The text of `manifest.json`.
pub fn make(browser: Browser, channel: Channel) -> Result<String> {
    let file = sh::path(&format!("extension-{}/manifest.json", browser.name()));
    fill(&sh::read(&file)?, version(), channel).with_context(|| format!("in {}", file.display()))
}

fn fill(template: &str, version: &str, channel: Channel) -> Result<String> {
    let mut manifest: Value = serde_json::from_str(template)?;
    let Some(fields) = manifest.as_object_mut() else { bail!("not a JSON object") };
    fields.insert("version".to_owned(), version.into());
    if channel == Channel::Store {
        fields.remove("key");
    }
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// The files that a manifest names: every string that ends like a file.
pub fn files_named(manifest: &str) -> Result<Vec<String>> {
    let mut files = Vec::new();
    collect(&serde_json::from_str(manifest)?, &mut files);
    Ok(files)
}

fn collect(value: &Value, files: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let is_file = [".js", ".html", ".png", ".css"].iter().any(|end| text.ends_with(end));
            if is_file {
                files.push(text.clone());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, files)),
        Value::Object(fields) => fields.values().for_each(|item| collect(item, files)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_unpacked_build_keeps_its_key() {
        let template = r#"{"version":"0.0.0","key":"abc"}"#;
        let unpacked: Value = serde_json::from_str(&fill(template, "1.2.3", Channel::Unpacked).unwrap()).unwrap();
        assert_eq!(unpacked, serde_json::json!({"version": "1.2.3", "key": "abc"}));
        let store: Value = serde_json::from_str(&fill(template, "1.2.3", Channel::Store).unwrap()).unwrap();
        assert_eq!(store, serde_json::json!({"version": "1.2.3"}));
    }

    #[test]
    fn files_are_found_at_any_depth() {
        let found = files_named(r#"{"a":{"b":["x.js","words"]},"c":"p.html"}"#).unwrap();
        assert_eq!(found, ["x.js", "p.html"]);
    }
}
