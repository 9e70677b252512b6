//! Values out of JSON text. `serde_json` parses the text; its own way from there into types is compiled anew for each type,
//! arrays in the place of objects included, and made up a quarter of the background's size. This one takes objects for structs
//! and nothing else, and keeps what does not depend on the type in functions of its own. The figures are in
//! `docs/architecture.md`.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Number, Value, map};
use std::vec;

/// Reads a value.
///
/// # Errors
/// When the text is no JSON, or the value does not fit.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    from_value(parsed(text)?)
}

/// Reads a value.
///
/// # Errors
/// When it does not fit.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(Typed(value))
}

#[inline(never)]
fn parsed(text: &str) -> Result<Value, Error> {
    serde_json::from_str(text)
}

/// A value on its way into a type.
struct Typed(Value);

#[inline(never)]
fn wrong(value: &Value, wanted: &'static str) -> Error {
    let found = match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(b) => Unexpected::Bool(*b),
        Value::Number(n) => match (n.as_u64(), n.as_f64()) {
            (Some(whole), _) => Unexpected::Unsigned(whole),
            (None, float) => Unexpected::Float(float.unwrap_or(0.0)),
        },
        Value::String(s) => Unexpected::Str(s),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Error::invalid_type(found, &wanted)
}

fn number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Error> {
    if let Some(whole) = number.as_u64() {
        visitor.visit_u64(whole)
    } else if let Some(whole) = number.as_i64() {
        visitor.visit_i64(whole)
    } else {
        visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN))
    }
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0 {
                Value::Number(n) => number(&n, visitor),
                other => Err(wrong(&other, "a number")),
            }
        }
    )*};
}

macro_rules! strings {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0 {
                Value::String(s) => visitor.visit_string(s),
                other => Err(wrong(&other, "a string")),
            }
        }
    )*};
}

impl Typed {
    fn fields<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields::of(fields)),
            other => Err(wrong(&other, "an object")),
        }
    }

    fn items<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.into_iter())),
            other => Err(wrong(&other, "a list")),
        }
    }
}

