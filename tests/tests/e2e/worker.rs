//! Chrome ends a service worker whenever it likes. Nothing may be lost by it, and nothing done twice.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Answer, Gate, Turn, only};

only! { chrome, Chrome,
    async fn killed_in_the_middle_of_an_answer(s: &Session) -> Result<()> {
        let gate = Gate::new();
        let model = s
            .scripted(vec![
                read_tree(),
                Turn::answer(Answer::text("The lamp was ").then_stall(&gate)),
                Turn::text("The lamp was first lit in 1874."),
            ])
            .await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("when was the lamp lit?").await?;
        gate.reached(1).await?;
        panel.wait_view("the piece", |v| v.assistant.iter().any(|t| t.contains("The lamp was"))).await?;
        s.kill_service_worker().await?;
        // The panel wakes it; the lost call is made again, word for word.
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant, ["The lamp was first lit in 1874."]);
        assert_eq!((view.user.len(), view.steps.len()), (1, 1));
        let requests = model.requests();
        assert_eq!(requests.len(), 3);
        assert_eq!(requests[1].request.body, requests[2].request.body);
        Ok(())
    }

    async fn killed_while_no_panel_is_open(s: &Session) -> Result<()> {
        let gate = Gate::new();
        s.scripted(vec![Turn::answer(Answer::text("Half ").then_stall(&gate)), Turn::text("Whole.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("say it").await?;
        gate.reached(1).await?;
        panel.close().await?;
        s.kill_service_worker().await?;
        let panel = s.open_panel(&page).await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant, ["Whole."]);
        Ok(())
    }

    async fn killed_after_a_click_left(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        let model = s
            .scripted(vec![
                read_tree(),
                Turn::on_ref("click_ax", &["button"], "Vote", json!({})),
                read_tree().expect("the click has a result, known or unknown", |r| r.last_result_tool() == Some("click_ax")),
                Turn::done("One vote.", "success").expect_last("1 votes"),
            ])
            .await?;
        let page = s.open_page(&s.fixtures.url("counter.html?hold")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote").await?;
        // The page's handler is running: the click is out, its outcome not yet back.
        let hold = s.fixtures.gate("vote");
        hold.reached(1).await?;
        s.kill_service_worker().await?;
        hold.open();
        let view = panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 1, "the click was made exactly once");
        let click = view.steps.iter().find(|step| step.tool == "click_ax").expect("the click is shown");
        assert!(click.status == "unknown" || click.status == "ok", "{click:?}");
        assert_eq!(model.requests().len(), 4);
        Ok(())
    }

    async fn killed_while_a_card_waits(s: &Session) -> Result<()> {
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("click_ax", &["button"], "Vote", json!({})),
            Turn::done("Voted.", "success").expect_result_of("click_ax"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote").await?;
        panel.wait_card("card-permission").await?;
        s.kill_service_worker().await?;
        panel.click("permission-once").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("vote").len(), 1);
        Ok(())
    }
}
