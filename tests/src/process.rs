//! A driver process with everything that belongs to it: its port, its log, its temporary folder, its browser.

use crate::wait::{Seen, until};
use crate::{Error, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running driver. Dropping it ends the driver and every process that works in its folder, also when a test panics.
pub struct DriverProcess {
    child: Child,
    folder: tempfile::TempDir,
    /// Port that it listens on.
    pub port: u16,
}

impl DriverProcess {
    /// Starts `program`; `args` gets the temporary folder. `announces` is what the log says just before the port.
    ///
    /// # Errors
    /// When it does not start or does not announce its port.
    pub async fn start(program: &Path, args: impl FnOnce(&Path) -> Vec<String>, announces: &str) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("webbrain-e2e-").tempdir()?;
        let log = folder.path().join("driver.log");
        let out = File::create(&log)?;
        let mut command = Command::new(program);
        command.args(args(folder.path())).env("TMPDIR", folder.path()).stdin(Stdio::null());
        command.stdout(out.try_clone()?).stderr(out);
        let child = command.spawn().map_err(|e| Error::Missing {
            what: program.display().to_string(),
            hint: format!("it did not start: {e}"),
        })?;
        let mut process = DriverProcess { child, folder, port: 0 };
        let port = until("the driver to say its port", async || {
            let text = std::fs::read_to_string(&log)?;
            if let Some(status) = process.child.try_wait()? {
                return Err(Error::Unexpected(format!("{} ended with {status}: {text}", program.display())));
            }
            Ok(port_after(&text, announces).map_or_else(|| Seen::NotYet(text), Seen::Ready))
        })
        .await?;
        process.port = port;
        Ok(process)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Folder that holds the profile and is removed at the end.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What the driver and the browser have written.
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("driver.log")
    }
}

fn port_after(log: &str, announces: &str) -> Option<u16> {
    let at = log.find(announces)? + announces.len();
    let digits: String = log[at..].chars().take_while(char::is_ascii_digit).collect();
    // The line may be half written: the port counts once something follows it.
    (log.len() > at + digits.len()).then(|| digits.parse().ok())?
}

impl Drop for DriverProcess {
    fn drop(&mut self) {
        // Nothing here can be reported: the test has its result already, and what is gone needs no ending.
        let _ = self.child.kill();
        let _ = self.child.wait();
        for pid in processes_in(self.folder.path()) {
            let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
        }
    }
}

/// Processes whose command line names the folder: the browser and its children. The folder is ours alone.
fn processes_in(folder: &Path) -> Vec<u32> {
    let Some(folder) = folder.to_str() else { return Vec::new() };
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| *pid != own)
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(folder)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_once_its_line_is_whole() {
        let announces = "started successfully on port ";
        assert_eq!(port_after("ChromeDriver was started successfully on port 4012.\n", announces), Some(4012));
        assert_eq!(port_after("ChromeDriver was started successfully on port 40", announces), None);
        assert_eq!(port_after("Starting ChromeDriver", announces), None);
    }
}
