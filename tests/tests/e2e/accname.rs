//! The shared corpus of accessible names and roles in the real browsers, where the machine has it. Every case stands in a shadow
//! root of its own, so that hundreds share a page and none sees another's ids.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use webbrain_e2e::{Answer, Error, Result, Session, Turn, browser_test};

/// Elements that one call lists.
const CHUNK: usize = 30;
/// Percent that has to be right, of the cases from web-platform-tests and of all. Source: issue B.
const FLOORS: (usize, usize) = (97, 93);

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/accname")
}

/// Names and roles that count; descriptions are not in a line, they are compared by the host test.
fn cases(root: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(root.join("cases.jsonl"))?;
    let mut cases = Vec::new();
    for line in text.lines() {
        let mut case: Value = serde_json::from_str(line)?;
        let disputed = case["flags"].as_array().is_some_and(|flags| flags.iter().any(|f| f == "disputed"));
        if disputed || (case["name"].is_null() && case["role"].is_null()) {
            continue;
        }
        if let Some(page) = case["page"].as_str() {
            case["html"] = std::fs::read_to_string(root.join("pages").join(page))?.into();
        }
        cases.push(case);
    }
    Ok(cases)
}

/// Puts the cases into the page and marks their elements; the numbers of the cases of each marked element, in order.
const SET_UP: &str = r#"(() => {
  const cases = CASES;
  const roots = new Map();
  const marked = new Map();
  const scripted = /getElementById\('([^']*)'\)[^\n]*attachShadow[^\n]*\.innerHTML = '(.*)'/g;
  cases.forEach(({ html, sel }, number) => {
    let root = roots.get(html);
    if (!root) {
      const host = document.createElement("div");
      document.body.append(host);
      root = host.attachShadow({ mode: "open" });
      root.innerHTML = html;
      for (const [, id, inner] of html.matchAll(scripted)) {
        const host = root.getElementById(id);
        if (host && !host.shadowRoot) host.attachShadow({ mode: "open" }).innerHTML = inner;
      }
      roots.set(html, root);
    }
    const find = (at) => {
      const found = at.querySelector(sel);
      if (found) return found;
      for (const e of at.querySelectorAll("*")) {
        const inner = e.shadowRoot && find(e.shadowRoot);
        if (inner) return inner;
      }
      return null;
    };
    const element = find(root);
    if (!element) return;
    if (!marked.has(element)) marked.set(element, []);
    marked.get(element).push(number);
  });
  const order = [];
  const visit = (at) => {
    for (const e of at.querySelectorAll("*")) {
      if (marked.has(e)) {
        e.setAttribute("data-wb-chunk", Math.floor(order.length / CHUNK));
        order.push(marked.get(e));
      }
      if (e.shadowRoot) visit(e.shadowRoot);
    }
  };
  visit(document);
  return order;
})()"#;

/// Role and name of a line `role "name" [ref_1] …`.
fn role_and_name(line: &str) -> (String, String) {
    let (role, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut name = String::new();
    if let Some(quoted) = rest.strip_prefix('"') {
        let mut chars = quoted.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => name.extend(chars.next()),
                c => name.push(c),
            }
        }
    }
    (role.to_owned(), name)
}

fn plain(role: &str) -> &str {
    match role {
        "image" => "img",
        "presentation" => "none",
        "" | "audio" | "video" | "canvas" | "iframe" | "text" => "generic",
        other => other,
    }
}

fn is_right(case: &Value, line: &str) -> bool {
    let (role, name) = role_and_name(line);
    let collapsed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match case["name"].as_str() {
        Some(wanted) => {
            let (wanted, name) = (collapsed(wanted), collapsed(&name));
            // A long name is cut, which the line shows.
            wanted == name || name.strip_suffix('…').is_some_and(|cut| wanted.starts_with(cut.trim_end()))
        }
        None => plain(case["role"].as_str().unwrap_or_default()) == plain(&role),
    }
}

async fn names_and_roles_of_the_corpus(s: &Session) -> Result<()> {
    let root = corpus();
    if !root.join("cases.jsonl").exists() {
        eprintln!("no corpus at {}: nothing was checked", root.display());
        return Ok(());
    }
    let cases = cases(&root)?;
    let page = s.open_page(&s.fixtures.url("plain.html")).await?;
    let script = SET_UP
        .replace("CASES", &serde_json::to_string(&cases)?.replace("</", "<\\/"))
        .replace("CHUNK", &CHUNK.to_string());
    let order: Vec<Vec<usize>> = serde_json::from_value(page.eval(&script).await?)?;
    let calls = order.len().div_ceil(CHUNK);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let mut turns: Vec<Turn> = (0..calls)
        .map(|chunk| Turn::call("shadow_dom_query", json!({"selector": format!("[data-wb-chunk=\"{chunk}\"]")})))
        .collect();
    let hear = Arc::clone(&heard);
    turns.push(Turn::with(move |r| {
        let lines = r.results().flat_map(|text| text.lines()).filter(|line| line.contains(" [ref_"));
        hear.lock().map_err(|e| e.to_string())?.extend(lines.map(str::to_owned));
        Ok(Answer::call("done", json!({"summary": "Listed.", "outcome": "success"})))
    }));
    s.scripted(turns).await?;
    let panel = s.open_panel(&page).await?;
    panel.set_mode("dev").await?;
    panel.send("list them").await?;
    panel.wait_status("done").await?;
    let lines = heard.lock().map(|lines| lines.clone()).unwrap_or_default();
    assert_eq!(lines.len(), order.len(), "a line for each element");
    judge(&cases, &order, &lines)
}

fn judge(cases: &[Value], order: &[Vec<usize>], lines: &[String]) -> Result<()> {
    let (mut right, mut right_wpt) = (0, 0);
    let mut wrong = String::new();
    for (numbers, line) in order.iter().zip(lines) {
        for case in numbers.iter().filter_map(|n| cases.get(*n)) {
            let is_wpt = case["id"].as_str().is_some_and(|id| id.starts_with("wpt-"));
            if is_right(case, line) {
                right += 1;
                right_wpt += usize::from(is_wpt);
            } else {
                wrong.push_str(&format!("{}: want {} {} got {line}\n", case["id"], case["name"], case["role"]));
            }
        }
    }
    let wpt = cases.iter().filter(|c| c["id"].as_str().is_some_and(|id| id.starts_with("wpt-"))).count();
    let score = format!("wpt {right_wpt}/{wpt}, all {right}/{}", cases.len());
    eprintln!("{score}");
    if right_wpt * 100 >= wpt * FLOORS.0 && right * 100 >= cases.len() * FLOORS.1 {
        return Ok(());
    }
    Err(Error::Unexpected(format!("{score}\n{wrong}")))
}

mod chrome {
    use super::*;
    browser_test!(Chrome, names_and_roles_of_the_corpus);
}

mod firefox {
    use super::*;
    browser_test!(Firefox, names_and_roles_of_the_corpus);
}
