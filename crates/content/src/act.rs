//! From a request to a reply.

use crate::fail::Fail;
use crate::json::Json;
use crate::outcome::{Ended, Outcome, touch, untouched};
use crate::task::{self, Deadline};
use crate::wire::{self, Call, Request};
use crate::{
    collector, extract, indicator, js, kept, link, looks, observe, pressed, read, scroll, state, status, target, wait,
};
use webbrain_tools::{PageCall, PageReply, RefId};

const MOVED: &str =
    "The tab has gone to another site since it was last read. Nothing was done. Read the page before you go on.";

/// Origin of the document.
fn here() -> String {
    js::property(&js::property(&js::window(), "location"), "origin").as_string().unwrap_or_default()
}

/// Answers a request: a reply, or what [`link::missing`] says.
pub async fn handle(request: Request) -> String {
    let ended = match request {
        Request::Call { call, ref_floor, timeout_ms, observe_only, origin, within } => {
            begin(ref_floor);
            let deadline = Deadline::after(f64::from(timeout_ms));
            if origin.is_some_and(|allowed| allowed != here()) {
                Fail::Unfit(MOVED.to_owned()).into()
            } else {
                match call {
                    Call::Read(call) => carry_out(call, deadline, within).await.into(),
                    Call::Look(call) => looks::look(&call).into(),
                    Call::Act(call) if observe_only => observed(&call, deadline).await.into(),
                    Call::Act(call) => match act(call, deadline).await {
                        Ok(ended) => ended,
                        Err(missing) => return missing,
                    },
                }
            }
        }
        Request::Inserted { call, timeout_ms } => match act(call, Deadline::after(f64::from(timeout_ms))).await {
            Ok(ended) => ended,
            Err(missing) => return missing,
        },
        Request::Mark { ref_floor } => {
            begin(ref_floor);
            observe::mark();
            done()
        }
        Request::Indicator { on } => {
            indicator::switch(on);
            done()
        }
        Request::Status => {
            return wire::reply(&PageReply { dirty_fields: status::dirty_fields(), ..reply(done()) });
        }
        Request::Cancel => {
            give_up();
            done()
        }
        Request::Release => {
            give_up();
            indicator::switch(false);
            kept::forget();
            state::with(|s| {
                s.mark = None;
                s.before.1 = None;
            });
            done()
        }
    };
    wire::reply(&reply(ended))
}

/// Nothing was asked that could fail.
fn done() -> Ended {
    Ended { ok: true, ..Ended::default() }
}

/// In both halves.
fn give_up() {
    task::give_up();
    link::give_up();
}

fn begin(ref_floor: u32) {
    // What a call showed that was cut short is not this one's.
    observe::take_shown();
    observe::take_frames();
    untouched();
    state::with(|s| {
        s.before.1 = None;
        s.registry.raise_floor(ref_floor);
        s.registry.sweep();
    });
}

async fn carry_out(call: PageCall, deadline: Deadline, within: Option<RefId>) -> Result<Outcome, Fail> {
    match call {
        PageCall::GetAccessibilityTree(args) => read::tree(&args, within),
        PageCall::Scroll(args) => scroll::scroll(&args, deadline).await,
        PageCall::ReadPage(args) => Ok(read::page(&args)),
        PageCall::ExtractData(args) => Ok(extract::extract(args.kind)),
        PageCall::GetSelection(_) => Ok(read::selection()),
        PageCall::WaitForElement(args) => wait::for_element(&args, deadline).await,
        PageCall::WaitForStable(args) => Ok(wait::for_stable(&args, deadline).await),
        // The wire leaves these as they came.
        PageCall::ClickAx(_)
        | PageCall::TypeAx(_)
        | PageCall::SetField(_)
        | PageCall::TypeText(_)
        | PageCall::UploadFile(_)
        | PageCall::PressKeys(_)
        | PageCall::Look(_) => Err(Fail::Unfit("This is not carried out here.".to_owned())),
    }
}

/// Has the actor carry a call out; says which form of it to bring when it is not here.
async fn act(call: Json, deadline: Deadline) -> Result<Ended, String> {
    // An element that is not in this frame is no reason to bring it.
    if let Some(fail) = call.at("args").reference().and_then(|reference| target::find(&reference).err()) {
        return Ok(fail.into());
    }
    if let Some(missing) = link::missing() {
        return Err(missing);
    }
    if let Err(thrown) = task::settled(link::ready()).await {
        return Ok(Fail::from(thrown).into());
    }
    if deadline.passed() {
        return Ok(Fail::Late.into());
    }
    indicator::suspend();
    let ended = task::settled(link::act(&call.0, deadline.left())).await;
    indicator::resume();
    Ok(match ended {
        Ok(ended) => Ended::from_js(ended),
        Err(thrown) => {
            // How far it came is not known.
            touch();
            Fail::from(thrown).into()
        }
    })
}

/// Says what changed by keys that trusted input pressed.
async fn observed(call: &Json, deadline: Deadline) -> Result<Outcome, Fail> {
    let args = call.at("args");
    let words = pressed(&args.text("key").unwrap_or_default(), args.number("repeat"));
    let changes = observe::Before::marked().changes(deadline).await;
    touch();
    Ok(Outcome::new(format!("pressed {words}\n{}", changes.text), words))
}

fn reply(ended: Ended) -> PageReply {
    PageReply {
        ok: ended.ok,
        dispatched: ended.dispatched,
        text: ended.text,
        summary: ended.summary,
        url: js::location(),
        title: js::document().title(),
        next_ref: state::with(|s| s.registry.next()),
        missing: ended.missing,
        insert: ended.insert,
        place: collector::place(&js::window()),
        // Written by the wire from what the reading kept.
        ..PageReply::default()
    }
}
