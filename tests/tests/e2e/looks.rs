//! The tools that only look.

use serde_json::json;
use webbrain_e2e::{ModelRequest, Turn, both};

fn said(request: &ModelRequest, words: &[&str]) -> bool {
    words.iter().all(|word| request.last_result().contains(word))
}

both! {
    async fn text_controls_and_frames(s: &Session) -> Result<()> {
        s.scripted(vec![
            Turn::call("find_text", json!({"text": "near  THE end"})),
            Turn::call("find_text", json!({"text": "near the end", "matchCase": true}))
                .expect("the line", |r| said(r, &["Straße NEAR the end"])),
            Turn::call("get_interactive_elements", json!({}))
                .expect("nothing in that case", |r| said(r, &["is nowhere on the page"])),
            Turn::call("iframe_read", json!({"urlFilter": "nowhere"})).expect("numbered, in order", |r| {
                let text = r.last_result();
                let places = ["1. button \"First\" [ref_", "textbox \"Password\"", "button \"In the card\"", "button \"Last\""];
                places.map(|place| text.find(place)).windows(2).all(|two| two[0].is_some() && two[0] < two[1])
            }),
            Turn::text("Looked.").expect("no such frame", |r| said(r, &["No frame matches urlFilter"])),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("looks.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("look").await?;
        panel.wait_status("done").await?;
        let scrolled = page.eval("scrollY > 400").await?;
        assert_eq!(scrolled, json!(true), "the text that was found is scrolled to");
        Ok(())
    }

    async fn what_a_developer_asks(s: &Session) -> Result<()> {
        s.scripted(vec![
            Turn::call("get_shadow_dom", json!({})),
            Turn::call("shadow_dom_query", json!({"selector": ".inner"})).expect("both components", |r| {
                said(r, &["<x-card> shadow=open", "<x-vault> shadow=closed", "[ref_"])
            }),
            Turn::call("shadow_dom_query", json!({"selector": "["})).expect("both buttons", |r| {
                said(r, &["button \"In the card\" [ref_", "button \"In the vault\" [ref_"])
            }),
            Turn::call("read_page_source", json!({})).expect("a clear refusal", |r| said(r, &["is not a CSS selector"])),
            Turn::call("inspect_element_styles", json!({"selector": "#price"}))
                .expect("the source without the password", |r| {
                    said(r, &["<h1>Shop</h1>", "type=\"password\""]) && !r.last_result().contains("hunter2")
                }),
            Turn::call("get_frames", json!({})).expect("box, styles, rules", |r| {
                said(r, &["box: x ", "color: rgb(10, 20, 30)", "rules that match: 1", ".price {", "<body>"])
            }),
            Turn::done("Looked.", "success").expect("no frame", |r| said(r, &["0 frames in the page"])),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("looks.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("dev").await?;
        panel.send("look").await?;
        panel.wait_status("done").await?;
        Ok(())
    }

    async fn a_frame_is_chosen_by_its_address(s: &Session) -> Result<()> {
        s.scripted(vec![
            Turn::call("get_frames", json!({})),
            Turn::call("iframe_read", json!({"urlFilter": "/framed.html"}))
                .expect("frames in their frames", |r| said(r, &["6 frames in the page", "  frame http", "    frame http", "frame about:srcdoc"])),
            Turn::call("iframe_read", json!({"urlFilter": "name=Nested"}))
                .expect("candidates", |r| said(r, &["Several frames match", "matchIndex 1: "])),
            Turn::call("iframe_read", json!({"urlFilter": "localhost", "matchIndex": 0}))
                .expect("that frame alone", |r| said(r, &["button \"Nested\" [ref_"]) && !r.last_result().contains("Around")),
            Turn::done("Read.", "success").expect("a frame by its host", |r| said(r, &["textbox \"Note\" [ref_"])),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("frames.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("dev").await?;
        panel.send("look").await?;
        panel.wait_status("done").await?;
        Ok(())
    }
}
