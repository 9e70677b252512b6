//! The built-in interpreter: no key, no server, no network.

use serde_json::json;
use webbrain_e2e::both;

both! {
    async fn three_steps_without_any_model(s: &Session) -> Result<()> {
        // Nothing is set up: this is what a new user has.
        s.grant_everything().await?;
        let page = s.open_page(&s.fixtures.url("survey.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("type Ada Lovelace into Full name then choose Blue in Colour then click Send").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("survey"), [json!({"name": "Ada Lovelace", "colour": "Blue"})]);
        page.wait_eval("location.pathname === '/received.html'").await?;
        let acted: Vec<&str> = view.steps.iter().filter(|s| s.status == "ok").map(|s| s.tool.as_str()).collect();
        assert!(acted.contains(&"click_ax"), "{:?}", view.steps);
        Ok(())
    }

    async fn what_it_does_not_understand_it_says(s: &Session) -> Result<()> {
        let page = s.open_page(&s.fixtures.url("survey.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("ponder the futility of lighthouses").await?;
        let view = panel.wait_view("the run to end", |v| ["done", "partial", "failed"].contains(&v.status.as_str())).await?;
        assert!(view.assistant.iter().any(|t| !t.is_empty()) || view.error.is_some(), "{view:?}");
        assert!(s.fixtures.submissions("survey").is_empty());
        Ok(())
    }

    async fn it_asks_before_acting_too(s: &Session) -> Result<()> {
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("click Vote").await?;
        panel.wait_card("card-permission").await?;
        assert!(s.fixtures.submissions("vote").is_empty());
        panel.click("permission-once").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 1);
        Ok(())
    }

    async fn a_provider_that_was_removed_is_replaced_by_it(s: &Session) -> Result<()> {
        s.storage_set("local", &json!({"providers": {}, "activeProvider": "mine_1"})).await?;
        s.grant_everything().await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("click Vote").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 1);
        Ok(())
    }
}
