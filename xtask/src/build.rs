//! `build`: cargo, wasm-bindgen, binaryen and the static files, into `dist/`. Intermediate results lie under
//! `target/bundle/`, each beside a hash of what it was made from, so that an unchanged crate costs nothing.

use crate::bundle::Half;
use crate::toolchain::{Cpu, TARGET, Toolchain};
use crate::{Browser, bundle, manifest, names, setup, sh, wasm2js};
use anyhow::{Context, Result, bail};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

/// Changed by hand when a step below makes other bytes from the same input.
const RECIPE: u32 = 2;

/// What to build.
pub struct Options {
    /// For which browsers.
    pub browsers: Vec<Browser>,
    /// Quick to make instead of small.
    pub dev: bool,
}

/// A file whose size users pay for, with its limit.
pub struct Sized {
    /// The key in `bench size`, less its `_bytes`.
    pub name: &'static str,
    /// Bytes.
    pub bytes: u64,
    /// Bytes; none when there is no limit.
    pub limit: Option<u64>,
}

/// Builds and prints the sizes; what is over its limit is a warning here and an error in `test`.
pub fn build(options: &Options) -> Result<()> {
    compile(&Toolchain::need()?)?;
    let parts = bundle_parts(options.dev)?;
    for browser in &options.browsers {
        assemble(*browser, &parts)?;
        println!("dist/{} is ready", browser.name());
    }
    print_sizes(&sizes()?);
    Ok(())
}

fn compile(toolchain: &Toolchain) -> Result<()> {
    let content = ["-p", "webbrain-content", "-p", "webbrain-content-act"];
    let others = ["-p", "webbrain-background", "-p", "webbrain-panel"];
    sh::run(toolchain.cargo_build(Cpu::Default).args(content).args(others))?;
    sh::run(toolchain.cargo_build(Cpu::Mvp).args(content))
}

/// Files that go into every `dist/` folder, made from the compiled crates.
struct Parts {
    background: PathBuf,
    panel: PathBuf,
    /// Scripts that are injected.
    injected: Vec<PathBuf>,
}

fn bundle_parts(dev: bool) -> Result<Parts> {
    let background = module("background", "background_core", Form::Module, Cpu::Default, dev)?;
    let panel = module("panel", "panel", Form::Module, Cpu::Default, dev)?;
    let mut injected = Vec::new();
    for (half, name) in [(Half::Reader, "content"), (Half::Actor, "content-act")] {
        let folder = module(name, name, Form::Script, Cpu::Default, dev)?;
        let script = folder.join(format!("{name}-wasm.js"));
        let glue = sh::read(&folder.join(format!("{name}.js")))?;
        let bytes = std::fs::read(folder.join(format!("{name}_bg.wasm")))?;
        sh::write(&script, bundle::wasm_form(half, &scope(half)?, &glue, &bytes)?)?;
        let mvp = module(name, name, Form::Script, Cpu::Mvp, dev)?;
        injected.extend([script, as_js(half, name, &mvp, dev)?]);
    }
    Ok(Parts { background, panel, injected })
}

/// What stands in the scope of a half's glue: the part of the reader that is JavaScript, which reads the document into numbers,
/// and its way to the actor.
fn scope(half: Half) -> Result<String> {
    if half == Half::Actor {
        return Ok(String::new());
    }
    let folder = sh::path("extension-common/content");
    Ok(sh::read(&folder.join("collector.js"))? + &sh::read(&folder.join("link.js"))?)
}

fn as_js(half: Half, name: &str, folder: &Path, dev: bool) -> Result<PathBuf> {
    let out = folder.join(format!("{name}-js.js"));
    let wasm = folder.join(format!("{name}_bg.wasm"));
    let glue = sh::read(&folder.join(format!("{name}.js")))?;
    let scope = scope(half)?;
    let key = key(
        &[
            &std::fs::read(&wasm)?,
            glue.as_bytes(),
            scope.as_bytes(),
            include_bytes!("wasm2js.rs"),
            include_bytes!("bundle.rs"),
        ],
        dev,
    );
    cached(folder, "js.key", &key, &out, || {
        println!("wasm2js {name} ({})", if dev { "quick" } else { "-O3, takes a while" });
        let raw = folder.join(format!("{name}_bg.js"));
        let level = if dev { "-O1" } else { "-O3" };
        let mut tool = setup::binaryen("wasm2js")?;
        sh::output(tool.arg(level).arg(&wasm).arg("-o").arg(&raw))?;
        let script = wasm2js::function(&sh::read(&raw)?)?;
        sh::write(&out, bundle::js_form(half, &scope, &glue, &script)?)
    })?;
    Ok(out)
}

/// How a module is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// An ES module beside its wasm file.
    Module,
    /// A script that is injected into a page.
    Script,
}

/// wasm-bindgen and wasm-opt for one crate; the folder that holds `OUT.js` and `OUT_bg.wasm`.
fn module(name: &str, out: &str, form: Form, cpu: Cpu, dev: bool) -> Result<PathBuf> {
    let raw = cpu.target_dir().join(TARGET).join("release").join(format!("webbrain_{}.wasm", name.replace('-', "_")));
    let bytes = std::fs::read(&raw).with_context(|| format!("cannot read {}", raw.display()))?;
    let mvp = cpu == Cpu::Mvp;
    let folder = sh::path("target/bundle").join(if mvp { format!("{name}-mvp") } else { name.to_owned() });
    let wasm = folder.join(format!("{out}_bg.wasm"));
    cached(&folder, "wasm.key", &key(&[&bytes, &[u8::from(mvp)]], dev), &wasm, || {
        println!("wasm-bindgen {name}{}", if mvp { " (for wasm2js)" } else { "" });
        let mut bindgen = Bindgen::new();
        bindgen.input_bytes(out, bytes.clone()).out_name(out).typescript(false);
        bindgen.remove_name_section(true).remove_producers_section(true).omit_default_module_path(true);
        match form {
            Form::Module => bindgen.web(true)?,
            Form::Script => bindgen.no_modules(true)?,
        };
        bindgen.generate(&folder).with_context(|| format!("wasm-bindgen failed on {}", raw.display()))?;
        if form == Form::Script && !mvp {
            let script = folder.join(format!("{out}.js"));
            let (short, glue) = names::shorten(&std::fs::read(&wasm)?, &sh::read(&script)?)?;
            sh::write(&wasm, short)?;
            sh::write(&script, glue)?;
        }
        if dev || mvp { Ok(()) } else { optimise(&wasm) }
    })?;
    Ok(folder)
}

