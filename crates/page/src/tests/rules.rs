use super::memory::Memory;
use super::{check, lines};
use crate::{Candidate, Options, Role, Tree, build, diff, paginate, suggest};
use expect_test::expect;
use proptest::prelude::*;
use std::fmt::Write;
use webbrain_tools::Filter;

#[test]
fn the_form_of_the_seed() {
    check(
        r#"<button>Open</button><div role="dialog" aria-modal="true" aria-label="Add a product"><h2>Add a product</h2>
           <button aria-label="Close">x</button><form><label>Name <input placeholder="Product name" value="namaz" required></label>
           <label for="p">Price</label><input id="p" type="number" min="0">
           <label>Billing <select><option>Monthly</option><option selected>Every 2 months</option></select></label>
           <button type="submit" disabled>Add</button></form></div>"#,
        expect![[r#"
            [open overlays]
            dialog "Add a product" [ref_1]
             heading "Add a product" [ref_2] level="2"
             button "Close" [ref_3]
              text "x"
             textbox "Name" [ref_4] placeholder="Product name" value="namaz" required
             spinbutton "Price" [ref_5] min="0"
             combobox "Billing" [ref_6] value="Every 2 months"
              option "Monthly" [ref_7]
              option "Every 2 months" [ref_8] selected
             button "Add" [ref_9] type="submit" disabled
            [/open overlays]
            button "Open" [ref_10]
        "#]],
    );
}

#[test]
fn wrappers_cost_no_line_and_no_depth() {
    let html = format!("{}<button>Go</button>{}", "<div>".repeat(20), "</div>".repeat(20));
    check(
        &html,
        expect![[r#"
        button "Go" [ref_1]
    "#]],
    );
    check(
        "<main><div><div><h1>A</h1></div></div></main>",
        expect![[r#"
        main [ref_1]
         heading "A" [ref_2] level="1"
    "#]],
    );
}

#[test]
fn text_is_shown_once_and_whole() {
    check(
        r##"<p>Hello <b>big</b> <a href="#x">world <i>of</i> links</a>, bye.</p><p>Second</p>
           <ul><li>One</li><li><a href="/t">Two</a></li><li>Three <button>Edit</button></li></ul>
           <h2>Head <span>line</span></h2>"##,
        expect![[r##"
            text "Hello big"
            link "world of links" [ref_1] href="#x"
            text ", bye."
            text "Second"
            text "One"
            link "Two" [ref_2] href="/t"
            listitem "Three" [ref_3]
             button "Edit" [ref_4]
            heading "Head line" [ref_5] level="2"
        "##]],
    );
}

#[test]
fn rows_tell_equal_buttons_apart() {
    check(
        "<table><caption>Trees</caption><tr><th>Name</th><th>Do</th></tr><tr><td>Ash</td><td><button>Delete</button></td></tr>
         <tr><td>Cedar</td><td><button>Delete</button></td></tr><tr><td>1</td><td>2</td></tr></table>",
        expect![[r#"
            table "Trees" [ref_1]
             row "Name | Do" [ref_2]
             row "Ash" [ref_3]
              button "Delete" [ref_4]
             row "Cedar" [ref_5]
              button "Delete" [ref_6]
             row "1 | 2" [ref_7]
        "#]],
    );
}

#[test]
fn what_the_user_cannot_see_is_not_text() {
    check(
        r#"<h1>Bread</h1><p style="display:none">H1</p><p style="visibility:hidden">H2</p><p style="opacity:0">H3</p>
           <p style="left:-9999px">H4</p><p style="font-size:0">H5</p><p aria-hidden="true">H6</p><p hidden>H7</p><p inert>H8</p>
           <div style="height:0;overflow:hidden"><p>H9</p></div><div style="display:none"><p><b>H10</b></p></div>
           <details><summary>More</summary><button>Reset</button>H11</details><!-- H12 --><p>Seen</p>"#,
        expect![[r#"
            heading "Bread" [ref_1] level="1"
            button "More" [ref_2] expanded="false"
            text "Seen"
            [left out here: 4 texts that the user cannot see; includeHidden shows them]
        "#]],
    );
}

#[test]
fn what_is_left_out_is_counted_where_it_is_and_shown_when_asked_for() {
    let html = r#"<nav aria-label="Menu"><p style="opacity:0">A</p><p>B</p><p style="font-size:0">C</p></nav><main><p>D</p></main>
           <button aria-label="A very long label that goes on and on and on for more than the hundred characters that a line shows of it">Go</button>
           <p style="display:none">E</p><p>F&#x202e;G</p>"#;
    check(
        html,
        expect![[r#"
            navigation "Menu" [ref_1]
             text "B"
             [left out here: 2 texts that the user cannot see; includeHidden shows them]
            main "D" [ref_2]
            button "A very long label that goes on and on and on for more than the hundred characters that a line shows…" [ref_3]
             text "Go"
            text "FG"
            [left out here: 1 texts that the user cannot see; includeHidden shows them]
        "#]],
    );
    let options = Options { hidden_text: true, ..Options::all() };
    let dom = Memory::new(html);
    let tree = build(&dom, &options).render().join("\n");
    assert!(tree.contains("text \"A\" hidden") && tree.contains("text \"C\" hidden"), "{tree}");
    assert!(!tree.contains("\"E\""), "what is not rendered is not there: {tree}");
}

#[test]
fn a_link_shows_where_it_leads() {
    check(
        r#"<a href="https://shop.example@evil.invalid/pay">Pay</a><a href="javascript:void(0)">Help</a><a href="/a@b">At</a>
           <a href="//user:pw@host.test">Short</a>"#,
        expect![[r#"
            link "Pay" [ref_1] href="https://evil.invalid/pay"
            link "Help" [ref_2] href="javascript:"
            link "At" [ref_3] href="/a@b"
            link "Short" [ref_4] href="//host.test"
        "#]],
    );
}

#[test]
fn every_line_that_loses_lines_to_the_depth_says_so() {
    let html = "<main><nav aria-label=a><section aria-label=b><h2>x</h2><p>y</p></section></nav><nav aria-label=c><section aria-label=d><p>z</p></section></nav></main>";
    let dom = Memory::new(html);
    let tree = build(&dom, &Options { max_depth: Some(3), ..Options::all() });
    expect![[r#"
        main
         navigation "a"
          region "b"
           [2 lines in here are deeper than maxDepth 3; read with ref_id]
         navigation "c"
          region "d"
           [1 lines in here are deeper than maxDepth 3; read with ref_id]"#]]
    .assert_eq(&tree.render().join("\n"));
}

#[test]
fn a_control_stays_when_its_label_is_what_is_seen() {
    check(
        r#"<label for="w"><span></span>Night mode</label><input type="checkbox" id="w" style="opacity:0" data-box="0 0 1 1">
           <label><input type="radio" style="display:none" checked>Small</label>
           <input type="checkbox" style="display:none" aria-label="gone"><span><input type="file" style="opacity:0" aria-label="Photo"></span>"#,
        expect![[r#"
            checkbox "Night mode" [ref_1] checked="false"
            radio "Small" [ref_2] checked="true"
            button "Photo" [ref_3] type="file"
        "#]],
    );
}

#[test]
fn clickable_without_semantics_is_listed_once() {
    check(
        r#"<div style="cursor:pointer" class="card"><div class="t"><span>Plan <b>Nordic</b></span></div><div class="p"><span>9 / month</span></div></div>
           <p>Plain</p><div style="cursor:pointer" class="row">Order 18 <span class="ic" aria-label="Expand order 18">&gt;</span></div>
           <a style="cursor:pointer" title="Close tour">&times;</a><span onclick="n()">+</span><b>1</b>
           <ul class="m"><li style="cursor:pointer">Alpha</li><li style="cursor:pointer">Beta <button>x</button></li></ul>
           <div tabindex="0" onclick="x()"><button>Only</button></div>"#,
        expect![[r#"
            button "Plan Nordic 9 / month" [ref_1]
            text "Plain"
            button "Order 18 Expand order 18" [ref_2]
             button "Expand order 18" [ref_3]
            link "Close tour" [ref_4]
             text "×"
            button "+" [ref_5]
            text "1"
            listitem "Alpha" [ref_6] clickable
            listitem "Beta x" [ref_7] clickable
             button "x" [ref_8]
            button "Only" [ref_9]
        "#]],
    );
}

#[test]
fn names_come_from_where_the_user_reads_them() {
    check(
        r#"<button><i title="Archive thread"></i></button><button><span><svg aria-hidden="true"></svg></span><span>New shelf</span></button>
           <input placeholder="Town"><input placeholder="e.g. 0123" title="Meter code"><label for="s"><span>Find a book</span></label><input id="s" placeholder="type here...">
           <div>Every <input type="number" value="1"> month(s)</div><input type="submit"><input type="image" alt="Go">
           <span id="x" hidden>Hidden label</span><input aria-labelledby="x"><img alt="A cat"><img alt="">
           <div>Terms URL</div><input aria-describedby="d"><i id="d" hidden>String</i><a href="/in">Inbox<span style="display:inline-block">14</span></a>"#,
        expect![[r#"
            button "Archive thread" [ref_1]
            button "New shelf" [ref_2]
            textbox "Town" [ref_3]
            textbox "Meter code" [ref_4] placeholder="e.g. 0123"
            textbox "Find a book" [ref_5] placeholder="type here..."
            text "Every"
            spinbutton "Every" [ref_6] value="1"
            text "month(s)"
            button "Submit" [ref_7] type="submit"
            button "Go" [ref_8] type="image"
            textbox "Hidden label" [ref_9]
            img "A cat" [ref_10]
            text "Terms URL"
            textbox "Terms URL" [ref_11] description="String"
            link "Inbox 14" [ref_12] href="/in"
        "#]],
    );
}

#[test]
fn states_are_live_and_secrets_are_not_told() {
    check(
        r#"<label>Pw <input type="password" value="hunter2"></label><label>Empty <input type="password"></label>
           <label><input type="checkbox" data-mixed> All</label><input type="radio" checked aria-label="R"><button aria-pressed="true">B</button>
           <div role="tab" aria-selected="true">T</div><a href="/x" aria-current="page">Here</a><fieldset disabled><legend>Pay</legend><input aria-label="Card" aria-invalid="true"></fieldset>
           <details open><summary>Adv</summary>in</details><div role="switch" aria-checked="true" aria-label="S"></div>
           <textarea aria-label="T" readonly>two
           lines</textarea><div contenteditable="true" aria-label="Note">Hi there</div>
           <a href="data:text/html,x">D</a><div role="heading" aria-level="3">Deep</div><progress aria-label="P" value="3" max="9"></progress>"#,
        expect![[r#"
            textbox "Pw" [ref_1] type="password" filled
            textbox "Empty" [ref_2] type="password" empty
            checkbox "All" [ref_3] checked="mixed"
            radio "R" [ref_4] checked="true"
            button "B" [ref_5] pressed="true"
            tab "T" [ref_6] selected
            link "Here" [ref_7] href="/x" current="page"
            group "Pay" [ref_8]
             textbox "Card" [ref_9] disabled invalid
            button "Adv" [ref_10] expanded="true"
            text "in"
            switch "S" [ref_11] checked="true"
            textbox "T" [ref_12] value="two lines" readonly
            textbox "Note" [ref_13] value="Hi there"
            link "D" [ref_14] href="data:"
            heading "Deep" [ref_15] level="3"
            progressbar "P" [ref_16] value="3" max="9"
        "#]],
    );
}

#[test]
fn shadow_roots_and_slots_are_entered() {
    check(
        r#"<x-panel><template shadowrootmode="open"><h3><slot name="cap"></slot></h3><x-field><template shadowrootmode="open"><label>Note <input></label></template></x-field><button>Save slot</button></template><span slot="cap">Delivery slot</span></x-panel>"#,
        expect![[r#"
            heading "Delivery slot" [ref_1] level="3"
            textbox "Note" [ref_2]
            button "Save slot" [ref_3]
        "#]],
    );
}

#[test]
fn a_modal_dialog_is_the_whole_page() {
    check(
        "<button>Pay now</button><dialog open data-modal><p>Session expires</p><button>Stay</button></dialog>",
        expect![[r#"
            [open overlays]
            dialog [ref_1]
             text "Session expires"
             button "Stay" [ref_2]
            [/open overlays]
            [the page behind this modal dialog cannot be used and is not shown]
        "#]],
    );
}

#[test]
fn long_lists_of_options_are_cut_and_counted() {
    let options: String = (1..=25).map(|i| format!("<option>Item {i}</option>")).collect();
    let out = lines(&format!("<select aria-label=Many>{options}</select>"), Filter::All);
    assert_eq!(out.lines().count(), 22);
    assert!(out.ends_with(" [5 more options; set_field takes any option's label]\n"), "{out}");
}

#[test]
fn the_filters() {
    let html = r#"<h1>T</h1><p>text</p><button>In</button><button data-box="0 5000 10 10">Below</button><nav aria-label="N"><a href="/a">A</a></nav>"#;
    expect![[r#"
        heading "T" [ref_1] level="1"
        text "text"
        button "In" [ref_2]
        navigation "N" [ref_3]
         link "A" [ref_4] href="/a"
    "#]]
    .assert_eq(&lines(html, Filter::Visible));
    expect![[r#"
        button "In" [ref_1]
        link "A" [ref_2] href="/a"
    "#]]
    .assert_eq(&lines(html, Filter::Interactive));
}

#[test]
fn names_are_one_line_escaped_and_short() {
    let long = "x".repeat(300);
    check(
        &format!("<button aria-label='a \"b\"\n\\ {long}'>Close</button>"),
        expect![[r#"
        button "a \"b\" \\ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" [ref_1]
         text "Close"
    "#]],
    );
}

fn tree_of(html: &str, numbers: &[u32]) -> Tree {
    let dom = Memory::new(html);
    let mut tree = build(&dom, &Options::all());
    let mut at = 0;
    tree.assign(|_| {
        at += 1;
        numbers[at - 1]
    });
    tree
}

#[test]
fn a_diff_says_what_came_went_and_changed() {
    let before = tree_of("<button>A</button><input aria-label=N><p>old</p><p>same</p>", &[1, 2]);
    let after = tree_of("<button disabled>A</button><a href=/x>New</a><p>same</p><p>fresh</p>", &[1, 3]);
    expect![[r#"
        ~ button "A" [ref_1] disabled
        + link "New" [ref_3] href="/x"
        + text "fresh"
        - textbox "N" [ref_2]
        - text "old""#]]
    .assert_eq(&diff(&before, &after, 2400).text);
    assert_eq!(diff(&before, &before, 2400).count, 0);
    expect![[r#"
        ~ button "A" [ref_1] disabled
        [4 more changes not shown; read the tree]"#]]
    .assert_eq(&diff(&before, &after, 30).text);
}

#[test]
fn suggestions_are_near_controls_first() {
    let all = |list: &[(u32, Role, &str)]| {
        list.iter().map(|(n, r, name)| Candidate { reference: *n, role: *r, name: (*name).into() }).collect::<Vec<_>>()
    };
    let list = all(&[(1, Role::Heading, "H"), (5, Role::Button, "B"), (9, Role::Link, ""), (40, Role::Button, "Z")]);
    let numbers = |w| suggest(w, list.clone(), 3).into_iter().map(|c| c.reference).collect::<Vec<_>>();
    assert_eq!(numbers(Some(8)), [9, 5, 40]);
    assert_eq!(numbers(None), [40, 5, 1]);
}

fn html() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-zA-Z \"\\\\<&;]{0,12}",
        Just("<button>b</button>".to_owned()),
        Just("<input value='v' aria-labelledby='i'>".to_owned()),
        Just("<select><option>o</select>".to_owned()),
        Just("<div id=i style='cursor:pointer'>p</div>".to_owned()),
        Just("<br><svg><title>t</title></svg>".to_owned()),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        let tags = prop::sample::select(vec![
            "div",
            "span",
            "a href=x",
            "ul",
            "li",
            "table",
            "tr",
            "td",
            "label",
            "p hidden",
            "h2",
            "section aria-label=s",
            "div role=dialog",
            "div aria-hidden=true",
            "details",
            "summary",
            "div tabindex=0 onclick=f",
            "nav",
            "fieldset",
            "div role=row",
            "div role=treeitem",
            "div contenteditable",
            "p style='opacity:0'",
            "label for=i",
        ]);
        (tags, prop::collection::vec(inner, 0..6)).prop_map(|(tag, inside)| {
            let name = tag.split(' ').next().unwrap_or("div").to_owned();
            let mut out = String::new();
            let _ = write!(out, "<{tag}>{}</{name}>", inside.concat());
            out
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_document_gives_well_formed_lines(html in html()) {
        let dom = Memory::new(&html);
        for filter in [Filter::All, Filter::Visible, Filter::Interactive] {
            let mut tree = build(&dom, &Options { filter, ..Options::all() });
            let mut next = 0;
            tree.assign(|_| { next += 1; next });
            for line in tree.render() {
                prop_assert!(!line.contains('\n') && !line.contains('\r'), "{line}");
                prop_assert!(line.trim_start().starts_with(|c: char| c.is_ascii_lowercase() || c == '['), "{line}");
            }
            for line in tree.lines.iter().filter(|l| l.recomputable) {
                let (role, name) = crate::describe(&dom, line.node.unwrap(), line.role, line.control);
                prop_assert_eq!((role, &name), (line.role, &line.name), "{}", line.body());
            }
        }
    }

    #[test]
    fn pages_joined_are_the_whole(lines in prop::collection::vec("[a-z ]{0,80}[a-z]", 0..200), max in 500usize..3000) {
        let mut all = Vec::new();
        let mut page = 1;
        loop {
            let got = paginate(&lines, Some(max), page, "x");
            prop_assert!(got.text.chars().count() <= max);
            all.extend(got.text.lines().filter(|l| !l.starts_with('[')).map(str::to_owned));
            if page >= got.pages { break; }
            page += 1;
        }
        prop_assert_eq!(all, lines);
    }

    #[test]
    fn a_diff_keeps_to_its_budget(a in html(), b in html(), budget in 100usize..2400) {
        let numbers: Vec<u32> = (1..500).collect();
        let found = diff(&tree_of(&a, &numbers), &tree_of(&b, &numbers), budget);
        prop_assert!(found.text.chars().count() <= budget + 60);
        prop_assert_eq!(found.text.is_empty(), found.count == 0);
    }
}
