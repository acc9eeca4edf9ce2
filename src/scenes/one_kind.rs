//! One kind: an object with a single key, which says what the value is.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Error, IgnoredAny, MapAccess};

/// Reads an enum whose variant is the one key of the object.
pub(super) fn one_kind<'de, A, T>(mut map: A) -> Result<T, A::Error>
where
    A: MapAccess<'de>,
    T: Deserialize<'de>,
{
    let value = T::deserialize(MapAccessDeserializer::new(&mut map))?;
    match map.next_key::<IgnoredAny>()? {
        None => Ok(value),
        Some(_) => Err(A::Error::custom("one key only is expected here")),
    }
}
