//! Pages that extensions may not touch.

use crate::read_tree;
use webbrain_e2e::{Browser, ModelServer, Turn, both};

both! {
    async fn a_browser_page_gets_a_clear_message(s: &Session) -> Result<()> {
        // Whether the model is asked at all is left open: what counts is what the user sees.
        let model = ModelServer::start(vec![read_tree(), Turn::text("I cannot see this page.")]).await?;
        s.use_open_ai_at(&model.base_url()).await?;
        let address = match s.browser {
            Browser::Chrome => "chrome://version/",
            Browser::Firefox => "about:support",
        };
        let page = s.open_page(address).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("what is on this page?").await?;
        let view = panel.wait_view("the run to end", |v| ["done", "partial", "failed"].contains(&v.status.as_str())).await?;
        let said = view.notices.iter().chain(&view.error).any(|text| text.len() > 20);
        assert!(said, "the panel says that this page cannot be read: {view:#?}");
        for step in &view.steps {
            assert_eq!(step.status, "error", "{step:?}");
        }
        // And the same tab works once it shows an ordinary page.
        model.add([Turn::text("An article.")]);
        page.goto(&s.fixtures.url("plain.html")).await?;
        panel.send("and now?").await?;
        panel.wait_status("done").await?;
        Ok(())
    }

    async fn a_pdf_is_said_to_be_one(s: &Session) -> Result<()> {
        s.scripted(vec![read_tree(), Turn::text("It is a PDF.").expect_last("This tab shows a PDF")]).await?;
        let page = s.open_page(&s.fixtures.url("leaflet.pdf")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("ask").await?;
        panel.send("what does it say?").await?;
        let view = panel.wait_status("done").await?;
        assert_eq!(view.steps[0].status, "error", "{view:?}");
        Ok(())
    }
}
