//! A server for the demo page: the files of `xtask/demo`, on this machine only.

use crate::sh;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

/// Starts serving and returns the address of the page. It ends with the program.
pub fn serve() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").context("no free port for the demo page")?;
    let address = format!("http://{}/", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A browser that hangs up in the middle is no concern of the server's.
            let _ = answer(stream);
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream) -> Result<()> {
    let mut request = String::new();
    BufReader::new(&stream).read_line(&mut request)?;
    let path = request.split_whitespace().nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
    let page = matches!(path, "/" | "/index.html");
    let (status, body) = if page {
        ("200 OK", std::fs::read(sh::path("xtask/demo/index.html"))?)
    } else {
        ("404 Not Found", b"not found".to_vec())
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)?;
    Ok(())
}
