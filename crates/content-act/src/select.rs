//! Native lists: an option is chosen by its label, as the user reads it.

use crate::events;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::outcome::Outcome;
use crate::services::{self, Before};
use crate::target::{self, Target};
use crate::task::Deadline;
use crate::text::{self, clip, collapse};

/// Options that a refusal lists.
const MAX_LISTED: usize = 40;

/// An option that could be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As the user reads it.
    pub label: String,
    /// Label of its group.
    pub group: String,
    /// What the page calls it.
    pub value: String,
    /// Whether it cannot be chosen.
    pub disabled: bool,
}

/// Which option a text means.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    /// This one.
    One(usize),
    /// None of them.
    None,
    /// One that cannot be chosen.
    Disabled,
    /// It is not clear which.
    Several(Vec<usize>),
}

/// The label exactly, then in any case, then `group / label`, then the value, then as the start of one label only.
pub fn meant(choices: &[Choice], wanted: &str, fold: &dyn Fn(&str) -> String) -> Meant {
    let wanted = collapse(wanted);
    let lower = fold(&wanted);
    let full = |c: &Choice| fold(&format!("{} / {}", c.group, c.label));
    if wanted.is_empty() {
        // What a list shows before anything is chosen.
        let empty = choices.iter().position(|c| c.value.is_empty() && !c.disabled);
        return empty.map_or(Meant::None, Meant::One);
    }
    let rules: [&dyn Fn(&Choice) -> bool; 5] = [
        &|c| c.label == wanted,
        &|c| fold(&c.label) == lower,
        &|c| !c.group.is_empty() && full(c) == lower,
        &|c| !c.value.is_empty() && c.value == wanted,
        &|c| !lower.is_empty() && fold(&c.label).starts_with(&lower),
    ];
    let mut only_disabled = false;
    for rule in rules {
        let hits: Vec<usize> = (0..choices.len()).filter(|i| rule(&choices[*i])).collect();
        let enabled: Vec<usize> = hits.iter().copied().filter(|i| !choices[*i].disabled).collect();
        match enabled.len() {
            0 => only_disabled |= !hits.is_empty(),
            1 => return Meant::One(enabled[0]),
            _ => return Meant::Several(enabled),
        }
    }
    if only_disabled { Meant::Disabled } else { Meant::None }
}

fn options(list: &Node) -> Vec<(Node, Choice)> {
    js::nodes(&list.options())
        .into_iter()
        .map(|option| {
            let group = option.parent_node().filter(|p| p.name() == "optgroup").and_then(|g| g.attribute("label"));
            let choice = Choice {
                label: collapse(&option.option_label()),
                group: collapse(&group.unwrap_or_default()),
                value: option.value_text(),
                disabled: option.is(":disabled"),
            };
            (option, choice)
        })
        .collect()
}

/// The labels of a list for a refusal.
pub fn labels(list: &Node) -> String {
    listed(&options(list).into_iter().map(|(_, choice)| choice).collect::<Vec<_>>())
}

/// The labels of choices.
pub fn listed(all: &[Choice]) -> String {
    let mut words: Vec<String> = all.iter().take(MAX_LISTED).map(words).collect();
    if all.len() > MAX_LISTED {
        words.push(format!("and {} more", all.len() - MAX_LISTED));
    }
    text::joined(&words, "; ")
}

fn words(choice: &Choice) -> String {
    let label = clip(&choice.label, 60);
    let off = if choice.disabled { " (disabled)" } else { "" };
    if choice.group.is_empty() { format!("\"{label}\"{off}") } else { format!("\"{} / {label}\"{off}", choice.group) }
}

/// Why none of the choices is the one that was meant.
pub fn not_meant(target: &Target, choices: &[Choice], wanted: &str, meant: &Meant) -> Fail {
    let wanted = clip(wanted, 60);
    Fail::Unfit(match meant {
        Meant::Several(several) => {
            let names: Vec<String> = several.iter().map(|i| words(&choices[*i])).collect();
            format!(
                "several options of {} match \"{wanted}\": {}. Nothing was chosen. Say which.",
                target.words(),
                text::joined(&names, "; ")
            )
        }
        Meant::Disabled => format!(
            "the option \"{wanted}\" of {} is disabled. Nothing was chosen. Options: {}",
            target.words(),
            listed(choices)
        ),
        Meant::None | Meant::One(_) => {
            format!("{} has no option \"{wanted}\". Nothing was chosen. Options: {}", target.words(), listed(choices))
        }
    })
}

