//! `package`: the archives for the stores and the source archive that builds them. The same input gives the same bytes: entries are
//! sorted, times and modes are fixed.

use crate::{Browser, build, manifest, setup, sh};
use anyhow::{Context, Result};
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Builds in release mode and writes `dist/packages/`.
pub fn package() -> Result<()> {
    setup::for_build()?;
    build::build(&build::Options { browsers: Browser::ALL.to_vec(), dev: false })?;
    let version = manifest::version();
    for (browser, ending) in [(Browser::Chrome, "zip"), (Browser::Firefox, "xpi")] {
        let name = format!("webbrain-{}-{version}.{ending}", browser.name());
        write(&name, extension(browser)?)?;
    }
    write(&format!("webbrain-source-{version}.zip"), source()?)
}

fn write(name: &str, mut entries: Vec<(String, Vec<u8>)>) -> Result<()> {
    entries.sort();
    let bytes = archive(&entries)?;
    let file = sh::path("dist/packages").join(name);
    sh::write(&file, &bytes)?;
    println!("{} ({} files, {} bytes)", file.display(), entries.len(), bytes.len());
    Ok(())
}

fn extension(browser: Browser) -> Result<Vec<(String, Vec<u8>)>> {
    let dist = sh::path("dist").join(browser.name());
    let mut entries = Vec::new();
    for file in sh::files_below(&dist)? {
        let name = entry_name(file.strip_prefix(&dist)?);
        let bytes = if name == "manifest.json" {
            manifest::make(browser, manifest::Channel::Store)?.into_bytes()
        } else {
            std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?
        };
        entries.push((name, bytes));
    }
    Ok(entries)
}

/// The tracked files as they are in the work tree.
fn source() -> Result<Vec<(String, Vec<u8>)>> {
    let listed = sh::output(sh::command("git").args(["ls-files", "-z"]))?;
    let mut entries = Vec::new();
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let file = sh::path(name);
        // A file that was removed but not yet committed as such.
        if file.is_file() {
            entries.push((name.to_owned(), std::fs::read(&file).with_context(|| format!("cannot read {name}"))?));
        }
    }
    Ok(entries)
}

fn entry_name(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn archive(entries: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        let runs = name == ".ci/run";
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(if runs { 0o755 } else { 0o644 });
        zip.start_file(name.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::archive;

    #[test]
    fn the_same_entries_give_the_same_bytes() {
        let entries = [("a.txt".to_owned(), b"one".to_vec()), ("b/c.txt".to_owned(), vec![7; 10_000])];
        let first = archive(&entries).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2100)); // zip times count in steps of two seconds
        assert_eq!(first, archive(&entries).unwrap());
    }
}
