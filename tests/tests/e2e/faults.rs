//! A model server that is down, wrong, or behaves badly: a clear message, nothing lost, and it works once the server does.

use serde_json::json;
use std::time::Duration;
use webbrain_e2e::answer::Piece;
use webbrain_e2e::driver::API_KEY;
use webbrain_e2e::panel::View;
use webbrain_e2e::wait::{Seen, until};
use webbrain_e2e::{Answer, ModelServer, Panel, Result, Split, Turn, both};

/// Lets the run come to its end, pressing Retry whenever it offers that.
async fn done_with_retries(panel: &Panel<'_>, text: &str) -> Result<View> {
    until("the run to be done after retries", async || {
        let view = panel.view().await?;
        if view.status == "done" && view.assistant.iter().any(|t| t == text) {
            return Ok(Seen::Ready(view));
        }
        if view.cards.iter().any(|card| card == "card-error") {
            panel.click("retry").await?;
        }
        Ok(Seen::NotYet(format!("{view:?}")))
    })
    .await
}

both! {
    async fn a_server_that_is_down_and_comes_up(s: &Session) -> Result<()> {
        let port = ModelServer::unused_port().await?;
        s.use_open_ai_at(&format!("http://127.0.0.1:{port}/v1")).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("are you there?").await?;
        let view = panel.wait_card("card-error").await?;
        let error = view.error.clone().unwrap_or_default();
        assert!(error.contains(&format!("127.0.0.1:{port}")), "the message names the server: {error}");
        assert_eq!((view.status.as_str(), view.user.as_slice()), ("failed", ["are you there?".to_owned()].as_slice()));
        let server = std::sync::Arc::new(ModelServer::start_on(port, vec![Turn::text("Yes.").expect_last("are you there?")]).await?);
        s.keep(&server);
        panel.click("retry").await?;
        let view = done_with_retries(&panel, "Yes.").await?;
        assert_eq!((view.user.len(), view.assistant.as_slice()), (1, ["Yes.".to_owned()].as_slice()));
        Ok(())
    }

    async fn retry_after_is_honoured(s: &Session) -> Result<()> {
        let model = s.scripted(vec![Turn::rate_limited(2), Turn::text("Now.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("quickly").await?;
        let view = done_with_retries(&panel, "Now.").await?;
        let requests = model.requests();
        assert_eq!((requests.len(), view.user.len()), (2, 1));
        let waited = requests[1].at - requests[0].at;
        assert!(waited >= Duration::from_millis(1_900), "it waited only {waited:?}");
        Ok(())
    }

    async fn passing_faults_lose_nothing(s: &Session) -> Result<()> {
        let faults: Vec<(&str, Turn)> = vec![
            ("500", Turn::status(500, json!({"error": {"message": "boom"}}))),
            ("cut", Turn::cut_after("Hel")),
            ("ended early", Turn::answer(Answer::text("Hel").then(Piece::End))),
            ("error in 200", Turn::answer(Answer::text("Hel").then(Piece::Error("The server is overloaded".into())))),
            ("cut in a tool call", Turn::answer(Answer::call("get_accessibility_tree", json!({"filter": "all"})).then(Piece::Cut))),
        ];
        let model = s.scripted(Vec::new()).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        let count = faults.len();
        for (index, (name, fault)) in faults.into_iter().enumerate() {
            let answer = format!("Recovered {index}.");
            model.add([fault, Turn::text(answer.clone())]);
            panel.send(name).await?;
            let view = done_with_retries(&panel, &answer).await?;
            assert_eq!(view.user.last().map(String::as_str), Some(name));
            // A broken half answer is not left standing beside the whole one.
            let answers: Vec<&str> = view.assistant.iter().map(String::as_str).filter(|t| *t != "Hel").collect();
            assert_eq!((answers.len(), view.assistant.len()), (index + 1, index + 1), "after {name}: {:?}", view.assistant);
        }
        assert_eq!(model.requests().len(), count * 2);
        // Tool calls of an answer that was cut were not run.
        assert!(panel.steps().await?.is_empty());
        Ok(())
    }

    async fn a_wrong_key_is_said_and_can_be_mended(s: &Session) -> Result<()> {
        let model = s.scripted(vec![Turn::text("Welcome.")]).await?;
        model.require_key(API_KEY);
        s.use_provider("custom", json!({"baseUrl": model.base_url(), "apiKey": "wrong", "model": "scripted"})).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("let me in").await?;
        let view = panel.wait_card("card-error").await?;
        let error = view.error.unwrap_or_default();
        assert!(error.to_lowercase().contains("key"), "the message is about the key: {error}");
        assert_eq!(model.requests().len(), 1, "a refused key is not tried again by itself");
        // New settings count from the next call on, without a reload.
        s.use_open_ai_at(&model.base_url()).await?;
        panel.click("retry").await?;
        let view = done_with_retries(&panel, "Welcome.").await?;
        assert_eq!(view.user.len(), 1);
        Ok(())
    }

    async fn wrong_addresses_are_said(s: &Session) -> Result<()> {
        let host = s.fixtures.host(webbrain_e2e::Origin::Main);
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        for base in [format!("http://{host}/html"), format!("http://{host}/nowhere"), "not an address".to_owned(), String::new()] {
            s.use_open_ai_at(&base).await?;
            let panel = s.open_panel(&page).await?;
            let before = panel.view().await?.user.len();
            panel.send(&format!("with {base:?}")).await?;
            let view = panel.wait_view("an error card for this message", |v| {
                v.status == "failed" && v.user.len() == before + 1 && v.all.last().is_some_and(|last| last.id == "card-error")
            });
            let view = view.await?;
            let error = view.error.unwrap_or_default();
            assert!(error.len() > 20 && !error.contains("<h1>"), "{base:?}: {error}");
            panel.close().await?;
        }
        Ok(())
    }

    async fn bytes_may_be_cut_anywhere(s: &Session) -> Result<()> {
        let text = "Größe: 5 € – naïve 日本語 🗼";
        let call = || Answer::text("Ich lese. ").then_call("get_accessibility_tree", json!({"filter": "all"}));
        let splits = [Split::EveryByte, Split::Random(7), Split::Random(1234)];
        let model = s.scripted(Vec::new()).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        let configs = [
            ("custom", json!({"baseUrl": model.base_url(), "apiKey": API_KEY, "model": "scripted"})),
            ("anthropic", json!({"baseUrl": model.origin(), "apiKey": API_KEY, "model": "scripted"})),
        ];
        for (provider, config) in configs {
            s.use_provider(provider, config).await?;
            for split in splits {
                model.add([Turn::answer(call()).split(split), Turn::text(text).split(split).expect_last("lighthouse")]);
                panel.send("read it").await?;
                let view = panel.wait_status("done").await?;
                assert_eq!(view.assistant.last().map(String::as_str), Some(text));
            }
        }
        Ok(())
    }

    async fn anthropic_is_spoken(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        let model = s
            .model(vec![
                Turn::answer(Answer::text("Let me see. ").then_call("get_accessibility_tree", json!({"filter": "all"}))),
                // Two calls in one answer: both results come back in the next request.
                Turn::with(|request| {
                    let name = request.need_ref(&["textbox"], "Full name")?;
                    let colour = request.need_ref(&["combobox", "listbox"], "Colour")?;
                    Ok(Answer::call("set_field", json!({"ref_id": name, "text": "Ada"}))
                        .then_call("set_field", json!({"ref_id": colour, "text": "Blue"})))
                }),
                Turn::on_ref("click_ax", &["button"], "Send", json!({}))
                    .expect("both calls have their results", |r| r.calls().count() == r.results().count()),
                Turn::done("Sent.", "success"),
            ])
            .await?;
        s.use_provider("anthropic", json!({"baseUrl": model.origin(), "apiKey": API_KEY, "model": "claude-scripted"})).await?;
        let page = s.open_page(&s.fixtures.url("survey.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("Ada likes blue").await?;
        panel.wait_status("done").await?;
        assert_eq!(s.fixtures.submissions("survey"), [json!({"name": "Ada", "colour": "Blue"})]);
        for recorded in model.requests() {
            let request = recorded.request;
            assert_eq!((request.path.as_str(), request.model.as_str()), ("/v1/messages", "claude-scripted"));
            assert_eq!(request.header("x-api-key"), Some(API_KEY));
            assert!(request.header("anthropic-version").is_some());
        }
        Ok(())
    }

    async fn a_redirect_is_not_followed(s: &Session) -> Result<()> {
        // It has nothing to say: a request to it fails the test.
        let other = s.model(vec![]).await?;
        let model = s.scripted(vec![Turn::redirect(&format!("{}/chat/completions", other.base_url())), Turn::text("Here.")]).await?;
        let page = s.open_page(&s.fixtures.url("plain.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.send("are you there?").await?;
        let view = panel.wait_card("card-error").await?;
        let error = view.error.clone().unwrap_or_default();
        assert!(error.contains("another address"), "{error}");
        assert!(other.requests().is_empty(), "the key and the text went to another server");
        panel.click("retry").await?;
        panel.wait_status("done").await?;
        assert_eq!(model.requests().len(), 2);
        Ok(())
    }
}
