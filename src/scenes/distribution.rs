//! Numbers that are constant or random.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::list::List;
use super::quantity::{Quantity, expected};
use super::untagged::{number_or, single_key};

/// Values to choose from, each with the same probability.
pub(crate) type Choices<T> = List<T, 1, 1000>;

/// A number: constant, or drawn at random for each entity.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Distribution<T: Quantity> {
    /// Always the same number.
    Constant(T),
    /// A number drawn at random.
    Random(RandomNumber<T>),
}

/// Where random numbers come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", bound(deserialize = ""))]
pub(crate) enum RandomNumber<T: Quantity> {
    /// Uniform between the two bounds.
    Uniform(Interval<T>),
    /// One of a list, each with the same probability.
    Choice(Choices<T>),
}

/// A lower and an upper bound.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "[T; 2]", bound(deserialize = ""))]
pub(crate) struct Interval<T: Quantity>(pub(crate) T, pub(crate) T);

impl<T: Quantity> TryFrom<[T; 2]> for Interval<T> {
    type Error = &'static str;

    fn try_from([low, high]: [T; 2]) -> Result<Self, Self::Error> {
        let ascending = low.get() <= high.get();
        ascending.then_some(Self(low, high)).ok_or("the bounds are not ascending: swap them")
    }
}

impl<'de, T: Quantity> Deserialize<'de> for Distribution<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_or(Self::Constant)
            .expecting(format!(
                "{}, {{\"uniform\": [low, high]}} or {{\"choice\": [..]}}",
                expected::<T>()
            ))
            .map(|map| single_key(map).map(Self::Random))
            .deserialize(deserializer)
    }
}
