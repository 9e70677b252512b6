//! Short names for the imports of a module. wasm-bindgen's carry a hash each: with a hundred imports they are two per cent of
//! the content script.

use anyhow::{Context, Result, bail};

/// The module and its glue with short import names. Names that are in the glue once as a key are renamed; an import without its
/// key means that wasm-bindgen's glue has changed.
pub fn shorten(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut module = walrus::Module::from_buffer(wasm).context("the module cannot be read")?;
    let mut glue = glue.to_owned();
    let folder = module.imports.iter().next().map(|import| import.module.clone()).unwrap_or_default();
    let key = format!("{folder:?}: import0");
    if glue.matches(&key).count() != 1 {
        bail!("wasm-bindgen's glue has changed: {key} is not in it once; see xtask/src/names.rs");
    }
    glue = glue.replace(&key, "\"m\": import0");
    for (number, import) in module.imports.iter_mut().enumerate() {
        let (start, short) = (format!(" {}: function", import.name), format!("i{number}"));
        if import.module != folder || glue.matches(&start).count() != 1 {
            bail!("wasm-bindgen's glue has changed: no one function {} in it; see xtask/src/names.rs", import.name);
        }
        glue = glue.replace(&start, &format!(" {short}: function"));
        import.module = "m".to_owned();
        import.name = short;
    }
    Ok((module.emit_wasm(), glue))
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn every_import_finds_its_function() {
        let mut module = walrus::Module::default();
        let ty = module.types.add(&[], &[]);
        module.add_import_func("./x_bg.js", "__wbg_a_1", ty);
        module.add_import_func("./x_bg.js", "__wbg_b_2", ty);
        let wasm = module.emit_wasm();
        let glue = "{ __wbg_a_1: function() {}, __wbg_b_2: function() {} } { \"./x_bg.js\": import0 }";
        let (short, renamed) = shorten(&wasm, glue).unwrap();
        assert_eq!(renamed, "{ i0: function() {}, i1: function() {} } { \"m\": import0 }");
        let read = walrus::Module::from_buffer(&short).unwrap();
        assert_eq!(read.imports.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["i0", "i1"]);
        assert!(shorten(&wasm, "{ \"./x_bg.js\": import0 }").is_err());
    }
}
