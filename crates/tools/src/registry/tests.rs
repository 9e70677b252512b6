use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde_json::Value;

/// The schema as a model sees it: closed, without what only a validator reads.
fn schema<T: JsonSchema>() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut value);
    if let Value::Object(map) = &mut value {
        map.remove("description");
        map.entry("properties").or_insert_with(|| serde_json::json!({}));
    }
    serde_json::to_string(&value).unwrap()
}

/// Drops formats, defaults and nulls, which cost tokens and tell the model nothing; turns `oneOf` of constants into `enum`.
fn tidy(value: &mut Value) {
    if let Value::Object(map) = value {
        for key in ["title", "format", "minimum", "default", "$schema"] {
            map.remove(key);
        }
        if let Some(Value::Array(options)) = map.get("oneOf") {
            let names: Vec<Value> = options.iter().filter_map(|o| o.get("const").cloned()).collect();
            if names.len() == options.len() {
                map.remove("oneOf");
                map.insert("enum".into(), Value::Array(names));
                map.insert("type".into(), "string".into());
            }
        }
        if let Some(Value::Array(types)) = map.get("type") {
            let first = types.iter().find(|t| *t != "null").cloned();
            if let Some(first) = first {
                map.insert("type".into(), first);
            }
        }
        if let Some(Value::Array(options)) = map.remove("anyOf")
            && let Some(Value::Object(inner)) = options.into_iter().find(|o| o["type"] != "null")
        {
            map.extend(inner.into_iter().filter(|(k, _)| k != "description"));
        }
        map.values_mut().for_each(tidy);
    } else if let Value::Array(items) = value {
        items.iter_mut().for_each(tidy);
    }
}

macro_rules! schemas {
    ($($tool:ty),* ; $($look:ty),* $(,)?) => {
        vec![$((<$tool as Tool>::SPEC.name, schema::<$tool>()),)* $((<$look as Look>::SPEC.name, schema::<$look>()),)*]
    };
}

fn generated() -> Vec<(&'static str, String)> {
    schemas![
        GetAccessibilityTree,
        ClickAx,
        TypeAx,
        SetField,
        TypeText,
        UploadFile,
        PressKeys,
        Scroll,
        Navigate,
        GoBack,
        GoForward,
        NewTab,
        ReadPage,
        ExtractData,
        GetSelection,
        WaitForElement,
        WaitForStable,
        ScratchpadWrite,
        Clarify,
        Done;
        FindText,
        GetInteractiveElements,
        IframeRead,
        GetFrames,
        GetShadowDom,
        ShadowDomQuery,
        ReadPageSource,
        InspectElementStyles,
    ]
}

/// `UPDATE_EXPECT=1 cargo test -p webbrain-tools` writes the files.
#[test]
fn committed_schemas_are_the_generated_ones() {
    let generated = generated();
    assert_eq!(generated.len(), all().len());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        for (name, text) in &generated {
            std::fs::write(format!("{}/schemas/{name}.json", env!("CARGO_MANIFEST_DIR")), text).unwrap();
        }
    }
    for (name, text) in generated {
        let committed = all().iter().find(|e| e.spec.name == name).unwrap().schema;
        assert_eq!(committed, text, "run with UPDATE_EXPECT=1");
    }
}

#[test]
fn every_schema_is_closed() {
    for entry in all() {
        let schema: Value = serde_json::from_str(entry.schema).unwrap();
        assert_eq!(schema["additionalProperties"], false, "{}", entry.spec.name);
        assert_eq!(schema["type"], "object", "{}", entry.spec.name);
    }
}

fn check_exposure(mode: Mode, tier: Tier, expected: Expect) {
    let names: Vec<&str> = exposed(mode, tier).map(|e| e.spec.name).collect();
    expected.assert_eq(&names.join(" "));
}

#[test]
fn exposure_by_mode_and_tier() {
    check_exposure(
        Mode::Ask,
        Tier::Full,
        expect![
            "get_accessibility_tree scroll read_page extract_data get_selection find_text get_interactive_elements iframe_read wait_for_stable"
        ],
    );
    check_exposure(
        Mode::Act,
        Tier::Compact,
        expect![
            "get_accessibility_tree click_ax type_ax set_field type_text press_keys scroll navigate new_tab read_page extract_data get_selection wait_for_element scratchpad_write clarify done"
        ],
    );
    check_exposure(
        Mode::Act,
        Tier::Full,
        expect![
            "get_accessibility_tree click_ax type_ax set_field type_text upload_file press_keys scroll navigate go_back go_forward new_tab read_page extract_data get_selection find_text get_interactive_elements iframe_read get_frames get_shadow_dom shadow_dom_query wait_for_element wait_for_stable scratchpad_write clarify done"
        ],
    );
}

#[test]
fn ask_shows_the_same_tools_in_every_tier_and_none_that_acts() {
    for tier in [Tier::Compact, Tier::Mid, Tier::Full] {
        let names = |t| exposed(Mode::Ask, t).map(|e| e.spec.name).collect::<Vec<_>>();
        assert_eq!(names(tier), names(Tier::Full));
    }
    assert!(exposed(Mode::Ask, Tier::Full).all(|e| matches!(e.spec.effect, Effect::Read)));
}

