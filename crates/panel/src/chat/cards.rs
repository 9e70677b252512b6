//! Questions to the user. An answered one is one line.

use crate::chat::session::is_settings_matter;
use crate::chat::{Panel, words};
use crate::i18n::{key, t, tf};
use crate::{bidi, dom, icons, messages};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ScrollLogicalPosition};
use webbrain_protocol::chat::decision_name;
use webbrain_protocol::message::Request;
use webbrain_protocol::text::Msg;
use webbrain_protocol::{Capability, Card, Decision, TabId};

/// What a card's buttons need.
#[derive(Clone, Copy)]
struct Asking {
    panel: Panel,
    tab: TabId,
    id: u64,
    /// Whether an answer is on its way.
    busy: RwSignal<bool>,
}

impl Asking {
    fn send(self, request: Request) {
        self.busy.set(true);
        self.panel.ask_about(self.tab, request, move |_| {
            self.busy.try_set(false);
        });
    }
}

/// A card, open while `answer` is `None`.
pub fn card(panel: Panel, id: u64, body: Card, answer: Signal<Option<String>>) -> AnyView {
    let asking = Asking { panel, tab: panel.tab.get_untracked().unwrap_or_default(), id, busy: RwSignal::new(false) };
    let test_id = match &body {
        Card::Permission { .. } => "card-permission",
        Card::Clarify { .. } => "card-clarify",
        Card::Continue { .. } => "card-continue",
        Card::Error { .. } => "card-error",
    };
    let root = NodeRef::<Div>::new();
    let blocking = !matches!(body, Card::Error { .. });
    Effect::new(move || {
        let Some(root) = root.get() else { return };
        if answer.get_untracked().is_none() {
            request_animation_frame(move || present(panel, &root, blocking));
        }
    });
    let open = Memo::new(move |_| answer.with(Option::is_none));
    let content = move || match (open.get(), body.clone()) {
        (false, body) => closed(&body, &answer.get().unwrap_or_default()),
        (true, Card::Permission { capabilities, host, target, .. }) => permission(asking, &capabilities, host, target),
        (true, Card::Clarify { question, options }) => clarify(asking, question, options),
        (true, Card::Continue { steps }) => go_on(asking, steps),
        (true, Card::Error { message, retry }) => failure(asking, &message, retry),
    };
    view! {
        <div class="card" class:closed=move || !open.get() data-testid=test_id data-open=move || open.get().to_string() node_ref=root>
            {content}
        </div>
    }
    .into_any()
}

/// Brings a new card into view, and the keyboard to it unless the user is typing.
fn present(panel: Panel, root: &HtmlElement, blocking: bool) {
    dom::bring_into_view(root, ScrollLogicalPosition::Nearest);
    let typing = dom::by_id("composer").is_some_and(|composer| dom::has_focus(&composer))
        && !panel.draft.with_untracked(String::is_empty);
    let first = root.query_selector("button, input").ok().flatten().and_then(|e| e.dyn_into::<HtmlElement>().ok());
    if let Some(first) = first.filter(|_| blocking && !typing) {
        dom::focus(&first);
    }
}

fn head(icon: &'static str, title: String) -> AnyView {
    view! { <h2 class="card-head">{icons::icon(icon)} <span>{title}</span></h2> }.into_any()
}

fn permission(asking: Asking, capabilities: &[Capability], host: String, target: String) -> AnyView {
    // Deny comes first: it is where the keyboard lands, and the one that does no harm.
    let button = move |decision: Decision, id: &'static str, label: &'static str, class: &'static str| {
        let answer = move |_| {
            let Asking { tab, id, .. } = asking;
            asking.send(Request::PermissionResponse { tab_id: tab, permission_id: id, decision });
        };
        view! {
            <button type="button" class=class data-testid=id disabled=asking.busy on:click=answer>{t(label)}</button>
        }
    };
    let what = words::capabilities(capabilities);
    let exactly = (!target.is_empty()).then(|| {
        view! {
            <p class="card-target">
                <span class="card-small">{t(key::PERMISSION_TARGET)}</span>
                <span dir=bidi::dir(&target)>{target.clone()}</span>
            </p>
        }
    });
    view! {
        {head(icons::SHIELD, tf(key::PERMISSION_TITLE, &[("what", &what)]))}
        <p class="card-host" dir="ltr">{host}</p>
        {exactly}
        <div class="buttons">
            {button(Decision::Deny, "permission-deny", key::PERMISSION_DENY, "button")}
            {button(Decision::Always, "permission-always", key::PERMISSION_ALWAYS, "button")}
            {button(Decision::Once, "permission-once", key::PERMISSION_ONCE, "button primary")}
        </div>
    }
    .into_any()
}

