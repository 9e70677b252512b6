//! `bench tree`: time and tokens of reading pages, ours and others', in one run of one browser.

use super::pages::{self, PageFile};
use super::peers::{self, Design};
use crate::webdriver::Driver;
use crate::{Browser, build, run, setup, sh};
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// Measured readings of a page and design, after a first one that is not.
const REPEATS: usize = 5;
/// A design that needs longer than this for the first reading is measured once.
const SLOW_MS: f64 = 4_000.0;
/// Characters of a text whose tokens are counted; the rest is taken in proportion.
const COUNTED_CHARS: usize = 400_000;

/// What was measured on one page.
#[derive(Default)]
struct Row {
    /// Median ms by design.
    ms: BTreeMap<&'static str, f64>,
    /// Tokens of the whole text by design.
    tokens: BTreeMap<&'static str, f64>,
    /// Controls of Chromium's own tree that are in our text.
    found: usize,
    /// Controls of Chromium's own tree.
    controls: usize,
}

/// Measures, prints the table, writes the record.
pub fn tree() -> Result<()> {
    setup::for_build()?;
    setup::for_browser(Browser::Chrome)?;
    if std::env::var_os("WEBBRAIN_BENCH_AS_BUILT").is_none() {
        build::build(&build::Options { browsers: vec![Browser::Chrome], dev: false })?;
    }
    let mut designs = vec![peers::ours("wasm", "content-wasm.js")?, peers::ours("wasm2js", "content-js.js")?];
    match peers::reference()? {
        Some(design) => designs.push(design),
        None => println!("left out: the reference (WEBBRAIN_REFERENCE is not set)"),
    }
    match peers::playwright() {
        Ok(design) => designs.push(design),
        Err(error) => println!("left out: Playwright ({error:#})"),
    }
    let only = std::env::var("WEBBRAIN_BENCH_PAGES").ok();
    let bpe = tiktoken_rs::o200k_base()?;
    let count = |text: &str| {
        let part: String = text.chars().take(COUNTED_CHARS).collect();
        bpe.encode_ordinary(&part).len() as f64 * (text.len() as f64 / part.len().max(1) as f64)
    };
    let mut rows: Vec<(PageFile, Row)> = Vec::new();
    for page in pages::all()? {
        if only.as_ref().is_some_and(|o| !page.name.contains(o.as_str())) {
            continue;
        }
        let row = measure(&page, &designs, &count).with_context(|| page.name.clone())?;
        print_row(&page, &row);
        rows.push((page, row));
    }
    let details = rows.iter().map(|(page, row)| {
        let value = json!({"ms": row.ms, "tokens": row.tokens, "real": page.real, "controls": row.controls, "found": row.found});
        (page.name.clone(), value)
    });
    let details: Map<String, Value> = details.collect();
    super::report("tree", metrics(&rows), json!({ "pages": details }))
}

fn metrics(rows: &[(PageFile, Row)]) -> Map<String, Value> {
    let mut out = Map::new();
    let mut ratio = |key: &str, of: fn(&Row) -> &BTreeMap<&'static str, f64>, a: &str, b: &str| {
        let all = rows.iter().filter_map(|(_, row)| Some(of(row).get(a)? / of(row).get(b)?)).collect();
        if let Some(median) = median(all) {
            out.insert(key.to_owned(), json!((median * 1_000.0).round() / 1_000.0));
        }
    };
    ratio("wasm_vs_reference", |r| &r.ms, "wasm", "reference");
    ratio("wasm_vs_playwright", |r| &r.ms, "wasm", "playwright");
    ratio("wasm2js_vs_reference", |r| &r.ms, "wasm2js", "reference");
    ratio("wasm2js_vs_wasm", |r| &r.ms, "wasm2js", "wasm");
    ratio("cached_vs_full", |r| &r.ms, "cached", "changed_full");
    ratio("unchanged_vs_full", |r| &r.ms, "unchanged", "changed_full");
    ratio("wasm_vs_cdp", |r| &r.ms, "wasm", "cdp");
    ratio("tokens_vs_reference", |r| &r.tokens, "wasm", "reference");
    ratio("tokens_vs_playwright", |r| &r.tokens, "wasm", "playwright");
    let (found, controls) =
        rows.iter().filter(|(p, _)| p.real).fold((0, 0), |(f, c), (_, r)| (f + r.found, c + r.controls));
    if controls > 0 {
        out.insert("recall".to_owned(), json!((found as f64 / controls as f64 * 1_000.0).round() / 1_000.0));
    }
    if let Some(ms) = rows.iter().find(|(p, _)| p.name == pages::FIFTY_THOUSAND).and_then(|(_, r)| r.ms.get("first")) {
        out.insert("nodes50k_ms".to_owned(), json!(ms));
    }
    out
}

fn print_row(page: &PageFile, row: &Row) {
    let ms: Vec<String> = row.ms.iter().map(|(key, ms)| format!("{key} {ms:.1}")).collect();
    let tokens: Vec<String> = row.tokens.iter().map(|(key, n)| format!("{key} {n:.0}")).collect();
    println!(
        "{:<18} ms: {} | tokens: {} | recall {}/{}",
        page.name,
        ms.join(", "),
        tokens.join(", "),
        row.found,
        row.controls
    );
}

