//! The fixture pages do what they are for: an agent that cuts corners fails on them.

use serde_json::json;
use webbrain_e2e::both;

const TYPE: &str = "((selector, value, native) => {
  const input = document.querySelector(selector);
  if (native) Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value); else input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input.value;
})";

both! {
    async fn the_product_form_is_controlled(s: &Session) -> Result<()> {
        let page = s.open_page(&s.fixtures.url("product.html")).await?;
        page.eval("document.getElementById('add').click()").await?;
        // Plain assignment is undone by the next render; the native setter counts.
        page.eval(&format!("{TYPE}('#f-name', 'namaz', false)")).await?;
        page.wait_eval("document.querySelector('#f-name').value === ''").await?;
        page.eval(&format!("{TYPE}('#f-name', 'namaz', true)")).await?;
        page.eval(&format!("{TYPE}('#f-price', '500', true)")).await?;
        assert_eq!(page.eval("document.querySelector('#f-name').value").await?, "namaz");
        // Saving without a currency is refused.
        let save = "document.querySelector('[role=dialog] [type=submit]').click()";
        page.eval(save).await?;
        page.wait_eval("document.body.innerText.includes('Choose a currency.')").await?;
        assert!(s.fixtures.submissions("products").is_empty());
        // The list is a portal at the end of the body, opened by a press and not closed by the click after it.
        page.eval("['mousedown', 'mouseup', 'click'].forEach((t) => document.getElementById('currency').dispatchEvent(new MouseEvent(t, { bubbles: true, cancelable: true, detail: 1 })))").await?;
        assert_eq!(page.eval("document.body.lastElementChild.getAttribute('role')").await?, "listbox");
        page.eval("[...document.querySelectorAll('[role=option]')].find((o) => o.textContent.startsWith('CNY')).click()").await?;
        assert_eq!(page.eval("document.querySelectorAll('[role=listbox]').length").await?, 0);
        page.eval(save).await?;
        let saved = s.fixtures.wait_submission("products", 1).await?;
        assert_eq!(saved, json!({"name": "namaz", "price": 500, "currency": "CNY", "every": 1, "unit": "month(s)"}));
        page.wait_eval("document.querySelector('#toasts').textContent.includes('namaz') && !document.querySelector('[role=dialog]')").await?;
        Ok(())
    }

    async fn strict_pages_are_strict(s: &Session) -> Result<()> {
        // An inline script of the page itself does not run under either policy.
        for file in ["csp-self.html", "csp-none.html"] {
            let page = s.open_page(&s.fixtures.url(file)).await?;
            page.eval("(() => { const t = document.createElement('script'); t.textContent = 'window.ran = 1'; document.head.append(t); })()").await?;
            assert_eq!(page.eval("String(window.ran)").await?, "undefined", "{file}");
        }
        let page = s.open_page(&s.fixtures.url("trusted-types.html")).await?;
        let refused = page.eval("(() => { if (!window.trustedTypes) return 'none here'; try { document.createElement('div').innerHTML = '<b>'; return 'set'; } catch { return 'refused'; } })()").await?;
        assert_ne!(refused, "set");
        Ok(())
    }
}
