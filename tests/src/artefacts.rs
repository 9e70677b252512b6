//! What is kept of a failed test: pictures of every window, the storage, the model requests, the logs.

use crate::{Result, Session, config};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Folder of a test's artefacts, emptied.
///
/// # Errors
/// When it cannot be made.
pub fn folder(test: &str) -> Result<PathBuf> {
    let folder = config::root().join("target/e2e").join(test.replace("::", "."));
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Saves everything that can be saved; what cannot is noted in `problems.txt`.
///
/// # Errors
/// When the folder cannot be written.
pub async fn save(session: &Session, test: &str) -> Result<PathBuf> {
    let folder = folder(test)?;
    let mut problems = Vec::new();
    for area in ["local", "session"] {
        match session.storage_get(area, None).await {
            Ok(found) => write_json(&folder.join(format!("storage-{area}.json")), &found)?,
            Err(error) => problems.push(format!("storage.{area}: {error}")),
        }
    }
    if let Err(error) = windows(session, &folder, &mut problems).await {
        problems.push(format!("windows: {error}"));
    }
    for (index, model) in session.models().iter().enumerate() {
        let list: Vec<Value> = model
            .requests()
            .iter()
            .map(|r| json!({"headers": r.request.headers, "body": r.request.body, "answered": r.answered, "abandoned": r.abandoned}))
            .collect();
        write_json(&folder.join(format!("model-{index}.json")), &json!(list))?;
    }
    let submitted: Vec<Value> = session
        .fixtures
        .all_submissions()
        .iter()
        .map(|s| json!({"name": s.name, "host": s.host, "body": s.body}))
        .collect();
    write_json(&folder.join("submissions.json"), &json!(submitted))?;
    std::fs::copy(session.driver_log(), folder.join("driver.log"))?;
    if !problems.is_empty() {
        std::fs::write(folder.join("problems.txt"), problems.join("\n"))?;
    }
    Ok(folder)
}

async fn windows(session: &Session, folder: &Path, problems: &mut Vec<String>) -> Result<()> {
    for (index, window) in session.windows().await?.into_iter().enumerate() {
        session.switch(&window).await?;
        if let Err(error) = session.driver.screenshot(&folder.join(format!("window-{index}.png"))).await {
            problems.push(format!("picture of window {index}: {error}"));
        }
        match session.driver.source().await {
            Ok(source) => std::fs::write(folder.join(format!("window-{index}.html")), source)?,
            Err(error) => problems.push(format!("source of window {index}: {error}")),
        }
        if let Ok(log) = session.driver.browser_log().await
            && !log.is_empty()
        {
            std::fs::write(folder.join(format!("window-{index}.log")), format!("{log:#?}"))?;
        }
    }
    Ok(())
}

fn write_json(path: &Path, value: &Value) -> Result<()> {
    Ok(std::fs::write(path, serde_json::to_string_pretty(value)?)?)
}
