//! The script of the model: one [`Turn`] for each request.

use crate::answer::{Answer, Piece};
use crate::gate::Gate;
use crate::model_request::ModelRequest;
use serde_json::Value;

/// How the bytes of a stream are cut into network writes.
#[derive(Clone, Copy, Debug, Default)]
pub enum Split {
    /// One write per event.
    #[default]
    Events,
    /// One write per byte.
    EveryByte,
    /// Random sizes from 1 to 40 bytes, the same for the same seed.
    Random(u64),
}

/// A whole HTTP answer instead of a model's.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Status.
    pub status: u16,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: String,
}

type Make = Box<dyn Fn(&ModelRequest) -> Result<Answer, String> + Send + Sync>;
type Test = Box<dyn Fn(&ModelRequest) -> bool + Send + Sync>;

/// What the server does with one request.
pub enum Action {
    /// Answers as the model.
    Model(Make),
    /// Answers with something else.
    Plain(Plain),
    /// Never answers.
    Never,
}

/// One request: what it must look like, and the answer.
pub struct Turn {
    pub(crate) expectations: Vec<(String, Test)>,
    pub(crate) action: Action,
    pub(crate) split: Split,
    pub(crate) before: Option<Gate>,
}

impl Turn {
    fn new(action: Action) -> Self {
        Turn { expectations: Vec::new(), action, split: Split::Events, before: None }
    }

    /// Answers with something made from the request; an error message fails the test.
    pub fn with(make: impl Fn(&ModelRequest) -> Result<Answer, String> + Send + Sync + 'static) -> Self {
        Turn::new(Action::Model(Box::new(make)))
    }

    /// Gives this answer.
    pub fn answer(answer: Answer) -> Self {
        Turn::with(move |_| Ok(answer.clone()))
    }

    /// Says `text`.
    pub fn text(text: impl Into<String>) -> Self {
        Turn::answer(Answer::text(text))
    }

    /// Calls one tool.
    pub fn call(name: &str, args: Value) -> Self {
        Turn::answer(Answer::call(name, args))
    }

    /// Calls one tool on the element that the newest text showing it calls `role "name"`; `args` gets its `ref_id`.
    pub fn on_ref(tool: &'static str, roles: &'static [&'static str], name: &'static str, args: Value) -> Self {
        Turn::with(move |request| {
            let mut args = args.clone();
            args["ref_id"] = request.need_ref(roles, name)?.into();
            Ok(Answer::call(tool, args))
        })
    }

    /// Ends the run.
    pub fn done(summary: &str, outcome: &str) -> Self {
        Turn::call("done", serde_json::json!({"summary": summary, "outcome": outcome}))
    }

    /// An HTTP answer with a JSON body.
    pub fn status(status: u16, body: Value) -> Self {
        let headers = vec![("content-type".into(), "application/json".into())];
        Turn::new(Action::Plain(Plain { status, headers, body: body.to_string() }))
    }

    /// 429 with `Retry-After`.
    pub fn rate_limited(seconds: u32) -> Self {
        let body = serde_json::json!({"error": {"message": "Rate limit reached", "type": "rate_limit_error"}});
        let mut turn = Turn::status(429, body);
        if let Action::Plain(plain) = &mut turn.action {
            plain.headers.push(("retry-after".into(), seconds.to_string()));
        }
        turn
    }

    /// 307: the same request is to be made at another address.
    pub fn redirect(to: &str) -> Self {
        let mut turn = Turn::status(307, serde_json::json!({}));
        if let Action::Plain(plain) = &mut turn.action {
            plain.headers.push(("location".into(), to.into()));
        }
        turn
    }

    /// 200 with a web page, as a captive portal or a wrong address gives.
    pub fn html() -> Self {
        let body = "<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>";
        let headers = vec![("content-type".into(), "text/html; charset=utf-8".into())];
        Turn::new(Action::Plain(Plain { status: 200, headers, body: body.into() }))
    }

    /// A text that breaks off: the connection is cut.
    pub fn cut_after(text: &str) -> Self {
        Turn::answer(Answer::text(text).then(Piece::Cut))
    }

    /// Takes the request and never says a byte.
    pub fn never() -> Self {
        Turn::new(Action::Never)
    }

    /// Waits at a gate before the first byte, headers included.
    #[must_use]
    pub fn after(mut self, gate: &Gate) -> Self {
        self.before = Some(gate.clone());
        self
    }

    /// Sets how the bytes are cut.
    #[must_use]
    pub fn split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    /// The request must satisfy `test`; `what` names it in the failure.
    #[must_use]
    pub fn expect(mut self, what: &str, test: impl Fn(&ModelRequest) -> bool + Send + Sync + 'static) -> Self {
        self.expectations.push((what.to_owned(), Box::new(test)));
        self
    }

    /// The last message must contain `text`.
    #[must_use]
    pub fn expect_last(self, text: &'static str) -> Self {
        self.expect(&format!("the last message contains {text:?}"), move |r| r.last_text().contains(text))
    }

    /// The last message must not contain `text`.
    #[must_use]
    pub fn expect_last_without(self, text: &'static str) -> Self {
        self.expect(&format!("the last message does not contain {text:?}"), move |r| !r.last_text().contains(text))
    }

    /// The last message must be the result of a call of `tool`.
    #[must_use]
    pub fn expect_result_of(self, tool: &'static str) -> Self {
        self.expect(&format!("the last message is the result of {tool}"), move |r| r.last_result_tool() == Some(tool))
    }

    /// The tool must be offered.
    #[must_use]
    pub fn expect_tool(self, tool: &'static str) -> Self {
        self.expect(&format!("{tool} is offered"), move |r| r.tools.iter().any(|t| t == tool))
    }

    /// The tool must not be offered.
    #[must_use]
    pub fn expect_no_tool(self, tool: &'static str) -> Self {
        self.expect(&format!("{tool} is not offered"), move |r| !r.tools.iter().any(|t| t == tool))
    }
}
