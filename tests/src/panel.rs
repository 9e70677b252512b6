//! The side panel as a user meets it: through the test ids of the contract.

use crate::driver::js_text;
use crate::wait::{Seen, until};
use crate::{Error, Result, Session};
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::{WebElement, WindowHandle};

/// One tool call as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Step {
    /// `data-tool`.
    pub tool: String,
    /// `data-status`.
    pub status: String,
    /// Text.
    pub text: String,
}

/// One item of the chat: its test id and its text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Shown {
    /// Test id.
    pub id: String,
    /// Text.
    pub text: String,
}

/// Everything of the chat that the contract names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct View {
    /// `data-status` of `run-status`.
    pub status: String,
    /// `message-user`.
    pub user: Vec<String>,
    /// `message-assistant`.
    pub assistant: Vec<String>,
    /// `tool-step`.
    pub steps: Vec<Step>,
    /// `notice`.
    pub notices: Vec<String>,
    /// Cards that can be answered: test ids.
    pub cards: Vec<String>,
    /// Text of the error card that is shown, if one is.
    pub error: Option<String>,
    /// Messages, steps, cards and notices in document order.
    pub all: Vec<Shown>,
}

impl View {
    /// Whether anything is shown after the latest message of the user.
    fn has_reaction(&self) -> bool {
        self.all.last().is_some_and(|shown| shown.id != "message-user")
    }
}

const ENDS: [&str; 4] = ["done", "partial", "failed", "stopped"];

const LOOK: &str = r#"
const all = (id) => [...document.querySelectorAll(`[data-testid="${id}"]`)];
const text = (e) => (e.innerText ?? e.textContent ?? "").trim();
const shown = (e) => e.getClientRects().length > 0;
const live = (e) => shown(e) && [...e.querySelectorAll("button, input, textarea")].some((c) => shown(c) && !c.disabled);
const cards = ["card-plan", "card-permission", "card-submit", "card-flow", "card-clarify", "card-continue", "card-error"];
const kinds = ["message-user", "message-assistant", "tool-step", "notice", ...cards];
const errors = all("card-error").filter(shown);
return JSON.stringify({
  status: all("run-status")[0]?.dataset.status ?? "",
  user: all("message-user").map(text),
  assistant: all("message-assistant").map(text),
  steps: all("tool-step").map((e) => ({ tool: e.dataset.tool ?? "", status: e.dataset.status ?? "", text: text(e) })),
  notices: all("notice").filter(shown).map(text),
  cards: cards.filter((id) => all(id).some(live)),
  error: errors.length ? text(errors.at(-1)) : null,
  all: [...document.querySelectorAll("[data-testid]")].filter((e) => kinds.includes(e.dataset.testid)).map((e) => ({ id: e.dataset.testid, text: text(e) })),
});
"#;

/// A panel in a window of its own.
pub struct Panel<'s> {
    pub(crate) session: &'s Session,
    pub(crate) window: WindowHandle,
    /// The tab that it works for.
    pub tab_id: i32,
}

impl<'s> Panel<'s> {
    /// Wraps a window that shows the panel: the real side panel.
    pub fn in_window(session: &'s Session, window: WindowHandle, tab_id: i32) -> Self {
        Panel { session, window, tab_id }
    }

    /// Looks at the chat.
    ///
    /// # Errors
    /// When the panel is gone.
    pub async fn view(&self) -> Result<View> {
        self.session.switch(&self.window).await?;
        let found = self.session.driver.execute(LOOK, vec![]).await?;
        Ok(serde_json::from_str(found.json().as_str().unwrap_or("null"))?)
    }

