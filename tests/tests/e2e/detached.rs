//! A run belongs to the background: panels come and go. It ends when it is done, when the user says so, or when its tab goes.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Answer, Gate, Turn, both};

const FIRST: &str = "The first **half**, ";
const WHOLE: &str = "The first half, and the second half.";

fn halves(gate: &Gate) -> Turn {
    Turn::answer(Answer::text(FIRST).then_stall(gate).then_text("and the second half."))
}

both! {
    async fn a_reopened_panel_shows_everything_once(s: &Session) -> Result<()> {
        let gate = Gate::new();
        let model = s.scripted(vec![read_tree(), halves(&gate)]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("tell me").await?;
        gate.reached(1).await?;
        panel.wait_view("the first half", |v| v.assistant.iter().any(|t| t.contains("first half"))).await?;
        panel.close().await?;

        let panel = s.open_panel(&page).await?;
        let view = panel.wait_view("the first half again", |v| v.assistant.iter().any(|t| t.contains("first half"))).await?;
        assert_eq!((view.user.as_slice(), view.steps.len()), ([String::from("tell me")].as_slice(), 1));
        assert_eq!(view.assistant.join("|").matches("first half").count(), 1, "{:?}", view.assistant);
        assert_eq!(view.status, "running");
        panel.reload().await?;
        gate.open();
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant, [WHOLE]);
        assert_eq!((view.user.len(), view.steps.len()), (1, 1));
        // Neither stopped nor started again.
        let requests = model.requests();
        assert_eq!(requests.len(), 2);
        assert!(requests.iter().all(|r| !r.abandoned));
        Ok(())
    }

    async fn a_run_ends_without_any_panel(s: &Session) -> Result<()> {
        let gate = Gate::new();
        let model = s.scripted(vec![halves(&gate), read_tree(), Turn::text("Second answer.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("tell me").await?;
        gate.reached(1).await?;
        panel.close().await?;
        gate.open();
        webbrain_e2e::wait::until_true("the answer to be sent", async || Ok(model.requests()[0].answered)).await?;
        let panel = s.open_panel(&page).await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant, [WHOLE]);
        // The conversation goes on where it was.
        panel.send("and now?").await?;
        panel.wait_status("done").await?;
        let last = &model.requests()[2].request;
        assert!(last.messages.iter().any(|m| m.role == "assistant" && m.text.contains("and the second half")), "{last:?}");
        Ok(())
    }

    async fn stop_in_the_panel_stops(s: &Session) -> Result<()> {
        let gate = Gate::new();
        let model = s.scripted(vec![read_tree(), halves(&gate), Turn::text("Afterwards.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("tell me").await?;
        gate.reached(1).await?;
        panel.wait_view("the first half", |v| v.assistant.iter().any(|t| t.contains("first half"))).await?;
        panel.click("stop").await?;
        let view = panel.wait_status("stopped").await?;
        model.wait_abandoned(2).await?;
        // What was said stays, and the next message works.
        assert!(view.assistant.iter().any(|t| t.contains("first half")), "{view:?}");
        panel.send("go on").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(view.assistant.last().map(String::as_str), Some("Afterwards."));
        assert_eq!(model.requests().len(), 3);
        Ok(())
    }

    async fn the_pages_own_stop_button_stops(s: &Session) -> Result<()> {
        let gate = Gate::new();
        let model = s.scripted(vec![read_tree(), halves(&gate)]).await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("watch it").await?;
        gate.reached(1).await?;
        // A page cannot press it: its clicks are not the user's.
        page.eval("document.querySelectorAll('[popover]').forEach((e) => e.click())").await?;
        let size = page.eval("[innerWidth, innerHeight]").await?;
        let at = |n: usize| size[n].as_i64().expect("a viewport has a size");
        assert_eq!(panel.view().await?.status, "running");
        page.press_at(at(0) / 2, at(1) - 34).await?;
        panel.wait_status("stopped").await?;
        model.wait_abandoned(2).await?;
        page.wait_eval("!document.querySelector('[popover]')").await?;
        assert!(s.fixtures.submissions("vote").is_empty());
        Ok(())
    }

    async fn stop_at_a_permission_card_leaves_the_page_alone(s: &Session) -> Result<()> {
        let model = s.scripted(vec![read_tree(), Turn::on_ref("click_ax", &["button"], "Vote", json!({}))]).await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote").await?;
        panel.wait_card("card-permission").await?;
        panel.click("stop").await?;
        let view = panel.wait_status("stopped").await?;
        assert!(view.cards.is_empty(), "{view:?}");
        assert!(s.fixtures.submissions("vote").is_empty());
        assert_eq!(model.requests().len(), 2);
        Ok(())
    }

    async fn a_closed_tab_ends_its_run(s: &Session) -> Result<()> {
        let gate = Gate::new();
        let model = s.scripted(vec![read_tree(), halves(&gate), Turn::text("Here.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("tell me").await?;
        gate.reached(1).await?;
        page.close().await?;
        model.wait_abandoned(2).await?;
        let view = panel.wait_view("the run to end", |v| v.status != "running" && v.status != "waiting").await?;
        assert_ne!(view.status, "done", "{view:?}");
        // The panel shows how it ended; storage, which has little room, keeps nothing of a tab that is gone.
        webbrain_e2e::wait::until_true("the tab's records to be gone", async || {
            let kept = s.storage_get("session", None).await?;
            let of_tab = |key: &String| key.split(':').nth(1) == Some(page.tab_id.to_string().as_str());
            Ok(!kept.as_object().is_some_and(|all| all.keys().any(of_tab)))
        })
        .await?;
        // Another tab is not touched by that.
        let other = s.open_page(&s.fixtures.url("nav-a.html")).await?;
        let second = s.open_panel(&other).await?;
        second.send("where am I?").await?;
        let view = second.wait_status("done").await?;
        assert_eq!(view.assistant, ["Here."]);
        assert_eq!(view.user, ["where am I?"]);
        Ok(())
    }

    async fn two_tabs_run_apart(s: &Session) -> Result<()> {
        let gate = Gate::new();
        s.scripted(vec![halves(&gate), Turn::text("The other tab.").expect_last("second")]).await?;
        let a = s.open_page(&s.fixtures.url("plain.html")).await?;
        let b = s.open_page(&s.fixtures.url("nav-a.html")).await?;
        let (first, second) = (s.open_panel(&a).await?, s.open_panel(&b).await?);
        first.send("first").await?;
        gate.reached(1).await?;
        second.send("second").await?;
        let view = second.wait_status("done").await?;
        assert_eq!((view.user, view.assistant), (vec!["second".to_owned()], vec!["The other tab.".to_owned()]));
        gate.open();
        let view = first.wait_status("done").await?;
        assert_eq!((view.user, view.assistant), (vec!["first".to_owned()], vec![WHOLE.to_owned()]));
        Ok(())
    }
}
