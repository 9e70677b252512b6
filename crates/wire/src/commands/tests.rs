mod pages;

use super::*;
use expect_test::{Expect, expect};
use serde_json::Value;
use webbrain_core::label::{Labelled, Nonce};
use webbrain_core::prompt::{Message, ToolDecl};

const ASK: &[&str] = &["get_accessibility_tree", "scroll", "read_page", "extract_data", "wait_for_stable"];
const ACT: &[&str] = &[
    "get_accessibility_tree",
    "scroll",
    "read_page",
    "extract_data",
    "wait_for_stable",
    "click_ax",
    "set_field",
    "press_keys",
    "navigate",
    "go_back",
    "go_forward",
    "new_tab",
    "clarify",
    "done",
];

/// Plays a run: each call is answered by the first row whose pattern it contains. `!` before an answer marks a failure.
fn play(tools: &[&'static str], request: &str, answers: &[(&str, &str)]) -> String {
    let tools: Vec<ToolDecl> = tools.iter().map(|name| ToolDecl { name, about: "", schema: "{}" }).collect();
    let words = vec![Labelled::program("Time: now\n[request]"), Labelled::user(request)];
    let mut messages = vec![Message::User { parts: words }];
    let mut left: Vec<(&str, &str)> = answers.to_vec();
    let mut out = Vec::new();
    for _ in 0..40 {
        let answer = reply(&Prompt::assemble(&[], &messages, tools.clone()));
        messages.push(Message::Assistant { text: String::new(), calls: answer.tool_calls.clone() });
        if answer.tool_calls.is_empty() {
            let outcome = answer.outcome.filter(|outcome| *outcome != RunStatus::Done);
            out.extend(outcome.map(|outcome| format!("{outcome:?}:")));
            out.push(answer.text);
            return out.join("\n");
        }
        for call in &answer.tool_calls {
            let shown = format!("{} {}", call.name, call.arguments);
            if call.name == "done" {
                let value: Value = serde_json::from_str(&call.arguments).unwrap();
                let said = (value["outcome"].as_str().unwrap(), value["summary"].as_str().unwrap());
                out.push(format!("done {}: {}", said.0, said.1));
                return out.join("\n");
            }
            out.push(shown.clone());
            // A pattern that ends with `*` answers again and again.
            let at = left.iter().position(|(pattern, _)| shown.contains(pattern.trim_end_matches('*')));
            let (pattern, text) = at.map_or(("*", "!unexpected call"), |at| left[at]);
            if let (Some(at), false) = (at, pattern.ends_with('*')) {
                left.remove(at);
            }
            let (ok, text) = text.strip_prefix('!').map_or((true, text), |t| (false, t));
            let parts = if call.name == "clarify" {
                vec![Labelled::program("The user answered:"), Labelled::user(text)]
            } else if ok {
                vec![Labelled::page("https://a.test", text, Nonce::from_random(7))]
            } else {
                vec![Labelled::program(text)]
            };
            messages.push(Message::Tool { call_id: call.id.clone(), name: call.name.clone(), ok, parts });
        }
    }
    panic!("no end: {}", out.join("\n"))
}

fn check(tools: &[&'static str], request: &str, answers: &[(&str, &str)], expected: Expect) {
    expected.assert_eq(&play(tools, request, answers));
}

const FORM: &str = "textbox \"Name\" [ref_1]\ncombobox \"Billing period\" [ref_2] expanded=\"false\" value=\"Every month\"\ncombobox \"Country\" [ref_3] value=\"Chad\"\ncheckbox \"Remember me\" [ref_4] checked=\"false\"\ncheckbox \"News\" [ref_5] checked=\"true\"\nbutton \"Save\" [ref_6]";

#[test]
fn a_task_of_several_steps() {
    check(
        ACT,
        "open shop.example, then type namaz into Name, choose Chile in Country, check Remember me and click Save",
        &[
            ("navigate", "loaded"),
            ("get_accessibility_tree*", FORM),
            ("set_field*", "verified"),
            ("click_ax*", "changed"),
        ],
        expect![[r#"
            navigate {"url":"https://shop.example/"}
            get_accessibility_tree {"filter":"interactive"}
            set_field {"ref_id":"ref_1","text":"namaz"}
            get_accessibility_tree {"filter":"interactive"}
            set_field {"ref_id":"ref_3","text":"Chile"}
            get_accessibility_tree {"filter":"interactive"}
            click_ax {"ref_id":"ref_4"}
            get_accessibility_tree {"filter":"interactive"}
            click_ax {"ref_id":"ref_6"}
            done success: 1. Opened https://shop.example/.
            2. Typed "namaz" into "Name", on textbox "Name".
            3. Chose "Chile" in "Country", on combobox "Country".
            4. Clicked to check "Remember me", on checkbox "Remember me".
            5. Clicked "Save", on button "Save"."#]],
    );
}

#[test]
fn a_made_up_dropdown_is_opened_and_picked_from() {
    check(
        ACT,
        "choose Every 2 months in Billing period",
        &[
            ("get_accessibility_tree", FORM),
            ("click_ax", "opened"),
            (
                "get_accessibility_tree",
                "[open overlays]\nlistbox \"\" [ref_7]\n option \"Every month\" [ref_8]\n option \"Every 2 months\" [ref_9]\n[/open overlays]",
            ),
            ("click_ax", "closed"),
        ],
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            click_ax {"ref_id":"ref_2"}
            get_accessibility_tree {"filter":"interactive"}
            click_ax {"ref_id":"ref_9"}
            done success: Chose "Every 2 months" in "Billing period", on option "Every 2 months"."#]],
    );
}

#[test]
fn what_is_so_already_is_left_alone() {
    check(
        ACT,
        "check News",
        &[("get_accessibility_tree*", FORM)],
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            done success: Checkbox "News" was already checked."#]],
    );
}

#[test]
fn several_targets_are_asked_about() {
    let page = "row \"Ann\" [ref_1]\n button \"Delete\" [ref_2]\nrow \"Bob\" [ref_3]\n button \"Delete\" [ref_4]";
    let answer =
        |text: &'static str| [("get_accessibility_tree*", page), ("clarify", text), ("click_ax", "Nothing changed.")];
    check(
        ACT,
        "click Delete",
        &answer("button \"Delete\" in row \"Bob\""),
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            clarify {"options":["button \"Delete\" in row \"Ann\"","button \"Delete\" in row \"Bob\""],"question":"Several things here fit \"Delete\". Which one do you mean?"}
            click_ax {"ref_id":"ref_4"}
            done success: Clicked "Delete", on button "Delete" (the page showed no change)."#]],
    );
    check(
        ACT,
        "click Delete",
        &answer("bob"),
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            clarify {"options":["button \"Delete\" in row \"Ann\"","button \"Delete\" in row \"Bob\""],"question":"Several things here fit \"Delete\". Which one do you mean?"}
            click_ax {"ref_id":"ref_4"}
            done success: Clicked "Delete", on button "Delete" (the page showed no change)."#]],
    );
    check(
        ACT,
        "click Delete",
        &answer("neither"),
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            clarify {"options":["button \"Delete\" in row \"Ann\"","button \"Delete\" in row \"Bob\""],"question":"Several things here fit \"Delete\". Which one do you mean?"}
            done failed: Could not click "Delete": it is not clear which "Delete" is meant."#]],
    );
}

#[test]
fn a_missing_target_is_looked_for_and_then_reported() {
    check(
        ACT,
        "click Save then click Publish; go back",
        &[("get_accessibility_tree*", FORM), ("click_ax*", "saved"), ("wait_for_stable*", "quiet")],
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            click_ax {"ref_id":"ref_6"}
            get_accessibility_tree {"filter":"interactive"}
            get_accessibility_tree {"filter":"all","maxDepth":100}
            wait_for_stable {}
            get_accessibility_tree {"filter":"interactive"}
            get_accessibility_tree {"filter":"all","maxDepth":100}
            done partial: 1. Clicked "Save", on button "Save".
            2. Could not click "Publish": there is nothing called "Publish" on the page; there is button "Save".

            Not tried: go back."#]],
    );
}

#[test]
fn a_failing_tool_is_reported() {
    check(
        ACT,
        "click Save",
        &[("get_accessibility_tree*", FORM), ("click_ax", "!The user did not allow this.")],
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            click_ax {"ref_id":"ref_6"}
            done failed: Could not click "Save": you did not allow it."#]],
    );
}

#[test]
fn the_rest_of_a_long_tree_is_read() {
    check(
        ACT,
        "click Last",
        &[
            ("\"page\":2", "[page 2 of 2: 1 earlier lines are on the pages before]\nbutton \"Last\" [ref_9]"),
            (
                "get_accessibility_tree",
                "button \"First\" [ref_1]\n[page 1 of 2: cut, 1 more lines; call get_accessibility_tree with page: 2]",
            ),
            ("click_ax", "ok"),
        ],
        expect![[r#"
            get_accessibility_tree {"filter":"interactive"}
            get_accessibility_tree {"filter":"interactive","page":2}
            click_ax {"ref_id":"ref_9"}
            done success: Clicked "Last", on button "Last"."#]],
    );
}

#[test]
fn ask_mode_reads_and_does_not_act() {
    check(
        ASK,
        "click Save",
        &[],
        expect![[r#"
            Failed:
            Ask mode only reads: I cannot click "Save" here. Switch to Act to have it done."#]],
    );
    check(
        ASK,
        "what is on this page?",
        &[("get_accessibility_tree", FORM)],
        expect![[r#"
        get_accessibility_tree {"filter":"interactive"}
        Buttons: Save
        Fields: Name, Billing period, Country
        Check boxes and switches: Remember me, News"#]],
    );
    check(
        ASK,
        "summarise the page",
        &[("extract_data", "h1 Welcome"), ("read_page", "Hello there.\nMore text.")],
        expect![[r#"
            extract_data {"type":"headings"}
            read_page {}
            I carry out plain commands; I am not a language model. So this is the page's own text, not a summary.

            Heading: h1 Welcome

            The text:
            Hello there.
            More text."#]],
    );
    check(
        ASK,
        "find more",
        &[("read_page", "Hello there.\nMore text.\nno more")],
        expect![[r#"
            read_page {"includeChrome":true}
            "more" is in 2 places on this page:

            - More text.
            - no more"#]],
    );
    check(
        ASK,
        "find zebra",
        &[("read_page", "Hello"), ("get_accessibility_tree", "link \"Zebras\" [ref_1]")],
        expect![[r#"
            read_page {"includeChrome":true}
            get_accessibility_tree {"filter":"all","maxDepth":100}
            "zebra" is in 1 place on this page: link "Zebras""#]],
    );
}

#[test]
fn what_is_not_understood_is_said_and_nothing_is_done() {
    check(
        ASK,
        "write a poem about bees for me",
        &[],
        expect![[r#"
            Failed:
            I did not understand "write a poem about bees for me", so nothing was done. I carry out plain commands; I am not a language model. Commands that I know: open example.com; click Save; type "some text" into Name; set Quantity to 3; choose France in Country; check Remember me; press Enter; scroll down; go back; read the page; find some words; what is on this page. Join several with "then". For free instructions, set up a model in Settings: a server on your own machine or a cloud service."#]],
    );
    check(
        ACT,
        "click Save then be clever",
        &[],
        expect![[
            r#"done failed: I did not understand "be clever", so nothing was done. I carry out plain commands; I am not a language model. Commands that I know: open example.com; click Save; type "some text" into Name; set Quantity to 3; choose France in Country; check Remember me; press Enter; scroll down; go back; read the page; find some words; what is on this page. Join several with "then". For free instructions, set up a model in Settings: a server on your own machine or a cloud service."#
        ]],
    );
}

#[test]
fn a_reminder_of_the_program_is_not_a_request() {
    let tools = vec![ToolDecl { name: "scroll", about: "", schema: "{}" }];
    let messages = [
        Message::User { parts: vec![Labelled::program("[request]"), Labelled::user("scroll down")] },
        Message::User { parts: vec![Labelled::program("Your answer was empty. Go on with the request.")] },
    ];
    let answer = reply(&Prompt::assemble(&[], &messages, tools));
    assert_eq!(answer.tool_calls[0].name, "scroll");
}
