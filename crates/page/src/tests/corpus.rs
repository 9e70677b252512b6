//! The shared corpus of accessible names, roles and descriptions, where the machine has it: a floor that may only rise.
//! `ACCNAME=1` lists what fails.

use super::memory::Memory;
use crate::dom::{Dom, Kind};
use crate::name::{accname, description_of};
use crate::role::{Role, role_of};
use crate::text::collapse;
use std::path::Path;

/// Percent of the cases from web-platform-tests that have to be right.
const WPT_FLOOR: usize = 97;
/// The same for all cases.
const FLOOR: usize = 93;

fn field(line: &str, key: &str) -> Option<String> {
    let start = line.find(&format!("\"{key}\": \""))? + key.len() + 5;
    let mut out = String::new();
    let mut chars = line[start..].chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'u' => {
                    let hex: String = chars.by_ref().take(4).collect();
                    out.push(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
                }
                other => out.push(other),
            },
            c => out.push(c),
        }
    }
    None
}

/// What a browser makes of the only kind of script that the pages have: a shadow root with a text of markup.
fn with_shadow_roots(html: &str) -> String {
    let mut out = html.to_owned();
    for line in html.lines() {
        let parts = (line.split("getElementById('").nth(1), line.split(".innerHTML = '").nth(1));
        let (Some(id), Some(inner)) = parts else { continue };
        let id = format!("id=\"{}\">", id.split('\'').next().unwrap_or_default());
        let inner = inner.rsplit_once('\'').map_or("", |(inner, _)| inner);
        out = out.replace(&id, &format!("{id}<template shadowrootmode=\"open\">{inner}</template>"));
    }
    out
}

fn html_of(case: &str, root: &Path) -> String {
    match (field(case, "html"), field(case, "page")) {
        (Some(html), _) => html,
        (None, Some(page)) => std::fs::read_to_string(root.join("pages").join(page)).unwrap_or_default(),
        _ => String::new(),
    }
}

/// A role as the corpus compares it. Words that only this program shows are no roles.
fn plain(role: &str) -> String {
    match role {
        "image" => "img",
        "presentation" => "none",
        "" | "audio" | "video" | "canvas" | "iframe" => "generic",
        other => other,
    }
    .to_owned()
}

/// What was wanted and what came, collapsed.
fn judge(case: &str, dom: &Memory) -> (String, String) {
    let want = ["name", "role", "desc"].iter().find_map(|k| Some((*k, field(case, k)?)));
    let (what, want) = want.unwrap_or(("name", "no expectation".to_owned()));
    let found = field(case, "sel").and_then(|s| dom.find(&s));
    let Some((node, Kind::Element(tag))) = found.map(|n| (n, dom.kind(n))) else {
        return (want, "no such element".to_owned());
    };
    let role = role_of(dom, node, tag).0;
    let name = accname(dom, node, tag, role).text;
    match what {
        "role" => {
            let want = Role::parse(&want).map_or(want.clone(), |r| r.name().to_owned());
            (plain(&want), plain(role.name()))
        }
        "desc" => (collapse(&want), description_of(dom, node, &name)),
        _ => (collapse(&want), name),
    }
}

#[test]
fn the_corpus_of_names_roles_and_descriptions() {
    let root = Path::new("/work/shared/corpus/accname");
    let Ok(cases) = std::fs::read_to_string(root.join("cases.jsonl")) else {
        assert!(std::env::var_os("ACCNAME").is_none(), "no corpus at {}: nothing was checked", root.display());
        return;
    };
    let (mut all, mut right, mut wpt, mut right_wpt) = (0, 0, 0, 0);
    let mut wrong = String::new();
    let mut last = (String::new(), Memory::new(""));
    for case in cases.lines().filter(|c| !c.contains("\"disputed\"")) {
        let html = html_of(case, root);
        if html != last.0 {
            last = (html.clone(), Memory::new(&with_shadow_roots(&html)));
        }
        let (want, got) = judge(case, &last.1);
        let id = field(case, "id").unwrap_or_default();
        let good = usize::from(want == got);
        all += 1;
        right += good;
        if id.starts_with("wpt-") {
            wpt += 1;
            right_wpt += good;
        }
        if good == 0 {
            wrong.push_str(&format!("{id} want {want:?} got {got:?}\n"));
        }
    }
    let score = format!("wpt {right_wpt}/{wpt}, all {right}/{all}");
    assert!(std::env::var_os("ACCNAME").is_none(), "{wrong}{score}");
    assert!(right_wpt * 100 >= wpt * WPT_FLOOR && right * 100 >= all * FLOOR, "{score}");
}
