//! Model calls: request, bytes, deltas, completion. What the bytes mean is `webbrain-wire`'s concern.

use crate::error::words_of;
use crate::{platform, settings};
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, Headers, ReadableStreamDefaultReader, ReferrerPolicy, RequestCredentials, RequestInit,
    RequestRedirect, Response, ResponseType,
};
use webbrain_core::ModelParams;
use webbrain_core::prompt::Prompt;
use webbrain_protocol::model::Delta;
use webbrain_protocol::settings::Dialect;
use webbrain_protocol::text::keys;
use webbrain_protocol::{Completion, ModelError, Msg};
use webbrain_wire::{Decoder, HttpRequest, Params, Provider};

/// Body bytes of an error or a list that are read at most.
const BODY_LIMIT: usize = 4 << 20;

/// A failure and its words for the user.
pub(crate) struct Failure {
    pub(crate) error: ModelError,
    pub(crate) words: Msg,
}

/// Stops a request when dropped or told to.
pub(crate) struct Abort(AbortController);

impl Abort {
    /// `None` when the browser has no such thing, which no supported browser lacks.
    pub(crate) fn new() -> Option<Self> {
        AbortController::new().ok().map(Abort)
    }

    pub(crate) fn abort(&self) {
        self.0.abort();
    }
}

/// Calls the model and hands every piece to `on_delta` as it arrives.
///
/// # Errors
/// A typed error with its words; nothing of the answer is to be used then.
pub(crate) async fn call(
    provider_id: &str,
    prompt: &Prompt,
    params: ModelParams,
    timeout_ms: u32,
    abort: &Abort,
    mut on_delta: impl FnMut(Delta),
) -> Result<Completion, Failure> {
    let provider = match settings::provider(provider_id, None).await {
        Ok(provider) => provider,
        Err(error) => {
            return Err(Failure { words: config_words(&error), error });
        }
    };
    if provider.dialect == Dialect::Commands {
        return Ok(webbrain_wire::commands::reply(prompt));
    }
    let result = stream(&provider, prompt, params, timeout_ms, abort, &mut on_delta).await;
    result.map_err(|error| Failure { words: webbrain_wire::message::for_user(&error, &provider), error })
}

async fn stream(
    provider: &Provider,
    prompt: &Prompt,
    params: ModelParams,
    timeout_ms: u32,
    abort: &Abort,
    on_delta: &mut impl FnMut(Delta),
) -> Result<Completion, ModelError> {
    let params = Params { max_tokens: params.max_tokens, temperature: Some(params.temperature), stream: true };
    let request = webbrain_wire::request::chat(provider, prompt, &params)?;
    let response = send(&request, timeout_ms, Some(abort)).await?;
    if !response.ok() {
        return Err(refusal(provider, &response, timeout_ms).await);
    }
    let mut decoder = Decoder::new(provider);
    let mut body = Body::of(&response)?;
    while let Some(bytes) = body.next(timeout_ms).await? {
        decoder.feed(&bytes).into_iter().for_each(&mut *on_delta);
    }
    let completion = decoder.finish()?;
    Ok(webbrain_wire::recover::completion(completion, provider, prompt.tools()))
}

/// Sends a request and reads the whole answer.
///
/// # Errors
/// Typed, refusals of the server included.
pub(crate) async fn fetch(provider: &Provider, request: &HttpRequest, timeout_ms: u32) -> Result<Vec<u8>, ModelError> {
    let response = send(request, timeout_ms, None).await?;
    if !response.ok() {
        return Err(refusal(provider, &response, timeout_ms).await);
    }
    read_all(&response, timeout_ms).await
}

/// Sends a request, whatever the answer's status: status, headers and body.
///
/// # Errors
/// When there is no answer.
pub(crate) async fn fetch_any(
    request: &HttpRequest,
    timeout_ms: u32,
) -> Result<(u16, Vec<(String, String)>, Vec<u8>), ModelError> {
    let response = send(request, timeout_ms, None).await?;
    let headers = headers_of(&response);
    Ok((response.status(), headers, read_all(&response, timeout_ms).await?))
}

async fn refusal(provider: &Provider, response: &Response, timeout_ms: u32) -> ModelError {
    let headers = headers_of(response);
    let body = read_all(response, timeout_ms).await.unwrap_or_default();
    webbrain_wire::error::from_response(provider, response.status(), &headers, &body, platform::now())
}

