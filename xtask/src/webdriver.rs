//! As much of the WebDriver protocol as `run` needs: start a driver, open a session, send commands.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for an answer; starting a browser is the slowest of them.
const ANSWER_TIME: Duration = Duration::from_secs(120);

/// A driver program and its session; both end with this value.
pub struct Driver {
    child: Child,
    port: u16,
    session: String,
}

impl Driver {
    /// Starts the program and opens a session with these capabilities.
    pub fn start(program: &Path, capabilities: &Value) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = Command::new(program)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut driver = Driver { child, port, session: String::new() };
        let end = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if Instant::now() > end {
                bail!("{} does not listen", program.display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let made = driver.send("POST", "/session", &json!({"capabilities": {"alwaysMatch": capabilities}}))?;
        driver.session = made["sessionId"].as_str().context("the driver opened no session")?.to_owned();
        Ok(driver)
    }

    /// Sends a command of the session.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.send("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// Asks something of the session.
    pub fn get(&self, path: &str) -> Result<Value> {
        self.send("GET", &format!("/session/{}{path}", self.session), &Value::Null)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(ANSWER_TIME))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        // chromedriver keeps the connection open whatever it is asked, so the length counts.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let text = String::from_utf8_lossy(&body);
        let value: Value = serde_json::from_str(&text).with_context(|| format!("the driver answered {text:?}"))?;
        if let Some(error) = value["value"]["error"].as_str() {
            bail!("{path}: {error}: {}", value["value"]["message"].as_str().unwrap_or_default());
        }
        Ok(value["value"].clone())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // The browser may be closed already.
            let _ = self.send("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
