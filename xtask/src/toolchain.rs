//! Which Rust toolchain compiles to WebAssembly on this machine.

use crate::sh;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that everything in the browser is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src/rust/library/Cargo.toml";

/// A panic is a trap: its message, its place and every `Debug` text are left out. Measured: the content script loses a tenth.
const SMALL: &str = " -Zlocation-detail=none -Zfmt-debug=none -Zunstable-options -Cpanic=immediate-abort";

/// What the machine code may use. Each has its own target folder, so that builds do not wait for each other's lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// What the target allows by default.
    Default,
    /// The first WebAssembly: what wasm2js turns into JavaScript.
    Mvp,
}

impl Cpu {
    /// The target folder.
    pub fn target_dir(self) -> PathBuf {
        sh::path(match self {
            Cpu::Default => "target/wasm",
            Cpu::Mvp => "target/wasm-mvp",
        })
    }
}

/// A way to compile to WebAssembly. The standard library is compiled too: the ready-made one uses more than the first WebAssembly
/// has, so that wasm-bindgen makes nothing for wasm2js of it, and it carries the words of its panics.
#[derive(Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The toolchain in use has the target and the library's sources, as rustup installs them.
    Rustup,
    /// Debian's `rustc-web` with its library sources; the linker's name carries a version.
    Debian {
        /// Such as `wasm-ld-22`.
        linker: String,
    },
}

impl Toolchain {
    /// What this machine has, if anything.
    pub fn find() -> Option<Toolchain> {
        if has_sources() { Some(Toolchain::Rustup) } else { debian() }
    }

    /// What this machine has; the error names the remedies.
    pub fn need() -> Result<Toolchain> {
        match Toolchain::find() {
            Some(toolchain) => Ok(toolchain),
            None => bail!(
                "no Rust toolchain here can compile to WebAssembly. Either `rustup target add {TARGET}` and \
                 `rustup component add rust-src`, or on Debian and Ubuntu install rustc-web, cargo-web, rust-web-src and lld"
            ),
        }
    }

    /// `cargo build` for the target, in release mode, without packages named yet.
    pub fn cargo_build(&self, cpu: Cpu) -> Command {
        let mut command = match self {
            Toolchain::Rustup => sh::cargo(),
            Toolchain::Debian { linker } => {
                let mut command = sh::command("/usr/bin/cargo");
                // The outer `cargo run` points at its own toolchain through these; Debian's cargo would follow them.
                for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC", "LD_LIBRARY_PATH"] {
                    command.env_remove(name);
                }
                command.env("PATH", "/usr/bin:/bin");
                command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
                command
            }
        };
        command.args(["build", "--release", "--target", TARGET]);
        command.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("CARGO_TARGET_DIR", cpu.target_dir()).env("RUSTFLAGS", rustflags(cpu) + SMALL);
        command
    }
}

/// Panic messages carry source paths: without this the shipped bytes would depend on, and tell, where the builder lives.
fn rustflags(cpu: Cpu) -> String {
    let root = sh::root();
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let cargo = home.map(|home| format!(" --remap-path-prefix={}=cargo", home.display())).unwrap_or_default();
    let cpu = if cpu == Cpu::Mvp { " -Ctarget-cpu=mvp" } else { "" };
    format!("--remap-path-prefix={}=.{cargo}{cpu}", root.display())
}

fn has_sources() -> bool {
    let printed = sh::output(sh::command("rustc").args(["--print", "sysroot"]));
    let Ok(sysroot) = printed else { return false };
    Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/Cargo.toml").exists()
}

fn debian() -> Option<Toolchain> {
    let there = |file: &str| Path::new(file).exists();
    if !(there("/usr/bin/rustc") && there("/usr/bin/cargo") && there(DEBIAN_SOURCES)) {
        return None;
    }
    debian_linker().map(|linker| Toolchain::Debian { linker })
}

/// The newest `wasm-ld-N` in `/usr/bin`.
pub fn debian_linker() -> Option<String> {
    let names = std::fs::read_dir("/usr/bin").ok()?.flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    newest(names, "wasm-ld-").map(|version| format!("wasm-ld-{version}"))
}

/// The largest N among names of the form `PREFIX` + N.
pub fn newest(names: impl Iterator<Item = String>, prefix: &str) -> Option<u32> {
    names.filter_map(|name| name.strip_prefix(prefix)?.parse().ok()).max()
}

#[cfg(test)]
mod tests {
    use super::newest;

    #[test]
    fn the_newest_linker_is_chosen_by_number() {
        let names = ["lld-9", "lld-22", "lld-22-dbg", "llvm-30"].map(str::to_owned);
        assert_eq!(newest(names.into_iter(), "lld-"), Some(22));
        assert_eq!(newest(std::iter::empty(), "lld-"), None);
    }
}
