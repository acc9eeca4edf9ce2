//! Rotation: which way entities face.

use std::fmt;

use glam::{Quat, Vec3};
use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use super::number::Number;
use super::quantity::{Angle, Axis, Part, Quantity};
use crate::sim::random::RandomStream;

/// How far from 1 the length of a quaternion may be, squared.
const ROUNDING: f32 = 1e-3;

/// Which way entities face.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Turn {
    /// `"random"`: any way, each as often.
    Random(RandomWord),
    /// `[x, y, z, w]`: a unit quaternion.
    Quaternion(Quaternion),
    /// So far round an axis.
    About(About),
}

/// The word for any rotation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::sim) enum RandomWord {
    /// Any way, each as often.
    Random,
}

/// So far round an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::sim) struct About {
    /// Of any length but 0.
    axis: Direction,
    /// Counter-clockwise, seen from where the axis points to.
    degrees: Number<Angle>,
}

/// A unit quaternion, `[x, y, z, w]`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "[Part; 4]")]
pub(in crate::sim) struct Quaternion([Part; 4]);

/// A direction, given by a vector of any length but 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "[Axis; 3]")]
pub(in crate::sim) struct Direction([Axis; 3]);

impl TryFrom<[Part; 4]> for Quaternion {
    type Error = &'static str;

    fn try_from(parts: [Part; 4]) -> Result<Self, Self::Error> {
        let unit = (Self(parts).get().length_squared() - 1.0).abs() < ROUNDING;
        unit.then_some(Self(parts)).ok_or("a unit quaternion is expected: its length is not 1")
    }
}

impl TryFrom<[Axis; 3]> for Direction {
    type Error = &'static str;

    fn try_from(axes: [Axis; 3]) -> Result<Self, Self::Error> {
        let long = axes.iter().any(|axis| axis.get().abs() >= 1e-6);
        long.then_some(Self(axes)).ok_or("a direction is expected: one of its numbers is not 0")
    }
}

impl Quaternion {
    pub(in crate::sim) fn of(rotation: Quat) -> Self {
        Self(rotation.to_array().map(Part::of))
    }

    pub(in crate::sim) fn get(self) -> Quat {
        Quat::from_array(self.0.map(Quantity::get))
    }
}

impl Direction {
    /// As a unit vector.
    pub(in crate::sim) fn unit(self) -> Vec3 {
        super::vector::constant(self.0).normalize()
    }
}

impl Turn {
    /// Any way, each as often.
    pub(in crate::sim) const RANDOM: Self = Self::Random(RandomWord::Random);

    pub(in crate::sim) fn draw(&self, random: &mut RandomStream) -> Quat {
        match self {
            Self::Random(RandomWord::Random) => random.rotation(),
            Self::Quaternion(quaternion) => quaternion.get(),
            Self::About(About { axis, degrees }) => {
                let (sine, cosine) = turn(degrees.draw(random) * 0.5);
                let [x, y, z] = (axis.unit() * sine).to_array();
                Quat::from_xyzw(x, y, z, cosine)
            }
        }
    }
}

/// Sine and cosine of an angle in degrees, by exactly rounded operations only: a small part of the
/// angle by a rational rotation, doubled a few times.
pub(super) fn turn(degrees: f32) -> (f32, f32) {
    const DOUBLINGS: i32 = 6;
    let radians = f64::from(degrees % 360.0) * (std::f64::consts::PI / 180.0);
    let half = radians / f64::from(2 << DOUBLINGS);
    // The tangent of an angle of less than 3 degrees: the next term is below a billionth of it.
    let squared = half * half;
    let tangent = half * (1.0 + squared * (1.0 / 3.0 + squared * (2.0 / 15.0)));
    let scale = 1.0 / (1.0 + tangent * tangent);
    let mut cosine = (1.0 - tangent * tangent) * scale;
    let mut sine = 2.0 * tangent * scale;
    for _ in 0..DOUBLINGS {
        (sine, cosine) = (2.0 * sine * cosine, cosine * cosine - sine * sine);
    }
    (sine as f32, cosine as f32)
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TurnVisitor)
    }
}

struct TurnVisitor;

impl<'de> Visitor<'de> for TurnVisitor {
    type Value = Turn;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"random\", [x, y, z, w] or {\"axis\": [..], \"degrees\": ..}")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Turn, E> {
        match word {
            "random" => Ok(Turn::Random(RandomWord::Random)),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Turn, A::Error> {
        Deserialize::deserialize(SeqAccessDeserializer::new(items)).map(Turn::Quaternion)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Turn, A::Error> {
        let map = serde::de::value::MapAccessDeserializer::new(map);
        Deserialize::deserialize(map).map(Turn::About)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_sine_and_cosine() {
        for degrees in -800..=800 {
            let degrees = degrees as f32 * 4.5;
            let (sine, cosine) = turn(degrees);
            let (expected_sine, expected_cosine) = f64::from(degrees).to_radians().sin_cos();
            assert!((f64::from(sine) - expected_sine).abs() < 1e-6, "{degrees}: {sine}");
            assert!((f64::from(cosine) - expected_cosine).abs() < 1e-6, "{degrees}: {cosine}");
        }
    }

    #[test]
    fn a_turn_about_an_axis_turns_counter_clockwise() {
        let turn: Turn = serde_json::from_str(r#"{"axis": [0, 2, 0], "degrees": 90}"#).unwrap();
        let turned = turn.draw(&mut RandomStream::new(1)) * Vec3::X;
        assert!((turned - Vec3::NEG_Z).length() < 1e-6, "{turned}");
    }
}
