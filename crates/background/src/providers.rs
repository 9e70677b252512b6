//! Requests of the settings page: test a provider, list its models, find local servers.

use crate::{model, settings};
use futures::future::join_all;
use webbrain_core::label::Labelled;
use webbrain_core::prompt::{Message, Prompt};
use webbrain_protocol::message::{LocalServer, Response};
use webbrain_protocol::settings::{Dialect, ProviderConfig};
use webbrain_protocol::text::keys;
use webbrain_protocol::{ModelError, Msg};
use webbrain_wire::{HttpRequest, Params, Provider};

/// ms for an answer to a test or a list.
const TIMEOUT_MS: u32 = 30_000;
/// ms for a local server to answer at its usual port.
const PROBE_MS: u32 = 2_500;

/// Sends one short message and says which model answered.
pub(crate) async fn test(id: &str, config: Option<ProviderConfig>) -> Response {
    with_provider(id, config, async |provider| {
        if provider.dialect == Dialect::Commands {
            return Ok(Response::ok());
        }
        let hello = [Message::User { parts: vec![Labelled::program("Hi")] }];
        let prompt = Prompt::assemble(&[], &hello, Vec::new());
        let params = Params { max_tokens: 16, temperature: None, stream: false };
        let request = webbrain_wire::request::chat(provider, &prompt, &params)?;
        let body = model::fetch(provider, &request, TIMEOUT_MS).await?;
        let mut decoder = webbrain_wire::Decoder::new(provider);
        decoder.feed(&body);
        decoder.finish()?;
        let model = model_named_in(&body).unwrap_or_else(|| provider.model.clone());
        Ok(Response { model: Some(model), ..Response::ok() })
    })
    .await
}

/// The ids of the models that the provider's server offers.
pub(crate) async fn list_models(id: &str, config: Option<ProviderConfig>) -> Response {
    with_provider(id, config, async |provider| {
        let request: HttpRequest = webbrain_wire::models::request(provider)?;
        let body = model::fetch(provider, &request, TIMEOUT_MS).await?;
        let models = webbrain_wire::models::parse(provider, &body)?;
        Ok(Response { models: Some(models), ..Response::ok() })
    })
    .await
}

/// The model servers that answer at their usual ports.
pub(crate) async fn detect_local() -> Response {
    let probes = webbrain_wire::probe::local();
    let answers = join_all(probes.iter().map(|probe| async move {
        let request = HttpRequest { method: "GET", url: probe.url.clone(), headers: Vec::new(), body: String::new() };
        let (status, headers, body) = model::fetch_any(&request, PROBE_MS).await.ok()?;
        webbrain_wire::probe::identify(probe, status, &headers, &body)
    }))
    .await;
    let servers = answers.into_iter().flatten();
    let servers = servers
        .map(|s| LocalServer { provider_id: s.provider.to_owned(), base_url: s.base_url, models: s.models })
        .collect();
    Response { servers: Some(servers), ..Response::ok() }
}

async fn with_provider(
    id: &str,
    config: Option<ProviderConfig>,
    work: impl AsyncFnOnce(&Provider) -> Result<Response, ModelError>,
) -> Response {
    match settings::provider(id, config).await {
        Ok(provider) => match work(&provider).await {
            Ok(response) => response,
            Err(error) => Response::fail(webbrain_wire::message::for_user(&error, &provider)),
        },
        Err(ModelError::Config { field, detail }) => {
            Response::fail(Msg::new(keys::ERR_CONFIG).arg("field", field).arg("detail", detail))
        }
        Err(error) => Response::fail(Msg::new(keys::ERR_INTERNAL).arg("detail", error.to_string())),
    }
}

fn model_named_in(body: &[u8]) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    answer["model"].as_str().map(str::to_owned)
}
