//! The injectable scripts: two halves of the content script, each in two forms. The reader defines `globalThis.__webbrain` with
//! `call`; the actor, which comes later and only where something is done, makes itself known to it. Both do nothing when they are
//! injected again, and end in `undefined;`, because a script's last value is sent back and must be cloneable.

use anyhow::{Result, bail};
use base64::{Engine, engine::general_purpose::STANDARD};

/// Which half of the content script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// What is always there.
    Reader,
    /// What acts.
    Actor,
}

/// The glue and the module's bytes in one script. `before` stands in the scope of the glue.
pub fn wasm_form(half: Half, before: &str, glue: &str, wasm: &[u8]) -> Result<String> {
    let start =
        format!("const ready = core({{ module_or_path: Uint8Array.fromBase64(\"{}\") }});", STANDARD.encode(wasm));
    wrap(half, "wasm", before, glue, &start)
}

/// The glue and the module as JavaScript in one script. `function` is an expression that takes the imports and returns the
/// exports; the glue gets a second entry that accepts those instead of a WebAssembly instance.
pub fn js_form(half: Half, before: &str, glue: &str, function: &str) -> Result<String> {
    let glue = add_entry(glue)?;
    let start = format!("const module = {function};\nconst ready = core.fromExports(module);");
    wrap(half, "js", before, &glue, &start)
}

fn add_entry(glue: &str) -> Result<String> {
    const IMPORTS: &str = "function __wbg_get_imports()";
    const FINISH: &str = "function __wbg_finalize_init(instance, module)";
    const RETURN: &str = "return Object.assign(__wbg_init, { initSync }, exports);";
    for part in [IMPORTS, FINISH, RETURN] {
        if glue.matches(part).count() != 1 {
            bail!("wasm-bindgen's glue has changed: {part:?} is not in it once; see xtask/src/bundle.rs");
        }
    }
    let entry = "const fromExports = async (module) => {\n        const imports = __wbg_get_imports();\n        \
                 __wbg_finalize_init({ exports: module(imports) }, undefined);\n    };\n    \
                 return Object.assign(__wbg_init, { initSync, fromExports }, exports);";
    Ok(glue.replace(RETURN, entry))
}

fn wrap(half: Half, form: &str, before: &str, glue: &str, start: &str) -> Result<String> {
    if !glue.starts_with("let wasm_bindgen =") {
        bail!("wasm-bindgen's glue has changed: it does not begin with `let wasm_bindgen`; see xtask/src/bundle.rs");
    }
    let body = format!("{before}\n{glue}\nconst core = wasm_bindgen;\n{start}");
    Ok(match half {
        Half::Reader => format!(
            "globalThis.__webbrain ??= (() => {{\nconst form = {form:?};\n{body}\n\
             return {{ actor, services: core, call: (request) => ready.then(() => core.call(request)) }};\n}})();\nundefined;\n"
        ),
        // Where the document was replaced in the meantime there is no reader to act for.
        Half::Actor => format!(
            "((reader) => {{\nif (!reader || reader.actor.coming) return;\nconst services = reader.services;\n{body}\n\
             reader.actor.meet(ready.then(() => core));\n}})(globalThis.__webbrain);\nundefined;\n"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "let wasm_bindgen = (function(exports) {\nfunction __wbg_get_imports() {}\n\
        function __wbg_finalize_init(instance, module) {}\n\
        return Object.assign(__wbg_init, { initSync }, exports);\n})({});";

    #[test]
    fn both_forms_run_once_and_end_in_a_value_that_can_be_cloned() {
        for (half, start, once) in [
            (Half::Reader, "globalThis.__webbrain ??= ", "globalThis.__webbrain ??= "),
            (Half::Actor, "((reader) => {", "if (!reader || reader.actor.coming) return;"),
        ] {
            let forms = [wasm_form(half, "", GLUE, b"\0asm"), js_form(half, "", GLUE, "(imports) => ({})")];
            for script in forms.map(Result::unwrap) {
                assert!(script.starts_with(start) && script.contains(once), "{script}");
                assert!(script.ends_with("\nundefined;\n"), "{script}");
            }
        }
    }

    #[test]
    fn the_reader_knows_its_form() {
        assert!(wasm_form(Half::Reader, "", GLUE, b"").unwrap().contains("const form = \"wasm\";"));
        assert!(js_form(Half::Reader, "", GLUE, "f").unwrap().contains("const form = \"js\";"));
    }

    #[test]
    fn glue_of_another_shape_is_refused() {
        assert!(wasm_form(Half::Reader, "", "var wasm_bindgen;", b"").is_err());
        assert!(js_form(Half::Actor, "", "let wasm_bindgen = 1;", "f").is_err());
    }
}
