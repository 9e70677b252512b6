//! Firefox through geckodriver.

use crate::driver::{Options, Started};
use crate::process::DriverProcess;
use crate::{Error, ModelServer, Result, config};
use axum::http::Method;
use serde_json::{Value, json};
use std::path::Path;
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::extensions::addons::firefox::FirefoxTools;
use thirtyfour::{Capabilities, RequestData, SessionId, WebDriver};

/// The add-on's id, as the contract names it.
pub const ADDON_ID: &str = "webbrain@webbrain.rs";
/// The host of its pages in the tests; Firefox would make up a random one.
const UUID: &str = "5b8b4a7e-3c1d-4c60-9a57-2d3f6a1e9c04";

/// Starts geckodriver and Firefox with the extension.
///
/// # Errors
/// When a program is missing or does not come up.
pub async fn start(_options: &Options) -> Result<Started> {
    let extension = config::extension("firefox")?;
    let browser = config::program("WEBBRAIN_FIREFOX", &["/usr/bin/firefox-esr", "firefox-esr", "firefox"])?;
    let driver = config::program("WEBBRAIN_GECKODRIVER", &["geckodriver"])?;
    let process = start_driver(&driver).await?;
    let mut args = vec!["-remote-allow-system-access"];
    if !config::headed() {
        args.push("-headless");
    }
    let uuids = json!({ADDON_ID: UUID}).to_string();
    let prefs = json!({
        "extensions.webextensions.uuids": uuids,
        "browser.shell.checkDefaultBrowser": false,
        "browser.aboutwelcome.enabled": false,
        "datareporting.policy.dataSubmissionEnabled": false,
        "app.update.disabledForTesting": true,
        "intl.accept_languages": "en-US",
        "devtools.console.stdout.content": true,
    });
    let mut caps = Capabilities::new();
    caps.set("browserName", "firefox")?;
    caps.set("moz:firefoxOptions", json!({"binary": browser, "args": args, "prefs": prefs}))?;
    let driver = WebDriver::new(process.url(), caps).await?;
    let path = extension.to_str().ok_or_else(|| Error::Unexpected("the path of the extension is not UTF-8".into()))?;
    FirefoxTools::new(driver.handle().clone()).install_addon(path, Some(true)).await?;
    Ok(Started { driver, base: format!("moz-extension://{UUID}"), process })
}

/// geckodriver takes requests only for the port that it was told, so it cannot choose one. Another process may take the
/// port in between: then the next one.
async fn start_driver(driver: &Path) -> Result<DriverProcess> {
    let mut tries = 0;
    loop {
        let port = ModelServer::unused_port().await?.to_string();
        let args = |folder: &Path| {
            let folder = folder.display().to_string();
            ["--port", &port, "--websocket-port", "0", "--profile-root", &folder].map(str::to_owned).into()
        };
        match DriverProcess::start(driver, args, "Listening on 127.0.0.1:").await {
            Err(Error::Unexpected(_)) if tries < 3 => tries += 1,
            other => return other,
        }
    }
}

/// geckodriver's `/moz/context`: commands go to the browser's own window or to the pages.
#[derive(Debug)]
pub struct SetContext(pub &'static str);

impl FormatRequestData for SetContext {
    fn format_request(&self, session_id: &SessionId) -> RequestData {
        let body: Value = json!({"context": self.0});
        RequestData::new(Method::POST, format!("/session/{session_id}/moz/context")).add_body(body)
    }
}
