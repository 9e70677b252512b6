//! Messages between the extension's pages, the background and the content script. Source: the contract; reference `engine.md` 18.

use crate::TabId;
use crate::chat::{Chat, Event};
use crate::mode::Mode;
use crate::permission::Decision;
use crate::settings::ProviderConfig;
use crate::text::Msg;
use serde::{Deserialize, Serialize};

/// A message to the background. `{action: "chat_start", tabId, ...}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase", try_from = "Fields")]
pub enum Request {
    /// Starts a detached run.
    ChatStart {
        /// Tab to work in.
        tab_id: TabId,
        /// The user's words.
        text: String,
        /// What the user allows.
        mode: Mode,
        /// Made by the sender; a second start with the same id is answered with the first one's state.
        request_id: String,
    },
    /// Goes on after the step limit.
    Continue {
        /// Tab of the run.
        tab_id: TabId,
        /// Made by the sender.
        request_id: String,
    },
    /// Tries the failed model call of the last run again.
    Retry {
        /// Tab of the run.
        tab_id: TabId,
    },
    /// Stops the run.
    Abort {
        /// Tab of the run.
        tab_id: TabId,
    },
    /// Forgets the tab's conversation; stops a run first.
    ClearConversation {
        /// Tab.
        tab_id: TabId,
    },
    /// Answer to a clarify card.
    ClarifyResponse {
        /// Tab of the run.
        tab_id: TabId,
        /// Card number.
        clarify_id: u64,
        /// The user's words, or the text of the chosen option.
        answer: String,
    },
    /// Answer to a permission card.
    PermissionResponse {
        /// Tab of the run.
        tab_id: TabId,
        /// Card number.
        permission_id: u64,
        /// The choice, an exact name.
        decision: Decision,
    },
    /// Asks for the tab's whole chat; also wakes a worker that the browser stopped.
    AgentRunState {
        /// Tab.
        tab_id: TabId,
    },
    /// Says that a panel has shown everything up to `seq`.
    AgentRunAck {
        /// Tab.
        tab_id: TabId,
        /// Of the run.
        request_id: String,
        /// Last number shown.
        seq: u64,
    },
    /// Sends a minimal request to a provider. `config` overrides what is stored, so that unsaved edits can be tried.
    TestProvider {
        /// Which provider.
        provider_id: String,
        /// Unsaved settings.
        #[serde(skip_serializing_if = "Option::is_none")]
        config: Option<ProviderConfig>,
    },
    /// Asks a provider for its models.
    ListProviderModels {
        /// Which provider.
        provider_id: String,
        /// Unsaved settings.
        #[serde(skip_serializing_if = "Option::is_none")]
        config: Option<ProviderConfig>,
    },
    /// Looks for model servers on this machine at their usual ports.
    DetectLocalServers {},
    /// The Stop button of the page's indicator; the only message that a content script may send.
    PageStop {},
}

/// Every field of every request. Reading one flat record takes a tenth of the code of reading a tagged enum.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    action: String,
    tab_id: Option<TabId>,
    text: Option<String>,
    mode: Option<Mode>,
    #[serde(default)]
    request_id: String,
    clarify_id: Option<u64>,
    answer: Option<String>,
    permission_id: Option<u64>,
    decision: Option<Decision>,
    seq: Option<u64>,
    provider_id: Option<String>,
    config: Option<ProviderConfig>,
}

impl TryFrom<Fields> for Request {
    type Error = String;

    fn try_from(f: Fields) -> Result<Self, String> {
        fn need<T>(value: Option<T>, name: &str) -> Result<T, String> {
            value.ok_or_else(|| format!("missing field {name}"))
        }
        let tab = || need(f.tab_id, "tabId");
        Ok(match f.action.as_str() {
            "chat_start" => Request::ChatStart {
                tab_id: tab()?,
                text: need(f.text, "text")?,
                mode: need(f.mode, "mode")?,
                request_id: f.request_id,
            },
            "continue" => Request::Continue { tab_id: tab()?, request_id: f.request_id },
            "retry" => Request::Retry { tab_id: tab()? },
            "abort" => Request::Abort { tab_id: tab()? },
            "clear_conversation" => Request::ClearConversation { tab_id: tab()? },
            "clarify_response" => Request::ClarifyResponse {
                tab_id: tab()?,
                clarify_id: need(f.clarify_id, "clarifyId")?,
                answer: need(f.answer, "answer")?,
            },
            "permission_response" => Request::PermissionResponse {
                tab_id: tab()?,
                permission_id: need(f.permission_id, "permissionId")?,
                decision: need(f.decision, "decision")?,
            },
            "agent_run_state" => Request::AgentRunState { tab_id: tab()? },
            "agent_run_ack" => {
                Request::AgentRunAck { tab_id: tab()?, request_id: f.request_id, seq: need(f.seq, "seq")? }
            }
            "test_provider" => {
                Request::TestProvider { provider_id: need(f.provider_id, "providerId")?, config: f.config }
            }
            "list_provider_models" => {
                Request::ListProviderModels { provider_id: need(f.provider_id, "providerId")?, config: f.config }
            }
            "detect_local_servers" => Request::DetectLocalServers {},
            "page_stop" => Request::PageStop {},
            other => return Err(format!("unknown action {other}")),
        })
    }
}

