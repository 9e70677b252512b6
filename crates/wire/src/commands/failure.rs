//! Why a tool failed, in words for the user. Results are written for models: they name tools and refs, and say what a model
//! should do next. What is told here is what happened and what the user can do.

/// Marks of a result, all of which it holds in this order, and what to say of it. `{}` stands for what is between the last
/// two marks, or after the last one when that ends with a colon.
const KNOWN: &[(&[&str], &str)] = &[
    (&["user did not allow"], "you did not allow it"),
    (
        &["settings forbid this on ", ". Go on"],
        "your settings forbid it on {}. The permissions in Settings can be changed",
    ),
    (&["belongs to the browser"], NOT_A_PAGE),
    (&["where nothing can be done"], NOT_A_PAGE),
    (
        &["shows a PDF"],
        "this tab shows a PDF in the browser's own viewer, which extensions can neither read nor change. Open an ordinary web page and ask again",
    ),
    (
        &["browser's error page"],
        "the page could not be loaded, and the tab shows the browser's error page. Check the address and the connection, then try again",
    ),
    (&["did not answer in time"], SLOW),
    (&["time for this call is over"], SLOW),
    (
        &["may or may not have happened"],
        "the page gave no answer, so it is not known whether it happened. Look at the page before you ask again",
    ),
    (&["input that would be lost"], "the page holds input that would be lost. Save or clear it first, then ask again"),
    (&["page did not arrive"], "the page did not load in time. Check the address and the connection, then try again"),
    (&["in the tab's history"], "there is no such page in the tab's history"),
    (&["browser did not open it"], "the browser did not open it. Check the address"),
    (&["own tab is gone"], "the tab is gone"),
    (&["the element is gone"], "it was gone from the page by then. Ask again to look for it anew"),
    (
        &[" was ", " and is now ", ". Nothing was done"],
        "it changed on the page just before. Nothing was done; ask again",
    ),
    (&["is not visible now"], "it cannot be seen on the page now. Open or scroll to what contains it, then ask again"),
    (&["option", " is disabled. Nothing"], "that option is disabled"),
    (&["is disabled. Nothing"], "it is disabled. See what the page still asks for"),
    (&["cannot be used while ", " is open. Nothing"], "it cannot be used while {} is open. Deal with that first"),
    (&["is covered by ", ". Nothing was done"], "it is covered by {}. Close that first"),
    (&["is a list: "], "it is a list. Say which option to choose in it"),
    (&["file chooser"], ONLY_YOU),
    (&["file that only the user can choose"], ONLY_YOU),
    (&["is switched with "], "it is a check box or an option. Say \"check\" or \"click\" and its name"),
    (&["is pressed with "], "it is a button. Say \"click\" and its name"),
    (&["does not take text"], "it does not take text"),
    (&["is hidden from the user"], "it is hidden and is not filled"),
    (&["is read-only"], "the field is read-only"),
    (&["did not accept ", "it takes ", ". Its value"], "the field did not accept the text: it takes {}"),
    (&["several options of"], "several of its options fit. Give the whole name of one"),
    (&["has no option", "Options: "], "it has no such option. Its options: {}"),
    (&["verified: no"], "the field did not keep the text"),
    (&["tab has gone to another site"], "the tab went to another site in the meantime. Nothing was done; ask again"),
    (&["page cannot be reached"], "the page cannot be reached. Load it again, then ask again"),
    (&["page could not be used"], "the page reported an error. Load it again, then ask again"),
    (&["the outcome of the call before it"], "what came before it has an unknown outcome"),
];

const NOT_A_PAGE: &str = "this page belongs to the browser, and extensions can neither read nor change it. Open an ordinary web page and ask again";
const SLOW: &str = "the page did not answer in time. It may be busy or show a dialog; look at it, then ask again";
const ONLY_YOU: &str = "it opens the system's file chooser, which only you can use";
const UNKNOWN: &str = "it did not work, and the page did not say why. Look at the page, then ask again";

/// What a failed result means for the user, without a full stop at its end.
pub fn for_user(text: &str) -> String {
    KNOWN.iter().find_map(|(marks, words)| fill(text, marks, words)).unwrap_or_else(|| UNKNOWN.to_owned())
}

/// `words` with what stands between the last two of `marks`, when `text` holds all of them in order.
fn fill(text: &str, marks: &[&str], words: &str) -> Option<String> {
    let mut at = 0;
    let mut ends = Vec::new();
    for mark in marks {
        let found = at + text[at..].find(mark)?;
        ends.push((found, found + mark.len()));
        at = found + mark.len();
    }
    if !words.contains("{}") {
        return Some(words.to_owned());
    }
    let is_last_open = marks.last().is_some_and(|mark| mark.ends_with(": "));
    let (from, to) = match ends[..] {
        [.., (_, from), (to, _)] if !is_last_open => (from, to),
        [.., (_, from)] => (from, text.len()),
        [] => return None,
    };
    Some(words.replace("{}", &told(&text[from..to])))
}

/// A part of a result for the user: one line, without refs.
fn told(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut out = String::new();
    for word in line.split_whitespace().filter(|word| !word.trim_start_matches('[').starts_with("ref_")) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    super::words::clip(out.trim_end_matches('.'), 160)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use webbrain_protocol::{Mode, Tier};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&for_user(text));
    }

    #[test]
    fn results_become_words_for_the_user() {
        check(
            "The user did not allow this. Do not try it again; go on without it or end.",
            expect!["you did not allow it"],
        );
        check(
            "The user's settings forbid this on shop.test. Go on without it or end.",
            expect!["your settings forbid it on shop.test. The permissions in Settings can be changed"],
        );
        check(
            "The page chrome://settings belongs to the browser: extensions cannot read or change it. Go to another page or end.",
            expect![
                "this page belongs to the browser, and extensions can neither read nor change it. Open an ordinary web page and ask again"
            ],
        );
        check(
            "button \"Save\" [ref_3] is covered by dialog \"Cookies\". Nothing was done. Close or use what covers it first.",
            expect![[r#"it is covered by dialog "Cookies". Close that first"#]],
        );
        check(
            "button \"Save\" [ref_3] cannot be used while dialog \"Sure?\" [ref_9] is open. Nothing was done. Deal with that first.",
            expect![[r#"it cannot be used while dialog "Sure?" is open. Deal with that first"#]],
        );
        check(
            "combobox \"Country\" [ref_3] has no option \"Mars\". Nothing was done. Options: Chad, Chile",
            expect!["it has no such option. Its options: Chad, Chile"],
        );
        check(
            "textbox \"Day\" [ref_3] did not accept \"x\": it takes a date as YYYY-MM-DD. Its value is unchanged.",
            expect!["the field did not accept the text: it takes a date as YYYY-MM-DD"],
        );
        check(
            "ref_3 not found: the element is gone or the ref was never given. Read the page again with get_accessibility_tree.",
            expect!["it was gone from the page by then. Ask again to look for it anew"],
        );
        check(
            "something new: call click_ax on ref_7",
            expect!["it did not work, and the page did not say why. Look at the page, then ask again"],
        );
    }

    #[test]
    fn no_words_for_the_user_name_a_tool_or_speak_to_a_model() {
        for tool in webbrain_core::prompt::tools(Mode::Act, Tier::Full) {
            // `scroll` and `done` are words, too.
            for (_, words) in KNOWN.iter().filter(|_| tool.name.contains('_')) {
                assert!(!words.contains(tool.name), "{words}");
            }
        }
        for (_, words) in KNOWN {
            assert!(!words.contains("or end") && !words.contains("ref_") && !words.ends_with('.'), "{words}");
        }
    }
}
