//! What a tool call becomes: a call to the page, to the tab, or to the core itself.

use crate::{
    Clarify, ClickAx, Done, ExtractData, GetAccessibilityTree, GetSelection, GoBack, GoForward, Navigate, NewTab,
    PressKeys, ReadPage, ScratchpadWrite, Scroll, SetField, TypeAx, WaitForElement, WaitForStable,
};
use serde::{Deserialize, Deserializer, Serialize};

/// A reference to an element, `ref_N`, as the tree shows it.
///
/// Models also write `[ref_12]`, `12` or `"12"`; all mean `ref_12`. Anything else is kept as it is and will not be found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct RefId(pub String);

impl RefId {
    /// The number of a well-formed reference.
    pub fn number(&self) -> Option<u32> {
        self.0.strip_prefix("ref_")?.parse().ok()
    }
}

impl std::fmt::Display for RefId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RefId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u32),
            Text(String),
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Number(n) => RefId(format!("ref_{n}")),
            Form::Text(text) => {
                let bare = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
                if !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit()) {
                    RefId(format!("ref_{bare}"))
                } else {
                    RefId(bare.to_owned())
                }
            }
        })
    }
}

#[cfg(test)]
impl schemars::JsonSchema for RefId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RefId".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

/// Who carries a call out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dispatch {
    /// The content script of the run's tab.
    Page(PageCall),
    /// The background, through the tabs API.
    Tab(TabCall),
    /// The run itself.
    Core(CoreCall),
}

/// A call to the content script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "tool", content = "args", rename_all = "snake_case")]
pub enum PageCall {
    /// Read the tree.
    GetAccessibilityTree(GetAccessibilityTree),
    /// Activate an element.
    ClickAx(ClickAx),
    /// Add text to a field.
    TypeAx(TypeAx),
    /// Set a field.
    SetField(SetField),
    /// Press keys on the focused element.
    PressKeys(PressKeys),
    /// Scroll.
    Scroll(Scroll),
    /// Read the text.
    ReadPage(ReadPage),
    /// Read tables, headings or images.
    ExtractData(ExtractData),
    /// Read what the user selected.
    GetSelection(GetSelection),
    /// Wait for a selector.
    WaitForElement(WaitForElement),
    /// Wait for quiet.
    WaitForStable(WaitForStable),
}

/// A call to the browser's tabs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "tool", content = "args", rename_all = "snake_case")]
pub enum TabCall {
    /// Load an address.
    Navigate(Navigate),
    /// Back in history.
    GoBack(GoBack),
    /// Forward in history.
    GoForward(GoForward),
    /// Open a tab.
    NewTab(NewTab),
}

/// A call that the run handles itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "tool", content = "args", rename_all = "snake_case")]
pub enum CoreCall {
    /// Note something.
    ScratchpadWrite(ScratchpadWrite),
    /// Ask the user.
    Clarify(Clarify),
    /// End the run.
    Done(Done),
}

/// A message from the background to the content script of one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PageRequest {
    /// Carry out a tool call.
    Call {
        /// The call.
        call: PageCall,
        /// The next ref number to give is at least this, so that numbers of an earlier document are never given again.
        ref_floor: u32,
        /// ms that it may take; past that the page must not be touched.
        timeout_ms: u32,
        /// Whether keys were already pressed by trusted input, so that only the effect is to be observed.
        #[serde(default)]
        observe_only: bool,
    },
    /// Remember the tree as it is now, so that the next `Call` with `observe_only` can say what changed.
    Mark {
        /// See `Call`.
        ref_floor: u32,
    },
    /// Show or hide the run indicator.
    Indicator {
        /// Whether a run is active.
        on: bool,
    },
    /// Where is this document, and would leaving it lose input?
    Status {},
    /// The run is over: stop observing, remove everything added to the page.
    Release {},
}

/// Whether a call reached the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Dispatched {
    /// Nothing was done to the page.
    #[default]
    No,
    /// It was done.
    Yes,
    /// It may have been done.
    Unknown,
}

/// The content script's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageReply {
    /// Whether the call did what it says.
    pub ok: bool,
    /// Whether the page was touched.
    pub dispatched: Dispatched,
    /// Result for the model: plain lines, page-derived.
    pub text: String,
    /// One short line for the user's step list; data. The control's name for a click, the count of lines for a read.
    pub summary: String,
    /// Address of the document after the call.
    pub url: String,
    /// Its title.
    pub title: String,
    /// First ref number not given yet.
    pub next_ref: u32,
    /// `Status`: fields with unsaved input.
    pub dirty_fields: u32,
}
