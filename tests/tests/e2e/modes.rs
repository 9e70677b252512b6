//! Ask reads and answers. It never acts, whatever the model says.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Answer, Turn, both};

both! {
    async fn ask_never_acts(s: &Session) -> Result<()> {
        // Even with every permission given beforehand.
        s.grant_everything().await?;
        let elsewhere = s.fixtures.url("plain.html");
        let everything = Turn::with(move |request| {
            let vote = request.need_ref(&["button"], "Vote")?;
            Ok(Answer::call("click_ax", json!({"ref_id": vote}))
                .then_call("press_keys", json!({"key": "Enter"}))
                .then_call("navigate", json!({"url": elsewhere}))
                .then_call("new_tab", json!({"url": elsewhere}))
                .then_call("set_field", json!({"ref_id": vote, "text": "x"}))
                .then_call("type_ax", json!({"ref_id": vote, "text": "x"})))
        });
        let first = ["click_ax", "press_keys", "navigate", "new_tab", "set_field", "type_ax", "go_back", "go_forward"]
            .into_iter()
            .fold(read_tree(), Turn::expect_no_tool);
        s.scripted(vec![first, everything, Turn::text("There are 0 votes.")]).await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        let tabs = s.tab_ids().await?;
        panel.send("how many votes are there?").await?;
        let view = panel.wait_status("done").await?;

        assert!(s.fixtures.submissions("vote").is_empty());
        assert_eq!(page.text("#count").await?, "0 votes");
        assert!(page.url().await?.ends_with("/counter.html"));
        assert_eq!(s.tab_ids().await?, tabs);
        for step in view.steps.iter().filter(|step| step.tool != "get_accessibility_tree") {
            assert!(step.status == "error" || step.status == "denied", "{step:?}");
        }
        assert_eq!(view.assistant.last().map(String::as_str), Some("There are 0 votes."));
        Ok(())
    }

    async fn the_mode_counts_from_message_to_message(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            Turn::text("Ask.").expect_no_tool("click_ax"),
            Turn::done("Act.", "success").expect_tool("click_ax"),
            Turn::text("Ask again.").expect_no_tool("click_ax").expect_no_tool("done"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        for (mode, text) in [("ask", "one"), ("act", "two"), ("ask", "three")] {
            panel.set_mode(mode).await?;
            panel.send(text).await?;
            panel.wait_status("done").await?;
        }
        Ok(())
    }
}
