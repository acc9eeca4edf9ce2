//! Numbers that are constant or random.

use schemars::JsonSchema;
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::forms::{Forms, any_form, read_number, single_key};
use super::list::List;
use super::quantity::{Quantity, expected};

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
        any_form(deserializer)
    }
}

impl<'de, T: Quantity> Forms<'de> for Distribution<T> {
    fn expected() -> String {
        format!("{}, {{\"uniform\": [low, high]}} or {{\"choice\": [..]}}", expected::<T>())
    }

    fn from_number<E: Error>(value: f64) -> Option<Result<Self, E>> {
        Some(read_number(value).map(Self::Constant))
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(single_key(map).map(Self::Random))
    }
}
