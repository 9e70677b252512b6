//! Roles: the author's where valid, else what HTML-AAM gives the element.

use crate::dom::{Dom, Kind, NodeId};
use crate::tag::Tag;

macro_rules! roles {
    ($($variant:ident = $name:literal,)*) => {
        /// A role as a line shows it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the variants are the names of the specification")]
        pub enum Role { $($variant),* }

        impl Role {
            const ALL: &[(&str, Role)] = &[$(($name, Role::$variant)),*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Role::$variant => $name),* }
            }
        }
    };
}

roles! {
    Alert = "alert", AlertDialog = "alertdialog", Application = "application", Article = "article", Audio = "audio",
    Banner = "banner", Button = "button", Canvas = "canvas", Caption = "caption", Cell = "cell", Checkbox = "checkbox",
    ColumnHeader = "columnheader", Combobox = "combobox", Complementary = "complementary", ContentInfo = "contentinfo",
    Definition = "definition", Deletion = "deletion", Dialog = "dialog", Directory = "directory", Document = "document",
    Emphasis = "emphasis", Feed = "feed", Figure = "figure", Form = "form", Generic = "generic", Grid = "grid",
    GridCell = "gridcell", Group = "group", Heading = "heading", Iframe = "iframe", Img = "img", Insertion = "insertion",
    Link = "link", List = "list", Listbox = "listbox", ListItem = "listitem", Log = "log", Main = "main",
    Marquee = "marquee", Math = "math", Menu = "menu", Menubar = "menubar", MenuItem = "menuitem",
    MenuItemCheckbox = "menuitemcheckbox", MenuItemRadio = "menuitemradio", Meter = "meter", Navigation = "navigation",
    None = "none", Note = "note", Option = "option", Paragraph = "paragraph", ProgressBar = "progressbar",
    Radio = "radio", RadioGroup = "radiogroup", Region = "region", Row = "row", RowGroup = "rowgroup",
    RowHeader = "rowheader", Scrollbar = "scrollbar", Search = "search", SearchBox = "searchbox",
    Separator = "separator", Slider = "slider", SpinButton = "spinbutton", Status = "status", Strong = "strong",
    Subscript = "subscript", Superscript = "superscript", Switch = "switch", Tab = "tab", Table = "table",
    TabList = "tablist", TabPanel = "tabpanel", Term = "term", Text = "text", TextBox = "textbox", Time = "time",
    Timer = "timer", Toolbar = "toolbar", Tooltip = "tooltip", Tree = "tree", TreeGrid = "treegrid",
    TreeItem = "treeitem", Video = "video", Code = "code", Blockquote = "blockquote",
}

impl Role {
    /// The role of a token of a `role` attribute; `None` for one that means nothing.
    pub fn parse(token: &str) -> Option<Role> {
        match token {
            "presentation" => Some(Role::None),
            "image" => Some(Role::Img),
            // Shown by this program only, never an author's role.
            "text" | "iframe" | "audio" | "video" | "canvas" => None,
            _ => Self::ALL.iter().find(|(name, _)| *name == token).map(|(_, role)| *role),
        }
    }

    /// Whether a user can operate it.
    pub fn is_control(self) -> bool {
        use Role::*;
        matches!(
            self,
            Button
                | Link
                | TextBox
                | SearchBox
                | Combobox
                | Checkbox
                | Radio
                | Switch
                | Slider
                | SpinButton
                | Listbox
                | Option
                | MenuItem
                | MenuItemCheckbox
                | MenuItemRadio
                | Tab
                | TreeItem
        )
    }

    /// Whether it takes typed text.
    pub fn is_text_entry(self) -> bool {
        matches!(self, Role::TextBox | Role::SearchBox | Role::Combobox | Role::SpinButton)
    }

    /// Whether its name may come from its content.
    pub fn named_by_content(self) -> bool {
        use Role::*;
        matches!(
            self,
            Button
                | Cell
                | Checkbox
                | ColumnHeader
                | GridCell
                | Heading
                | Link
                | MenuItem
                | MenuItemCheckbox
                | MenuItemRadio
                | Option
                | Radio
                | Row
                | RowHeader
                | Switch
                | Tab
                | Tooltip
                | TreeItem
                | Caption
        )
    }

