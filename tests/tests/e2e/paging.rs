//! Long pages, page by page.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Turn, both};

fn page(number: u32) -> Turn {
    Turn::call("get_accessibility_tree", json!({"filter": "all", "page": number}))
}

both! {
    async fn a_page_of_what_is_no_longer_there_begins_again(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            page(2).expect_last("As it was"),
            Turn::on_ref("click_ax", &["button"], "Change", json!({}))
                .expect_last("[page 2 of ")
                .expect_last_without("has changed"),
            page(3),
            page(2).expect_last("[what the earlier pages showed has changed").expect_last("As it is now"),
            Turn::done("Read.", "success").expect_last("[page 2 of ").expect_last_without("has changed"),
        ])
        .await?;
        let tab = s.open_page(&s.fixtures.url("long.html")).await?;
        let panel = s.open_panel(&tab).await?;
        panel.set_mode("act").await?;
        panel.send("read it all").await?;
        panel.wait_status("done").await?;
        Ok(())
    }
}
