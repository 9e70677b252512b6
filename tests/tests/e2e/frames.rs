//! Frames of other origins: read in place, acted on by their refs, charged to their own host.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Answer, Origin, Turn, both};
use webbrain_protocol::{Capability, Decision, Grant};

/// The part of a tree below the line that starts with `head`.
fn below(tree: &str, head: &str) -> Option<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = tree.lines().skip_while(|line| !line.trim_start().starts_with(head));
    let own = indent(lines.next()?);
    Some(lines.take_while(|line| indent(line) > own).collect::<Vec<_>>().join("\n"))
}

fn ref_below(tree: &str, frame: &str, role: &str, name: &str) -> Result<String, String> {
    below(tree, &format!("iframe \"{frame}\""))
        .and_then(|part| webbrain_e2e::find_ref(&part, role, name))
        .ok_or_else(|| format!("no {role} {name:?} below {frame:?} in\n{tree}"))
}

/// The first reading of the page.
fn whole_tree(request: &webbrain_e2e::ModelRequest) -> String {
    request.results().find(|text| text.contains("iframe \"First copy\"")).unwrap_or_default().to_owned()
}

both! {
    async fn every_frame_is_read_in_its_place(s: &Session) -> Result<()> {
        s.scripted(vec![
            read_tree(),
            Turn::text("Read.").expect("each frame's own part", |r| {
                let tree = r.last_result();
                let has = |frame: &str, name: &str| ref_below(tree, frame, "button", name).is_ok();
                let numbers: Vec<&str> = tree.split("[ref_").skip(1).filter_map(|p| p.split(']').next()).collect();
                let distinct: std::collections::BTreeSet<&&str> = numbers.iter().collect();
                has("First copy", "Pay")
                    && has("Second copy", "Pay")
                    && has("Nested", "Nested")
                    && ref_below(tree, "Wrapper", "button", "Nested").is_ok()
                    && has("Sandbox", "Sandboxed")
                    && has("In a shadow tree", "Shadow")
                    && !tree.contains("unread")
                    && numbers.len() == distinct.len()
            }),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("frames.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("what is there?").await?;
        panel.wait_status("done").await?;
        Ok(())
    }

    async fn refs_reach_into_frames(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            Turn::with(|r| {
                let note = ref_below(r.last_result(), "Second copy", "textbox", "Note")?;
                Ok(Answer::call("set_field", json!({"ref_id": note, "text": "hello"})))
            }),
            Turn::with(|r| {
                let tree = whole_tree(r);
                let pay = ref_below(&tree, "Second copy", "button", "Pay")?;
                let nested = ref_below(&tree, "Nested", "button", "Nested")?;
                let sandboxed = ref_below(&tree, "Sandbox", "button", "Sandboxed")?;
                let shadow = ref_below(&tree, "In a shadow tree", "button", "Shadow")?;
                let around = webbrain_e2e::find_ref(&tree, "button", "Around").ok_or("no Around")?;
                let click = |reference: String| ("click_ax", json!({"ref_id": reference}));
                let mut answer = Answer::text("");
                for (tool, args) in [pay, nested, sandboxed, shadow, around].map(click) {
                    answer = answer.then_call(tool, args);
                }
                Ok(answer)
            }),
            // The frame alone, by its own ref; and what it shows after a link in it was followed.
            Turn::with(|r| {
                let tree = whole_tree(r);
                let link = ref_below(&tree, "First copy", "link", "Later")?;
                Ok(Answer::call("click_ax", json!({"ref_id": link})))
            }),
            Turn::on_ref("get_accessibility_tree", &["iframe"], "First copy", json!({"filter": "all"})),
            Turn::on_ref("click_ax", &["button"], "Later", json!({})),
            Turn::done("Clicked.", "success"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("frames.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("press them").await?;
        panel.wait_status("done").await?;
        let log = page.text("#log").await?;
        assert_eq!(log, "Pay hello in copy 2;Nested ;sandboxed;Shadow ;around;Later in copy 1;".replace("Later in", "Later  in"));
        Ok(())
    }

    async fn a_frame_is_charged_to_its_own_host(s: &Session) -> Result<()> {
        // Everything is allowed around the frame, nothing in it.
        let host = s.fixtures.host(Origin::Main);
        let grant = Grant { capability: Capability::Click, host, action: webbrain_protocol::permission::Action::Allow, duration: Decision::Always, ts: 1 };
        s.storage_set("local", &json!({"wb_permissions": [grant]})).await?;
        s.scripted(vec![
            read_tree(),
            Turn::with(|r| {
                let pay = ref_below(r.last_result(), "First copy", "button", "Pay")?;
                Ok(Answer::call("click_ax", json!({"ref_id": pay})))
            }),
            Turn::done("You did not want that.", "failed").expect_result_of("click_ax"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("frames.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("pay").await?;
        let view = panel.wait_card("card-permission").await?;
        let frame_host = s.fixtures.host(Origin::Localhost);
        assert!(view.all.last().is_some_and(|last| last.text.contains(&frame_host)), "{view:?}");
        panel.click("permission-deny").await?;
        panel.wait_status("failed").await?;
        assert_eq!(page.text("#log").await?, "");
        Ok(())
    }
}
