//! What an answer consists of.

use crate::markdown::parse;

/// Horizontal alignment of a table column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// As the direction of the text says.
    None,
    /// Start of the line.
    Start,
    /// Centre.
    Center,
    /// End of the line.
    End,
}

/// A run of text within a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Plain text; raw HTML comes as this too.
    Text(String),
    /// Code.
    Code(String),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// Struck out.
    Strike(Vec<Inline>),
    /// A link; `None` when its address may not be followed.
    Link(Option<String>, Vec<Inline>),
    /// An image, never loaded: its address when it may be followed, and its description.
    Image(Option<String>, Vec<Inline>),
    /// A line break.
    Break,
}

/// One entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Whether it is done, for a task list.
    pub task: Option<bool>,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// A block of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading of level 1 to 6.
    Heading(u8, Vec<Inline>),
    /// A code block: language, where said, and text.
    Code(String, String),
    /// A quotation.
    Quote(Vec<Block>),
    /// A list; its first number when it is ordered.
    List(Option<u64>, Vec<Entry>),
    /// A table.
    Table {
        /// One for each column.
        align: Vec<Align>,
        /// Cells of the head.
        head: Vec<Vec<Inline>>,
        /// Rows of cells.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A thematic break.
    Rule,
}

/// A parsed answer that can grow. Text that is appended changes only the last blocks, so only they are parsed
/// again. (A link definition that arrives later is the exception; [`Document::settle`] takes care of it.)
#[derive(Clone, Debug, Default)]
pub struct Document {
    source: String,
    /// Each block with the byte where it starts.
    blocks: Vec<(usize, Block)>,
}

impl Document {
    /// Brings the document to `text`. Returns the index of the first block that may have changed.
    pub fn update(&mut self, text: &str) -> usize {
        if text.len() < self.source.len() || !text.starts_with(&self.source) {
            return self.settle(text);
        }
        if text.len() == self.source.len() {
            return self.blocks.len();
        }
        let start = self.restart();
        let kept = self.blocks.len();
        self.source.push_str(&text[self.source.len()..]);
        let tail = parse::blocks(&self.source[start..]);
        self.blocks.extend(tail.into_iter().map(|(at, block)| (start + at, block)));
        kept
    }

    /// Drops the blocks that more text could change, and returns the byte to parse from. The last block always can; the one
    /// before it can when no blank line parts them (`***` is a rule, `***x` goes on with the paragraph above) or when it
    /// is a list, which `2` joins once it is `2. `. A block's indentation counts, so its whole line is read again.
    fn restart(&mut self) -> usize {
        let source = &self.source;
        let line_of = |at: usize| source[..at].rfind('\n').map_or(0, |end| end + 1);
        let mut start = 0;
        while let Some((at, _)) = self.blocks.pop() {
            start = line_of(at);
            let above = source[..start].lines().next_back().unwrap_or_default();
            let parted = above.trim().is_empty();
            if parted && !matches!(self.blocks.last(), Some((_, Block::List(..)))) {
                break;
            }
        }
        start
    }

    /// Parses the whole of `text`. Returns the index of the first block that changed.
    pub fn settle(&mut self, text: &str) -> usize {
        let fresh = parse::blocks(text);
        let same = self.blocks.iter().zip(&fresh).take_while(|((_, old), (_, new))| old == new).count();
        text.clone_into(&mut self.source);
        self.blocks = fresh;
        same
    }

    /// The blocks from index `from` on.
    pub fn blocks_from(&self, from: usize) -> impl Iterator<Item = &Block> {
        self.blocks.iter().skip(from).map(|(_, block)| block)
    }
}

