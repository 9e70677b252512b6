//! Requests in, replies out, through the browser's own JSON: a second JSON parser would be a third of this script's size.
//! The types and their JSON are those of `webbrain_tools::call`; the end-to-end tests hold that both sides agree.

use crate::js;
use js_sys::JSON;
use wasm_bindgen::JsValue;
use webbrain_tools::{
    ClickAx, DataKind, Direction, Dispatched, ExtractData, Filter, GetAccessibilityTree, GetSelection, Key, PageCall,
    PageReply, PageRequest, PressKeys, ReadPage, RefId, Scroll, SetField, TypeAx, WaitForElement, WaitForStable,
};

/// A parsed value.
struct Json(JsValue);

impl Json {
    fn at(&self, key: &str) -> Json {
        Json(js::property(&self.0, key))
    }

    fn text(&self, key: &str) -> Option<String> {
        self.at(key).0.as_string()
    }

    fn number(&self, key: &str) -> Option<u32> {
        // The sender checked the bounds.
        self.at(key).0.as_f64().map(|n| n as u32)
    }

    fn flag(&self, key: &str) -> Option<bool> {
        self.at(key).0.as_bool()
    }

    fn reference(&self) -> Option<RefId> {
        self.text("ref_id").map(RefId)
    }
}

/// Reads a request; `None` when it is none.
pub fn request(json: &str) -> Option<PageRequest> {
    let value = Json(JSON::parse(json).ok()?);
    let ref_floor = value.number("ref_floor").unwrap_or(0);
    Some(match value.text("kind")?.as_str() {
        "call" => PageRequest::Call {
            call: call(&value.at("call"))?,
            ref_floor,
            timeout_ms: value.number("timeout_ms")?,
            observe_only: value.flag("observe_only").unwrap_or(false),
        },
        "mark" => PageRequest::Mark { ref_floor },
        "indicator" => PageRequest::Indicator { on: value.flag("on")? },
        "status" => PageRequest::Status {},
        "release" => PageRequest::Release {},
        _ => return None,
    })
}

fn call(value: &Json) -> Option<PageCall> {
    let args = value.at("args");
    Some(match value.text("tool")?.as_str() {
        "get_accessibility_tree" => PageCall::GetAccessibilityTree(GetAccessibilityTree {
            filter: filter(args.text("filter")),
            max_depth: args.number("maxDepth"),
            max_chars: args.number("maxChars"),
            ref_id: args.reference(),
            page: args.number("page"),
        }),
        "click_ax" => PageCall::ClickAx(ClickAx { ref_id: args.reference()? }),
        "type_ax" => {
            PageCall::TypeAx(TypeAx { ref_id: args.reference()?, text: args.text("text")?, clear: args.flag("clear") })
        }
        "set_field" => PageCall::SetField(SetField {
            ref_id: args.reference()?,
            text: args.text("text")?,
            clear: args.flag("clear"),
            submit: args.flag("submit"),
        }),
        "press_keys" => PageCall::PressKeys(PressKeys { key: key(&args.text("key")?)?, repeat: args.number("repeat") }),
        "scroll" => PageCall::Scroll(Scroll {
            direction: direction(&args.text("direction")?)?,
            amount: args.number("amount"),
            ref_id: args.reference(),
        }),
        "read_page" => {
            PageCall::ReadPage(ReadPage { include_chrome: args.flag("includeChrome"), page: args.number("page") })
        }
        "extract_data" => PageCall::ExtractData(ExtractData { kind: data_kind(&args.text("type")?)? }),
        "get_selection" => PageCall::GetSelection(GetSelection {}),
        "wait_for_element" => PageCall::WaitForElement(WaitForElement {
            selector: args.text("selector")?,
            timeout: args.number("timeout"),
        }),
        "wait_for_stable" => {
            PageCall::WaitForStable(WaitForStable { timeout: args.number("timeout"), quiet_ms: args.number("quietMs") })
        }
        _ => return None,
    })
}

fn filter(name: Option<String>) -> Filter {
    match name.as_deref() {
        Some("visible") => Filter::Visible,
        Some("interactive") => Filter::Interactive,
        _ => Filter::All,
    }
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

fn direction(name: &str) -> Option<Direction> {
    Some(match name {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "top" => Direction::Top,
        "bottom" => Direction::Bottom,
        _ => return None,
    })
}

fn data_kind(name: &str) -> Option<DataKind> {
    Some(match name {
        "tables" => DataKind::Tables,
        "headings" => DataKind::Headings,
        "images" => DataKind::Images,
        _ => return None,
    })
}

/// Writes a reply.
pub fn reply(reply: &PageReply) -> String {
    let dispatched = match reply.dispatched {
        Dispatched::No => "no",
        Dispatched::Yes => "yes",
        Dispatched::Unknown => "unknown",
    };
    let value = js::object(&[
        ("ok", reply.ok.into()),
        ("dispatched", dispatched.into()),
        ("text", reply.text.as_str().into()),
        ("summary", reply.summary.as_str().into()),
        ("url", reply.url.as_str().into()),
        ("title", reply.title.as_str().into()),
        ("next_ref", reply.next_ref.into()),
        ("dirty_fields", reply.dirty_fields.into()),
    ]);
    // A plain object of strings and numbers always has a JSON form.
    JSON::stringify(&value).map(String::from).unwrap_or_default()
}