    /// Whether it is shown even without a name or content worth a line of its own.
    pub fn is_landmark(self) -> bool {
        use Role::*;
        matches!(
            self,
            Banner
                | Complementary
                | ContentInfo
                | Main
                | Navigation
                | Search
                | Form
                | Region
                | Dialog
                | AlertDialog
                | Alert
                | Status
                | Log
                | Timer
                | Menu
                | Menubar
                | TabList
                | TabPanel
                | Toolbar
                | Tree
                | TreeGrid
                | Grid
                | RadioGroup
                | Table
                | Listbox
        )
    }

    /// Whether it opens above the page and so is hoisted to the top of the tree.
    pub fn is_overlay(self) -> bool {
        matches!(self, Role::Dialog | Role::AlertDialog | Role::Menu | Role::Listbox)
    }
}

/// The role of an element and whether the author gave it.
pub fn role_of<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> (Role, bool) {
    if dom.has_attrs(node)
        && let Some(explicit) = explicit(dom, node, tag)
    {
        return (explicit, true);
    }
    (implicit(dom, node, tag), false)
}

fn explicit<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Option<Role> {
    let attr = dom.attr(node, "role")?;
    for token in attr.split_ascii_whitespace() {
        let Some(role) = Role::parse(&token.to_ascii_lowercase()) else { continue };
        // What can be focused or carries a name does not become presentational.
        if matches!(role, Role::None | Role::Generic) && is_focusable(dom, node, tag) {
            return None;
        }
        if matches!(role, Role::Region | Role::Form) && !has_author_name(dom, node) {
            continue;
        }
        return Some(role);
    }
    None
}

/// Whether the element can be focused by its nature or by `tabindex`.
pub fn is_focusable<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> bool {
    match tag {
        Tag::Button | Tag::Input | Tag::Select | Tag::Textarea | Tag::Summary | Tag::Iframe => true,
        Tag::A | Tag::Area if dom.attr(node, "href").is_some() => true,
        _ => dom.attr(node, "tabindex").is_some() || is_editable(dom, node),
    }
}

/// Whether the element itself says that it can be edited.
pub fn is_editable<D: Dom>(dom: &D, node: NodeId) -> bool {
    dom.attr(node, "contenteditable").is_some_and(|v| !v.eq_ignore_ascii_case("false"))
}

/// Whether the author named it with an attribute.
pub fn has_author_name<D: Dom>(dom: &D, node: NodeId) -> bool {
    ["aria-label", "aria-labelledby", "title"].iter().any(|a| dom.attr(node, a).is_some_and(|v| !v.trim().is_empty()))
}

