//! Radius: how far a region reaches, and where it begins.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use super::quantity::{Quantity, checked};

/// The outer radius, or the inner and the outer one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Radius<T> {
    /// From the middle on.
    Outer(T),
    /// From the first to the second.
    Ring([T; 2]),
}

impl<T: Quantity> Radius<T> {
    /// Inner and outer radius.
    pub(super) fn ends(self) -> (f32, f32) {
        match self {
            Self::Outer(outer) => (0.0, outer.get()),
            Self::Ring([inner, outer]) => (inner.get(), outer.get()),
        }
    }

    fn sound<E: Error>(self) -> Result<Self, E> {
        let (inner, outer) = self.ends();
        if (0.0..=outer).contains(&inner) {
            Ok(self)
        } else {
            Err(E::custom("a radius is not negative, and the inner one comes first"))
        }
    }
}

impl<'de, T: Quantity + Deserialize<'de>> Deserialize<'de> for Radius<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RadiusVisitor(PhantomData))
    }
}

struct RadiusVisitor<T>(PhantomData<T>);

impl<'de, T: Quantity + Deserialize<'de>> Visitor<'de> for RadiusVisitor<T> {
    type Value = Radius<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a radius or [inner, outer]")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Radius<T>, E> {
        checked(number).map(Radius::Outer).and_then(Radius::sound)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Radius<T>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Radius<T>, E> {
        self.visit_f64(number as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Radius<T>, A::Error> {
        let ends = Deserialize::deserialize(SeqAccessDeserializer::new(items))?;
        Radius::Ring(ends).sound()
    }
}
