//! Comboboxes: lists of options that a page draws itself. Only the field's own list is picked from.

use crate::entry::{entry_of, is_text_entry};
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::outcome::Outcome;
use crate::select::{self, Choice, Meant};
use crate::services::{self, Before};
use crate::target::{self, Target};
use crate::task::{Deadline, sleep};
use crate::{click, keys, text};

/// ms that options may take to come, and while the page says that it loads them.
const OPTIONS_MS: f64 = 700.0;
const LOADING_MS: f64 = 4_000.0;
const LOOK_MS: f64 = 50.0;
/// Presses of an arrow key on the way to an option.
const MOST_ARROWS: usize = 30;
/// Options that are told.
const OFFERED: usize = 10;
const OPTIONS: &str = "[role=option],[role=row],[role=treeitem],li";

/// Whether a field suggests what to enter.
pub fn is_combobox(node: &Node) -> bool {
    let auto = node.attribute("aria-autocomplete").unwrap_or_default();
    has_role(node, "combobox")
        || matches!(auto.as_str(), "list" | "both")
        || node.attribute("aria-haspopup").as_deref() == Some("listbox")
        || (is_text_entry(node) && node.closest("[role=combobox]").is_some())
}

/// Whether an element opens a list to choose from, without taking text itself.
pub fn opens_a_list(node: &Node) -> bool {
    entry_of(node).is_none()
        && (has_role(node, "combobox") || node.attribute("aria-haspopup").as_deref() == Some("listbox"))
}

fn has_role(node: &Node, role: &str) -> bool {
    node.attribute("role").is_some_and(|r| r.split_ascii_whitespace().any(|t| t == role))
}

/// The list that the field itself, or the combobox around it, names; another list on the page is none of its business.
fn own_list(node: &Node) -> Option<Node> {
    let root = node.root_node();
    let by_id = |id: &str| root.by_id(id);
    let around = node.closest("[role=combobox]").filter(|c| !c.same(node));
    for holder in [Some(node.clone()), around].into_iter().flatten() {
        for attr in ["aria-controls", "aria-owns"] {
            let ids = holder.attribute(attr).unwrap_or_default();
            if let Some(list) = ids.split_ascii_whitespace().find_map(by_id) {
                return Some(list);
            }
        }
    }
    let active = node.attribute("aria-activedescendant").and_then(|id| by_id(&id))?;
    active.closest("[role=listbox],[role=grid],[role=tree]")
}

fn is_visible(node: &Node) -> bool {
    services::first(&js::array(&[node.into()]), false).is_some()
}

fn options(list: &Node) -> Vec<Node> {
    js::all(list, OPTIONS).into_iter().filter(is_visible).collect()
}

fn choices(options: &[Node]) -> Vec<Choice> {
    let disabled = |node: &Node| node.attribute("aria-disabled").is_some_and(|v| v == "true");
    let label = |node: &Node| text::collapse(&node.inner_text().or_else(|| node.text_content()).unwrap_or_default());
    options
        .iter()
        .map(|o| Choice { label: label(o), group: String::new(), value: String::new(), disabled: disabled(o) })
        .collect()
}

fn says_true(node: &Node, attribute: &str) -> bool {
    node.attribute(attribute).is_some_and(|v| v == "true")
}

/// The field's own list once it has options.
pub async fn wait_for_options(node: &Node, deadline: Deadline) -> Option<Node> {
    wait_for(node, deadline, || own_list(node)).await
}

async fn wait_for(node: &Node, deadline: Deadline, list: impl Fn() -> Option<Node>) -> Option<Node> {
    let start = js::now();
    loop {
        let found = list();
        if let Some(list) = &found
            && !options(list).is_empty()
        {
            return found;
        }
        let loads =
            found.as_ref().is_some_and(|l| is_visible(l) || says_true(l, "aria-busy")) || says_true(node, "aria-busy");
        let limit = if loads { LOADING_MS } else { OPTIONS_MS };
        if js::now() - start > limit || deadline.passed() {
            return None;
        }
        sleep(LOOK_MS).await;
    }
}

/// What the field suggests, for a model that has to pick.
pub async fn offered(node: &Node, deadline: Deadline) -> Option<String> {
    let list = wait_for_options(node, deadline).await?;
    let all = choices(&options(&list));
    let more = if all.len() > OFFERED { "; …" } else { "" };
    let words = select::listed(all.get(..OFFERED).unwrap_or(&all));
    Some(format!("it suggests {words}{more}: pick one with click_ax, or the text may not count"))
}

fn active_of(node: &Node, list: &Node) -> Option<Node> {
    let id = node.attribute("aria-activedescendant").filter(|id| !id.trim().is_empty());
    let active = id.and_then(|id| node.root_node().by_id(&id));
    active.or_else(|| list.query("[aria-selected=true]").ok().flatten())
}

