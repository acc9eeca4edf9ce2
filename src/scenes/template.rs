//! Template: how many entities there are of a kind, and of which components.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::color::Tint;
use super::gravity::Pull;
use super::number::Number;
use super::quantity::{Acceleration, Edge, Length, Speed};
use super::read::given;
use super::rotation::Turn;
use super::text::Label;
use super::vector::Vector;

/// A kind of entities. A component that is left out is absent from all of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentRequired" = { "gravity": ["color"] }))]
pub(in crate::sim) struct Template {
    /// How many there are; if left out, one, or one to each place of a grid.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) count: Option<Count>,
    /// What they are called; if left out, as the template.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) name: Option<Label>,
    /// Where they are.
    pub(in crate::sim) position: Vector<Length>,
    /// Which way they face; -Z if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) rotation: Option<Turn>,
    /// Edge of the cube; 1 m if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) scale: Option<Number<Edge>>,
    /// What they reflect; what has no colour is not drawn.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) color: Option<Tint>,
    /// How they move at the start; with an acceleration and without a velocity they start at rest.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) velocity: Option<Vector<Speed>>,
    /// What moves them beside gravity; with a velocity and without an acceleration, nothing.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) acceleration: Option<Vector<Acceleration>>,
    /// What pulls them: a number is a pull downwards. Physics moves what has gravity, if only 0; what
    /// has none hangs still. What has gravity needs a colour.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) gravity: Option<Pull>,
    /// Where one begins again that has fallen through the floor.
    #[serde(default, skip_serializing_if = "Again::is_default")]
    pub(in crate::sim) again: Again,
}

/// How many, up to 100 million.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u64")]
pub(in crate::sim) struct Count(pub(in crate::sim) u32);

impl TryFrom<u64> for Count {
    type Error = String;

    fn try_from(count: u64) -> Result<Self, Self::Error> {
        let most = super::MOST_ENTITIES;
        let count = u32::try_from(count).ok().filter(|&count| count <= most);
        count.map(Self).ok_or_else(|| format!("a count from 0 to {most} is expected"))
    }
}

/// Where an entity begins again that has fallen through the floor.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::sim) enum Again {
    /// At the top of the box, over a place where one of the template could have started.
    #[default]
    Top,
    /// At a place where one of the template could have started.
    Start,
}

impl Again {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Template {
    /// What its entities are called; `key` is what it is called itself.
    pub(in crate::sim) fn name_or<'t>(&'t self, key: &'t str) -> &'t str {
        self.name.as_ref().map_or(key, Label::as_str)
    }

    /// Whether its entities have what moves.
    pub(in crate::sim) fn moves(&self) -> bool {
        self.velocity.is_some() || self.acceleration.is_some() || self.gravity.is_some()
    }

    /// How many entities there are.
    pub(in crate::sim) fn len(&self) -> u32 {
        match self.count {
            Some(Count(count)) => count,
            None => self.position.places().unwrap_or(1),
        }
    }
}
