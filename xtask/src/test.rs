//! `test`: everything that continuous integration runs, or the named part.

use crate::{Browser, build, editors, setup, sh, tidy};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const E2E: &str = "webbrain-e2e";

/// What to test.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Everything that needs no browser and no WebAssembly build, and nothing else.
    pub host: bool,
    /// One browser's end-to-end tests, and nothing else.
    pub e2e: Option<Browser>,
    /// Part of the names of the tests to run.
    pub filter: Option<String>,
}

impl Options {
    /// Reads the words after `test`.
    pub fn parse(words: &[&str]) -> Result<Options> {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--host" => options.host = true,
                "--e2e" => options.e2e = Some(Browser::parse(words.next().context("--e2e needs chrome or firefox")?)?),
                flag if flag.starts_with('-') => bail!("unknown option {flag}"),
                name if options.filter.is_none() => options.filter = Some(name.to_owned()),
                name => bail!("one filter at a time; {name:?} is the second"),
            }
        }
        if options.host && options.e2e.is_some() {
            bail!("--host and --e2e exclude each other");
        }
        Ok(options)
    }
}

/// What happened, for the closing lines.
#[derive(Default)]
struct Report {
    lines: Vec<String>,
    failures: Vec<String>,
}

impl Report {
    /// Runs one part; a failure is noted and the next part still runs, so that one run tells everything.
    fn part(&mut self, name: &str, work: impl FnOnce() -> Result<Vec<String>>) {
        println!("\n== {name}");
        match work() {
            Ok(summary) => self.lines.extend(summary.into_iter().map(|line| format!("{name}: {line}"))),
            Err(error) => {
                println!("{name} FAILED: {error:#}");
                self.failures.push(name.to_owned());
            }
        }
    }

    fn close(self) -> Result<()> {
        println!("\n== summary");
        for line in &self.lines {
            println!("{line}");
        }
        if self.failures.is_empty() {
            return Ok(());
        }
        bail!("failed: {}", self.failures.join(", "))
    }
}

/// Runs what the options ask for.
pub fn test(options: &Options) -> Result<()> {
    let mut report = Report::default();
    if options.e2e.is_none() {
        checks(&mut report, options);
    }
    if !options.host {
        browsers(&mut report, options)?;
    }
    report.close()
}

