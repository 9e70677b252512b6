//! The panel where the browser puts it: Chrome's side panel, Firefox's sidebar.

use crate::read_tree;
use thirtyfour::By;
use webbrain_e2e::driver::Options;
use webbrain_e2e::wait::{Seen, until};
use webbrain_e2e::{Browser, Panel, Result, Session, Turn, harness};

/// An extension page with a button that opens the panel: a WebDriver click is a user's gesture.
async fn click_opener(s: &Session, call: &str) -> Result<()> {
    let script = format!(
        "const api = {}; const b = document.createElement('button'); b.id = 'wb-test-open'; b.textContent = 'open';
         b.style.cssText = 'position:fixed;left:10px;top:10px;z-index:99999';
         b.addEventListener('click', () => {{ {call} }}); document.body.append(b);",
        if s.browser == Browser::Chrome { "chrome" } else { "(window.wrappedJSObject || window).browser" }
    );
    s.driver().execute(script, vec![]).await?;
    s.driver().find(By::Id("wb-test-open")).await?.click().await?;
    Ok(())
}

async fn chrome_side_panel(s: &Session) -> Result<()> {
    s.scripted(vec![read_tree(), Turn::text("A lighthouse.").expect_last("Point Amber")]).await?;
    let page = s.open_page(&s.extension_url("settings.html")).await?;
    let before = s.windows().await?;
    page.eval("chrome.windows.getCurrent().then((w) => { globalThis.wbWindow = w.id; }) && 1").await?;
    page.wait_eval("globalThis.wbWindow").await?;
    click_opener(s, "chrome.sidePanel.open({ windowId: globalThis.wbWindow });").await?;
    let handle = until("the side panel to open", async || {
        let new: Vec<_> = s.windows().await?.into_iter().filter(|w| !before.contains(w)).collect();
        Ok(if let [one] = &new[..] { Seen::Ready(one.clone()) } else { Seen::NotYet(format!("{new:?}")) })
    })
    .await?;
    let panel = Panel::in_window(s, handle, page.tab_id);
    assert!(panel.eval("location.pathname").await? == "/sidepanel.html");
    // The panel follows the tab beside it.
    page.goto(&s.fixtures.url("plain.html")).await?;
    panel.wait_for("composer").await?;
    panel.set_mode("ask").await?;
    panel.send("what is this about?").await?;
    let view = panel.wait_status("done").await?;
    assert_eq!(view.assistant, ["A lighthouse."]);
    Ok(())
}

async fn firefox_sidebar(s: &Session) -> Result<()> {
    s.scripted(vec![read_tree(), Turn::text("A lighthouse.").expect_last("Point Amber")]).await?;
    let page = s.open_page(&s.extension_url("settings.html")).await?;
    page.eval("1").await?;
    click_opener(s, "api.sidebarAction.open();").await?;
    let in_sidebar = |code: &str| {
        format!(
            "const view = (window.wrappedJSObject || window).browser.extension.getViews({{ type: 'sidebar' }})[0];
             if (!view) return null; const doc = view.document; const all = (id) => [...doc.querySelectorAll('[data-testid=' + id + ']')]; {code}"
        )
    };
    let ready = in_sidebar("return all('composer').length ? view.location.pathname : null;");
    until("the sidebar to open", async || {
        let found = s.extension(&ready).await?;
        Ok(if found == "/sidepanel.html" { Seen::Ready(()) } else { Seen::NotYet(found.to_string()) })
    })
    .await?;
    // The sidebar follows the tab beside it.
    page.goto(&s.fixtures.url("plain.html")).await?;
    let type_and_send = in_sidebar(
        "const box = all('composer')[0];
         Object.getOwnPropertyDescriptor(view.HTMLTextAreaElement.prototype, 'value').set.call(box, 'what is this about?');
         box.dispatchEvent(new view.Event('input', { bubbles: true }));
         await new Promise((r) => setTimeout(r, 0)); all('send')[0].click(); return true;",
    );
    s.extension(&type_and_send).await?;
    let look = in_sidebar(
        "return [all('run-status')[0]?.dataset.status ?? '', all('message-assistant').map((e) => e.textContent.trim()).join('|')];",
    );
    until("the answer in the sidebar", async || {
        let found = s.extension(&look).await?;
        let done = found[0] == "done" && found[1] == "A lighthouse.";
        Ok(if done { Seen::Ready(()) } else { Seen::NotYet(found.to_string()) })
    })
    .await
}

mod chrome {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_side_panel_opens_and_works() {
        let options = Options { extension_targets: true };
        let name = "e2e::real_panel::chrome::the_side_panel_opens_and_works";
        harness::run_with(Browser::Chrome, &options, name, chrome_side_panel).await;
    }
}

mod firefox {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_sidebar_opens_and_works() {
        let name = "e2e::real_panel::firefox::the_sidebar_opens_and_works";
        harness::run(Browser::Firefox, name, firefox_sidebar).await;
    }
}
