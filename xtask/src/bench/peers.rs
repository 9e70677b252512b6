//! What the tree is measured against, read from where it is installed for the benchmark. None of it enters the repository.

use super::pages;
use crate::sh;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Version of the peer, pinned so that figures can be compared.
const PLAYWRIGHT: &str = "1.65.1";

/// One way to read a page, as script for an isolated world.
pub struct Design {
    /// Key in the figures.
    pub key: &'static str,
    /// Run once a page; not measured.
    pub prepare: String,
    /// An expression that reads the page once; it or its promise gives the text.
    pub read: String,
    /// Run before each reading, not measured: it forgets what an earlier reading left.
    pub forget: &'static str,
    /// An expression that gives the whole text when one reading gives only its first page.
    pub whole: Option<String>,
}

/// A call of our content script.
fn our_call(args: &str, tool: &str) -> String {
    format!(
        "__webbrain.call(JSON.stringify({{kind:'call',call:{{tool:'{tool}',args:{args}}},ref_floor:1,timeout_ms:60000,\
         observe_only:false}})).then(r=>JSON.parse(r).text)"
    )
}

/// The end of a run, after which nothing is kept.
const RELEASE: &str = "__webbrain.call(JSON.stringify({kind:'release'}))";

/// Our content script in one of its forms, from the built extension.
pub fn ours(key: &'static str, file: &str) -> Result<Design> {
    let script = sh::read(&sh::path("dist/chrome").join(file))?;
    let host = "globalThis.__webbrainHost={stop(){},text(k){return k}};";
    let one = our_call("{filter:'all',maxDepth:400,page:n}", "get_accessibility_tree");
    let whole = format!(
        "(async()=>{{let all=[];for(let n=1;n<2000;n++){{const t=await {one};if(!t||t.startsWith('[page '+n+' does not'))\
         break;all.push(t);if(!/; call get_acc|, page: /.test(t.slice(-220)))break}}return all.join('\\n')}})()"
    );
    Ok(Design {
        key,
        prepare: format!("{host}{script};0"),
        read: our_call("{filter:'all',maxDepth:400}", "get_accessibility_tree"),
        forget: RELEASE,
        whole: Some(whole),
    })
}

/// The builder of the JavaScript implementation, its quadratic ref lookup replaced by a WeakMap; `None` unless
/// `WEBBRAIN_REFERENCE` names its folder.
pub fn reference() -> Result<Option<Design>> {
    let Some(folder) = std::env::var_os("WEBBRAIN_REFERENCE") else { return Ok(None) };
    let file = Path::new(&folder).join("src/chrome/src/content/accessibility-tree.js");
    let script = sh::read(&file)?;
    let start = script.find("function getOrMintRef(el) {").context("the reference has no getOrMintRef")?;
    let end = start + script[start..].find("return key;\n  }").context("unexpected getOrMintRef")?;
    let end = script[start..].rfind('}').map_or(end, |_| end + "return key;\n  }".len());
    let body = &script[start..end];
    let last = body.rfind("const key").context("unexpected getOrMintRef")?;
    let repaired = format!(
        "function getOrMintRef(el) {{ const m = (window.__bench_refs ??= new WeakMap()); const k = m.get(el); if (k) return k; \
         {} m.set(el, key); return key; }}",
        body[last..].replace("return key;\n  }", "")
    );
    Ok(Some(Design {
        key: "reference",
        prepare: format!("{}{repaired}{};0", &script[..start], &script[end..]),
        read: "__generateAccessibilityTree('all',100000,1000000000).pageContent".to_owned(),
        forget: "0",
        whole: None,
    }))
}

/// Playwright's snapshot for AI agents, from its npm package.
pub fn playwright() -> Result<Design> {
    let folder = pages::npm("playwright-core", PLAYWRIGHT)?;
    let extract = "const s=require('fs').readFileSync(process.argv[1]+'/lib/coreBundle.js','utf8');\
                   const i=s.indexOf('generated/injectedScriptSource.ts\"()');const a=s.indexOf(\"= '\",i)+2;\
                   const b=s.indexOf(\"';\\n\",a)+1;process.stdout.write(eval(s.slice(a,b)))";
    let source = sh::output(Command::new("node").args(["-e", extract]).arg(&folder))?;
    if !source.contains("ariaSnapshot") {
        bail!("playwright-core {PLAYWRIGHT} has no ariaSnapshot where it is looked for");
    }
    let options = json!({"isUnderTest": false, "sdkLanguage": "javascript", "frameSeq": 0,
        "testIdAttributeName": "data-testid", "stableRafCount": 2, "browserName": "chromium",
        "shouldPrependErrorPrefix": false, "isUtilityWorld": true, "customEngines": []});
    let prepare = format!(
        "globalThis.__pw=(()=>{{const module={{}};{source}\nreturn new (module.exports.InjectedScript())(globalThis,{options})}})();0"
    );
    Ok(Design {
        key: "playwright",
        prepare,
        read:
            "(r=>typeof r==='string'?r:r.full??r.text??JSON.stringify(r))(__pw.ariaSnapshot(document.body,{mode:'ai'}))"
                .to_owned(),
        forget: "0",
        whole: None,
    })
}

/// Roles that Chromium's own tree has for things to operate.
const CONTROLS: [&str; 17] = [
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "combobox",
    "listbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "treeitem",
    "option",
];

/// `role name` of what Chromium's own tree calls interactive and shows.
pub fn controls(tree: &Value) -> Vec<(String, String)> {
    let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
    let text = |v: &Value| v["value"].as_str().unwrap_or_default().to_owned();
    nodes
        .iter()
        .filter(|n| n["ignored"] != true)
        .map(|n| (role_name(&text(&n["role"])), text(&n["name"])))
        .filter(|(role, _)| CONTROLS.contains(&role.as_str()))
        .collect()
}

/// Chromium's internal role names as ARIA has them.
fn role_name(role: &str) -> String {
    match role {
        "ComboBoxSelect" | "TextFieldWithComboBox" | "comboBoxMenuButton" => "combobox".to_owned(),
        "DisclosureTriangle" | "DisclosureTriangleGrouped" | "PopUpButton" | "ToggleButton" => "button".to_owned(),
        other => other.to_lowercase(),
    }
}
