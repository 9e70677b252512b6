//! Work that goes over several pages.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Answer, Turn, both};

both! {
    async fn a_form_is_filled_across_pages(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("click_ax", &["link"], "Start the application", json!({})),
            read_tree(),
            // A ref of the page before is a stranger here, whatever number it has.
            Turn::with(|request| {
                let first = request.results().next().unwrap_or_default();
                let old = webbrain_e2e::find_ref(first, "link", "Start the application").ok_or("no link on the first page")?;
                Ok(Answer::call("click_ax", json!({"ref_id": old})))
            })
            .expect_last("Your details"),
            Turn::on_ref("set_field", &["textbox"], "Full name", json!({"text": "Ada Lovelace"})),
            Turn::on_ref("set_field", &["combobox", "listbox"], "Branch", json!({"text": "North Quay"})),
            Turn::on_ref("click_ax", &["checkbox"], "Send me the newsletter", json!({})),
            Turn::on_ref("click_ax", &["button"], "Continue", json!({})),
            read_tree(),
            Turn::done("The card number is LC-2041.", "success").expect_last("LC-2041"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("nav-a.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("apply for a library card for Ada Lovelace at North Quay, with the newsletter").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(
            s.fixtures.submissions("application"),
            [json!({"name": "Ada Lovelace", "town": "", "branch": "n", "news": "yes"})]
        );
        assert!(page.url().await?.ends_with("/nav-c.html"));
        assert_eq!(view.steps[3].status, "error", "the stale ref: {:?}", view.steps[3]);
        Ok(())
    }

    async fn addresses_and_history(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            Turn::call("navigate", json!({"url": "/plain.html"})),
            Turn::call("go_back", json!({})).expect_last("plain.html"),
            Turn::call("go_forward", json!({})).expect_last("nav-a.html"),
            read_tree().expect_last("plain.html"),
            Turn::done("Back on the article.", "success").expect_last("The lighthouse at Point Amber"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("nav-a.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("open the article, go back, and forward again").await?;
        let view = panel.wait_status("done").await?;
        assert!(view.steps.iter().all(|step| step.status == "ok"), "{:?}", view.steps);
        assert!(page.url().await?.ends_with("/plain.html"));
        Ok(())
    }

    async fn a_new_tab_does_not_take_the_users_place(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            Turn::call("new_tab", json!({"url": s.fixtures.url("plain.html")})),
            read_tree(),
            Turn::done("Opened the article in a tab.", "success").expect_last("Apply for a library card"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("nav-a.html")).await?;
        let panel = s.open_panel(&page).await?;
        let before = s.tab_ids().await?;
        panel.set_mode("act").await?;
        panel.send("open the article in a new tab").await?;
        panel.wait_status("done").await?;
        let new: Vec<i32> = s.tab_ids().await?.into_iter().filter(|id| !before.contains(id)).collect();
        assert_eq!(new.len(), 1, "{new:?}");
        let found = s
            .extension(&format!("const t = await api.tabs.get({}); const o = await api.tabs.get({}); return [t.active, t.windowId === o.windowId, o.active];", new[0], page.tab_id))
            .await?;
        assert_eq!(found, json!([false, true, true]));
        Ok(())
    }

    async fn open_shadow_roots_are_part_of_the_page(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("set_field", &["textbox"], "Passenger", json!({"text": "Grace"})).expect_last("Ferry to Amber Island"),
            Turn::on_ref("click_ax", &["button"], "Book", json!({})),
            Turn::done("Booked.", "success"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("shadow.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("book a ticket for Grace").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.wait_submission("ticket", 1).await?, json!({"passenger": "Grace"}));
        Ok(())
    }

    async fn a_wait_ends_when_the_page_has_it(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        let model = s
            .scripted(vec![
                read_tree(),
                Turn::on_ref("click_ax", &["button"], "Load the report", json!({})),
                Turn::call("wait_for_element", json!({"selector": "#ready"})),
                Turn::call("read_page", json!({})),
                Turn::done("Sales rose by 12 percent.", "success").expect_last("Sales rose by 12 percent"),
            ])
            .await?;
        let page = s.open_page(&s.fixtures.url("slow.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("what does the report say?").await?;
        model.wait_request(3).await?;
        panel.wait_view("the wait to be shown", |v| v.steps.iter().any(|s| s.tool == "wait_for_element")).await?;
        s.fixtures.gate("report").open();
        panel.wait_status("done").await?;
        Ok(())
    }
}
