//! A request to the model, read the same way whatever its dialect.

use serde_json::Value;

/// Which protocol a request spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI chat completions.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
}

/// A tool call in the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Id.
    pub id: String,
    /// Tool.
    pub name: String,
    /// Arguments, JSON text.
    pub arguments: String,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`, in both dialects.
    pub role: String,
    /// Its text.
    pub text: String,
    /// Calls of an assistant message.
    pub calls: Vec<Call>,
    /// The call that a tool message answers.
    pub call_id: Option<String>,
}

/// A request.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    /// Dialect.
    pub dialect: Dialect,
    /// Path.
    pub path: String,
    /// Headers, lower-case names.
    pub headers: Vec<(String, String)>,
    /// Body as it came.
    pub body: Value,
    /// Model asked for.
    pub model: String,
    /// Whether the answer is to be streamed.
    pub stream: bool,
    /// Messages; the system text first.
    pub messages: Vec<Message>,
    /// Names of the tools offered.
    pub tools: Vec<String>,
}

impl ModelRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// What the body lacks, as text.
    pub fn parse(dialect: Dialect, path: &str, headers: Vec<(String, String)>, body: Value) -> Result<Self, String> {
        let list = body["messages"].as_array().ok_or("the body has no list of messages")?;
        let messages = match dialect {
            Dialect::OpenAi => list.iter().map(open_ai_message).collect(),
            Dialect::Anthropic => anthropic_messages(&body["system"], list),
        };
        let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
        let tool_name = |t: &Value| match dialect {
            Dialect::OpenAi => t["function"]["name"].as_str().map(str::to_owned),
            Dialect::Anthropic => t["name"].as_str().map(str::to_owned),
        };
        Ok(ModelRequest {
            dialect,
            path: path.to_owned(),
            headers,
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            stream: body["stream"].as_bool().unwrap_or(false),
            messages,
            tools: tools.iter().filter_map(tool_name).collect(),
            body,
        })
    }

    /// Text of the last message.
    pub fn last_text(&self) -> &str {
        self.messages.last().map_or("", |m| &m.text)
    }

    /// Text of the last tool result.
    pub fn last_result(&self) -> &str {
        self.messages.iter().rev().find(|m| m.role == "tool").map_or("", |m| &m.text)
    }

    /// Tool whose result the last message is.
    pub fn last_result_tool(&self) -> Option<&str> {
        let id = self.messages.last().filter(|m| m.role == "tool")?.call_id.as_deref()?;
        self.calls().find(|c| c.id == id).map(|c| c.name.as_str())
    }

    /// Every tool call in the conversation.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &Call> {
        self.messages.iter().flat_map(|m| &m.calls)
    }

    /// Texts of every tool result, oldest first.
    pub fn results(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.messages.iter().filter(|m| m.role == "tool").map(|m| m.text.as_str())
    }

    /// The newest ref shown for an element with one of these roles and this name.
    ///
    /// # Errors
    /// A message with the end of the conversation, for the test's report.
    pub fn need_ref(&self, roles: &[&str], name: &str) -> Result<String, String> {
        let newest = self.messages.iter().rev().filter(|m| m.role != "assistant" && m.role != "system");
        newest.flat_map(|m| roles.iter().filter_map(|role| find_ref(&m.text, role, name))).next().ok_or_else(|| {
            format!("no {} {name:?} in the conversation; the last message is:\n{}", roles.join("/"), self.last_text())
        })
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// The first ref in a tree text (or in a list of changes) for `role "name"`. Lines that tell of something removed do not count.
pub fn find_ref(tree: &str, role: &str, name: &str) -> Option<String> {
    let head = format!("{role} \"{name}\" [ref_");
    tree.lines().filter(|l| !l.trim_start().starts_with('-')).find_map(|line| {
        let at = line.find(&head)?;
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '"') {
            return None;
        }
        let number: String = line[at + head.len()..].chars().take_while(char::is_ascii_digit).collect();
        (!number.is_empty()).then(|| format!("ref_{number}"))
    })
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn open_ai_message(message: &Value) -> Message {
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text_at = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Message {
        role: text_at(&message["role"]),
        text: text_of(&message["content"]),
        calls: calls
            .iter()
            .map(|c| Call {
                id: text_at(&c["id"]),
                name: text_at(&c["function"]["name"]),
                arguments: text_at(&c["function"]["arguments"]),
            })
            .collect(),
        call_id: message["tool_call_id"].as_str().map(str::to_owned),
    }
}

fn anthropic_messages(system: &Value, list: &[Value]) -> Vec<Message> {
    let plain = |role: &str, text: String| Message { role: role.into(), text, calls: Vec::new(), call_id: None };
    let mut messages = vec![plain("system", text_of(system))];
    for message in list {
        let role = message["role"].as_str().unwrap_or_default();
        let Some(blocks) = message["content"].as_array() else {
            messages.push(plain(role, text_of(&message["content"])));
            continue;
        };
        let text_at = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut whole = plain(role, String::new());
        for block in blocks {
            match block["type"].as_str() {
                Some("text") => whole.text.push_str(block["text"].as_str().unwrap_or_default()),
                Some("tool_use") => whole.calls.push(Call {
                    id: text_at(&block["id"]),
                    name: text_at(&block["name"]),
                    arguments: block["input"].to_string(),
                }),
                Some("tool_result") => messages.push(Message {
                    call_id: block["tool_use_id"].as_str().map(str::to_owned),
                    ..plain("tool", text_of(&block["content"]))
                }),
                _ => {}
            }
        }
        if !whole.text.is_empty() || !whole.calls.is_empty() {
            messages.push(whole);
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_ref_is_found_by_role_and_exact_name() {
        let tree = "dialog \"Add a product\" [ref_166]\n textbox \"Name\" [ref_170] value=\"x\"\n+ button \"Save\" [ref_9]\n- button \"Old\" [ref_8]\n";
        let found = |role, name| find_ref(tree, role, name);
        assert_eq!(found("textbox", "Name").as_deref(), Some("ref_170"));
        assert_eq!(found("button", "Save").as_deref(), Some("ref_9"));
        assert_eq!(found("button", "Old"), None);
        assert_eq!(found("box", "Name"), None);
        assert_eq!(found("textbox", "Nam"), None);
    }

    #[test]
    fn both_dialects_read_alike() {
        let open_ai = json!({"model": "m", "stream": true, "messages": [
            {"role": "system", "content": "S"}, {"role": "user", "content": "U"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "scroll", "arguments": "{\"a\":1}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "R"}],
            "tools": [{"type": "function", "function": {"name": "scroll"}}]});
        let anthropic = json!({"model": "m", "stream": true, "system": "S", "messages": [
            {"role": "user", "content": [{"type": "text", "text": "U"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "scroll", "input": {"a": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "R"}]}],
            "tools": [{"name": "scroll"}]});
        let a = ModelRequest::parse(Dialect::OpenAi, "/", Vec::new(), open_ai).unwrap();
        let b = ModelRequest::parse(Dialect::Anthropic, "/", Vec::new(), anthropic).unwrap();
        assert_eq!(a.messages, b.messages);
        assert_eq!(a.tools, b.tools);
        assert_eq!(a.last_result_tool(), Some("scroll"));
        assert_eq!((a.last_text(), a.messages.len()), ("R", 4));
    }
}
