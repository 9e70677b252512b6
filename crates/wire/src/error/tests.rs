use super::*;
use crate::provider::resolve;
use expect_test::{Expect, expect};
use webbrain_protocol::settings::ProviderConfig;

const NOW_MS: u64 = 1_794_000_000_000;

fn error(id: &str, status: u16, headers: &[(&str, &str)], body: &str) -> ModelError {
    let config = ProviderConfig {
        api_key: Secret::new(if id == "ollama" { "" } else { "hunter2hunter2" }),
        ..ProviderConfig::default()
    };
    let provider = resolve(id, Some(&config)).unwrap();
    let headers: Vec<_> = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    from_response(&provider, status, &headers, body.as_bytes(), NOW_MS)
}

fn check(status: u16, body: &str, expected: Expect) {
    expected.assert_eq(&format!("{:?}", error("openai", status, &[], body)));
}

#[test]
fn statuses_and_codes_become_types() {
    check(
        401,
        r#"{"error":{"message":"Incorrect API key provided: sk-ab***cd1234.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
        expect![[r#"Auth { detail: "Incorrect API key provided: [key]" }"#]],
    );
    check(403, "no", expect![[r#"Auth { detail: "no" }"#]]);
    check(
        402,
        r#"{"error":{"message":"Insufficient Balance"}}"#,
        expect![[r#"Payment { detail: "Insufficient Balance" }"#]],
    );
    check(
        429,
        r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
        expect![[r#"Payment { detail: "You exceeded your current quota" }"#]],
    );
    check(
        429,
        r#"{"error":{"message":"Rate limit reached. Please try again in 1m2.5s.","code":"rate_limit_exceeded"}}"#,
        expect![[
            r#"RateLimited { retry_after_s: Some(63), detail: "Rate limit reached. Please try again in 1m2.5s." }"#
        ]],
    );
    check(
        429,
        r#"[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"32s"}]}}]"#,
        expect![[r#"RateLimited { retry_after_s: Some(32), detail: "quota" }"#]],
    );
    check(
        404,
        r#"{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}"#,
        expect![[r#"NotFound { detail: "The model `x` does not exist" }"#]],
    );
    check(
        404,
        "<html><head><title>404 Not\nFound</title></head></html>",
        expect![[r#"NotFound { detail: "a web page came instead of an answer: 404 Not Found" }"#]],
    );
    check(
        422,
        r#"{"detail":[{"loc":["body","tools"],"msg":"field required"}]}"#,
        expect![[r#"BadRequest { detail: "field required" }"#]],
    );
    check(400, r#"{"error":"model is required"}"#, expect![[r#"BadRequest { detail: "model is required" }"#]]);
    check(
        400,
        r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
        expect![[r#"Auth { detail: "API key not valid. Please pass a valid API key." }"#]],
    );
    check(
        400,
        r#"{"error":{"message":"flagged","code":"content_filter"}}"#,
        expect![[r#"Refused { detail: "flagged" }"#]],
    );
    check(
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        expect![[r#"Server { status: 529, detail: "Overloaded" }"#]],
    );
    check(503, "", expect![[r#"Server { status: 503, detail: "" }"#]]);
    check(302, "", expect![[r#"Protocol { detail: "status 302:" }"#]]);
}

#[test]
fn context_overflow_is_recognised_with_its_numbers() {
    check(
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","code":"context_length_exceeded"}}"#,
        expect!["ContextOverflow { used: Some(9001), window: Some(8192) }"],
    );
    check(
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        expect!["ContextOverflow { used: Some(210000), window: Some(200000) }"],
    );
    check(
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":20000,"n_ctx":16384}}"#,
        expect!["ContextOverflow { used: Some(20000), window: Some(16384) }"],
    );
    check(
        400,
        r#"[{"error":{"code":400,"message":"The input token count (1,200,000) exceeds the maximum number of tokens allowed (1048576)."}}]"#,
        expect!["ContextOverflow { used: Some(1200000), window: Some(1048576) }"],
    );
    check(
        400,
        r#"{"error":"Trying to keep the first 9000 tokens when context the overflows. greater than the context length"}"#,
        expect!["ContextOverflow { used: None, window: Some(9000) }"],
    );
    check(413, "too big", expect!["ContextOverflow { used: None, window: None }"]);
    check(
        429,
        r#"{"error":{"message":"too many tokens for your context window per minute"}}"#,
        expect![[
            r#"RateLimited { retry_after_s: None, detail: "too many tokens for your context window per minute" }"#
        ]],
    );
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let wait = |name: &str, value: &str| match error("openai", 429, &[(name, value)], "") {
        ModelError::RateLimited { retry_after_s, .. } => retry_after_s,
        other => panic!("{other:?}"),
    };
    // NOW_MS is Fri, 06 Nov 2026 21:20:00 GMT.
    assert_eq!(wait("Retry-After", "Fri, 06 Nov 2026 21:20:30 GMT"), Some(30));
    assert_eq!(wait("Retry-After", "Fri, 06 Nov 2026 20:00:00 GMT"), Some(0));
    assert_eq!(wait("retry-after", " 7 "), Some(7));
    assert_eq!(wait("retry-after-ms", "1200"), Some(2));
    assert_eq!(wait("retry-after", "soon"), None);
    assert_eq!(wait("retry-after", "-1"), None);
}

#[test]
fn a_local_server_that_refuses_extensions_is_not_a_bad_key() {
    assert_eq!(error("ollama", 403, &[], ""), ModelError::Auth { detail: ORIGIN_REFUSED.to_owned() });
}

#[test]
fn details_are_short_and_hold_no_key() {
    let words = |body: &str| match error("openai", 400, &[], body) {
        ModelError::BadRequest { detail } => detail,
        other => panic!("{other:?}"),
    };
    assert_eq!(words("bad hunter2hunter2 here"), "bad [key] here");
    assert_eq!(words("token AIzaSyA1234567890 and abcdef0123456789abcdef0123"), "token [key] and [key]");
    let named = "model claude-sonnet-4-5-20250929 request 550e8400-e29b-41d4-a716-446655440000";
    assert_eq!(words(named), named);
    assert_eq!(words(&"é ".repeat(400)).chars().count(), 300);
}
