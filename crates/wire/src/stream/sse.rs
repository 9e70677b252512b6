//! Server-sent events, byte by byte: any split, CR, LF or CRLF, a byte order mark, comments, a missing space after
//! `data:`, several data lines, and a last event without its blank line.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Value of `event:`; empty when there was none.
    pub name: String,
    /// Data lines, joined by newlines.
    pub data: String,
    /// A bare line of JSON without `data:`: no part of the protocol, but some servers report errors so.
    pub stray: bool,
}

/// The parser's state between two pieces of input.
#[derive(Default)]
pub(crate) struct Sse {
    line: Vec<u8>,
    started: bool,
    after_cr: bool,
    name: String,
    data: Option<String>,
}

impl Sse {
    /// Takes bytes and adds the events that they complete to `out`.
    pub fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<Event>) {
        while !bytes.is_empty() {
            if self.after_cr {
                self.after_cr = false;
                if bytes[0] == b'\n' {
                    bytes = &bytes[1..];
                    continue;
                }
            }
            match bytes.iter().position(|b| matches!(b, b'\n' | b'\r')) {
                Some(end) => {
                    self.push(&bytes[..end]);
                    self.after_cr = bytes[end] == b'\r';
                    bytes = &bytes[end + 1..];
                    self.end_line(out);
                }
                None => {
                    self.push(bytes);
                    return;
                }
            }
        }
    }

    /// The input is over: what is left counts as a last line and a last event.
    pub fn finish(&mut self, out: &mut Vec<Event>) {
        self.end_line(out);
        self.dispatch(out);
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = super::BODY_LIMIT.saturating_sub(self.line.len()).min(bytes.len());
        self.line.extend_from_slice(&bytes[..room]);
    }

    fn end_line(&mut self, out: &mut Vec<Event>) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let mut line: &str = &text;
        if !self.started {
            self.started = true;
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch(out);
        } else if line.starts_with('{') {
            out.push(Event { data: line.to_owned(), stray: true, ..Event::default() });
        } else {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "data" => self.data_line(value, out),
                "event" => {
                    // Servers that leave out the blank line begin the next event here.
                    if self.data.is_some() {
                        self.dispatch(out);
                    }
                    value.clone_into(&mut self.name);
                }
                // `id`, `retry`, comments and anything else.
                _ => {}
            }
        }
        self.line = bytes;
        self.line.clear();
    }

    fn data_line(&mut self, value: &str, out: &mut Vec<Event>) {
        let complete = |data: &str| serde_json::from_str::<serde::de::IgnoredAny>(data).is_ok();
        // Two whole values on neighbouring lines are two events of a server that forgot the blank line between them.
        if self.data.as_deref().is_some_and(|data| value.trim() == "[DONE]" || complete(data)) {
            let name = self.name.clone();
            self.dispatch(out);
            self.name = name;
        }
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    fn dispatch(&mut self, out: &mut Vec<Event>) {
        let name = std::mem::take(&mut self.name);
        if let Some(data) = self.data.take().filter(|data| !data.trim().is_empty()) {
            out.push(Event { name, data, stray: false });
        }
    }
}
