//! Number: a constant, or a distribution that one is drawn from.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::list::List;
use super::one_kind::one_kind;
use super::quantity::{Quantity, checked};
use crate::sim::random::RandomStream;

/// A constant, or a distribution.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Number<T> {
    /// Always the same.
    Constant(T),
    /// Another one each time.
    Drawn(Drawn<T>),
}

/// What numbers are drawn from.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(rename_all = "snake_case", bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) enum Drawn<T> {
    /// Evenly from the first to the second.
    Uniform(Span<T>),
    /// One of a list, each as often.
    Choice(List<T>),
}

/// From a lower to a higher value.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(try_from = "[T; 2]", bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) struct Span<T>(T, T);

impl<T: Quantity> TryFrom<[T; 2]> for Span<T> {
    type Error = &'static str;

    fn try_from([low, high]: [T; 2]) -> Result<Self, Self::Error> {
        let rises = low.get() <= high.get();
        rises.then_some(Self(low, high)).ok_or("the lower end of the range comes first")
    }
}

impl<T: Quantity> Number<T> {
    /// Evenly from `low` to `high`.
    pub(in crate::sim) const fn uniform(low: T, high: T) -> Self {
        Self::Drawn(Drawn::Uniform(Span(low, high)))
    }

    pub(in crate::sim) fn draw(&self, random: &mut RandomStream) -> f32 {
        match self {
            Self::Constant(value) => value.get(),
            Self::Drawn(Drawn::Uniform(Span(low, high))) => random.between(low.get(), high.get()),
            Self::Drawn(Drawn::Choice(list)) => {
                let values = list.values();
                values[random.below(values.len() as u32) as usize].get()
            }
        }
    }
}

impl<'de, T: Quantity + Deserialize<'de>> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor(PhantomData))
    }
}

struct NumberVisitor<T>(PhantomData<T>);

impl<'de, T: Quantity + Deserialize<'de>> Visitor<'de> for NumberVisitor<T> {
    type Value = Number<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, or {{\"uniform\": [low, high]}} or {{\"choice\": [..]}}", T::EXPECTED)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number<T>, E> {
        checked(number).map(Number::Constant)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number<T>, E> {
        checked(number as f64).map(Number::Constant)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number<T>, E> {
        checked(number as f64).map(Number::Constant)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Number<T>, A::Error> {
        one_kind(map).map(Number::Drawn)
    }
}
