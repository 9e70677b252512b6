//! A page that the agent does not work on has nothing of the extension, and a page that it has left neither.

use crate::read_tree;
use serde_json::{Value, json};
use webbrain_e2e::{Result, TabHandle, Turn, both};

/// What scripts of the page can see: its nodes, and the names on `window`. The drivers' own names are left out.
async fn visible(page: &TabHandle<'_>) -> Result<Value> {
    page.eval(
        "[document.documentElement.outerHTML, Object.getOwnPropertyNames(window).filter((n) => !/^(cdc_|ret_nodes$|\\$|\\d+$)/.test(n)).sort(),
          document.adoptedStyleSheets.length]",
    )
    .await
}

both! {
    async fn nothing_before_a_run_and_nothing_after(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("click_ax", &["button"], "Vote", json!({})),
            Turn::done("Voted.", "success"),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("counter.html")).await?;
        let before = visible(&page).await?;
        let source = page
            .eval("(() => { const r = new XMLHttpRequest(); r.open('GET', location.href, false); r.send(); return new DOMParser().parseFromString(r.responseText, 'text/html').documentElement.outerHTML; })()")
            .await?;
        assert_eq!(before[0], source, "an idle page is as it was served");

        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("vote").await?;
        panel.wait_status("done").await?;
        // The page is told of the end after the panel is: wait for it.
        let expected = source.as_str().expect("text").replace("0 votes", "1 votes");
        page.wait_eval(&format!("document.documentElement.outerHTML === {}", webbrain_e2e::driver::js_text(&expected))).await?;
        let after = visible(&page).await?;
        assert_eq!(after[1], before[1], "no new name on window");
        assert_eq!(after[2], before[2], "no new style sheet");
        Ok(())
    }
}
