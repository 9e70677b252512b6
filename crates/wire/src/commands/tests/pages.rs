//! Long pages, hostile pages, several things of one name, failures: what reaches the user.

use super::*;
use crate::commands::answer::tests::{hostile, shown};
use proptest::prelude::*;

/// A result that says it is part `at` of `of`.
fn part(at: u32, of: u32, line: &str) -> String {
    let before =
        if at > 1 { format!("[page {at} of {of}: 9 earlier lines are on the pages before]\n") } else { String::new() };
    let after = if at < of {
        format!("\n[page {at} of {of}: cut, 9 more lines; call x with page: {}]", at + 1)
    } else {
        String::new()
    };
    format!("{before}{line}{after}")
}

/// Plays against a page of `of` parts, of which the last that is read says `last`.
fn play_long(tools: &[&'static str], request: &str, of: u32, last: &str) -> String {
    let end = of.min(reading::MAX_PARTS);
    let mut answers: Vec<(String, String)> = vec![("wait_for_stable".into(), "quiet".into())];
    for at in (1..=end).rev() {
        let line = if at == end { last.to_owned() } else { format!("text \"line {at}\"") };
        let page = if at == 1 { "}*".to_owned() } else { format!(",\"page\":{at}}}*") };
        answers.push((format!("\"includeChrome\":true{page}"), part(at, of, &format!("line {at}"))));
        answers.push((format!("\"filter\":\"all\",\"maxDepth\":100{page}"), part(at, of, &line)));
        answers.push((format!("\"filter\":\"interactive\"{page}"), part(at, of, &line)));
    }
    answers.push(("click_ax".into(), "clicked".into()));
    let answers: Vec<(&str, &str)> = answers.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let out = play(tools, request, &answers);
    let calls = out.lines().filter(|line| line.contains('{')).count();
    let said: Vec<&str> = out.lines().filter(|line| !line.contains('{')).collect();
    format!("{calls} calls\n{}", said.join("\n"))
}

#[test]
fn a_long_page_is_read_to_its_end() {
    let row = |tools, request, of, last, expected: Expect| expected.assert_eq(&play_long(tools, request, of, last));
    row(
        ACT,
        "click Last",
        23,
        "button \"Last\" [ref_9]",
        expect![[r#"
        24 calls
        done success: Clicked "Last", on button "Last"."#]],
    );
    row(
        ASK,
        "find line 23",
        23,
        "",
        expect![[r#"
        23 calls
        "line 23" is in 1 place on this page: line 23"#]],
    );
    row(
        ASK,
        "find zebra",
        23,
        "text \"A zebra.\"",
        expect![[r#"
            46 calls
            "zebra" is in 1 place on this page: A zebra."#]],
    );
    row(
        ASK,
        "what is on this page",
        12,
        "button \"Last\" [ref_9]",
        expect![[r#"
        12 calls
        Buttons: Last"#]],
    );
}

#[test]
fn absence_is_never_claimed_of_what_was_not_read() {
    let row = |tools, request, of, expected: Expect| {
        expected.assert_eq(&play_long(tools, request, of, "button \"Buy\" [ref_9]"));
    };
    row(
        ACT,
        "click Sell",
        40,
        expect![[r#"
        121 calls
        done failed: Could not click "Sell": there is nothing called "Sell" on the page; there is button "Buy"."#]],
    );
    row(
        ACT,
        "click Sell",
        55,
        expect![[r#"
        121 calls
        done failed: Could not click "Sell": there is nothing called "Sell" in the first 40 of 55 parts of the page; the rest was not searched; there is button "Buy"."#]],
    );
    row(
        ACT,
        "type 3",
        55,
        expect![[r#"
        121 calls
        done failed: Could not type "3": there is no field to type into in the first 40 of 55 parts of the page; the rest was not searched."#]],
    );
    row(
        ASK,
        "find zebra",
        40,
        expect![[r#"
        80 calls
        "zebra" is not in the text of this page."#]],
    );
    row(
        ASK,
        "find zebra",
        41,
        expect![[r#"
        80 calls
        Partial:
        "zebra" was not found in the first 40 of 41 parts of the page; the rest was not searched."#]],
    );
    row(
        ASK,
        "find Buy",
        41,
        expect![[r#"
            80 calls
            Partial:
            "Buy" is in 1 place in the first 40 of 41 parts of the page; the rest was not searched: button "Buy""#]],
    );
    row(
        ASK,
        "what is on this page",
        41,
        expect![[r#"
        40 calls
        Partial:
        Buttons: Buy
        This is what there is in the first 40 of 41 parts of the page; the rest was not searched."#]],
    );
    // A line, a level or a page behind a dialog that is not shown.
    let find = |text: &str, tree: &str, expected: Expect| {
        check(ASK, "find zebra", &[("read_page", text), ("get_accessibility_tree", tree)], expected);
    };
    find(
        "A long [line cut]",
        "button \"Go\" [ref_1]",
        expect![[r#"
        read_page {"includeChrome":true}
        get_accessibility_tree {"filter":"all","maxDepth":100}
        Partial:
        "zebra" was not found in what could be read of the page; parts of it are too long or too deep to be read."#]],
    );
    find(
        "Text",
        &format!("button \"{}…\" [ref_1]", "x".repeat(99)),
        expect![[r#"
        read_page {"includeChrome":true}
        get_accessibility_tree {"filter":"all","maxDepth":100}
        Partial:
        "zebra" was not found in what could be read of the page; parts of it are too long or too deep to be read."#]],
    );
    find(
        "Text",
        "button \"Go\" [ref_1]\n[3 lines below maxDepth 100 are not shown; read with ref_id]",
        expect![[r#"
            read_page {"includeChrome":true}
            get_accessibility_tree {"filter":"all","maxDepth":100}
            Partial:
            "zebra" was not found in what could be read of the page; parts of it are too long or too deep to be read."#]],
    );
    check(
        ACT,
        "click Sell",
        &[
            ("wait_for_stable", "quiet"),
            (
                "get_accessibility_tree*",
                "[the page behind this modal dialog cannot be used and is not shown]\ndialog \"Sure?\" [ref_1]\n button \"Yes\" [ref_2]",
            ),
        ],
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            get_accessibility_tree {"filter":"all","maxDepth":100}
            wait_for_stable {}
            get_accessibility_tree {"filter":"interactive"}
            get_accessibility_tree {"filter":"all","maxDepth":100}
            done failed: Could not click "Sell": there is nothing called "Sell" in the dialog that is open; the page behind it cannot be used until it is closed; there is button "Yes"."#]],
    );
}

#[test]
fn the_place_of_words_in_a_long_paragraph_is_quoted() {
    let text = format!("{} a zebra {}", "grass ".repeat(60), "grass ".repeat(60));
    check(
        ASK,
        "find zebra",
        &[("read_page", &text)],
        expect![[r#"
        read_page {"includeChrome":true}
        "zebra" is in 1 place on this page: …rass grass grass grass grass grass grass grass grass grass grass grass grass  a zebra grass grass grass grass grass grass grass grass grass grass grass grass grass grass grass grass grass grass gras…"#]],
    );
    let many = "a zebra\n".repeat(11);
    check(
        ASK,
        "find zebra",
        &[("read_page", &many)],
        expect![[r#"
        read_page {"includeChrome":true}
        "zebra" is in 11 places on this page. The first 8:

        - a zebra
        - a zebra
        - a zebra
        - a zebra
        - a zebra
        - a zebra
        - a zebra
        - a zebra"#]],
    );
}

#[test]
fn words_are_not_found_in_what_only_models_see() {
    let tree = "textbox \"Name\" [ref_1] value=\"Ada\"\nbutton \"Go\" [ref_2]";
    let answers = [("read_page*", "[text of the page]\nHi"), ("get_accessibility_tree*", tree)];
    check(
        ASK,
        "find ref",
        &answers,
        expect![[r#"
        read_page {"includeChrome":true}
        get_accessibility_tree {"filter":"all","maxDepth":100}
        "ref" is not in the text of this page."#]],
    );
    check(
        ASK,
        "find textbox",
        &answers,
        expect![[r#"
        read_page {"includeChrome":true}
        get_accessibility_tree {"filter":"all","maxDepth":100}
        "textbox" is not in the text of this page."#]],
    );
    check(
        ASK,
        "find ada",
        &answers,
        expect![[r#"
        read_page {"includeChrome":true}
        get_accessibility_tree {"filter":"all","maxDepth":100}
        "ada" is in 1 place on this page: textbox "Name": "Ada""#]],
    );
}

#[test]
fn rows_tell_buttons_of_one_name_apart() {
    let controls = "button \"Delete\" [ref_2]\nbutton \"Delete\" [ref_4]\nbutton \"Delete\" [ref_6]";
    let whole = "table [ref_9]\n row \"Name | Do\" [ref_8]\n row \"Ann\" [ref_1]\n  button \"Delete\" [ref_2]\n row \"Bob\" [ref_3]\n  button \"Delete\" [ref_4]\n row \"Cy\" [ref_5]\n  button \"Delete\" [ref_6]";
    for (answer, reference) in [
        ("Bob", "ref_4"),
        ("2", "ref_4"),
        ("the second", "ref_4"),
        ("last one", "ref_6"),
        ("button \"Delete\" in row \"Ann\"", "ref_2"),
    ] {
        let out = play(
            ACT,
            "click Delete",
            &[("interactive", controls), ("\"all\"", whole), ("clarify", answer), ("click_ax", "removed")],
        );
        assert!(out.contains(&format!("click_ax {{\"ref_id\":\"{reference}\"}}")), "{answer}: {out}");
    }
    check(
        ACT,
        "click Delete",
        &[("interactive", controls), ("\"all\"", whole), ("clarify", "Dora")],
        expect![[r#"
        get_accessibility_tree {"filter":"interactive"}
        get_accessibility_tree {"filter":"all","maxDepth":100}
        clarify {"options":["button \"Delete\" in row \"Ann\"","button \"Delete\" in row \"Bob\"","button \"Delete\" in row \"Cy\""],"question":"Several things here fit \"Delete\". Which one do you mean?"}
        done failed: Could not click "Delete": it is not clear which "Delete" is meant."#]],
    );
}

#[test]
fn of_many_the_ones_that_are_not_offered_can_be_named() {
    let row = |n: u32| format!("row \"Order {}\" [ref_{}]\n button \"Delete\" [ref_{}]", 100 + n, 2 * n, 2 * n + 1);
    let page: Vec<String> = (1..=9).map(row).collect();
    let page = page.join("\n");
    let ask = |answer: &str| {
        play(ACT, "click Delete", &[("get_accessibility_tree*", &page), ("clarify", answer), ("click_ax", "removed")])
    };
    assert!(ask("108").contains("{\"ref_id\":\"ref_17\"}"), "{}", ask("108"));
    assert!(ask("number 7").contains("{\"ref_id\":\"ref_15\"}"));
    let question = ask("7").lines().nth(1).unwrap_or_default().to_owned();
    expect![[r#"clarify {"options":["button \"Delete\" in row \"Order 101\"","button \"Delete\" in row \"Order 102\"","button \"Delete\" in row \"Order 103\"","button \"Delete\" in row \"Order 104\""],"question":"9 things here fit \"Delete\". Which one do you mean? These are the first 4; for another, write its number, from 1 to 9, or words that stand next to it."}"#]].assert_eq(&question);
}

#[test]
fn a_click_that_opens_a_tab_says_so() {
    let row = |result: &str, expected: Expect| {
        let page = "link \"Docs\" [ref_1] href=\"/d\"";
        let out = play(ACT, "click Docs", &[("get_accessibility_tree", page), ("click_ax", result)]);
        expected.assert_eq(out.lines().last().unwrap_or_default());
    };
    row(
        "clicked link \"Docs\" [ref_1]\nopens a new tab: https://a.test/d_e\nnothing changed on the page",
        expect![[r#"done success: Clicked "Docs", on link "Docs"; it opens in a new tab: https://a.test/d_e."#]],
    );
    row(
        "clicked link \"Docs\" [ref_1]\nnavigates to https://a.test/d\nnothing changed on the page",
        expect![[r#"done success: Clicked "Docs", on link "Docs" (the page showed no change)."#]],
    );
    row(
        "clicked link \"Docs\" [ref_1]\nchanges:\n+ text \"nothing changed; opens a new tab: x\"",
        expect![[r#"done success: Clicked "Docs", on link "Docs"."#]],
    );
}

#[test]
fn a_failed_read_is_a_failed_answer() {
    let closed = "!The page chrome://settings belongs to the browser: extensions cannot read or change it. Go to another page or end.";
    for request in ["read the page", "find zebra", "what is on this page"] {
        let answers = [("extract_data", closed), ("read_page", closed), ("get_accessibility_tree", closed)];
        let out = play(ASK, request, &answers);
        let (_, said) = out.split_once("Failed:\n").unwrap_or_else(|| panic!("{out}"));
        assert!(said.ends_with("Open an ordinary web page and ask again."), "{said}");
    }
    check(
        ASK,
        "scroll down then find zebra",
        &[
            ("scroll", "scrolled"),
            ("read_page", "!The page did not answer in time. It may be busy or showing a dialog; wait and read again."),
        ],
        expect![[r#"
            scroll {"direction":"down"}
            read_page {"includeChrome":true}
            Partial:
            1. Scrolled down.
            2. Could not find "zebra": the page did not answer in time. It may be busy or show a dialog; look at it, then ask again."#]],
    );
}

#[test]
fn what_is_not_offered_is_said_without_its_name() {
    check(
        &["get_accessibility_tree"],
        "scroll down",
        &[],
        expect![[r#"
        Failed:
        Could not scroll down: this is not offered in the mode that is chosen."#]],
    );
}

#[test]
fn notices_of_the_tools_are_not_shown() {
    check(
        ASK,
        "read the page",
        &[
            ("extract_data", "h1 One\n[page 1 of 2: cut, 9 more lines; call read_page for the rest, page: 2]"),
            (
                "read_page",
                "[text of the part main]\nHello.\n[page 1 of 2: cut, 9 more lines; call read_page with page: 2]",
            ),
        ],
        expect![[r#"
            extract_data {"type":"headings"}
            read_page {}
            I carry out plain commands; I am not a language model. So this is the page's own text, not a summary.

            Heading: h1 One

            The text begins:
            Hello."#]],
    );
    check(
        ASK,
        "read the page",
        &[
            ("extract_data", "[no heading is visible]"),
            ("read_page", "[the page shows no text; get_accessibility_tree lists its controls]"),
        ],
        expect![[r#"
            extract_data {"type":"headings"}
            read_page {}
            I carry out plain commands; I am not a language model. So this is the page's own text, not a summary.

            The page has no text that can be read."#]],
    );
}

/// What a page made of `text` has the interpreter say to each kind of request.
fn said_about(text: &str) -> Vec<String> {
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    let tree = format!(
        "row \"{quoted}\" [ref_1]\n button \"{quoted}\" [ref_2]\n button \"Go\" [ref_3]\nrow \"b{quoted}\" [ref_4]\n button \"Go\" [ref_5]\ntextbox \"{quoted}\" [ref_6] value=\"{quoted}x\"\ntext \"{quoted} zebra\""
    );
    let page = format!("[text of the page]\n{text}\nzebra {text}\n{text} zebra");
    let covered = format!("!button \"Go\" [ref_3] is covered by dialog \"{quoted}\". Nothing was done. Close it.");
    let answers = [
        ("extract_data*", page.as_str()),
        ("includeChrome*", if text.len().is_multiple_of(2) { page.as_str() } else { "none" }),
        ("read_page*", page.as_str()),
        ("get_accessibility_tree*", tree.as_str()),
        ("wait_for_stable*", "quiet"),
        ("clarify", "2"),
        ("ref_5", covered.as_str()),
        ("ref_6", "now holds it"),
    ];
    let end = |tools, request: &str| {
        let out = play(tools, request, &answers);
        let said: Vec<&str> =
            out.split('\n').skip_while(|line| line.contains(" {\"") || line.starts_with("extract")).collect();
        let said = said.join("\n");
        match said.strip_prefix("done ").and_then(|rest| rest.split_once(": ")) {
            Some((_, said)) => said.to_owned(),
            None => said,
        }
    };
    let ask = [
        "read the page",
        "find zebra",
        "find x",
        "what is on this page",
        "read the page then find zebra then look at the page",
    ];
    let act = ["click Go", "click Nothing", "type a into the field", "find zebra then click Go then click Go"];
    ask.iter().map(|r| end(ASK, r)).chain(act.iter().map(|r| end(ACT, r))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn text_of_a_page_is_never_more_than_text(text in hostile()) {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        for said in said_about(&text) {
            let lines = shown(&said);
            prop_assert!(lines.is_ok(), "{lines:?}");
        }
    }

    #[test]
    fn neither_is_what_a_user_asked_for(text in hostile()) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        for request in [format!("find \"{text}\""), text, ] {
            let out = play(ASK, &request, &[("read_page*", "x"), ("get_accessibility_tree*", "x"), ("extract_data", "x"), ("scroll", "x")]);
            let said: Vec<&str> = out.lines().filter(|line| !line.contains(" {") && *line != "Failed:").collect();
            let lines = shown(&said.join("\n"));
            prop_assert!(lines.is_ok(), "{lines:?}");
        }
    }

    #[test]
    fn no_failure_names_a_tool_to_the_user(words in "[A-Za-z .]{0,40}", tool in 0_usize..40, name in "\\PC{0,12}") {
        let tools = webbrain_core::prompt::tools(webbrain_protocol::Mode::Act, webbrain_protocol::Tier::Full);
        let tool = tools[tool % tools.len()].name;
        let failed = format!("!{words} {tool} on ref_3, \"{name}\": call {tool}; do not try it again");
        let out = play(ACT, "click Save", &[("get_accessibility_tree*", FORM), ("click_ax", &failed)]);
        let said = out.lines().last().unwrap_or_default();
        prop_assert!(!said.contains("ref_3") && (!tool.contains('_') || !said.contains(tool)), "{said}");
    }
}
