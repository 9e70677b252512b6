//! `upload_file`: give a page a file.

use crate::prelude::*;

/// Arguments of `upload_file`. Source: reference `tools.md` 2.2 and content.md 8, but the file's text comes with the call: the
/// content script puts it into the page itself, in both browsers, and reads no file of the user's machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UploadFile {
    /// File input, its button, or a drop zone.
    #[serde(rename = "ref_id")]
    pub ref_id: RefId,
    /// With extension.
    pub file_name: String,
    /// Its text.
    pub content: String,
    /// By its extension when absent.
    #[serde(default)]
    pub mime_type: Option<String>,
}

impl Tool for UploadFile {
    const SPEC: Spec = Spec {
        name: "upload_file",
        about: "Give the page a text file that you write. The user's own files cannot be read: ask the user to choose those.",
        modes: Modes::ACTION,
        tiers: Tiers::MID_UP,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Upload),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::UploadFile(self))
    }
}
