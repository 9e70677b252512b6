//! Native lists: an option is chosen by its label, as the user reads it.

use crate::act::Outcome;
use crate::dom::option_label;
use crate::events;
use crate::fail::Fail;
use crate::js::{self, Node};
use crate::observe::Before;
use crate::state;
use crate::target::{self, Target};
use crate::task::Deadline;
use webbrain_page::text::{clip, collapse};

/// Options that a refusal lists.
const MAX_LISTED: usize = 40;

/// An option that could be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    label: String,
    group: String,
    value: String,
    disabled: bool,
}

/// Which option a text means.
#[derive(Debug, PartialEq, Eq)]
enum Meant {
    One(usize),
    None,
    Disabled,
    Several(Vec<usize>),
}

/// The label exactly, then in any case, then `group / label`, then the value, then as the start of one label only.
fn meant(choices: &[Choice], wanted: &str, fold: &dyn Fn(&str) -> String) -> Meant {
    let wanted = collapse(wanted);
    let lower = fold(&wanted);
    let full = |c: &Choice| fold(&format!("{} / {}", c.group, c.label));
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
                label: collapse(&option_label(&option)),
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
    let all = options(list);
    let mut words: Vec<String> = all.iter().take(MAX_LISTED).map(|(_, c)| words(c)).collect();
    if all.len() > MAX_LISTED {
        words.push(format!("and {} more", all.len() - MAX_LISTED));
    }
    words.join("; ")
}

fn words(choice: &Choice) -> String {
    let label = clip(&choice.label, 60);
    let off = if choice.disabled { " (disabled)" } else { "" };
    if choice.group.is_empty() { format!("\"{label}\"{off}") } else { format!("\"{} / {label}\"{off}", choice.group) }
}

/// Chooses an option of a list by text.
pub async fn choose(target: &Target, wanted: &str, replace: bool, deadline: Deadline) -> Result<Outcome, Fail> {
    let all = options(&target.node);
    let choices: Vec<Choice> = all.iter().map(|(_, c)| c.clone()).collect();
    let index = match meant(&choices, wanted, &js::lower) {
        Meant::One(index) => index,
        Meant::Several(several) => {
            let names: Vec<String> = several.iter().map(|i| words(&choices[*i])).collect();
            return Err(Fail::Unfit(format!(
                "several options of {} match \"{}\": {}. Nothing was done. Say which.",
                target.words(),
                clip(wanted, 60),
                names.join("; ")
            )));
        }
        Meant::Disabled => {
            return Err(Fail::Unfit(format!(
                "the option \"{}\" of {} is disabled. Nothing was done. Options: {}",
                clip(wanted, 60),
                target.words(),
                labels(&target.node)
            )));
        }
        Meant::None => {
            return Err(Fail::Unfit(format!(
                "{} has no option \"{}\". Nothing was done. Options: {}",
                target.words(),
                clip(wanted, 60),
                labels(&target.node)
            )));
        }
    };
    let option = all[index].0.clone();
    apply(target, &target.node, &option, replace, deadline).await
}

/// Chooses an option by its own ref.
pub async fn pick_option(target: &Target, list: &Node, deadline: Deadline) -> Result<Outcome, Fail> {
    if target.node.is(":disabled") {
        return Err(Fail::Disabled(target.words()));
    }
    let holder = Target {
        node: list.clone(),
        role: target.role,
        name: target.name.clone(),
        reference: target.reference.clone(),
    };
    apply(&holder, list, &target.node, true, deadline).await
}

async fn apply(
    target: &Target,
    list: &Node,
    option: &Node,
    replace: bool,
    deadline: Deadline,
) -> Result<Outcome, Fail> {
    target::reach(target, deadline).await?;
    let before = Before::now();
    if deadline.passed() {
        return Err(Fail::Late);
    }
    state::acted_on(list);
    let label = collapse(&option_label(option));
    let many = list.multiple().is_truthy();
    let others =
        many && replace && js::nodes(&list.options()).iter().any(|o| !o.same(option) && o.selected().is_truthy());
    if option.selected().is_truthy() && !others {
        return Ok(Outcome::new(format!("\"{label}\" is chosen already; nothing was done"), target.summary()));
    }
    events::focus(list)?;
    if others {
        for other in js::nodes(&list.options()) {
            if !other.same(option) {
                other.set_selected(false);
            }
        }
    }
    option.set_selected(true);
    events::plain(list, "input", false)?;
    events::plain(list, "change", false)?;
    crate::task::sleep(30.0).await;
    let kept = option.is_connected() && option.selected().is_truthy();
    let now = js::nodes(&list.options()).into_iter().filter(|o| o.selected().is_truthy()).map(|o| option_label(&o));
    let now = collapse(&now.collect::<Vec<_>>().join(", "));
    let shows = kept || now == label;
    let mut text =
        format!("{} now shows \"{}\"; verified: {}", target.words(), clip(&now, 100), if shows { "yes" } else { "no" });
    text.push('\n');
    text.push_str(&before.changes(deadline).await.text);
    Ok(Outcome { text, summary: target.summary(), failed: !shows })
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
