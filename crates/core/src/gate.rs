//! The permission gate: capability x host. Exact hosts; an unknown host is denied. Source: the design, section 6;
//! reference `engine.md` 7.

use serde::{Deserialize, Serialize};
use url::{Host, Url};
use webbrain_protocol::permission::Action;
use webbrain_protocol::{Capability, Grant};

/// A grant that lasts until the user's next message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Once {
    /// What.
    pub capability: Capability,
    /// Where.
    pub host: String,
}

/// What the gate says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    Allowed,
    /// A stored grant says no.
    Denied,
    /// Ask the user for these.
    Ask(Vec<Capability>),
}

/// The host that a capability is charged to: lower case, without `www.`, with the port when it is not the scheme's own. A page
/// that came without encryption may be anyone's, so it is another one: `http://host`, unless it came from this machine.
/// `None` for an address that is not http(s): it has no host that a user could grant.
pub fn host_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?.to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let scheme = if url.scheme() == "http" && !is_loopback(&url) { PLAIN } else { "" };
    Some(match url.port() {
        Some(port) => format!("{scheme}{host}:{port}"),
        None => format!("{scheme}{host}"),
    })
}

/// What stands before the host of an unencrypted page.
const PLAIN: &str = "http://";

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The origin of an address for a label; the scheme alone when it has no origin.
pub fn origin_of(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) if url.origin().is_tuple() => url.origin().ascii_serialization(),
        Ok(url) => format!("{}:", url.scheme()),
        Err(_) => "page".to_owned(),
    }
}

/// An absolute http(s) address from what a model wrote, relative to where the tab is.
///
/// # Errors
/// A sentence for the model.
pub fn resolve(address: &str, base: &str) -> Result<String, String> {
    let address = &ascii_host(address.trim());
    let not_an_address = || "This is not an address. Give a full URL.".to_owned();
    if is_host_with_port(address) {
        return Url::parse(&format!("http://{address}")).map(String::from).map_err(|_| not_an_address());
    }
    match Url::parse(address) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url.into()),
        Ok(url) => Err(format!("Addresses of the kind {}: cannot be opened; only http and https.", url.scheme())),
        Err(_) if is_bare_host(address) => {
            Url::parse(&format!("https://{address}")).map(String::from).map_err(|_| not_an_address())
        }
        Err(_) => match Url::parse(base) {
            Ok(base) if matches!(base.scheme(), "http" | "https") && !address.is_empty() => {
                base.join(address).map(String::from).map_err(|_| not_an_address())
            }
            _ => Err(not_an_address()),
        },
    }
}

/// The same address with a host of ASCII characters: labels in other scripts become lower case Punycode. The result is what is
/// charged and what is loaded, so the two cannot differ.
fn ascii_host(address: &str) -> String {
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address[start..].find(['/', '?', '#']).map_or(address.len(), |at| start + at);
    let host = &address[start..end];
    if host.is_ascii() {
        return address.to_owned();
    }
    let label = |label: &str| match label.is_ascii() {
        true => label.to_owned(),
        false => match idna::punycode::encode_str(&label.to_lowercase()) {
            Some(encoded) => format!("xn--{encoded}"),
            None => label.to_owned(),
        },
    };
    let host = host.split('.').map(label).collect::<Vec<_>>().join(".");
    format!("{}{host}{}", &address[..start], &address[end..])
}