async fn send(request: &HttpRequest, timeout_ms: u32, abort: Option<&Abort>) -> Result<Response, ModelError> {
    let unreachable = |value: JsValue| ModelError::Unreachable { detail: words_of(&value) };
    let own;
    let abort = match abort {
        Some(abort) => abort,
        None => {
            own = Abort::new().ok_or(ModelError::Unreachable { detail: String::new() })?;
            &own
        }
    };
    let init = RequestInit::new();
    init.set_method(request.method);
    init.set_credentials(RequestCredentials::Omit);
    init.set_referrer_policy(ReferrerPolicy::NoReferrer);
    // Another server would be given the key and the prompt.
    init.set_redirect(RequestRedirect::Manual);
    init.set_signal(Some(&abort.0.signal()));
    if !request.body.is_empty() {
        init.set_body(&JsValue::from_str(&request.body));
    }
    let headers = Headers::new().map_err(unreachable)?;
    for (name, value) in &request.headers {
        // A key with a character that no header may hold.
        headers.set(name, &value.expose()).map_err(|_| ModelError::Config {
            field: "apiKey".to_owned(),
            detail: "it has a character that cannot be sent".to_owned(),
        })?;
    }
    init.set_headers(&headers);
    let global = js_sys::global();
    let fetch: Function =
        Reflect::get(&global, &JsValue::from_str("fetch")).and_then(|f| f.dyn_into()).map_err(unreachable)?;
    let init: &JsValue = init.as_ref();
    let promise: Promise =
        fetch.call2(&global, &JsValue::from_str(&request.url), init).and_then(|p| p.dyn_into()).map_err(unreachable)?;
    match platform::within(timeout_ms, JsFuture::from(promise)).await {
        Ok(Ok(response)) => {
            let response: Response = response.dyn_into().map_err(unreachable)?;
            if response.type_() == ResponseType::Opaqueredirect { Err(ModelError::Redirected) } else { Ok(response) }
        }
        Ok(Err(error)) => Err(unreachable(error)),
        Err(_) => {
            abort.abort();
            Err(ModelError::Timeout { seconds: timeout_ms / 1_000 })
        }
    }
}

/// The bytes of an answer as they arrive.
struct Body(Option<ReadableStreamDefaultReader>);

impl Body {
    fn of(response: &Response) -> Result<Self, ModelError> {
        let Some(stream) = response.body() else { return Ok(Body(None)) };
        let reader = stream.get_reader().dyn_into().map_err(|_| ModelError::Cut)?;
        Ok(Body(Some(reader)))
    }

    async fn next(&mut self, timeout_ms: u32) -> Result<Option<Vec<u8>>, ModelError> {
        let Some(reader) = &self.0 else { return Ok(None) };
        let chunk = match platform::within(timeout_ms, JsFuture::from(reader.read())).await {
            Ok(Ok(chunk)) => chunk,
            // The connection broke: the decoder decides whether the answer was complete.
            Ok(Err(_)) => return Ok(None),
            Err(_) => {
                // Its outcome is of no interest: the answer is given up.
                let _ = reader.cancel();
                return Err(ModelError::Timeout { seconds: timeout_ms / 1_000 });
            }
        };
        let field = |name: &str| Reflect::get(&chunk, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED);
        if field("done").is_truthy() {
            return Ok(None);
        }
        Ok(field("value").dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec()))
    }
}

async fn read_all(response: &Response, timeout_ms: u32) -> Result<Vec<u8>, ModelError> {
    let mut body = Body::of(response)?;
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next(timeout_ms).await? {
        bytes.extend(chunk);
        if bytes.len() > BODY_LIMIT {
            bytes.truncate(BODY_LIMIT);
            break;
        }
    }
    Ok(bytes)
}

fn headers_of(response: &Response) -> Vec<(String, String)> {
    let headers = response.headers();
    let names = ["retry-after", "retry-after-ms", "content-type", "server"];
    names.iter().filter_map(|n| Some(((*n).to_owned(), headers.get(n).ok()??))).collect()
}

fn config_words(error: &ModelError) -> Msg {
    match error {
        ModelError::Config { field, detail } => {
            Msg::new(keys::ERR_CONFIG).arg("field", field.as_str()).arg("detail", detail.as_str())
        }
        other => Msg::new(keys::ERR_INTERNAL).arg("detail", other.to_string()),
    }
}
