//! Vectors that are constant or random.

use schemars::JsonSchema;
use serde::de::{MapAccess, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::distribution::Distribution;
use super::forms::{Forms, any_form, read_list, single_key};
use super::quantity::Quantity;
use super::region::Region;

/// A vector: three numbers, or a point of a region.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Vector<T: Quantity> {
    /// X, Y and Z, independent of each other.
    Axes([Distribution<T>; 3]),
    /// A point of a region.
    Region(Region<T>),
}

impl<T: Quantity> Vector<T> {
    /// Returns the number of points, if the region has points in order.
    pub(super) fn ordered_points(&self) -> Option<u32> {
        match self {
            Self::Region(Region::Grid(grid)) => Some(grid.counts.product()),
            Self::Region(Region::Menger(menger)) => Some(20_u32.pow(menger.level.0)),
            _ => None,
        }
    }
}

impl<'de, T: Quantity> Deserialize<'de> for Vector<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any_form(deserializer)
    }
}

impl<'de, T: Quantity> Forms<'de> for Vector<T> {
    fn expected() -> String {
        "[x, y, z] or a region such as {\"sphere\": {..}}".to_owned()
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Option<Result<Self, A::Error>> {
        Some(read_list(items).map(Self::Axes))
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(single_key(map).map(Self::Region))
    }
}
