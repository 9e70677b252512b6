//! Plays a corpus page's test ([`PageTest`]) through the extension, as a careful model would: it reads the tree, finds the
//! element by role and name in what it was sent, acts on its ref, and reads again.
//!
//! Only the page's JSON decides. Roles and names are compared exactly.

use crate::model_server::Pending;
use crate::page_test::{Act, File, PageTest, Target, TreeLine};
use crate::tree_text::{self, Line};
use crate::wait::{Seen, until};
use crate::{Answer, Error, ModelServer, Panel, Result, Session, TabHandle};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Lines of a tree that a finding shows.
const SHOWN_LINES: usize = 40;

/// How often a page is loaded anew because it had moved on before the model looked.
const RELOADS: usize = 10;

/// Cards that the user answers, and with what: the page's test is what the user wants.
const CARDS: [(&str, &str); 4] = [
    ("card-permission", "permission-once"),
    ("card-submit", "submit-confirm"),
    ("card-flow", "flow-allow"),
    ("card-plan", "plan-approve"),
];

/// Plays the test of a page of the corpus and gives what was not as expected.
///
/// # Errors
/// When the browser or the test's own text fails; what the extension does wrong is a finding.
pub async fn play(session: &Session, file: &str) -> Result<Vec<String>> {
    let test = PageTest::load(file)?;
    session.grant_everything().await?;
    let model = session.scripted(Vec::new()).await?;
    let inbox = model.live();
    let page = session.open_page(&session.fixtures.url(&format!("corpus/{file}"))).await?;
    let panel = session.open_panel(&page).await?;
    let tabs = session.tab_ids().await?.len();
    let mut run = Run {
        page,
        panel,
        model,
        inbox,
        pending: None,
        calls: 0,
        fresh: None,
        remembered: BTreeMap::new(),
        known: Vec::new(),
        has_acted: false,
        findings: Vec::new(),
        story: Vec::new(),
    };
    match run.all(&test).await {
        Ok(()) => {}
        Err(Stop::Finding(finding)) => run.findings.push(finding),
        Err(Stop::Broken(error)) => return Err(error),
    }
    let opened = session.tab_ids().await?.len().saturating_sub(tabs);
    if opened != test.expect.new_tabs {
        run.findings.push(format!("tabs opened: expected {}, got {opened}", test.expect.new_tabs));
    }
    if !run.findings.is_empty() {
        run.findings.push(format!("what happened:\n{}", run.story.join("\n")));
    }
    Ok(run.findings)
}

/// Why a test does not go on.
enum Stop {
    /// The extension did something wrong.
    Finding(String),
    /// The test itself cannot go on.
    Broken(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            Error::Timeout { .. } => Stop::Finding(error.to_string()),
            other => Stop::Broken(other),
        }
    }
}

type Step<T> = std::result::Result<T, Stop>;

struct Run<'s> {
    page: TabHandle<'s>,
    panel: Panel<'s>,
    model: Arc<ModelServer>,
    inbox: mpsc::UnboundedReceiver<Pending>,
    /// The request that waits for what the model says.
    pending: Option<Pending>,
    calls: usize,
    /// The tree as it was read, while nothing has happened since.
    fresh: Option<Vec<Line>>,
    remembered: BTreeMap<String, String>,
    /// Targets that were found; a later one may name only the selector of one of them.
    known: Vec<Target>,
    has_acted: bool,
    findings: Vec<String>,
    story: Vec<String>,
}

