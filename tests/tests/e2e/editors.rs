//! The editors that the web is written in, from npm: what the extension writes is in the editor's own model, which is what the
//! page would send, exactly; and what the extension says of it is true.

use serde_json::json;
use webbrain_e2e::{Dialogue, Error, Result, Session, both};

const CKEDITOR: &str = "Rich Text Editor. Editing area: main. Press Alt+0 for help.";

/// An editor to write in.
struct Case {
    /// Name of the page, with what is asked of it.
    page: &'static str,
    /// What the editor calls itself.
    name: &'static str,
}

/// The editor's own text.
async fn model(d: &Dialogue<'_>) -> Result<String> {
    // Firefox shows the page's own objects through `wrappedJSObject` only.
    let text = d.page.eval("String((window.wrappedJSObject || window).model())").await?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

async fn write_and_read(s: &Session, case: &Case) -> Result<()> {
    let mut d = Dialogue::begin(s, &format!("editors/{}", case.page)).await?;
    d.page.wait_eval("(window.wrappedJSObject || window).model?.() === ''").await?;
    let note = d.find("textbox", case.name).await?;
    let long = "First (line) \"quoted\"\n\nThird: 渡辺 Zoë 👩\u{200d}🚀 שלום\nFourth";
    let steps = [
        ("set_field", "Hello there", "Hello there"),
        ("type_ax", ", all", "Hello there, all"),
        ("set_field", long, long),
        ("type_ax", "\nFifth", "First (line) \"quoted\"\n\nThird: 渡辺 Zoë 👩\u{200d}🚀 שלום\nFourth\nFifth"),
        ("set_field", "https://a.test/x?y=1", "https://a.test/x?y=1"),
        ("set_field", "", ""),
        ("set_field", "Again { [", "Again { ["),
        ("type_text", " and on", "Again { [ and on"),
        ("set_field", "x", "x"),
        ("set_field", "x", "x"),
    ];
    for (tool, text, expected) in steps {
        let mut args = json!({"text": text});
        if tool != "type_text" {
            args["ref_id"] = json!(note);
        }
        let result = d.call(tool, args).await?;
        let now = model(&d).await?;
        if now != expected || !result.contains("verified: yes") {
            return Err(Error::Unexpected(format!(
                "{tool} {text:?}: expected {expected:?}, the editor holds {now:?}; said:\n{result}"
            )));
        }
        // What the model is told is what is there.
        let first = expected.split('\n').next().unwrap_or_default().replace('"', "");
        assert!(result.replace("\\\"", "").replace('"', "").contains(&first), "{result}");
    }
    let tree = d.tree().await?;
    assert!(tree.contains('x'), "{tree}");
    d.end("success").await?;
    Ok(())
}

both! {
    async fn lexical(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "lexical.html", name: "Note" }).await
    }

    async fn tiptap(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "tiptap.html", name: "Note" }).await
    }

    async fn prosemirror(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "prosemirror.html", name: "Note" }).await
    }

    async fn slate(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "slate.html", name: "Note" }).await
    }

    async fn quill(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "quill.html", name: "Note" }).await
    }

    async fn ckeditor(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "ckeditor.html", name: CKEDITOR }).await
    }

    async fn codemirror(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "codemirror.html", name: "Note" }).await
    }

    async fn monaco(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "monaco.html", name: "Note" }).await
    }

    async fn draft(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "draft.html", name: "Note" }).await
    }

    // Monaco with a hidden text area, as it is where the browser has no `EditContext`, and was everywhere until 2024.
    async fn monaco_textarea(s: &Session) -> Result<()> {
        write_and_read(s, &Case { page: "monaco.html?textarea", name: "Note" }).await
    }

    // An editor that makes its own of what it is given is not reported as holding the text.
    async fn what_an_editor_makes_of_a_text_is_not_called_verified(s: &Session) -> Result<()> {
        let mut d = Dialogue::begin(s, "editors/tiptap.html").await?;
        let note = d.find("textbox", "Note").await?;
        let result = d.call("set_field", json!({"ref_id": note, "text": "this is **bold**"})).await?;
        assert_eq!(model(&d).await?, "this is bold");
        assert!(result.contains("verified: unknown") && result.contains("this is bold"), "{result}");
        d.end("success").await?;
        Ok(())
    }
}
