//! The collected document: nodes as records, their attributes and texts as ranges of one text.

use webbrain_page::{Kind, NodeId, Tag};

/// Marks of the collector.
const TEXT: i32 = -1;
const GAP: i32 = -2;
const END: i32 = -3;

/// An element has attributes.
pub const HAS_ATTRIBUTES: u8 = 1;
/// The children of an element were not collected.
pub const UNREAD: u8 = 2;

/// No node.
const NONE: u32 = u32::MAX;
/// A run of white space.
const SPACE: u32 = u32::MAX;

/// A node.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Its tag; none for a text.
    tag: Option<Tag>,
    flags: u8,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
    /// Number with the collector, of an element.
    element: u32,
    /// Key of its name and attributes, of an element.
    key: u32,
    /// The same as far as it matters to what is below it.
    key_below: u32,
    /// What its style was found to be, and 1; 0 when it was not asked.
    look: u32,
    /// Where its attributes begin, or its text.
    start: u32,
    /// Number of attributes, or bytes of text.
    len: u32,
}

/// An attribute: its number and where its value is.
#[derive(Clone, Copy, Debug)]
struct Attribute {
    name: u8,
    start: u32,
    len: u32,
}

/// All nodes of a reading.
#[derive(Debug, Default)]
pub struct Arena {
    records: Vec<Record>,
    attributes: Vec<Attribute>,
    text: String,
    /// From the collector's numbers to nodes.
    nodes: Vec<u32>,
}

/// Reads texts off, in the order in which they were collected. Lengths are in UTF-16 units, as scripts count.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    ascii: bool,
}

impl Reader<'_> {
    fn next(&mut self, units: usize) -> (usize, usize) {
        let start = self.at;
        if self.ascii {
            self.at = (start + units).min(self.text.len());
        } else {
            let mut left = units;
            for c in self.text[start..].chars() {
                if left == 0 {
                    break;
                }
                left = left.saturating_sub(c.len_utf16());
                self.at += c.len_utf8();
            }
        }
        (start, self.at - start)
    }
}

impl Arena {
    /// Adds what was collected, below `parent` if there is one. Returns the first node of it.
    pub fn add(&mut self, numbers: &[i32], text: &str, parent: Option<NodeId>) -> NodeId {
        let base = self.text.len();
        self.text.push_str(text);
        let mut reader = Reader { text, at: 0, ascii: text.is_ascii() };
        let first = self.records.len() as u32;
        let mut open = parent.map_or(NONE, |p| p.0);
        let mut at = 0;
        while at < numbers.len() {
            match numbers[at] {
                END => {
                    open = self.records.get(open as usize).map_or(NONE, |r| r.parent);
                    at += 1;
                }
                GAP => {
                    self.push(open, None, SPACE, 0);
                    at += 1;
                }
                TEXT => {
                    let (start, len) = reader.next(numbers[at + 1] as usize);
                    self.push(open, None, (base + start) as u32, len as u32);
                    at += 2;
                }
                head => {
                    let count = numbers[at + 3] as usize;
                    let node = self.push(open, Some(Tag::from_index((head & 0xffff) as usize)), 0, count as u32);
                    let record = &mut self.records[node as usize];
                    record.flags = (head >> 16) as u8;
                    record.key = numbers[at + 1] as u32;
                    record.key_below = numbers[at + 2] as u32;
                    record.start = self.attributes.len() as u32;
                    record.element = self.nodes.len() as u32;
                    self.nodes.push(node);
                    at += 4;
                    for _ in 0..count {
                        let (start, len) = reader.next(numbers[at + 1] as usize);
                        let value =
                            Attribute { name: numbers[at] as u8, start: (base + start) as u32, len: len as u32 };
                        self.attributes.push(value);
                        at += 2;
                    }
                    open = node;
                }
            }
        }
        NodeId(first)
    }

    fn push(&mut self, parent: u32, tag: Option<Tag>, start: u32, len: u32) -> u32 {
        let node = self.records.len() as u32;
        let record = Record {
            tag,
            flags: 0,
            parent,
            first: NONE,
            last: NONE,
            next: NONE,
            element: NONE,
            key: 0,
            key_below: 0,
            look: 0,
            start,
            len,
        };
        self.records.push(record);
        if let Some(above) = self.records.get_mut(parent as usize) {
            let last = std::mem::replace(&mut above.last, node);
            if last == NONE {
                above.first = node;
            } else {
                self.records[last as usize].next = node;
            }
        }
        node
    }

    fn record(&self, node: NodeId) -> &Record {
        &self.records[node.0 as usize]
    }

    /// What it is.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.record(node).tag.map_or(Kind::Text, Kind::Element)
    }

    /// Its marks.
    pub fn flags(&self, node: NodeId) -> u8 {
        self.record(node).flags
    }

    /// Its children were collected now.
    pub fn set_read(&mut self, node: NodeId) {
        self.records[node.0 as usize].flags &= !UNREAD;
    }

    /// Its parent, as collected.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.record(node).parent).filter(|p| *p != NONE).map(NodeId)
    }

    /// Its parent was found.
    pub fn set_parent(&mut self, node: NodeId, parent: NodeId) {
        self.records[node.0 as usize].parent = parent.0;
    }

    /// Its number with the collector.
    pub fn element(&self, node: NodeId) -> u32 {
        self.record(node).element
    }

    /// The node of a collector's number.
    pub fn node(&self, element: u32) -> NodeId {
        NodeId(self.nodes[element as usize])
    }

    /// Its own key, and those of its parent and grandparent for what is below them.
    pub fn keys(&self, node: NodeId) -> [u32; 3] {
        let record = self.record(node);
        let parent = self.records.get(record.parent as usize);
        let above = parent.and_then(|p| self.records.get(p.parent as usize));
        [record.key, parent.map_or(0, |p| p.key_below), above.map_or(0, |p| p.key_below)]
    }

    /// The number of its look, if it is known.
    pub fn look(&self, node: NodeId) -> Option<usize> {
        (self.record(node).look as usize).checked_sub(1)
    }

    /// Its look has this number.
    pub fn set_look(&mut self, node: NodeId, look: usize) {
        self.records[node.0 as usize].look = look as u32 + 1;
    }

    /// Its children, as collected.
    pub fn children(&self, node: NodeId) -> Vec<NodeId> {
        let mut out = Vec::new();
        let mut at = self.record(node).first;
        while at != NONE {
            out.push(NodeId(at));
            at = self.records[at as usize].next;
        }
        out
    }

    /// Its text, of a text.
    pub fn text(&self, node: NodeId) -> &str {
        let record = self.record(node);
        if record.start == SPACE { " " } else { self.part(record.start, record.len) }
    }

    /// The value of the attribute with this number.
    pub fn attribute(&self, node: NodeId, name: u8) -> Option<&str> {
        let record = self.record(node);
        let (start, end) = (record.start as usize, (record.start + record.len) as usize);
        let found = self.attributes[start..end].iter().find(|a| a.name == name)?;
        Some(self.part(found.start, found.len))
    }

    fn part(&self, start: u32, len: u32) -> &str {
        &self.text[start as usize..(start + len) as usize]
    }
}
