//! Thinking that a model marks inside its text, kept apart from the answer while both stream in, split anywhere.

const OPEN: &[&str] = &["<think>", "<thinking>"];
const CLOSE: &[&str] = &["</think>", "</thinking>"];

/// The splitter's state between two pieces of text.
#[derive(Default)]
pub(crate) struct Splitter {
    /// Text that may be the beginning of a mark, or blank space that may precede one.
    pending: String,
    inside: bool,
    /// There was thinking: the blank space between it and the answer belongs to neither.
    thought: bool,
    /// Anything but blank space was given as answer text.
    any_text: bool,
    /// The last character given as answer text: a mark right after a quote or backtick is being talked about.
    last: Option<char>,
}

impl Splitter {
    /// Takes a piece and adds what is certain to `text` and `reasoning`.
    pub fn feed(&mut self, piece: &str, text: &mut String, reasoning: &mut String) {
        // The usual case: nothing pending, nothing that could be a mark.
        if self.pending.is_empty() && !self.inside && self.any_text && !piece.contains('<') {
            self.last = piece.chars().next_back().or(self.last);
            text.push_str(piece);
            return;
        }
        for c in piece.chars() {
            self.pending.push(c);
            self.settle(text, reasoning);
        }
    }

    /// The text is over: what is pending was no mark.
    pub fn finish(&mut self, text: &mut String, reasoning: &mut String) {
        let rest = std::mem::take(&mut self.pending);
        if self.inside {
            reasoning.push_str(&rest);
        } else if self.any_text || !rest.trim().is_empty() {
            text.push_str(&rest);
        }
    }

    fn settle(&mut self, text: &mut String, reasoning: &mut String) {
        let marks = if self.inside { CLOSE } else { OPEN };
        loop {
            let blank =
                if self.any_text || self.inside { 0 } else { self.pending.len() - self.pending.trim_start().len() };
            let tail = &self.pending[blank..];
            if tail.is_empty() {
                return;
            }
            let lower = tail.to_ascii_lowercase();
            if marks.contains(&lower.as_str()) && !self.is_quoted() {
                self.pending.clear();
                self.inside = !self.inside;
                self.thought = true;
                return;
            }
            if marks.iter().any(|mark| mark.starts_with(&lower)) && !self.is_quoted() {
                return;
            }
            // No mark begins here: give the first character and look at what is left.
            let first = tail.chars().next().map_or(0, char::len_utf8);
            let mut sure: String = self.pending.drain(..blank + first).collect();
            if blank > 0 && self.thought {
                sure.drain(..blank);
            }
            if self.inside {
                reasoning.push_str(&sure);
            } else {
                self.last = sure.chars().next_back();
                self.any_text = true;
                text.push_str(&sure);
            }
        }
    }

    fn is_quoted(&self) -> bool {
        !self.inside && matches!(self.last, Some('`' | '"' | '\''))
    }
}
