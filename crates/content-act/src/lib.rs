//! The half of the content script that acts: clicks, keys, text and lists. It comes into a frame with the first call that acts
//! there, and is called by the other half, the reader, which holds the refs, looks at the page and writes the reply; see
//! [`services`] for what this half asks of it. Between calls it keeps only what trusted input is to
//! do before a call can be finished.

mod choice;
mod click;
mod cover;
mod editor;
mod events;
mod field;
mod keys;
mod rendered;
mod select;
mod services;
mod submit;
mod target;
mod transfer;
mod typed;
mod upload;
mod verify;
mod whole;

use wasm_bindgen::prelude::*;
use webbrain_content_base::{MOST_PRESSES, Rect, entry, fail, focus, js, json, named, outcome, pressed, task, text};
use webbrain_tools::{Key, RefId};

use fail::Fail;
use json::Json;
use outcome::{Ended, Outcome};
use task::Deadline;

/// Carries out a call, `{ tool, args }`, in so many ms: a promise of an `Ended`.
#[wasm_bindgen]
pub fn act(call: JsValue, left: f64) -> js::Promise {
    outcome::untouched();
    let deadline = Deadline::after(left);
    task::promise(async move {
        let ended: Ended = match carry_out(&Json(call), deadline).await {
            Some(result) => result.into(),
            None => {
                Fail::Unfit("The content script does not understand this call. Nothing was done.".to_owned()).into()
            }
        };
        ended.to_js()
    })
}

/// Gives up what is under way.
#[wasm_bindgen(js_name = giveUp)]
pub fn give_up() {
    task::give_up();
}

/// None for a call that is none.
async fn carry_out(call: &Json, deadline: Deadline) -> Option<Result<Outcome, Fail>> {
    let args = call.at("args");
    Some(match call.text("tool")?.as_str() {
        "click_ax" => click::click(&args.reference()?, deadline).await,
        "type_ax" => fill(&args, args.flag("clear") == Some(true), false, deadline).await?,
        "set_field" => {
            fill(&args, args.flag("clear") != Some(false), args.flag("submit") == Some(true), deadline).await?
        }
        "type_text" => field::type_focused(&args.text("text")?, args.flag("clear") == Some(true), deadline).await,
        "inserted" => {
            field::inserted(args.flag("done") == Some(true), args.flag("announce") == Some(true), deadline).await
        }
        "upload_file" => {
            let (name, content, mime) = (args.text("fileName")?, args.text("content")?, args.text("mimeType"));
            let gift = upload::Gift { name: &name, content: &content, mime: mime.as_deref() };
            upload::upload(&args.reference()?, gift, deadline).await
        }
        "press_keys" => keys::press(key(&args.text("key")?)?, args.number("repeat"), deadline).await,
        _ => return None,
    })
}

async fn fill(args: &Json, replace: bool, submit: bool, deadline: Deadline) -> Option<Result<Outcome, Fail>> {
    let (reference, text): (RefId, String) = (args.reference()?, args.text("text")?);
    Some(field::fill(&reference, field::Edit { text: &text, replace, submit }, deadline).await)
}

fn key(name: &str) -> Option<Key> {
    Some(match name {
        "Escape" => Key::Escape,
        "Tab" => Key::Tab,
        "Enter" => Key::Enter,
        "ArrowUp" => Key::ArrowUp,
        "ArrowDown" => Key::ArrowDown,
        "ArrowLeft" => Key::ArrowLeft,
        "ArrowRight" => Key::ArrowRight,
        _ => return None,
    })
}
