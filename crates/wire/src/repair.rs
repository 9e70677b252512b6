//! JSON as small models write it, read leniently: trailing commas, single quotes, bare keys, Python's words, raw line
//! breaks in strings, fences and special tokens around it. What was cut off is never completed: half a value is a wrong
//! value.

use serde_json::{Map, Number, Value};

/// Nesting at most.
const DEPTH: u32 = 64;

/// The object that `text` means, or nothing when that is not certain.
pub fn object(text: &str) -> Option<Value> {
    let text = strip_fence(text.trim());
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    (value.is_object() && is_noise(reader.rest)).then_some(value)
}

/// Like [`object`], but an array is welcome too.
pub fn value(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: strip_fence(text.trim()) };
    let value = reader.value(0)?;
    ((value.is_object() || value.is_array()) && is_noise(reader.rest)).then_some(value)
}

/// The inside of a Markdown code fence that is the whole text; the text itself when it is none.
pub fn strip_fence(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|t| t.trim_end().strip_suffix("```"));
    match inner.and_then(|t| t.split_once('\n')) {
        // The rest of the first line is the language.
        Some((language, body)) if !language.contains('{') => body.trim(),
        _ => inner.map_or(text, str::trim),
    }
}

/// What may follow a whole value: special tokens, closing tags, commas, a brace too many.
fn is_noise(text: &str) -> bool {
    const NOISE: &[char] = &[',', ';', '}', ']', '`', ' ', '\n', '\r', '\t'];
    let mut rest = text.trim_start_matches(NOISE);
    while let Some(tag) = rest.strip_prefix('<') {
        if !tag.starts_with(['|', '/']) {
            return false;
        }
        let Some((name, after)) = tag.split_once('>') else { return false };
        if name.contains(['{', '<']) {
            return false;
        }
        rest = after.trim_start_matches(NOISE);
    }
    rest.is_empty()
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, c: char) -> bool {
        self.space();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        self.space();
        match self.rest.chars().next()? {
            '{' => self.map(depth),
            '[' => self.list(depth),
            '"' | '\'' | '“' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn map(&mut self, depth: u32) -> Option<Value> {
        self.take('{');
        let mut map = Map::new();
        loop {
            if self.take('}') {
                return Some(Value::Object(map));
            }
            let key = match self.rest.chars().next()? {
                '"' | '\'' | '“' => self.string()?,
                _ => self.key()?,
            };
            if !self.take(':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            map.insert(key, value);
            if !self.take(',') {
                return self.take('}').then_some(Value::Object(map));
            }
        }
    }

    fn list(&mut self, depth: u32) -> Option<Value> {
        self.take('[');
        let mut list = Vec::new();
        loop {
            if self.take(']') {
                return Some(Value::Array(list));
            }
            list.push(self.value(depth + 1)?);
            if !self.take(',') {
                return self.take(']').then_some(Value::Array(list));
            }
        }
    }

    fn key(&mut self) -> Option<String> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$')))?;
        let (key, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!key.is_empty()).then(|| key.to_owned())
    }

    fn string(&mut self) -> Option<String> {
        let open = self.rest.chars().next()?;
        let close = if open == '“' { '”' } else { open };
        let mut out = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            if c == close {
                self.rest = &self.rest[at + c.len_utf8()..];
                return Some(out);
            }
            if c != '\\' {
                out.push(c);
                continue;
            }
            match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'b' => out.push('\u{8}'),
                'f' => out.push('\u{c}'),
                'u' => {
                    let mut unit = || (0..4).try_fold(0, |n, _| Some(n * 16 + chars.next()?.1.to_digit(16)?));
                    let first = unit()?;
                    // A pair of surrogates is one character.
                    let code = if (0xd800..0xdc00).contains(&first) {
                        let both = (chars.next()?.1, chars.next()?.1);
                        let mut unit = || (0..4).try_fold(0, |n, _| Some(n * 16 + chars.next()?.1.to_digit(16)?));
                        let second = unit()?;
                        if both != ('\\', 'u') || !(0xdc00..0xe000).contains(&second) {
                            return None;
                        }
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    } else {
                        first
                    };
                    out.push(char::from_u32(code)?);
                }
                other => out.push(other),
            }
        }
        None
    }

    fn word(&mut self) -> Option<Value> {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let value = match word {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" | "undefined" => Value::Null,
            _ => Value::Number(word.parse::<Number>().ok()?),
        };
        self.rest = rest;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_small_models_write_is_read() {
        for (text, expected) in [
            (r#"{"a":1,}"#, r#"{"a":1}"#),
            ("{'a': 'it\\'s', b: True}", r#"{"a":"it's","b":true}"#),
            ("```json\n{\"a\":[1,2,],}\n```", r#"{"a":[1,2]}"#),
            ("```\n{\"a\":null}\n```", r#"{"a":null}"#),
            (r#"{"dy":5}<|im_end|>"#, r#"{"dy":5}"#),
            (r#"{"dy":5}</tool_call>,"#, r#"{"dy":5}"#),
            (r#"{"a":{"b":1}}}"#, r#"{"a":{"b":1}}"#),
            ("{\"a\":\"two\nlines\"}", r#"{"a":"two\nlines"}"#),
            (r#"{"a":"\ud83d\ude00"}"#, r#"{"a":"😀"}"#),
        ] {
            assert_eq!(object(text).map(|v| v.to_string()).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_certain_is_refused() {
        for text in
            ["", "{", r#"{"a":"cut"#, r#"{"a":1"#, r#"{"a":1} {"b":2}"#, r#"{"a":1} and then"#, "[1]", r#"{"a":}"#]
        {
            assert_eq!(object(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_never_panics_and_agrees_with_strict_json(text in "[\\[\\]{}\"':,a1 \\\\n`-]{0,30}") {
            let lenient = value(&text);
            if let Ok(strict) = serde_json::from_str::<Value>(&text) && (strict.is_object() || strict.is_array()) {
                prop_assert_eq!(lenient, Some(strict));
            }
        }
    }
}
