//! `bench`: figures, as a table and as JSON in `target/bench/`.

mod pages;
mod peers;
mod tree;

use crate::{Browser, build, setup, sh};
use anyhow::{Result, bail};
use serde_json::{Map, Value, json};
use webbrain_protocol::mode::{Mode, Tier};

const NAMES: [&str; 3] = ["size", "prompt", "tree"];

/// Runs the named benchmarks, or all.
pub fn bench(names: &[&str]) -> Result<()> {
    let names = if names.is_empty() { NAMES.as_slice() } else { names };
    for name in names {
        match *name {
            "size" => size()?,
            "prompt" => prompt()?,
            "tree" => tree::tree()?,
            other => bail!("unknown benchmark {other:?}; there are {}", NAMES.join(", ")),
        }
    }
    Ok(())
}

/// Bytes of what ships, from a release build.
fn size() -> Result<()> {
    setup::for_build()?;
    build::build(&build::Options { browsers: Browser::ALL.to_vec(), dev: false })?;
    let sizes = build::sizes()?;
    let metrics = sizes.iter().map(|s| (format!("{}_bytes", s.name), json!(s.bytes))).collect();
    let limits: Map<String, Value> =
        sizes.iter().filter_map(|s| Some((format!("{}_bytes", s.name), json!(s.limit?)))).collect();
    report("size", metrics, json!({ "limits": limits }))
}

/// Tokens (o200k) that every request carries before a word of the user.
fn prompt() -> Result<()> {
    let bpe = tiktoken_rs::o200k_base()?;
    let rows = [
        ("ask_tokens", Mode::Ask, Tier::Full),
        ("compact_tokens", Mode::Act, Tier::Compact),
        ("mid_tokens", Mode::Act, Tier::Mid),
        ("full_tokens", Mode::Act, Tier::Full),
        ("dev_tokens", Mode::Dev, Tier::Full),
    ];
    let count = |mode, tier| bpe.encode_ordinary(&webbrain_core::prompt::fixed_cost_text(mode, tier)).len();
    let metrics = rows.into_iter().map(|(key, mode, tier)| (key.to_owned(), json!(count(mode, tier)))).collect();
    report("prompt", metrics, json!({ "tokenizer": "o200k" }))
}

fn report(name: &str, metrics: Map<String, Value>, details: Value) -> Result<()> {
    println!("{name}");
    for (key, value) in &metrics {
        println!("  {key:<20} {value:>10}");
    }
    let mut record = json!({ "bench": name, "metrics": metrics });
    if let (Some(record), Some(details)) = (record.as_object_mut(), details.as_object()) {
        record.extend(details.clone());
    }
    let file = sh::path(&format!("target/bench/{name}.json"));
    sh::write(&file, serde_json::to_string_pretty(&record)? + "\n")
}