    /// Value of a JavaScript expression in the panel.
    ///
    /// # Errors
    /// When it throws or the panel is gone.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        self.session.switch(&self.window).await?;
        Ok(self.session.driver.execute(format!("return ({expression});"), vec![]).await?.json().clone())
    }

    /// Waits until an element with this test id can be used, and gives the last one.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_for(&self, id: &str) -> Result<WebElement> {
        let script = format!(
            "return [...document.querySelectorAll('[data-testid={}]')].filter((e) => !e.disabled && e.getClientRects().length > 0).at(-1) ?? null",
            js_text(id)
        );
        until(&format!("[data-testid={id}] in the panel"), async || {
            self.session.switch(&self.window).await?;
            let found = self.session.driver.execute(script.as_str(), vec![]).await?;
            match found.json() {
                Value::Null => Ok(Seen::NotYet(self.describe().await)),
                _ => Ok(Seen::Ready(found.element()?)),
            }
        })
        .await
    }

    /// Waits until the chat so far has been fetched, which the list says by `aria-busy`.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_loaded(&self) -> Result<()> {
        until("the chat to be loaded", async || {
            let busy = self.eval("document.querySelector('[aria-busy=true]') !== null").await?;
            Ok(if busy == Value::Bool(false) { Seen::Ready(()) } else { Seen::NotYet("aria-busy".to_owned()) })
        })
        .await
    }

    async fn describe(&self) -> String {
        match self.view().await {
            Ok(view) => format!("{view:?}"),
            Err(error) => error.to_string(),
        }
    }

    /// Clicks the last usable element with this test id, as a user: with the mouse, where it is on the screen.
    ///
    /// # Errors
    /// [`Error::Timeout`] when there is none or it stays covered.
    pub async fn click(&self, id: &str) -> Result<()> {
        until(&format!("a click on {id}"), async || {
            let element = self.wait_for(id).await?;
            match element.click().await {
                Ok(()) => Ok(Seen::Ready(())),
                // The panel was drawn anew, or something is moving: look again.
                Err(error) if is_passing(&error) => Ok(Seen::NotYet(error.to_string())),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    /// Chooses `ask`, `act` or `dev`, and waits until it is on.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn set_mode(&self, mode: &str) -> Result<()> {
        let id = format!("mode-{mode}");
        self.click(&id).await?;
        let test = format!(
            "(e => e?.getAttribute('aria-pressed') === 'true' || e?.getAttribute('aria-checked') === 'true')(document.querySelector('[data-testid={id}]'))"
        );
        until(&format!("{id} to be on"), async || {
            Ok(if self.eval(&test).await? == true { Seen::Ready(()) } else { Seen::NotYet("off".into()) })
        })
        .await
    }

    /// Types into the composer without sending.
    ///
    /// # Errors
    /// When there is no composer.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        Ok(self.wait_for("composer").await?.send_keys(text).await?)
    }

    /// Types a message, sends it, and waits until it is shown.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn send(&self, text: &str) -> Result<()> {
        let before = self.view().await?.user.len();
        self.type_text(text).await?;
        self.click("send").await?;
        until("the message to be shown", async || {
            let view = self.view().await?;
            Ok(if view.user.len() > before { Seen::Ready(()) } else { Seen::NotYet(format!("{view:?}")) })
        })
        .await
    }

    /// Waits for a state of the run. Another end of the run is an error at once.
    ///
    /// # Errors
    /// [`Error::Timeout`], or [`Error::Unexpected`] with the whole view when the run ended otherwise.
    pub async fn wait_status(&self, status: &str) -> Result<View> {
        self.wait_status_answering(status, None).await
    }

    /// [`Panel::wait_status`] that clicks `answer` (`permission-always`, say) whenever it is there.
    ///
    /// # Errors
    /// As [`Panel::wait_status`].
    pub async fn wait_status_answering(&self, status: &str, answer: Option<&str>) -> Result<View> {
        until(&format!("the run to be {status}"), async || {
            let view = self.view().await?;
            let is_new = view.user.len() < 2 || view.has_reaction();
            if view.status == status && (is_new || !ENDS.contains(&status)) {
                return Ok(Seen::Ready(view));
            }
            if ENDS.contains(&view.status.as_str()) && is_new && view.status != status {
                return Err(Error::Unexpected(format!("the run is {} instead of {status}: {view:#?}", view.status)));
            }
            if let Some(button) = answer
                && view.cards.iter().any(|card| button.starts_with(card.trim_start_matches("card-")))
            {
                self.click(button).await?;
            }
            Ok(Seen::NotYet(format!("{view:?}")))
        })
        .await
    }

    /// Waits until the view satisfies `test`.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_view(&self, what: &str, test: impl Fn(&View) -> bool) -> Result<View> {
        until(what, async || {
            let view = self.view().await?;
            Ok(if test(&view) { Seen::Ready(view) } else { Seen::NotYet(format!("{view:?}")) })
        })
        .await
    }

    /// Waits until a card can be answered.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_card(&self, id: &str) -> Result<View> {
        self.wait_view(&format!("{id} in the panel"), |view| view.cards.iter().any(|card| card == id)).await
    }

    /// Tool calls shown.
    ///
    /// # Errors
    /// When the panel is gone.
    pub async fn steps(&self) -> Result<Vec<Step>> {
        Ok(self.view().await?.steps)
    }

    /// Answers shown.
    ///
    /// # Errors
    /// When the panel is gone.
    pub async fn messages(&self) -> Result<Vec<String>> {
        Ok(self.view().await?.assistant)
    }

    /// Loads the panel anew.
    ///
    /// # Errors
    /// When it does not become usable again.
    pub async fn reload(&self) -> Result<()> {
        self.session.switch(&self.window).await?;
        self.session.driver.refresh().await?;
        self.wait_for("composer").await?;
        Ok(())
    }

    /// Saves a picture.
    ///
    /// # Errors
    /// When the panel is gone or the file cannot be written.
    pub async fn screenshot(&self, path: &Path) -> Result<()> {
        self.session.switch(&self.window).await?;
        Ok(self.session.driver.screenshot(path).await?)
    }

    /// Closes it.
    ///
    /// # Errors
    /// When it is gone already.
    pub async fn close(self) -> Result<()> {
        self.session.switch(&self.window).await?;
        self.session.driver.close_window().await?;
        self.session.switch(self.session.home()).await
    }
}

fn is_passing(error: &thirtyfour::error::WebDriverError) -> bool {
    matches!(
        **error,
        WebDriverErrorInner::StaleElementReference(_)
            | WebDriverErrorInner::ElementClickIntercepted(_)
            | WebDriverErrorInner::ElementNotInteractable(_)
            | WebDriverErrorInner::NoSuchElement(_)
    )
}
