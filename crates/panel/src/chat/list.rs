//! The conversation: its rows, what stands there before the first, and the way back to the end.

use crate::chat::Panel;
use crate::chat::items::item_view;
use crate::chat::scroll::Follow;
use crate::i18n::{key, t};
use crate::{dom, icons};
use leptos::html::Div;
use leptos::prelude::*;
use webbrain_protocol::{Item, Mode};

/// The scrolling list of messages, steps and cards.
#[component]
pub fn Messages(panel: Panel) -> impl IntoView {
    let scroller = NodeRef::<Div>::new();
    let content = NodeRef::<Div>::new();
    let follow = Follow::new(scroller, content, move || !panel.rows.with_untracked(Vec::is_empty));
    // What the user sends, or another tab's chat, is shown from its end.
    Effect::new(move |before: Option<usize>| {
        panel.tab.track();
        let count = panel.rows.with(Vec::len);
        let own = panel.rows.with(|rows| {
            rows.last().is_some_and(|row| row.item.with_untracked(|item| matches!(item, Item::User { .. })))
        });
        if count > 0 && (before.unwrap_or(0) == 0 || (own && before != Some(count))) {
            follow.to_end();
        }
        count
    });
    let jump = move || {
        (!follow.at_end.get()).then(|| {
            view! {
                <button type="button" class="jump" data-testid="jump-latest" on:click=move |_| follow.to_end()>
                    {icons::icon(icons::DOWN)} {t(key::LATEST)}
                </button>
            }
        })
    };
    let thinking = move || {
        panel.thinking.get().then(|| {
            view! {
                <div class="thinking" data-testid="thinking">
                    <span class="pulse" aria-hidden="true"></span>
                    {t(key::THINKING)}
                </div>
            }
        })
    };
    view! {
        <main class="middle">
            <div
                class="scroller"
                tabindex="0"
                role="region"
                aria-label=t(key::CHAT_LABEL)
                node_ref=scroller
                on:scroll=move |_| follow.scrolled()
            >
                <div class="list" node_ref=content aria-busy=move || (!panel.loaded.get()).then_some("true")>
                    {move || panel.is_empty().then(|| intro(panel))}
                    <For each=move || panel.rows.get() key=|row| row.key children=move |row| item_view(panel, row) />
                    {thinking}
                </div>
            </div>
            {jump}
        </main>
    }
    .into_any()
}

/// What an empty chat says.
fn intro(panel: Panel) -> AnyView {
    let example = move |label: &'static str, mode: Mode| {
        let fill = move |_| {
            panel.draft.set(t(label));
            panel.choose_mode(mode);
            if let Some(composer) = dom::by_id("composer") {
                dom::focus(&composer);
            }
        };
        view! {
            <li>
                <button type="button" class="example" data-testid="example" on:click=fill>
                    <span>{t(label)}</span>
                    {icons::icon(icons::FORWARD)}
                </button>
            </li>
        }
    };
    let no_model = move || {
        let only_commands = panel.active.get() == webbrain_protocol::settings::COMMANDS_PROVIDER;
        only_commands.then(|| {
            view! {
                <div class="intro-model">
                    <p>{t(key::INTRO_MODEL)}</p>
                    <button type="button" class="button" data-testid="setup-model" on:click=move |_| panel.open_settings()>
                        {t(key::INTRO_MODEL_BUTTON)}
                    </button>
                </div>
            }
        })
    };
    view! {
        <section class="intro" data-testid="intro">
            {icons::logo()}
            <h1>{t(key::INTRO_TITLE)}</h1>
            <p class="intro-body">{t(key::INTRO_BODY)}</p>
            <h2>{t(key::INTRO_TRY)}</h2>
            <ul class="examples">
                {example(key::INTRO_EXAMPLE_READ, Mode::Ask)} {example(key::INTRO_EXAMPLE_OPEN, Mode::Act)}
                {example(key::INTRO_EXAMPLE_FORM, Mode::Act)}
            </ul>
            {no_model}
        </section>
    }
    .into_any()
}
