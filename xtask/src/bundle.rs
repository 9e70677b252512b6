//! The two injectable forms of the content script. Both define `globalThis.__webbrain = { call }` once, do nothing when they are
//! injected again, and end in `undefined;`, because a script's last value is sent back and must be cloneable.

use anyhow::{Result, bail};
use base64::{Engine, engine::general_purpose::STANDARD};

/// The glue and the module's bytes in one script.
pub fn wasm_form(glue: &str, wasm: &[u8]) -> Result<String> {
    let start =
        format!("const ready = core({{ module_or_path: Uint8Array.fromBase64(\"{}\") }});", STANDARD.encode(wasm));
    wrap(glue, &start)
}

/// The glue and the module as JavaScript in one script. `function` is an expression that takes the imports and returns the
/// exports; the glue gets a second entry that accepts those instead of a WebAssembly instance.
pub fn js_form(glue: &str, function: &str) -> Result<String> {
    let glue = add_entry(glue)?;
    let start = format!("const module = {function};\nconst ready = core.fromExports(module);");
    wrap(&glue, &start)
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

fn wrap(glue: &str, start: &str) -> Result<String> {
    if !glue.starts_with("let wasm_bindgen =") {
        bail!("wasm-bindgen's glue has changed: it does not begin with `let wasm_bindgen`; see xtask/src/bundle.rs");
    }
    let script = format!(
        "globalThis.__webbrain ??= (() => {{\n{glue}\nconst core = wasm_bindgen;\n{start}\n\
         return {{ call: (request) => ready.then(() => core.call(request)) }};\n}})();\nundefined;\n"
    );
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "let wasm_bindgen = (function(exports) {\nfunction __wbg_get_imports() {}\n\
        function __wbg_finalize_init(instance, module) {}\n\
        return Object.assign(__wbg_init, { initSync }, exports);\n})({});";

    #[test]
    fn both_forms_run_once_and_end_in_a_value_that_can_be_cloned() {
        for script in [wasm_form(GLUE, b"\0asm").unwrap(), js_form(GLUE, "(imports) => ({})").unwrap()] {
            assert!(script.starts_with("globalThis.__webbrain ??= "), "{script}");
            assert!(script.ends_with("\nundefined;\n"), "{script}");
        }
    }

    #[test]
    fn glue_of_another_shape_is_refused() {
        assert!(wasm_form("var wasm_bindgen;", b"").is_err());
        assert!(js_form("let wasm_bindgen = 1;", "f").is_err());
    }
}
