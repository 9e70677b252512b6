//! Tables: HTML in, lines out.

mod corpus;
mod memory;
mod names;
mod rules;
mod style;

use crate::{Options, build};
use expect_test::Expect;
use memory::Memory;
use webbrain_tools::Filter;

fn lines(html: &str, filter: Filter) -> String {
    let dom = Memory::new(html);
    let mut tree = build(&dom, &Options { filter, ..Options::all() });
    let mut next = 0;
    tree.assign(|_| {
        next += 1;
        next
    });
    let mut out = tree.render().join("\n");
    out.push('\n');
    out
}

fn check(html: &str, expected: Expect) {
    expected.assert_eq(&lines(html, Filter::All));
}
