//! The build tool: `cargo xtask COMMAND`. What each command does is in the text that `cargo xtask help` prints.
#![allow(clippy::print_stdout, reason = "a command-line tool talks on its standard output")]

mod bench;
mod build;
mod bundle;
mod demo;
mod editors;
mod manifest;
mod names;
mod package;
mod run;
mod setup;
mod sh;
mod test;
mod tidy;
mod toolchain;
mod wasm2js;
mod webdriver;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  setup                                         install what is missing, and say what was done
  build [chrome|firefox] [--dev]                dist/chrome and dist/firefox, ready to be loaded unpacked
  run chrome|firefox [--headless]               build, then open the browser with the extension on the demo page
  test [--host] [--e2e chrome|firefox] [FILTER] everything, or the named part
  bench [size|prompt|tree]                      print a table and write target/bench/NAME.json
  package                                       dist/packages/*.zip and *.xpi, bit-identical when run twice
  tidy                                          the project's own style rules

The other commands call setup for what they need.";

/// A browser that WebBrain is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    /// Chromium and its kin: Manifest V3.
    Chrome,
    /// Firefox: Manifest V2.
    Firefox,
}

impl Browser {
    /// Both, in the order in which they are built and tested.
    pub const ALL: [Browser; 2] = [Browser::Chrome, Browser::Firefox];

    /// The name on the command line and of the folder in `dist/`.
    pub fn name(self) -> &'static str {
        match self {
            Browser::Chrome => "chrome",
            Browser::Firefox => "firefox",
        }
    }

    fn parse(word: &str) -> Result<Browser> {
        match Browser::ALL.into_iter().find(|b| b.name() == word) {
            Some(browser) => Ok(browser),
            None => bail!("unknown browser {word:?}: say chrome or firefox"),
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["setup"] => setup::all(),
        ["build", rest @ ..] => {
            let options = build_options(rest)?;
            setup::for_build()?;
            build::build(&options)
        }
        ["run", rest @ ..] => {
            let (headless, names) = take_flag(rest, "--headless");
            match names.as_slice() {
                [name] => run::run(Browser::parse(name)?, headless),
                _ => bail!("usage: cargo xtask run chrome|firefox [--headless]"),
            }
        }
        ["test", rest @ ..] => test::test(&test::Options::parse(rest)?),
        ["bench", names @ ..] => bench::bench(names),
        ["package"] => package::package(),
        ["tidy"] => tidy::tidy(),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => bail!("unknown command\n\n{HELP}"),
    }
}

fn build_options(words: &[&str]) -> Result<build::Options> {
    let (dev, names) = take_flag(words, "--dev");
    let browsers = match names.as_slice() {
        [] => Browser::ALL.to_vec(),
        names => names.iter().map(|name| Browser::parse(name)).collect::<Result<_>>()?,
    };
    Ok(build::Options { browsers, dev })
}

/// Whether `flag` is among the words, and the other words.
pub fn take_flag<'a>(words: &[&'a str], flag: &str) -> (bool, Vec<&'a str>) {
    let rest: Vec<&str> = words.iter().copied().filter(|w| *w != flag).collect();
    (rest.len() < words.len(), rest)
}
