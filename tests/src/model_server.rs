//! A model server that plays a script: OpenAI chat completions and Anthropic messages at the same address.
//!
//! Every request takes the next [`Turn`]. What a turn expects and does not get is collected, and so is a request that
//! the script has no turn for; [`ModelServer::finish`] turns all of it into the test's failure.

use crate::Answer;
use crate::encode::{self, Write};
use crate::model_request::{Dialect, ModelRequest};
use crate::script::{Action, Split, Turn};
use crate::wait::{Seen, until};
use crate::{Error, Result};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response, StatusCode};
use axum::response::IntoResponse;
use futures::StreamExt;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

/// A request that came, and what became of it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The request.
    pub request: ModelRequest,
    /// When it came.
    pub at: Instant,
    /// Whether the client closed the connection before the answer was complete.
    pub abandoned: bool,
    /// Whether the answer went out to its end.
    pub answered: bool,
}

/// A request to another path than those of a model call (`/v1/models`, or a mistake).
#[derive(Clone, Debug)]
pub struct Other {
    /// Method and path.
    pub line: String,
    /// Headers.
    pub headers: Vec<(String, String)>,
}

/// A request that came while no turn was left, for a test that answers as it goes.
pub struct Pending {
    /// The request.
    pub request: ModelRequest,
    /// Where its answer is put.
    pub reply: oneshot::Sender<Answer>,
}

#[derive(Default)]
struct Shared {
    turns: VecDeque<Turn>,
    requests: Vec<Recorded>,
    others: Vec<Other>,
    failures: Vec<String>,
    key: Option<String>,
    live: Option<mpsc::UnboundedSender<Pending>>,
}

type Store = Arc<Mutex<Shared>>;

/// The server; it stops when dropped.
pub struct ModelServer {
    address: SocketAddr,
    shared: Store,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ModelServer {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start(script: Vec<Turn>) -> Result<Self> {
        Self::serve(TcpListener::bind("127.0.0.1:0").await?, script)
    }

    /// Starts on this port, for a server that comes up later.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn start_on(port: u16, script: Vec<Turn>) -> Result<Self> {
        Self::serve(TcpListener::bind(("127.0.0.1", port)).await?, script)
    }