impl Request {
    /// Whether a content script may send it.
    pub fn allowed_from_page(&self) -> bool {
        matches!(self, Request::PageStop {})
    }
}

/// The background's answer to a [`Request`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// Whether it was done.
    pub ok: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Msg>,
    /// `agent_run_state`, `chat_start`: the tab's chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<Chat>,
    /// `agent_run_state`: id of the latest request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// `agent_run_state`: why this tab's page cannot be used, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_notice: Option<Msg>,
    /// `list_provider_models`, `test_provider`: model ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<String>>,
    /// `test_provider`: the model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `detect_local_servers`: those that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<LocalServer>>,
}

impl Response {
    /// Done, with nothing to tell.
    pub fn ok() -> Self {
        Response { ok: true, ..Response::default() }
    }

    /// Not done.
    pub fn fail(error: Msg) -> Self {
        Response { error: Some(error), ..Response::default() }
    }
}

/// A model server that answered on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocalServer {
    /// Provider that it is (`ollama`, `lmstudio`, ...).
    pub provider_id: String,
    /// Address to set as `baseUrl`.
    pub base_url: String,
    /// Models that it offers.
    pub models: Vec<String>,
}

/// A message from the background to every extension page: `{action: "agent_update", ...}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// Always [`Update::ACTION`].
    pub action: String,
    /// Tab of the run; pages of other tabs ignore it.
    pub tab_id: TabId,
    /// Request that started the run.
    pub request_id: String,
    /// The run.
    pub run_id: String,
    /// Number of the event; that of the event before it for a delta.
    pub seq: u64,
    /// `type` and `data`.
    #[serde(flatten)]
    pub event: Event,
}

impl Update {
    /// The `action` of every update.
    pub const ACTION: &'static str = "agent_update";
}

/// Who sent a message, as the browser says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Sender {
    /// Extension id.
    pub id: Option<String>,
    /// Address of the sending document.
    pub url: Option<String>,
    /// Tab of a content script or of an extension page in a tab.
    pub tab_id: Option<TabId>,
    /// Frame within the tab.
    pub frame_id: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_the_names_of_the_contract() {
        let text = r#"{"action":"chat_start","tabId":4,"text":"hi","mode":"act","requestId":"r1"}"#;
        let request: Request = serde_json::from_str(text).unwrap();
        assert_eq!(
            request,
            Request::ChatStart { tab_id: 4, text: "hi".into(), mode: Mode::Act, request_id: "r1".into() }
        );
        let text = r#"{"action":"permission_response","tabId":4,"permissionId":2,"decision":"always"}"#;
        assert!(serde_json::from_str::<Request>(text).is_ok());
        for request in [
            Request::Retry { tab_id: 4 },
            Request::AgentRunAck { tab_id: 4, request_id: String::new(), seq: 2 },
            Request::TestProvider { provider_id: "x".into(), config: Some(ProviderConfig::default()) },
            Request::ClarifyResponse { tab_id: 4, clarify_id: 2, answer: "a".into() },
            Request::DetectLocalServers {},
        ] {
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request);
        }
        assert!(serde_json::from_str::<Request>(r#"{"action":"nonsense"}"#).is_err());
    }

    #[test]
    fn an_update_is_flat() {
        let update = Update {
            action: Update::ACTION.into(),
            tab_id: 4,
            request_id: "r".into(),
            run_id: "u".into(),
            seq: 9,
            event: Event::Thinking {},
        };
        let json = serde_json::to_value(&update).unwrap();
        assert_eq!(
            json,
            serde_json::json!({"action":"agent_update","tabId":4,"requestId":"r","runId":"u","seq":9,
            "type":"thinking","data":{}})
        );
        assert_eq!(serde_json::from_value::<Update>(json).unwrap(), update);
    }
}
