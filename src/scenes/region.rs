//! Region: where points are drawn from, all three coordinates together.

use glam::Vec3;
use schemars::JsonSchema;
use serde::de::Deserialize;
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::quantity::{Quantity, Windings};
use super::radius::Radius;
use super::read::given;
use super::rotation::turn;
use super::vector::constant;
use crate::sim::random::RandomStream;

/// Where points are drawn from.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(rename_all = "snake_case", bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) enum Region<T> {
    /// A ball, a shell or the surface of one, evenly.
    Sphere(Sphere<T>),
    /// A disk or a ring that lies flat, evenly.
    Disk(Disk<T>),
    /// The arms of a galaxy that lies flat, denser towards the middle.
    Spiral(Spiral<T>),
    /// The places of a grid, one after the other: along X, then Z, then Y.
    Grid(Grid<T>),
}

/// A ball, a shell or the surface of one.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) struct Sphere<T> {
    /// The middle; the origin if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    center: Option<[T; 3]>,
    /// How far it reaches: `[r, r]` is the surface only.
    radius: Radius<T>,
}

/// A disk or a ring that lies flat.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) struct Disk<T> {
    /// The middle; the origin if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    center: Option<[T; 3]>,
    /// How far it reaches.
    radius: Radius<T>,
    /// How thick it is along Y; flat if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    height: Option<T>,
}

/// The arms of a galaxy that lies flat.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) struct Spiral<T> {
    /// The middle; the origin if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    center: Option<[T; 3]>,
    /// Where the arms begin and end.
    radius: Radius<T>,
    /// How many there are.
    #[schemars(range(min = 1, max = 64))]
    arms: Arms,
    /// How often each winds round the middle on its way out.
    turns: Windings,
    /// How broad an arm is.
    width: T,
    /// How thick it is along Y.
    height: T,
}

/// The places of a grid.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Quantity + Deserialize<'de>"))]
pub(in crate::sim) struct Grid<T> {
    /// The middle; the origin if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    center: Option<[T; 3]>,
    /// How many places there are along each axis.
    counts: Counts,
    /// How far apart they are along each axis.
    spacing: [T; 3],
}

/// How many arms, from 1 to 64.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(try_from = "u32")]
struct Arms(u32);

impl TryFrom<u32> for Arms {
    type Error = &'static str;

    fn try_from(arms: u32) -> Result<Self, Self::Error> {
        (1..=64).contains(&arms).then_some(Self(arms)).ok_or("1 to 64 arms are expected")
    }
}

/// Places along each axis, of which no more than a scene may have entities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(try_from = "[u32; 3]")]
struct Counts([u32; 3]);

impl Counts {
    fn product([x, y, z]: [u32; 3]) -> Option<u32> {
        x.checked_mul(y)?.checked_mul(z)
    }
}

impl TryFrom<[u32; 3]> for Counts {
    type Error = &'static str;

    fn try_from(counts: [u32; 3]) -> Result<Self, Self::Error> {
        Self::product(counts)
            .filter(|product| (1..=super::MOST_ENTITIES).contains(product))
            .map(|_| Self(counts))
            .ok_or("three counts are expected that make 1 to 100000000 places")
    }
}

impl<T: Quantity> Region<T> {
    /// The point of the entity that is the `nth` of its template.
    pub(super) fn draw(&self, random: &mut RandomStream, nth: u64) -> Vec3 {
        match self {
            Self::Sphere(sphere) => {
                let (inner, outer) = sphere.radius.ends();
                middle(sphere.center) + random.direction() * random.radius(inner, outer, 2)
            }
            Self::Disk(disk) => {
                let (inner, outer) = disk.radius.ends();
                let (x, z) = random.heading();
                let radius = random.radius(inner, outer, 1);
                let half = disk.height.map_or(0.0, Quantity::get) * 0.5;
                middle(disk.center) + Vec3::new(x * radius, random.between(-half, half), z * radius)
            }
            Self::Spiral(spiral) => spiral.draw(random),
            Self::Grid(grid) => grid.place(nth),
        }
    }

    /// How many places there are, if these are counted.
    pub(super) fn places(&self) -> Option<u32> {
        match self {
            Self::Grid(Grid { counts, .. }) => Counts::product(counts.0),
            _ => None,
        }
    }
}

impl<T: Quantity> Spiral<T> {
    fn draw(&self, random: &mut RandomStream) -> Vec3 {
        let (inner, outer) = self.radius.ends();
        // As many at every distance, so that they lie denser where there is less room.
        let radius = random.between(inner, outer);
        let way = if outer > inner { (radius - inner) / (outer - inner) } else { 0.0 };
        let arm = random.below(self.arms.0) as f32 / self.arms.0 as f32;
        let (sine, cosine) = turn(360.0 * (arm + self.turns.get() * way));
        let mut stray = |size: f32| (random.unit() + random.unit() - 1.0) * size * 0.5;
        let (width, height) = (self.width.get(), self.height.get());
        let (x, y, z) = (stray(width), stray(height), stray(width));
        middle(self.center) + Vec3::new(cosine * radius + x, y, sine * radius + z)
    }
}

impl<T: Quantity> Grid<T> {
    fn place(&self, nth: u64) -> Vec3 {
        let counts = self.counts.0.map(u64::from);
        let [x, z, y] = [
            nth % counts[0],
            nth / counts[0] % counts[2],
            nth / (counts[0] * counts[2]) % counts[1],
        ];
        let steps = [(x, counts[0]), (y, counts[1]), (z, counts[2])]
            .map(|(step, count)| step as f32 - (count - 1) as f32 * 0.5);
        middle(self.center) + Vec3::from(steps) * constant(self.spacing)
    }
}

fn middle<T: Quantity>(center: Option<[T; 3]>) -> Vec3 {
    center.map_or(Vec3::ZERO, constant)
}
