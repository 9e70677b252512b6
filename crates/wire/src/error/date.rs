//! How long a server asks to wait.

/// Seconds that a `Retry-After` value means: a number of seconds, or an HTTP date relative to `now_ms`.
pub(super) fn wait_seconds(value: &str, now_ms: u64) -> Option<f64> {
    if let Ok(seconds) = value.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0).then_some(seconds);
    }
    let then_s = http_date(value)?;
    Some(then_s.saturating_sub(now_ms / 1000) as f64)
}

/// Seconds in words such as "try again in 1m2.5s" or "retry in 300ms".
pub(super) fn wait_in_words(text: &str) -> Option<f64> {
    let lower = text.to_ascii_lowercase();
    let start = ["try again in ", "retry in ", "retry after "].iter().find_map(|p| Some(lower.find(p)? + p.len()))?;
    let mut rest = &lower[start..];
    let mut total = None;
    loop {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let Ok(number) = rest[..end].parse::<f64>() else { return total };
        let unit = rest[end..].trim_start();
        let (seconds, used) = if unit.starts_with("ms") {
            (number / 1000.0, "ms")
        } else if unit.starts_with('h') {
            (number * 3600.0, "h")
        } else if unit.starts_with('m') {
            (number * 60.0, "m")
        } else if unit.starts_with('s') {
            (number, "s")
        } else {
            return total;
        };
        total = Some(total.unwrap_or(0.0) + seconds);
        rest = &unit[used.len()..];
    }
}

/// Seconds since the epoch of `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(value: &str) -> Option<u64> {
    const MONTHS: &[&str] = &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = value.split_once(',')?.1.split_ascii_whitespace();
    let day: u64 = words.next()?.parse().ok().filter(|d| (1..=31).contains(d))?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|m| m.eq_ignore_ascii_case(month))? as u64 + 1;
    let year: u64 = words.next()?.parse().ok().filter(|y| (1970..10_000).contains(y))?;
    let mut time = words.next()?.split(':').map(|n| n.parse::<u64>().ok().filter(|n| *n < 61));
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    Some(days(year, month, day)? * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Days from 1970-01-01, counting years from March so that the leap day comes last.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let in_era = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    in_era.checked_sub(719_468)
}
