//! Where things are, from the environment.
//!
//! | variable | default |
//! | --- | --- |
//! | `WEBBRAIN_DIST` | `dist` in the project's root; holds `chrome/` and `firefox/` |
//! | `WEBBRAIN_CHROMIUM`, `WEBBRAIN_CHROMEDRIVER` | `/usr/bin/chromium`, `/usr/bin/chromedriver`, else from `PATH` |
//! | `WEBBRAIN_FIREFOX`, `WEBBRAIN_GECKODRIVER` | `/usr/bin/firefox-esr`, else from `PATH`; geckodriver also from `target/tools` |
//! | `WEBBRAIN_E2E_PATIENCE` | seconds before a condition counts as never coming, 90 |
//! | `WEBBRAIN_E2E_HEADED` | `1` shows the browsers |

use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The project's root folder.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_path_buf()
}

/// Folder of fixture pages.
pub fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pages")
}

/// Folder of corpus pages.
pub fn corpus_pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/pages")
}

/// Folder of the bundled editors; `cargo xtask test` and `setup` make it.
pub fn editors() -> PathBuf {
    root().join("target/editors/bundles")
}

/// How long a condition may take to come about. Generous: a loaded machine must not fail a test.
pub fn patience() -> Duration {
    let seconds = std::env::var("WEBBRAIN_E2E_PATIENCE").ok().and_then(|s| s.parse().ok()).unwrap_or(90);
    Duration::from_secs(seconds)
}

/// Whether to show the browsers.
pub fn headed() -> bool {
    std::env::var("WEBBRAIN_E2E_HEADED").is_ok_and(|v| v == "1")
}

/// The unpacked extension for a browser: `chrome` or `firefox`.
///
/// # Errors
/// [`Error::Missing`] when it has not been built.
pub fn extension(name: &str) -> Result<PathBuf> {
    let dist = std::env::var_os("WEBBRAIN_DIST").map_or_else(|| root().join("dist"), PathBuf::from);
    let folder = dist.join(name);
    if folder.join("manifest.json").is_file() {
        Ok(std::path::absolute(folder)?)
    } else {
        Err(Error::Missing {
            what: format!("the built extension ({})", folder.display()),
            hint: "run `cargo xtask build`, or set WEBBRAIN_DIST".into(),
        })
    }
}

/// A program: from its variable, the usual places, `PATH`, or `target/tools`.
///
/// # Errors
/// [`Error::Missing`] with the name of the variable.
pub fn program(variable: &str, usual: &[&str]) -> Result<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Ok(PathBuf::from(path));
    }
    let on_path = |name: &str| {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).map(|dir| dir.join(name)).find(|p| p.is_file())
    };
    for place in usual {
        let found =
            if place.contains('/') { Some(PathBuf::from(place)).filter(|p| p.is_file()) } else { on_path(place) };
        if let Some(path) = found.or_else(|| in_tools(place)) {
            return Ok(path);
        }
    }
    Err(Error::Missing {
        what: usual.join(" or "),
        hint: format!("run `cargo xtask setup`, or set {variable} to its path"),
    })
}

fn in_tools(name: &str) -> Option<PathBuf> {
    let mut folders = vec![(root().join("target/tools"), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let path = entry.path();
            let file = entry.file_name();
            if path.is_file() && (file == name || file == format!("{name}_linux64").as_str()) {
                return Some(path);
            }
            if path.is_dir() && depth < 4 && file != "node_modules" {
                folders.push((path, depth + 1));
            }
        }
    }
    None
}
