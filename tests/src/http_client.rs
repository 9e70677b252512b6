//! The smallest HTTP client that shows how an answer came: complete or cut, in how many chunks.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub complete: bool,
    pub chunks: usize,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

pub async fn get(port: u16, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(port, "GET", path, headers, None).await
}

pub async fn post(port: u16, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    send(port, "POST", path, headers, Some(("application/json", body.to_string()))).await
}

pub async fn send(
    port: u16,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<(&str, String)>,
) -> Answer {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let (kind, body) = body.unwrap_or(("text/plain", String::new()));
    head.push_str(&format!("content-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len()));
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let _ = socket.read_to_end(&mut bytes).await;
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("an answer with headers");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|l| l.split(' ').nth(1)).and_then(|s| s.parse().ok()).unwrap();
    let headers: Vec<(String, String)> =
        lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_lowercase(), v.to_owned())).collect();
    let raw = &bytes[end + 4..];
    let chunked = headers.iter().any(|(n, v)| n == "transfer-encoding" && v == "chunked");
    let (body, complete, chunks) = if chunked { unchunk(raw) } else { (raw.to_vec(), true, 1) };
    Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned(), complete, chunks }
}

fn unchunk(mut raw: &[u8]) -> (Vec<u8>, bool, usize) {
    let (mut body, mut chunks) = (Vec::new(), 0);
    while let Some(end) = raw.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&raw[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return (body, true, chunks);
        }
        chunks += 1;
        body.extend_from_slice(&raw[end + 2..end + 2 + size]);
        raw = &raw[end + 4 + size..];
    }
    (body, false, chunks)
}
