//! Joining pieces of text the way they are seen: with a space where a box ends.

use crate::text;

/// Text being put together from pieces.
#[derive(Debug, Default)]
pub struct Joined {
    text: String,
}

impl Joined {
    /// Appends the characters of a text node.
    pub fn push(&mut self, piece: &str) {
        text::push_collapsed(&mut self.text, piece);
    }

    /// A box starts or ends here.
    pub fn gap(&mut self) {
        text::push_space(&mut self.text);
    }

    /// Whether the next piece would stick to the last one.
    pub fn sticks(&self) -> bool {
        !self.text.is_empty() && !self.text.ends_with(' ')
    }

    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Bytes so far, a space at the end aside.
    pub fn solid(&self) -> usize {
        self.text.trim_end().len()
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, trimmed.
    pub fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}