impl Run<'_> {
    async fn all(&mut self, test: &PageTest) -> Step<()> {
        if !test.expect.dialogs.is_empty() {
            return Err(Stop::Finding("not played yet: dialogs of the page".into()));
        }
        self.panel.set_mode("act").await?;
        self.panel.send("do what the page is for").await?;
        self.next().await?;
        for done in 0..=test.action.len() {
            let act = test.action.get(done);
            let wanted: Vec<&TreeLine> = test.expect.tree.iter().filter(|l| l.after == done).collect();
            // At the end a model looks whether it worked.
            if !wanted.is_empty() || act.is_none() {
                let tree = self.tree().await?;
                self.findings.extend(wanted.into_iter().filter_map(|line| tree_problem(&tree, line, done)));
            }
            if let Some(act) = act {
                self.act(act).await?;
            }
        }
        self.end().await?;
        self.check_texts(test);
        self.check_state(&test.expect.state).await
    }

    async fn act(&mut self, act: &Act) -> Step<()> {
        match act {
            Act::Snapshot { remember } => self.snapshot(remember).await,
            Act::Read {} => self.call("read_page", json!({})).await.map(drop),
            Act::Wait { ms } => {
                // The page's own time has to pass; this is what is tested, not a guess about the extension.
                tokio::time::sleep(Duration::from_millis(*ms)).await;
                self.fresh = None;
                Ok(())
            }
            // Waiting until it has stopped moving is the extension's part.
            Act::Click { target, dialog: None, stable: _ } => self.click(target).await,
            Act::ClickIfName { target } => self.click_if_name(target).await,
            Act::Type { target, text } | Act::Inserttext { target, text } | Act::Multiline { target, text } => {
                self.set(target, text).await
            }
            Act::Setvalue { target, value } => self.set(target, value).await,
            Act::Clear { target } => self.set(target, "").await,
            Act::Select { target, label: Some(wanted), .. } | Act::Select { target, value: Some(wanted), .. } => {
                self.set(target, wanted).await
            }
            Act::Blur {} => self.do_it("press_keys", json!({"key": "Tab"})).await.map(drop),
            Act::Press { key, modifiers } if modifiers.is_empty() => {
                self.do_it("press_keys", json!({"key": key})).await.map(drop)
            }
            Act::Wheel { target, dy } => {
                let (reference, _) = self.find(target).await?;
                let direction = if *dy < 0 { "up" } else { "down" };
                let args = json!({"direction": direction, "amount": dy.unsigned_abs(), "ref_id": reference});
                self.do_it("scroll", args).await.map(drop)
            }
            Act::Readback { target, expect } => {
                let (_, line) = self.find(target).await?;
                if line.attribute("value").unwrap_or_default() != expect {
                    self.findings.push(format!("read back: expected value {expect:?}, got {}", line.raw));
                }
                Ok(())
            }
            Act::Upload { target, files } | Act::Dropfile { target, files } => self.upload(target, files).await,
            other => Err(Stop::Finding(format!("not played yet: {other:?}"))),
        }
    }

    /// Reads the tree and keeps refs. A page that changes by itself may have done so while the panel was being opened: as
    /// long as nothing has been done, it is loaded anew.
    async fn snapshot(&mut self, remember: &BTreeMap<String, Target>) -> Step<()> {
        let mut tree = self.tree().await?;
        for _ in 0..RELOADS {
            if self.has_acted || remember.values().all(|target| found(&tree, target).len() == 1) {
                break;
            }
            let url = self.page.url().await?;
            self.page.goto(&url).await?;
            self.fresh = None;
            tree = self.tree().await?;
        }
        for (key, target) in remember {
            let (reference, _) = self.find(target).await?;
            self.remembered.insert(key.clone(), reference);
        }
        Ok(())
    }

    /// Clicks what the target names. A remembered ref is used as it is; when it is refused, the model reads again.
    async fn click(&mut self, target: &Target) -> Step<()> {
        if self.click_remembered(target).await? {
            return Ok(());
        }
        let (reference, _) = self.find(target).await?;
        self.do_it("click_ax", json!({"ref_id": reference})).await.map(drop)
    }

    /// As [`Run::click`], but content when the element is no longer what it was.
    async fn click_if_name(&mut self, target: &Target) -> Step<()> {
        if self.click_remembered(target).await? {
            return Ok(());
        }
        let tree = self.tree().await?;
        match found(&tree, target).first().and_then(|at| tree[*at].reference.clone()) {
            Some(reference) => self.do_it("click_ax", json!({"ref_id": reference})).await.map(drop),
            None => Ok(()),
        }
    }

    async fn click_remembered(&mut self, target: &Target) -> Step<bool> {
        let Some(key) = &target.remembered else { return Ok(false) };
        let kept = self.remembered.get(key).cloned();
        let reference = kept.ok_or_else(|| Stop::Finding(format!("the test never remembered {key:?}")))?;
        self.do_it("click_ax", json!({"ref_id": reference})).await
    }

    async fn set(&mut self, target: &Target, text: &str) -> Step<()> {
        let (reference, _) = self.find(target).await?;
        self.do_it("set_field", json!({"ref_id": reference, "text": text})).await.map(drop)
    }

    async fn upload(&mut self, target: &Target, files: &[File]) -> Step<()> {
        let [file] = files else { return Err(Stop::Finding("one file at a time is played".into())) };
        let (reference, _) = self.find(target).await?;
        let args = json!({"ref_id": reference, "fileName": file.name, "content": file.text});
        self.do_it("upload_file", args).await.map(drop)
    }

    /// The one line that the target names, and its ref.
    async fn find(&mut self, target: &Target) -> Step<(String, Line)> {
        let known = self.known.iter().find(|known| is_bare(target) && known.css == target.css).cloned();
        let target = &known.unwrap_or_else(|| target.clone());
        let tree = self.tree().await?;
        let hits = found(&tree, target);
        let [at] = hits[..] else {
            let what = if hits.is_empty() { "nothing" } else { "more than one line" };
            return Err(Stop::Finding(format!("to act on {}: {what} in the tree:\n{}", words(target), shown(&tree))));
        };
        let line = tree[at].clone();
        if !is_bare(target) {
            self.known.push(target.clone());
        }
        match &line.reference {
            Some(reference) => Ok((reference.clone(), line)),
            None => Err(Stop::Finding(format!("to act on {}: it has no ref: {}", words(target), line.raw))),
        }
    }

    /// The tree as it is now.
    async fn tree(&mut self) -> Step<Vec<Line>> {
        if let Some(tree) = &self.fresh {
            return Ok(tree.clone());
        }
        let text = self.call("get_accessibility_tree", json!({"filter": "all"})).await?;
        let tree = tree_text::lines(&text);
        self.fresh = Some(tree.clone());
        Ok(tree)
    }

    /// Calls a tool that acts; tells whether it was done.
    async fn do_it(&mut self, tool: &str, args: Value) -> Step<bool> {
        self.has_acted = true;
        self.call(tool, args).await?;
        self.fresh = None;
        let calls = self.calls;
        let view = self
            .panel
            .wait_view("the step's end in the panel", |v| {
                v.steps.len() >= calls && v.steps.last().is_some_and(|s| s.status != "running")
            })
            .await?;
        let status = view.steps.last().map(|s| s.status.clone()).unwrap_or_default();
        self.story.push(format!("  ({status})"));
        Ok(status == "ok")
    }

    /// Says one tool call, and gives its result as the model is sent it.
    async fn call(&mut self, tool: &str, args: Value) -> Step<String> {
        self.calls += 1;
        self.story.push(format!("> {tool} {args}"));
        self.say(Answer::call(tool, args));
        self.next().await?;
        let text = self.pending.as_ref().map(|p| p.request.last_text().to_owned()).unwrap_or_default();
        self.story.push(clip(&text));
        Ok(text)
    }

    fn say(&mut self, answer: Answer) {
        if let Some(pending) = self.pending.take() {
            // When the client has gone, the next wait shows it.
            let _ = pending.reply.send(answer);
        }
    }

    /// Waits for the next request; the user answers what the panel asks meanwhile.
    async fn next(&mut self) -> Step<()> {
        let (inbox, panel) = (&mut self.inbox, &self.panel);
        let pending = until("the next model request", async || {
            if let Ok(pending) = inbox.try_recv() {
                return Ok(Seen::Ready(Ok(pending)));
            }
            let view = panel.view().await?;
            if let Some((_, button)) = CARDS.iter().find(|(card, _)| view.cards.iter().any(|c| c == card)) {
                panel.click(button).await?;
            }
            let has_ended = ["done", "partial", "failed", "stopped"].contains(&view.status.as_str());
            if has_ended && inbox.is_empty() {
                return Ok(Seen::Ready(Err(format!("the run ended by itself: {view:#?}"))));
            }
            Ok(Seen::NotYet(format!("{view:?}")))
        })
        .await?;
        self.pending = Some(pending.map_err(Stop::Finding)?);
        Ok(())
    }

    async fn end(&mut self) -> Step<()> {
        self.say(Answer::call("done", json!({"summary": "Done.", "outcome": "success"})));
        let view = self
            .panel
            .wait_view("the run's end", |v| ["done", "partial", "failed", "stopped"].contains(&v.status.as_str()))
            .await?;
        // Success that nothing done can have brought about is told as partial, and rightly.
        let reads = ["get_accessibility_tree", "read_page", "wait_for_element", "wait_for_stable", "done"];
        let failed = view.steps.iter().any(|s| s.status == "error");
        let achieved = view.steps.iter().any(|s| s.status == "ok" && !reads.contains(&s.tool.as_str()));
        let wanted = if failed && !achieved { "partial" } else { "done" };
        if view.status != wanted {
            self.findings.push(format!("the run ended as {}: {view:#?}", view.status));
        }
        Ok(())
    }

    /// What the model was and was not sent, over the whole run.
    fn check_texts(&mut self, test: &PageTest) {
        let requests = self.model.requests();
        let sent = |text: &str| {
            let messages = requests.iter().flat_map(|r| &r.request.messages).filter(|m| m.role != "assistant");
            messages.into_iter().any(|m| m.text.contains(text))
        };
        let missing = test.expect.text_present.iter().filter(|t| !sent(t));
        let leaked = test.expect.text_absent.iter().chain(&test.expect.tree_text_absent).filter(|t| sent(t));
        let missing = missing.map(|t| format!("the model was never given {t:?}"));
        self.findings.extend(missing.chain(leaked.map(|t| format!("the model was given {t:?}"))));
    }

    /// What the page holds: it may still be on its way.
    async fn check_state(&self, expected: &Map<String, Value>) -> Step<()> {
        until("the page's state", async || {
            // Firefox shows the page's own objects through `wrappedJSObject` only.
            let text = self.page.eval("JSON.stringify((window.wrappedJSObject || window).__state)").await?;
            let state: Value = serde_json::from_str(text.as_str().unwrap_or("null"))?;
            let wrong: Vec<String> = expected
                .iter()
                .filter(|(key, value)| state.get(key.as_str()) != Some(value))
                .map(|(key, value)| {
                    let got = state.get(key).map_or("nothing".to_owned(), Value::to_string);
                    format!("{key}: expected {value}, got {got}")
                })
                .collect();
            Ok(if wrong.is_empty() { Seen::Ready(()) } else { Seen::NotYet(wrong.join("; ")) })
        })
        .await?;
        Ok(())
    }
}

