//! Rotations and directions.

use glam::{Quat, Vec3};
use schemars::JsonSchema;
use serde::de::{Error, MapAccess, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::distribution::Distribution;
use super::forms::{Forms, any_form, read_list, read_object};
use super::quantity::{Angle, DirectionComponent, Quantity, QuaternionComponent, to_vec3};
use crate::components::{Ranged, Rotation};

/// The rotation of the entities of a template.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RotationSpec {
    /// Uniform over all rotations.
    Random,
    /// A unit quaternion `[x, y, z, w]`.
    #[serde(untagged)]
    Quaternion(Quaternion),
    /// An axis and an angle.
    #[serde(untagged)]
    AxisAngle(AxisAngle),
}

/// A rotation about an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AxisAngle {
    /// Axis, of any length but 0.
    pub(crate) axis: Direction,
    /// Angle, counter-clockwise when the axis points towards the viewer.
    pub(crate) degrees: Distribution<Angle>,
}

/// The rotation of one entity.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum FixedRotation {
    /// A unit quaternion `[x, y, z, w]`.
    Quaternion(Quaternion),
    /// An axis and an angle.
    AxisAngle(FixedAxisAngle),
}

/// A rotation by a constant angle about an axis.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FixedAxisAngle {
    /// Axis, of any length but 0.
    pub(crate) axis: Direction,
    /// Angle, counter-clockwise when the axis points towards the viewer.
    pub(crate) degrees: Angle,
}

/// A unit quaternion `[x, y, z, w]`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "[QuaternionComponent; 4]")]
pub(crate) struct Quaternion([QuaternionComponent; 4]);

/// A direction: a vector of any length but 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "[DirectionComponent; 3]")]
pub(crate) struct Direction([DirectionComponent; 3]);

impl TryFrom<[QuaternionComponent; 4]> for Quaternion {
    type Error = &'static str;

    fn try_from(components: [QuaternionComponent; 4]) -> Result<Self, Self::Error> {
        let quaternion = Self(components);
        let is_unit = Rotation(quaternion.get()).is_valid();
        is_unit.then_some(quaternion).ok_or("the length is not 1, expected a unit quaternion")
    }
}

impl TryFrom<[DirectionComponent; 3]> for Direction {
    type Error = &'static str;

    fn try_from(components: [DirectionComponent; 3]) -> Result<Self, Self::Error> {
        let has_length = components.iter().any(|component| component.get().abs() >= 1e-6);
        has_length.then_some(Self(components)).ok_or(
            "a direction too short, expected a component of at least 0.000001 or at most -0.000001",
        )
    }
}

impl Quaternion {
    pub(crate) fn from_quat(rotation: Quat) -> Self {
        Self(rotation.to_array().map(QuaternionComponent::clamped))
    }

    pub(crate) fn get(self) -> Quat {
        Quat::from_array(self.0.map(Quantity::get))
    }
}

impl Direction {
    /// Returns the direction as a unit vector.
    pub(crate) fn unit(self) -> Vec3 {
        to_vec3(self.0).normalize()
    }
}

impl<'de> Deserialize<'de> for RotationSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any_form(deserializer)
    }
}

impl<'de> Forms<'de> for RotationSpec {
    fn expected() -> String {
        "\"random\", [x, y, z, w] or {\"axis\": [x, y, z], \"degrees\": ..}".to_owned()
    }

    fn from_text<E: Error>(text: &str) -> Option<Result<Self, E>> {
        Some(match text {
            "random" => Ok(Self::Random),
            _ => Err(E::unknown_variant(text, &["random"])),
        })
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Option<Result<Self, A::Error>> {
        Some(read_list(items).map(Self::Quaternion))
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(read_object(map).map(Self::AxisAngle))
    }
}

impl<'de> Deserialize<'de> for FixedRotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any_form(deserializer)
    }
}

impl<'de> Forms<'de> for FixedRotation {
    fn expected() -> String {
        "[x, y, z, w] or {\"axis\": [x, y, z], \"degrees\": a}".to_owned()
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Option<Result<Self, A::Error>> {
        Some(read_list(items).map(Self::Quaternion))
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(read_object(map).map(Self::AxisAngle))
    }
}
