//! What a tool call becomes: a call to the page, to the tab, or to the core itself.

use crate::{
    Clarify, ClickAx, Done, ExtractData, GetAccessibilityTree, GetSelection, GoBack, GoForward, LookCall, Navigate,
    NewTab, PressKeys, ReadPage, ScratchpadWrite, Scroll, SetField, TypeAx, TypeText, UploadFile, WaitForElement,
    WaitForStable,
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
    /// Type into the focused field.
    TypeText(TypeText),
    /// Give the page a file.
    UploadFile(UploadFile),
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
    /// Look at something.
    Look(LookCall),
}

impl PageCall {
    /// The element that it names.
    pub fn ref_id(&self) -> Option<&RefId> {
        match self {
            PageCall::GetAccessibilityTree(c) => c.ref_id.as_ref(),
            PageCall::ClickAx(c) => Some(&c.ref_id),
            PageCall::TypeAx(c) => Some(&c.ref_id),
            PageCall::SetField(c) => Some(&c.ref_id),
            PageCall::UploadFile(c) => Some(&c.ref_id),
            PageCall::Scroll(c) => c.ref_id.as_ref(),
            PageCall::Look(c) => c.ref_id.as_ref(),
            PageCall::PressKeys(_)
            | PageCall::TypeText(_)
            | PageCall::ReadPage(_)
            | PageCall::ExtractData(_)
            | PageCall::GetSelection(_)
            | PageCall::WaitForElement(_)
            | PageCall::WaitForStable(_) => None,
        }
    }
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
        /// Origin of the document that the call was allowed for; in any other document it must not be carried out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<String>,
        /// The ref, given in the document around it, of the frame element whose document is called: in the arguments it stands
        /// for this whole document.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<RefId>,
    },
    /// Remember the tree as it is now, so that the next `Call` with `observe_only` can say what changed.
    Mark {
        /// See `Call`.
        ref_floor: u32,
    },
    /// Trusted input did, or could not do, what the reply before asked for in its `insert`: finish that call.
    Inserted {
        /// Whether the keys were pressed. The content script edits by itself when not.
        done: bool,
        /// Whether an editing command of the content script goes without a `beforeinput` event of the browser's own.
        announce: bool,
        /// ms that the rest may take.
        timeout_ms: u32,
    },
    /// Show or hide the run indicator.
    Indicator {
        /// Whether a run is active.
        on: bool,
    },
    /// Where is this document, and would leaving it lose input?
    Status {},
    /// What is under way was given up: the page must not be touched any more.
    Cancel {},
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

/// An element whose ref was shown to the model, as the content script knows it: no text of the page can pass for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ShownRow", into = "ShownRow")]
pub struct ShownRef {
    /// The number of the ref.
    pub number: u32,
    /// Its role.
    pub role: String,
    /// Its name; data.
    pub name: String,
    /// Whether it takes a password, a one-time code or a card number.
    pub secret: bool,
    /// What an action on it is charged to when it is in a frame of another host; none: the tab's host. The background knows it.
    pub host: Option<String>,
}

/// [`ShownRef`] as JSON writes it: a read shows hundreds of them.
#[derive(Serialize, Deserialize)]
struct ShownRow(u32, String, String, bool, #[serde(default, skip_serializing_if = "Option::is_none")] Option<String>);

impl ShownRef {
    /// An element of the tab's own host.
    pub fn new(number: u32, role: impl Into<String>, name: impl Into<String>, secret: bool) -> Self {
        ShownRef { number, role: role.into(), name: name.into(), secret, host: None }
    }
}

impl From<ShownRow> for ShownRef {
    fn from(ShownRow(number, role, name, secret, host): ShownRow) -> Self {
        ShownRef { number, role, name, secret, host }
    }
}

impl From<ShownRef> for ShownRow {
    fn from(shown: ShownRef) -> Self {
        ShownRow(shown.number, shown.role, shown.name, shown.secret, shown.host)
    }
}

/// A frame whose document the content script around it cannot read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, String, String)", into = "(u32, u32, String, String)")]
pub struct FrameSlot {
    /// Index of its line in the reply's text.
    pub line: u32,
    /// The number of its ref.
    pub number: u32,
    /// Where its window is: the index in the list of frames of the window around it, for each window from the top, joined by
    /// dots. The same place as the frame's own content script gives. `?` for an index that cannot be told. Where the browser
    /// tells a script the id of a frame: `#` and that.
    pub place: String,
    /// The address that its element asked for.
    pub url: String,
}

impl From<(u32, u32, String, String)> for FrameSlot {
    fn from((line, number, place, url): (u32, u32, String, String)) -> Self {
        FrameSlot { line, number, place, url }
    }
}

impl From<FrameSlot> for (u32, u32, String, String) {
    fn from(slot: FrameSlot) -> Self {
        (slot.line, slot.number, slot.place, slot.url)
    }
}

/// What trusted input is to do in the field that the content script has focused and in which it has selected something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// Text for the place of the selection; empty to delete the selection.
    pub text: String,
    /// Key by key, for a page that follows keys.
    pub keys: bool,
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
    /// Elements of the lines that `text` shows.
    pub shown: Vec<ShownRef>,
    /// Whether nothing was done because this document never gave the ref, or its element is gone.
    pub missing: bool,
    /// Frames among the lines of `text` whose documents are not in it.
    pub frames: Vec<FrameSlot>,
    /// Where this document's window is; as in [`FrameSlot`].
    pub place: String,
    /// The call is not over: trusted input is to do this first, and [`PageRequest::Inserted`] finishes it.
    pub insert: Option<Insertion>,
}
