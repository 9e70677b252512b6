//! pulldown-cmark's events folded into blocks.

use crate::markdown::model::{Align, Block, Entry, Inline, safe_href};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// The top-level blocks of `text`, each with the byte where it starts.
pub(super) fn blocks(text: &str) -> Vec<(usize, Block)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut builder = Builder::default();
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        builder.event(event, range.start);
    }
    builder.finish()
}

/// A construct whose end has not been seen.
enum Open {
    Paragraph(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    Code(String, String),
    Html(String),
    Quote(Vec<Block>),
    List(Option<u64>, Vec<Entry>),
    Entry(Entry),
    Table { align: Vec<Align>, head: Vec<Vec<Inline>>, rows: Vec<Vec<Vec<Inline>>> },
    Row(Vec<Vec<Inline>>),
    Cell(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    Strike(Vec<Inline>),
    Link(Option<String>, Vec<Inline>),
    Image(Option<String>, Vec<Inline>),
}

#[derive(Default)]
struct Builder {
    stack: Vec<Open>,
    start: usize,
    done: Vec<(usize, Block)>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, at: usize) {
        if self.stack.is_empty() {
            self.start = at;
        }
        match event {
            Event::Start(tag) => {
                // Text directly in a list entry has no paragraph of its own; it ends where a block begins.
                if is_block(&tag) {
                    self.close_tight_paragraph();
                }
                self.stack.extend(open(tag));
            }
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Html(text) => self.text(&text),
            Event::InlineHtml(text) => self.inline(Inline::Text(text.into_string())),
            Event::Code(text) => self.inline(Inline::Code(text.into_string())),
            Event::SoftBreak | Event::HardBreak => self.inline(Inline::Break),
            Event::Rule => {
                self.close_tight_paragraph();
                self.block(Block::Rule);
            }
            Event::TaskListMarker(checked) => {
                if let Some(Open::Entry(entry)) = self.stack.iter_mut().rev().find(|o| matches!(o, Open::Entry(_))) {
                    entry.task = Some(checked);
                }
            }
            // Extensions that are off.
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
        }
    }

    fn text(&mut self, text: &str) {
        match self.stack.last_mut() {
            Some(Open::Code(_, code)) => code.push_str(text),
            Some(Open::Html(html)) => html.push_str(text),
            _ => self.inline(Inline::Text(text.to_owned())),
        }
    }

    fn inline(&mut self, inline: Inline) {
        if matches!(self.stack.last(), Some(Open::Entry(_)) | None) {
            self.stack.push(Open::Paragraph(Vec::new()));
        }
        if let Some(content) = self.stack.last_mut().and_then(Open::inlines) {
            content.push(inline);
        }
    }

    fn block(&mut self, block: Block) {
        match self.stack.last_mut() {
            None => self.done.push((self.start, block)),
            Some(Open::Quote(blocks)) => blocks.push(block),
            Some(Open::Entry(entry)) => entry.blocks.push(block),
            Some(_) => {}
        }
    }

    fn close_tight_paragraph(&mut self) {
        let tight = matches!(self.stack.as_slice(), [.., Open::Entry(_), Open::Paragraph(_)]);
        if tight && let Some(Open::Paragraph(content)) = self.stack.pop() {
            self.block(Block::Paragraph(content));
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if tag == TagEnd::Item {
            self.close_tight_paragraph();
        }
        let Some(closed) = self.stack.pop() else { return };
        match closed {
            Open::Paragraph(content) => self.block(Block::Paragraph(content)),
            Open::Heading(level, content) => self.block(Block::Heading(level, content)),
            Open::Code(language, text) => self.block(Block::Code(language, text)),
            Open::Html(text) => self.block(Block::Paragraph(lines(&text))),
            Open::Quote(blocks) => self.block(Block::Quote(blocks)),
            Open::List(first, entries) => self.block(Block::List(first, entries)),
            Open::Table { align, head, rows } => self.block(Block::Table { align, head, rows }),
            Open::Entry(entry) => {
                if let Some(Open::List(_, entries)) = self.stack.last_mut() {
                    entries.push(entry);
                }
            }
            Open::Row(cells) => {
                if let Some(Open::Table { head, rows, .. }) = self.stack.last_mut() {
                    if tag == TagEnd::TableHead { *head = cells } else { rows.push(cells) }
                }
            }
            Open::Cell(content) => {
                if let Some(Open::Row(cells)) = self.stack.last_mut() {
                    cells.push(content);
                }
            }
            Open::Emphasis(content) => self.inline(Inline::Emphasis(content)),
            Open::Strong(content) => self.inline(Inline::Strong(content)),
            Open::Strike(content) => self.inline(Inline::Strike(content)),
            Open::Link(href, content) => self.inline(Inline::Link(href, content)),
            Open::Image(href, content) => self.inline(Inline::Image(href, content)),
        }
    }

    fn finish(self) -> Vec<(usize, Block)> {
        self.done
    }
}

impl Open {
    fn inlines(&mut self) -> Option<&mut Vec<Inline>> {
        match self {
            Open::Paragraph(content)
            | Open::Heading(_, content)
            | Open::Cell(content)
            | Open::Emphasis(content)
            | Open::Strong(content)
            | Open::Strike(content)
            | Open::Link(_, content)
            | Open::Image(_, content) => Some(content),
            _ => None,
        }
    }
}

fn is_block(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Table(_)
    )
}

fn open(tag: Tag<'_>) -> Option<Open> {
    Some(match tag {
        Tag::Paragraph => Open::Paragraph(Vec::new()),
        Tag::Heading { level, .. } => Open::Heading(level as u8, Vec::new()),
        Tag::BlockQuote(_) => Open::Quote(Vec::new()),
        Tag::CodeBlock(CodeBlockKind::Indented) => Open::Code(String::new(), String::new()),
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
            let language = info.split([' ', ',']).next().unwrap_or_default().to_owned();
            Open::Code(language, String::new())
        }
        Tag::HtmlBlock => Open::Html(String::new()),
        Tag::List(first) => Open::List(first, Vec::new()),
        Tag::Item => Open::Entry(Entry::default()),
        Tag::Table(align) => {
            Open::Table { align: align.into_iter().map(alignment).collect(), head: Vec::new(), rows: Vec::new() }
        }
        Tag::TableHead | Tag::TableRow => Open::Row(Vec::new()),
        Tag::TableCell => Open::Cell(Vec::new()),
        Tag::Strong => Open::Strong(Vec::new()),
        Tag::Strikethrough => Open::Strike(Vec::new()),
        Tag::Link { link_type: LinkType::Email, dest_url, .. } => {
            Open::Link(safe_href(&format!("mailto:{dest_url}")), Vec::new())
        }
        Tag::Link { dest_url, .. } => Open::Link(safe_href(&dest_url), Vec::new()),
        Tag::Image { dest_url, .. } => Open::Image(safe_href(&dest_url), Vec::new()),
        // Emphasis, and the constructs of extensions that are off: their end pops what is pushed here.
        _ => Open::Emphasis(Vec::new()),
    })
}

fn alignment(align: Alignment) -> Align {
    match align {
        Alignment::None => Align::None,
        Alignment::Left => Align::Start,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::End,
    }
}

/// Text with its line ends as breaks.
fn lines(text: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    for (index, line) in text.trim_end().lines().enumerate() {
        if index > 0 {
            out.push(Inline::Break);
        }
        out.push(Inline::Text(line.to_owned()));
    }
    out
}
