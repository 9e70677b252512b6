//! Blocks as DOM nodes. Text enters the page as text nodes only.

use crate::bidi;
use crate::i18n::{key, t};
use crate::markdown::model::{Align, Block, Document, Entry, Inline};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Node};

type Made = Result<Element, JsValue>;

/// An answer. `text` is its Markdown so far and whether more may come; only blocks that changed are drawn again.
#[component]
pub fn Markdown(
    /// Markdown so far, and whether more may come.
    #[prop(into)]
    text: Signal<(String, bool)>,
) -> impl IntoView {
    let root = NodeRef::<Div>::new();
    let document = StoredValue::new(Document::default());
    Effect::new(move || {
        let Some(root) = root.get() else { return };
        text.with(|(text, streaming)| {
            document.update_value(|document| {
                let from = if *streaming { document.update(text) } else { document.settle(text) };
                if redraw(&root, document, from).is_err() {
                    leptos::logging::error!("markdown: a part could not be drawn");
                }
            });
        });
    });
    let dir = Memo::new(move |_| text.with(|(text, _)| bidi::dir(text)));
    view! { <div class="md" dir=dir node_ref=root on:click=copy_code></div> }
}

/// Replaces the children of `root` from index `from` on.
fn redraw(root: &Element, document: &Document, from: usize) -> Result<(), JsValue> {
    let from_node = u32::try_from(from).unwrap_or(u32::MAX);
    while let Some(last) = root.children().item(from_node).and_then(|_| root.last_element_child()) {
        last.remove();
    }
    for block in document.blocks_from(from) {
        root.append_child(&Node::from(block_node(block)?))?;
    }
    Ok(())
}

fn element(tag: &str, class: &str) -> Made {
    let made = document().create_element(tag)?;
    if !class.is_empty() {
        made.set_class_name(class);
    }
    Ok(made)
}

fn text_node(text: &str) -> Node {
    document().create_text_node(text).into()
}

fn block_node(block: &Block) -> Made {
    match block {
        Block::Paragraph(content) => inlines(element("p", "")?, content),
        // The page's own headings stand above those of an answer.
        Block::Heading(level, content) => inlines(element(&format!("h{}", (level + 2).min(6)), "")?, content),
        Block::Code(language, text) => code_block(language, text),
        Block::Quote(blocks) => append_blocks(element("blockquote", "")?, blocks),
        Block::List(first, entries) => list(*first, entries),
        Block::Table { align, head, rows } => table(align, head, rows),
        Block::Rule => element("hr", ""),
    }
}

fn append_blocks(parent: Element, blocks: &[Block]) -> Made {
    for block in blocks {
        parent.append_child(&Node::from(block_node(block)?))?;
    }
    Ok(parent)
}

fn inlines(parent: Element, content: &[Inline]) -> Made {
    for inline in content {
        parent.append_child(&inline_node(inline)?)?;
    }
    Ok(parent)
}

fn inline_node(inline: &Inline) -> Result<Node, JsValue> {
    Ok(match inline {
        Inline::Text(text) => text_node(text),
        Inline::Code(text) => {
            let code = element("code", "")?;
            code.append_child(&text_node(text))?;
            code.into()
        }
        Inline::Emphasis(content) => inlines(element("em", "")?, content)?.into(),
        Inline::Strong(content) => inlines(element("strong", "")?, content)?.into(),
        Inline::Strike(content) => inlines(element("s", "")?, content)?.into(),
        Inline::Link(href, content) => link(href.as_deref(), "", content)?.into(),
        Inline::Image(href, content) => link(href.as_deref(), "image-link", content)?.into(),
        Inline::Break => element("br", "")?.into(),
    })
}

