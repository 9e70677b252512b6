//! Makes a self-contained function of what binaryen's `wasm2js` writes.
//!
//! It writes an ES module that imports the glue and exports each function. Injected scripts are no modules, so the imports become
//! an argument and the exports the result.

use anyhow::{Context, Result, bail};

/// Where the new memory is filled when it grows.
const COPIED: &str = "newHEAP8.set(HEAP8);";
/// Where it takes the old one's place.
const REPLACED: &str = "buffer = newBuffer;";
/// The statement that instantiates the module.
const INSTANCE: &str = "var retasmFunc = ";

/// An expression: a function that takes wasm-bindgen's imports and returns the exports.
pub fn function(script: &str) -> Result<String> {
    let names: Vec<&str> = script.lines().filter_map(imported).collect();
    let lines = script.lines().filter(|line| imported(line).is_none() && !line.starts_with("export "));
    let body = lines.collect::<Vec<_>>().join("\n");
    if names.is_empty() || body.matches(INSTANCE).count() != 1 {
        bail!(
            "wasm2js's output has changed: it does not import the glue or instantiate once; see xtask/src/wasm2js.rs"
        );
    }
    // wasm-bindgen has one import object, whatever wasm2js calls it.
    let aliases: String = names.iter().map(|name| format!("  const {name} = Object.values(imports)[0];\n")).collect();
    Ok(format!("(imports) => {{\n{aliases}{}\n  return retasmFunc;\n}}", detach_outgrown(&body)?))
}

/// The name under which a line imports the glue.
fn imported(line: &str) -> Option<&str> {
    line.strip_prefix("import * as ")?.split_whitespace().next()
}

/// Growing the memory makes a new buffer and leaves the old one as it was; wasm-bindgen's cached views notice only a detached
/// buffer. So the old one is detached.
fn detach_outgrown(body: &str) -> Result<String> {
    let at = body.find(COPIED).context("wasm2js's output has changed: no copy of a growing memory")?;
    let (before, after) = body.split_at(at + COPIED.len());
    if !after.contains(REPLACED) {
        bail!("wasm2js's output has changed: a growing memory is not replaced; see xtask/src/wasm2js.rs");
    }
    let after = after.replacen(REPLACED, &format!("{REPLACED}\n   outgrown.transfer(0);"), 1);
    Ok(format!("{before}\n   const outgrown = buffer;{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const OUTPUT: &str = "import * as $_content_bg_js from './content_bg.js';

function asmFunc(imports) {
 function grow() {
  newHEAP8.set(HEAP8);
  buffer = newBuffer;
 }
 return {};
}

var retasmFunc = asmFunc({
  \"./content_bg.js\": $_content_bg_js,
});
export var call = retasmFunc.call;";

    #[test]
    fn a_module_becomes_a_function_that_detaches_outgrown_memory() {
        expect![[r#"
            (imports) => {
              const $_content_bg_js = Object.values(imports)[0];

            function asmFunc(imports) {
             function grow() {
              newHEAP8.set(HEAP8);
               const outgrown = buffer;
              buffer = newBuffer;
               outgrown.transfer(0);
             }
             return {};
            }

            var retasmFunc = asmFunc({
              "./content_bg.js": $_content_bg_js,
            });
              return retasmFunc;
            }"#]]
        .assert_eq(&function(OUTPUT).unwrap());
    }

    #[test]
    fn output_of_another_shape_is_refused() {
        assert!(function("export default 1;").is_err());
        assert!(function(&OUTPUT.replace("newHEAP8", "heap")).is_err());
    }
}