impl<'de> Deserializer<'de> for Typed {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(b) => visitor.visit_bool(b),
            Value::Number(n) => number(&n, visitor),
            Value::String(s) => visitor.visit_string(s),
            Value::Array(items) => visitor.visit_seq(Items(items.into_iter())),
            Value::Object(fields) => visitor.visit_map(Fields::of(fields)),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64 deserialize_f32 deserialize_f64
    }

    strings! { deserialize_str deserialize_string deserialize_char deserialize_identifier }

    forward_to_deserialize_any! { i128 u128 bytes byte_buf }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(b) => visitor.visit_bool(b),
            other => Err(wrong(&other, "true or false")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            other => visitor.visit_some(Typed(other)),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            other => Err(wrong(&other, "null")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.items(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.items(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.items(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.fields(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.fields(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Tagged::of(self.0)?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

struct Items(vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        match self.0.next() {
            Some(value) => seed.deserialize(Typed(value)).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Fields {
    left: map::IntoIter,
    value: Value,
}

impl Fields {
    fn of(fields: Map<String, Value>) -> Self {
        Fields { left: fields.into_iter(), value: Value::Null }
    }

    #[inline(never)]
    fn next(&mut self) -> Option<String> {
        let (key, value) = self.left.next()?;
        self.value = value;
        Some(key)
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        match self.next() {
            Some(key) => seed.deserialize(Key(key)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Typed(std::mem::take(&mut self.value)))
    }
}

/// A key: text, which may stand for a number.
struct Key(String);

macro_rules! number_keys {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            number(&key_number(&self.0)?, visitor)
        }
    )*};
}

#[inline(never)]
fn key_number(key: &str) -> Result<Number, Error> {
    serde_json::from_str(key)
}

impl<'de> Deserializer<'de> for Key {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.0)
    }

    number_keys! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// A variant: its name, and what it holds.
struct Tagged {
    name: String,
    content: Option<Value>,
}

impl Tagged {
    #[inline(never)]
    fn of(value: Value) -> Result<Self, Error> {
        match value {
            Value::String(name) => Ok(Tagged { name, content: None }),
            Value::Object(fields) if fields.len() == 1 => match fields.into_iter().next() {
                Some((name, content)) => Ok(Tagged { name, content: Some(content) }),
                None => Err(Error::custom("an empty object is no variant")),
            },
            other => Err(wrong(&other, "the name of a variant, or an object with it alone")),
        }
    }
}

impl<'de> EnumAccess<'de> for Tagged {
    type Error = Error;
    type Variant = Content;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content), Error> {
        Ok((seed.deserialize(Key(self.name))?, Content(self.content)))
    }
}

struct Content(Option<Value>);

impl Content {
    #[inline(never)]
    fn held(self) -> Result<Typed, Error> {
        self.0.map(Typed).ok_or_else(|| Error::custom("the variant holds nothing"))
    }
}

impl<'de> VariantAccess<'de> for Content {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            None | Some(Value::Null) => Ok(()),
            Some(other) => Err(wrong(&other, "nothing")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.held()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.held()?.items(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.held()?.fields(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Shape {
        Empty,
        Named(String),
        Pair(i32, bool),
        Box { w: u8, h: Option<f64> },
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind", content = "with", rename_all = "snake_case")]
    enum Apart {
        None,
        Some(Vec<u64>),
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Within {
        A { x: i64 },
        B {},
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Wrapped(u32);

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct All {
        #[serde(default)]
        wrapped: Wrapped,
        shapes: Vec<Shape>,
        apart: Apart,
        within: Within,
        by_number: BTreeMap<i32, String>,
        row: (u32, String, bool),
        rest: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maybe: Option<Box<All>>,
    }

    fn shape() -> impl Strategy<Value = Shape> {
        prop_oneof![
            Just(Shape::Empty),
            any::<String>().prop_map(Shape::Named),
            any::<(i32, bool)>().prop_map(|(a, b)| Shape::Pair(a, b)),
            (any::<u8>(), proptest::option::of(any::<i32>()))
                .prop_map(|(w, h)| Shape::Box { w, h: h.map(|h| f64::from(h) / 8.0) }),
        ]
    }

    prop_compose! {
        fn all()(
            wrapped in any::<u32>(),
            shapes in proptest::collection::vec(shape(), 0..4),
            list in proptest::option::of(any::<Vec<u64>>()),
            x in proptest::option::of(any::<i64>()),
            by_number in any::<BTreeMap<i32, String>>(),
            row in any::<(u32, String, bool)>(),
        ) -> All {
            All {
                wrapped: Wrapped(wrapped),
                shapes,
                apart: list.map_or(Apart::None, Apart::Some),
                within: x.map_or(Within::B {}, |x| Within::A { x }),
                by_number,
                rest: serde_json::json!({ "text": row.1, "list": [1, null, -2.5] }),
                row,
                maybe: None,
            }
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(value in all(), inner in all()) {
            let value = All { maybe: Some(Box::new(inner)), ..value };
            let text = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(&from_str::<All>(&text).unwrap(), &value);
            prop_assert_eq!(serde_json::from_str::<All>(&text).unwrap(), value);
        }

        #[test]
        fn it_takes_nothing_that_serde_json_would_not(text in "[\\[\\]{}\",:a-c0-9]{0,30}") {
            prop_assert!(from_str::<Shape>(&text).is_err() || serde_json::from_str::<Shape>(&text).is_ok());
            prop_assert!(from_str::<All>(&text).is_err() || serde_json::from_str::<All>(&text).is_ok());
        }
    }

    #[test]
    fn what_does_not_fit_says_why() {
        let why = |text: &str| from_str::<Shape>(text).unwrap_err().to_string();
        assert_eq!(why("3"), "invalid type: integer `3`, expected the name of a variant, or an object with it alone");
        assert_eq!(why(r#"{"Box":[1]}"#), "invalid type: sequence, expected an object");
        assert_eq!(why(r#"{"Box":{"w":300}}"#), "invalid value: integer `300`, expected u8");
        assert_eq!(why(r#"{"Box":{}}"#), "missing field `w`");
        assert!(why(r#""Other""#).starts_with("unknown variant `Other`, expected one of `Empty`"));
        assert!(why("{").starts_with("EOF while parsing"));
    }
}
