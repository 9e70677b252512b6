//! One row: a message, an answer, a step or a notice. Cards have a file of their own.

use crate::chat::session::Row;
use crate::chat::{Panel, cards, words};
use crate::i18n::{key, t};
use crate::markdown::view::Markdown;
use crate::{bidi, dom, icons, messages};
use leptos::prelude::*;
use webbrain_protocol::chat::Level;
use webbrain_protocol::{Item, StepStatus};

/// The view of a row. Its kind never changes; its content does, in place.
pub fn item_view(panel: Panel, row: Row) -> AnyView {
    let item = row.item;
    match item.get_untracked() {
        Item::User { text, at, .. } => user(text, at),
        Item::Assistant { at, .. } => assistant(item, at),
        Item::Step { tool, args, .. } => step(panel, item, tool, args),
        Item::Card { id, body, .. } => {
            let answer = Memo::new(move |_| match item.get() {
                Item::Card { answer, .. } => answer,
                _ => None,
            });
            cards::card(panel, id, body, answer.into())
        }
        Item::Notice { level, .. } => notice(item, level),
    }
}

fn notice(item: ArcRwSignal<Item>, level: Level) -> AnyView {
    let (class, icon) = match level {
        Level::Info => ("notice", icons::INFO),
        Level::Warning => ("notice warning", icons::ALERT),
    };
    let words = move || match item.get() {
        Item::Notice { message, .. } => messages::words(&message),
        _ => String::new(),
    };
    view! { <div class=class>{icons::icon(icon)} <span data-testid="notice">{words}</span></div> }.into_any()
}

fn user(text: String, at: u64) -> AnyView {
    let open = RwSignal::new(false);
    let long = words::is_long(&text);
    let more = long.then(|| {
        view! {
            <button
                type="button"
                class="button quiet small"
                data-testid="show-more"
                aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {move || t(if open.get() { key::SHOW_LESS } else { key::SHOW_MORE })}
            </button>
        }
    });
    view! {
        <div class="message user" title=dom::clock_time(at)>
            <h2 class="sr-only">{t(key::YOU)}</h2>
            <div
                class="bubble"
                class:clamped=move || long && !open.get()
                data-testid="message-user"
                dir=bidi::dir(&text)
            >
                {text.clone()}
            </div>
            {more}
        </div>
    }
    .into_any()
}

fn assistant(item: ArcRwSignal<Item>, at: u64) -> AnyView {
    let read = item.clone();
    let text = Memo::new(move |_| match read.get() {
        Item::Assistant { text, streaming, .. } => (text, streaming),
        _ => Default::default(),
    });
    let reasoning = Memo::new(move |_| match item.get() {
        Item::Assistant { reasoning, .. } => reasoning,
        _ => String::new(),
    });
    let has_reasoning = Memo::new(move |_| !reasoning.with(|text| text.trim().is_empty()));
    let has_text = Memo::new(move |_| !text.with(|(text, _)| text.trim().is_empty()));
    let thought = move || {
        has_reasoning.get().then(|| {
            view! {
                <details class="reasoning" data-testid="reasoning">
                    <summary>{icons::icon(icons::CHEVRON)} {t(key::REASONING)}</summary>
                    <div class="reasoning-text" dir="auto">{reasoning}</div>
                </details>
            }
        })
    };
    let copied = RwSignal::new(false);
    let copy = move |_| {
        dom::copy(text.with_untracked(|(text, _)| text.clone()), move |done| copied.set(done));
        set_timeout(move || copied.set(false), std::time::Duration::from_millis(1800));
    };
    let answer = move || {
        has_text.get().then(|| {
            view! {
                <div class="bubble" data-testid="message-assistant" data-streaming=move || text.with(|t| t.1).to_string()>
                    <Markdown text />
                </div>
                <button
                    type="button"
                    class="icon-button small copy"
                    title=move || t(if copied.get() { key::COPIED } else { key::COPY })
                    aria-label=move || t(if copied.get() { key::COPIED } else { key::COPY })
                    on:click=copy
                >
                    {move || icons::icon(if copied.get() { icons::CHECK } else { icons::COPY })}
                </button>
            }
        })
    };
    view! {
        <div class="message assistant" title=dom::clock_time(at)>
            <h2 class="sr-only">{t(key::APP_NAME)}</h2>
            {thought}
            {answer}
        </div>
    }
    .into_any()
}

fn step(panel: Panel, item: ArcRwSignal<Item>, tool: String, args: String) -> AnyView {
    let state = Memo::new(move |_| match item.get() {
        Item::Step { status, summary, .. } => (status, summary),
        _ => (StepStatus::Unknown, String::new()),
    });
    let status = move || state.with(|(status, _)| *status);
    let name = tool.clone();
    let label = move || words::tool_label(&name, status());
    let line_args = args.clone();
    let line_tool = tool.clone();
    let line = Memo::new(move |_| state.with(|(_, summary)| words::step_line(&line_tool, &line_args, summary)));
    let icon_tool = tool.clone();
    let icon = move || icons::icon(words::step_icon(&icon_tool, status()));
    // A good end needs no word beside the tick; screen readers get it all the same.
    let verdict_class = move || match status() {
        StepStatus::Ok | StepStatus::Running => "sr-only",
        _ => "verdict",
    };
    let result = move || {
        state.with(|(_, summary)| {
            (!summary.is_empty()).then(|| {
                view! {
                    <h3>{t(key::STEP_RESULT)}</h3>
                    <pre dir=bidi::dir(summary) tabindex="0">{summary.clone()}</pre>
                }
            })
        })
    };
    view! {
        <div class="step" data-testid="tool-step" data-tool=tool.clone() data-status=move || words::step_status_name(status())>
            <details open=panel.verbose.get_untracked()>
                <summary>
                    <span class="step-icon">{icon}</span>
                    <span class="step-label">{label}</span>
                    <span class="step-line" dir=move || line.with(|line| bidi::dir(line))>{line}</span>
                    <span class=verdict_class>{move || t(words::step_status_key(status()))}</span>
                    <span class="step-mark" aria-hidden="true"></span>
                </summary>
                <div class="step-details">
                    <h3>{t(key::STEP_ARGUMENTS)}</h3>
                    <pre dir="ltr" tabindex="0">{words::pretty(&args)}</pre>
                    {result}
                </div>
            </details>
        </div>
    }
    .into_any()
}
