//! One API for both browsers: a [`Session`] with the extension, its tabs, its panels and its storage.

use crate::panel::Panel;
use crate::process::DriverProcess;
use crate::wait::{Seen, until};
use crate::{Error, FixtureServer, ModelServer, Origin, Result, Turn, chrome, firefox};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thirtyfour::{TimeoutConfiguration, WebDriver, WindowHandle};
use webbrain_protocol::permission::{Action, Capability, Decision, Grant};

/// The key that tests give to providers. It must be seen nowhere but in the header.
pub const API_KEY: &str = "test-key-93f1c0";

/// Which browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    /// Chromium.
    Chrome,
    /// Firefox.
    Firefox,
}

/// How to start.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Chrome: the real side panel appears as a window.
    pub extension_targets: bool,
}

/// What the start of a browser gives.
pub struct Started {
    /// WebDriver.
    pub driver: WebDriver,
    /// Origin of the extension's pages.
    pub base: String,
    /// The driver process.
    pub process: DriverProcess,
}

/// A browser with the extension installed, a fixture server, and an extension page ("home") from which the extension's
/// APIs are called.
pub struct Session {
    /// The browser.
    pub browser: Browser,
    /// Pages.
    pub fixtures: FixtureServer,
    pub(crate) driver: WebDriver,
    base: String,
    home: WindowHandle,
    models: Mutex<Vec<Arc<ModelServer>>>,
    process: DriverProcess,
}

impl Session {
    /// Starts a browser.
    ///
    /// # Errors
    /// When something is missing or does not come up.
    pub async fn start(browser: Browser) -> Result<Self> {
        Self::start_with(browser, &Options::default()).await
    }

    /// Starts a browser with options.
    ///
    /// # Errors
    /// When something is missing or does not come up.
    pub async fn start_with(browser: Browser, options: &Options) -> Result<Self> {
        let fixtures = FixtureServer::start().await?;
        let Started { driver, base, process } = match browser {
            Browser::Chrome => chrome::start(options).await?,
            Browser::Firefox => firefox::start(options).await?,
        };
        let limit = Some(Duration::from_secs(120));
        driver.update_timeouts(TimeoutConfiguration::new(limit, limit, Some(Duration::ZERO))).await?;
        let home = driver.window().await?;
        let session = Session { browser, fixtures, driver, base, home, models: Mutex::default(), process };
        session.goto_extension_page("settings.html").await?;
        Ok(session)
    }

    /// Loads an extension page in the current window. A freshly installed add-on is not ready at once.
    async fn goto_extension_page(&self, page: &str) -> Result<()> {
        let url = self.extension_url(page);
        until(&format!("{url} to load"), async || {
            if let Err(error) = self.driver.goto(url.as_str()).await {
                return Ok(Seen::NotYet(error.to_string()));
            }
            let found = self.driver.execute("return document.readyState + ' ' + location.href", vec![]).await?;
            let state = found.json().as_str().unwrap_or_default().to_owned();
            Ok(if state.ends_with(&url) { Seen::Ready(()) } else { Seen::NotYet(state) })
        })
        .await
    }

    /// Address of an extension page.
    pub fn extension_url(&self, page: &str) -> String {
        format!("{}/{page}", self.base)
    }

    /// Runs JavaScript in the home page; `code` is the body of an async function that sees the extension's API as `api`
    /// and returns something that JSON can carry.
    ///
    /// # Errors
    /// [`Error::Extension`] with what was thrown.
    pub async fn extension(&self, code: &str) -> Result<Value> {
        self.switch(&self.home).await?;
        self.run_extension_code(code).await
    }

    pub(crate) async fn run_extension_code(&self, code: &str) -> Result<Value> {
        // Firefox evaluates in a sandbox that sees the page's own objects through `wrappedJSObject` only.
        let api = match self.browser {
            Browser::Chrome => "chrome",
            Browser::Firefox => "(window.wrappedJSObject || window).browser",
        };
        let script = format!(
            "const done = arguments[arguments.length - 1]; const api = {api};
            (async () => {{ {code} }})().then(
                (value) => done(JSON.stringify({{ value: value === undefined ? null : value }})),
                (error) => done(JSON.stringify({{ error: String((error && error.message) || error) }})));"
        );
        let answer = self.driver.execute_async(script, vec![]).await?;
        let parsed: Value = serde_json::from_str(answer.json().as_str().unwrap_or("null"))?;
        match parsed["error"].as_str() {
            Some(error) => Err(Error::Extension(error.to_owned())),
            None => Ok(parsed["value"].clone()),
        }
    }

