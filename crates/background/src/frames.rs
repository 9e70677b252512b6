//! The frames of a tab. The content script of the top frame reads same-origin frames itself; each other one has a content
//! script of its own, and what they read is joined here: one text, one row of ref numbers. Source: DESIGN 4.

mod framed;

use crate::app::Actor;
use crate::error::Error;
use crate::leave::Leave;
use crate::{host, keys, page};
use webbrain_core::gate;
use webbrain_protocol::TabId;
use webbrain_tools::{FrameSlot, GetAccessibilityTree, PageCall, PageReply, PageRequest, RefId, ShownRef};

/// The top frame's id.
pub(crate) const TOP: i64 = 0;
/// Frames that one reading enters at most: a page of advertisements has dozens.
const MOST: usize = 12;
/// Characters of a joined reading unless the call says otherwise, and at most: the core cuts longer results.
const CHARS: (usize, usize) = (7_000, 7_500);
/// Characters that a frame needs to be read at all.
const LEAST_CHARS: usize = 500;
/// ms that a frame may take to come up and say where it is.
const STATUS_MS: u32 = 5_000;
/// One level of a tree.
const STEP: &str = "  ";
/// What a frame's line ends with while its document is not below it.
const UNREAD: &str = " unread";

/// A frame of a tab.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) id: i64,
    parent: i64,
    pub(crate) url: String,
    /// Host that an action in it is charged to: its own, or that of the frame around it where it has none.
    pub(crate) host: Option<String>,
}

impl Frame {
    /// Origin as its content script sees it.
    pub(crate) fn origin(&self) -> String {
        let origin = gate::origin_of(&self.url);
        if origin.ends_with(':') { "null".to_owned() } else { origin }
    }
}

/// All frames of a tab, the top one first.
pub(crate) async fn all(tab: TabId) -> Result<Vec<Frame>, Error> {
    Ok(charged(&host::frames(tab).await?))
}

fn charged(raw: &[host::RawFrame]) -> Vec<Frame> {
    let charge = |of: &host::RawFrame| {
        let mut at = of;
        // A frame cannot be its own ancestor, whatever the browser says.
        for _ in 0..raw.len() {
            if let Some(host) = gate::host_of(&at.url) {
                return Some(host);
            }
            at = raw.iter().find(|f| f.frame_id == at.parent_frame_id)?;
        }
        None
    };
    let mut frames: Vec<Frame> = raw
        .iter()
        .map(|f| Frame { id: f.frame_id, parent: f.parent_frame_id, url: f.url.clone(), host: charge(f) })
        .collect();
    frames.sort_by_key(|f| f.id != TOP);
    frames
}

/// A reply and where it came from.
pub(crate) struct Answer {
    pub(crate) reply: PageReply,
    /// Address of the top frame before the call.
    pub(crate) top_url: String,
}

