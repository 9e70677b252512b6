//! Writing direction of texts whose parts come from different people. Pure.
//!
//! `dir="auto"` looks at the first letter only. A sentence of ours that begins with a quotation from an Arabic page would
//! stand on the wrong side, so the direction is that of what stands outside of quotations.

/// First strong isolate: what follows has its own direction, up to [`PDI`].
const FSI: char = '\u{2068}';
/// Pop directional isolate.
const PDI: char = '\u{2069}';

/// Quotation marks: how they open and close.
const QUOTES: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“'), ('「', '」'), ('`', '`'), (FSI, PDI)];

/// Longest text that is looked at, in characters.
const LOOK: usize = 2_000;

/// Whether a letter is written from right to left; `None` for what has no direction of its own.
fn right_to_left(letter: char) -> Option<bool> {
    let rtl = matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    letter.is_alphabetic().then_some(rtl)
}

/// Value of `dir` for a text.
pub fn dir(text: &str) -> &'static str {
    let text: Vec<char> = text.chars().take(LOOK).collect();
    let all = || text.iter().find_map(|letter| right_to_left(*letter));
    match outside_quotes(&text).or_else(all) {
        Some(true) => "rtl",
        Some(false) => "ltr",
        None => "auto",
    }
}

fn outside_quotes(text: &[char]) -> Option<bool> {
    let mut rest = text;
    while let [letter, after @ ..] = rest {
        let close = QUOTES.iter().find(|(open, _)| open == letter).map(|(_, close)| close);
        // A mark that is never closed quotes nothing.
        let end = close.and_then(|close| after.iter().position(|c| c == close));
        match end {
            Some(end) => rest = after.get(end + 1..).unwrap_or_default(),
            None => match right_to_left(*letter) {
                Some(direction) => return Some(direction),
                None => rest = after,
            },
        }
    }
    None
}

/// `value` for use within a sentence of direction `around` (`ltr` or `rtl`): set apart when it has letters of the other one.
pub fn isolate(value: String, around: &str) -> String {
    let other = around != "rtl";
    if value.chars().any(|letter| right_to_left(letter) == Some(other)) { format!("{FSI}{value}{PDI}") } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_is_that_of_the_sentence_not_of_what_it_quotes() {
        let check = |text: &str, expected: &str| assert_eq!(dir(text), expected, "{text}");
        check("\"حفظ\" is not on this page.", "ltr");
        check("“حفظ” was clicked", "ltr");
        check("**«حفظ»** and `نص` are buttons", "ltr");
        check("زر \"Save\" غير موجود", "rtl");
        check("حفظ", "rtl");
        check("\"حفظ\"", "rtl");
        check("\"unclosed حفظ", "ltr");
        check("12:30 — 5", "auto");
        check(&isolate("حفظ".into(), "ltr"), "rtl");
        check(&format!("{} was clicked", isolate("حفظ".into(), "ltr")), "ltr");
    }

    #[test]
    fn only_what_reads_the_other_way_is_set_apart() {
        let check = |value: &str, around: &str, apart: bool| {
            assert_eq!(isolate(value.into(), around) != value, apart, "{value} in {around}");
        };
        check("x.test", "ltr", false);
        check("متجر", "ltr", true);
        check("x.test", "rtl", true);
        check("متجر", "rtl", false);
        check("20", "rtl", false);
    }
}