/// `localhost:3000/x` or `example.com:8080`, which a URL parser takes for a scheme.
fn is_host_with_port(address: &str) -> bool {
    address.split_once(':').is_some_and(|(host, rest)| {
        !host.is_empty() && !host.contains('/') && rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// `example.com/a` as people write it, but not `page.html`, which is relative.
fn is_bare_host(address: &str) -> bool {
    const PAGES: [&str; 9] = ["html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "pdf", "txt"];
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    let last = host.rsplit('.').next().unwrap_or_default();
    host.contains('.')
        && !host.starts_with('.')
        && !host.contains(char::is_whitespace)
        && last.len() >= 2
        && last.chars().all(|c| c.is_alphabetic())
        && !PAGES.contains(&last.to_ascii_lowercase().as_str())
}

/// Asks the grants about a call. A stored denial wins over everything.
pub fn check(needs: &[Capability], host: Option<&str>, always: &[Grant], once: &[Once], ask: bool) -> Verdict {
    if needs.is_empty() {
        return Verdict::Allowed;
    }
    let Some(host) = host else { return Verdict::Denied };
    let stored = |capability: Capability, host: &str, action: Action| {
        always.iter().any(|g| g.capability == capability && g.host == host && g.action == action)
    };
    // What is forbidden on a host is forbidden there without encryption, too.
    let bare = host.strip_prefix(PLAIN).unwrap_or(host);
    if needs.iter().any(|c| stored(*c, host, Action::Deny) || stored(*c, bare, Action::Deny)) {
        return Verdict::Denied;
    }
    if !ask {
        return Verdict::Allowed;
    }
    let granted =
        |c: Capability| stored(c, host, Action::Allow) || once.iter().any(|o| o.capability == c && o.host == host);
    let missing: Vec<Capability> = needs.iter().copied().filter(|c| !granted(*c)).collect();
    if missing.is_empty() { Verdict::Allowed } else { Verdict::Ask(missing) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use webbrain_protocol::Decision;

    #[test]
    fn hosts_are_exact() {
        assert_eq!(host_of("https://WWW.Example.com/a?b"), Some("example.com".into()));
        assert_eq!(host_of("https://sub.example.com:8443/"), Some("sub.example.com:8443".into()));
        assert_eq!(host_of("http://127.0.0.1:8080/"), Some("127.0.0.1:8080".into()));
        assert_eq!(host_of("http://localhost/"), Some("localhost".into()));
        assert_eq!(host_of("http://app.localhost:3000/"), Some("app.localhost:3000".into()));
        assert_eq!(host_of("http://[::1]:80/"), Some("[::1]".into()));
        assert_eq!(host_of("http://www.bank.test/"), Some("http://bank.test".into()));
        assert_eq!(host_of("http://bank.test:8080/"), Some("http://bank.test:8080".into()));
        assert_eq!(host_of("about:blank"), None);
        assert_eq!(host_of("nonsense"), None);
    }

    fn check_resolve(address: &str, expected: Expect) {
        let shown = match resolve(address, "https://shop.test/a/b") {
            Ok(url) => url,
            Err(words) => format!("refused: {words}"),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn addresses_are_absolute_or_relative_or_bare_hosts() {
        check_resolve("https://x.test/y", expect!["https://x.test/y"]);
        check_resolve("/cart?x=1", expect!["https://shop.test/cart?x=1"]);
        check_resolve("../c", expect!["https://shop.test/c"]);
        check_resolve("example.com/a", expect!["https://example.com/a"]);
        check_resolve("https://Bücher.example/x", expect!["https://xn--bcher-kva.example/x"]);
        check_resolve("bücher.example", expect!["https://xn--bcher-kva.example/"]);
        check_resolve("/straße", expect!["https://shop.test/stra%C3%9Fe"]);
        check_resolve("page.html", expect!["https://shop.test/a/page.html"]);
        check_resolve("localhost:3000/x", expect!["http://localhost:3000/x"]);
        check_resolve("", expect!["refused: This is not an address. Give a full URL."]);
        check_resolve(
            "javascript:alert(1)",
            expect!["refused: Addresses of the kind javascript: cannot be opened; only http and https."],
        );
        check_resolve(
            "javascript:alert(document.cookie)",
            expect!["refused: Addresses of the kind javascript: cannot be opened; only http and https."],
        );
        check_resolve(
            "data:text/html,hi",
            expect!["refused: Addresses of the kind data: cannot be opened; only http and https."],
        );
        check_resolve(
            "file:///etc/passwd",
            expect!["refused: Addresses of the kind file: cannot be opened; only http and https."],
        );
    }

    #[test]
    fn the_gate_asks_only_for_what_is_missing_and_denies_unknown_hosts() {
        use Capability::{Click, Type};
        let grant =
            |capability, action| Grant { capability, host: "a.test".into(), action, duration: Decision::Always, ts: 0 };
        let always = [grant(Click, Action::Allow)];
        let once = [Once { capability: Type, host: "b.test".into() }];
        let verdict = |needs: &[Capability], host| check(needs, host, &always, &once, true);
        assert_eq!(verdict(&[], None), Verdict::Allowed);
        assert_eq!(verdict(&[Click], Some("a.test")), Verdict::Allowed);
        assert_eq!(verdict(&[Click, Type], Some("a.test")), Verdict::Ask(vec![Type]));
        assert_eq!(verdict(&[Type], Some("b.test")), Verdict::Allowed);
        assert_eq!(verdict(&[Click], Some("sub.a.test")), Verdict::Ask(vec![Click]));
        assert_eq!(verdict(&[Click], None), Verdict::Denied);
        // What is allowed over https is not allowed to whoever answers for it without; what is forbidden is forbidden.
        assert_eq!(verdict(&[Click], Some("http://a.test")), Verdict::Ask(vec![Click]));
        let forbidden = [grant(Click, Action::Deny)];
        assert_eq!(check(&[Click], Some("http://a.test"), &forbidden, &[], false), Verdict::Denied);
        let denied = [grant(Click, Action::Allow), grant(Click, Action::Deny)];
        assert_eq!(check(&[Click], Some("a.test"), &denied, &[], false), Verdict::Denied);
        assert_eq!(check(&[Click], Some("c.test"), &denied, &[], false), Verdict::Allowed);
    }
}