#[test]
fn what_acts_is_never_done_twice() {
    for entry in all() {
        if matches!(entry.spec.effect, Effect::Acts(_)) {
            assert_eq!(entry.spec.after_crash, AfterCrash::Unknown, "{}", entry.spec.name);
        }
    }
}

fn check_parse(tool: &str, arguments: &str, expected: Expect) {
    let entry = all().iter().find(|e| e.spec.name == tool).unwrap();
    let shown = match entry.parse(arguments) {
        Ok(p) => serde_json::to_string(&p.dispatch).unwrap(),
        Err(e) => e.to_string(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn arguments_are_read_as_models_write_them() {
    check_parse(
        "click_ax",
        r#"{"ref_id":"ref_3"}"#,
        expect![[r#"{"page":{"tool":"click_ax","args":{"ref_id":"ref_3"}}}"#]],
    );
    check_parse(
        "click_ax",
        r#"{"ref_id":"[ref_3]"}"#,
        expect![[r#"{"page":{"tool":"click_ax","args":{"ref_id":"ref_3"}}}"#]],
    );
    check_parse("click_ax", r#"{"ref_id":3}"#, expect![[r#"{"page":{"tool":"click_ax","args":{"ref_id":"ref_3"}}}"#]]);
    check_parse(
        "scroll",
        r#"{"direction":"down","amount":"300"}"#,
        expect![[r#"{"page":{"tool":"scroll","args":{"direction":"down","amount":300,"ref_id":null}}}"#]],
    );
    check_parse(
        "set_field",
        r#"{"ref_id":"ref_1","text":"a","submit":"true"}"#,
        expect![[r#"{"page":{"tool":"set_field","args":{"ref_id":"ref_1","text":"a","clear":null,"submit":true}}}"#]],
    );
    check_parse("get_selection", "", expect![[r#"{"page":{"tool":"get_selection","args":{}}}"#]]);
}

#[test]
fn arguments_that_do_not_fit_say_why() {
    check_parse(
        "click_ax",
        r#"{"ref_id":"ref_3","x":1}"#,
        expect!["the arguments of click_ax do not fit: unknown field `x`, expected `ref_id`"],
    );
    check_parse("click_ax", "{}", expect!["the arguments of click_ax do not fit: missing field `ref_id`"]);
    check_parse(
        "press_keys",
        r#"{"key":"F5"}"#,
        expect![
            "the arguments of press_keys do not fit: unknown variant `F5`, expected one of `Escape`, `Tab`, `Enter`, `ArrowUp`, `ArrowDown`, `ArrowLeft`, `ArrowRight`"
        ],
    );
    check_parse(
        "scroll",
        r#"{"direction":"down","amount":-4}"#,
        expect!["the arguments of scroll do not fit: expected a whole number of at least 0"],
    );
    check_parse("done", r#"{"summary":"x"}"#, expect!["the arguments of done do not fit: missing field `outcome`"]);
    check_parse(
        "click_ax",
        "{\"ref_id\"",
        expect!["the arguments of click_ax do not fit: EOF while parsing an object at line 1 column 9"],
    );
}

#[test]
fn tools_that_look_are_read_by_their_schema() {
    check_parse(
        "find_text",
        r#"{"text":"a","matchCase":"true","page":null}"#,
        expect![[r#"{"page":{"tool":"look","args":{"name":"find_text","with":{"matchCase":true,"text":"a"}}}}"#]],
    );
    check_parse(
        "find_text",
        r#"{"text":5,"page":"2"}"#,
        expect![[r#"{"page":{"tool":"look","args":{"name":"find_text","with":{"page":2,"text":"5"}}}}"#]],
    );
    check_parse(
        "inspect_element_styles",
        r#"{"ref_id":"[ref_4]"}"#,
        expect![[r#"{"page":{"tool":"look","args":{"name":"inspect_element_styles","ref_id":"ref_4","with":{}}}}"#]],
    );
    check_parse("find_text", r#"{"page":1}"#, expect!["the arguments of find_text do not fit: missing field `text`"]);
    check_parse(
        "find_text",
        r#"{"text":"a","page":-1}"#,
        expect!["the arguments of find_text do not fit: `page` has to be: integer"],
    );
    check_parse(
        "find_text",
        r#"{"text":"a","regex":true}"#,
        expect![
            "the arguments of find_text do not fit: unknown field `regex`, expected one of `matchCase`, `page`, `text`"
        ],
    );
    check_parse(
        "find_text",
        r#"{"text":["a"]}"#,
        expect!["the arguments of find_text do not fit: `text` has to be: string"],
    );
    check_parse(
        "get_frames",
        "[]",
        expect!["the arguments of get_frames do not fit: invalid type: sequence, expected a map at line 1 column 0"],
    );
    check_parse("get_frames", "", expect![[r#"{"page":{"tool":"look","args":{"name":"get_frames","with":{}}}}"#]]);
}

proptest! {
    #[test]
    fn parsing_never_panics(text in "\\PC{0,80}") {
        for entry in all() {
            let _ = entry.parse(&text);
        }
    }
}
