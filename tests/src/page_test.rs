//! The test that a corpus page carries in its first comment (`PAGE-TEST`): what to do and what must come of it.
//!
//! Every key that any page of the corpus has is known here, and an unknown one is an error: a page cannot ask for
//! something that is silently left out. What [`crate::page_run`] cannot do yet is an [`Act`] that it refuses.

use crate::{Error, Result, config};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A page's test.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTest {
    /// `page-test/1`.
    pub schema: String,
    /// Number of the page.
    pub id: String,
    /// Area, a letter: A tree, B actions, E security.
    pub area: String,
    /// Reports behind it.
    pub reports: Vec<String>,
    /// What the page is about.
    pub title: String,
    /// What to do, in order.
    pub action: Vec<Act>,
    /// What must come of it.
    pub expect: Expect,
    /// What an agent that cuts corners gets; shows that the page can fail. Not played here.
    pub wrong: Option<Value>,
    /// How a person does it with a keyboard; not played here.
    #[serde(rename = "realUser")]
    pub real_user: Option<Value>,
    /// Words for people.
    pub note: Option<String>,
}

/// One thing to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub enum Act {
    /// Read the tree, and keep refs under these names.
    Snapshot {
        /// Name to keep it under, and what to keep.
        #[serde(default)]
        remember: BTreeMap<String, Target>,
    },
    /// Read the text of the page.
    Read {},
    /// Let time pass.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Click.
    Click {
        /// What.
        target: Target,
        /// How to answer the page's own dialogs.
        dialog: Option<Value>,
        /// Whether to wait until it has stopped moving.
        #[serde(default)]
        stable: bool,
    },
    /// Click the element that was read, which must still be what was read.
    ClickIfName {
        /// What.
        target: Target,
    },
    /// Enter text as with a keyboard.
    Type {
        /// Field.
        target: Target,
        /// Text.
        text: String,
    },
    /// Enter text in one piece.
    Inserttext {
        /// Field.
        target: Target,
        /// Text.
        text: String,
    },
    /// Enter text of several lines without sending it.
    Multiline {
        /// Field.
        target: Target,
        /// Text.
        text: String,
    },
    /// Give a field this value.
    Setvalue {
        /// Field.
        target: Target,
        /// Value.
        value: String,
    },
    /// Empty a field.
    Clear {
        /// Field.
        target: Target,
    },
    /// Choose from a list, by label or value.
    Select {
        /// List.
        target: Target,
        /// Label.
        label: Option<String>,
        /// Value.
        value: Option<String>,
    },
    /// Leave the field.
    Blur {},
    /// What the field holds must be this.
    Readback {
        /// Field.
        target: Target,
        /// Its text.
        expect: String,
    },
    /// Press a key.
    Press {
        /// Key.
        key: String,
        /// Keys held meanwhile.
        #[serde(default)]
        modifiers: Vec<String>,
    },
    /// Scroll.
    Wheel {
        /// What is scrolled.
        target: Target,
        /// Px down.
        dy: i64,
    },
    /// Hover.
    Hover {
        /// Over what.
        target: Target,
    },
    /// Give files to an upload control.
    Upload {
        /// Control.
        target: Target,
        /// Files.
        files: Vec<File>,
    },
    /// Drop files.
    Dropfile {
        /// Where.
        target: Target,
        /// Files.
        files: Vec<File>,
    },
    /// Drag.
    Drag {
        /// From here.
        from: Target,
        /// To here.
        to: Target,
        /// Steps in between.
        moves: u32,
    },
}

/// A file to upload.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Name.
    pub name: String,
    /// Content.
    pub text: String,
}

/// An element as a reader of the tree would find it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    /// Its role, exactly.
    pub role: Option<String>,
    /// Its name, exactly.
    pub name: Option<String>,
    /// A part of its name.
    pub name_contains: Option<String>,
    /// A line that it lies in.
    pub within: Option<Box<Target>>,
    /// Selectors of the frames that it lies in, outermost first.
    #[serde(default)]
    pub frame: Vec<String>,
    /// The name under which its ref was kept: that ref is used, without looking again.
    #[serde(rename = "ref")]
    pub remembered: Option<String>,
    /// Its selector; for drivers that do not read trees.
    pub css: Option<String>,
    /// Where in the element, as a share of its size.
    pub at: Option<Value>,
}

