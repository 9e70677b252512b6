//! A model that a test plays call by call, looking at the page in between.

use crate::model_server::Pending;
use crate::{Answer, Error, ModelServer, Panel, Result, Session, TabHandle, config, find_ref};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::mpsc;

/// A run in Act mode that waits for what the test says next.
pub struct Dialogue<'s> {
    /// The page that it is about.
    pub page: TabHandle<'s>,
    panel: Panel<'s>,
    inbox: mpsc::UnboundedReceiver<Pending>,
    pending: Option<Pending>,
    model: Arc<ModelServer>,
}

impl<'s> Dialogue<'s> {
    /// Begins a run on a page, with everything granted.
    ///
    /// # Errors
    /// When the page or the panel does not come.
    pub async fn begin(session: &'s Session, file: &str) -> Result<Dialogue<'s>> {
        session.grant_everything().await?;
        let model = session.scripted(Vec::new()).await?;
        let inbox = model.live();
        let page = session.open_page(&session.fixtures.url(file)).await?;
        let panel = session.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("do what is to be done").await?;
        let mut dialogue = Dialogue { page, panel, inbox, pending: None, model };
        dialogue.next().await?;
        Ok(dialogue)
    }

    async fn next(&mut self) -> Result<()> {
        let came = tokio::time::timeout(config::patience(), self.inbox.recv()).await;
        self.pending = came.ok().flatten();
        if self.pending.is_some() {
            return Ok(());
        }
        let view = self.panel.view().await?;
        Err(Error::Unexpected(format!("no model request came: {view:#?}")))
    }

    /// Calls a tool; its result as the model is sent it.
    ///
    /// # Errors
    /// When no result comes.
    pub async fn call(&mut self, tool: &str, args: Value) -> Result<String> {
        self.say(Answer::call(tool, args));
        self.next().await?;
        Ok(self.pending.as_ref().map(|p| p.request.last_text().to_owned()).unwrap_or_default())
    }

    fn say(&mut self, answer: Answer) {
        if let Some(pending) = self.pending.take() {
            // When the client has gone, the next wait shows it.
            let _ = pending.reply.send(answer);
        }
    }

    /// Reads the tree.
    ///
    /// # Errors
    /// When no result comes.
    pub async fn tree(&mut self) -> Result<String> {
        self.call("get_accessibility_tree", json!({"filter": "all"})).await
    }

    /// The ref of a role and name in the tree as it is now.
    ///
    /// # Errors
    /// When there is none.
    pub async fn find(&mut self, role: &str, name: &str) -> Result<String> {
        let tree = self.tree().await?;
        find_ref(&tree, role, name).ok_or_else(|| Error::Unexpected(format!("no {role} {name:?} in\n{tree}")))
    }

    /// Ends the run and gives what the model was sent in all.
    ///
    /// # Errors
    /// When the run does not end.
    pub async fn end(mut self, outcome: &str) -> Result<String> {
        self.say(Answer::call("done", json!({"summary": "Done.", "outcome": outcome})));
        self.panel
            .wait_view("the run's end", |v| ["done", "partial", "failed", "stopped"].contains(&v.status.as_str()))
            .await?;
        let requests = self.model.requests();
        Ok(requests.last().map(|r| r.request.body.to_string()).unwrap_or_default())
    }
}