/// Chooses options of a list by text: one, or each line where the list takes several.
pub async fn choose(target: &Target, wanted: &str, replace: bool, deadline: Deadline) -> Result<Outcome, Fail> {
    let all = options(&target.node);
    let choices: Vec<Choice> = all.iter().map(|(_, c)| c.clone()).collect();
    let many = target.node.multiple().is_truthy();
    if many && wanted.trim().is_empty() && replace {
        return apply(target, &target.node, &[], true, deadline).await;
    }
    let mut chosen = Vec::new();
    for part in parts(&choices, wanted, many) {
        match meant(&choices, part, &js::lower) {
            Meant::One(index) => chosen.push(all[index].0.clone()),
            other => return Err(not_meant(target, &choices, part, &other)),
        }
    }
    apply(target, &target.node, &chosen, replace, deadline).await
}

/// The options that a text names: lines, or parts between semicolons or commas, where it is no option as a whole.
fn parts<'a>(choices: &[Choice], wanted: &'a str, many: bool) -> Vec<&'a str> {
    if !many || matches!(meant(choices, wanted, &js::lower), Meant::One(_)) {
        return vec![wanted];
    }
    for between in ['\n', ';', ','] {
        if wanted.contains(between) {
            return wanted.split(between).filter(|part| !part.trim().is_empty()).collect();
        }
    }
    vec![wanted]
}

/// Chooses an option by its own ref.
pub async fn pick_option(target: &Target, list: &Node, deadline: Deadline) -> Result<Outcome, Fail> {
    if target.node.is(":disabled") {
        return Err(Fail::Disabled(target.words()));
    }
    let holder = Target {
        node: list.clone(),
        role: target.role.clone(),
        name: target.name.clone(),
        reference: target.reference.clone(),
    };
    apply(&holder, list, std::slice::from_ref(&target.node), true, deadline).await
}

/// Chooses these options; in a list that takes several, the others only stay when they are not to be replaced.
async fn apply(
    target: &Target,
    list: &Node,
    wanted: &[Node],
    replace: bool,
    deadline: Deadline,
) -> Result<Outcome, Fail> {
    target::reach(target, deadline).await?;
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    services::acted_on(list);
    let is_wanted = |option: &Node| wanted.iter().any(|w| w.same(option));
    let many = list.multiple().is_truthy();
    let state = || -> Vec<(Node, bool)> {
        js::nodes(&list.options()).into_iter().map(|o| (o.clone(), o.selected().is_truthy())).collect()
    };
    let right = |(option, on): &(Node, bool)| {
        if is_wanted(option) { *on } else { !*on || (many && !replace) }
    };
    if state().iter().all(right) {
        return Ok(Outcome::new(format!("\"{}\" is chosen already; nothing was done", shown(list)), target.summary()));
    }
    events::focus(list)?;
    for (option, on) in state() {
        if is_wanted(&option) != on && (is_wanted(&option) || (many && replace)) {
            option.set_selected(!on);
        }
    }
    events::plain(list, "input", false)?;
    events::plain(list, "change", false)?;
    crate::task::sleep(60.0).await;
    let now = shown(list);
    let labels: Vec<String> = wanted.iter().map(|o| collapse(&o.option_label())).collect();
    // A page may draw its options anew.
    let kept = state().iter().all(right) && wanted.iter().all(Node::is_connected);
    let shows = kept || now == text::joined(&labels, ", ");
    let mut text =
        format!("{} now shows \"{}\"; verified: {}", target.words(), clip(&now, 100), if shows { "yes" } else { "no" });
    text.push('\n');
    text.push_str(&before.changes(deadline).await?);
    Ok(Outcome { failed: !shows, ..Outcome::new(text, target.summary()) })
}

/// What a list shows as chosen.
fn shown(list: &Node) -> String {
    let chosen = js::nodes(&list.options()).into_iter().filter(|o| o.selected().is_truthy());
    text::joined(&chosen.map(|o| collapse(&o.option_label())).collect::<Vec<_>>(), ", ")
}

#[cfg(test)]
mod tests {
    use super::{Choice, Meant, meant};

    fn list() -> Vec<Choice> {
        [
            ("Basic", "Home", "h1", false),
            ("Pro", "Home", "h2", true),
            ("Basic", "Work", "w1", false),
            ("Pro", "Work", "w2", false),
            ("Monthly", "", "m", false),
            ("Month by month", "", "mm", false),
        ]
        .map(|(label, group, value, disabled)| Choice {
            label: label.into(),
            group: group.into(),
            value: value.into(),
            disabled,
        })
        .to_vec()
    }

    #[test]
    fn an_option_is_meant_by_label_group_value_or_unique_start() {
        for (wanted, want) in [
            ("Pro", Meant::One(3)),
            ("pro", Meant::One(3)),
            ("Basic", Meant::Several(vec![0, 2])),
            ("Work / Basic", Meant::One(2)),
            ("w1", Meant::One(2)),
            ("month b", Meant::One(5)),
            ("mont", Meant::Several(vec![4, 5])),
            ("Home / Pro", Meant::Disabled),
            ("Yearly", Meant::None),
            ("", Meant::None),
        ] {
            assert_eq!(meant(&list(), wanted, &|t| t.to_lowercase()), want, "{wanted:?}");
        }
    }
}
