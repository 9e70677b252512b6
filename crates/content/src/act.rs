//! From a request to a reply.

use crate::fail::Fail;
use crate::task::Deadline;
use crate::{click, extract, field, indicator, js, keys, observe, read, scroll, state, status, wait};
use webbrain_tools::{Dispatched, PageCall, PageReply, PageRequest};

/// What a call gives.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Text for the model.
    pub text: String,
    /// One line for the user.
    pub summary: String,
    /// Whether it did what it says; a call may act and still not succeed.
    pub failed: bool,
}

impl Outcome {
    /// A success.
    pub fn new(text: impl Into<String>, summary: impl Into<String>) -> Self {
        Outcome { text: text.into(), summary: summary.into(), failed: false }
    }
}

/// Answers a request.
pub async fn handle(request: PageRequest) -> PageReply {
    match request {
        PageRequest::Call { call, ref_floor, timeout_ms, observe_only } => {
            begin(ref_floor);
            let deadline = Deadline::after(timeout_ms);
            let acting = matches!(
                call,
                PageCall::ClickAx(_) | PageCall::TypeAx(_) | PageCall::SetField(_) | PageCall::PressKeys(_)
            );
            if acting {
                indicator::suspend();
            }
            let result = carry_out(call, deadline, observe_only).await;
            if acting {
                indicator::resume();
            }
            reply(result)
        }
        PageRequest::Mark { ref_floor } => {
            begin(ref_floor);
            observe::mark();
            reply(Ok(Outcome::default()))
        }
        PageRequest::Indicator { on } => {
            indicator::switch(on);
            reply(Ok(Outcome::default()))
        }
        PageRequest::Status {} => {
            let mut reply = reply(Ok(Outcome::default()));
            reply.dirty_fields = status::dirty_fields();
            reply
        }
        PageRequest::Release {} => {
            indicator::switch(false);
            state::with(|s| s.mark = None);
            reply(Ok(Outcome::default()))
        }
    }
}

fn begin(ref_floor: u32) {
    state::untouched();
    state::with(|s| {
        s.registry.raise_floor(ref_floor);
        s.registry.sweep();
    });
}

async fn carry_out(call: PageCall, deadline: Deadline, observe_only: bool) -> Result<Outcome, Fail> {
    match call {
        PageCall::GetAccessibilityTree(args) => read::tree(&args),
        PageCall::ClickAx(args) => click::click(&args.ref_id, deadline).await,
        PageCall::TypeAx(args) => {
            let edit = field::Edit { text: &args.text, replace: args.clear == Some(true), submit: false };
            field::fill(&args.ref_id, edit, deadline).await
        }
        PageCall::SetField(args) => {
            let submit = args.submit == Some(true);
            let edit = field::Edit { text: &args.text, replace: args.clear != Some(false), submit };
            field::fill(&args.ref_id, edit, deadline).await
        }
        PageCall::PressKeys(args) => keys::press(args.key, args.repeat, observe_only, deadline).await,
        PageCall::Scroll(args) => scroll::scroll(&args, deadline).await,
        PageCall::ReadPage(args) => Ok(read::page(&args)),
        PageCall::ExtractData(args) => Ok(extract::extract(args.kind)),
        PageCall::GetSelection(_) => Ok(read::selection()),
        PageCall::WaitForElement(args) => wait::for_element(&args, deadline).await,
        PageCall::WaitForStable(args) => Ok(wait::for_stable(&args, deadline).await),
    }
}

fn reply(result: Result<Outcome, Fail>) -> PageReply {
    let touched = state::is_touched();
    let (outcome, ok, dispatched) = match result {
        Ok(outcome) => {
            let ok = !outcome.failed;
            (outcome, ok, if touched { Dispatched::Yes } else { Dispatched::No })
        }
        Err(fail) => {
            let dispatched = match (&fail, touched) {
                (_, false) => Dispatched::No,
                (Fail::Threw(_), true) => Dispatched::Unknown,
                (_, true) => Dispatched::Yes,
            };
            (Outcome::new(fail.to_string(), String::new()), false, dispatched)
        }
    };
    PageReply {
        ok,
        dispatched,
        text: outcome.text,
        summary: outcome.summary,
        url: js::location(),
        title: js::document().title(),
        next_ref: state::with(|s| s.registry.next()),
        dirty_fields: 0,
    }
}