/// Picks from the list of suggestions: the one that says what was typed, else the highlighted one.
pub async fn pick_suggestion(node: &Node, list: &Node, wanted: &str, deadline: Deadline) -> Result<String, Fail> {
    let all = options(list);
    let choices = choices(&all);
    let named = match select::meant(&choices, wanted, &js::lower) {
        Meant::One(index) => Some((all[index].clone(), choices[index].label.clone())),
        _ => None,
    };
    let at_it = |active: &Option<Node>| match (&named, active) {
        (Some((option, _)), Some(active)) => option.same(active),
        (None, Some(_)) => true,
        _ => false,
    };
    let mut active = active_of(node, list);
    for _ in 0..MOST_ARROWS {
        if at_it(&active) || !node.is_connected() {
            break;
        }
        if deadline.passed() {
            return Err(Fail::Late);
        }
        keys::send_plain(node, "ArrowDown", 40)?;
        sleep(LOOK_MS).await;
        let next = active_of(node, list);
        let moved = match (&active, &next) {
            (Some(a), Some(b)) => !a.same(b),
            (None, Some(_)) => true,
            _ => false,
        };
        active = next;
        if !moved {
            break;
        }
    }
    if deadline.passed() {
        return Err(Fail::Late);
    }
    if let Some((option, label)) = named
        && !at_it_is(&active, &option)
        && option.is_connected()
    {
        press(&option, &label, deadline).await?;
        return Ok(format!("picked the suggestion \"{}\"", text::clip(&label, 80)));
    }
    let picked = active.and_then(|o| o.text_content()).map(|t| text::collapse(&t)).unwrap_or_default();
    keys::send_plain(node, "Enter", 13)?;
    Ok(if picked.is_empty() {
        "pressed ArrowDown and Enter in its list of suggestions".to_owned()
    } else {
        format!("picked the suggestion \"{}\"", text::clip(&picked, 80))
    })
}

fn at_it_is(active: &Option<Node>, option: &Node) -> bool {
    active.as_ref().is_some_and(|a| a.same(option))
}

async fn press(option: &Node, label: &str, deadline: Deadline) -> Result<(), Fail> {
    let target = Target {
        node: option.clone(),
        role: "option".to_owned(),
        name: text::clip(label, 60),
        reference: "in its list".to_owned(),
    };
    let at = target::reach(&target, deadline).await?;
    if deadline.passed() {
        return Err(Fail::Late);
    }
    click::press(option, at)?;
    Ok(())
}

/// Opens the list of a combobox that takes no text, and picks an option by its label.
pub async fn choose(target: &Target, wanted: &str, deadline: Deadline) -> Result<Outcome, Fail> {
    let node = &target.node;
    let at = target::reach(target, deadline).await?;
    let seen_before: Vec<Node> = js::all(&js::document(), "[role=listbox]").into_iter().filter(is_visible).collect();
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    services::acted_on(node);
    if !says_true(node, "aria-expanded") {
        click::press(node, at)?;
    }
    // A list that opens with the press is this one's, also where the page does not say so.
    let opened = || {
        let lists = js::all(&js::document(), "[role=listbox]");
        own_list(node).or_else(|| lists.into_iter().rfind(|l| is_visible(l) && !seen_before.iter().any(|s| s.same(l))))
    };
    let Some(list) = wait_for(node, deadline, opened).await else {
        let changes = before.changes(deadline).await?;
        return Ok(Outcome {
            failed: true,
            ..Outcome::new(
                format!("{} was pressed, but no list of options came\n{changes}", target.words()),
                target.summary(),
            )
        });
    };
    let all = options(&list);
    let choices = choices(&all);
    let index = match select::meant(&choices, wanted, &js::lower) {
        Meant::One(index) => index,
        other => return Err(select::not_meant(target, &choices, wanted, &other)),
    };
    let label = choices[index].label.clone();
    press(&all[index], &label, deadline).await?;
    sleep(2.0 * LOOK_MS).await;
    let now = text::collapse(&node.inner_text().unwrap_or_default());
    let value = node.value_text();
    let chosen = all[index].is_connected() && says_true(&all[index], "aria-selected");
    let shows = text::has(&now, &label) || value == label || chosen;
    let mut text = format!(
        "picked \"{}\" from the list of {}, which now shows \"{}\"; verified: {}",
        text::clip(&label, 80),
        target.words(),
        text::clip(if now.is_empty() { &value } else { &now }, 80),
        if shows { "yes" } else { "unknown" }
    );
    text.push('\n');
    text.push_str(&before.changes(deadline).await?);
    Ok(Outcome::new(text, target.summary()))
}