/// `address` when a link may lead there: `http`, `https` or `mailto`, written out, without control characters.
pub fn safe_href(address: &str) -> Option<String> {
    let address = address.trim();
    let (scheme, _) = address.split_once(':')?;
    let allowed = ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (allowed && !address.chars().any(char::is_control)).then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn check(text: &str, expected: Expect) {
        let mut document = Document::default();
        document.settle(text);
        let lines: Vec<String> = document.blocks_from(0).map(|block| format!("{block:?}")).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn each_construct_becomes_its_block() {
        check("# Hi *there*", expect![[r#"Heading(1, [Text("Hi "), Emphasis([Text("there")])])"#]]);
        check(
            "a\nb **c** `d` ~~e~~",
            expect![[
                r#"Paragraph([Text("a"), Break, Text("b "), Strong([Text("c")]), Text(" "), Code("d"), Text(" "), Strike([Text("e")])])"#
            ]],
        );
        check(
            "```rust\nfn x() {}\n```\n---",
            expect![[r#"
            Code("rust", "fn x() {}\n")
            Rule"#]],
        );
        check("> q", expect![[r#"Quote([Paragraph([Text("q")])])"#]]);
        check(
            "3. a\n4. b\n\n- [x] done\n- [ ] open",
            expect![[r#"
                List(Some(3), [Entry { task: None, blocks: [Paragraph([Text("a")])] }, Entry { task: None, blocks: [Paragraph([Text("b")])] }])
                List(None, [Entry { task: Some(true), blocks: [Paragraph([Text("done")])] }, Entry { task: Some(false), blocks: [Paragraph([Text("open")])] }])"#]],
        );
        check(
            "|a|b|\n|-|-:|\n|1|2|",
            expect![[
                r#"Table { align: [None, End], head: [[Text("a")], [Text("b")]], rows: [[[Text("1")], [Text("2")]]] }"#
            ]],
        );
    }

    #[test]
    fn html_is_shown_as_text_and_images_are_not_loaded() {
        check(
            "<img src=x onerror=alert(1)>\n\nx <b>y</b>",
            expect![[r#"
            Paragraph([Text("<img src=x onerror=alert(1)>")])
            Paragraph([Text("x "), Text("<b>"), Text("y"), Text("</b>")])"#]],
        );
        check(
            "![alt](https://x.test/t.png)",
            expect![[r#"Paragraph([Image(Some("https://x.test/t.png"), [Text("alt")])])"#]],
        );
    }

    #[test]
    fn a_link_leads_only_to_the_web_or_a_mail_address() {
        check(
            "[a](https://x.test) [b](javascript:alert(1)) [c](/rel) [d](data:text/html,x) <m@x.test>",
            expect![[
                r#"Paragraph([Link(Some("https://x.test"), [Text("a")]), Text(" "), Link(None, [Text("b")]), Text(" "), Link(None, [Text("c")]), Text(" "), Link(None, [Text("d")]), Text(" "), Link(Some("mailto:m@x.test"), [Text("m@x.test")])])"#
            ]],
        );
        assert_eq!(safe_href(" JavaScript:x"), None);
        assert_eq!(safe_href("java\nscript:x"), None);
        assert_eq!(safe_href("HTTPS://x.test"), Some("HTTPS://x.test".to_owned()));
    }

    #[test]
    fn appending_leaves_finished_blocks_alone() {
        let mut document = Document::default();
        document.update("# a\n\nfirst\n\nsec");
        assert_eq!(document.update("# a\n\nfirst\n\nsecond"), 2);
        assert_eq!(document.update("# a\n\nfirst\n\nsecond"), 3);
        assert_eq!(document.update("# other"), 0);
    }

    proptest! {
        #[test]
        fn streaming_in_pieces_gives_what_parsing_at_once_gives(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "a", " ", "\n", "\n\n", "- ", "1. ", "# ", "```\n", "> ", "|", "|-|\n", "*", "**", "`", "    ", "---\n", "<b>",
                    "é", "[x](http://y)", "==\n", "\t", "~~~\n", "[ ] ", "\\",
                ]),
                0..24,
            ),
        ) {
            let mut streamed = Document::default();
            let mut text = String::new();
            for piece in pieces {
                text.push_str(piece);
                streamed.update(&text);
            }
            let mut whole = Document::default();
            whole.settle(&text);
            prop_assert_eq!(streamed.blocks, whole.blocks);
        }
    }
}
