//! The shared corpus of accessible names, where the machine has it: a floor that may only rise.

use super::memory::Memory;
use crate::dom::{Dom, Kind};
use crate::name::name_of;
use crate::role::{Role, role_of};
use crate::text::collapse;

/// Share of the names that have to be right over the whole corpus, in percent.
const NAMES_FLOOR: usize = 50;
/// The same for roles.
const ROLES_FLOOR: usize = 50;

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

#[test]
fn accessible_names_and_roles_of_the_corpus() {
    let root = std::path::Path::new("/work/shared/corpus/accname");
    let Ok(cases) = std::fs::read_to_string(root.join("cases.jsonl")) else { return };
    let (mut names, mut right_names, mut roles, mut right_roles) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases.lines().filter(|c| !c.contains("\"disputed\"")) {
        let html = match (field(case, "html"), field(case, "page")) {
            (Some(html), _) => html,
            (None, Some(page)) => std::fs::read_to_string(root.join("pages").join(page)).unwrap_or_default(),
            _ => continue,
        };
        let dom = Memory::new(&html);
        let Some(node) = field(case, "sel").and_then(|s| dom.find(&s)) else { continue };
        let Kind::Element(tag) = dom.kind(node) else { continue };
        let (role, _) = role_of(&dom, node, tag);
        if let Some(want) = field(case, "name") {
            names += 1;
            let got = name_of(&dom, node, tag, role).text;
            if got == collapse(&want) {
                right_names += 1;
            } else {
                wrong.push(format!("{} want {want:?} got {got:?}", field(case, "id").unwrap_or_default()));
            }
        }
        if let Some(want) = field(case, "role") {
            roles += 1;
            let want = match want.as_str() {
                "image" => "img",
                "presentation" => "none",
                "" => "generic",
                other => other,
            };
            right_roles += usize::from(Role::parse(want) == Some(role) || want == role.name());
        }
    }
    let shown = wrong.iter().take(if std::env::var_os("ACCNAME").is_some() { 400 } else { 0 });
    let list: String = shown.map(|w| format!("{w}\n")).collect();
    assert!(list.is_empty(), "{list}{right_names}/{names} names, {right_roles}/{roles} roles");
    assert!(right_names * 100 >= names * NAMES_FLOOR, "{right_names} of {names} names");
    assert!(right_roles * 100 >= roles * ROLES_FLOOR, "{right_roles} of {roles} roles");
}
