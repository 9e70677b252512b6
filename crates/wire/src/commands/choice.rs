//! Several things of one name: what tells them apart, and which of them an answer means.

use super::tree::{Node, plain};
use super::words::clip;

/// One of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Index of its node.
    pub at: usize,
    /// What it is and what stands around it.
    said: String,
    /// Its place, from 1, where the words alone do not tell it from another.
    number: Option<usize>,
}

impl Choice {
    /// As the user is shown it.
    pub fn text(&self) -> String {
        match self.number {
            Some(number) => format!("{} (number {number})", self.said),
            None => self.said.clone(),
        }
    }
}

/// The nodes `all`, each with the words that tell it from the others.
pub fn choices(nodes: &[Node], all: &[usize]) -> Vec<Choice> {
    let scene = Scene::new(nodes, all);
    let said: Vec<String> = (0..all.len()).map(|place| scene.describe(place)).collect();
    let is_twin = |place: usize| said.iter().filter(|other| **other == said[place]).count() > 1;
    let choice = |place: usize| Choice {
        at: all[place],
        said: said[place].clone(),
        number: is_twin(place).then_some(place + 1),
    };
    (0..all.len()).map(choice).collect()
}

/// Whether each has words of its own.
pub fn are_told_apart(choices: &[Choice]) -> bool {
    choices.iter().all(|choice| choice.number.is_none())
}

/// Candidates with what stands around each.
struct Scene<'a> {
    nodes: &'a [Node],
    all: &'a [usize],
    /// The parts of the page that a candidate lies in and no other does, the innermost first.
    parts: Vec<Vec<usize>>,
    /// The words in the largest of these parts; without one, those between the candidate and the one before it.
    texts: Vec<Vec<&'a str>>,
}

impl<'a> Scene<'a> {
    fn new(nodes: &'a [Node], all: &'a [usize]) -> Self {
        let above = |at: usize| std::iter::successors(nodes[at].parent, |part| nodes[*part].parent);
        let mut held = vec![0_u32; nodes.len()];
        for part in all.iter().flat_map(|at| above(*at)) {
            held[part] += 1;
        }
        let parts: Vec<Vec<usize>> =
            all.iter().map(|at| above(*at).take_while(|part| held[*part] == 1).collect()).collect();
        let named = |range: std::ops::Range<usize>| {
            let names = range.filter(|at| !all.contains(at)).map(|at| nodes[at].name.as_str());
            names.filter(|name| !name.is_empty()).collect()
        };
        let texts = parts.iter().zip(all).map(|(parts, at)| match parts.last() {
            Some(part) => named(*part..end_of(nodes, *part)),
            None => named(after_the_one_before(all, *at)..*at),
        });
        let texts = texts.collect();
        Scene { nodes, all, parts, texts }
    }

    fn describe(&self, place: usize) -> String {
        let label = self.nodes[self.all[place]].label();
        let is_alone = (0..self.all.len()).all(|p| p == place || self.nodes[self.all[p]].label() != label);
        match self.context(place) {
            Some(context) if !is_alone => format!("{label} {context}"),
            _ => label,
        }
    }

    /// Words for where a candidate stands: a named part of the page that only it lies in, the text of such a part or the
    /// text before it; else its address or value.
    fn context(&self, place: usize) -> Option<String> {
        let node = &self.nodes[self.all[place]];
        let label = |part: &usize| self.nodes[*part].label();
        let others = || (0..self.all.len()).filter(|other| *other != place);
        let named = self.parts[place].iter().find(|part| {
            let name = &self.nodes[**part].name;
            let is_elsewhere = || others().any(|other| self.parts[other].iter().any(|p| label(p) == label(part)));
            !name.is_empty() && *name != node.name && !is_elsewhere()
        });
        if let Some(part) = named {
            return Some(format!("in {}", label(part)));
        }
        let own: Vec<&str> = self.texts[place]
            .iter()
            .copied()
            .filter(|name| !others().any(|other| self.texts[other].contains(name)))
            .collect();
        let is_part = !self.parts[place].is_empty();
        // What stands nearest tells most.
        let own = if is_part { &own[..own.len().min(3)] } else { &own[own.len().saturating_sub(2)..] };
        if !own.is_empty() {
            let words = clip(&own.join(", "), 80);
            return Some(format!("{} \"{words}\"", if is_part { "next to" } else { "after" }));
        }
        let extra = node.attribute("href").or(node.attribute("value")).filter(|extra| !extra.is_empty())?;
        Some(format!("({})", clip(extra, 60)))
    }
}