    /// A port on which nothing listens now.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn unused_port() -> Result<u16> {
        Ok(TcpListener::bind("127.0.0.1:0").await?.local_addr()?.port())
    }

    fn serve(listener: TcpListener, script: Vec<Turn>) -> Result<Self> {
        let address = listener.local_addr()?;
        let shared: Store = Arc::new(Mutex::new(Shared { turns: script.into(), ..Shared::default() }));
        let router = Router::new().fallback(answer).with_state(shared.clone());
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
            // Small writes must leave at once: they are the point. Without this the test is weaker, not wrong.
            let _ = stream.set_nodelay(true);
        });
        let task = tokio::spawn(async move {
            // `serve` ends only with its task.
            let _ = axum::serve(listener, router).await;
        });
        Ok(ModelServer { address, shared, task })
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    /// `http://127.0.0.1:PORT`: the `baseUrl` of Anthropic's dialect.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// `http://127.0.0.1:PORT/v1`: the `baseUrl` of OpenAI's dialect.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// From now on any other key is answered with 401.
    pub fn require_key(&self, key: &str) {
        self.lock().key = Some(key.to_owned());
    }

    /// Adds turns at the end of the script.
    pub fn add(&self, turns: impl IntoIterator<Item = Turn>) {
        self.lock().turns.extend(turns);
    }

    /// From now on a request that finds no turn is handed to the test, which answers it.
    pub fn live(&self) -> mpsc::UnboundedReceiver<Pending> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.lock().live = Some(sender);
        receiver
    }

    /// Every model request so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.lock().requests.clone()
    }

    /// Every other request so far.
    pub fn others(&self) -> Vec<Other> {
        self.lock().others.clone()
    }

    /// Waits for model request number `n`, from 1.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_request(&self, n: usize) -> Result<Recorded> {
        let what = format!("model request {n}");
        until(&what, async || {
            let requests = self.lock();
            Ok(match requests.requests.get(n - 1) {
                Some(found) => Seen::Ready(found.clone()),
                None => Seen::NotYet(format!("{} requests", requests.requests.len())),
            })
        })
        .await
    }

    /// Waits until the client has closed the connection of request `n` before its answer was complete.
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn wait_abandoned(&self, n: usize) -> Result<()> {
        let what = format!("the client to close model request {n}");
        until(&what, async || {
            let state = self.lock().requests.get(n - 1).map(|r| (r.abandoned, r.answered));
            Ok(match state {
                Some((true, _)) => Seen::Ready(()),
                other => Seen::NotYet(format!("(abandoned, answered) = {other:?}")),
            })
        })
        .await
    }

    /// The test's verdict: unmet expectations, requests without a turn, turns without a request.
    ///
    /// # Errors
    /// [`Error::Script`] with all of them.
    pub fn finish(&self) -> Result<()> {
        let shared = self.lock();
        let mut problems = shared.failures.clone();
        if !shared.turns.is_empty() {
            problems.push(format!("{} turns of the script were not played", shared.turns.len()));
        }
        if problems.is_empty() { Ok(()) } else { Err(Error::Script(problems.join("\n"))) }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    // A panic while holding it leaves plain data behind, which is still true.
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn header_list(headers: &HeaderMap) -> Vec<(String, String)> {
    headers.iter().map(|(n, v)| (n.to_string(), String::from_utf8_lossy(v.as_bytes()).into_owned())).collect()
}

fn json_answer(status: StatusCode, body: &Value) -> Response<Body> {
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}

fn error_body(message: &str, kind: &str) -> Value {
    json!({"type": "error", "error": {"message": message, "type": kind}})
}

async fn answer(State(shared): State<Store>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let headers = header_list(&parts.headers);
    let path = parts.uri.path().to_owned();
    let dialect = match (parts.method.as_str(), path.as_str()) {
        ("POST", "/v1/chat/completions") => Dialect::OpenAi,
        ("POST", "/v1/messages") => Dialect::Anthropic,
        (method, _) => return other(&shared, format!("{method} {path}"), headers),
    };
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let parsed = serde_json::from_slice(&bytes)
        .map_err(|e| format!("the body is not JSON: {e}"))
        .and_then(|body| ModelRequest::parse(dialect, &path, headers, body));
    match parsed {
        Ok(request) => play(&shared, request).await,
        Err(problem) => fail(&shared, problem),
    }
}

fn fail(shared: &Store, problem: String) -> Response<Body> {
    let body = error_body(&problem, "invalid_request_error");
    lock(shared).failures.push(problem);
    json_answer(StatusCode::BAD_REQUEST, &body)
}

fn other(shared: &Store, line: String, headers: Vec<(String, String)>) -> Response<Body> {
    let mut state = lock(shared);
    let refused = state.key.as_deref().is_some_and(|key| !has_key(&headers, key));
    state.others.push(Other { line: line.clone(), headers });
    match line.as_str() {
        "GET /v1/models" if refused => unauthorised(),
        "GET /v1/models" => {
            let model = json!({"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted"});
            json_answer(StatusCode::OK, &json!({"object": "list", "data": [model], "has_more": false}))
        }
        // Looking for local servers and for variants of the base address is allowed; it just finds nothing.
        line => json_answer(StatusCode::NOT_FOUND, &error_body(&format!("nothing at {line}"), "not_found_error")),
    }
}

fn unauthorised() -> Response<Body> {
    json_answer(StatusCode::UNAUTHORIZED, &error_body("Incorrect API key provided.", "authentication_error"))
}

fn has_key(headers: &[(String, String)], key: &str) -> bool {
    let bearer = format!("Bearer {key}");
    headers.iter().any(|(n, v)| (n == "authorization" && *v == bearer) || (n == "x-api-key" && v == key))
}

async fn play(shared: &Store, request: ModelRequest) -> Response<Body> {
    let (index, turn, live) = {
        let mut state = lock(shared);
        let refused = state.key.as_deref().is_some_and(|key| !has_key(&request.headers, key));
        state.requests.push(Recorded {
            request: request.clone(),
            at: Instant::now(),
            abandoned: false,
            answered: false,
        });
        if refused {
            return unauthorised();
        }
        (state.requests.len() - 1, state.turns.pop_front(), state.live.clone())
    };
    let turn = match (turn, live) {
        (None, Some(live)) => match improvised(&live, &request).await {
            Some(turn) => Some(turn),
            // The test has seen enough: no fault of the client's.
            None => return json_answer(StatusCode::SERVICE_UNAVAILABLE, &error_body("the test is over", "api_error")),
        },
        (turn, _) => turn,
    };
    let Some(turn) = turn else {
        return fail(
            shared,
            format!("request {}: the script has no turn left; it ends with:\n{}", index + 1, request.last_text()),
        );
    };
    for (what, test) in &turn.expectations {
        if !test(&request) {
            let problem = format!(
                "request {}: not so: {what}; tools {:?}; it ends with:\n{}",
                index + 1,
                request.tools,
                request.last_text()
            );
            lock(shared).failures.push(problem);
        }
    }
    // From here on a client that goes away is noticed.
    let watch = Watch { shared: shared.clone(), index, done: false };
    if let Some(gate) = &turn.before {
        gate.pass().await;
    }
    match turn.action {
        Action::Never => {
            let _kept = watch;
            std::future::pending().await
        }
        Action::Plain(plain) => {
            watch.complete();
            let mut response = Response::builder().status(plain.status);
            for (name, value) in &plain.headers {
                response = response.header(name, value);
            }
            response.body(Body::from(plain.body)).unwrap_or_default()
        }
        Action::Model(make) => match make(&request) {
            Err(problem) => fail(shared, format!("request {}: {problem}", index + 1)),
            Ok(answer) if request.stream => {
                let writes = encode::stream(request.dialect, &request.model, &answer, turn.split);
                let body = Body::from_stream(body_of(writes, turn.split, watch));
                ([("content-type", "text/event-stream"), ("cache-control", "no-cache")], body).into_response()
            }
            Ok(answer) => {
                watch.complete();
                json_answer(StatusCode::OK, &encode::whole(request.dialect, &request.model, &answer))
            }
        },
    }
}

/// The test's own answer; none when the test has ended.
async fn improvised(live: &mpsc::UnboundedSender<Pending>, request: &ModelRequest) -> Option<Turn> {
    let (reply, answer) = oneshot::channel();
    live.send(Pending { request: request.clone(), reply }).ok()?;
    Some(Turn::answer(answer.await.ok()?))
}

/// Notes how an answer ended: complete, or dropped by the client.
struct Watch {
    shared: Store,
    index: usize,
    done: bool,
}

impl Watch {
    fn complete(mut self) {
        self.done = true;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(recorded) = lock(&self.shared).requests.get_mut(self.index) {
            if self.done { recorded.answered = true } else { recorded.abandoned = true }
        }
    }
}

fn body_of(writes: Vec<Write>, split: Split, watch: Watch) -> impl futures::Stream<Item = std::io::Result<Bytes>> {
    let pause = !matches!(split, Split::Events);
    let state = (VecDeque::from(writes), Some(watch));
    futures::stream::unfold(state, move |(mut writes, mut watch)| async move {
        loop {
            match writes.pop_front() {
                Some(Write::Bytes(bytes)) => {
                    if pause {
                        // So that the parts leave as separate packets.
                        tokio::time::sleep(Duration::from_micros(300)).await;
                    }
                    return Some((Ok(Bytes::from(bytes)), (writes, watch)));
                }
                Some(Write::Stall(gate)) => gate.pass().await,
                Some(Write::Sleep(time)) => tokio::time::sleep(time).await,
                Some(Write::Cut) => {
                    // What was written before leaves first: hyper sends when the body has nothing ready.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    if let Some(watch) = watch.take() {
                        watch.complete();
                    }
                    return Some((Err(std::io::Error::other("cut by the script")), (VecDeque::new(), None)));
                }
                None => {
                    watch.take()?.complete();
                    return None;
                }
            }
        }
    })
    .fuse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gate;
    use crate::answer::Piece;
    use crate::http_client::{get, post};

    fn ask(text: &str) -> Value {
        json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": text}],
            "tools": [{"type": "function", "function": {"name": "scroll"}}]})
    }

    async fn completion(server: &ModelServer, text: &str) -> crate::http_client::Answer {
        post(server.port(), "/v1/chat/completions", &[("authorization", "Bearer k")], &ask(text)).await
    }

    #[tokio::test]
    async fn a_script_is_played_and_recorded() {
        let script = vec![
            Turn::text("Hello").expect_last("one").expect_tool("scroll").expect_no_tool("click_ax"),
            Turn::with(|r| Ok(Answer::call("scroll", json!({"said": r.last_text()})))),
        ];
        let server = ModelServer::start(script).await.unwrap();
        let first = completion(&server, "one").await;
        assert_eq!(first.status, 200);
        assert!(first.body.contains("Hello") && first.body.ends_with("data: [DONE]\n\n"), "{}", first.body);
        let second = completion(&server, "two").await;
        assert!(second.body.contains("\"name\":\"scroll\"") && second.body.contains("tool_calls"), "{}", second.body);
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[1].request.header("authorization"), Some("Bearer k"));
        assert!(requests.iter().all(|r| r.answered && !r.abandoned));
        server.finish().unwrap();
    }

    #[tokio::test]
    async fn unmet_expectations_and_left_turns_fail_at_the_end() {
        let server = ModelServer::start(vec![Turn::text("a").expect_tool("click_ax"), Turn::text("b")]).await.unwrap();
        completion(&server, "x").await;
        let problem = server.finish().unwrap_err().to_string();
        assert!(problem.contains("not so: click_ax is offered") && problem.contains("1 turns"), "{problem}");
    }

    #[tokio::test]
    async fn an_exhausted_script_says_so() {
        let server = ModelServer::start(Vec::new()).await.unwrap();
        let answer = completion(&server, "x").await;
        assert_eq!(answer.status, 400);
        assert!(answer.body.contains("no turn left"), "{}", answer.body);
        assert!(server.finish().is_err());
    }

    #[tokio::test]
    async fn without_a_turn_a_live_test_answers() {
        let server = ModelServer::start(vec![Turn::text("Hi")]).await.unwrap();
        let mut inbox = server.live();
        assert!(completion(&server, "one").await.body.contains("Hi"));
        let answering = async {
            let pending = inbox.recv().await.unwrap();
            assert_eq!(pending.request.last_text(), "two");
            pending.reply.send(Answer::text("Ho")).unwrap();
        };
        let (answer, ()) = futures::join!(completion(&server, "two"), answering);
        assert!(answer.body.contains("Ho"), "{}", answer.body);
        drop(inbox);
        assert_eq!(completion(&server, "three").await.status, 503);
        server.finish().unwrap();
    }

    #[tokio::test]
    async fn misbehaviour_is_what_the_turn_says() {
        let script = vec![
            Turn::rate_limited(3),
            Turn::status(500, json!({"error": {"message": "boom"}})),
            Turn::html(),
            Turn::cut_after("Hel"),
            Turn::answer(Answer::text("Hel").then(Piece::Error("overloaded".into()))),
            Turn::text("Größe").split(Split::EveryByte),
        ];
        let server = ModelServer::start(script).await.unwrap();
        let limited = completion(&server, "x").await;
        assert_eq!((limited.status, limited.header("retry-after")), (429, Some("3")));
        assert_eq!(completion(&server, "x").await.status, 500);
        assert!(completion(&server, "x").await.body.starts_with("<!doctype"));
        let cut = completion(&server, "x").await;
        assert!(!cut.complete && cut.body.contains("Hel"), "{cut:?}");
        let failed = completion(&server, "x").await;
        assert!(failed.complete && failed.body.contains("overloaded") && !failed.body.contains("[DONE]"));
        let split = completion(&server, "x").await;
        assert!(split.complete && split.chunks > 100 && split.body.contains("Größe"), "{split:?}");
        server.finish().unwrap();
    }

    #[tokio::test]
    async fn a_gate_holds_the_stream_and_a_client_that_leaves_is_noticed() {
        let gate = Gate::new();
        let turn = Turn::answer(Answer::text("Hel").then_stall(&gate).then_text("lo"));
        let server = ModelServer::start(vec![turn, Turn::never()]).await.unwrap();
        let port = server.port();
        let body = ask("x");
        let client = tokio::spawn(async move { post(port, "/v1/chat/completions", &[], &body).await });
        gate.reached(1).await.unwrap();
        assert!(!server.requests()[0].answered);
        gate.open();
        assert!(client.await.unwrap().complete);
        let body = ask("y");
        let client = tokio::spawn(async move { post(port, "/v1/chat/completions", &[], &body).await });
        server.wait_request(2).await.unwrap();
        client.abort();
        server.wait_abandoned(2).await.unwrap();
        server.finish().unwrap();
    }

    #[tokio::test]
    async fn anthropic_is_spoken_at_the_same_address() {
        let server = ModelServer::start(vec![
            Turn::answer(Answer::text("Hi").then_call("scroll", json!({"direction": "down"}))),
            Turn::text("whole"),
        ])
        .await
        .unwrap();
        server.require_key("sk");
        let mut body =
            json!({"model": "m", "stream": true, "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]});
        assert_eq!(post(server.port(), "/v1/messages", &[("x-api-key", "no")], &body).await.status, 401);
        let answer = post(server.port(), "/v1/messages", &[("x-api-key", "sk")], &body).await;
        for part in [
            "event: message_start",
            "text_delta",
            "input_json_delta",
            "\"stop_reason\":\"tool_use\"",
            "event: message_stop",
        ] {
            assert!(answer.body.contains(part), "{part} in {}", answer.body);
        }
        body["stream"] = false.into();
        let answer = post(server.port(), "/v1/messages", &[("x-api-key", "sk")], &body).await;
        let whole: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(whole["content"][0]["text"], "whole");
        assert_eq!(get(server.port(), "/v1/models", &[]).await.status, 401);
        assert!(get(server.port(), "/v1/models", &[("x-api-key", "sk")]).await.body.contains("scripted"));
        assert_eq!(server.others().len(), 2);
        server.finish().unwrap();
    }
}