fn checks(report: &mut Report, options: &Options) {
    let quiet = |command: &mut Command| sh::run(command).map(|()| Vec::new());
    if options.filter.is_none() {
        report.part("format", || quiet(sh::cargo().args(["fmt", "--all", "--check"])));
        report.part("tidy", || tidy::tidy().map(|()| Vec::new()));
        report.part("clippy", || {
            quiet(sh::cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
        });
    }
    report.part("host tests", || {
        let mut command = runner(options.filter.as_deref(), &["--workspace", "--exclude", E2E], None);
        Ok(run_tests(&mut command)?.lines)
    });
}

fn browsers(report: &mut Report, options: &Options) -> Result<()> {
    let browsers = options.e2e.map_or(Browser::ALL.to_vec(), |browser| vec![browser]);
    setup::for_build()?;
    for browser in &browsers {
        setup::for_browser(*browser)?;
    }
    report.part("editors", || editors::prepare().map(|()| Vec::new()));
    let mut built = false;
    report.part("build", || {
        build::build(&build::Options { browsers: Browser::ALL.to_vec(), dev: false })?;
        built = true;
        let over = build::over_limit(&build::sizes()?);
        if over.is_empty() { Ok(Vec::new()) } else { bail!("{}", over.join("; ")) }
    });
    if !built {
        return Ok(());
    }
    for browser in browsers {
        report.part(&format!("{} tests", browser.name()), || end_to_end(browser, options.filter.as_deref()));
    }
    Ok(())
}

fn end_to_end(browser: Browser, filter: Option<&str>) -> Result<Vec<String>> {
    let mut command = runner(filter, &["-p", E2E], Some(browser));
    command.env("WEBBRAIN_DIST", sh::path("dist"));
    let programs = [
        ("WEBBRAIN_CHROMIUM", setup::chromium()),
        ("WEBBRAIN_CHROMEDRIVER", setup::chromedriver()),
        ("WEBBRAIN_FIREFOX", setup::firefox()),
        ("WEBBRAIN_GECKODRIVER", setup::geckodriver()),
    ];
    for (name, program) in programs {
        if let Some(program) = program {
            command.env(name, program);
        }
    }
    let outcome = run_tests(&mut command)?;
    if outcome.ran == 0 && filter.is_none() {
        bail!("no test ran in {}", browser.name());
    }
    Ok(outcome.lines)
}

/// The test command. For a browser: its tests alone, two at a time, as many as the smallest machine has cores.
fn runner(filter: Option<&str>, packages: &[&str], browser: Option<Browser>) -> Command {
    let mut command = sh::cargo();
    let module = browser.map(|browser| format!("{}::", browser.name()));
    if setup::has_nextest() {
        command.args(["nextest", "run", "--no-fail-fast", "--no-tests=pass"]).args(packages);
        if let Some(module) = &module {
            let filter = filter.map(|filter| format!(" & test({filter})")).unwrap_or_default();
            command.args(["--test-threads=2", "-E", &format!("test(/(^|::){module}/){filter}")]);
        } else {
            command.args(filter);
        }
    } else {
        command.args(["test", "--no-fail-fast"]).args(packages).arg("--");
        // libtest takes substrings and joins them with "or": with a filter, the module can only be narrowed by the filter.
        match (&module, filter) {
            (Some(module), Some(filter)) => command.args(["--test-threads=2", &format!("{module}{filter}")]),
            (Some(module), None) => command.args(["--test-threads=2", module]),
            (None, filter) => command.args(filter),
        };
    }
    command
}

struct Outcome {
    /// The runner's own summary lines.
    lines: Vec<String>,
    ran: u64,
}

/// Runs the tests, shows what they print as it comes, and keeps the runner's summary lines.
fn run_tests(command: &mut Command) -> Result<Outcome> {
    println!("$ {}", sh::shown(command));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("cannot start cargo")?;
    let out = child.stdout.take().context("no standard output")?;
    let err = child.stderr.take().context("no standard error")?;
    let on_err = std::thread::spawn(move || relay(err));
    let mut lines = relay(out);
    lines.extend(on_err.join().unwrap_or_default());
    let status = child.wait()?;
    if !status.success() {
        for line in &lines {
            println!("{line}");
        }
        bail!("tests failed ({status})");
    }
    let ran = lines.iter().filter_map(|line| passed(line)).sum();
    Ok(Outcome { lines, ran })
}

fn relay(stream: impl std::io::Read) -> Vec<String> {
    let mut summary = Vec::new();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        println!("{line}");
        let plain = plain(&line);
        if passed(&plain).is_some() {
            summary.push(plain);
        }
    }
    summary
}

/// A line without its colours and indent.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        text.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.trim().to_owned()
}

/// The number of passed tests in a runner's summary line; none for any other line.
fn passed(line: &str) -> Option<u64> {
    if !(line.starts_with("Summary [") || line.starts_with("test result:")) {
        return None;
    }
    let (before, _) = line.split_once(" passed")?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_options() {
        let parsed = |words: &[&str]| Options::parse(words).map_err(|e| e.to_string());
        assert_eq!(parsed(&[]), Ok(Options::default()));
        let chrome = Options { e2e: Some(Browser::Chrome), filter: Some("stop".into()), ..Options::default() };
        assert_eq!(parsed(&["--e2e", "chrome", "stop"]), Ok(chrome));
        assert!(parsed(&["--host", "--e2e", "firefox"]).is_err());
        assert!(parsed(&["--e2e"]).is_err());
        assert!(parsed(&["--hots"]).is_err());
    }

    #[test]
    fn summary_lines_of_both_runners_are_counted() {
        let nextest =
            plain("\u{1b}[32;1m     Summary\u{1b}[0m [  12.3s] 41 tests run: \u{1b}[1m41\u{1b}[0m passed, 0 skipped");
        assert_eq!(passed(&nextest), Some(41));
        assert_eq!(passed("Summary [ 1.0s] 0 tests run: 0 passed, 9 skipped"), Some(0));
        assert_eq!(passed("test result: ok. 7 passed; 0 failed; 0 ignored"), Some(7));
        assert_eq!(passed("PASS [ 0.1s] crate tests::one"), None);
    }
}