/// Index after the last node within `part`: nodes stand in document order.
fn end_of(nodes: &[Node], part: usize) -> usize {
    let is_outside = |at: &usize| nodes[*at].parent.is_none_or(|parent| parent < part);
    (part + 1..nodes.len()).find(is_outside).unwrap_or(nodes.len())
}

/// Where the words before a candidate begin that belong to no other.
fn after_the_one_before(all: &[usize], at: usize) -> usize {
    let above = all.iter().copied().filter(|other| *other < at).max();
    above.map_or(at.saturating_sub(6), |above| above + 1)
}

/// Which of `choices` an answer means: the words of one, words that only one has, or its place. `None` when it is not sure.
pub fn resolve(choices: &[Choice], answer: &str) -> Option<usize> {
    let wanted = plain(answer);
    if let Some(place) = only(choices, |choice| plain(&choice.text()) == wanted) {
        return Some(choices[place].at);
    }
    let words = words_of(&wanted);
    let by_words = by_words(choices, &words);
    let by_place = place_of(&words, choices.len());
    let place = match (by_words, by_place) {
        // "2" may be the second, or the row that is called 2.
        (Some(a), Some(b)) if a != b => None,
        (a, b) => a.or(b),
    };
    place.map(|place| choices[place].at)
}

fn by_words(choices: &[Choice], words: &[String]) -> Option<usize> {
    let asked: Vec<&String> = words.iter().filter(|w| !FILLERS.contains(&w.as_str())).collect();
    if asked.is_empty() {
        return None;
    }
    let has_all = |choice: &Choice| {
        let known = words_of(&plain(&choice.said));
        asked.iter().all(|word| known.contains(word))
    };
    if choices.iter().any(has_all) {
        return only(choices, has_all);
    }
    // "jenk" for "Jenkins"; digits would find themselves in any number.
    let begun = |choice: &Choice| {
        let known = words_of(&plain(&choice.said));
        asked.iter().all(|word| word.chars().count() > 2 && known.iter().any(|k| k.starts_with(word.as_str())))
    };
    only(choices, begun).filter(|_| !asked.iter().all(|w| w.chars().all(|c| c.is_ascii_digit())))
}

fn only(choices: &[Choice], fits: impl Fn(&Choice) -> bool) -> Option<usize> {
    let mut found = (0..choices.len()).filter(|place| fits(&choices[*place]));
    found.next().filter(|_| found.next().is_none())
}

const FILLERS: &[&str] = &[
    "the", "a", "one", "number", "option", "choice", "of", "in", "for", "row", "button", "link", "please", "item",
    "entry", "with", "next", "to",
];