/// What must come of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expect {
    /// What the page's `window.__state` must hold, at least.
    pub state: Map<String, Value>,
    /// What the tree must show.
    #[serde(default)]
    pub tree: Vec<TreeLine>,
    /// Texts that the model must have been given.
    #[serde(default)]
    pub text_present: Vec<String>,
    /// Texts that it must not have been given.
    #[serde(default)]
    pub text_absent: Vec<String>,
    /// The same; secrets.
    #[serde(default)]
    pub tree_text_absent: Vec<String>,
    /// How many tabs the page opens.
    #[serde(default)]
    pub new_tabs: usize,
    /// The page's own dialogs that the model must be told of.
    #[serde(default)]
    pub dialogs: Vec<Value>,
}

/// A line that the tree must or must not have.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeLine {
    /// Role, exactly.
    pub role: String,
    /// Name, exactly.
    pub name: Option<String>,
    /// A part of its name.
    pub name_contains: Option<String>,
    /// What its `value` says.
    pub value: Option<String>,
    /// What its `checked` says.
    pub checked: Option<String>,
    /// Once when true, not at all when false.
    pub present: bool,
    /// After how many actions.
    #[serde(default)]
    pub after: usize,
    /// Whether the browser's own tree agrees. It decides nothing.
    pub chromium: String,
}

impl PageTest {
    /// The test of a page of the corpus.
    ///
    /// # Errors
    /// When there is no such page, or its test asks for something unknown.
    pub fn load(file: &str) -> Result<Self> {
        Self::parse(&std::fs::read_to_string(config::corpus_pages().join(file))?)
            .map_err(|e| Error::Unexpected(format!("{file}: {e}")))
    }

    fn parse(html: &str) -> Result<Self> {
        let rest = html.split_once("<!-- PAGE-TEST").map(|(_, rest)| rest);
        let json = rest.and_then(|r| r.split_once("-->")).map(|(json, _)| json);
        Ok(serde_json::from_str(json.ok_or_else(|| Error::Unexpected("no PAGE-TEST comment".into()))?)?)
    }
}

/// Files and areas of all pages, in order.
///
/// # Errors
/// When the manifest cannot be read.
pub fn all() -> Result<Vec<(String, String)>> {
    #[derive(Deserialize)]
    struct Manifest {
        pages: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        file: String,
        area: String,
    }
    let text = std::fs::read_to_string(config::corpus_pages().join("../manifest.json"))?;
    let manifest: Manifest = serde_json::from_str(&text)?;
    Ok(manifest.pages.into_iter().map(|p| (p.file, p.area)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_of_the_corpus_has_a_test_that_is_understood() {
        let pages = all().unwrap();
        assert_eq!(pages.len(), 65);
        for (file, area) in pages {
            let test = PageTest::load(&file).unwrap();
            assert_eq!((test.schema.as_str(), &test.area), ("page-test/1", &area), "{file}");
            assert!(file.starts_with(&test.id) && !test.action.is_empty() && !test.expect.state.is_empty(), "{file}");
            for line in &test.expect.tree {
                assert!(line.after <= test.action.len(), "{file}");
                assert!(["same", "differs"].contains(&line.chromium.as_str()), "{file}");
            }
        }
    }

    #[test]
    fn an_unknown_wish_is_an_error() {
        let page = |action: &str, expect: &str| {
            PageTest::parse(&format!(
                "<!-- PAGE-TEST {{\"schema\": \"page-test/1\", \"id\": \"0\", \"area\": \"A\", \"reports\": [], \"title\": \"\", \"action\": [{action}], \"expect\": {expect}}} -->"
            ))
        };
        assert!(page(r#"{"do": "click", "target": {"name": "x"}}"#, r#"{"state": {}}"#).is_ok());
        assert!(page(r#"{"do": "click", "target": {"nome": "x"}}"#, r#"{"state": {}}"#).is_err());
        assert!(page(r#"{"do": "dance"}"#, r#"{"state": {}}"#).is_err());
        assert!(page(r#"{"do": "read", "fast": true}"#, r#"{"state": {}}"#).is_err());
        assert!(page("", r#"{"state": {}, "smell": 1}"#).is_err());
    }
}
