//! `run`: builds, and opens the browser with the extension on the demo page.

use crate::webdriver::Driver;
use crate::{Browser, build, demo, setup, sh};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::process::Command;
use std::time::Duration;

const FIRST_TASK: &str =
    "click Add a product then type namaz into Name then type 500 into Price then click Save product";
const ADDON_ID: &str = "webbrain@webbrain.rs";

/// Builds for the browser and opens it; with `headless` it only checks that the extension loads there.
pub fn run(browser: Browser, headless: bool) -> Result<()> {
    let display = std::env::var_os("DISPLAY").or_else(|| std::env::var_os("WAYLAND_DISPLAY"));
    let needs_display = cfg!(target_os = "linux") && display.is_none();
    if needs_display && !headless {
        bail!(
            "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set). On a machine without a screen, \
             `cargo xtask run {} --headless` starts the browser unseen and checks that the extension works in it",
            browser.name()
        );
    }
    setup::for_build()?;
    setup::for_browser(browser)?;
    build::build(&build::Options { browsers: vec![browser], dev: true })?;
    let page = demo::serve()?;
    match (browser, headless) {
        (Browser::Chrome, false) => chrome(&page),
        (Browser::Firefox, false) => firefox(&page),
        (_, true) => check(browser, &page),
    }
}

fn chrome(page: &str) -> Result<()> {
    let profile = fresh_profile("chrome")?;
    let program = setup::chromium().context("no Chromium")?;
    println!("Chromium opens on {page}");
    println!("Open the side panel: click the WebBrain icon (under the puzzle piece), or press Alt+Shift+W.");
    println!("Press Act in the panel, then type: {FIRST_TASK}");
    let mut command = Command::new(program);
    command.args(["--no-first-run", "--no-default-browser-check"]);
    command.arg(format!("--user-data-dir={profile}"));
    command.arg(format!("--load-extension={}", sh::path("dist/chrome").display()));
    if is_root() {
        command.arg("--no-sandbox");
    }
    sh::run(command.arg(page))
}

fn firefox(page: &str) -> Result<()> {
    let driver = firefox_session(false)?;
    driver.post("/url", &json!({"url": page}))?;
    println!("Firefox opens on {page}");
    if open_sidebar(&driver).is_err() {
        println!("Open the sidebar: click the WebBrain icon, or press Alt+Shift+W.");
    }
    println!("Press Act in the panel, then type: {FIRST_TASK}");
    println!("Close the window to end.");
    while driver.get("/window/handles").is_ok_and(|open| open.as_array().is_some_and(|list| !list.is_empty())) {
        std::thread::sleep(Duration::from_secs(1));
    }
    Ok(())
}

fn open_sidebar(driver: &Driver) -> Result<()> {
    driver.post("/moz/context", &json!({"context": "chrome"}))?;
    let id = format!("{}-sidebar-action", ADDON_ID.replace(['@', '.'], "_"));
    let shown = driver.post("/execute/sync", &json!({"script": "SidebarController.show(arguments[0])", "args": [id]}));
    driver.post("/moz/context", &json!({"context": "content"}))?;
    shown.map(drop)
}

/// Opens the demo page and the extension's settings page in an unseen browser.
fn check(browser: Browser, page: &str) -> Result<()> {
    let (driver, settings) = match browser {
        Browser::Chrome => {
            let driver = chrome_session()?;
            let id = chrome_extension_id(&driver)?;
            (driver, format!("chrome-extension://{id}/settings.html"))
        }
        Browser::Firefox => {
            let driver = firefox_session(true)?;
            (driver, format!("moz-extension://{FIREFOX_HOST}/settings.html"))
        }
    };
    driver.post("/url", &json!({"url": page}))?;
    let demo = driver.get("/title")?;
    driver.post("/url", &json!({"url": settings}))?;
    let script = "return document.querySelector('[data-testid=setting-ask]') ? document.title : null";
    for _ in 0..100 {
        let title = driver.post("/execute/sync", &json!({"script": script, "args": []}))?;
        if let (Some(demo), Some(title)) = (demo.as_str(), title.as_str()) {
            println!("{}: the demo page ({demo}) and the extension ({title}) work", browser.name());
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    bail!("the extension's settings page does not come up in {}", browser.name())
}

fn chrome_session() -> Result<Driver> {
    chrome_driver("chrome-headless", vec![format!("--load-extension={}", sh::path("dist/chrome").display())])
}

/// A headless Chromium without the extension.
pub fn plain_chrome() -> Result<Driver> {
    chrome_driver("chrome-plain", vec!["--allow-file-access-from-files".to_owned()])
}

fn chrome_driver(name: &str, more: Vec<String>) -> Result<Driver> {
    let profile = fresh_profile(name)?;
    let mut args = vec![
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--disable-background-networking".to_owned(),
        "--no-first-run".to_owned(),
        format!("--user-data-dir={profile}"),
    ];
    args.extend(more);
    let options = json!({"binary": setup::chromium().context("no Chromium")?, "args": args});
    Driver::start(
        &setup::chromedriver().context("no chromedriver")?,
        &json!({"browserName": "chrome", "goog:chromeOptions": options}),
    )
}

fn chrome_extension_id(driver: &Driver) -> Result<String> {
    for _ in 0..100 {
        let found = driver.post("/goog/cdp/execute", &json!({"cmd": "Target.getTargets", "params": {}}))?;
        let targets = found["targetInfos"].as_array().cloned().unwrap_or_default();
        let id = targets
            .iter()
            .filter(|t| t["type"] == "service_worker")
            .find_map(|t| t["url"].as_str()?.strip_prefix("chrome-extension://")?.split('/').next().map(str::to_owned));
        if let Some(id) = id {
            return Ok(id);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    bail!("Chromium did not load the extension")
}

/// The host of the add-on's pages; Firefox would make up a random one.
const FIREFOX_HOST: &str = "c1f4a6a2-5f0e-4a3e-9a55-6f3d2f0f7b11";

fn firefox_session(headless: bool) -> Result<Driver> {
    let mut args = vec!["-remote-allow-system-access"];
    if headless {
        args.push("-headless");
    }
    let hosts = json!({ADDON_ID: FIREFOX_HOST}).to_string();
    let prefs: Value = json!({"extensions.webextensions.uuids": hosts, "browser.aboutwelcome.enabled": false});
    let options = json!({"binary": setup::firefox().context("no Firefox")?, "args": args, "prefs": prefs});
    let driver = Driver::start(
        &setup::geckodriver().context("no geckodriver")?,
        &json!({"browserName": "firefox", "moz:firefoxOptions": options}),
    )?;
    driver.post("/moz/addon/install", &json!({"path": sh::path("dist/firefox"), "temporary": true}))?;
    Ok(driver)
}

/// An empty profile folder under `target/`, so that the user's own profile is not touched.
fn fresh_profile(name: &str) -> Result<String> {
    let folder = sh::path("target/run").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("{} is in use", folder.display()))?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder.display().to_string())
}

fn is_root() -> bool {
    sh::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
