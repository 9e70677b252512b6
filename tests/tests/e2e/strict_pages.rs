//! Pages whose own policies forbid most of what scripts do. They must be read and worked like any other.

use crate::read_tree;
use serde_json::{Value, json};
use webbrain_e2e::{Result, Session, Turn, both};

struct Case {
    page: &'static str,
    shows: &'static str,
    field: &'static str,
    button: &'static str,
    record: &'static str,
    expected: Value,
}

async fn works(s: &Session, case: Case) -> Result<()> {
    s.grant_everything().await?;
    let (shows, field, button) = (case.shows, case.field, case.button);
    s.scripted(vec![
        read_tree(),
        Turn::on_ref("set_field", &["textbox"], field, json!({"text": "Ærøskøbing"})).expect_last(shows),
        Turn::on_ref("click_ax", &["button"], button, json!({})).expect_last("Ærøskøbing"),
        read_tree(),
        Turn::done("Done.", "success"),
    ])
    .await?;
    let page = s.open_page(&s.fixtures.url(case.page)).await?;
    let panel = s.open_panel(&page).await?;
    panel.set_mode("act").await?;
    panel.send("fill in the form").await?;
    let view = panel.wait_status("done").await?;
    assert!(view.steps.iter().all(|step| step.status == "ok"), "{:?}", view.steps);
    assert_eq!(s.fixtures.wait_submission(case.record, 1).await?, case.expected);
    assert_eq!(s.fixtures.submissions(case.record).len(), 1);
    Ok(())
}

both! {
    async fn default_src_self(s: &Session) -> Result<()> {
        works(s, Case {
            page: "csp-self.html",
            shows: "Nothing applied yet",
            field: "Display name",
            button: "Apply",
            record: "csp-self",
            expected: json!({"name": "Ærøskøbing"}),
        })
        .await
    }

    async fn default_src_none_script_src_none(s: &Session) -> Result<()> {
        works(s, Case {
            page: "csp-none.html",
            shows: "Contact us",
            field: "City",
            button: "Send message",
            record: "csp-none",
            expected: json!({"city": "Ærøskøbing"}),
        })
        .await
    }

    async fn trusted_types(s: &Session) -> Result<()> {
        works(s, Case {
            page: "trusted-types.html",
            shows: "Guest book",
            field: "Your line",
            button: "Sign",
            record: "trusted-types",
            expected: json!({"line": "Ærøskøbing"}),
        })
        .await
    }
}
