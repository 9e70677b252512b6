//! Chromium through chromedriver.

use crate::driver::{Options, Started};
use crate::process::DriverProcess;
use crate::wait::{Seen, until};
use crate::{Error, Result, config};
use serde_json::json;
use std::path::Path;
use thirtyfour::{Capabilities, WebDriver};

/// Starts chromedriver and Chromium with the extension.
///
/// # Errors
/// When a program is missing or does not come up.
pub async fn start(options: &Options) -> Result<Started> {
    let extension = config::extension("chrome")?;
    let browser = config::program("WEBBRAIN_CHROMIUM", &["/usr/bin/chromium", "chromium", "google-chrome"])?;
    let driver = config::program("WEBBRAIN_CHROMEDRIVER", &["/usr/bin/chromedriver", "chromedriver"])?;
    let process = start_driver(&driver).await?;
    let profile = process.folder().join("profile");
    let mut args: Vec<String> = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
        // The page lies beside the panel in real use: both are seen.
        "--disable-backgrounding-occluded-windows",
        "--enable-logging=stderr",
        "--lang=en-US",
        "--window-size=1000,760",
    ]
    .map(str::to_owned)
    .into();
    if !config::headed() {
        args.push("--headless=new".into());
    }
    args.push(format!("--user-data-dir={}", profile.display()));
    args.push(format!("--load-extension={}", extension.display()));
    let mut chrome = json!({"binary": browser, "args": args});
    if options.extension_targets {
        chrome["enableExtensionTargets"] = true.into();
    }
    let mut caps = Capabilities::new();
    caps.set("browserName", "chrome")?;
    caps.set("goog:chromeOptions", chrome)?;
    caps.set("goog:loggingPrefs", json!({"browser": "ALL"}))?;
    let driver = WebDriver::new(process.url(), caps).await?;
    let base = extension_base(&driver).await?;
    Ok(Started { driver, base, process })
}

/// chromedriver chooses a port for IPv6 and wants the same one for IPv4, where another process may have it: then again.
async fn start_driver(driver: &Path) -> Result<DriverProcess> {
    let mut tries = 0;
    loop {
        let args = |_: &Path| vec!["--port=0".into(), "--enable-chrome-logs".into()];
        match DriverProcess::start(driver, args, "started successfully on port ").await {
            Err(Error::Unexpected(_)) if tries < 3 => tries += 1,
            other => return other,
        }
    }
}

/// `chrome-extension://ID`: that of the only extension with a worker.
async fn extension_base(driver: &WebDriver) -> Result<String> {
    until("the extension's service worker", async || {
        let targets = driver.cdp().send_raw("Target.getTargets", json!({})).await?;
        let list = targets["targetInfos"].as_array().cloned().unwrap_or_default();
        let urls = list.iter().filter(|t| t["type"] == "service_worker").filter_map(|t| t["url"].as_str());
        let id = urls.filter_map(|u| u.strip_prefix("chrome-extension://")).filter_map(|u| u.split('/').next()).next();
        Ok(id.map_or_else(|| Seen::NotYet(targets.to_string()), |id| Seen::Ready(format!("chrome-extension://{id}"))))
    })
    .await
}
