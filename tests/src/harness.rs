//! Runs one test in one browser, and keeps what is needed to understand a failure.

use crate::driver::Options;
use crate::{Browser, Error, Result, Session, artefacts};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;

/// Starts a browser, runs the test, checks the model scripts, ends the browser.
///
/// # Panics
/// When the test fails; the message names the folder with the artefacts.
pub async fn run(browser: Browser, name: &str, test: impl AsyncFnOnce(&Session) -> Result<()>) {
    run_with(browser, &Options::default(), name, test).await;
}

/// [`run`] with options.
///
/// # Panics
/// As [`run`].
pub async fn run_with(browser: Browser, options: &Options, name: &str, test: impl AsyncFnOnce(&Session) -> Result<()>) {
    let session = match Session::start_with(browser, options).await {
        Ok(session) => session,
        Err(error) => panic!("{name}: the browser did not start: {error}"),
    };
    let outcome = AssertUnwindSafe(test(&session)).catch_unwind().await;
    let verdict = verdict(&session, outcome);
    let kept = match &verdict {
        Ok(()) => None,
        Err(_) => Some(artefacts::save(&session, name).await),
    };
    // The processes end with the session whether the driver answers or not.
    let _ = session.quit().await;
    if let Err(problem) = verdict {
        let place = match kept {
            Some(Ok(folder)) => folder.display().to_string(),
            Some(Err(error)) => format!("nowhere: {error}"),
            None => String::new(),
        };
        panic!("{name} failed: {problem}\nscreenshots, storage and requests are in {place}");
    }
}

fn verdict(session: &Session, outcome: std::thread::Result<Result<()>>) -> Result<(), String> {
    let result = match outcome {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(panic) => Err(words_of(panic.as_ref())),
    };
    let scripts: Vec<String> =
        session.models().iter().filter_map(|m| m.finish().err()).map(|e: Error| e.to_string()).collect();
    match (result, scripts.is_empty()) {
        (Ok(()), true) => Ok(()),
        (Ok(()), false) => Err(scripts.join("\n")),
        (Err(problem), true) => Err(problem),
        // What the script saw usually explains what the test saw.
        (Err(problem), false) => Err(format!("{problem}\n{}", scripts.join("\n"))),
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_owned()
}

/// Makes tests that run in both browsers: `chrome::NAME` and `firefox::NAME`. Once per module.
#[macro_export]
macro_rules! both {
    ($(#[doc = $doc:literal])* $(async fn $name:ident($session:ident: &Session) -> Result<()> $body:block)+) => {
        $(async fn $name($session: &$crate::Session) -> $crate::Result<()> $body)+
        mod chrome {
            $($crate::browser_test!(Chrome, $name);)+
        }
        mod firefox {
            $($crate::browser_test!(Firefox, $name);)+
        }
    };
}

/// Makes tests that run in one browser only, because the other has not what they test.
#[macro_export]
macro_rules! only {
    ($module:ident, $browser:ident, $(async fn $name:ident($session:ident: &Session) -> Result<()> $body:block)+) => {
        $(async fn $name($session: &$crate::Session) -> $crate::Result<()> $body)+
        mod $module {
            $($crate::browser_test!($browser, $name);)+
        }
    };
}

/// One test function in one browser.
#[macro_export]
macro_rules! browser_test {
    ($browser:ident, $name:ident) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let name = concat!(module_path!(), "::", stringify!($name));
            $crate::harness::run($crate::Browser::$browser, name, super::$name).await;
        }
    };
}
