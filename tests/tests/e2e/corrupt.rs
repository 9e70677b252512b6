//! Stored records that another version, a crash or a person has spoilt.

use crate::read_tree;
use serde_json::{Value, json};
use webbrain_e2e::{Browser, Turn, both};

both! {
    async fn spoilt_settings_do_not_break_anything(s: &Session) -> Result<()> {
        s.storage_set("local", &json!({
            "providers": 7, "activeProvider": {"a": 1}, "wb_permissions": "x", "maxAgentSteps": "many",
            "requestTimeoutMs": [], "themeMode": 3, "wbLocale": {}, "verboseMode": "?", "onboardingComplete": 9,
            "askBeforeConsequentialActions": "no",
        }))
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        // The gate fails closed: a grant list that cannot be read grants nothing.
        panel.send("click Vote").await?;
        panel.wait_card("card-permission").await?;
        assert!(s.fixtures.submissions("vote").is_empty());
        panel.click("permission-always").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 1);
        // And a provider that is set up now works.
        s.scripted(vec![read_tree(), Turn::text("One vote.")]).await?;
        panel.set_mode("ask").await?;
        panel.send("how many votes?").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant.last().map(String::as_str), Some("One vote."));
        Ok(())
    }

    async fn spoilt_run_records_do_not_break_anything(s: &Session) -> Result<()> {
        s.scripted(vec![Turn::text("First."), Turn::text("Second.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("one").await?;
        panel.wait_status("done").await?;
        panel.close().await?;
        // Everything that the run has left, whatever its name, and the names of the contract.
        let left = s.storage_get("session", None).await?;
        let mut spoilt: serde_json::Map<String, Value> =
            left.as_object().expect("an object").keys().map(|key| (key.clone(), json!({"v": -1, "x": ["garbage"]}))).collect();
        for prefix in ["agentConv:", "tabChat:", "runUi:"] {
            spoilt.insert(format!("{prefix}{}", page.tab_id), json!("garbage"));
        }
        s.storage_set("session", &Value::Object(spoilt)).await?;
        if s.browser == Browser::Chrome {
            s.kill_service_worker().await?;
        }
        let panel = s.open_panel(&page).await?;
        panel.send("two").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant.last().map(String::as_str), Some("Second."));
        Ok(())
    }
}
