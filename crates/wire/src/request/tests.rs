use super::*;
use crate::provider::resolve;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use webbrain_core::label::{Labelled, Nonce};
use webbrain_core::prompt::{Message, ToolDecl};
use webbrain_protocol::ToolCall;
use webbrain_protocol::settings::ProviderConfig;

const PARAMS: Params = Params { max_tokens: 100, temperature: Some(0.5), stream: true };

fn provider(id: &str, model: &str) -> Provider {
    let config = ProviderConfig {
        api_key: Secret::new("sk-secret-1234567890"),
        model: model.to_owned(),
        base_url: if id == "custom" { "http://localhost:9/v1".to_owned() } else { String::new() },
        ..ProviderConfig::default()
    };
    resolve(id, Some(&config)).unwrap()
}

fn tool() -> ToolDecl {
    ToolDecl { name: "click_ax", about: "Click.", schema: "{\"type\":\"object\",\"properties\":{\"b\":{},\"a\":{}}}\n" }
}

fn user(text: &str) -> Message {
    Message::User { parts: vec![Labelled::user(text)] }
}

fn said(text: &str) -> Message {
    Message::Assistant { text: text.to_owned(), calls: vec![] }
}

fn called(text: &str, calls: &[(&str, &str)]) -> Message {
    let call = |(id, arguments): &(&str, &str)| ToolCall {
        id: (*id).into(),
        name: "click_ax".into(),
        arguments: (*arguments).into(),
    };
    Message::Assistant { text: text.to_owned(), calls: calls.iter().map(call).collect() }
}

fn result(id: &str, ok: bool, text: &str) -> Message {
    let parts = vec![Labelled::page("https://a.test", text, Nonce::from_random(7))];
    Message::Tool { call_id: id.to_owned(), name: "click_ax".to_owned(), ok, parts }
}

fn body(provider: &Provider, messages: &[Message], tools: Vec<ToolDecl>) -> String {
    let prompt = Prompt::assemble(&[Labelled::program("S")], messages, tools);
    chat(provider, &prompt, &PARAMS).unwrap().body
}

fn check(provider: &Provider, messages: &[Message], expected: Expect) {
    let body = body(provider, messages, vec![tool()]);
    // One top-level field or message a line, bytes untouched otherwise.
    expected.assert_eq(&body.replace(",\"messages\"", "\n,\"messages\"").replace("{\"role\"", "\n{\"role\""));
}

#[test]
fn openai_bodies() {
    let turns = [
        user("go"),
        called("", &[("a", ""), ("b", "{\"ref_id\":\"ref_1\"}")]),
        result("a", true, "button \"X\" [ref_1]"),
        result("b", false, "no"),
    ];
    check(
        &provider("custom", "m"),
        &turns,
        expect![[r#"
        {"model":"m","stream":true,"max_tokens":100,"temperature":0.5,"tools":[{"type":"function","function":{"name":"click_ax","description":"Click.","parameters":{"type":"object","properties":{"b":{},"a":{}}}}}]
        ,"messages":[
        {"role":"system","content":"S"},
        {"role":"user","content":"go"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"click_ax","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"click_ax","arguments":"{\"ref_id\":\"ref_1\"}"}}]},
        {"role":"tool","tool_call_id":"a","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\nbutton \"X\" [ref_1]\n</page_content id=\"haaaaaaaaa\">"},
        {"role":"tool","tool_call_id":"b","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\nno\n</page_content id=\"haaaaaaaaa\">"}]}"#]],
    );
}

