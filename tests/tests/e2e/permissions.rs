//! Capability x host: nothing is done to a site before the user has said so.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Turn, both};

fn vote() -> Turn {
    Turn::on_ref("click_ax", &["button"], "Vote", json!({}))
}

both! {
    async fn deny_leaves_the_page_alone_and_tells_the_model(s: &Session) -> Result<()> {
        s.scripted(vec![
            read_tree(),
            vote(),
            Turn::done("You did not want me to click.", "failed").expect_result_of("click_ax"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote").await?;
        panel.wait_card("card-permission").await?;
        panel.click("permission-deny").await?;
        let view = panel.wait_status("failed").await?;
        let click = view.steps.iter().find(|s| s.tool == "click_ax").expect("the click is shown");
        assert_eq!(click.status, "denied");
        assert!(s.fixtures.submissions("vote").is_empty());
        assert_eq!(page.text("#count").await?, "0 votes");
        Ok(())
    }

    async fn once_ends_with_the_message(s: &Session) -> Result<()> {
        s.scripted(vec![
            read_tree(),
            vote(),
            vote(),
            Turn::done("Two votes.", "success"),
            vote(),
            Turn::done("Three votes.", "success"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote twice").await?;
        let card = panel.wait_card("card-permission").await?;
        let host = s.fixtures.host(webbrain_e2e::Origin::Main);
        assert!(card.all.last().is_some_and(|last| last.text.contains(&host)), "the card names the host: {card:?}");
        panel.click("permission-once").await?;
        // The second click of the same message is not asked for: without an answer it still gets done.
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 2);
        panel.send("vote again").await?;
        panel.wait_card("card-permission").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 2);
        panel.click("permission-once").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 3);
        let kept = s.storage_get("local", Some("wb_permissions")).await?;
        assert!(kept.is_null() || kept == json!([]), "{kept}");
        Ok(())
    }

    async fn a_grant_for_one_host_says_nothing_about_another(s: &Session) -> Result<()> {
        use webbrain_e2e::Origin;
        let host = s.fixtures.host(Origin::Main);
        s.storage_set("local", &json!({"wb_permissions": [
            {"capability": "click", "host": host, "action": "allow", "duration": "always", "ts": 1}]})).await?;
        s.scripted(vec![read_tree(), vote(), Turn::done("Voted.", "success")]).await?;
        let page = s.open_page(&s.fixtures.url_on(Origin::SecondPort, "counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote").await?;
        panel.wait_card("card-permission").await?;
        assert!(s.fixtures.submissions("vote").is_empty());
        panel.click("permission-once").await?;
        panel.wait_status("done").await?;
        Ok(())
    }

    async fn a_page_that_went_elsewhere_is_not_acted_on(s: &Session) -> Result<()> {
        use webbrain_e2e::{Gate, Origin};
        let host = s.fixtures.host(Origin::Main);
        s.storage_set("local", &json!({"wb_permissions": [
            {"capability": "click", "host": host, "action": "allow", "duration": "always", "ts": 1},
            {"capability": "type", "host": host, "action": "allow", "duration": "always", "ts": 1}]})).await?;
        let gate = Gate::new();
        let enter = || Turn::call("press_keys", json!({"key": "Enter"}));
        s.scripted(vec![
            read_tree(),
            enter().after(&gate),
            enter().expect_last("gone to another site"),
            Turn::done("You did not want me to.", "failed"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("press Enter").await?;
        gate.reached(1).await?;
        // While the model thinks, the tab goes to a site that nothing was allowed on.
        page.goto(&s.fixtures.url_on(Origin::Localhost, "counter.html")).await?;
        page.eval("document.getElementById('vote').focus(), true").await?;
        gate.open();
        let card = panel.wait_card("card-permission").await?;
        let there = s.fixtures.host(Origin::Localhost);
        assert!(card.all.last().is_some_and(|last| last.text.contains(&there)), "the card names the new host: {card:?}");
        panel.click("permission-deny").await?;
        let view = panel.wait_status("failed").await?;
        assert_eq!(view.steps[1].status, "error", "{:?}", view.steps);
        assert!(s.fixtures.submissions("vote").is_empty(), "a key went to the wrong site");
        Ok(())
    }

    async fn a_one_time_code_is_asked_for_by_itself_and_never_shown(s: &Session) -> Result<()> {
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("set_field", &["textbox"], "Message", json!({"text": "Dear all"})),
            Turn::on_ref("set_field", &["textbox"], "Message", json!({"text": "Dear friends"})),
            Turn::on_ref("set_field", &["textbox"], "Code from your phone", json!({"text": "480216"})),
            Turn::done("You did not want me to.", "failed"),
        ])
        .await?;
        s.fixtures.gate("typing").open();
        let page = s.open_page(&s.fixtures.url("hold.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("write the letter").await?;
        let card = panel.wait_card("card-permission").await?;
        assert!(card.all.last().is_some_and(|last| last.text.contains("Message")), "the card names the field: {card:?}");
        panel.click("permission-once").await?;
        // The second text is covered by that; the code is not.
        panel.wait_view("the code's card", |v| v.steps.len() == 4 && v.cards.iter().any(|c| c == "card-permission")).await?;
        let shown = panel.eval("document.documentElement.outerHTML").await?.to_string();
        assert!(shown.contains("Code from your phone") && !shown.contains("480216"), "the panel shows the code");
        panel.click("permission-deny").await?;
        panel.wait_status("failed").await?;
        assert_eq!(page.eval("document.querySelector('[name=code]').value").await?, json!(""));
        Ok(())
    }
}