/// Exactly these features: with all of them the output does not load in Chromium.
const WASM_OPT: &[&str] = &[
    "--dae-optimizing",
    "-Oz",
    "--converge",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
];

fn optimise(wasm: &Path) -> Result<()> {
    let before = std::fs::metadata(wasm)?.len();
    let small = wasm.with_extension("small");
    sh::output(setup::binaryen("wasm-opt")?.args(WASM_OPT).arg(wasm).arg("-o").arg(&small))?;
    std::fs::rename(&small, wasm)?;
    println!("wasm-opt {}: {before} -> {} bytes", wasm.display(), std::fs::metadata(wasm)?.len());
    Ok(())
}

/// A hash of what a step is made from. Not a security matter: it only tells whether to work again.
fn key(parts: &[&[u8]], dev: bool) -> String {
    let mut hasher = DefaultHasher::new();
    (RECIPE, dev, parts).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn cached(folder: &Path, name: &str, key: &str, product: &Path, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let record = folder.join(name);
    if product.exists() && std::fs::read_to_string(&record).is_ok_and(|old| old == key) {
        return Ok(());
    }
    // Without its record a half-made product is made again.
    let _ = std::fs::remove_file(&record);
    work()?;
    sh::write(&record, key)
}

fn assemble(browser: Browser, parts: &Parts) -> Result<()> {
    let dist = sh::path("dist").join(browser.name());
    if dist.exists() {
        std::fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
    }
    let extension = sh::path(&format!("extension-{}", browser.name()));
    copy_folder(&extension, &dist, &["manifest.json"])?;
    copy_folder(&sh::path("extension-common"), &dist, &[])?;
    copy_folder(&sh::path("crates/panel/web"), &dist, &[])?;
    for (folder, name) in [(&parts.background, "background_core"), (&parts.panel, "panel")] {
        for file in [format!("{name}.js"), format!("{name}_bg.wasm")] {
            copy(&folder.join(&file), &dist.join(&file))?;
        }
        copy_folder(&folder.join("snippets"), &dist.join("snippets"), &[])?;
    }
    for script in &parts.injected {
        copy(script, &dist.join(script.file_name().context("a script without a name")?))?;
    }
    let manifest = manifest::make(browser, manifest::Channel::Unpacked)?;
    sh::write(&dist.join("manifest.json"), manifest)?;
    check_references(&dist)
}

/// A manifest or page that names a file which is not there fails only in the browser, and quietly: so it fails here.
fn check_references(dist: &Path) -> Result<()> {
    for file in manifest::files_named(&sh::read(&dist.join("manifest.json"))?)? {
        if !dist.join(&file).exists() {
            bail!("{} names {file}, which was not built", dist.join("manifest.json").display());
        }
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path, except: &[&str]) -> Result<()> {
    for file in sh::files_below(from)? {
        let relative = file.strip_prefix(from)?;
        let skipped =
            except.iter().any(|name| relative == Path::new(name)) || file.extension().is_some_and(|e| e == "svg");
        if !skipped {
            copy(&file, &to.join(relative))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let bytes = std::fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    sh::write(to, bytes)
}

/// The sizes of what was built last, from `target/bundle` and the shim.
pub fn sizes() -> Result<Vec<Sized>> {
    let files: [(&'static str, &str, Option<u64>); 7] = [
        ("background", "target/bundle/background/background_core_bg.wasm", Some(900_000)),
        ("content", "target/bundle/content/content_bg.wasm", Some(200_000)),
        ("content_js", "target/bundle/content-mvp/content-js.js", None),
        ("content_act", "target/bundle/content-act/content-act_bg.wasm", Some(200_000)),
        ("content_act_js", "target/bundle/content-act-mvp/content-act-js.js", None),
        ("panel", "target/bundle/panel/panel_bg.wasm", Some(1_200_000)),
        ("loader", "extension-chrome/shim/content-loader.js", Some(2_000)),
    ];
    let size =
        |file: &str| std::fs::metadata(sh::path(file)).with_context(|| format!("{file} is not there: build first"));
    files.into_iter().map(|(name, file, limit)| Ok(Sized { name, bytes: size(file)?.len(), limit })).collect()
}

/// Prints a line for each and a warning for what is over its limit.
pub fn print_sizes(sizes: &[Sized]) {
    for Sized { name, bytes, limit } in sizes {
        let of = limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
        println!("{name:<14} {bytes:>9} bytes{of}");
    }
    for over in over_limit(sizes) {
        println!("warning: {over}");
    }
}

/// A sentence for each file that is over its limit.
pub fn over_limit(sizes: &[Sized]) -> Vec<String> {
    let over = sizes.iter().filter_map(|s| s.limit.filter(|limit| s.bytes > *limit).map(|limit| (s, limit)));
    over.map(|(s, limit)| format!("{} has {} bytes; its limit is {limit}", s.name, s.bytes)).collect()
}
