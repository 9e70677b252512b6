use serde_json::json;
use webbrain_e2e::{Browser, both};
both! {
async fn drivers_work(s: &Session) -> Result<()> {
    s.storage_set("local", &json!({"a": {"b": "ü\"'"}})).await?;
    assert_eq!(s.storage_get("local", Some("a")).await?, json!({"b": "ü\"'"}));
    let tab = s.open_page(&s.fixtures.url("product.html")).await?;
    assert_eq!(tab.text("h1").await?, "Products");
    let p = s.open_panel(&tab).await?;
    p.set_mode("act").await?;
    p.send("hello").await?;
    let v = p.wait_status("done").await?;
    assert_eq!(v.assistant, ["echo hello"]);
    let r = s.send_message(&json!({"x": 1})).await?;
    eprintln!("{r} tab {}", tab.tab_id);
    if s.browser == Browser::Chrome { let i = s.worker_instance().await?; s.kill_service_worker().await?; eprintln!("{i:?} -> {:?}", s.worker_instance().await?);
      let r = s.send_message(&json!({"x": 1})).await?; eprintln!("{r}"); }
    for page in ["csp-none.html", "trusted-types.html", "csp-self.html"] { tab.goto(&s.fixtures.url(page)).await?; assert!(tab.eval("document.querySelectorAll('label').length").await? == 1); }
    s.grant_everything().await?;
    p.close().await?;
    tab.close().await?;
    let tab = s.open_page(&s.fixtures.url("product.html")).await?;
    tab.eval("document.getElementById('add').click()").await?;
    tab.eval("document.getElementById('currency').click()").await?;
    tab.screenshot(std::path::Path::new(&format!("/tmp/mini/{:?}.png", s.browser))).await?;
    let e = s.extension("throw new Error('boo')").await.unwrap_err();
    eprintln!("{e}");
    if std::env::var("FAIL").is_ok() { panic!("on purpose"); }
    Ok(())
}
}
