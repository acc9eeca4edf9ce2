//! Helpers for values with several forms, such as a number or an object.

use serde::de::value::{F64Deserializer, MapAccessDeserializer};
use serde::de::{Deserialize, Error as _, IgnoredAny, MapAccess};
use serde_untagged::UntaggedEnumVisitor;
use serde_untagged::de::{Error, Map};

/// Starts a visitor that accepts a number as one of the forms.
pub(super) fn number_or<'closure, 'de, T, V>(
    form: fn(T) -> V,
) -> UntaggedEnumVisitor<'closure, 'de, V>
where
    T: Deserialize<'de> + 'closure,
    V: 'closure,
{
    let read = move |number| T::deserialize(F64Deserializer::<Error>::new(number)).map(form);
    UntaggedEnumVisitor::new()
        .f64(read)
        .i64(move |number| read(number as f64))
        .u64(move |number| read(number as f64))
}

/// Reads an enum from an object whose only key names the variant.
pub(super) fn single_key<'de, T: Deserialize<'de>>(mut map: Map<'_, 'de>) -> Result<T, Error> {
    let value = T::deserialize(MapAccessDeserializer::new(&mut map))?;
    match map.next_key::<IgnoredAny>()? {
        None => Ok(value),
        Some(_) => Err(Error::custom("more than one key: exactly one is expected")),
    }
}
