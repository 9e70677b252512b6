//! Pages for the tests, and an API that remembers what they submitted.
//!
//! One server, three origins: `127.0.0.1:P`, `localhost:P`, and `127.0.0.1:Q` ([`Origin`]).

use crate::gate::Gate;
use crate::wait::{Seen, until};
use crate::{Result, config};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{any, get};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::net::TcpListener;

/// The origins at which the same pages are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `127.0.0.1`, first port.
    Main,
    /// `localhost`, first port.
    Localhost,
    /// `127.0.0.1`, second port.
    SecondPort,
}

/// Something that a page submitted.
#[derive(Clone, Debug)]
pub struct Submission {
    /// `products` for `/api/products`, `NAME` for `/api/form/NAME` and `/api/record/NAME`.
    pub name: String,
    /// The `Host` header.
    pub host: String,
    /// JSON body, or the fields of a form.
    pub body: Value,
}

#[derive(Default)]
struct Shared {
    submissions: Vec<Submission>,
    gates: HashMap<String, Gate>,
    fetched: Vec<String>,
}

type Store = Arc<Mutex<Shared>>;

/// The server; it stops when dropped.
pub struct FixtureServer {
    first: SocketAddr,
    second: SocketAddr,
    shared: Store,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Drop for FixtureServer {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    // A panic while holding it leaves plain data behind, which is still true.
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl FixtureServer {
    /// Starts on two free ports.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start() -> Result<Self> {
        let shared = Store::default();
        let router = Router::new()
            .route("/api/products", any(products))
            .route("/api/form/{name}", any(form))
            .route("/api/record/{name}", any(record))
            .route("/gate/{name}", any(gate))
            .route("/html/{*rest}", any(html))
            .route("/corpus/{file}", get(corpus))
            .route("/editors/{file}", get(editor))
            .route("/{file}", get(page))
            .with_state(shared.clone());
        let mut addresses = Vec::new();
        let mut tasks = Vec::new();
        for _ in 0..2 {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            addresses.push(listener.local_addr()?);
            let router = router.clone();
            tasks.push(tokio::spawn(async move {
                // `serve` ends only with its task.
                let _ = axum::serve(listener, router).await;
            }));
        }
        Ok(FixtureServer { first: addresses[0], second: addresses[1], shared, tasks })
    }

    /// Host with port, as a grant names it.
    pub fn host(&self, origin: Origin) -> String {
        match origin {
            Origin::Main => self.first.to_string(),
            Origin::Localhost => format!("localhost:{}", self.first.port()),
            Origin::SecondPort => self.second.to_string(),
        }
    }

    /// Address of a page: a file of `fixtures/pages`, or `corpus/FILE`.
    pub fn url(&self, file: &str) -> String {
        self.url_on(Origin::Main, file)
    }

    /// The same on another origin.
    pub fn url_on(&self, origin: Origin, file: &str) -> String {
        format!("http://{}/{file}", self.host(origin))
    }

    /// What was submitted under this name, in order.
    pub fn submissions(&self, name: &str) -> Vec<Value> {
        lock(&self.shared).submissions.iter().filter(|s| s.name == name).map(|s| s.body.clone()).collect()
    }

    /// Everything that was submitted.
    pub fn all_submissions(&self) -> Vec<Submission> {
        lock(&self.shared).submissions.clone()
    }

    /// Files that were fetched, in order.
    pub fn fetched(&self) -> Vec<String> {
        lock(&self.shared).fetched.clone()
    }

    /// Waits for submission number `n` under this name, from 1.
    ///
    /// # Errors
    /// [`crate::Error::Timeout`].
    pub async fn wait_submission(&self, name: &str, n: usize) -> Result<Value> {
        let what = format!("submission {n} of {name}");
        until(&what, async || {
            let seen = self.submissions(name);
            Ok(match seen.get(n - 1) {
                Some(body) => Seen::Ready(body.clone()),
                None => Seen::NotYet(format!("{seen:?}")),
            })
        })
        .await
    }

    /// The gate behind `/gate/NAME`: requests to it wait until the test opens it.
    pub fn gate(&self, name: &str) -> Gate {
        lock(&self.shared).gates.entry(name.to_owned()).or_default().clone()
    }
}

/// Headers that a page is served with; its name says why it has them.
fn policy(file: &str) -> Option<&'static str> {
    match file {
        "csp-self.html" => Some("default-src 'self'"),
        "csp-none.html" => Some("default-src 'none'; script-src 'none'"),
        "trusted-types.html" => Some("require-trusted-types-for 'script'; trusted-types 'none'"),
        _ => None,
    }
}

fn content_type(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("pdf") => "application/pdf",
        _ => "text/plain; charset=utf-8",
    }
}

async fn page(State(shared): State<Store>, Path(file): Path<String>) -> Response<Body> {
    lock(&shared).fetched.push(file.clone());
    serve_file(&config::pages(), &file).await
}

async fn corpus(State(shared): State<Store>, Path(file): Path<String>) -> Response<Body> {
    lock(&shared).fetched.push(format!("corpus/{file}"));
    serve_file(&config::corpus_pages(), &file).await
}

/// A page with one editor, `NAME.html`, and what it loads.
async fn editor(Path(file): Path<String>) -> Response<Body> {
    let Some(name) = file.strip_suffix(".html") else { return serve_file(&config::editors(), &file).await };
    let css = config::editors().join(format!("{name}.css")).is_file();
    let style = if css { format!("<link rel=stylesheet href='/editors/{name}.css'>") } else { String::new() };
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>{style}<body><h1>{name}</h1>\
         <script src='/editors/{name}.js'></script>"
    );
    axum::response::Html(page).into_response()
}

