use super::*;
use crate::provider::resolve;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use webbrain_protocol::settings::{ProviderConfig, Secret};

fn provider(id: &str) -> Provider {
    let base_url = if id == "custom" { "https://x.example" } else { "" };
    let config =
        ProviderConfig { base_url: base_url.into(), api_key: Secret::new("hunter2hunter2"), ..Default::default() };
    resolve(id, Some(&config)).unwrap()
}

fn decode<'a>(id: &str, chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Delta>, Result<Completion, ModelError>) {
    let mut decoder = Decoder::new(&provider(id));
    let mut shown = Vec::new();
    for chunk in chunks {
        decoder.feed(chunk).into_iter().for_each(|delta| show(&mut shown, delta));
    }
    (shown, decoder.finish())
}

fn check(id: &str, body: &str, expected: Expect) {
    let (shown, got) = decode(id, [body.as_bytes()]);
    let (shown_single, single) = decode(id, body.as_bytes().chunks(1));
    assert_eq!((&shown, &got), (&shown_single, &single), "split into bytes");
    let shown: Vec<String> = shown
        .iter()
        .map(|delta| match delta {
            Delta::Text(text) => format!("{text:?}"),
            Delta::Reasoning(text) => format!("({text:?})"),
        })
        .collect();
    let end = match &got {
        Ok(answer) => {
            let calls: Vec<String> = answer.tool_calls.iter().map(|c| format!("{} {}", c.name, c.arguments)).collect();
            format!("{:?} {:?} {:?} {:?}", answer.stop, answer.text, answer.reasoning, calls)
        }
        Err(error) => format!("{error:?}"),
    };
    expected.assert_eq(&format!("{}\n{end}", shown.join(" ")));
}

/// A stream of deltas, then a reason and `[DONE]`.
fn stream(deltas: &[&str], reason: &str) -> String {
    let mut out: String =
        deltas.iter().map(|d| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{d}}}]}}\n\n")).collect();
    out.push_str(&format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\ndata: [DONE]\n\n"
    ));
    out
}