fn implicit<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Role {
    match tag {
        Tag::A | Tag::Area if dom.attr(node, "href").is_some() => Role::Link,
        Tag::Article => Role::Article,
        Tag::Aside => Role::Complementary,
        Tag::Audio => Role::Audio,
        Tag::Blockquote => Role::Blockquote,
        Tag::Button | Tag::Summary => Role::Button,
        Tag::Canvas => Role::Canvas,
        Tag::Caption => Role::Caption,
        Tag::Code => Role::Code,
        Tag::Dd => Role::Definition,
        Tag::Del | Tag::S => Role::Deletion,
        Tag::Details | Tag::Fieldset | Tag::Optgroup | Tag::Address | Tag::Hgroup => Role::Group,
        Tag::Dialog => Role::Dialog,
        Tag::Dfn | Tag::Dt => Role::Term,
        Tag::Em => Role::Emphasis,
        Tag::Figure => Role::Figure,
        Tag::Footer => {
            if in_section(dom, node) {
                Role::Generic
            } else {
                Role::ContentInfo
            }
        }
        Tag::Form => {
            if has_author_name(dom, node) {
                Role::Form
            } else {
                Role::Generic
            }
        }
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Role::Heading,
        Tag::Header => {
            if in_section(dom, node) {
                Role::Generic
            } else {
                Role::Banner
            }
        }
        Tag::Hr => Role::Separator,
        Tag::Iframe | Tag::Frame => Role::Iframe,
        Tag::Img => img_role(dom, node),
        Tag::Input => input_role(dom, node),
        Tag::Ins => Role::Insertion,
        Tag::Li => {
            if in_list(dom, node) {
                Role::ListItem
            } else {
                Role::Generic
            }
        }
        Tag::Main => Role::Main,
        Tag::Math => Role::Math,
        Tag::Menu | Tag::Ol | Tag::Ul => Role::List,
        Tag::Meter => Role::Meter,
        Tag::Nav => Role::Navigation,
        Tag::Option => Role::Option,
        Tag::Output => Role::Status,
        Tag::P => Role::Paragraph,
        Tag::Progress => Role::ProgressBar,
        Tag::Search => Role::Search,
        Tag::Section => {
            if has_author_name(dom, node) {
                Role::Region
            } else {
                Role::Generic
            }
        }
        Tag::Select => select_role(dom, node),
        Tag::Strong => Role::Strong,
        Tag::Sub => Role::Subscript,
        Tag::Sup => Role::Superscript,
        Tag::Svg => Role::Img,
        Tag::Table => Role::Table,
        Tag::Tbody | Tag::Tfoot | Tag::Thead => Role::RowGroup,
        Tag::Td => Role::Cell,
        Tag::Textarea => Role::TextBox,
        Tag::Th => th_role(dom, node),
        Tag::Time => Role::Time,
        Tag::Tr => Role::Row,
        Tag::Video => Role::Video,
        _ if dom.has_attrs(node) && is_editable(dom, node) => Role::TextBox,
        _ => Role::Generic,
    }
}

fn img_role<D: Dom>(dom: &D, node: NodeId) -> Role {
    let empty_alt = dom.attr(node, "alt").is_some_and(|alt| alt.is_empty());
    if empty_alt && !has_author_name(dom, node) { Role::None } else { Role::Img }
}

fn input_role<D: Dom>(dom: &D, node: NodeId) -> Role {
    let kind = dom.attr(node, "type").unwrap_or_default().to_ascii_lowercase();
    match kind.as_str() {
        "button" | "submit" | "reset" | "image" | "file" => Role::Button,
        "checkbox" => Role::Checkbox,
        "hidden" => Role::None,
        "number" => Role::SpinButton,
        "radio" => Role::Radio,
        "range" => Role::Slider,
        "search" if dom.attr(node, "list").is_none() => Role::SearchBox,
        "password" | "date" | "time" | "datetime-local" | "month" | "week" | "color" => Role::TextBox,
        _ if dom.attr(node, "list").is_some() => Role::Combobox,
        _ => Role::TextBox,
    }
}

fn select_role<D: Dom>(dom: &D, node: NodeId) -> Role {
    let many = dom.attr(node, "multiple").is_some()
        || dom.attr(node, "size").and_then(|s| s.trim().parse::<u32>().ok()).is_some_and(|n| n > 1);
    if many { Role::Listbox } else { Role::Combobox }
}

fn th_role<D: Dom>(dom: &D, node: NodeId) -> Role {
    match dom.attr(node, "scope").as_deref() {
        Some("row" | "rowgroup") => Role::RowHeader,
        _ => Role::ColumnHeader,
    }
}

fn in_list<D: Dom>(dom: &D, node: NodeId) -> bool {
    dom.parent(node).is_some_and(|parent| match dom.kind(parent) {
        Kind::Element(Tag::Ul | Tag::Ol | Tag::Menu) => match dom.attr(parent, "role") {
            Some(role) => role.trim() == "list",
            None => true,
        },
        Kind::Element(_) => dom.attr(parent, "role").as_deref().map(str::trim) == Some("list"),
        _ => false,
    })
}

/// A header or footer belongs to the page only outside of sectioning content.
fn in_section<D: Dom>(dom: &D, node: NodeId) -> bool {
    let mut at = dom.parent(node);
    for _ in 0..40 {
        let Some(here) = at else { return false };
        if let Kind::Element(Tag::Article | Tag::Aside | Tag::Main | Tag::Nav | Tag::Section) = dom.kind(here) {
            return true;
        }
        at = dom.parent(here);
    }
    false
}
