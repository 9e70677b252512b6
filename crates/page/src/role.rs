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
    Mark = "mark", Suggestion = "suggestion", Comment = "comment", SectionHeader = "sectionheader",
    SectionFooter = "sectionfooter",
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

    /// Whether what is inside is no part of the name of something around it: what opens, moves or is announced by itself.
    pub fn keeps_its_text(self) -> bool {
        use Role::*;
        matches!(
            self,
            Alert
                | AlertDialog
                | Application
                | Dialog
                | Feed
                | Grid
                | Listbox
                | Log
                | Marquee
                | Menu
                | Menubar
                | RadioGroup
                | Status
                | TabList
                | TabPanel
                | Timer
                | Toolbar
                | Tree
                | TreeGrid
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

/// The author's role: the first token that is one and may be used here.
pub fn explicit<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Option<Role> {
    let attr = dom.attr(node, "role")?;
    for token in attr.split_ascii_whitespace() {
        let Some(role) = Role::parse(&token.to_ascii_lowercase()) else { continue };
        // What can be focused or carries a property of its own does not become presentational.
        if role == Role::None && (is_focusable(dom, node, tag) || has_global_property(dom, node)) {
            return None;
        }
        if role == Role::Generic && is_focusable(dom, node, tag) {
            return None;
        }
        if matches!(role, Role::Region | Role::Form) && !has_author_name(dom, node) {
            continue;
        }
        return Some(role);
    }
    None
}

/// ARIA properties that any element may carry, so that one with them is there for assistive technology. `aria-hidden` is
/// left out: it says the opposite.
const GLOBAL: [&str; 22] = [
    "aria-atomic",
    "aria-braillelabel",
    "aria-brailleroledescription",
    "aria-busy",
    "aria-controls",
    "aria-current",
    "aria-describedby",
    "aria-description",
    "aria-details",
    "aria-disabled",
    "aria-dropeffect",
    "aria-errormessage",
    "aria-flowto",
    "aria-grabbed",
    "aria-haspopup",
    "aria-invalid",
    "aria-keyshortcuts",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "aria-owns",
    "aria-relevant",
];

fn has_global_property<D: Dom>(dom: &D, node: NodeId) -> bool {
    dom.has_attrs(node)
        && (GLOBAL.iter().any(|a| dom.attr(node, a).is_some()) || dom.attr(node, "aria-roledescription").is_some())
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
        Tag::Aside => either(!in_section(dom, node, false) || has_author_name(dom, node), Role::Complementary),
        Tag::Footer => either(!in_section(dom, node, true), Role::ContentInfo),
        Tag::Header => either(!in_section(dom, node, true), Role::Banner),
        Tag::Img => img_role(dom, node),
        Tag::Input => input_role(dom, node),
        Tag::Li => either(in_list(dom, node), Role::ListItem),
        Tag::Section => either(has_author_name(dom, node), Role::Region),
        Tag::Select => select_role(dom, node),
        Tag::Summary => either(is_summary(dom, node), Role::Button),
        Tag::Tbody | Tag::Tfoot | Tag::Thead | Tag::Tr | Tag::Td | Tag::Th => in_table(dom, node, tag),
        Tag::Article => Role::Article,
        Tag::Audio => Role::Audio,
        Tag::Blockquote => Role::Blockquote,
        Tag::Button => Role::Button,
        Tag::Canvas => Role::Canvas,
        Tag::Caption => Role::Caption,
        Tag::Code => Role::Code,
        Tag::Dd => Role::Definition,
        Tag::Del | Tag::S => Role::Deletion,
        Tag::Dialog => Role::Dialog,
        Tag::I | Tag::Em => Role::Emphasis,
        Tag::Figure => Role::Figure,
        Tag::Form => Role::Form,
        Tag::Address | Tag::Details | Tag::Fieldset | Tag::Hgroup | Tag::Optgroup => Role::Group,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Role::Heading,
        Tag::Frame | Tag::Iframe => Role::Iframe,
        Tag::Svg => Role::Img,
        Tag::Ins => Role::Insertion,
        Tag::Ul | Tag::Ol | Tag::Menu => Role::List,
        Tag::Main => Role::Main,
        Tag::Mark => Role::Mark,
        Tag::Math => Role::Math,
        Tag::Meter => Role::Meter,
        Tag::Nav => Role::Navigation,
        Tag::Option => Role::Option,
        Tag::P => Role::Paragraph,
        Tag::Progress => Role::ProgressBar,
        Tag::Search => Role::Search,
        Tag::Hr => Role::Separator,
        Tag::Output => Role::Status,
        Tag::B | Tag::Strong => Role::Strong,
        Tag::Sub => Role::Subscript,
        Tag::Sup => Role::Superscript,
        Tag::Table => Role::Table,
        Tag::Dfn | Tag::Dt => Role::Term,
        Tag::Textarea => Role::TextBox,
        Tag::Time => Role::Time,
        Tag::Video => Role::Video,
        _ if dom.has_attrs(node) && is_editable(dom, node) => Role::TextBox,
        _ => Role::Generic,
    }
}

fn either(holds: bool, role: Role) -> Role {
    if holds { role } else { Role::Generic }
}

/// A picture without a text is decoration, unless something says that it is there for everyone.
fn img_role<D: Dom>(dom: &D, node: NodeId) -> Role {
    let silent = dom.attr(node, "alt").is_some_and(|alt| alt.is_empty())
        && dom.attr(node, "tabindex").is_none()
        && !has_global_property(dom, node);
    if silent { Role::None } else { Role::Img }
}

/// Whether a summary is the one that opens its details.
fn is_summary<D: Dom>(dom: &D, node: NodeId) -> bool {
    dom.parent(node).is_some_and(|parent| {
        dom.kind(parent) == Kind::Element(Tag::Details)
            && dom
                .children(parent)
                .into_iter()
                .find(|c| dom.kind(*c) == Kind::Element(Tag::Summary))
                .is_some_and(|first| dom.same(first, node))
    })
}

fn input_role<D: Dom>(dom: &D, node: NodeId) -> Role {
    let kind = dom.attr(node, "type").unwrap_or_default().to_ascii_lowercase();
    match kind.as_str() {
        "button" | "submit" | "reset" | "image" | "file" => Role::Button,
        "checkbox" => Role::Checkbox,
        "hidden" => Role::Generic,
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

/// Parts of a table are what the table is: cells of a grid, or nothing where it is only layout.
fn in_table<D: Dom>(dom: &D, node: NodeId, tag: Tag) -> Role {
    let mut at = dom.parent(node);
    let mut table = Role::Table;
    let mut row = None;
    for _ in 0..4 {
        let Some(here) = at else { break };
        match dom.kind(here) {
            Kind::Element(Tag::Tr) => row = Some(here),
            Kind::Element(Tag::Table) => {
                table = role_of(dom, here, Tag::Table).0;
                break;
            }
            _ => {}
        }
        at = dom.parent(here);
    }
    let grid = matches!(table, Role::Grid | Role::TreeGrid);
    match tag {
        _ if table != Role::Table && !grid => Role::Generic,
        Tag::Tr => Role::Row,
        Tag::Td if grid => Role::GridCell,
        Tag::Td => Role::Cell,
        Tag::Th => match dom.attr(node, "scope").as_deref() {
            Some("row" | "rowgroup") => Role::RowHeader,
            Some("col" | "colgroup") => Role::ColumnHeader,
            _ if row.is_some_and(|r| has_data_cell(dom, r)) => Role::RowHeader,
            _ => Role::ColumnHeader,
        },
        _ => Role::RowGroup,
    }
}

fn has_data_cell<D: Dom>(dom: &D, row: NodeId) -> bool {
    dom.children(row).into_iter().any(|c| dom.kind(c) == Kind::Element(Tag::Td))
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

/// Whether it is inside of sectioning content, `main` counted or not: there a header or footer is not the page's own.
fn in_section<D: Dom>(dom: &D, node: NodeId, main: bool) -> bool {
    let mut at = dom.parent(node);
    for _ in 0..40 {
        let Some(here) = at else { return false };
        let inside = match dom.kind(here) {
            Kind::Element(Tag::Article | Tag::Aside | Tag::Nav | Tag::Section) => true,
            Kind::Element(Tag::Main) => main,
            _ if !dom.has_attrs(here) => false,
            _ => match dom.attr(here, "role").as_deref() {
                Some("article" | "complementary" | "navigation" | "region") => true,
                Some("main") => main,
                _ => false,
            },
        };
        if inside {
            return true;
        }
        at = dom.parent(here);
    }
    false
}
