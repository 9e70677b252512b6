//! `get_frames` and `iframe_read`: the frames of a tab by their addresses.

use super::{Answer, Frame, TOP, all, host_of_shown, join};
use crate::app::Actor;
use crate::error::Error;
use crate::leave::Leave;
use crate::page;
use webbrain_tools::{Filter, GetAccessibilityTree, LookCall, PageCall, PageReply, PageRequest};

/// Frames that are listed at most, and characters of an address.
const LISTED: usize = 60;
const URL_CHARS: usize = 200;
/// ms that a frame may take to come up.
const START_MS: u32 = 5_000;

/// `get_frames`.
pub(super) async fn list(actor: &Actor) -> Result<Answer, Error> {
    let frames = all(actor.tab).await?;
    let count = frames.len().saturating_sub(1);
    let mut text = format!("{count} frames in the page\n");
    text.push_str(&tree_of(&frames));
    Ok(answer(&frames, PageReply { ok: true, text, summary: count.to_string(), ..PageReply::default() }))
}

/// The frames, each below the one that it is in.
fn tree_of(frames: &[Frame]) -> String {
    let mut text = String::new();
    // Frames that are still to be listed, last first, with their levels.
    let mut waiting: Vec<(&Frame, usize)> = frames.iter().filter(|f| f.id == TOP).map(|f| (f, 0)).collect();
    let mut listed = 0;
    while let Some((frame, level)) = waiting.pop() {
        if listed == LISTED {
            text.push_str("[more are not listed]\n");
            break;
        }
        listed += 1;
        let kind = if level == 0 { "page" } else { "frame" };
        text.push_str(&format!("{}{kind} {}\n", "  ".repeat(level), short(&frame.url)));
        waiting
            .extend(frames.iter().rev().filter(|f| f.parent == frame.id && f.id != frame.id).map(|f| (f, level + 1)));
    }
    text
}

fn short(url: &str) -> String {
    let cut: String = url.chars().take(URL_CHARS).collect();
    if cut.len() < url.len() { format!("{cut}…") } else { cut }
}

/// `iframe_read`: the tree of the one frame that is meant, or what there is to choose from.
pub(super) async fn read(
    actor: &Actor,
    look: &LookCall,
    leave: &Leave,
    ref_floor: u32,
    timeout_ms: u32,
) -> Result<Answer, Error> {
    let frames = all(actor.tab).await?;
    let filter = look.text("urlFilter").unwrap_or_default().trim();
    let found: Vec<&Frame> = frames.iter().filter(|f| f.id != TOP && is_meant(f, filter)).collect();
    let frame = match choose(&found, look.number("matchIndex"), &frames) {
        Ok(frame) => frame,
        Err(text) => return Ok(answer(&frames, PageReply { text, ..PageReply::default() })),
    };
    let status = page::send(actor, frame.id, &PageRequest::Status {}, leave, START_MS).await;
    if let Err(error) = status {
        let text = format!("This frame cannot be read: {error}.\nframe {}", short(&frame.url));
        return Ok(answer(&frames, PageReply { text, ..PageReply::default() }));
    }
    let page = look.number("page");
    let call = PageCall::GetAccessibilityTree(GetAccessibilityTree {
        filter: Filter::All,
        max_depth: None,
        max_chars: None,
        ref_id: None,
        include_hidden: None,
        page,
    });
    let request = PageRequest::Call {
        call: call.clone(),
        ref_floor,
        timeout_ms,
        observe_only: false,
        origin: Some(frame.origin()),
        within: None,
    };
    let sent = page::send_if_there(actor, frame.id, &request, leave, timeout_ms).await?;
    let mut reply = sent.ok_or(Error::Gone)?;
    host_of_shown(&mut reply.shown, frame, &frames);
    join(actor, &call, &mut reply, leave, timeout_ms).await;
    reply.text = reply.text.replace("call get_accessibility_tree with page:", "call iframe_read with page:");
    Ok(answer(&frames, reply))
}

/// Whether a frame is at the host that is asked for, below it, or has the words in its address.
fn is_meant(frame: &Frame, filter: &str) -> bool {
    let host = frame.host.as_deref().unwrap_or_default();
    let below = host.strip_suffix(filter).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !filter.is_empty() && (below || frame.url.contains(filter))
}

/// The one frame that is meant; else what to do, with what there is.
fn choose<'f>(found: &[&'f Frame], index: Option<u32>, all: &[Frame]) -> Result<&'f Frame, String> {
    let candidates = || -> String {
        found.iter().enumerate().map(|(at, f)| format!("\nmatchIndex {at}: {}", short(&f.url))).collect()
    };
    match (found, index) {
        ([], _) => Err(format!("No frame matches urlFilter. These are there:\n{}", tree_of(all))),
        (_, Some(index)) => found
            .get(index as usize)
            .copied()
            .ok_or_else(|| format!("There is no match {index}; these match urlFilter:{}", candidates())),
        ([only], None) => Ok(only),
        _ => Err(format!("Several frames match urlFilter; say which with matchIndex:{}", candidates())),
    }
}

/// `reply` as an answer for the tab.
fn answer(frames: &[Frame], mut reply: PageReply) -> Answer {
    let top_url = frames.first().map(|f| f.url.clone()).unwrap_or_default();
    if reply.url.is_empty() {
        reply.url.clone_from(&top_url);
    }
    Answer { reply, top_url }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Vec<Frame> {
        let frame =
            |id, parent, url: &str, host: &str| Frame { id, parent, url: url.to_owned(), host: Some(host.to_owned()) };
        vec![
            frame(0, -1, "https://shop.test/", "shop.test"),
            frame(4, 0, "https://js.pay.test/card?x=1", "js.pay.test"),
            frame(6, 4, "https://js.pay.test/inner", "js.pay.test"),
            frame(5, 0, "https://ads.test/", "ads.test"),
        ]
    }

    fn chosen(filter: &str, index: Option<u32>) -> Result<i64, String> {
        let all = frames();
        let found: Vec<&Frame> = all.iter().filter(|f| f.id != TOP && is_meant(f, filter)).collect();
        choose(&found, index, &all).map(|f| f.id)
    }

    #[test]
    fn exactly_one_frame_is_meant_or_none_is_read() {
        assert_eq!(chosen("ads.test", None), Ok(5));
        assert_eq!(chosen("card", None), Ok(4));
        assert_eq!(chosen("pay.test", Some(1)), Ok(6));
        assert!(chosen("pay.test", None).is_err_and(|words| words.contains("matchIndex 1: https://js.pay.test/inner")));
        assert!(chosen("pay.test", Some(7)).is_err());
        assert!(chosen("shop.test", None).is_err_and(|words| words.contains("No frame matches")));
        // A host is matched whole.
        assert!(chosen("ay.test.example", None).is_err());
        assert!(chosen("", None).is_err());
    }

    #[test]
    fn frames_are_listed_in_their_frames() {
        assert_eq!(
            tree_of(&frames()),
            "page https://shop.test/\n  frame https://js.pay.test/card?x=1\n    frame https://js.pay.test/inner\n  frame https://ads.test/\n"
        );
    }
}
