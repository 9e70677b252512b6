//! Messages of the extension's pages and content scripts. Every sender is checked.

use crate::{app, host, page, platform, providers, settings};
use webbrain_core::{Input, Now, Run};
use webbrain_protocol::json;
use webbrain_protocol::message::{Request, Response, Sender};
use webbrain_protocol::text::keys;
use webbrain_protocol::{Mode, Msg, TabId};

/// Answers a request as JSON.
pub(crate) async fn on_message(message: &str, sender: &str) -> String {
    let response = match (json::from_str::<Request>(message), json::from_str::<Sender>(sender)) {
        (Ok(request), Ok(sender)) if allowed(&request, &sender) => answer(request, sender).await,
        (Ok(_), _) => internal("this sender may not ask that"),
        (Err(error), _) => internal(&format!("unknown message: {error}")),
    };
    serde_json::to_string(&response).unwrap_or_default()
}

fn internal(detail: &str) -> Response {
    Response::fail(Msg::new(keys::ERR_INTERNAL).arg("detail", detail))
}

/// Pages of this extension may ask everything, its content scripts only to stop the run of their own tab.
fn allowed(request: &Request, sender: &Sender) -> bool {
    let own = sender.id.as_deref() == Some(host::extension_id().as_str());
    let from_page = sender.url.as_deref().is_none_or(|url| !url.starts_with(&host::extension_url("")));
    own && (!from_page || (request.allowed_from_page() && sender.tab_id.is_some()))
}

async fn answer(request: Request, sender: Sender) -> Response {
    match request {
        Request::ChatStart { tab_id, text, mode, request_id } => start(tab_id, text, mode, request_id).await,
        Request::Continue { tab_id, .. } => resume(tab_id, |now| Input::Continued { now }).await,
        Request::Retry { tab_id } => resume(tab_id, |now| Input::Retried { now }).await,
        Request::Abort { tab_id } => feed(tab_id, Input::Abort {}).await,
        Request::ClearConversation { tab_id } => feed(tab_id, Input::Clear {}).await,
        Request::ClarifyResponse { tab_id, clarify_id, answer } => {
            feed(tab_id, Input::Clarified { id: clarify_id, answer }).await
        }
        Request::PermissionResponse { tab_id, permission_id, decision } => {
            let page = page::place(tab_id).await.unwrap_or_default();
            feed(tab_id, Input::PermissionAnswered { id: permission_id, decision, page }).await
        }
        Request::AgentRunState { tab_id } => state(tab_id).await,
        Request::AgentRunAck { .. } => Response::ok(),
        Request::TestProvider { provider_id, config } => providers::test(&provider_id, config).await,
        Request::ListProviderModels { provider_id, config } => providers::list_models(&provider_id, config).await,
        Request::DetectLocalServers {} => providers::detect_local().await,
        Request::PageStop {} => match sender.tab_id {
            Some(tab) => {
                let response = feed(tab, Input::Abort {}).await;
                // Whatever the run is doing: who pressed Stop wants the indicator gone.
                app::actor(tab).release().await;
                response
            }
            None => internal("no tab"),
        },
    }
}

async fn start(tab: TabId, text: String, mode: Mode, request_id: String) -> Response {
    let actor = app::actor(tab);
    if actor.with(|run| run.request_id() == request_id) && !request_id.is_empty() {
        return state(tab).await;
    }
    if !actor.with(Run::can_start) {
        return Response::fail(Msg::new(keys::ERR_BUSY));
    }
    let Some(page) = page::place(tab).await else {
        return Response::fail(Msg::new(keys::ERR_TAB_CLOSED));
    };
    let loaded = match settings::load().await {
        Ok(loaded) => loaded,
        Err(error) => return internal(&error.to_string()),
    };
    let clock = platform::local_time();
    let (corrupt, now) = (loaded.corrupt.join(", "), loaded.at(page));
    let id = request_id.clone();
    actor.feed_and_settle(Input::Start { text, mode, request_id, now, clock }).await;
    if actor.with(|run| run.request_id() != id) {
        // Another message was first while the settings were read.
        return Response::fail(Msg::new(keys::ERR_BUSY));
    }
    if !corrupt.is_empty() {
        let message = Msg::new(keys::NOTICE_SETTINGS).arg("records", corrupt);
        actor.feed(Input::Notice { message });
    }
    state(tab).await
}

async fn resume(tab: TabId, input: fn(Now) -> Input) -> Response {
    match settings::load().await {
        Ok(loaded) => feed(tab, input(loaded.at(page::place(tab).await.unwrap_or_default()))).await,
        Err(error) => internal(&error.to_string()),
    }
}

async fn feed(tab: TabId, input: Input) -> Response {
    app::actor(tab).feed_and_settle(input).await;
    Response::ok()
}

async fn state(tab: TabId) -> Response {
    let actor = app::actor(tab);
    let url = page::place(tab).await.map(|p| p.url);
    let page_notice = url.as_deref().filter(|u| !u.is_empty()).and_then(page::protected);
    actor.with(|run| Response {
        chat: Some(run.chat().clone()),
        request_id: Some(run.request_id().to_owned()),
        page_notice,
        ..Response::ok()
    })
}
