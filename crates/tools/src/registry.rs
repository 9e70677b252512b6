//! The one list of tools.

use crate::call::Dispatch;
use crate::spec::{Spec, Tool};
use crate::*;
use webbrain_protocol::json;
use webbrain_protocol::{Capability, Mode, Tier};

/// Why a call could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// No such tool.
    #[error("there is no tool {0}")]
    NoSuchTool(String),
    /// The tool is not part of this mode and tier.
    #[error("the tool {0} is not available here")]
    NotExposed(String),
    /// The arguments do not fit.
    #[error("the arguments of {tool} do not fit: {reason}")]
    BadArguments {
        /// The tool.
        tool: String,
        /// What is wrong.
        reason: String,
    },
}

/// A call, ready to be gated and dispatched.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// Who carries it out, and with what.
    pub dispatch: Dispatch,
    /// Capabilities that it needs.
    pub needs: Vec<Capability>,
}

/// A tool of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its classifications.
    pub spec: &'static Spec,
    /// Its argument schema as JSON text: closed, as committed under `schemas/`.
    pub schema: &'static str,
    read: Read,
}

/// How the arguments are read.
#[derive(Clone, Copy, Debug)]
enum Read {
    /// Into the tool's type.
    Typed(fn(&str) -> Result<Parsed, serde_json::Error>),
    /// By the schema.
    Look,
}

impl Entry {
    /// Reads a model's arguments. Empty text counts as `{}`.
    ///
    /// # Errors
    /// [`ToolError::BadArguments`] with what is wrong.
    pub fn parse(&self, arguments: &str) -> Result<Parsed, ToolError> {
        let text = if arguments.trim().is_empty() { "{}" } else { arguments };
        let parsed = match self.read {
            Read::Typed(parse) => parse(text),
            Read::Look => crate::look::parse(self.spec.name, self.schema, text),
        };
        parsed.map_err(|e| ToolError::BadArguments { tool: self.spec.name.to_owned(), reason: e.to_string() })
    }

    /// Whether a model in this mode and tier is shown the tool.
    pub fn is_exposed(&self, mode: Mode, tier: Tier) -> bool {
        let tiers = self.spec.tiers;
        let by_tier = tiers.has(tier) || (mode == Mode::Dev && tier == Tier::Mid && tiers.has(Tier::Full));
        self.spec.modes.has(mode) && (mode == Mode::Ask || by_tier)
    }
}

fn parse<T: Tool>(arguments: &str) -> Result<Parsed, serde_json::Error> {
    let tool: T = json::from_str(arguments)?;
    let needs = tool.needs();
    Ok(Parsed { dispatch: tool.dispatch(), needs })
}

macro_rules! entry {
    ($tool:ty, $name:literal) => {
        Entry {
            spec: &<$tool as Tool>::SPEC,
            schema: include_str!(concat!("../schemas/", $name, ".json")),
            read: Read::Typed(parse::<$tool>),
        }
    };
}

macro_rules! look {
    ($tool:ty, $name:literal) => {
        Entry {
            spec: &<$tool as Look>::SPEC,
            schema: include_str!(concat!("../schemas/", $name, ".json")),
            read: Read::Look,
        }
    };
}

static REGISTRY: &[Entry] = &[
    entry!(GetAccessibilityTree, "get_accessibility_tree"),
    entry!(ClickAx, "click_ax"),
    entry!(TypeAx, "type_ax"),
    entry!(SetField, "set_field"),
    entry!(TypeText, "type_text"),
    entry!(UploadFile, "upload_file"),
    entry!(PressKeys, "press_keys"),
    entry!(Scroll, "scroll"),
    entry!(Navigate, "navigate"),
    entry!(GoBack, "go_back"),
    entry!(GoForward, "go_forward"),
    entry!(NewTab, "new_tab"),
    entry!(ReadPage, "read_page"),
    entry!(ExtractData, "extract_data"),
    entry!(GetSelection, "get_selection"),
    look!(FindText, "find_text"),
    look!(GetInteractiveElements, "get_interactive_elements"),
    look!(IframeRead, "iframe_read"),
    look!(GetFrames, "get_frames"),
    look!(GetShadowDom, "get_shadow_dom"),
    look!(ShadowDomQuery, "shadow_dom_query"),
    look!(ReadPageSource, "read_page_source"),
    look!(InspectElementStyles, "inspect_element_styles"),
    entry!(WaitForElement, "wait_for_element"),
    entry!(WaitForStable, "wait_for_stable"),
    entry!(ScratchpadWrite, "scratchpad_write"),
    entry!(Clarify, "clarify"),
    entry!(Done, "done"),
];

/// Every tool.
pub fn all() -> &'static [Entry] {
    REGISTRY
}

/// The tools that a model in this mode and tier is shown, in a fixed order.
pub fn exposed(mode: Mode, tier: Tier) -> impl Iterator<Item = &'static Entry> {
    REGISTRY.iter().filter(move |e| e.is_exposed(mode, tier))
}

/// The tool of that name, if this mode and tier has it.
///
/// # Errors
/// [`ToolError::NoSuchTool`] or [`ToolError::NotExposed`].
pub fn find(name: &str, mode: Mode, tier: Tier) -> Result<&'static Entry, ToolError> {
    let entry = REGISTRY.iter().find(|e| e.spec.name == name).ok_or_else(|| ToolError::NoSuchTool(name.to_owned()))?;
    if entry.is_exposed(mode, tier) { Ok(entry) } else { Err(ToolError::NotExposed(name.to_owned())) }
}

#[cfg(test)]
mod tests;
