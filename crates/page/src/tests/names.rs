//! Roles, names and descriptions by the rule: one line of markup, what the marked element is.

use super::check;
use super::memory::Memory;
use crate::dom::{Dom, Kind};
use crate::name::{accname, description_of};
use crate::pseudo;
use crate::role::role_of;
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// Role, name and description of the element with the attribute `x`, or of each of several.
fn told(html: &str) -> String {
    let dom = Memory::new(html);
    let mut out = String::new();
    let node = dom.find("[x]").unwrap();
    let Kind::Element(tag) = dom.kind(node) else { return out };
    let role = role_of(&dom, node, tag).0;
    let name = accname(&dom, node, tag, role).text;
    let description = description_of(&dom, node, &name);
    out.push_str(role.name());
    if !name.is_empty() {
        out.push_str(&format!(" {name:?}"));
    }
    if !description.is_empty() {
        out.push_str(&format!(" ({description})"));
    }
    out
}

fn all(cases: &[&str], expected: Expect) {
    let mut out = String::new();
    for case in cases {
        out.push_str(&format!("{}\n", told(case)));
    }
    expected.assert_eq(&out);
}

#[test]
fn the_first_role_that_is_one_counts() {
    all(
        &[
            "<nav x role='foo'>a</nav>",
            "<nav x role='region group'>a</nav>",
            "<div x role='foo, SWITCH link'>a</div>",
            "<b x role='button\u{301}'>a</b>",
            "<div x role='region'>a</div>",
            "<h2 x role='none'>a</h2>",
            "<h2 x role='none' tabindex='-1'>a</h2>",
            "<h2 x role='presentation' aria-describedby='q'>a</h2>",
            "<h2 x role='none' aria-level='3'>a</h2>",
            "<ul role='none'><li x>a</li></ul>",
            "<table role='presentation'><tr><td x>a</td></tr></table>",
        ],
        expect![[r#"
            navigation
            group
            switch "a"
            strong
            generic
            none
            heading "a"
            heading "a"
            none
            generic
            generic
        "#]],
    );
}

#[test]
fn elements_have_the_role_of_their_place() {
    all(
        &[
            "<header x>a</header>",
            "<main><header x>a</header></main>",
            "<div role='navigation'><footer x>a</footer></div>",
            "<main><aside x>a</aside></main>",
            "<nav><aside x>a</aside></nav>",
            "<section><aside x aria-label='n'>a</aside></section>",
            "<section x>a</section>",
            "<section x aria-label='n'>a</section>",
            "<form x></form>",
            "<summary x>a</summary>",
            "<details><summary x>a</summary>b</details>",
            "<details><summary>b</summary><summary x>a</summary></details>",
            "<table role='grid'><tr><td x>a</td></tr></table>",
            "<table><tr><th x>a</th><th>b</th></tr></table>",
            "<table><tr><th x>a</th><td>b</td></tr></table>",
            "<table><tr><th x scope='col'>a</th><td>b</td></tr></table>",
            "<img x alt=''>",
            "<img x alt='' aria-describedby='q'>",
            "<input x type='email' list='l'>",
            "<select x size='3'></select>",
        ],
        expect![[r#"
            banner
            generic
            generic
            complementary
            generic
            complementary "n"
            generic
            region "n"
            form
            generic "a"
            button "a"
            generic "a"
            gridcell "a"
            columnheader "a"
            rowheader "a"
            columnheader "a"
            none
            img
            combobox
            listbox
        "#]],
    );
}

#[test]
fn references_reach_what_is_hidden() {
    all(
        &[
            "<p id='l' hidden>one <i style='visibility:hidden'>two</i></p><input x aria-labelledby='l'>",
            "<p id='l'>one <i style='display:none'>two</i> <i aria-hidden='true'>three</i></p><input x aria-labelledby='l'>",
            "<p id='l' aria-hidden='true'>one</p><input x aria-labelledby='gone l'>",
            "<button x id='b' aria-label='Delete' aria-labelledby='b f'>x</button><span id='f'>file</span>",
            "<p id='l' aria-labelledby='m'>one</p><p id='m'>two</p><input x aria-labelledby='l'>",
            "<h3 x><a href='#' aria-labelledby='i'>no</a> <a href='#'>more <img id='i' alt='sun'> there</a></h3>",
            "<label for='i' style='display:none'>quiet</label><input x id='i'>",
            "<button x>seen <span style='visibility:hidden'>not <b style='visibility:visible'>but</b></span></button>",
            "<style>.off{display:none}</style><button x>a<span class='off'>b</span></button>",
        ],
        expect![[r#"
            textbox "one two"
            textbox "one"
            textbox "one"
            button "Delete file"
            textbox "one"
            heading "sun more there"
            textbox "quiet"
            button "seen but"
            button "a"
        "#]],
    );
}

#[test]
fn controls_in_labels_stand_for_their_value() {
    all(
        &[
            "<label>Every <input x type='checkbox'> <input value='3' aria-label='n'> days</label>",
            "<input x id='c' type='checkbox'><label for='c'>In <select><option>a<option selected>b</select> days</label>",
            "<input x id='c' type='checkbox'><label for='c'>At <i role='slider' aria-valuetext='noon' aria-valuenow='12'>x</i></label>",
            "<input x id='c' type='checkbox'><label for='c'>To <input type='range' value='7'></label>",
            "<input x id='c' type='checkbox'><label for='c'>Of <ul role='listbox'><li role='option'>p</li><li role='option' aria-selected='true'>q</li></ul></label>",
            "<input x id='c' type='checkbox'><label for='c'>Is <b role='combobox' aria-owns='l'></b></label><ul id='l' role='listbox'><li role='option' aria-selected='true'>r</ul>",
            "<input x id='c' type='checkbox'><label for='c'>Pw <input type='password' value='secret'></label>",
            "<input x id='c' type='checkbox'><label for='c'>See <span role='menu'><i role='menuitem'>no</i></span> it</label>",
            "<label>Hello <input x value='own'></label>",
            "<h2 x>From <input value='Rome' title='t'></h2>",
            "<input id='e' aria-label='empty' placeholder='p'><button x aria-labelledby='e'>b</button>",
        ],
        expect![[r#"
            checkbox "Every 3 days"
            checkbox "In b days"
            checkbox "At noon"
            checkbox "To 7"
            checkbox "Of q"
            checkbox "Is r"
            checkbox "Pw"
            checkbox "See it"
            textbox "Hello"
            heading "From Rome"
            button "empty"
        "#]],
    );
}

#[test]
fn boxes_part_words_and_inline_elements_do_not() {
    all(
        &[
            "<a x href='#'>one<b>two</b>three</a>",
            "<a x href='#'>one<div>two</div>three</a>",
            "<style>.k > span{display:block}</style><a x class='k' href='#'><span>one</span><span>two</span>three</a>",
            "<a x href='#'>one<span style='display:inline-block'>two</span>three</a>",
            "<a x href='#'>one<br>two</a>",
            "<a x href='#'>one<img alt='two'>three</a>",
            "<a x href='#'>one<span style='float:left'>two</span></a>",
            "<style>li{display:inline}</style><a x href='#'>one<!-- --> two\n\tthree</a>",
            "<table><tr x><td>one</td><td>two</td></tr></table>",
        ],
        expect![[r#"
            link "onetwothree"
            link "one two three"
            link "one two three"
            link "one two three"
            link "one two"
            link "one two three"
            link "one two"
            link "one two three"
            row "one two"
        "#]],
    );
}

#[test]
fn style_adds_to_the_text() {
    let style = "<style>.a::before{content:'new '}.a::after{content:'!'}.b::before{content:'x' / 'said '}\
        .c::after{content:attr(data-n) ' of ' attr(data-m)}.d::before{content:url(i.png)}.e::before{content:'\\e901'}\
        .f::before{content:'in';display:block}.g::before{content:'gone';display:none}.h::before{content:'x' / ''}\
        label:after{content:'*'}</style>";
    let cases = [
        "<button x class='a'>one</button>",
        "<button x><i class='a'>one</i></button>",
        "<button x class='b'>one</button>",
        "<button x class='c' data-n='2' data-m='3'></button>",
        "<button x class='d'>one</button>",
        "<button x class='e'>one</button>",
        "<button x class='f'>one</button>",
        "<button x class='g h'>one</button>",
        "<label for='i'>Name</label><input x id='i'>",
    ]
    .map(|case| format!("{style}{case}"));
    all(
        &cases.each_ref().map(String::as_str),
        expect![[r#"
            button "new one!"
            button "new one!"
            button "said one"
            button "2 of 3"
            button "one"
            button "one"
            button "in one"
            button "one"
            textbox "Name*"
        "#]],
    );
}

#[test]
fn the_host_language_names_and_describes() {
    all(
        &[
            "<fieldset x><legend>Pay <b>now</b></legend></fieldset>",
            "<table x summary='s'><caption>Cap</caption></table>",
            "<figure x><img alt='i'><figcaption>Fig</figcaption></figure>",
            "<svg x><title>Sun</title><desc>d</desc></svg>",
            "<input x type='submit'>",
            "<input x type='image' title='Go'>",
            "<input x type='button' value='Do' title='Do it'>",
            "<input x placeholder='p' title='t'>",
            "<input x placeholder='p'>",
            "<button x title='Tip'><img alt=''></button>",
            "<button x><i title='Archive'></i></button>",
            "<a x href='#' title='Tip'>Text</a>",
            "<input x aria-label='a' aria-describedby='d e' title='t'><p id='e'>two</p><p id='d' hidden>one</p>",
            "<input x aria-label='a' aria-description='said' title='t'>",
            "<div x role='tree'><div>a</div></div>",
            "<h1 x aria-owns='o'>one</h1><p id='o'>two</p>",
            "<div><template shadowrootmode='open'><button x>a <slot aria-label='no'>b</slot></button></template>c</div>",
        ],
        expect![[r#"
            group "Pay now"
            table "Cap"
            figure "Fig"
            img "Sun"
            button "Submit"
            button "Go"
            button "Do" (Do it)
            textbox "t"
            textbox "p"
            button "Tip"
            button "Archive"
            link "Text" (Tip)
            textbox "a" (one two)
            textbox "a" (said)
            tree
            heading "one two"
            button "a c"
        "#]],
    );
}

#[test]
fn states_follow_aria() {
    check(
        r#"<div role="radio" aria-checked="mixed">R</div><div role="menuitemcheckbox" aria-checked="mixed">M</div>
           <div role="heading">H</div><a href="/x" aria-current="yes">C</a><a href="/x" aria-current="undefined">D</a>
           <input type="checkbox" readonly aria-label="O"><input aria-label="P" aria-invalid="undefined" required>
           <div role="option" aria-checked="true" aria-selected="true">Q</div><meter aria-label="S" value="2" min="1" max="5"></meter>
           <input aria-label="T" aria-describedby="d"><p id="d">Ten digits</p><a href="/y" title="Again">E</a>
           <button aria-disabled="yes" aria-haspopup="menu">F</button><button aria-disabled="true">G</button><input aria-label="I" aria-invalid="spelling">"#,
        expect![[r#"
            radio "R" [ref_1] checked="false"
            menuitemcheckbox "M" [ref_2] checked="mixed"
            heading "H" [ref_3] level="2"
            link "C" [ref_4] href="/x" current="true"
            link "D" [ref_5] href="/x"
            checkbox "O" [ref_6] checked="false"
            textbox "P" [ref_7] required
            option "Q" [ref_8] checked="true" selected
            meter "S" [ref_9] value="2" min="1" max="5"
            textbox "T" [ref_10] description="Ten digits"
            text "Ten digits"
            link "E" [ref_11] href="/y"
            button "F" [ref_12] haspopup
            button "G" [ref_13] disabled
            textbox "I" [ref_14] invalid
        "#]],
    );
}

proptest! {
    /// Whatever a sheet says, words come out of it and nothing breaks.
    #[test]
    fn any_content_gives_words(content in "[ -~\\PC]{0,40}") {
        let words = pseudo::words(&content, &|name| name.to_owned());
        prop_assert!(words.len() <= content.len());
    }

    #[test]
    fn quoted_words_come_back(words in "[a-z ]{0,20}", other in "[a-z ]{0,20}") {
        let none = |_: &str| String::new();
        prop_assert_eq!(&pseudo::words(&format!("\"{words}\""), &none), &words);
        prop_assert_eq!(&pseudo::words(&format!("\"{words}\" url(\"a)b\") / \"{other}\""), &none), &other);
    }
}

#[test]
fn computed_content_is_read_as_browsers_write_it() {
    let attribute = |name: &str| format!("<{name}>");
    let read = [
        r#""a" counter(n) ". ""#,
        r#"attr(data-x) " of " attr(data-y type(<number>), "none")"#,
        r#"open-quote "say \"hi\"\a now \\" close-quote"#,
        r#"url("x/y.png") / "sun""#,
        r#"linear-gradient(red, attr(no)) "x" / """#,
        "'single'",
    ]
    .map(|content| format!("{:?}\n", pseudo::words(content, &attribute)));
    expect![[r#"
        "a. "
        "<data-x> of <data-y>"
        "say \"hi\" now \\"
        "sun"
        ""
        "single"
    "#]]
    .assert_eq(&read.concat());
}
