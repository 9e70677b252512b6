//! Waiting for conditions.

use crate::{Error, Result, config};
use std::time::{Duration, Instant};

/// What a look at the state found.
pub enum Seen<T> {
    /// The condition holds.
    Ready(T),
    /// Not yet; the state, for the message.
    NotYet(String),
}

/// Looks again and again until the condition holds. The pause between looks is no synchronisation: a look decides.
///
/// # Errors
/// [`Error::Timeout`] after [`config::patience`]; an error of `look` at once.
pub async fn until<T, F>(what: &str, mut look: F) -> Result<T>
where
    F: AsyncFnMut() -> Result<Seen<T>>,
{
    let limit = config::patience();
    let end = Instant::now() + limit;
    loop {
        let last = match look().await? {
            Seen::Ready(value) => return Ok(value),
            Seen::NotYet(state) => state,
        };
        if Instant::now() >= end {
            return Err(Error::Timeout { what: what.to_owned(), seconds: limit.as_secs(), last });
        }
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
}

/// [`until`] for a plain condition.
///
/// # Errors
/// As [`until`].
pub async fn until_true<F>(what: &str, mut look: F) -> Result<()>
where
    F: AsyncFnMut() -> Result<bool>,
{
    until(what, async || Ok(if look().await? { Seen::Ready(()) } else { Seen::NotYet("no".into()) })).await
}
