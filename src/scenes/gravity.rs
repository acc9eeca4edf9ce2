//! Gravity: what pulls entities.

use std::fmt;

use glam::Vec3;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::number::Number;
use super::quantity::{Acceleration, Quantity, checked};
use super::vector::constant;
use crate::components::Gravity;
use crate::sim::random::RandomStream;

/// The pull on the entities of a template.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Pull {
    /// Down.
    Down(Number<Acceleration>),
    /// Any way.
    Along([Number<Acceleration>; 3]),
}

impl Pull {
    pub(in crate::sim) fn draw(&self, random: &mut RandomStream) -> Gravity {
        Gravity(match self {
            Self::Down(pull) => down(pull.draw(random)),
            Self::Along(axes) => Vec3::from(axes.each_ref().map(|axis| axis.draw(random))),
        })
    }
}

/// The pull on one entity.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Pulled {
    /// Down.
    Down(Acceleration),
    /// Any way.
    Along([Acceleration; 3]),
}

impl Pulled {
    pub(in crate::sim) fn of(gravity: Gravity) -> Self {
        Self::Along(gravity.0.to_array().map(Acceleration::of))
    }

    pub(in crate::sim) fn get(self) -> Gravity {
        Gravity(match self {
            Self::Down(pull) => down(pull.get()),
            Self::Along(axes) => constant(axes),
        })
    }
}

fn down(pull: f32) -> Vec3 {
    Vec3::new(0.0, -pull, 0.0)
}

impl<'de> Deserialize<'de> for Pull {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PullVisitor)
    }
}

impl<'de> Deserialize<'de> for Pulled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PulledVisitor)
    }
}

struct PullVisitor;

impl<'de> Visitor<'de> for PullVisitor {
    type Value = Pull;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} downwards, {{\"uniform\": [low, high]}} or [x, y, z]", Acceleration::EXPECTED)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Pull, E> {
        checked(number).map(|pull| Pull::Down(Number::Constant(pull)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Pull, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Pull, E> {
        self.visit_f64(number as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Pull, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(items)).map(Pull::Along)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Pull, A::Error> {
        Deserialize::deserialize(MapAccessDeserializer::new(map)).map(Pull::Down)
    }
}

struct PulledVisitor;

impl<'de> Visitor<'de> for PulledVisitor {
    type Value = Pulled;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} downwards, or [x, y, z]", Acceleration::EXPECTED)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Pulled, E> {
        checked(number).map(Pulled::Down)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Pulled, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Pulled, E> {
        self.visit_f64(number as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Pulled, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(items)).map(Pulled::Along)
    }
}
