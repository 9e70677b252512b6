//! What of an element's computed style matters to seeing it. Asked once for all elements that look alike.

/// A colour.
pub type Rgba = [u8; 4];

/// A part of the computed style.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// `display: none`.
    pub gone: bool,
    /// `display: contents`.
    pub contents: bool,
    /// `visibility` is not `visible`.
    pub hidden: bool,
    /// `opacity: 0`, its own.
    pub transparent: bool,
    /// Flows inline, or its children do in its place.
    pub inline: bool,
    /// The mouse cursor is a hand.
    pub pointer: bool,
    /// Cuts what flows out of it, in both directions.
    pub clips: bool,
    /// In the flow: its place and size follow from its parent's and its content's.
    pub flows: bool,
    /// Whatever is in it cannot be seen: no letters, clipped away, indented out of the page.
    pub hides: bool,
    /// Taken out of the flow, so that it may lie over something else than its parent.
    pub lifted: bool,
    /// Colour of the text, if it is one that is understood.
    pub color: Option<Rgba>,
    /// Colour behind the text, if it is one that is understood.
    pub background: Option<Rgba>,
    /// Has a picture behind the text.
    pub picture: bool,
}

/// Reads the collector's answer.
pub fn parse(answer: &str) -> Look {
    let mut parts = answer.split('\n');
    let mut next = || parts.next().unwrap_or_default();
    let display = next();
    let visibility = next();
    let opacity = next();
    let position = next();
    let cursor = next();
    let overflow = next();
    let font = px(next());
    let color = rgba(next());
    let background = rgba(next());
    let picture = next() != "none";
    let clip_path = next();
    let still = next() == "none";
    let indent = px(next());
    let margin = px(next());
    let (first, second) = (next(), next());
    let shifted = position == "relative" && (is_far(px(first)) || is_far(px(second)));
    let clips = overflow != "visible" && display != "inline";
    let in_place = matches!(position, "static" | "sticky" | "relative");
    Look {
        gone: display == "none",
        contents: display == "contents",
        hidden: visibility != "visible",
        transparent: opacity == "0",
        inline: matches!(display, "inline" | "contents"),
        pointer: cursor == "pointer",
        clips,
        flows: matches!(position, "static" | "relative")
            && !shifted
            && still
            && !clips
            && clip_path == "none"
            && margin > -200,
        hides: font < 2 || indent < -200 || cuts_all(clip_path) || (!in_place && cuts_all(first)),
        lifted: position != "static" || !still,
        color,
        background,
        picture,
    }
}

/// What is no length in px.
const NO_LENGTH: i32 = 99_999;

/// Whole px of a computed length, rounded down.
fn px(text: &str) -> i32 {
    let digits = text.split(['.', 'p']).next().unwrap_or_default();
    digits.parse().unwrap_or(NO_LENGTH)
}

/// Whether a shift takes a box out of its place; `auto` does not.
fn is_far(shift: i32) -> bool {
    shift != NO_LENGTH && shift.abs() > 200
}

/// `rgb(1, 2, 3)` and `rgba(1, 2, 3, 0.5)`; other notations are not understood.
fn rgba(text: &str) -> Option<Rgba> {
    let inner = text.strip_prefix("rgb")?.trim_start_matches('a').strip_prefix('(')?.strip_suffix(')')?;
    let mut out = [0, 0, 0, 255];
    for (at, part) in inner.split(',').enumerate() {
        let part = part.trim();
        match at {
            0..=2 => out[at] = part.parse().ok()?,
            // Tenths are enough to tell transparent from not.
            3 => out[3] = if part == "1" { 255 } else { part.strip_prefix("0.").map_or(0, tenth) },
            _ => return None,
        }
    }
    Some(out)
}

fn tenth(digits: &str) -> u8 {
    digits.bytes().next().map_or(0, |d| d.saturating_sub(b'0') * 25)
}

/// Whether a clip leaves nothing.
fn cuts_all(clip: &str) -> bool {
    if let Some(inset) = clip.strip_prefix("inset(") {
        let first = inset.split([' ', ')']).next().unwrap_or_default();
        return first.strip_suffix('%').and_then(|p| p.split('.').next()?.parse::<i32>().ok()).is_some_and(|p| p >= 50);
    }
    if let Some(rect) = clip.strip_prefix("rect(") {
        let mut sides = [0; 4];
        let texts = rect.split([',', ' ', ')']).filter(|s| !s.is_empty());
        for (side, text) in sides.iter_mut().zip(texts) {
            *side = px(text);
        }
        let [top, right, bottom, left] = sides;
        return bottom - top <= 1 && right - left <= 1;
    }
    clip.starts_with("circle(0") || clip.starts_with("polygon(0px 0px, 0px 0px")
}

/// Whether text of the one colour can be told from the other.
pub fn differ(text: Rgba, behind: Rgba) -> bool {
    text.iter().zip(behind).take(3).any(|(a, b)| a.abs_diff(b) > 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(changes: &[(usize, &str)]) -> Look {
        let mut values = [
            "block",
            "visible",
            "1",
            "static",
            "auto",
            "visible",
            "16px",
            "rgb(0, 0, 0)",
            "rgba(0, 0, 0, 0)",
            "none",
            "none",
            "none",
            "0px",
            "0px",
            "",
            "",
        ];
        for (at, value) in changes {
            values[*at] = value;
        }
        parse(&values.join("\n"))
    }

    #[test]
    fn ordinary_text_is_seen() {
        let plain = look(&[]);
        assert!(plain.flows && !plain.hides && !plain.clips && !plain.inline && !plain.picture);
        assert_eq!(plain.color, Some([0, 0, 0, 255]));
        assert_eq!(plain.background, Some([0, 0, 0, 0]));
    }

    #[test]
    fn ways_to_hide() {
        let tricks = [
            vec![(6, "0px")],
            vec![(6, "1px")],
            vec![(12, "-9999px")],
            vec![(10, "inset(50%)")],
            vec![(10, "inset(100%)")],
            vec![(10, "circle(0px at 50% 50%)")],
            vec![(3, "absolute"), (14, "rect(0px, 0px, 0px, 0px)")],
            vec![(3, "absolute"), (14, "rect(1px, 1px, 1px, 1px)")],
        ];
        for trick in tricks {
            assert!(look(&trick).hides, "{trick:?}");
        }
        assert!(!look(&[(10, "inset(0px)")]).hides);
        assert!(!look(&[(6, "12.5px")]).hides);
        assert!(look(&[(3, "relative"), (14, "-3px"), (15, "auto")]).flows);
        assert!(!look(&[(3, "relative"), (14, "-9999px"), (15, "0px")]).flows);
        assert!(!look(&[(3, "absolute"), (14, "auto")]).flows);
        assert!(!look(&[(13, "-9999px")]).flows);
        assert!(!look(&[(11, "matr")]).flows);
    }

    #[test]
    fn colours() {
        assert_eq!(rgba("rgba(1, 2, 3, 0.5)"), Some([1, 2, 3, 125]));
        assert_eq!(rgba("oklch(0.5 0.1 20)"), None);
        assert!(differ([0, 0, 0, 255], [20, 0, 0, 255]));
        assert!(!differ([255, 255, 255, 255], [250, 255, 254, 255]));
    }
}
