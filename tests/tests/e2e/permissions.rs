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
}
