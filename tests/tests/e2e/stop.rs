//! Stop means stop: what a tool has not done yet when the user presses it is never done.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Result, TabHandle, Turn, both};

/// Waits until the page has been left alone for a good while after the run's end.
async fn quiet(page: &TabHandle<'_>) -> Result<()> {
    page.wait_eval("!document.querySelector('[popover]')").await?;
    let now = page.eval("performance.now()").await?.as_f64().unwrap_or_default();
    page.wait_eval(&format!("performance.now() > {}", now + 1_500.0)).await
}

both! {
    async fn a_form_that_is_being_filled_is_not_submitted(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("set_field", &["textbox"], "Message", json!({"text": "Dear all", "submit": true})),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("hold.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("write the letter").await?;
        let hold = s.fixtures.gate("typing");
        hold.reached(1).await?;
        panel.click("stop").await?;
        panel.wait_status("stopped").await?;
        hold.open();
        quiet(&page).await?;
        assert!(s.fixtures.submissions("letter").is_empty(), "submitted after Stop");
        assert!(page.url().await?.ends_with("/hold.html"));
        Ok(())
    }
}

// Firefox answers for a page that waits for a request of its own, so there the navigation is out before Stop.
mod busy {
    use super::quiet;
    use crate::read_tree;
    use serde_json::json;
    use webbrain_e2e::{Gate, Turn, only};

    only! { chrome, Chrome,
        async fn a_navigation_that_waits_for_the_page_does_not_happen(s: &Session) -> Result<()> {
            s.grant_everything().await?;
            let gate = Gate::new();
            s.scripted(vec![read_tree(), Turn::call("navigate", json!({"url": "/plain.html"})).after(&gate)]).await?;
            let page = s.open_page(&s.fixtures.url("hold.html?busy")).await?;
            let panel = s.open_panel(&page).await?;
            panel.set_mode("act").await?;
            panel.send("go to the article").await?;
            gate.reached(1).await?;
            // Before it leaves, the page is asked whether that loses anything. It does not answer.
            s.fixtures.gate("start").open();
            let hold = s.fixtures.gate("busy");
            hold.reached(1).await?;
            gate.open();
            panel.wait_view("the navigation to begin", |v| v.steps.iter().any(|s| s.tool == "navigate")).await?;
            panel.click("stop").await?;
            panel.wait_status("stopped").await?;
            hold.open();
            quiet(&page).await?;
            assert!(!s.fixtures.fetched().contains(&"plain.html".to_owned()), "left after Stop");
            Ok(())
        }
    }
}
