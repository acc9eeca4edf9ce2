//! Vector: three numbers, each a constant or a distribution, or a region that points are drawn from.

use std::fmt;
use std::marker::PhantomData;

use glam::Vec3;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::number::Number;
use super::one_kind::one_kind;
use super::quantity::Quantity;
use super::region::Region;
use crate::sim::random::RandomStream;

/// Along X, Y and Z, or from a region.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Vector<T> {
    /// Each axis by itself.
    Axes([Number<T>; 3]),
    /// All three together.
    Region(Region<T>),
}

impl<T: Quantity> Vector<T> {
    /// The vector of the entity that is the `nth` of its template.
    pub(in crate::sim) fn draw(&self, random: &mut RandomStream, nth: u64) -> Vec3 {
        match self {
            Self::Axes(axes) => Vec3::from(axes.each_ref().map(|axis| axis.draw(random))),
            Self::Region(region) => region.draw(random, nth),
        }
    }

    /// How many different places there are, if these are counted.
    pub(in crate::sim) fn places(&self) -> Option<u32> {
        match self {
            Self::Axes(_) => None,
            Self::Region(region) => region.places(),
        }
    }
}

impl<'de, T: Quantity + Deserialize<'de>> Deserialize<'de> for Vector<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(VectorVisitor(PhantomData))
    }
}

struct VectorVisitor<T>(PhantomData<T>);

impl<'de, T: Quantity + Deserialize<'de>> Visitor<'de> for VectorVisitor<T> {
    type Value = Vector<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[x, y, z] or a region such as {\"sphere\": {..}}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vector<T>, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(items)).map(Vector::Axes)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vector<T>, A::Error> {
        one_kind(map).map(Vector::Region)
    }
}

/// A vector as three constants.
pub(in crate::sim) fn axes<T: Quantity>(vector: Vec3) -> [T; 3] {
    vector.to_array().map(T::from)
}

/// Three constants as a vector.
pub(in crate::sim) fn constant<T: Quantity>(axes: [T; 3]) -> Vec3 {
    Vec3::from(axes.map(Quantity::get))
}
