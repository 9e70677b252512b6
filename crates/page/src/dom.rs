//! What the tree needs to know about a document.

use crate::tag::Tag;

/// A handle to a node, given out by the [`Dom`]. Two handles may name one node; a handle never changes its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An element.
    Element(Tag),
    /// A text node.
    Text,
    /// A comment, say: never shown.
    Other,
}

/// A rectangle in CSS px, relative to the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// Whether there is something to see: more than a hair in both directions.
    pub fn is_visible_size(&self) -> bool {
        self.w > 1.0 && self.h > 1.0
    }
}

/// The viewport and how far the page can be scrolled, in CSS px.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageBox {
    /// Viewport width.
    pub view_w: f64,
    /// Viewport height.
    pub view_h: f64,
    /// How far it is scrolled to the right.
    pub scroll_x: f64,
    /// How far it is scrolled down.
    pub scroll_y: f64,
    /// Width that can be scrolled to.
    pub page_w: f64,
    /// Height that can be scrolled to.
    pub page_h: f64,
}

/// How an element comes out of style computation, its ancestors included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Painted {
    /// Not rendered, and nothing inside it is: `display: none`, closed details, skipped content.
    No,
    /// It has no box of its own (`display: contents`): ask its parent.
    Contents,
    /// `visibility: hidden`; something inside it may be visible.
    Hidden,
    /// Opacity 0.
    Transparent,
    /// Rendered.
    Yes,
}

/// An option of a select.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Its node.
    pub node: Option<NodeId>,
    /// Its label.
    pub label: String,
    /// Its group's label, empty without a group.
    pub group: String,
    /// Whether it is chosen.
    pub selected: bool,
    /// Whether it cannot be chosen.
    pub disabled: bool,
}

/// The live state of a control, as the user sees it now; not its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// Value of an input or text area. Of a secret field only whether it is empty matters; the text is never shown.
    pub value: String,
    /// Whether it is checked.
    pub checked: bool,
    /// Whether a checkbox is neither on nor off.
    pub mixed: bool,
    /// Whether it is disabled, by a fieldset too.
    pub disabled: bool,
    /// Whether the value was, or is, of a password-like field.
    pub secret: bool,
}

/// A document, or a part of it. Methods take handles that this value gave out. They never fail: what cannot be known is
/// empty or false. The tree asks the dear ones (`painted`, `rect`, `collapsed`, `pointer`, `inline`) for few nodes only.
pub trait Dom {
    /// Where the whole page starts: the body.
    fn body(&self) -> NodeId;
    /// The topmost modal dialog, behind which everything is inert.
    fn modal(&self) -> Option<NodeId>;
    /// Whether two handles name one node.
    fn same(&self, a: NodeId, b: NodeId) -> bool {
        a == b
    }
    /// What the node is.
    fn kind(&self, node: NodeId) -> Kind;
    /// Characters of a text node; a long one may be cut after a few hundred.
    fn text(&self, node: NodeId) -> String;
    /// Whether an element has any attribute.
    fn has_attrs(&self, node: NodeId) -> bool;
    /// An attribute.
    fn attr(&self, node: NodeId, name: &'static str) -> Option<String>;
    /// Whether an attribute has exactly this value.
    fn attr_is(&self, node: NodeId, name: &'static str, value: &str) -> bool {
        self.attr(node, name).is_some_and(|v| v.trim().eq_ignore_ascii_case(value))
    }
    /// Children in the flat tree: through open shadow roots, slots filled, same-origin frames entered.
    fn children(&self, node: NodeId) -> Vec<NodeId>;
    /// Parent in the flat tree.
    fn parent(&self, node: NodeId) -> Option<NodeId>;
    /// The element with an id, in the node's own document or shadow root.
    fn by_id(&self, near: NodeId, id: &str) -> Option<NodeId>;
    /// Labels of a form control.
    fn labels(&self, node: NodeId) -> Vec<NodeId>;
    /// The control of a label.
    fn control(&self, label: NodeId) -> Option<NodeId>;
    /// Live state of a control.
    fn live(&self, node: NodeId) -> Live;
    /// Options of a select, in order.
    fn choices(&self, node: NodeId) -> Vec<Choice>;
    /// Style as far as seeing is concerned.
    fn painted(&self, node: NodeId) -> Painted;
    /// Bounding box.
    fn rect(&self, node: NodeId) -> Rect;
    /// Viewport and scroll extent.
    fn page_box(&self) -> PageBox;
    /// Whether an element outside of the page's scroll extent is in a container that can scroll to it.
    fn in_scroller(&self, node: NodeId) -> bool;
    /// Whether the box is (almost) empty and cuts what flows out of it.
    fn collapsed(&self, node: NodeId) -> bool;
    /// Whether the mouse cursor over it is a hand.
    fn pointer(&self, node: NodeId) -> bool;
    /// Whether it flows inline, so that no space parts its text from its neighbours'.
    fn inline(&self, node: NodeId) -> bool;
    /// Whether it is in the flow and styled so that it is seen wherever its parent is, as far as it has a box.
    fn flows(&self, _node: NodeId) -> bool {
        false
    }
    /// Whether its box has hardly any size.
    fn small(&self, node: NodeId) -> bool {
        !self.rect(node).is_visible_size()
    }
    /// Whether letters in it have a size and a colour of their own.
    fn legible(&self, _node: NodeId) -> bool {
        true
    }
    /// The computed `content` of what style puts before the element's content, or after it, and whether that flows inline.
    /// None when it puts nothing there.
    fn pseudo(&self, node: NodeId, before: bool) -> Option<(String, bool)>;
    /// Where a link leads, resolved, its host as the network sees it.
    fn address(&self, _node: NodeId) -> Option<String> {
        None
    }
    /// An attribute whose name the page chose; empty without it.
    fn named_attr(&self, node: NodeId, name: &str) -> String;
}