/// Carries a call out in the frame that its ref is of: the top one, or one of those that were read before.
pub(crate) async fn routed(
    actor: &Actor,
    call: &PageCall,
    leave: &Leave,
    ref_floor: u32,
    timeout_ms: u32,
) -> Result<Answer, Error> {
    if let PageCall::Look(look) = call {
        match look.name.as_str() {
            "get_frames" => return framed::list(actor).await,
            "iframe_read" => return framed::read(actor, look, leave, ref_floor, timeout_ms).await,
            _ => {}
        }
    }
    let top = page::at_top(actor, call, leave, ref_floor, timeout_ms).await;
    let elsewhere = call.ref_id().is_some()
        && match &top {
            Ok(reply) => reply.missing,
            Err(error) => matches!(error, Error::Moved),
        };
    if !elsewhere {
        let mut reply = keys::complete(actor, TOP, top?, leave, timeout_ms).await?;
        let top_url = reply.url.clone();
        join(actor, call, &mut reply, leave, timeout_ms).await;
        return Ok(Answer { reply, top_url });
    }
    let frames = all(actor.tab).await?;
    let top_url = frames.first().map(|f| f.url.clone()).unwrap_or_default();
    for frame in frames.iter().filter(|f| f.id != TOP && leave.allows(f.host.as_deref())) {
        let request = PageRequest::Call {
            call: call.clone(),
            ref_floor,
            timeout_ms,
            observe_only: false,
            origin: leave.acts.then(|| frame.origin()),
            within: None,
        };
        match page::send_if_there(actor, frame.id, &request, leave, timeout_ms).await {
            Ok(Some(reply)) if !reply.missing => {
                let mut reply = keys::complete(actor, frame.id, reply, leave, timeout_ms).await?;
                host_of_shown(&mut reply.shown, frame, &frames);
                join(actor, call, &mut reply, leave, timeout_ms).await;
                return Ok(Answer { reply, top_url });
            }
            Ok(_) => {}
            Err(error) if page::unusable(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Answer { reply: top?, top_url })
}

fn host_of_shown(shown: &mut [ShownRef], frame: &Frame, all: &[Frame]) {
    let top = all.first().and_then(|top| top.host.clone());
    if frame.host != top {
        for row in shown {
            row.host.clone_from(&frame.host);
        }
    }
}

/// Puts what the frames of a tree show below their lines. What cannot be read stays marked as unread.
async fn join(actor: &Actor, call: &PageCall, reply: &mut PageReply, leave: &Leave, timeout_ms: u32) {
    let PageCall::GetAccessibilityTree(args) = call else { return };
    let slots = std::mem::take(&mut reply.frames);
    if slots.is_empty() {
        return;
    }
    let Ok(frames) = all(actor.tab).await else { return };
    let limit = args.max_chars.map_or(CHARS.0, |n| n as usize).clamp(LEAST_CHARS, CHARS.1);
    let mut joining = Joining {
        actor,
        args,
        leave,
        timeout_ms,
        left: limit.saturating_sub(reply.text.chars().count()),
        next_ref: reply.next_ref,
        places: vec![None; frames.len()],
        taken: 0,
        frames,
        shown: Vec::new(),
    };
    reply.text = joining.fill(&reply.text, slots).await;
    reply.next_ref = joining.next_ref;
    reply.shown.append(&mut joining.shown);
}

/// A reading that is being joined.
struct Joining<'a> {
    actor: &'a Actor,
    args: &'a GetAccessibilityTree,
    leave: &'a Leave,
    timeout_ms: u32,
    frames: Vec<Frame>,
    /// Where each frame is, once it was asked; empty for one that does not say.
    places: Vec<Option<String>>,
    /// Characters that may still be added.
    left: usize,
    taken: usize,
    next_ref: u32,
    shown: Vec<ShownRef>,
}

impl Joining<'_> {
    /// `text` with the documents of `slots` below their lines, and of the frames in those.
    async fn fill(&mut self, text: &str, slots: Vec<FrameSlot>) -> String {
        // Text that is still to be gone through, last line first, with the frames on its lines.
        let mut waiting: Vec<(String, Option<FrameSlot>)> = with_slots(text, slots, "");
        let mut lines: Vec<String> = Vec::new();
        while let Some((line, slot)) = waiting.pop() {
            let Some(slot) = slot else {
                lines.push(line);
                continue;
            };
            let indent = format!("{}{STEP}", &line[..line.len() - line.trim_start().len()]);
            match self.read(&slot).await {
                Some(reply) => {
                    let read = line.strip_suffix(UNREAD).map(str::to_owned);
                    lines.push(read.unwrap_or(line));
                    self.left = self.left.saturating_sub(reply.text.chars().count());
                    waiting.append(&mut with_slots(&reply.text, reply.frames, &indent));
                }
                None => lines.push(line),
            }
        }
        lines.join("\n")
    }

    /// Reads the frame of a slot.
    async fn read(&mut self, slot: &FrameSlot) -> Option<PageReply> {
        if self.left < LEAST_CHARS || self.taken >= MOST || slot.place.is_empty() {
            return None;
        }
        let at = self.find(slot).await?;
        self.taken += 1;
        let name = RefId(format!("ref_{}", slot.number));
        let is_anchor = self.args.ref_id.as_ref().and_then(RefId::number) == Some(slot.number);
        let args = GetAccessibilityTree {
            ref_id: Some(name.clone()),
            max_chars: u32::try_from(self.left).ok(),
            page: self.args.page.filter(|_| is_anchor),
            ..self.args.clone()
        };
        let request = PageRequest::Call {
            call: PageCall::GetAccessibilityTree(args),
            ref_floor: self.next_ref,
            timeout_ms: self.timeout_ms,
            observe_only: false,
            origin: None,
            within: Some(name),
        };
        let frame = self.frames.get(at)?;
        let sent = page::send_if_there(self.actor, frame.id, &request, self.leave, self.timeout_ms).await;
        let mut reply = sent.ok().flatten().filter(|reply| reply.ok)?;
        self.next_ref = self.next_ref.max(reply.next_ref);
        host_of_shown(&mut reply.shown, frame, &self.frames);
        self.shown.append(&mut reply.shown);
        Some(reply)
    }

    /// The frame that is at the slot's place. Those at the address that its element asked for are looked at first; a frame
    /// whose place cannot be told is found by its address alone, if no other has it.
    async fn find(&mut self, slot: &FrameSlot) -> Option<usize> {
        let same_url =
            |frame: &Frame| frame.url == slot.url || (slot.url.is_empty() && frame.url.starts_with("about:"));
        if let Some(id) = slot.place.strip_prefix('#').and_then(|id| id.parse::<i64>().ok()) {
            let at = self.frames.iter().position(|f| f.id == id && f.id != TOP)?;
            self.ask_place(at).await?;
            return Some(at);
        }
        if slot.place.contains('?') {
            let mut found = self.frames.iter().enumerate().filter(|(_, f)| f.id != TOP && same_url(f));
            let (at, _) = found.next().filter(|_| found.next().is_none())?;
            self.ask_place(at).await?;
            return Some(at);
        }
        let mut order: Vec<usize> = (0..self.frames.len()).filter(|at| self.frames[*at].id != TOP).collect();
        order.sort_by_key(|at| (self.places[*at].is_none(), !same_url(&self.frames[*at])));
        for at in order.into_iter().take(4 * MOST) {
            if self.ask_place(at).await.is_some_and(|place| place == slot.place) {
                return Some(at);
            }
        }
        None
    }

    async fn ask_place(&mut self, at: usize) -> Option<String> {
        if self.places[at].is_none() {
            let status = PageRequest::Status {};
            let asked = page::send(self.actor, self.frames[at].id, &status, self.leave, STATUS_MS).await;
            self.places[at] = Some(asked.map(|reply| reply.place).unwrap_or_default());
        }
        self.places[at].clone().filter(|place| !place.is_empty())
    }
}

