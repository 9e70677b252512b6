//! Requests in, replies out, through the browser's own JSON: a second JSON parser would be a third of this script's size.
//! The types and their JSON are those of `webbrain_tools::call`; the end-to-end tests hold that both sides agree.

use crate::json::Json;
use crate::{js, observe, outcome};
use webbrain_tools::{
    DataKind, Direction, ExtractData, Filter, GetAccessibilityTree, GetSelection, PageCall, PageReply, ReadPage, RefId,
    Scroll, WaitForElement, WaitForStable,
};

/// A request as the content script takes it.
pub enum Request {
    /// Carry out a call.
    Call {
        /// The call.
        call: Call,
        /// First number that may be given as a ref.
        ref_floor: u32,
        /// ms that it may take.
        timeout_ms: u32,
        /// It was done already, by trusted input: only say what changed.
        observe_only: bool,
        /// Origin that the document must have.
        origin: Option<String>,
        /// The ref that stands for this whole document.
        within: Option<RefId>,
    },
    /// See [`PageRequest::Mark`].
    Mark {
        /// First number that may be given as a ref.
        ref_floor: u32,
    },
    /// See [`PageRequest::Inserted`].
    Inserted {
        /// For the actor.
        call: Json,
        /// ms that it may take.
        timeout_ms: u32,
    },
    /// See [`PageRequest::Indicator`].
    Indicator {
        /// Whether it is shown.
        on: bool,
    },
    /// See [`PageRequest::Status`].
    Status,
    /// See [`PageRequest::Cancel`].
    Cancel,
    /// See [`PageRequest::Release`].
    Release,
}

/// A call.
pub enum Call {
    /// Carried out here.
    Read(PageCall),
    /// Looked at here; its arguments as they came.
    Look(Json),
    /// For the actor, as it came.
    Act(Json),
}

/// Reads a request; `None` when it is none.
pub fn request(json: &str) -> Option<Request> {
    let value = Json(js::parse_json(json).ok()?);
    let ref_floor = value.number("ref_floor").unwrap_or(0);
    Some(match value.text("kind")?.as_str() {
        "call" => Request::Call {
            call: call(value.at("call"))?,
            ref_floor,
            timeout_ms: value.number("timeout_ms")?,
            observe_only: value.flag("observe_only").unwrap_or(false),
            origin: value.text("origin"),
            within: value.text("within").map(RefId),
        },
        "mark" => Request::Mark { ref_floor },
        "inserted" => Request::Inserted {
            timeout_ms: value.number("timeout_ms")?,
            call: Json(js::object(&[("tool", "inserted".into()), ("args", value.0)])),
        },
        "indicator" => Request::Indicator { on: value.flag("on")? },
        "status" => Request::Status,
        "cancel" => Request::Cancel,
        "release" => Request::Release,
        _ => return None,
    })
}

/// What is not known here is the actor's.
fn call(value: Json) -> Option<Call> {
    let args = value.at("args");
    Some(Call::Read(match value.text("tool")?.as_str() {
        "get_accessibility_tree" => PageCall::GetAccessibilityTree(GetAccessibilityTree {
            filter: filter(args.text("filter")),
            max_depth: args.number("maxDepth"),
            max_chars: args.number("maxChars"),
            ref_id: args.reference(),
            include_hidden: args.flag("includeHidden"),
            page: args.number("page"),
        }),
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
        "look" => return Some(Call::Look(args)),
        _ => return Some(Call::Act(value)),
    }))
}

fn filter(name: Option<String>) -> Filter {
    match name.as_deref() {
        Some("visible") => Filter::Visible,
        Some("interactive") => Filter::Interactive,
        _ => Filter::All,
    }
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

/// Writes a reply, with the elements that it shows.
pub fn reply(reply: &PageReply) -> String {
    let value = js::object(&[
        ("ok", reply.ok.into()),
        ("dispatched", outcome::word(reply.dispatched).into()),
        ("text", reply.text.as_str().into()),
        ("summary", reply.summary.as_str().into()),
        ("url", reply.url.as_str().into()),
        ("title", reply.title.as_str().into()),
        ("next_ref", reply.next_ref.into()),
        ("dirty_fields", reply.dirty_fields.into()),
        ("shown", js::array(&observe::take_shown()).into()),
        ("missing", reply.missing.into()),
        ("frames", js::array(&observe::take_frames()).into()),
        ("place", reply.place.as_str().into()),
        ("insert", outcome::insertion(reply.insert.as_ref())),
    ]);
    // A plain object of strings and numbers always has a JSON form.
    js::to_json(&value)
}
