//! The turn that the design tells step by step: a product named 'namaz' at 500 CNY, every 2 months.

use crate::read_tree;
use serde_json::json;
use webbrain_e2e::{Turn, both};

fn script() -> Vec<Turn> {
    let number = &["spinbutton", "textbox"];
    vec![
        read_tree()
            .expect("the user's words are in the prompt", |r| {
                r.messages.iter().any(|m| m.role == "user" && m.text.contains("'namaz'"))
            })
            .expect_tool("click_ax")
            .expect_tool("set_field")
            .expect_tool("done"),
        Turn::on_ref("click_ax", &["button"], "Add a product", json!({})).expect_result_of("get_accessibility_tree"),
        // What a click changed is in its result: no read is needed to go on.
        Turn::on_ref("set_field", &["textbox"], "Name", json!({"text": "namaz"})).expect_result_of("click_ax"),
        Turn::on_ref("set_field", number, "Price", json!({"text": "500"})).expect_result_of("set_field"),
        Turn::on_ref("click_ax", &["combobox"], "Currency", json!({})),
        Turn::on_ref("click_ax", &["option"], "CNY – Chinese yuan", json!({})).expect_result_of("click_ax"),
        Turn::on_ref("set_field", number, "Every", json!({"text": "2"})),
        Turn::on_ref("click_ax", &["button"], "Save product", json!({})),
        Turn::call("wait_for_element", json!({"selector": "#toasts div"})),
        read_tree(),
        Turn::done("Created namaz at 500 CNY, every 2 months.", "success").expect_last("namaz"),
    ]
}

both! {
    async fn a_product_is_created(s: &Session) -> Result<()> {
        let model = s.scripted(script()).await?;
        let page = s.open_page(&s.fixtures.url("product.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("create a product 'namaz' at 500 CNY, recurring every 2 months").await?;
        // The first card must come before anything was done to the page.
        panel.wait_card("card-permission").await?;
        assert_eq!(page.eval("document.querySelectorAll('[role=dialog]').length").await?, 0);
        let view = panel.wait_status_answering("done", Some("permission-always")).await?;

        assert_eq!(
            s.fixtures.submissions("products"),
            [json!({"name": "namaz", "price": 500, "currency": "CNY", "every": 2, "unit": "month(s)"})]
        );
        let table = page.text("#list tbody").await?;
        assert!(table.contains("namaz") && table.contains("500 CNY"), "{table}");
        let tools: Vec<(&str, &str)> = view.steps.iter().map(|s| (s.tool.as_str(), s.status.as_str())).collect();
        let (read, click, set) = (("get_accessibility_tree", "ok"), ("click_ax", "ok"), ("set_field", "ok"));
        let expected = [read, click, set, set, click, click, set, click, ("wait_for_element", "ok"), read];
        assert_eq!(tools.iter().filter(|(tool, _)| *tool != "done").copied().collect::<Vec<_>>(), expected);
        assert!(view.assistant.iter().any(|text| text.contains("Created namaz at 500 CNY")), "{:?}", view.assistant);
        assert_eq!(model.requests().len(), 11);

        // "Always" is kept: capability, exact host, and nothing else.
        let grants = s.storage_get("local", Some("wb_permissions")).await?;
        let mut kept: Vec<String> = grants
            .as_array()
            .expect("a list of grants")
            .iter()
            .map(|g| format!("{} {} {} {}", g["capability"], g["host"], g["action"], g["duration"]))
            .collect();
        kept.sort();
        let host = s.fixtures.host(webbrain_e2e::Origin::Main);
        let grant = |capability: &str| format!("\"{capability}\" \"{host}\" \"allow\" \"always\"");
        assert_eq!(kept, [grant("click"), grant("type")]);
        Ok(())
    }

    // A form that the site refuses is not reported as saved: the errors reach the model.
    async fn validation_errors_reach_the_model(s: &Session) -> Result<()> {
        s.grant_everything().await?;
        s.scripted(vec![
            read_tree(),
            Turn::on_ref("click_ax", &["button"], "Add a product", json!({})),
            Turn::on_ref("click_ax", &["button"], "Save product", json!({})),
            read_tree().expect_last("Enter a name."),
            Turn::done("The form wants a name, a price and a currency.", "failed").expect_last("Choose a currency."),
        ])
        .await?;
        let page = s.open_page(&s.fixtures.url("product.html")).await?;
        let panel = s.open_panel(&page).await?;
        panel.set_mode("act").await?;
        panel.send("save an empty product").await?;
        panel.wait_status("failed").await?;
        assert!(s.fixtures.submissions("products").is_empty());
        Ok(())
    }
}
