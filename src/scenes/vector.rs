//! Vectors that are constant or random.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_untagged::UntaggedEnumVisitor;

use super::distribution::Distribution;
use super::quantity::Quantity;
use super::region::Region;
use super::untagged::single_key;

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
        UntaggedEnumVisitor::new()
            .expecting("[x, y, z] or a region such as {\"sphere\": {..}}")
            .seq(|items| items.deserialize().map(Self::Axes))
            .map(|map| single_key(map).map(Self::Region))
            .deserialize(deserializer)
    }
}
