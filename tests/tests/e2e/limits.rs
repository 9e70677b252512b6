//! Where a run stops to ask: the step limit, and questions of the model.

use serde_json::json;
use webbrain_e2e::{Turn, both};

both! {
    async fn the_step_limit_asks_and_goes_on(s: &Session) -> Result<()> {
        s.storage_set("local", &json!({"maxAgentSteps": 5})).await?;
        let model = s
            .scripted(vec![
                Turn::call("get_accessibility_tree", json!({"filter": "all"})),
                Turn::call("read_page", json!({})),
                Turn::call("extract_data", json!({"type": "headings"})),
                Turn::call("get_selection", json!({})),
                Turn::call("scroll", json!({"direction": "down"})),
                Turn::done("Read all of it.", "success"),
            ])
            .await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("study the page").await?;
        panel.wait_card("card-continue").await?;
        assert_eq!(model.requests().len(), 5);
        panel.click("continue").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(model.requests().len(), 6);
        assert_eq!(view.user.len(), 1);
        Ok(())
    }

    async fn a_question_is_answered_by_choice_and_by_words(s: &Session) -> Result<()> {
        s.scripted(vec![
            Turn::call("clarify", json!({"question": "Which branch?", "options": ["Central", "North Quay"]})),
            Turn::call("clarify", json!({"question": "Under which name?"})).expect_result_of("clarify").expect_last("North Quay"),
            Turn::done("North Quay for Ada.", "success").expect_last("Ada Lovelace"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("nav-b.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("get me a library card").await?;
        let view = panel.wait_card("card-clarify").await?;
        assert_eq!(view.status, "waiting");
        // The last option is the second one.
        panel.click("clarify-option").await?;
        panel
            .wait_view("the second question", |v| {
                v.cards.iter().any(|c| c == "card-clarify") && v.all.last().is_some_and(|l| l.text.contains("Under which name?"))
            })
            .await?;
        panel.wait_for("clarify-text").await?.send_keys("Ada Lovelace").await?;
        panel.click("clarify-send").await?;
        panel.wait_status("done").await?;
        Ok(())
    }
}