#[test]
fn quirks_change_the_body() {
    let head = |id: &str, model: &str| {
        let text = body(
            &provider(id, model),
            &[user("go"), called("", &[("call_1", "{")]), result("call_1", true, "")],
            vec![],
        );
        text.replace(",\"messages\"", "\n,\"messages\"")
            .replace("{\"role\"", "\n{\"role\"")
            .lines()
            .filter(|l| !l.contains("user") && !l.contains("system"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    expect![[r#"
        {"model":"gpt-5.5","stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":100
        ,"messages":[
        {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"click_ax","arguments":"{\"unreadable\":\"{\"}"}}]},
        {"role":"tool","tool_call_id":"call_1","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\n</page_content id=\"haaaaaaaaa\">"}]}"#]].assert_eq(&head("openai", ""));
    let gemini = head("gemini", "");
    assert!(
        gemini.contains(r#""extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}"#),
        "{gemini}"
    );
    let deepseek = head("deepseek", "");
    assert!(deepseek.contains(r#""thinking":{"type":"disabled"}"#), "{deepseek}");
    let mistral = head("mistral", "");
    assert!(!mistral.contains("stream_options") && !mistral.contains("call_1"), "{mistral}");
}

#[test]
fn anthropic_bodies() {
    let turns = [
        user("go"),
        called("ok", &[("a:1", ""), ("b", "[1]")]),
        result("a:1", true, "A"),
        result("b", false, "B"),
        user("more"),
    ];
    check(
        &provider("anthropic", "claude-opus-4-8"),
        &turns,
        expect![[r#"
        {"model":"claude-opus-4-8","max_tokens":100,"stream":true,"tools":[{"name":"click_ax","description":"Click.","input_schema":{"type":"object","properties":{"b":{},"a":{}}}}],"system":[{"type":"text","text":"S","cache_control":{"type":"ephemeral"}}]
        ,"messages":[
        {"role":"user","content":[{"type":"text","text":"go"}]},
        {"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"a_1","name":"click_ax","input":{}},{"type":"tool_use","id":"b","name":"click_ax","input":{"unreadable":"[1]"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a_1","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\nA\n</page_content id=\"haaaaaaaaa\">"},{"type":"tool_result","tool_use_id":"b","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\nB\n</page_content id=\"haaaaaaaaa\">","is_error":true},{"type":"text","text":"more","cache_control":{"type":"ephemeral"}}]}]}"#]],
    );
}

#[test]
fn broken_histories_are_put_in_order() {
    let custom = provider("custom", "m");
    // Stopped while a tool ran; a result whose call is gone; an empty answer; two user turns in a row.
    let turns = [
        result("lost", true, "old"),
        said("hi"),
        called("", &[("a", "{}"), ("b", "{}")]),
        result("b", true, "B"),
        user("go on"),
        said(""),
        user("now"),
    ];
    check(
        &custom,
        &turns,
        expect![[r#"
        {"model":"m","stream":true,"max_tokens":100,"temperature":0.5,"tools":[{"type":"function","function":{"name":"click_ax","description":"Click.","parameters":{"type":"object","properties":{"b":{},"a":{}}}}}]
        ,"messages":[
        {"role":"system","content":"S"},
        {"role":"user","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\nold\n</page_content id=\"haaaaaaaaa\">"},
        {"role":"assistant","content":"hi"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"click_ax","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"click_ax","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"a","content":"No result: this call was interrupted. It may or may not have been carried out; look before going on."},
        {"role":"tool","tool_call_id":"b","content":"<page_content id=\"haaaaaaaaa\" from=\"https://a.test\">\nB\n</page_content id=\"haaaaaaaaa\">"},
        {"role":"user","content":"go on\n\nnow"}]}"#]],
    );
}

#[test]
fn headers_carry_the_key_and_do_not_show_it() {
    let prompt = Prompt::assemble(&[], &[user("x")], vec![]);
    for (id, header, value) in
        [("openai", "Authorization", "Bearer sk-secret-1234567890"), ("anthropic", "x-api-key", "sk-secret-1234567890")]
    {
        let request = chat(&provider(id, ""), &prompt, &PARAMS).unwrap();
        assert!(!format!("{request:?}").contains("secret-1234567890"));
        let found = request.headers.iter().find(|(name, _)| name == header).unwrap();
        assert_eq!(found.1.expose(), value);
    }
    let request = chat(&provider("anthropic", ""), &prompt, &PARAMS).unwrap();
    assert_eq!(request.url, "https://api.anthropic.com/v1/messages");
    assert!(format!("{:?}", request.headers).contains(r#"("anthropic-dangerous-direct-browser-access", "true")"#));
}

fn any_turns() -> impl Strategy<Value = Vec<Message>> {
    let turn = prop_oneof![
        "[a-z][a-z\n\"é]{0,8}".prop_map(|t| vec![user(&t), said("ok")]),
        ("[a-z]{0,4}", 1usize..4).prop_map(|(text, n)| {
            let ids: Vec<String> = (0..n).map(|i| format!("id{i}")).collect();
            let calls: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "{\"b\":1,\"a\":2}")).collect();
            let mut turns = vec![user("u"), called(&text, &calls)];
            turns.extend(ids.iter().map(|id| result(id, true, "page")));
            turns.push(said("done"));
            turns
        }),
    ];
    prop::collection::vec(turn, 1..6).prop_map(|turns| turns.concat())
}

proptest! {
    #[test]
    fn adding_a_turn_only_adds_bytes_at_the_end(turns in any_turns(), more in any_turns()) {
        for id in ["custom", "anthropic"] {
            let provider = provider(id, "m");
            // The moving breakpoint is a mark, not content: the provider's cache ignores where it stood before.
            let bytes = |turns: &[Message]| body(&provider, turns, vec![tool()]).replace(r#","cache_control":{"type":"ephemeral"}"#, "");
            let before = bytes(&turns);
            let after = bytes(&[turns.clone(), more.clone()].concat());
            prop_assert!(after.starts_with(before.strip_suffix("]}").unwrap()), "{}\n{}", before, after);
        }
    }

    #[test]
    fn anthropic_roles_alternate_whatever_the_history(picks in prop::collection::vec(0u8..4, 0..12)) {
        let turns: Vec<Message> = picks.iter().map(|pick| match pick {
            0 => user("u"),
            1 => said("s"),
            2 => called("", &[("a", "{}"), ("a", "{}")]),
            _ => result("a", true, "r"),
        }).collect();
        let text = body(&provider("anthropic", "m"), &turns, vec![]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let roles: Vec<&str> = value["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        for (at, role) in roles.iter().enumerate() {
            prop_assert_eq!(*role, if at % 2 == 0 { "user" } else { "assistant" });
        }
    }
}