/// The lines of a text, last first, each with the frame that is on it.
fn with_slots(text: &str, slots: Vec<FrameSlot>, indent: &str) -> Vec<(String, Option<FrameSlot>)> {
    let mut lines: Vec<(String, Option<FrameSlot>)> = text.lines().map(|l| (format!("{indent}{l}"), None)).collect();
    for slot in slots {
        if let Some((_, place)) = lines.get_mut(slot.line as usize) {
            *place = Some(slot);
        }
    }
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(frame_id: i64, parent_frame_id: i64, url: &str) -> host::RawFrame {
        host::RawFrame { frame_id, parent_frame_id, url: url.to_owned() }
    }

    #[test]
    fn ids_are_as_large_as_firefox_makes_them() {
        let text = r#"[{"frameId":17179869187,"parentFrameId":0,"url":"https://pay.test/"}]"#;
        let frames = charged(&webbrain_protocol::json::from_str::<Vec<host::RawFrame>>(text).unwrap());
        assert_eq!(frames[0].id, 17_179_869_187);
    }

    #[test]
    fn a_frame_without_a_host_is_charged_to_the_one_around_it() {
        let frames = charged(&[
            raw(7, 5, "about:srcdoc"),
            raw(5, 0, "https://pay.test/card"),
            raw(0, -1, "https://www.shop.test/"),
            raw(9, 9, "data:text/html,x"),
            raw(8, 0, "about:blank"),
        ]);
        let found: Vec<_> = frames.iter().map(|f| (f.id, f.host.as_deref(), f.origin())).collect();
        assert_eq!(
            found,
            [
                (0, Some("shop.test"), "https://www.shop.test".to_owned()),
                (7, Some("pay.test"), "null".to_owned()),
                (5, Some("pay.test"), "https://pay.test".to_owned()),
                (9, None, "null".to_owned()),
                (8, Some("shop.test"), "null".to_owned()),
            ]
        );
    }

    #[test]
    fn what_a_frame_shows_is_marked_with_its_host_unless_it_is_the_tabs() {
        let frames =
            charged(&[raw(0, -1, "https://shop.test/"), raw(1, 0, "https://pay.test/"), raw(2, 0, "about:srcdoc")]);
        let marked = |at: usize| {
            let mut shown =
                [ShownRef { number: 1, role: "button".into(), name: "Pay".into(), secret: false, host: None }];
            host_of_shown(&mut shown, &frames[at], &frames);
            shown[0].host.clone()
        };
        assert_eq!(marked(1).as_deref(), Some("pay.test"));
        assert_eq!(marked(2), None);
    }
}
