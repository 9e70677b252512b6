//! Text, values, choices and files into fields of every kind: what the page holds afterwards, and what the model is told.

use serde_json::{Value, json};
use webbrain_e2e::{Dialogue, Result, both};

async fn value(d: &Dialogue<'_>, id: &str) -> Result<String> {
    Ok(d.page.eval(&format!("document.getElementById('{id}').value")).await?.as_str().unwrap_or_default().to_owned())
}

async fn state(d: &Dialogue<'_>) -> Result<Value> {
    let text = d.page.eval("JSON.stringify((window.wrappedJSObject || window).__state)").await?;
    Ok(serde_json::from_str(text.as_str().unwrap_or("null"))?)
}

async fn set(d: &mut Dialogue<'_>, role: &str, name: &str, text: &str) -> Result<String> {
    let field = d.find(role, name).await?;
    d.call("set_field", json!({"ref_id": field, "text": text})).await
}

/// Refs by role and name from one reading.
fn refs(tree: &str, name: &str) -> String {
    let mut lines = tree.lines().filter(|l| l.contains(&format!("\"{name}\" [ref_")));
    let line = lines.next().unwrap_or_else(|| panic!("no {name} in\n{tree}"));
    let at = line.find("[ref_").unwrap();
    line[at + 1..].split(']').next().unwrap().to_owned()
}

