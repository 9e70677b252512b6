//! `extract_data`: tables as CSV, headings, images.

use crate::dom::PageDom;
use crate::js;
use crate::outcome::Outcome;
use webbrain_page::{is_seen, paginate, text};
use webbrain_tools::DataKind;

const MAX_TABLES: usize = 10;
const MAX_IMAGES: usize = 50;
/// Px below which an image is decoration.
const SMALL_PX: f64 = 8.0;

/// Reads the data.
pub fn extract(kind: DataKind) -> Outcome {
    let (lines, none) = match kind {
        DataKind::Tables => (tables(), "[no table is visible]"),
        DataKind::Headings => (headings(), "[no heading is visible]"),
        DataKind::Images => (images(), "[no image is visible]"),
    };
    if lines.is_empty() {
        return Outcome::new(none, "0");
    }
    let count = lines.len().to_string();
    Outcome::new(paginate(&lines, None, 1, "read_page for the rest, page").text, count)
}

fn tables() -> Vec<String> {
    let dom = PageDom::new();
    let found = js::all(&js::document(), "table,[role=table],[role=grid]");
    let shown: Vec<_> = found.into_iter().filter(|t| is_seen(&dom, dom.handle(t))).collect();
    let mut lines = Vec::new();
    for (index, table) in shown.iter().take(MAX_TABLES).enumerate() {
        let caption = table.query("caption").ok().flatten().map(|c| webbrain_page::text_of(&dom, dom.handle(&c)));
        let caption = caption.or_else(|| table.attribute("aria-label")).unwrap_or_default();
        lines.push(format!("table {} {}", index + 1, text::clip(&text::collapse(&caption), 100)).trim_end().to_owned());
        for row in webbrain_page::cells(&dom, dom.handle(table)) {
            lines.push(text::joined(&row.iter().map(|c| csv(c)).collect::<Vec<_>>(), ","));
        }
    }
    if shown.len() > MAX_TABLES {
        lines.push(format!("[{} more tables]", shown.len() - MAX_TABLES));
    }
    lines
}

/// A field of CSV: quoted where it has to be.
fn csv(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

fn headings() -> Vec<String> {
    let dom = PageDom::new();
    js::all(&js::document(), "h1,h2,h3,h4,h5,h6,[role=heading]")
        .into_iter()
        .filter(|h| is_seen(&dom, dom.handle(h)))
        .filter_map(|h| {
            let level = h.attribute("aria-level").or_else(|| h.name().strip_prefix('h').map(str::to_owned));
            let words = webbrain_page::text_of(&dom, dom.handle(&h));
            let words = words.trim_start_matches('#').trim().to_owned();
            (!words.is_empty())
                .then(|| format!("h{} {}", level.unwrap_or_else(|| "2".to_owned()), text::clip(&words, 200)))
        })
        .collect()
}

fn images() -> Vec<String> {
    let dom = PageDom::new();
    let found: Vec<_> = js::all(&js::document(), "img").into_iter().filter(|i| is_seen(&dom, dom.handle(i))).collect();
    let mut lines = Vec::new();
    for image in &found {
        let size = |v: wasm_bindgen::JsValue| v.as_f64().unwrap_or(0.0);
        let (w, h) = (size(image.natural_width()), size(image.natural_height()));
        if w < SMALL_PX && h < SMALL_PX {
            continue;
        }
        let src = image.src().as_string().unwrap_or_default();
        let src = if src.starts_with("data:") { "(inline image)".to_owned() } else { text::clip(&src, 300) };
        let alt = text::clip(&text::collapse(&image.attribute("alt").unwrap_or_default()), 100);
        lines.push(format!("{src} {}x{} \"{alt}\"", js::whole(w), js::whole(h)));
    }
    if lines.len() > MAX_IMAGES {
        let more = lines.len() - MAX_IMAGES;
        lines.truncate(MAX_IMAGES);
        lines.push(format!("[{more} more images]"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::csv;

    #[test]
    fn a_cell_is_quoted_where_it_has_to_be() {
        for (cell, want) in [("a", "a"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("", "")] {
            assert_eq!(csv(cell), want);
        }
    }
}
