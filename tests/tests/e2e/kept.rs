//! Readings that are used again give what a fresh reading gives.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Answer, Turn, both};

/// Every kind of change of the fixture comes once, then some come again in another state.
const ROUNDS: u32 = 60;

/// Two readings in one answer: one that may be used again, and one whose options nobody asked for before.
fn both_ways(round: u32) -> Turn {
    Turn::with(move |_| {
        let fresh = json!({"filter": "all", "maxDepth": 100 + round});
        Ok(Answer::call("get_accessibility_tree", json!({"filter": "all"})).then_call("get_accessibility_tree", fresh))
    })
}

fn change(round: u32) -> Turn {
    Turn::with(move |request| {
        // The fence around each has its own id.
        let inside = |text: &str| text.lines().filter(|l| !l.contains("page_content")).collect::<Vec<_>>().join("\n");
        let results: Vec<String> = request.results().rev().take(2).map(inside).collect();
        if let (Some(fresh), Some(kept)) = (results.first(), results.get(1))
            && round > 0
            && fresh != kept
        {
            return Err(format!("round {round}: kept:\n{kept}\nfresh:\n{fresh}"));
        }
        let button = request.need_ref(&["button"], "Change")?;
        Ok(Answer::call("click_ax", json!({"ref_id": button})))
    })
}

both! {
    async fn a_kept_reading_is_what_a_fresh_one_would_be(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        let rounds = (0..ROUNDS).flat_map(|round| [change(round), both_ways(round)]);
        let turns = std::iter::once(read_tree()).chain(rounds).chain([change(ROUNDS), Turn::done("Changed.", "success")]);
        s.scripted(turns.collect()).await?;
        let tab = s.open_page(&s.fixtures.url("restless.html?seed=7")).await?;
        let panel = s.open_panel(&tab).await?;
        panel.set_mode("act").await?;
        panel.send("change it").await?;
        panel.wait_status("done").await?;
        Ok(())
    }
}
