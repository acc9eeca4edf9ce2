//! Regions of space (or of velocities) that vectors are drawn from.

use schemars::JsonSchema;
use serde::de::{Error, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::distribution::Interval;
use super::forms::{Forms, any_form, read_list, read_number};
use super::limits::MAX_ENTITIES;
use super::object::object;
use super::quantity::{Quantity, Turns, origin, zero};
use super::whole::Whole;

/// A set of vectors to draw from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", bound(deserialize = ""))]
pub(crate) enum Region<T: Quantity> {
    /// A ball, a spherical shell or its surface, uniform.
    #[serde(deserialize_with = "object")]
    Sphere(Sphere<T>),
    /// A horizontal disk or ring, uniform.
    #[serde(deserialize_with = "object")]
    Disk(Disk<T>),
    /// The arms of a horizontal spiral galaxy, denser towards the center.
    #[serde(deserialize_with = "object")]
    Spiral(Spiral<T>),
    /// The points of a grid in order: along X, then Z, then Y.
    #[serde(deserialize_with = "object")]
    Grid(Grid<T>),
    /// The cubes of a Menger sponge, in order.
    #[serde(deserialize_with = "object")]
    Menger(Menger<T>),
}

/// A ball, a spherical shell or its surface.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = ""))]
pub(crate) struct Sphere<T: Quantity> {
    /// Center; the origin by default.
    #[serde(default = "origin::<T>")]
    pub(crate) center: [T; 3],
    /// Outer radius, or inner and outer: `[r, r]` is a surface.
    pub(crate) radius: Radius<T>,
}

/// A horizontal disk or ring.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = ""))]
pub(crate) struct Disk<T: Quantity> {
    /// Center; the origin by default.
    #[serde(default = "origin::<T>")]
    pub(crate) center: [T; 3],
    /// Outer radius, or inner and outer.
    pub(crate) radius: Radius<T>,
    /// Thickness along Y; 0 by default.
    #[serde(default = "zero::<T>")]
    pub(crate) height: T,
}

/// The arms of a horizontal spiral galaxy.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = ""))]
pub(crate) struct Spiral<T: Quantity> {
    /// Center; the origin by default.
    #[serde(default = "origin::<T>")]
    pub(crate) center: [T; 3],
    /// Radius at which the arms end, or start and end.
    pub(crate) radius: Radius<T>,
    /// Number of arms.
    pub(crate) arms: Whole<1, 64>,
    /// Full turns of each arm around the center on its way out.
    pub(crate) turns: Turns,
    /// Width of an arm.
    pub(crate) width: T,
    /// Thickness along Y.
    pub(crate) height: T,
}

/// The points of a grid.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = ""))]
pub(crate) struct Grid<T: Quantity> {
    /// Center; the origin by default.
    #[serde(default = "origin::<T>")]
    pub(crate) center: [T; 3],
    /// Points along each axis.
    pub(crate) counts: GridCounts,
    /// Distance between neighbors along each axis.
    pub(crate) spacing: [T; 3],
}

/// The cubes of a Menger sponge: 20 for each cube of the level below.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = ""))]
pub(crate) struct Menger<T: Quantity> {
    /// Center; the origin by default.
    #[serde(default = "origin::<T>")]
    pub(crate) center: [T; 3],
    /// Edge of the whole sponge. A cube that fills its place has this edge divided by 3 for each level.
    pub(crate) edge: T,
    /// Number of levels.
    pub(crate) level: Whole<1, 5>,
}

/// Outer radius, or inner and outer.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Radius<T: Quantity> {
    /// From the center to this radius.
    Outer(T),
    /// From the inner to the outer radius.
    Ring(Interval<T>),
}

impl<T: Quantity> Radius<T> {
    /// Returns the inner and the outer radius.
    pub(crate) fn bounds(self) -> (f32, f32) {
        match self {
            Self::Outer(outer) => (0.0, outer.get()),
            Self::Ring(Interval(inner, outer)) => (inner.get(), outer.get()),
        }
    }
}

impl<'de, T: Quantity> Deserialize<'de> for Radius<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let radius: Self = any_form(deserializer)?;
        let (inner, outer) = radius.bounds();
        if inner < 0.0 || outer < 0.0 {
            return Err(D::Error::custom("a radius is negative, expected 0 or more"));
        }
        Ok(radius)
    }
}

impl<'de, T: Quantity> Forms<'de> for Radius<T> {
    fn expected() -> String {
        "a radius or [inner, outer]".to_owned()
    }

    fn from_number<E: Error>(value: f64) -> Option<Result<Self, E>> {
        Some(read_number(value).map(Self::Outer))
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Option<Result<Self, A::Error>> {
        Some(read_list(items).map(Self::Ring))
    }
}

/// Grid points along X, Y and Z; their product is at least 1 and at most the entity limit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "[Whole<1, MAX_ENTITIES>; 3]")]
#[schemars(extend("items" = { "type": "integer", "minimum": 1, "maximum": MAX_ENTITIES }))]
pub(crate) struct GridCounts(pub(crate) [u32; 3]);

impl GridCounts {
    /// Returns the number of grid points.
    pub(crate) fn product(self) -> u32 {
        self.0.iter().product()
    }
}

impl TryFrom<[Whole<1, MAX_ENTITIES>; 3]> for GridCounts {
    type Error = String;

    fn try_from(counts: [Whole<1, MAX_ENTITIES>; 3]) -> Result<Self, Self::Error> {
        let counts = counts.map(|Whole(count)| count);
        let product = counts.iter().try_fold(1_u32, |product, &count| product.checked_mul(count));
        product
            .filter(|product| (1..=MAX_ENTITIES).contains(product))
            .map(|_| Self(counts))
            .ok_or_else(|| format!("expected counts whose product is 1 to {MAX_ENTITIES}"))
    }
}