fn clarify(asking: Asking, question: String, options: Vec<String>) -> AnyView {
    let own = RwSignal::new(String::new());
    let send = move |answer: String| {
        if !answer.trim().is_empty() && !asking.busy.get_untracked() {
            asking.send(Request::ClarifyResponse { tab_id: asking.tab, clarify_id: asking.id, answer });
        }
    };
    let option = move |text: String| {
        let answer = text.clone();
        view! {
            <button
                type="button"
                class="option"
                dir="auto"
                data-testid="clarify-option"
                disabled=asking.busy
                on:click=move |_| send(answer.clone())
            >
                {text}
            </button>
        }
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        send(own.get_untracked());
    };
    view! {
        {head(icons::QUESTION, t(key::CLARIFY_TITLE))}
        <p class="card-question" dir=bidi::dir(&question)>{question.clone()}</p>
        <div class="options">{options.into_iter().map(option).collect_view()}</div>
        <form class="inline-form" on:submit=submit>
            <input
                type="text"
                dir="auto"
                autocomplete="off"
                data-testid="clarify-text"
                aria-label=t(key::CLARIFY_PLACEHOLDER)
                placeholder=t(key::CLARIFY_PLACEHOLDER)
                prop:value=own
                on:input=move |event| own.set(event_target_value(&event))
            />
            <button
                type="submit"
                class="button primary"
                data-testid="clarify-send"
                disabled=move || asking.busy.get() || own.with(|text| text.trim().is_empty())
            >
                {t(key::CLARIFY_SEND)}
            </button>
        </form>
    }
    .into_any()
}

fn go_on(asking: Asking, steps: u32) -> AnyView {
    let go = move |_| asking.send(Request::Continue { tab_id: asking.tab, request_id: dom::unique_id() });
    view! {
        {head(icons::FORWARD, t(key::CONTINUE_TITLE))}
        <p>{tf(key::CONTINUE_BODY, &[("steps", &steps.to_string())])}</p>
        <div class="buttons">
            <button type="button" class="button primary" data-testid="continue" disabled=asking.busy on:click=go>
                {t(key::CONTINUE)}
            </button>
        </div>
    }
    .into_any()
}

fn failure(asking: Asking, message: &Msg, retry: bool) -> AnyView {
    let again = retry.then(|| {
        let go = move |_| asking.send(Request::Retry { tab_id: asking.tab });
        view! {
            <button type="button" class="button primary" data-testid="retry" disabled=asking.busy on:click=go>
                {t(key::RETRY)}
            </button>
        }
    });
    let settings = is_settings_matter(&message.key).then(|| {
        view! {
            <button type="button" class="button" data-testid="error-settings" on:click=move |_| asking.panel.open_settings()>
                {t(key::SETTINGS)}
            </button>
        }
    });
    let said = messages::said(message).map(|said| view! { <p class="card-small">{said}</p> });
    let kept = retry.then(|| view! { <p class="card-small">{t(key::ERROR_KEPT)}</p> });
    let buttons = (settings.is_some() || again.is_some()).then(|| {
        view! { <div class="buttons">{settings} {again}</div> }
    });
    view! {
        {head(icons::ALERT, t(key::ERROR_TITLE))}
        <p role="alert">{messages::words(message)}</p>
        {said}
        {kept}
        {buttons}
    }
    .into_any()
}

/// The one line that is left of a card.
fn closed(body: &Card, answer: &str) -> AnyView {
    let (icon, text) = match body {
        Card::Permission { capabilities, host, .. } => (icons::SHIELD, decided(capabilities, host, answer)),
        Card::Clarify { question, .. } if answer.is_empty() => (icons::QUESTION, question.clone()),
        Card::Clarify { question, .. } => {
            (icons::QUESTION, tf(key::CLARIFIED, &[("question", question), ("answer", answer)]))
        }
        Card::Continue { steps } => (icons::FORWARD, tf(key::CONTINUED, &[("steps", &steps.to_string())])),
        Card::Error { message, .. } => (icons::ALERT, messages::words(message)),
    };
    view! { {icons::icon(icon)} <span class="card-line" dir=bidi::dir(&text)>{text.clone()}</span> }.into_any()
}

fn decided(capabilities: &[Capability], host: &str, answer: &str) -> String {
    let sentence = [Decision::Once, Decision::Always, Decision::Deny].into_iter().find(|d| decision_name(*d) == answer);
    let sentence = match sentence {
        Some(Decision::Once) => key::PERMISSION_WAS_ONCE,
        Some(Decision::Always) => key::PERMISSION_WAS_ALWAYS,
        Some(Decision::Deny) => key::PERMISSION_WAS_DENIED,
        None => return t(key::CARD_VOID),
    };
    tf(sentence, &[("what", &words::capabilities(capabilities)), ("host", host)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_permission_card_says_what_was_decided_where() {
        let line = |answer: &str| decided(&[Capability::Click, Capability::Type], "x.test", answer);
        assert_eq!(line("always"), "Always allowed: click and type on x.test");
        assert_eq!(line("deny"), "Denied: click and type on x.test");
        assert_eq!(line(""), "No longer needed");
    }
}
