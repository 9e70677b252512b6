//! `get_accessibility_tree`: read the page as a tree of roles, names and refs.

use crate::prelude::*;

/// Arguments of `get_accessibility_tree`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GetAccessibilityTree {
    /// `all` (default): whole page. `visible`: viewport. `interactive`: controls only.
    #[serde(default)]
    pub filter: Filter,
    /// Depth limit of shown lines; 15 when absent, 10 for the other filters.
    #[serde(default, rename = "maxDepth", deserialize_with = "lenient::opt_u32")]
    pub max_depth: Option<u32>,
    /// Characters per page of output.
    #[serde(default, rename = "maxChars", deserialize_with = "lenient::opt_u32")]
    pub max_chars: Option<u32>,
    /// Read below this element only.
    #[serde(default)]
    pub ref_id: Option<RefId>,
    /// Also text that the user cannot see, marked hidden.
    #[serde(default, rename = "includeHidden", deserialize_with = "lenient::opt_bool")]
    pub include_hidden: Option<bool>,
    /// 1-based page of a tree that was cut.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub page: Option<u32>,
}

/// Which elements the tree shows. Source: the seed, accessibility tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    /// The whole document.
    #[default]
    All,
    /// What is in the viewport.
    Visible,
    /// Controls only.
    Interactive,
}

impl Tool for GetAccessibilityTree {
    const SPEC: Spec = Spec {
        name: "get_accessibility_tree",
        about: "Read the page as lines: role \"name\" [ref] attributes. Refs are used by the other tools.",
        modes: Modes::ALL,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Read,
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Reissue,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::GetAccessibilityTree(self))
    }
}
