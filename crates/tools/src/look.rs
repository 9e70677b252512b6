//! Tools that only look. Their arguments need no type of their own at run time: the schema that models see is what they are
//! checked by, and the content script reads them. A parser for each would be 2 to 3 kB of the background's size.

use crate::call::{Dispatch, PageCall, RefId};
use crate::registry::Parsed;
use crate::spec::Spec;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Map, Value};
use webbrain_protocol::json;

/// A tool that only looks: a struct whose fields are its arguments, of which the schema is made.
pub trait Look {
    /// Its classifications.
    const SPEC: Spec;
}

/// A call of such a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookCall {
    /// Name of the tool.
    pub name: String,
    /// The element that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<RefId>,
    /// The arguments, as the schema has them.
    pub with: Map<String, Value>,
}

impl LookCall {
    /// A text among the arguments.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.with.get(name)?.as_str()
    }

    /// A number among the arguments.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.with.get(name)?.as_u64().and_then(|n| u32::try_from(n).ok())
    }
}

/// Reads a model's arguments by the schema of the tool.
///
/// # Errors
/// What does not fit.
pub(crate) fn parse(name: &str, schema: &str, arguments: &str) -> Result<Parsed, Error> {
    let given: Map<String, Value> = serde_json::from_str(arguments)?;
    let schema: Value = serde_json::from_str(schema)?;
    let none = Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    let mut with = Map::new();
    for (key, value) in given {
        let Some(property) = known.get(&key) else {
            let names: Vec<String> = known.keys().map(|k| format!("`{k}`")).collect();
            return Err(Error::custom(format!("unknown field `{key}`, expected one of {}", names.join(", "))));
        };
        // A model that leaves an argument out may say so.
        if !value.is_null() {
            let wanted = property["type"].as_str().unwrap_or_default();
            let fitted = fit(value, wanted).ok_or_else(|| Error::custom(format!("`{key}` has to be: {wanted}")))?;
            with.insert(key, fitted);
        }
    }
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !with.contains_key(required) {
            return Err(Error::custom(format!("missing field `{required}`")));
        }
    }
    let ref_id = with.remove("ref_id").map(json::from_value).transpose()?;
    let call = LookCall { name: name.to_owned(), ref_id, with };
    Ok(Parsed { dispatch: Dispatch::Page(PageCall::Look(call)), needs: Vec::new() })
}

/// The value as the type that is wanted; small models send numbers and booleans as strings.
fn fit(value: Value, wanted: &str) -> Option<Value> {
    match (wanted, &value) {
        ("string", Value::String(_)) => Some(value),
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("boolean", Value::Bool(_)) => Some(value),
        ("boolean", Value::String(text)) => text.trim().to_ascii_lowercase().parse().ok().map(Value::Bool),
        ("integer", Value::Number(number)) => whole(number.as_f64()?),
        ("integer", Value::String(text)) => whole(text.trim().parse().ok()?),
        _ => None,
    }
}

fn whole(number: f64) -> Option<Value> {
    let fits = number >= 0.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0;
    // The bounds were checked, so the cast is exact.
    fits.then_some(Value::from(number as u32))
}