/// Whether it says nothing that a reader of the tree could go by.
fn is_bare(target: &Target) -> bool {
    target.role.is_none() && target.name.is_none() && target.name_contains.is_none()
}

/// Positions of the lines that the target names. Static text has no ref and is nothing to act on.
fn found(tree: &[Line], target: &Target) -> Vec<usize> {
    let fits = |line: &Line, wanted: &Target| {
        wanted.role.as_ref().is_none_or(|role| line.role == *role)
            && wanted.name.as_ref().is_none_or(|name| line.name == *name)
            && wanted.name_contains.as_ref().is_none_or(|part| line.name.contains(part))
    };
    let lies_in = |at: usize| {
        let above = tree_text::ancestors(tree, at);
        let frames = above.iter().filter(|at| tree[**at].role == "iframe").count();
        frames == target.frame.len()
            && target.within.as_ref().is_none_or(|outer| above.iter().any(|at| fits(&tree[*at], outer)))
    };
    let hits = (0..tree.len()).filter(|at| tree[*at].reference.is_some() && fits(&tree[*at], target));
    hits.filter(|at| lies_in(*at)).collect()
}

fn tree_problem(tree: &[Line], wanted: &TreeLine, done: usize) -> Option<String> {
    let has = |line: &Line, key: &str, value: &Option<String>| {
        value.as_ref().is_none_or(|value| line.attribute(key) == Some(value.as_str()))
    };
    let count = tree
        .iter()
        .filter(|line| {
            line.role == wanted.role
                && wanted.name.as_ref().is_none_or(|name| line.name == *name)
                && wanted.name_contains.as_ref().is_none_or(|part| line.name.contains(part))
                && has(line, "value", &wanted.value)
                && has(line, "checked", &wanted.checked)
        })
        .count();
    let expected = usize::from(wanted.present);
    (count != expected).then(|| {
        format!("tree after {done} actions: expected {expected} x {wanted:?}, got {count}; it is\n{}", shown(tree))
    })
}