/// The place that words such as "2", "the second one" or "last" mean.
fn place_of(words: &[String], count: usize) -> Option<usize> {
    const ORDINALS: &[&str] =
        &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let mut rest = words.iter().map(String::as_str).filter(|w| !FILLERS.contains(w));
    let (word, None) = (rest.next()?, rest.next()) else { return None };
    if word == "last" {
        return count.checked_sub(1);
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let end = &word[digits.len()..];
    let place = match digits.parse::<usize>() {
        Ok(number) if matches!(end, "" | "st" | "nd" | "rd" | "th") => number.checked_sub(1)?,
        _ => ORDINALS.iter().position(|ordinal| *ordinal == word)?,
    };
    (place < count).then_some(place)
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tree::parse;
    use expect_test::{Expect, expect};

    fn deletes(page: &str) -> (Vec<Node>, Vec<usize>) {
        let nodes = parse(page);
        let all = (0..nodes.len()).filter(|at| nodes[*at].name == "Delete").collect();
        (nodes, all)
    }

    fn check(page: &str, expected: Expect) {
        let (nodes, all) = deletes(page);
        let texts: Vec<String> = choices(&nodes, &all).iter().map(Choice::text).collect();
        expected.assert_eq(&texts.join("\n"));
    }

    const ROWS: &str = "table \"People\" [ref_1]\n row \"Ann | ann@x.test\" [ref_2]\n  button \"Delete\" [ref_3]\n row \"Bob | bob@x.test\" [ref_4]\n  button \"Delete\" [ref_5]\n row \"Anna | 2 Main St\" [ref_6]\n  button \"Delete\" [ref_7]";

    #[test]
    fn what_stands_around_tells_them_apart() {
        check(
            ROWS,
            expect![[r#"
            button "Delete" in row "Ann | ann@x.test"
            button "Delete" in row "Bob | bob@x.test"
            button "Delete" in row "Anna | 2 Main St""#]],
        );
        // Parts without names.
        check(
            "listitem [ref_1]\n heading \"Tea\" [ref_2]\n text \"2 bags\"\n group \"Do\" [ref_3]\n  button \"Edit\" [ref_4]\n  button \"Delete\" [ref_5]\nlistitem [ref_6]\n heading \"Rice\" [ref_7]\n group \"Do\" [ref_8]\n  button \"Edit\" [ref_9]\n  button \"Delete\" [ref_10]",
            expect![[r#"
                button "Delete" next to "Tea, 2 bags"
                button "Delete" next to "Rice""#]],
        );
        // No parts at all.
        check(
            "heading \"Tea\" [ref_1]\nbutton \"Edit\" [ref_2]\nbutton \"Delete\" [ref_3]\ntext \"Rice\"\nbutton \"Edit\" [ref_4]\nbutton \"Delete\" [ref_5]",
            expect![[r#"
                button "Delete" after "Tea"
                button "Delete" after "Rice""#]],
        );
        check(
            "link \"Delete\" [ref_1] href=\"/a\"\nlink \"Delete\" [ref_2] href=\"/b\"\nbutton \"Delete\" [ref_3]",
            expect![[r#"
                link "Delete" (/a)
                link "Delete" (/b)
                button "Delete""#]],
        );
        check(
            "button \"Delete\" [ref_1]\nbutton \"Delete\" [ref_2]",
            expect![[r#"
                button "Delete" (number 1)
                button "Delete" (number 2)"#]],
        );
    }

    #[test]
    fn an_answer_means_one_or_none() {
        let row = |page: &str, answer: &str, expected: Option<&str>| {
            let (nodes, all) = deletes(page);
            let got = resolve(&choices(&nodes, &all), answer).map(|at| nodes[at].reference.as_str());
            assert_eq!(got, expected, "{answer}");
        };
        row(ROWS, "button \"Delete\" in row \"Bob | bob@x.test\"", Some("ref_5"));
        row(ROWS, "Bob", Some("ref_5"));
        row(ROWS, "the row of bob@x.test", Some("ref_5"));
        row(ROWS, "ann", Some("ref_3"));
        row(ROWS, "Anna", Some("ref_7"));
        row(ROWS, "the second", Some("ref_5"));
        row(ROWS, "number 1", Some("ref_3"));
        row(ROWS, "3rd one", Some("ref_7"));
        row(ROWS, "the last one", Some("ref_7"));
        // The second one, or the one in 2 Main St?
        row(ROWS, "2", None);
        row(ROWS, "Delete", None);
        row(ROWS, "x.test", None);
        row(ROWS, "4", None);
        row(ROWS, "Zed", None);
        row(ROWS, "", None);
        let twins = "button \"Delete\" [ref_1]\nbutton \"Delete\" [ref_2]";
        row(twins, "2", Some("ref_2"));
        row(twins, "button \"Delete\" (number 1)", Some("ref_1"));
    }
}
