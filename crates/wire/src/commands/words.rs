//! Everything that the interpreter says.

/// Said first, so that nobody takes it for more than it is.
pub const WHO: &str = "I carry out plain commands; I am not a language model.";

/// What it understands.
pub const EXAMPLES: &str = "Commands that I know: open example.com; click Save; type \"some text\" into Name; \
    set Quantity to 3; choose France in Country; check Remember me; press Enter; scroll down; go back; \
    read the page; find some words; what is on this page. Join several with \"then\". \
    For free instructions, set up a model in Settings: a server on your own machine or a cloud service.";

/// A request, or a part of it, that is none of the commands.
pub fn not_understood(part: &str) -> String {
    format!("I did not understand \"{}\", so nothing was done. {WHO} {EXAMPLES}", short(part))
}

/// A command that would act, in Ask mode.
pub fn ask_cannot_act(step: &str) -> String {
    format!("Ask mode only reads: I cannot {step} here. Switch to Act to have it done.")
}

/// A command whose tool is not offered.
pub const NOT_OFFERED: &str = "this is not offered in the mode that is chosen";

/// The question when several targets fit.
pub fn which(name: &str, count: usize, offered: usize) -> String {
    if count > offered {
        return format!(
            "{count} things here fit \"{}\". Which one do you mean? These are the first {offered}; for another, write \
             its number, from 1 to {count}, or words that stand next to it.",
            short(name)
        );
    }
    format!("Several things here fit \"{}\". Which one do you mean?", short(name))
}

/// No target fits. `place` says where it was looked for.
pub fn no_target(name: &str, place: &str, near: &[String]) -> String {
    let mut text = format!("there is nothing called \"{}\" {place}", short(name));
    if !near.is_empty() {
        text.push_str(&format!("; there is {}", near.join(", ")));
    }
    text
}

/// No field at all.
pub fn no_field(place: &str) -> String {
    format!("there is no field to type into {place}")
}

/// The answer fitted none, or more than one.
pub fn unclear(name: &str) -> String {
    format!("it is not clear which \"{}\" is meant", short(name))
}

/// What was done where the page shows no sign of it.
pub const UNCHANGED: &str = " (the page showed no change)";

/// A click on something that leads elsewhere.
pub fn in_new_tab(address: &str) -> String {
    match address {
        "" => "; it opens in a new tab".to_owned(),
        address => format!("; it opens in a new tab: {}", clip(address, 120)),
    }
}

/// What a page reading leads with.
pub fn reading_note() -> String {
    format!("{WHO} So this is the page's own text, not a summary.")
}

/// The first line of a long text, for quoting.
pub fn short(text: &str) -> String {
    clip(text.split_whitespace().collect::<Vec<_>>().join(" ").as_str(), 80)
}

/// At most `limit` characters.
pub fn clip(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit { text.to_owned() } else { text.chars().take(limit - 1).chain(['…']).collect() }
}