    /// Writes to `storage.local` or `storage.session`.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn storage_set(&self, area: &str, items: &Value) -> Result<()> {
        self.extension(&format!("await api.storage.{area}.set(JSON.parse({}));", js_text(&items.to_string()))).await?;
        Ok(())
    }

    /// Reads a key, `null` when absent; everything with `None`.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn storage_get(&self, area: &str, key: Option<&str>) -> Result<Value> {
        let all = self.extension(&format!("return await api.storage.{area}.get(null);")).await?;
        Ok(key.map_or(all.clone(), |key| all[key].clone()))
    }

    /// Ids of every tab.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn tab_ids(&self) -> Result<Vec<i32>> {
        let ids = self.extension("return (await api.tabs.query({})).map((tab) => tab.id);").await?;
        Ok(serde_json::from_value(ids)?)
    }

    /// Sends a message to the background, as a panel does.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn send_message(&self, message: &Value) -> Result<Value> {
        let text = js_text(&message.to_string());
        self.extension(&format!("const r = await api.runtime.sendMessage(JSON.parse({text})); return typeof r === 'string' ? JSON.parse(r) : r;"))
            .await
    }

    /// Opens an address in a window of its own.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn open_page(&self, url: &str) -> Result<TabHandle<'_>> {
        let (window, tab_id) = self.open_window().await?;
        self.switch(&window).await?;
        self.driver.goto(url).await?;
        Ok(TabHandle { session: self, window, tab_id })
    }

    /// A new window with one tab, and that tab's id.
    pub(crate) async fn open_window(&self) -> Result<(WindowHandle, i32)> {
        let before = self.tab_ids().await?;
        let window = self.driver.new_window().await?;
        let tab_id = until("the new window's tab", async || {
            let now = self.tab_ids().await?;
            let new: Vec<i32> = now.iter().copied().filter(|id| !before.contains(id)).collect();
            Ok(if let [id] = new[..] { Seen::Ready(id) } else { Seen::NotYet(format!("{before:?} -> {now:?}")) })
        })
        .await?;
        Ok((window, tab_id))
    }

    /// Opens the side panel for a tab, as a page in a window of its own.
    ///
    /// # Errors
    /// When it does not become usable.
    pub async fn open_panel(&self, tab: &TabHandle<'_>) -> Result<Panel<'_>> {
        self.open_panel_for(tab.tab_id).await
    }

    /// [`Session::open_panel`] for a tab id.
    ///
    /// # Errors
    /// When it does not become usable.
    pub async fn open_panel_for(&self, tab_id: i32) -> Result<Panel<'_>> {
        let (window, _) = self.open_window().await?;
        self.switch(&window).await?;
        self.driver.set_window_rect(0, 0, 420, 760).await?;
        self.goto_extension_page(&format!("sidepanel.html?tabId={tab_id}")).await?;
        let panel = Panel { session: self, window, tab_id };
        panel.wait_for("composer").await?;
        panel.wait_loaded().await?;
        Ok(panel)
    }

    /// Handles of all windows and tabs, real panels included where the browser lists them.
    ///
    /// # Errors
    /// When the browser fails.
    pub async fn windows(&self) -> Result<Vec<WindowHandle>> {
        Ok(self.driver.windows().await?)
    }

    /// Wraps a window that the browser opened.
    pub fn tab_in(&self, window: WindowHandle, tab_id: i32) -> TabHandle<'_> {
        TabHandle { session: self, window, tab_id }
    }

    pub(crate) async fn switch(&self, window: &WindowHandle) -> Result<()> {
        Ok(self.driver.switch_to_window(window.clone()).await?)
    }

    /// The home page's window.
    pub fn home(&self) -> &WindowHandle {
        &self.home
    }

    /// The WebDriver session, for what this API does not have.
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// The driver's log.
    pub fn driver_log(&self) -> std::path::PathBuf {
        self.process.log()
    }

    /// Starts a model server that the test's end checks.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn model(&self, script: Vec<Turn>) -> Result<Arc<ModelServer>> {
        let server = Arc::new(ModelServer::start(script).await?);
        self.keep(&server);
        Ok(server)
    }

    /// Lets the test's end check this server too.
    pub fn keep(&self, server: &Arc<ModelServer>) {
        self.lock_models().push(server.clone());
    }

    /// Every model server of this test.
    pub fn models(&self) -> Vec<Arc<ModelServer>> {
        self.lock_models().clone()
    }

    fn lock_models(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ModelServer>>> {
        self.models.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Makes a provider the active one.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn use_provider(&self, id: &str, config: Value) -> Result<()> {
        self.storage_set("local", &json!({"providers": {id: config}, "activeProvider": id})).await
    }

    /// An OpenAI-compatible provider at this address.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn use_open_ai_at(&self, base_url: &str) -> Result<()> {
        self.use_provider("custom", json!({"baseUrl": base_url, "apiKey": API_KEY, "model": "scripted"})).await
    }

    /// Starts a model server with this script and makes it the active provider, OpenAI dialect.
    ///
    /// # Errors
    /// When either fails.
    pub async fn scripted(&self, script: Vec<Turn>) -> Result<Arc<ModelServer>> {
        let server = self.model(script).await?;
        self.use_open_ai_at(&server.base_url()).await?;
        Ok(server)
    }

    /// Grants every capability on every fixture origin, so that no card asks.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn grant_everything(&self) -> Result<()> {
        let mut grants = Vec::new();
        for origin in [Origin::Main, Origin::Localhost, Origin::SecondPort] {
            for capability in [Capability::Click, Capability::Type, Capability::Upload, Capability::Navigate] {
                let host = self.fixtures.host(origin);
                grants.push(Grant { capability, host, action: Action::Allow, duration: Decision::Always, ts: 1 });
            }
        }
        self.storage_set("local", &json!({"wb_permissions": grants})).await
    }

    /// Chrome: ends the extension's service worker, as the browser does after 30 s. Waits until that instance is gone; a
    /// new one may have been started by then. No CDP session stays behind.
    ///
    /// # Errors
    /// In Firefox, which has none, and when the browser fails.
    pub async fn kill_service_worker(&self) -> Result<()> {
        if self.browser == Browser::Firefox {
            return Err(Error::Unexpected("Firefox has no service worker to kill".into()));
        }
        let before = self.worker_instance().await?;
        let cdp = self.driver.cdp();
        cdp.send_raw("ServiceWorker.enable", json!({})).await?;
        cdp.send_raw("ServiceWorker.stopAllWorkers", json!({})).await?;
        cdp.send_raw("ServiceWorker.disable", json!({})).await?;
        until("the service worker's end", async || {
            let now = self.worker_instance().await?;
            Ok(if now.is_none() || now != before { Seen::Ready(()) } else { Seen::NotYet(format!("{now:?}")) })
        })
        .await
    }

    /// Chrome: names the running instance of the service worker, if there is one. Asking does not start it.
    ///
    /// # Errors
    /// [`Error::Extension`].
    pub async fn worker_instance(&self) -> Result<Option<String>> {
        let found = self
            .extension("const list = await api.runtime.getContexts({ contextTypes: ['BACKGROUND'] }); return list.map((c) => c.contextId)[0] ?? null;")
            .await?;
        Ok(found.as_str().map(str::to_owned))
    }

    /// Ends the session.
    ///
    /// # Errors
    /// When the driver does not answer; the processes are ended all the same.
    pub async fn quit(self) -> Result<()> {
        let Session { driver, process, .. } = self;
        let result = driver.quit().await;
        drop(process);
        Ok(result?)
    }
}

