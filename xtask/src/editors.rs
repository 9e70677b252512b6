//! The editors that the end-to-end tests write in: from npm, bundled into `target/editors`. Nothing of them is part of the
//! extension.

use crate::sh;
use anyhow::{Context, Result};

const FROM: &str = "tests/editors";
const TO: &str = "target/editors";

/// Installs and bundles what is missing or older than `tests/editors`.
pub fn prepare() -> Result<()> {
    let (from, to) = (sh::path(FROM), sh::path(TO));
    let lock = sh::read(&from.join("package-lock.json"))?;
    let mut recipe = lock.clone();
    let sources = sh::files_below(&from.join("src"))?;
    for source in &sources {
        recipe.push_str(&sh::read(source)?);
    }
    let stamp = to.join("bundled-from.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|bundled| bundled == recipe) {
        return Ok(());
    }
    let installed = to.join("installed-lock.json");
    if !std::fs::read_to_string(&installed).is_ok_and(|there| there == lock) {
        for file in ["package.json", "package-lock.json"] {
            sh::write(&to.join(file), sh::read(&from.join(file))?)?;
        }
        let mut npm = sh::command("npm");
        sh::run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&to))?;
        sh::write(&installed, &lock)?;
    }
    // Beside what they import.
    let mut esbuild = sh::command("node");
    esbuild.arg("node_modules/esbuild/bin/esbuild").current_dir(&to);
    for source in &sources {
        let name = source.file_name().context("a source has a name")?;
        sh::write(&to.join("src").join(name), sh::read(source)?)?;
        esbuild.arg(std::path::Path::new("src").join(name));
    }
    esbuild.args(["--bundle", "--minify", "--format=iife", "--outdir=bundles", "--log-level=warning"]);
    esbuild.args(["--loader:.ttf=dataurl", "--loader:.svg=dataurl", "--define:global=window"]);
    esbuild.arg("--define:process.env.NODE_ENV=\"production\"");
    sh::run(&mut esbuild)?;
    // Last, so that what was interrupted is done again.
    sh::write(&stamp, recipe)?;
    println!("setup: bundled the editors of the tests into {TO}");
    Ok(())
}