fn shown(tree: &[Line]) -> String {
    let mut lines: Vec<String> =
        tree.iter().take(SHOWN_LINES).map(|l| format!("{}{}", " ".repeat(l.depth), l.raw)).collect();
    if tree.len() > SHOWN_LINES {
        lines.push(format!("... {} lines more", tree.len() - SHOWN_LINES));
    }
    lines.join("\n")
}

fn words(target: &Target) -> String {
    let role = target.role.as_deref().unwrap_or("anything");
    let name = match (&target.name, &target.name_contains) {
        (Some(name), _) => format!("{name:?}"),
        (None, Some(part)) => format!("with {part:?} in its name"),
        (None, None) => String::new(),
    };
    let inner = if target.frame.is_empty() { "" } else { " in a frame" };
    let within = target.within.as_ref().map_or(String::new(), |outer| format!(" in {}", words(outer)));
    format!("{role} {name}{inner}{within}")
}

fn clip(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(SHOWN_LINES).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(json: Value) -> Target {
        serde_json::from_value(json).unwrap()
    }

    const TREE: &str = "row \"Ash | Delete\" [ref_1]\n button \"Delete\" [ref_2]\nrow \"Elm | Delete\" [ref_3]\n button \"Delete\" [ref_4]\ntext \"Delete\"\niframe \"Pay\" [ref_5]\n button \"Bank\" [ref_6]\ncheckbox \"Fast\" [ref_7] checked=\"false\"";

    #[test]
    fn a_target_is_found_by_exact_role_and_name_and_place() {
        let tree = tree_text::lines(TREE);
        let check = |json: Value, expected: &[&str]| {
            let hits: Vec<&str> =
                found(&tree, &target(json)).into_iter().filter_map(|at| tree[at].reference.as_deref()).collect();
            assert_eq!(hits, expected);
        };
        check(json!({"role": "button", "name": "Delete"}), &["ref_2", "ref_4"]);
        check(json!({"name": "Delet"}), &[]);
        check(json!({"role": "link", "name": "Delete"}), &[]);
        check(json!({"name": "Delete", "within": {"role": "row", "nameContains": "Elm"}}), &["ref_4"]);
        check(json!({"name": "Bank"}), &[]);
        check(json!({"nameContains": "Ban", "frame": ["#f"]}), &["ref_6"]);
    }

    #[test]
    fn a_line_is_wanted_once_or_not_at_all() {
        let tree = tree_text::lines(TREE);
        let fails = |json: Value| {
            let mut line = json;
            line["chromium"] = "same".into();
            tree_problem(&tree, &serde_json::from_value(line).unwrap(), 0).is_some()
        };
        assert!(!fails(json!({"role": "iframe", "name": "Pay", "present": true})));
        assert!(fails(json!({"role": "button", "name": "Delete", "present": true})));
        assert!(fails(json!({"role": "iframe", "name": "Pay", "present": false})));
        assert!(!fails(json!({"role": "link", "name": "Pay", "present": false})));
        assert!(!fails(json!({"role": "checkbox", "name": "Fast", "checked": "false", "present": true})));
        assert!(fails(json!({"role": "checkbox", "name": "Fast", "checked": "true", "present": true})));
    }
}
