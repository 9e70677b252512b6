//! Numbers and booleans that models send as strings. Everything else stays strict.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Bool(bool),
    Number(f64),
    Text(String),
}

/// An optional whole number of at least 0: `3`, `3.0`, `"3"` or nothing.
///
/// # Errors
/// When the value is something else.
pub fn opt_u32<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let value = match Option::<Scalar>::deserialize(deserializer)? {
        None => return Ok(None),
        Some(Scalar::Number(n)) => n,
        Some(Scalar::Text(t)) if t.trim().is_empty() => return Ok(None),
        Some(Scalar::Text(t)) => t.trim().parse().map_err(|_| D::Error::custom("expected a whole number"))?,
        Some(Scalar::Bool(_)) => return Err(D::Error::custom("expected a whole number")),
    };
    if value.is_finite() && value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0 {
        // The bounds were checked, so the cast is exact.
        Ok(Some(value as u32))
    } else {
        Err(D::Error::custom("expected a whole number of at least 0"))
    }
}

/// An optional boolean: `true`, `"true"` or nothing.
///
/// # Errors
/// When the value is something else.
pub fn opt_bool<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    match Option::<Scalar>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Scalar::Bool(b)) => Ok(Some(b)),
        Some(Scalar::Text(t)) if t.trim().eq_ignore_ascii_case("true") => Ok(Some(true)),
        Some(Scalar::Text(t)) if t.trim().eq_ignore_ascii_case("false") => Ok(Some(false)),
        Some(_) => Err(D::Error::custom("expected true or false")),
    }
}