async fn serve_file(folder: &std::path::Path, file: &str) -> Response<Body> {
    // The router gives one path segment, decoded: it must still be one.
    if file.contains(['/', '\\']) || file.starts_with('.') {
        return StatusCode::NOT_FOUND.into_response();
    }
    match tokio::fs::read(folder.join(file)).await {
        Ok(bytes) => {
            let mut response =
                ([("content-type", content_type(file)), ("cache-control", "no-store")], bytes).into_response();
            if let Some(policy) = policy(file) {
                response.headers_mut().insert("content-security-policy", axum::http::HeaderValue::from_static(policy));
            }
            response
        }
        Err(_) => (StatusCode::NOT_FOUND, format!("no such page: {file}")).into_response(),
    }
}

fn host_of(headers: &HeaderMap) -> String {
    headers.get("host").map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned()).unwrap_or_default()
}

async fn submit(shared: &Store, name: &str, request: Request) -> Option<Value> {
    let host = host_of(request.headers());
    let is_form = request
        .headers()
        .get("content-type")
        .is_some_and(|v| v.as_bytes().starts_with(b"application/x-www-form-urlencoded"));
    let bytes = axum::body::to_bytes(request.into_body(), usize::MAX).await.ok()?;
    let body = if is_form {
        url::form_urlencoded::parse(&bytes).map(|(k, v)| (k.into_owned(), Value::from(v.into_owned()))).collect()
    } else {
        serde_json::from_slice(&bytes).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&bytes).into_owned()))
    };
    lock(shared).submissions.push(Submission { name: name.to_owned(), host, body: body.clone() });
    Some(body)
}

async fn products(State(shared): State<Store>, request: Request) -> Response<Body> {
    if request.method() != Method::POST {
        let list: Vec<Value> =
            lock(&shared).submissions.iter().filter(|s| s.name == "products").map(|s| s.body.clone()).collect();
        return axum::Json(list).into_response();
    }
    match submit(&shared, "products", request).await {
        Some(mut product) => {
            product["id"] = json!("prod_1");
            (StatusCode::CREATED, axum::Json(product)).into_response()
        }
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn form(
    State(shared): State<Store>,
    Path(name): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    request: Request,
) -> Response<Body> {
    if request.method() != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    submit(&shared, &name, request).await;
    let next = query.get("next").map_or("/received.html", String::as_str);
    (StatusCode::SEE_OTHER, [("location", next)]).into_response()
}

async fn record(State(shared): State<Store>, Path(name): Path<String>, request: Request) -> Response<Body> {
    submit(&shared, &name, request).await;
    StatusCode::NO_CONTENT.into_response()
}

/// A web page at any address below `/html`, whatever the method: what a wrong base address of a provider gives.
async fn html() -> Response<Body> {
    axum::response::Html("<!doctype html><title>Welcome</title><h1>It works!</h1>").into_response()
}

async fn gate(State(shared): State<Store>, Path(name): Path<String>) -> Response<Body> {
    let gate = lock(&shared).gates.entry(name).or_default().clone();
    gate.pass().await;
    ([("cache-control", "no-store")], axum::Json(json!({"open": true}))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http_client::{get, post, send};

    #[tokio::test]
    async fn pages_have_their_policies_on_every_origin() {
        let server = FixtureServer::start().await.unwrap();
        for port in [server.first.port(), server.second.port()] {
            let strict = get(port, "/csp-none.html", &[]).await;
            assert_eq!(strict.header("content-security-policy"), Some("default-src 'none'; script-src 'none'"));
            let plain = get(port, "/plain.html", &[]).await;
            assert_eq!((plain.status, plain.header("content-security-policy")), (200, None));
        }
        assert_eq!(get(server.first.port(), "/..%2Fpages%2Fplain.html", &[]).await.status, 404);
        assert_eq!(get(server.first.port(), "/no-such.html", &[]).await.status, 404);
        assert_eq!(server.host(Origin::Localhost), format!("localhost:{}", server.first.port()));
    }

    #[tokio::test]
    async fn submissions_are_remembered() {
        let server = FixtureServer::start().await.unwrap();
        let port = server.first.port();
        assert_eq!(post(port, "/api/products", &[], &json!({"name": "namaz"})).await.status, 201);
        let body = ("application/x-www-form-urlencoded", "name=Ada+L&city=K%C3%B6ln".to_owned());
        let answer = send(port, "POST", "/api/form/signup?next=/nav-c.html", &[], Some(body)).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/nav-c.html")));
        assert_eq!(server.submissions("products"), [json!({"name": "namaz"})]);
        assert_eq!(server.wait_submission("signup", 1).await.unwrap(), json!({"name": "Ada L", "city": "Köln"}));
        assert_eq!(server.all_submissions()[1].host, format!("127.0.0.1:{port}"));
    }

    #[tokio::test]
    async fn a_gate_holds_its_requests() {
        let server = FixtureServer::start().await.unwrap();
        let port = server.first.port();
        let gate = server.gate("g");
        let request = tokio::spawn(async move { get(port, "/gate/g", &[]).await });
        gate.reached(1).await.unwrap();
        assert!(!request.is_finished());
        gate.open();
        assert_eq!(request.await.unwrap().status, 200);
    }

    #[test]
    fn every_page_of_the_corpus_is_there() {
        let text = std::fs::read_to_string(config::corpus_pages().join("../manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let pages = manifest["pages"].as_array().unwrap();
        assert!(pages.len() > 50);
        for page in pages {
            let file = page["file"].as_str().unwrap();
            assert!(config::corpus_pages().join(file).is_file(), "{file}");
        }
    }
}
