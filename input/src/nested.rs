//! What is this JSON value, if it is not nested beyond reason? Every level costs stack, and senders choose the depth.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The deepest nesting taken in: no record needs as much, and it fits a thread's stack several times.
const DEEPEST: u8 = 100;

/// Takes in one value, to so many levels.
#[derive(Clone, Copy)]
pub(crate) struct Nested {
    levels: u8,
}

impl Nested {
    pub(crate) fn new() -> Self {
        Nested { levels: DEEPEST }
    }

    fn inside<E: Error>(self) -> Result<Self, E> {
        let levels = self.levels.checked_sub(1);
        let levels = levels.ok_or_else(|| E::custom(format_args!("nested deeper than {DEEPEST} levels")));
        levels.map(|levels| Nested { levels })
    }
}

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inside)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            object.insert(key, fields.next_value_seed(inside)?);
        }
        Ok(object.into())
    }
}
