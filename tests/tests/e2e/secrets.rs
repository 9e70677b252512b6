//! The API key is seen in one place only: the header that it is for.

use crate::read_tree;
use serde_json::{Value, json};
use webbrain_e2e::driver::API_KEY;
use webbrain_e2e::{Turn, both};

both! {
    async fn the_key_is_in_the_header_and_nowhere_else(s: &Session) -> Result<()> {
        // A server that repeats the key in its error, as some do.
        let echo = json!({"error": {"message": format!("Incorrect API key provided: {API_KEY}.")}});
        let model = s.scripted(vec![read_tree(), Turn::status(400, echo), Turn::text("An article.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("what is this?").await?;
        panel.wait_card("card-error").await?;
        let shown = panel.eval("document.documentElement.outerHTML").await?;
        assert!(!shown.to_string().contains(API_KEY), "the panel shows the key");
        panel.click("retry").await?;
        let done = panel.wait_view("the answer", |v| v.status == "done").await?;
        assert_eq!(done.assistant.last().map(String::as_str), Some("An article."));

        for recorded in model.requests() {
            let request = &recorded.request;
            assert!(!request.body.to_string().contains(API_KEY), "in a body");
            for (name, value) in &request.headers {
                assert!(!value.contains(API_KEY) || name == "authorization", "in the header {name}");
            }
            assert_eq!(request.header("authorization"), Some(format!("Bearer {API_KEY}").as_str()));
        }
        let session = s.storage_get("session", None).await?;
        assert!(!session.to_string().contains(API_KEY), "in storage.session");
        let mut local = s.storage_get("local", None).await?;
        local.as_object_mut().and_then(|all| all.remove("providers"));
        assert!(!local.to_string().contains(API_KEY), "in storage.local outside of providers");
        assert!(!page.eval("document.documentElement.outerHTML").await?.to_string().contains(API_KEY));
        let seen: Value = json!(s.fixtures.all_submissions().iter().map(|x| x.body.clone()).collect::<Vec<_>>());
        assert!(!seen.to_string().contains(API_KEY));
        Ok(())
    }
}
