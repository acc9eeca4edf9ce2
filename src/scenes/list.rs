//! Lists of bounded length.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// A list of `MIN` to `MAX` values. Reading stops at the first value too many.
#[derive(Clone, PartialEq, Default, Debug, Serialize, JsonSchema)]
#[schemars(description = "A list.")]
pub(crate) struct List<T, const MIN: usize, const MAX: usize>(
    #[schemars(length(min = MIN, max = MAX))] pub(crate) Vec<T>,
);

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Deserialize<'de>
    for List<T, MIN, MAX>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T, const MIN: usize, const MAX: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Visitor<'de>
    for ListVisitor<T, MIN, MAX>
{
    type Value = List<T, MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {MIN} to {MAX} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element()? {
            values.push(value);
            if values.len() > MAX {
                return Err(A::Error::invalid_length(values.len(), &self));
            }
        }
        if values.len() < MIN {
            return Err(A::Error::invalid_length(values.len(), &self));
        }
        Ok(List(values))
    }
}