/// A string as a JavaScript literal.
pub fn js_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A tab with a page.
#[derive(Clone)]
pub struct TabHandle<'s> {
    pub(crate) session: &'s Session,
    pub(crate) window: WindowHandle,
    /// The browser's id of the tab.
    pub tab_id: i32,
}

impl TabHandle<'_> {
    /// Value of a JavaScript expression in the page.
    ///
    /// # Errors
    /// When it throws or the tab is gone.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        self.session.switch(&self.window).await?;
        let found = self.session.driver.execute(format!("return ({expression});"), vec![]).await?;
        Ok(found.json().clone())
    }

    /// Text of the first element that the selector matches.
    ///
    /// # Errors
    /// As [`TabHandle::eval`].
    pub async fn text(&self, selector: &str) -> Result<String> {
        let expression = format!("document.querySelector({})?.textContent ?? ''", js_text(selector));
        Ok(self.eval(&expression).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until a JavaScript expression is truthy.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_eval(&self, expression: &str) -> Result<()> {
        until(&format!("{expression} in the page"), async || {
            // While the page is being replaced a script may fail: that is a "not yet".
            match self.eval(&format!("!!({expression})")).await {
                Ok(Value::Bool(true)) => Ok(Seen::Ready(())),
                Ok(_) => {
                    Ok(Seen::NotYet(self.eval("location.href + ' ' + document.body?.innerText").await?.to_string()))
                }
                Err(error) => Ok(Seen::NotYet(error.to_string())),
            }
        })
        .await
    }

    /// Address of the page.
    ///
    /// # Errors
    /// When the tab is gone.
    pub async fn url(&self) -> Result<String> {
        self.session.switch(&self.window).await?;
        Ok(self.session.driver.current_url().await?.to_string())
    }

    /// Loads another address.
    ///
    /// # Errors
    /// When the tab is gone.
    pub async fn goto(&self, url: &str) -> Result<()> {
        self.session.switch(&self.window).await?;
        Ok(self.session.driver.goto(url).await?)
    }

    /// Closes the tab.
    ///
    /// # Errors
    /// When it is gone already.
    pub async fn close(&self) -> Result<()> {
        self.session.switch(&self.window).await?;
        self.session.driver.close_window().await?;
        self.session.switch(&self.session.home).await
    }

    /// Presses the mouse at a point of the viewport, in CSS px, as a user would.
    ///
    /// # Errors
    /// When the tab is gone.
    pub async fn press_at(&self, x: i64, y: i64) -> Result<()> {
        self.session.switch(&self.window).await?;
        Ok(self.session.driver.action_chain().move_to(x, y).click().perform().await?)
    }

    /// Saves a picture.
    ///
    /// # Errors
    /// When the tab is gone or the file cannot be written.
    pub async fn screenshot(&self, path: &Path) -> Result<()> {
        self.session.switch(&self.window).await?;
        Ok(self.session.driver.screenshot(path).await?)
    }
}