both! {
    async fn dates_numbers_and_colours_are_the_same_in_every_language(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let tree = d.tree().await?;
        let mut rows = vec![
            ("Due", "date", "2031-04-09", "2031-04-09"),
            ("At", "time", "18:55", "18:55"),
            ("Slot", "slot", "2031-12-01T00:12", "2031-12-01T00:12"),
            ("Colour", "colour", "#FF8800", "#ff8800"),
            ("Volume", "volume", "35", "35"),
            ("Amount", "amount", "12.5", "12.5"),
        ];
        // Firefox has no control of its own for these: they are text fields there, and take the same text.
        rows.push(("Month", "month", "2031-04", "2031-04"));
        rows.push(("Week", "week", "2031-W09", "2031-W09"));
        for (name, id, text, expected) in rows {
            let result = d.call("set_field", json!({"ref_id": refs(&tree, name), "text": text})).await?;
            assert_eq!(value(&d, id).await?, expected, "{name}: {result}");
            assert!(result.contains("verified: yes"), "{result}");
            assert_eq!(state(&d).await?["changes"][id], 1, "{name}");
        }
        // What the control refuses is refused, and the old value stays.
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "Due"), "text": "31/04/2031"})).await?;
        assert!(result.contains("did not accept") && result.contains("YYYY-MM-DD"), "{result}");
        assert_eq!(value(&d, "date").await?, "2031-04-09");
        // What it takes but calls wrong is told.
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "Amount"), "text": "99"})).await?;
        assert!(result.contains("not valid"), "{result}");
        for (name, id) in [("Due", "date"), ("Amount", "amount")] {
            let result = d.call("set_field", json!({"ref_id": refs(&tree, name), "text": ""})).await?;
            assert_eq!(value(&d, id).await?, "", "{result}");
            assert!(result.contains("verified: yes"), "{result}");
        }
        d.end("success").await?;
        Ok(())
    }

    async fn lists_take_one_option_or_several(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let tree = d.tree().await?;
        let (extras, size) = (refs(&tree, "Extras"), refs(&tree, "Size"));
        let chosen = "[...document.getElementById('extras').selectedOptions].map((o) => o.label).join()";
        for (text, clear, expected, said) in [
            ("Bread\nTea", true, "Bread,Tea", "verified: yes"),
            ("Soup", false, "Bread,Soup,Tea", "verified: yes"),
            ("Food / Soup", true, "Soup", "verified: yes"),
            ("Soup", true, "Soup", "chosen already"),
            ("Bread, Wine", true, "Soup", "is disabled"),
            ("Cake", true, "Soup", "has no option"),
            ("", true, "", "verified: yes"),
        ] {
            let result = d.call("set_field", json!({"ref_id": extras, "text": text, "clear": clear})).await?;
            assert!(result.contains(said), "{text:?}: {result}");
            assert_eq!(d.page.eval(chosen).await?, expected, "{text:?}: {result}");
        }
        for (text, expected) in [("Large", "l"), ("s", "s"), ("", "")] {
            let result = d.call("set_field", json!({"ref_id": size, "text": text})).await?;
            assert!(result.contains("verified: yes"), "{result}");
            assert_eq!(value(&d, "size").await?, expected);
        }
        d.end("success").await?;
        Ok(())
    }

    async fn a_mask_makes_the_result_unknown_and_tells_what_is_there(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let result = set(&mut d, "textbox", "Birthday", "01122031").await?;
        assert_eq!(value(&d, "mask").await?, "01/12/2031");
        assert!(result.contains("01/12/2031") && result.contains("verified: unknown"), "{result}");
        let result = set(&mut d, "textbox", "Birthday", "").await?;
        assert!(value(&d, "mask").await?.is_empty() && result.contains("verified: yes"), "{result}");
        d.end("success").await?;
        Ok(())
    }

    async fn text_of_any_script_arrives_and_is_added_to(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let story = "Zoë e\u{301} 渡辺 👩\u{200d}🚀\nשלום, \"x\"  two spaces\n\nend";
        let result = set(&mut d, "textbox", "Story", story).await?;
        assert_eq!(value(&d, "story").await?, story, "{result}");
        assert!(result.contains("verified: yes"), "{result}");
        let field = d.find("textbox", "Story").await?;
        let result = d.call("type_ax", json!({"ref_id": field, "text": "\r\nmore"})).await?;
        assert_eq!(value(&d, "story").await?, format!("{story}\nmore"), "{result}");
        // At the field that has the focus now.
        let result = d.call("type_text", json!({"text": " and 渡"})).await?;
        assert_eq!(value(&d, "story").await?, format!("{story}\nmore and 渡"), "{result}");
        let result = d.call("type_text", json!({"text": "Only this", "clear": true})).await?;
        assert_eq!(value(&d, "story").await?, "Only this");
        assert!(result.contains("verified: yes"), "{result}");
        let result = set(&mut d, "textbox", "Plain", "one\ntwo 渡\nthree").await?;
        let shown = d.page.eval("document.getElementById('plain').innerText").await?;
        assert_eq!(shown.as_str().unwrap_or_default().trim_end(), "one\ntwo 渡\nthree", "{result}");
        assert!(result.contains("verified: yes"), "{result}");
        let result = set(&mut d, "textbox", "Plain", "").await?;
        assert!(result.contains("verified: yes"), "{result}");
        assert_eq!(d.page.eval("document.getElementById('plain').textContent").await?, "");
        d.end("success").await?;
        Ok(())
    }

    async fn typing_needs_a_field_with_the_focus(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        d.tree().await?;
        let result = d.call("type_text", json!({"text": "hello"})).await?;
        assert!(result.contains("takes no text") && result.contains("Nothing was done"), "{result}");
        d.page.eval("document.getElementById('password').focus()").await?;
        let result = d.call("type_text", json!({"text": "hunter2"})).await?;
        assert!(result.contains("takes a secret"), "{result}");
        assert_eq!(value(&d, "password").await?, "");
        let sent = d.end("failed").await?;
        assert!(!sent.contains("now holds \\\"hunter2"), "{sent}");
        Ok(())
    }

    async fn a_secret_is_filled_and_never_told(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let result = set(&mut d, "textbox", "Password", "hunter2").await?;
        assert_eq!(value(&d, "password").await?, "hunter2");
        assert!(result.contains("is now filled; verified: yes") && !result.contains("hunter2"), "{result}");
        let tree = d.tree().await?;
        assert!(!tree.contains("hunter2"), "{tree}");
        d.end("success").await?;
        Ok(())
    }

    async fn only_the_fields_own_list_is_picked_from(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let tree = d.tree().await?;
        // Another list is open on the page: the search is sent as it is.
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "Find"), "text": "Al", "submit": true})).await?;
        assert_eq!(state(&d).await?["searched"], "Al", "{result}");
        // The suggestion that says what was typed, though it is not the first.
        let args = json!({"ref_id": refs(&tree, "City"), "text": "Paris", "submit": true});
        let result = d.call("set_field", args).await?;
        assert_eq!(state(&d).await?["city"], "Paris", "{result}");
        assert!(result.contains("picked the suggestion \"Paris\""), "{result}");
        // None says it: the highlighted one.
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "City"), "text": "Par", "submit": true})).await?;
        assert_eq!(state(&d).await?["city"], "Parma", "{result}");
        // Without submitting, the model is told what there is to pick from.
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "City"), "text": "Pari"})).await?;
        assert!(result.contains("\"Paris\"; \"Paris, Texas\""), "{result}");
        assert_eq!(state(&d).await?["city"], Value::Null);
        // Suggestions that come after a while and are picked by a press.
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "Pet"), "text": "Cat", "submit": true})).await?;
        assert_eq!(state(&d).await?["pet"], "Cat", "{result}");
        d.end("success").await?;
        Ok(())
    }

    async fn a_list_behind_a_button_is_opened_and_picked_from(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let tree = d.tree().await?;
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "Role"), "text": "product manager"})).await?;
        assert_eq!(state(&d).await?["role"], "Product manager", "{result}");
        assert!(result.contains("verified: yes"), "{result}");
        let result = d.call("set_field", json!({"ref_id": refs(&tree, "Role"), "text": "Pilot"})).await?;
        assert!(result.contains("has no option \"Pilot\"") && result.contains("\"Writer\""), "{result}");
        assert_eq!(state(&d).await?["role"], "Product manager");
        d.end("success").await?;
        Ok(())
    }

    async fn tags_are_made_by_their_keys(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let result = set(&mut d, "textbox", "Tags", "red,blue,").await?;
        assert_eq!(state(&d).await?["tags"], json!(["red", "blue"]), "{result}");
        assert!(result.contains("the page handled some of the input itself") && !result.contains("verified: yes"), "{result}");
        d.end("success").await?;
        Ok(())
    }

    async fn files_arrive_with_name_type_and_size(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let tree = d.tree().await?;
        let csv = "a,b\n1,é";
        for (name, said) in [
            ("Attach a report", "verified: yes"),
            ("Drop here", "the page took the drop"),
            ("At once", "emptied the control since; verified: unknown"),
        ] {
            let args = json!({"ref_id": refs(&tree, name), "fileName": "r.csv", "content": csv});
            let result = d.call("upload_file", args).await?;
            assert!(result.contains(said) && result.contains("r.csv"), "{name}: {result}");
        }
        let seen = state(&d).await?;
        let file = |place: &str| json!({"where": place, "name": "r.csv", "type": "text/csv", "size": 8, "text": csv});
        assert_eq!(seen["files"], json!([file("report"), file("zone"), file("once")]));
        assert_eq!(seen["drops"], 1);
        d.end("success").await?;
        Ok(())
    }

    async fn a_file_that_nobody_takes_is_not_given(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "typing.html").await?;
        let tree = d.tree().await?;
        for (name, said) in [
            ("Picture", "takes only image/*"),
            ("Wall", "takes no files"),
            ("Go", "asked for no file"),
        ] {
            let args = json!({"ref_id": refs(&tree, name), "fileName": "r.csv", "content": "a"});
            let result = d.call("upload_file", args).await?;
            assert!(result.contains(said), "{name}: {result}");
        }
        assert_eq!(state(&d).await?["files"], json!([]));
        d.end("failed").await?;
        Ok(())
    }
}
