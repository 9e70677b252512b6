//! The pages of `bench tree`: real ones from installed packages and made-up ones that stress one thing each.
//! Packages that are missing are fetched into `target/bench/pages`; what cannot be had is left out and said.

use crate::sh;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page to read.
pub struct PageFile {
    /// Short name.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// Whether it is a page that people use, not one made up here.
    pub real: bool,
}

/// Pages of the toolchain's own documentation.
const RUST: [(&str, &str); 8] = [
    ("rust std index", "std/index.html"),
    ("rust Vec", "std/vec/struct.Vec.html"),
    ("rust Iterator", "std/iter/trait.Iterator.html"),
    ("rust u32", "std/primitive.u32.html"),
    ("rust releases", "releases.html"),
    ("rust error index", "error-index.html"),
    ("rust x86_64", "core/arch/x86_64/index.html"),
    ("rust book", "book/print.html"),
];

/// Debian packages, fetched and unpacked, not installed.
const DEBIAN: [(&str, &str, &str); 5] = [
    ("python os", "python3.11-doc", "usr/share/doc/python3.11/html/library/os.html"),
    ("python contents", "python3.11-doc", "usr/share/doc/python3.11/html/contents.html"),
    ("python functions", "python3.11-doc", "usr/share/doc/python3.11/html/library/functions.html"),
    ("sqlite select", "sqlite3-doc", "usr/share/doc/sqlite3/lang_select.html"),
    ("postgresql index", "postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html/bookindex.html"),
];

/// An admin template, from npm.
const TEMPLATE: [(&str, &str); 4] = [
    ("template form", "production/form.html"),
    ("template elements", "production/general_elements.html"),
    ("template tables", "production/tables_dynamic.html"),
    ("template inbox", "production/inbox.html"),
];

/// Every page that can be had on this machine.
pub fn all() -> Result<Vec<PageFile>> {
    let mut out = Vec::new();
    let mut add = |name: &str, file: PathBuf, real| {
        if file.is_file() {
            out.push(PageFile { name: name.to_owned(), file, real });
        } else {
            println!("left out: {name} ({} is not there)", file.display());
        }
    };
    let docs = PathBuf::from(sh::output(Command::new("rustc").args(["--print", "sysroot"]))?.trim());
    for (name, file) in RUST {
        add(name, docs.join("share/doc/rust/html").join(file), true);
    }
    for (name, package, file) in DEBIAN {
        match debian(package) {
            Ok(folder) => add(name, folder.join(file), true),
            Err(error) => println!("left out: {name} ({error:#})"),
        }
    }
    match npm("gentelella", "2.1.0") {
        Ok(folder) => TEMPLATE.iter().for_each(|(name, file)| add(name, folder.join(file), true)),
        Err(error) => println!("left out: template ({error:#})"),
    }
    for (name, html) in made_up() {
        let file = folder().join(format!("{}.html", name.replace(' ', "-")));
        sh::write(&file, html)?;
        add(&name, file, false);
    }
    Ok(out)
}

fn folder() -> PathBuf {
    sh::path("target/bench/pages")
}

/// A Debian package unpacked below `target/`.
fn debian(package: &str) -> Result<PathBuf> {
    let out = folder().join(package);
    if !out.is_dir() {
        let work = folder().join("debs");
        std::fs::create_dir_all(&work)?;
        sh::output(Command::new("apt-get").args(["download", package]).current_dir(&work))?;
        let deb = find(&work, package, ".deb")?;
        sh::output(Command::new("dpkg").arg("-x").arg(deb).arg(&out))?;
    }
    Ok(out)
}

/// An npm package unpacked below `target/`; nothing of it is run.
pub fn npm(package: &str, version: &str) -> Result<PathBuf> {
    let out = folder().join(format!("{package}-{version}"));
    if !out.is_dir() {
        let work = folder().join("tgz");
        std::fs::create_dir_all(&work)?;
        sh::output(Command::new("npm").args(["pack", &format!("{package}@{version}")]).current_dir(&work))?;
        std::fs::create_dir_all(&out)?;
        let archive = find(&work, package, ".tgz")?;
        sh::output(Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(&out))?;
    }
    Ok(out.join("package"))
}

fn find(folder: &Path, start: &str, end: &str) -> Result<PathBuf> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let file = entry?.path();
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(start) && name.ends_with(end) {
            return Ok(file);
        }
    }
    bail!("{start}{end} was not downloaded")
}

/// A page of fifty thousand nodes, for the limit in milliseconds.
pub const FIFTY_THOUSAND: &str = "table of 50k";

fn made_up() -> Vec<(String, String)> {
    let page = |body: String| format!("<!doctype html><meta charset=utf-8><title>Bench</title><body>{body}</body>");
    let mut table = String::from("<table>");
    for row in 0..2_500 {
        table.push_str("<tr>");
        for cell in 0..16 {
            let _ = match cell {
                0 => write!(table, "<td><input type=checkbox aria-label='Row {row}'></td>"),
                1 => write!(table, "<td><a href='/r/{row}'>Row {row}</a></td>"),
                _ => write!(table, "<td>{}</td>", row * cell),
            };
        }
        table.push_str("</tr>");
    }
    table.push_str("</table>");
    let deep = format!("{}<button>In the deep</button>{}", "<div>".repeat(300), "</div>".repeat(300)).repeat(40);
    let mut shadow = String::new();
    for at in 0..1_500 {
        let _ = write!(
            shadow,
            "<x-card><template shadowrootmode=open><style>b{{color:navy}}</style><b>Card</b><slot></slot>\
             <button>Open <i>{at}</i></button></template>Text {at}</x-card>"
        );
    }
    let mut selects = String::new();
    for at in 0..300 {
        let _ = write!(selects, "<label>Field {at} <select>");
        for option in 0..60 {
            let _ = write!(selects, "<option>Choice {option}</option>");
        }
        selects.push_str("</select></label>");
    }
    let mut hidden = String::new();
    for at in 0..200 {
        let _ =
            write!(hidden, "<details><summary>Part {at}</summary>{}</details>", "<p><a href=#>x</a> y</p>".repeat(30));
        let _ = write!(hidden, "<div hidden>{}</div>", "<button>Never</button>".repeat(30));
    }
    let texts: String =
        (0..2_500).map(|at| format!("<p>{at} {}</p>", "Words of a long paragraph. ".repeat(70))).collect();
    [
        (FIFTY_THOUSAND, table),
        ("deep nesting", deep),
        ("shadow roots", shadow),
        ("many selects", selects),
        ("hidden parts", hidden),
        ("huge texts", texts),
    ]
    .into_iter()
    .map(|(name, body)| (name.to_owned(), page(body)))
    .collect()
}
