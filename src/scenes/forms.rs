//! Values with several forms, such as a number or an object.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{F64Deserializer, MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

/// A value whose type in a file decides how it is read. `None` refuses a type.
pub(super) trait Forms<'de>: Sized {
    /// Returns what an error message expects instead of another type.
    fn expected() -> String;

    fn from_number<E: Error>(_: f64) -> Option<Result<Self, E>> {
        None
    }

    fn from_text<E: Error>(_: &str) -> Option<Result<Self, E>> {
        None
    }

    fn from_list<A: SeqAccess<'de>>(_: A) -> Option<Result<Self, A::Error>> {
        None
    }

    fn from_object<A: MapAccess<'de>>(_: A) -> Option<Result<Self, A::Error>> {
        None
    }
}

/// Reads a value in one of its forms.
pub(super) fn any_form<'de, D: Deserializer<'de>, T: Forms<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_any(FormsVisitor(PhantomData))
}

/// Reads a value from a number.
pub(super) fn read_number<'de, T: Deserialize<'de>, E: Error>(number: f64) -> Result<T, E> {
    T::deserialize(F64Deserializer::new(number))
}

/// Reads a value from a list.
pub(super) fn read_list<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    items: A,
) -> Result<T, A::Error> {
    T::deserialize(SeqAccessDeserializer::new(items))
}

/// Reads a value from an object.
pub(super) fn read_object<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    map: A,
) -> Result<T, A::Error> {
    T::deserialize(MapAccessDeserializer::new(map))
}

/// Reads an enum from an object whose only key names the variant.
pub(super) fn single_key<'de, T, A>(mut map: A) -> Result<T, A::Error>
where
    T: Deserialize<'de>,
    A: MapAccess<'de>,
{
    let value = T::deserialize(MapAccessDeserializer::new(&mut map))?;
    match map.next_key::<IgnoredAny>()? {
        None => Ok(value),
        Some(_) => Err(A::Error::custom("more than one key: exactly one is expected")),
    }
}

struct FormsVisitor<T>(PhantomData<T>);

impl<'de, T: Forms<'de>> FormsVisitor<T> {
    /// Returns the value, or an error about another type.
    fn or_refuse<E: Error>(
        self,
        value: Option<Result<T, E>>,
        found: Unexpected<'_>,
    ) -> Result<T, E> {
        value.unwrap_or_else(|| Err(E::invalid_type(found, &self)))
    }
}

impl<'de, T: Forms<'de>> Visitor<'de> for FormsVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&T::expected())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        self.or_refuse(T::from_number(number), Unexpected::Float(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.or_refuse(T::from_number(number as f64), Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.or_refuse(T::from_number(number as f64), Unexpected::Unsigned(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.or_refuse(T::from_text(text), Unexpected::Str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        self.or_refuse(T::from_list(items), Unexpected::Seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        self.or_refuse(T::from_object(map), Unexpected::Map)
    }
}
