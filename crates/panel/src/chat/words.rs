//! What a step or a card is called, and the one thing to say about it. Pure.

use crate::i18n::{key, t, t_or, tf};
use crate::icons;
use serde_json::Value;
use webbrain_protocol::{Capability, RunStatus, StepStatus};

/// Longest text of a step's one line, in characters.
const HINT_LIMIT: usize = 120;

/// Beyond this many characters or lines a message of the user is folded.
const LONG: (usize, usize) = (900, 14);

/// Whether a message is too long to stand in the conversation as a whole.
pub fn is_long(text: &str) -> bool {
    text.chars().nth(LONG.0).is_some() || text.lines().nth(LONG.1).is_some()
}

/// What a tool did, is doing, or could not do. Of an unknown outcome only what it was about is said.
pub fn tool_label(tool: &str, status: StepStatus) -> String {
    let form = match status {
        StepStatus::Ok => "",
        StepStatus::Running | StepStatus::Unknown => ".now",
        StepStatus::Error | StepStatus::Denied => ".failed",
    };
    t_or(&format!("tool.{tool}{form}"), &format!("tool.other{form}"))
}

/// The icon of a step.
pub fn step_icon(tool: &str, status: StepStatus) -> &'static str {
    match status {
        StepStatus::Error => icons::CLOSE,
        StepStatus::Denied => icons::SHIELD,
        _ => icons::of_tool(tool),
    }
}

/// Key of the word for a step's state.
pub fn step_status_key(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Running => key::STEP_RUNNING,
        StepStatus::Ok => key::STEP_OK,
        StepStatus::Error => key::STEP_ERROR,
        StepStatus::Denied => key::STEP_DENIED,
        StepStatus::Unknown => key::STEP_UNKNOWN,
    }
}

/// `data-status` of a step.
pub fn step_status_name(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Running => "running",
        StepStatus::Ok => "ok",
        StepStatus::Error => "error",
        StepStatus::Denied => "denied",
        StepStatus::Unknown => "unknown",
    }
}

/// `data-status` of the run and the key of its word.
pub fn run_status(status: RunStatus) -> (&'static str, &'static str) {
    match status {
        RunStatus::Idle => ("idle", key::STATUS_IDLE),
        RunStatus::Running => ("running", key::STATUS_RUNNING),
        RunStatus::Waiting => ("waiting", key::STATUS_WAITING),
        RunStatus::Done => ("done", key::STATUS_DONE),
        RunStatus::Partial => ("partial", key::STATUS_PARTIAL),
        RunStatus::Failed => ("failed", key::STATUS_FAILED),
        RunStatus::Stopped => ("stopped", key::STATUS_STOPPED),
    }
}

/// Key of what a capability allows, in words that follow "may" and "wants to".
pub fn capability_key(capability: Capability) -> &'static str {
    match capability {
        Capability::Click => "capability.click",
        Capability::Type => "capability.type",
        Capability::Upload => "capability.upload",
        Capability::Navigate => "capability.navigate",
    }
}

/// Capabilities in words.
pub fn capabilities(all: &[Capability]) -> String {
    let mut words: Vec<String> = all.iter().map(|one| t(capability_key(*one))).collect();
    match words.pop() {
        Some(last) if words.is_empty() => last,
        Some(last) => tf(key::LIST_AND, &[("first", &words.join(", ")), ("last", &last)]),
        None => String::new(),
    }
}

/// One line for a step: the result's first line, else the argument that says most.
pub fn step_line(tool: &str, args: &str, summary: &str) -> String {
    let first = summary.lines().map(str::trim).find(|line| !line.is_empty());
    // Reading tools answer with the number of lines they found.
    if let Some(count) = first.and_then(|line| line.parse::<u64>().ok()).filter(|_| reads(tool)) {
        return if count == 1 { t(key::STEP_LINE_ONE) } else { tf(key::STEP_LINES, &[("count", &count.to_string())]) };
    }
    let line = first.map(str::to_owned).or_else(|| main_argument(args)).unwrap_or_default();
    match line.char_indices().nth(HINT_LIMIT) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line,
    }
}

fn reads(tool: &str) -> bool {
    matches!(
        tool,
        "get_accessibility_tree"
            | "read_page"
            | "extract_data"
            | "find_text"
            | "get_interactive_elements"
            | "get_frames"
            | "get_shadow_dom"
            | "shadow_dom_query"
            | "iframe_read"
    )
}

fn main_argument(args: &str) -> Option<String> {
    const TELLING: &[&str] =
        &["url", "text", "value", "keys", "key", "query", "question", "name", "selector", "direction"];
    let Ok(Value::Object(args)) = serde_json::from_str(args) else { return None };
    TELLING.iter().find_map(|name| match args.get(*name) {
        Some(Value::String(text)) if !text.trim().is_empty() => text.lines().next().map(str::to_owned),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    })
}

/// JSON text laid out to be read; anything else as it is.
pub fn pretty(args: &str) -> String {
    serde_json::from_str::<Value>(args)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| args.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_its_result_or_else_its_most_telling_argument() {
        let check =
            |args: &str, summary: &str, expected: &str| assert_eq!(step_line("click_ax", args, summary), expected);
        check(r#"{"ref_id":"ref_3"}"#, "\n Clicked \"Save\" \nmore", "Clicked \"Save\"");
        check(r#"{"url":"https://x.test/","text":"b"}"#, "", "https://x.test/");
        check(r#"{"ref_id":"ref_3"}"#, "", "");
        check("not json", "", "");
        check("{}", &"é".repeat(200), &format!("{}…", "é".repeat(120)));
    }

    #[test]
    fn a_number_of_lines_has_its_unit() {
        let line = |tool: &str, summary: &str| step_line(tool, "{}", summary);
        assert_eq!(line("get_accessibility_tree", "20"), "20 lines");
        assert_eq!(line("find_text", "2"), "2 lines");
        assert_eq!((line("read_page", "1"), line("extract_data", "0")), ("1 line".to_owned(), "0 lines".to_owned()));
        assert_eq!(line("type_ax", "20"), "20");
        assert_eq!(line("read_page", "20 apples"), "20 apples");
    }

    #[test]
    fn only_very_long_messages_are_folded() {
        let long = [&"x".repeat(900), &"x".repeat(901), &"x\n".repeat(14), &"x\n".repeat(15)].map(|text| is_long(text));
        assert_eq!(long, [false, true, false, true]);
    }

    #[test]
    fn a_tool_without_a_label_is_still_named() {
        assert_eq!(tool_label("click_ax", StepStatus::Ok), "Clicked");
        assert_eq!(tool_label("click_ax", StepStatus::Error), "Could not click");
        assert_eq!(tool_label("click_ax", StepStatus::Denied), "Could not click");
        assert_eq!(tool_label("click_ax", StepStatus::Unknown), "Clicking");
        assert_eq!(tool_label("brand_new", StepStatus::Error), "Could not use a tool");
        assert_eq!(tool_label("brand_new", StepStatus::Running), "Using a tool");
    }

    #[test]
    fn arguments_are_laid_out_when_they_are_json() {
        assert_eq!(pretty(r#"{"a":1}"#), "{\n  \"a\": 1\n}");
        assert_eq!(pretty("{oops"), "{oops");
    }
}
