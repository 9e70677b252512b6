//! What the interpreter says, as plain lines and lists. The panel shows answers as Markdown, and much of an answer is the
//! page's text: so every line is escaped here, in one place, and nothing in it can become a link, a heading or anything
//! else. The only Markdown is the lists of this module.

/// An answer: parts with a blank line between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Lines(Vec<String>),
    Numbered(Vec<String>),
    Bullets(Vec<String>),
}

impl Answer {
    /// One line.
    pub fn line(text: impl Into<String>) -> Self {
        Answer::default().then(text)
    }

    /// The same with a paragraph after it.
    pub fn then(self, text: impl Into<String>) -> Self {
        self.lines(vec![text.into()])
    }

    /// The same with lines after it that belong together.
    pub fn lines(self, lines: Vec<String>) -> Self {
        self.with(Part::Lines(lines))
    }

    /// The same with a numbered list after it.
    pub fn numbered(self, entries: Vec<String>) -> Self {
        self.with(Part::Numbered(entries))
    }

    /// The same with a list after it.
    pub fn bullets(self, entries: Vec<String>) -> Self {
        self.with(Part::Bullets(entries))
    }

    /// The same with all of `other` after it.
    pub fn and(mut self, other: Answer) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    fn with(mut self, part: Part) -> Self {
        let (Part::Lines(entries) | Part::Numbered(entries) | Part::Bullets(entries)) = &part;
        if entries.iter().any(|entry| !entry.trim().is_empty()) {
            self.parts.push(part);
        }
        self
    }

    /// As Markdown. A list of one is a plain sentence.
    pub fn markdown(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(Part::markdown).collect();
        parts.join("\n\n")
    }
}

impl Part {
    fn markdown(&self) -> String {
        let (Part::Lines(entries) | Part::Numbered(entries) | Part::Bullets(entries)) = self;
        let entries: Vec<String> = entries.iter().map(|e| inert(e)).filter(|e| !e.is_empty()).collect();
        let mark = |n: usize| match self {
            Part::Numbered(_) if entries.len() > 1 => format!("{}. ", n + 1),
            Part::Bullets(_) if entries.len() > 1 => "- ".to_owned(),
            _ => String::new(),
        };
        entries.iter().enumerate().map(|(n, e)| mark(n) + e).collect::<Vec<_>>().join("\n")
    }
}

/// One line of text so that Markdown shows exactly it: a backslash before whatever would mean something. What means
/// nothing where it stands is left as it is, so that the text reads well where it is not rendered, too.
pub fn inert(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let chars: Vec<char> = text.trim().chars().collect();
    let digits = chars.iter().take_while(|c| c.is_ascii_digit()).count();
    let mut out = String::with_capacity(text.len());
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at)).copied().unwrap_or(' ');
        let after = chars.get(at + 1).copied().unwrap_or(' ');
        let means = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
            // Within a word it is no emphasis.
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => after == '#' || after.is_ascii_alphanumeric(),
            // Heading, list entry, quotation, line under a heading, table.
            '#' | '+' | '-' | '=' | '>' | '|' | ':' => at == 0,
            '.' | ')' => digits > 0 && at == digits,
            _ => false,
        };
        if means {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    /// What the panel shows of an answer, a line each; nothing when it holds anything but paragraphs, lists and text.
    pub fn shown(markdown: &str) -> Result<Vec<String>, String> {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let mut lines = vec![String::new()];
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Text(text) => lines.last_mut().unwrap().push_str(&text),
                Event::SoftBreak
                | Event::Start(Tag::Paragraph | Tag::List(_) | Tag::Item)
                | Event::End(TagEnd::Paragraph | TagEnd::List(_) | TagEnd::Item) => lines.push(String::new()),
                other => return Err(format!("{other:?} in {markdown}")),
            }
        }
        lines.retain(|line| !line.is_empty());
        Ok(lines)
    }

    /// Page text that tries to be Markdown.
    pub fn hostile() -> impl Strategy<Value = String> {
        prop_oneof![
            "(\\[|\\]|\\(|\\)|!|<|>|b|/|https://x\\.test|\\*|_|~|`|#|=|-|\\+|\\||:|&|lt;|#35;|1|\\.|\\\\|\"| |a|é|\\$|\\{|\\}|\\^){0,24}",
            "\\PC{0,40}",
        ]
    }

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&inert(text));
    }

    #[test]
    fn only_what_means_something_is_escaped() {
        check("Sale: 50% off (today) - a+b=c #1 snake_case!", expect!["Sale: 50% off (today) - a+b=c #1 snake_case!"]);
        check("[Win](https://evil.test) ![x](y)", expect![[r"\[Win\](https://evil.test) !\[x\](y)"]]);
        check("<https://evil.test> <b>", expect![[r"\<https://evil.test> \<b>"]]);
        check("**bold** _it_ `code` ~~x~~", expect![[r"\*\*bold\*\* \_it\_ \`code\` \~\~x\~\~"]]);
        check("# Head", expect![[r"\# Head"]]);
        check("  - [ ] task", expect![[r"\- \[ \] task"]]);
        check("2024. A year", expect![[r"2024\. A year"]]);
        check("=====", expect![[r"\====="]]);
        check("AT&T & more &lt;", expect![[r"AT\&T & more \&lt;"]]);
    }

    #[test]
    fn a_list_of_one_is_a_sentence() {
        let row = |answer: Answer, expected: Expect| expected.assert_eq(&answer.markdown());
        row(Answer::default().numbered(vec!["Clicked.".into()]), expect!["Clicked."]);
        row(
            Answer::line("Two:").numbered(vec!["A.".into(), "B.".into()]),
            expect![[r#"
            Two:

            1. A.
            2. B."#]],
        );
        row(Answer::default().bullets(vec!["a".into(), " ".into()]), expect!["a"]);
        assert!(Answer::default().numbered(Vec::new()).is_empty());
    }

    proptest! {
        #[test]
        fn whatever_a_line_holds_it_is_shown_as_it_is(lines in prop::collection::vec(hostile(), 1..6), kind in 0..3) {
            let plain: Vec<String> = lines.iter().map(|l| {
                l.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
            }).filter(|l| !l.is_empty()).collect();
            let answer = match kind {
                0 => Answer::default().lines(lines),
                1 => Answer::default().numbered(lines),
                _ => Answer::default().bullets(lines),
            };
            prop_assert_eq!(shown(&answer.markdown()), Ok(plain));
        }
    }
}