#[test]
fn framing_of_every_kind_is_read() {
    let ok = || {
        expect![[r#"
        "hi"
        End "hi" "" []"#]]
    };
    let chunk = r#"{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}"#;
    check("custom", &format!("data: {chunk}\n\ndata: [DONE]\n\n"), ok());
    check("custom", &format!("\u{feff}data:{chunk}\r\n\r\ndata:[DONE]\r\n\r\n"), ok());
    check("custom", &format!(": hello\rid: 1\rdata: {chunk}\r\rdata: [DONE]\r\r"), ok());
    check("custom", &format!("data: {chunk}\ndata: [DONE]\n"), ok());
    check("custom", &format!("event: ping\ndata: ping\n\nretry: 10\n\ndata: {chunk}\n\n"), ok());
    let halves = chunk.replace(",\"finish", ",\ndata: \"finish");
    check("custom", &format!("data: {halves}\n\n"), ok());
}

#[test]
fn the_last_event_may_lack_its_blank_line() {
    // Its text is shown by the completion, not by a delta.
    check(
        "custom",
        r#"data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}"#,
        expect![[r#"

        End "hi" "" []"#]],
    );
}

#[test]
fn a_body_that_is_no_stream() {
    check(
        "custom",
        r#"{"choices":[{"message":{"content":"hi","tool_calls":[{"id":"a","function":{"name":"scroll","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#,
        expect![[r#"

        Tools "hi" "" ["scroll {}"]"#]],
    );
    check(
        "custom",
        "  {\"error\":{\"message\":\"bad key hunter2hunter2\",\"type\":\"authentication_error\"}}\n",
        expect![[r#"

        Auth { detail: "bad key [key]" }"#]],
    );
    check(
        "custom",
        r#"{"detail":"Not ready"}"#,
        expect![[r#"

        Protocol { detail: "Not ready" }"#]],
    );
    check(
        "custom",
        "<!doctype html><title>Router login</title>",
        expect![[r#"

        Protocol { detail: "a web page came instead of an answer: Router login" }"#]],
    );
    check(
        "custom",
        r#"{"choices":[{"mess"#,
        expect![[r#"

        Cut"#]],
    );
    check(
        "custom",
        "",
        expect![[r#"

        Cut"#]],
    );
    check(
        "anthropic",
        r#"{"type":"message","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"a"},{"type":"tool_use","id":"x","name":"scroll","input":{"a":1}}],"stop_reason":"tool_use"}"#,
        expect![[r#"

        Tools "a" "t" ["scroll {\"a\":1}"]"#]],
    );
    check(
        "anthropic",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9000 tokens > 8000 maximum"}}"#,
        expect![[r#"

        ContextOverflow { used: Some(9000), window: Some(8000) }"#]],
    );
}

#[test]
fn the_end_of_an_answer() {
    let open = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n";
    check(
        "custom",
        open,
        expect![[r#"
        "hi"
        Cut"#]],
    );
    check(
        "custom",
        &format!("{open}data: {{\"error\":{{\"message\":\"boom\"}}}}\n\n"),
        expect![[r#"
        "hi"
        Server { status: 0, detail: "boom" }"#]],
    );
    check(
        "custom",
        &format!("{open}{{\"error\":{{\"message\":\"slow down\",\"code\":429}}}}\n"),
        expect![[r#"
        "hi"
        RateLimited { retry_after_s: None, detail: "slow down" }"#]],
    );
    check(
        "custom",
        &format!("{open}data: {{\"cho\n\ndata: [DONE]\n\n"),
        expect![[r#"
        "hi"
        Protocol { detail: "an event of the stream is not JSON" }"#]],
    );
    check(
        "custom",
        &stream(&[r#"{"content":"par"}"#], "content_filter"),
        expect![[r#"
        "par"
        Refused { detail: "stopped by a content filter" }"#]],
    );
    check(
        "custom",
        &stream(&[r#"{"refusal":"I can't "}"#, r#"{"refusal":"do that"}"#], "stop"),
        expect![[r#"

        Refused { detail: "I can't do that" }"#]],
    );
    check(
        "custom",
        &stream(&[r#"{"content":"long"}"#], "length"),
        expect![[r#"
        "long"
        Length "long" "" []"#]],
    );
    check(
        "custom",
        &stream(&[], "model_context_window_exceeded"),
        expect![[r#"

        ContextOverflow { used: None, window: None }"#]],
    );
    check(
        "custom",
        &stream(&[], "stop"),
        expect![[r#"

        End "" "" []"#]],
    );
}

#[test]
fn calls_cut_by_length_are_dropped_and_earlier_ones_kept() {
    let calls = [
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"scroll","arguments":"{\"a\":1}"}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"click_ax","arguments":"{\"ref_id\":\"re"}}]}"#,
    ];
    check(
        "custom",
        &stream(&calls, "length"),
        expect![[r#"

        Length "" "" ["scroll {\"a\":1}"]"#]],
    );
    // Not by length: what cannot be repaired stays as it came, for the tool table to refuse.
    check(
        "custom",
        &stream(&calls, "tool_calls"),
        expect![[r#"

        Tools "" "" ["scroll {\"a\":1}", "click_ax {\"ref_id\":\"re"]"#]],
    );
}

#[test]
fn calls_of_servers_without_proper_ids() {
    let row = |deltas: &[&str]| {
        let body = stream(deltas, "tool_calls");
        let answer = decode("custom", [body.as_bytes()]).1.unwrap();
        let ids: std::collections::BTreeSet<&str> = answer.tool_calls.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids.len(), answer.tool_calls.len(), "ids differ");
        answer.tool_calls.iter().map(|c| format!("{} {}", c.name, c.arguments)).collect::<Vec<_>>()
    };
    // Same id for both.
    assert_eq!(
        row(&[
            r#"{"tool_calls":[{"index":0,"id":"call","function":{"name":"a","arguments":"{}"}},{"index":1,"id":"call","function":{"name":"b","arguments":"{}"}}]}"#
        ]),
        ["a {}", "b {}"]
    );
    // No id, no index, whole calls.
    assert_eq!(
        row(&[
            r#"{"tool_calls":[{"function":{"name":"a","arguments":"{}"}},{"function":{"name":"a","arguments":"{}"}}]}"#
        ]),
        ["a {}", "a {}"]
    );
    // Empty id in later pieces, name repeated.
    assert_eq!(
        row(&[
            r#"{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":""}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"","function":{"name":"a","arguments":"{\"k\":"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"","function":{"name":"a","arguments":"2}"}}]}"#
        ]),
        ["a {\"k\":2}"]
    );
    // Another id with every piece.
    assert_eq!(
        row(&[
            r#"{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"y","function":{"arguments":"}"}}]}"#
        ]),
        ["a {}"]
    );
    // Interleaved parallel calls.
    assert_eq!(
        row(&[
            r#"{"tool_calls":[{"index":0,"id":"x","function":{"name":"a"}},{"index":1,"id":"y","function":{"name":"b"}}]}"#,
            r#"{"tool_calls":[{"index":1,"function":{"arguments":"{\"b\":1}"}},{"index":0,"function":{"arguments":"{\"a\":1}"}}]}"#
        ]),
        ["a {\"a\":1}", "b {\"b\":1}"]
    );
    // The old single call; special tokens in the name; double-encoded arguments.
    assert_eq!(
        row(&[r#"{"function_call":{"name":"functions.a<|channel|>json","arguments":"\"{\\\"k\\\":1}\""}}"#]),
        ["a {\"k\":1}"]
    );
}

#[test]
fn thinking_is_kept_apart() {
    check(
        "custom",
        &stream(
            &[
                r#"{"content":"\n<thi"}"#,
                r#"{"content":"nk>hm < 3"}"#,
                r#"{"content":"</think>\n\nHel"}"#,
                r#"{"content":"lo <b>"}"#,
            ],
            "stop",
        ),
        expect![[r#"
        ("hm < 3") "Hello <b>"
        End "Hello <b>" "hm < 3" []"#]],
    );
    check(
        "custom",
        &stream(&[r#"{"reasoning":"a"}"#, r#"{"content":" x `<think>` y"}"#], "stop"),
        expect![[r#"
        ("a") " x `<think>` y"
        End " x `<think>` y" "a" []"#]],
    );
    check(
        "custom",
        &stream(
            &[
                r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]}"#,
            ],
            "stop",
        ),
        expect![[r#"
        ("t") "a"
        End "a" "t" []"#]],
    );
    check(
        "custom",
        &stream(&[r#"{"content":"<think>never closed"}"#], "stop"),
        expect![[r#"
        ("never closed")
        End "" "never closed" []"#]],
    );
}

#[test]
fn text_that_may_be_a_call_is_not_shown_while_it_arrives() {
    check(
        "llamacpp",
        &stream(&[r#"{"content":"<tool"}"#, r#"{"content":"_call>{}</tool_call>"}"#], "stop"),
        expect![[r#"

        End "<tool_call>{}</tool_call>" "" []"#]],
    );
    check(
        "llamacpp",
        &stream(&[r#"{"content":"<to"}"#, r#"{"content":"p> and"}"#, r#"{"content":" more {"}"#], "stop"),
        expect![[r#"
        "<top> and more {"
        End "<top> and more {" "" []"#]],
    );
}

#[test]
fn usage_is_read_wherever_it_is() {
    let usage = |id: &str, body: &str| decode(id, [body.as_bytes()]).1.unwrap().usage;
    let body = stream(&[r#"{"content":"x"}"#], "stop").replace("data: [DONE]", "data: {\"choices\":[],\"x_groq\":{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":4}}}}\n\ndata: [DONE]");
    assert_eq!(
        usage("custom", &body),
        Usage { input: Some(5), output: Some(2), cache_read: Some(4), ..Usage::default() }
    );
    let body = concat!(
        "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,\"cache_read_input_tokens\":100,\"cache_creation_input_tokens\":20,\"output_tokens\":1}}}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":9}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    );
    let expected =
        Usage { input: Some(123), output: Some(9), cache_read: Some(100), cache_write: Some(20), cost_usd: None };
    assert_eq!(usage("anthropic", body), expected);
}

#[test]
fn tool_calls_never_come_before_the_end() {
    // There is no delta for a call, so this is about the type; the stream that is cut releases none.
    let body = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"click_ax","arguments":"{}"}}]}}]}"#;
    assert_eq!(decode("custom", [body.as_bytes(), b"\n\n"]), (vec![], Err(ModelError::Cut)));
}

fn cut(bytes: &[u8], cuts: &[usize]) -> Vec<Vec<u8>> {
    let mut at: Vec<usize> = cuts.iter().map(|c| c % (bytes.len() + 1)).collect();
    at.extend([0, bytes.len()]);
    at.sort_unstable();
    at.windows(2).map(|w| bytes[w[0]..w[1]].to_vec()).collect()
}

proptest! {
    #[test]
    fn any_split_gives_the_same(
        pieces in prop::collection::vec("(<think>|</think>|é|🙂|<|a|\n| |`|\\{){0,6}", 0..6),
        end in prop_oneof![Just("stop"), Just("length"), Just("tool_calls")],
        cuts in prop::collection::vec(any::<usize>(), 0..12),
        crlf in any::<bool>(),
    ) {
        let mut deltas: Vec<String> = pieces.iter().map(|p| serde_json::json!({"content": p}).to_string()).collect();
        deltas.push(r#"{"tool_calls":[{"function":{"name":"scroll","arguments":"{\"x\":\"é\"}"}}]}"#.to_owned());
        let deltas: Vec<&str> = deltas.iter().map(String::as_str).collect();
        let body = stream(&deltas, end);
        let body = if crlf { body.replace('\n', "\r\n") } else { body };
        for id in ["custom", "llamacpp"] {
            let whole = decode(id, [body.as_bytes()]);
            let parts = cut(body.as_bytes(), &cuts);
            prop_assert_eq!(decode(id, parts.iter().map(Vec::as_slice)), whole);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(
        chunks in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..20),
            "(data:|data: |event: error|\r|\n|\\{\"choices\":\\[\\{\"delta\":|\\{\"content\":\"x\"\\}|\\}\\]\\}|\\[DONE\\]|\\[|null|<){0,8}".prop_map(String::into_bytes),
        ], 0..10),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let bytes = chunks.concat();
        for id in ["custom", "anthropic", "llamacpp"] {
            let whole = decode(id, [bytes.as_slice()]);
            let parts = cut(&bytes, &cuts);
            prop_assert_eq!(decode(id, parts.iter().map(Vec::as_slice)).1, whole.1);
        }
    }
}
