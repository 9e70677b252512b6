//! The bottom of the panel: notices, run status, text area, modes, send and stop.

use crate::chat::{Panel, words};
use crate::i18n::{key, t};
use crate::{dom, icons, messages, providers};
use leptos::ev::KeyboardEvent;
use leptos::html::Textarea;
use leptos::prelude::*;
use webbrain_protocol::text::Msg;
use webbrain_protocol::{Mode, Tier};

/// Tallest that the text area grows, CSS pixels.
const TALLEST: i32 = 180;

/// The composer and what stands on it.
#[component]
pub fn Composer(panel: Panel) -> impl IntoView {
    view! {
        <footer class="bottom">
            {move || panel.page_notice.get().map(|message| notice_view(&message, None))}
            {move || panel.notice.get().map(|message| notice_view(&message, Some(panel)))}
            {move || (panel.explaining_act.get() && !panel.status.get().is_live()).then(|| act_explanation(panel))}
            <div class="composer-box">
                <TextArea panel />
                <div class="composer-row">
                    <Modes panel />
                    <RunStatusView panel />
                    <Buttons panel />
                </div>
            </div>
        </footer>
    }
    .into_any()
}

fn notice_view(message: &Msg, closes: Option<Panel>) -> AnyView {
    let close = closes.map(|panel| {
        view! {
            <button type="button" class="icon-button small" aria-label=t(key::CLOSE) on:click=move |_| panel.notice.set(None)>
                {icons::icon(icons::CLOSE)}
            </button>
        }
    });
    view! {
        <div class="notice warning boxed" role="status">
            {icons::icon(icons::INFO)} <span data-testid="notice">{messages::words(message)}</span> {close}
        </div>
    }
    .into_any()
}

fn act_explanation(panel: Panel) -> AnyView {
    view! {
        <div class="notice boxed accent" data-testid="act-explanation">
            {icons::icon(icons::SHIELD)} <span>{t(key::ACT_FIRST)}</span>
            <button type="button" class="button small" on:click=move |_| panel.confirm_act()>
                {t(key::GOT_IT)}
            </button>
        </div>
    }
    .into_any()
}

#[component]
fn RunStatusView(panel: Panel) -> impl IntoView {
    view! {
        <div
            class="run-status"
            role="status"
            data-testid="run-status"
            data-status=move || words::run_status(panel.status.get()).0
        >
            <span class="dot" aria-hidden="true"></span>
            <span class="run-status-text">{move || t(words::run_status(panel.status.get()).1)}</span>
        </div>
    }
    .into_any()
}

#[component]
fn TextArea(panel: Panel) -> impl IntoView {
    let area = NodeRef::<Textarea>::new();
    Effect::new(move || {
        let text = panel.draft.get();
        if let Some(area) = area.get() {
            // This may run before the property is set; the height is that of the text to come.
            if area.value() != text {
                area.set_value(&text);
            }
            fit(&area);
        }
    });
    let focus_key = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == "/"
            && (event.ctrl_key() || event.meta_key())
            && let Some(area) = area.get_untracked()
        {
            event.prevent_default();
            dom::focus(&area);
        }
    });
    on_cleanup(move || focus_key.remove());
    let pressed = move |event: KeyboardEvent| {
        // 229 is what a key says that an input method has taken.
        let composing = event.is_composing() || event.key_code() == 229;
        if event.key() == "Enter" && !event.shift_key() && !composing {
            event.prevent_default();
            panel.send();
        }
    };
    let hint = move || {
        panel.rows.track();
        panel.status.track();
        t(if panel.open_question().is_some() { key::COMPOSER_ANSWER } else { key::COMPOSER_HINT })
    };
    view! {
        <textarea
            id="composer"
            class="composer"
            data-testid="composer"
            rows="1"
            dir="auto"
            aria-label=t(key::COMPOSER_LABEL)
            placeholder=hint
            node_ref=area
            prop:value=panel.draft
            on:input=move |event| panel.draft.set(event_target_value(&event))
            on:keydown=pressed
        ></textarea>
    }
    .into_any()
}

/// Makes the text area as tall as its text.
fn fit(area: &web_sys::HtmlTextAreaElement) {
    let style = web_sys::HtmlElement::style(area);
    let height = |value: &str| style.set_property("height", value).is_ok();
    if height("auto") {
        height(&format!("{}px", area.scroll_height().min(TALLEST)));
    }
}

#[component]
fn Modes(panel: Panel) -> impl IntoView {
    let compact = Memo::new(move |_| {
        let active = panel.active.get();
        panel.providers.with(|record| providers::tier(&active, record.get(&active))) == Tier::Compact
    });
    // Another provider may not be able to do what the mode needs.
    Effect::new(move || {
        if compact.get() && panel.mode.get() == Mode::Dev {
            panel.mode.set(Mode::Act);
        }
    });
    let button = move |mode: Mode, id: &'static str, label: &'static str, about: &'static str| {
        let off = move || mode == Mode::Dev && compact.get();
        let title = move || t(if off() { key::MODE_DEV_OFF } else { about });
        view! {
            <button
                type="button"
                class="mode"
                data-testid=id
                data-mode=label
                aria-pressed=move || (panel.mode.get() == mode).to_string()
                disabled=off
                title=title
                on:click=move |_| panel.choose_mode(mode)
            >
                {t(label)}
            </button>
        }
    };
    view! {
        <div class="modes" role="group" aria-label=t(key::MODE_LABEL)>
            {button(Mode::Ask, "mode-ask", key::MODE_ASK, key::MODE_ASK_ABOUT)}
            {button(Mode::Act, "mode-act", key::MODE_ACT, key::MODE_ACT_ABOUT)}
            {button(Mode::Dev, "mode-dev", key::MODE_DEV, key::MODE_DEV_ABOUT)}
        </div>
    }
    .into_any()
}

#[component]
fn Buttons(panel: Panel) -> impl IntoView {
    let stop = move || {
        panel.status.get().is_live().then(|| {
            view! {
                <button
                    type="button"
                    class="round stop"
                    data-testid="stop"
                    title=t(key::STOP)
                    aria-label=t(key::STOP)
                    on:click=move |_| panel.stop()
                >
                    {icons::icon(icons::STOP)}
                </button>
            }
        })
    };
    let empty = move || panel.sending.get() || panel.draft.with(|draft| draft.trim().is_empty());
    view! {
        <div class="send-group">
            {stop}
            <button
                type="button"
                class="round send"
                hidden=move || panel.status.get().is_live() && panel.draft.with(|draft| draft.trim().is_empty())
                data-testid="send"
                title=t(key::SEND)
                aria-label=t(key::SEND)
                disabled=empty
                on:click=move |_| panel.send()
            >
                {icons::icon(icons::SEND)}
            </button>
        </div>
    }
    .into_any()
}