fn measure(page: &PageFile, designs: &[Design], count: &dyn Fn(&str) -> f64) -> Result<Row> {
    let tab = Tab::open(page)?;
    let mut row = Row::default();
    let mut worlds = Vec::new();
    for design in designs {
        let world = tab.world(design.key)?;
        tab.eval(world, &design.prepare)?;
        let first = tab.timed(world, &design.read)?;
        if design.key == "wasm" {
            row.ms.insert("first", first);
        }
        worlds.push((design, world, first > SLOW_MS, vec![first]));
    }
    for repeat in 0..REPEATS {
        for (design, world, slow, times) in &mut worlds {
            if !*slow || repeat == 0 {
                tab.eval(*world, design.forget)?;
                let time = tab.timed(*world, &design.read)?;
                if repeat == 0 {
                    times.clear();
                }
                times.push(time);
            }
        }
    }
    for (design, world, _, times) in worlds {
        row.ms.extend(median(times).map(|ms| (design.key, ms)));
        let text = tab.eval(world, design.whole.as_ref().unwrap_or(&design.read))?;
        let text = text.as_str().unwrap_or_default().to_owned();
        if std::env::var_os("WEBBRAIN_BENCH_TEXTS").is_some() {
            sh::write(&sh::path("target/bench/texts").join(format!("{}.{}.txt", page.name, design.key)), &text)?;
        }
        if design.key != "wasm2js" {
            row.tokens.insert(design.key, count(&text));
        }
        if design.key == "wasm" {
            cached(&tab, world, design, &mut row)?;
            let tree = tab.cdp("Accessibility.getFullAXTree", &json!({}))?;
            let controls = peers::controls(&tree);
            row.controls = controls.len();
            row.found = found(&controls, &text);
        }
    }
    Ok(row)
}

/// A reading when nothing changed, one after one small change, and the latter without what was kept.
fn cached(tab: &Tab, world: u64, design: &Design, row: &mut Row) -> Result<()> {
    let change = "(()=>{const p=document.body.querySelectorAll('p,td,li,button');const e=p[p.length>>1]||document.body;\
                  e.append(' x');return new Promise(r=>requestAnimationFrame(()=>setTimeout(r,0)))})()";
    let (mut unchanged, mut again, mut full) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..3 {
        tab.timed(world, &design.read)?;
        unchanged.push(tab.timed(world, &design.read)?);
        tab.eval(world, change)?;
        again.push(tab.timed(world, &design.read)?);
        tab.eval(world, change)?;
        tab.eval(world, design.forget)?;
        full.push(tab.timed(world, &design.read)?);
    }
    row.ms.extend(median(unchanged).map(|ms| ("unchanged", ms)));
    row.ms.extend(median(again).map(|ms| ("cached", ms)));
    row.ms.extend(median(full).map(|ms| ("changed_full", ms)));
    Ok(())
}

/// How many of the controls are in the text with the same role and name and a ref, each line used once.
fn found(controls: &[(String, String)], text: &str) -> usize {
    let mut lines: HashMap<(String, String), usize> = HashMap::new();
    for line in text.lines() {
        let line = line.trim_start();
        let Some((head, _)) = line.split_once(" [ref_") else { continue };
        let (role, name) = head.split_once(' ').unwrap_or((head, ""));
        let name = name.trim_matches('"').replace("\\\"", "\"");
        *lines.entry((role.to_owned(), squash(&name))).or_default() += 1;
    }
    controls
        .iter()
        .filter(|(role, name)| match lines.get_mut(&(role.clone(), squash(name))) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        })
        .count()
}

/// Names as far as they are compared: white space as one space, and as much as we show of a long one.
fn squash(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    name.trim_end_matches('…').chars().take(90).collect::<String>().trim_end().to_lowercase()
}

fn median(mut all: Vec<f64>) -> Option<f64> {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// A page in a browser of its own.
struct Tab {
    driver: Driver,
    frame: String,
}

impl Tab {
    fn open(page: &PageFile) -> Result<Self> {
        let driver = run::plain_chrome()?;
        driver.post("/url", &json!({"url": format!("file://{}", page.file.display())}))?;
        std::thread::sleep(Duration::from_millis(500));
        let mut tab = Tab { driver, frame: String::new() };
        let tree = tab.cdp("Page.getFrameTree", &json!({}))?;
        tab.frame = tree["frameTree"]["frame"]["id"].as_str().context("no frame")?.to_owned();
        Ok(tab)
    }

    fn cdp(&self, method: &str, params: &Value) -> Result<Value> {
        self.driver.post("/goog/cdp/execute", &json!({"cmd": method, "params": params}))
    }

    /// A new isolated world, as content scripts have one.
    fn world(&self, name: &str) -> Result<u64> {
        let made = self.cdp("Page.createIsolatedWorld", &json!({"frameId": self.frame, "worldName": name}))?;
        made["executionContextId"].as_u64().context("no world")
    }

    fn eval(&self, world: u64, expression: &str) -> Result<Value> {
        let params = json!({"expression": expression, "contextId": world, "awaitPromise": true, "returnByValue": true});
        let answer = self.cdp("Runtime.evaluate", &params)?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            anyhow::bail!("the script threw: {}", thrown["exception"]["description"].as_str().unwrap_or("something"));
        }
        Ok(answer["result"]["value"].clone())
    }

    /// ms of one reading, in the page.
    fn timed(&self, world: u64, read: &str) -> Result<f64> {
        let script = format!(
            "(async()=>{{await 0;const a=performance.now();const t=await ({read});const b=performance.now();\
             if(!t)throw new Error('no text');return b-a}})()"
        );
        self.eval(world, &script)?.as_f64().context("no time")
    }
}
