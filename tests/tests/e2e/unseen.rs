//! What no user could see is not given to the model as the page's text, and what everyone can see is.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Turn, both};

const SEEN: [&str; 5] = ["White on a picture", "Light on dark", "Gradient letters", "Plain words", "A bar that stays"];

both! {
    async fn text_that_nobody_sees_is_counted(s: &Session) -> Result<()> {
        s.scripted(vec![
            read_tree(),
            Turn::call("get_accessibility_tree", json!({"filter": "all", "includeHidden": true}))
                .expect("everything that is seen", |r| SEEN.iter().all(|text| r.last_result().contains(text)))
                .expect_last_without("UNSEEN")
                .expect_last("left out here: 9 texts"),
            Turn::call("read_page", json!({"includeChrome": true}))
                .expect("all nine, marked", |r| {
                    (1..=9).all(|n| r.last_result().contains(&format!("text \"UNSEEN-{n}\" hidden")))
                }),
            Turn::text("Read.").expect_last_without("UNSEEN").expect_last("Light on dark"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("unseen.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("what does it say?").await?;
        panel.wait_status("done").await?;
        Ok(())
    }
}
