//! List: a few values, one of which is chosen.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// Longest list.
const LONGEST: usize = 1000;

/// A few values; at least one.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(in crate::sim) struct List<T>(#[schemars(length(min = 1, max = 1000))] Vec<T>);

impl<T> List<T> {
    pub(in crate::sim) fn values(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of 1 to {LONGEST} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element()? {
            if values.len() == LONGEST {
                return Err(A::Error::invalid_length(LONGEST + 1, &self));
            }
            values.push(value);
        }
        if values.is_empty() {
            return Err(A::Error::invalid_length(0, &self));
        }
        Ok(List(values))
    }
}