fn link(href: Option<&str>, class: &str, content: &[Inline]) -> Made {
    let Some(href) = href else { return inlines(element("span", class)?, content) };
    let anchor = element("a", class)?;
    anchor.set_attribute("href", href)?;
    anchor.set_attribute("target", "_blank")?;
    anchor.set_attribute("rel", "noopener noreferrer")?;
    if content.is_empty() {
        anchor.append_child(&text_node(href))?;
    }
    inlines(anchor, content)
}

fn code_block(language: &str, text: &str) -> Made {
    let figure = element("div", "code-block")?;
    let bar = element("div", "code-bar")?;
    let name = element("span", "")?;
    name.append_child(&text_node(language))?;
    let copy = element("button", "code-copy")?;
    copy.set_attribute("type", "button")?;
    copy.append_child(&text_node(&t(key::COPY)))?;
    bar.append_child(&name)?;
    bar.append_child(&copy)?;
    let pre = element("pre", "")?;
    pre.set_attribute("tabindex", "0")?;
    pre.set_attribute("dir", "ltr")?;
    let code = element("code", "")?;
    code.append_child(&text_node(text))?;
    pre.append_child(&code)?;
    figure.append_child(&bar)?;
    figure.append_child(&pre)?;
    Ok(figure)
}

fn list(first: Option<u64>, entries: &[Entry]) -> Made {
    let list = element(if first.is_some() { "ol" } else { "ul" }, "")?;
    if let Some(first) = first.filter(|first| *first != 1) {
        list.set_attribute("start", &first.to_string())?;
    }
    for entry in entries {
        let item = element("li", if entry.task.is_some() { "task" } else { "" })?;
        if let Some(done) = entry.task {
            let mark = element("span", if done { "task-mark done" } else { "task-mark" })?;
            mark.set_attribute("role", "img")?;
            mark.set_attribute("aria-label", &t(if done { key::TASK_DONE } else { key::TASK_OPEN }))?;
            item.append_child(&mark)?;
        }
        list.append_child(&Node::from(entry_content(item, &entry.blocks)?))?;
    }
    Ok(list)
}

/// A first paragraph stands in the entry itself, as in a tight list.
fn entry_content(item: Element, blocks: &[Block]) -> Made {
    match blocks {
        [Block::Paragraph(content), rest @ ..] => append_blocks(inlines(item, content)?, rest),
        blocks => append_blocks(item, blocks),
    }
}

fn table(align: &[Align], head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) -> Made {
    let scroller = element("div", "table-scroll")?;
    scroller.set_attribute("tabindex", "0")?;
    let table = element("table", "")?;
    let thead = element("thead", "")?;
    thead.append_child(&Node::from(row("th", align, head)?))?;
    table.append_child(&thead)?;
    let body = element("tbody", "")?;
    for cells in rows {
        body.append_child(&Node::from(row("td", align, cells)?))?;
    }
    table.append_child(&body)?;
    scroller.append_child(&table)?;
    Ok(scroller)
}

fn row(tag: &str, align: &[Align], cells: &[Vec<Inline>]) -> Made {
    let row = element("tr", "")?;
    for (index, cell) in cells.iter().enumerate() {
        let class = match align.get(index) {
            Some(Align::Center) => "center",
            Some(Align::End) => "end",
            _ => "",
        };
        row.append_child(&inlines(element(tag, class)?, cell)?.into())?;
    }
    Ok(row)
}

/// Copies the code of the block whose button was pressed.
fn copy_code(event: web_sys::MouseEvent) {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
    let Some(button) = target.closest(".code-copy").ok().flatten() else { return };
    let code = button.closest(".code-block").ok().flatten().and_then(|b| b.query_selector("pre").ok().flatten());
    let Some(text) = code.and_then(|c| c.text_content()) else { return };
    crate::dom::copy(text, move |copied| {
        button.set_text_content(Some(&t(if copied { key::COPIED } else { key::COPY_FAILED })));
        let button = button.clone();
        set_timeout(move || button.set_text_content(Some(&t(key::COPY))), std::time::Duration::from_millis(1800));
    });
}
