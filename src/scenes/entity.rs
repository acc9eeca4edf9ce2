//! Entities that a file lists one by one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::color::HexColor;
use super::gravity::GravitySpec;
use super::object::present;
use super::quantity::{Acceleration, Edge, Emission, Length, Speed};
use super::rotation::FixedRotation;
use super::template::Templates;
use super::text::Name;

/// One entity. Values that are left out come from its template.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EntitySpec {
    /// Name of a template. Without one, the entity has only the components listed here.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<Name>,
    /// Name.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<Name>,
    /// Position; required without a template.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<[Length; 3]>,
    /// Rotation.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<FixedRotation>,
    /// Edge of the cube.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<Edge>,
    /// Color. An entity without a color is not drawn.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<HexColor>,
    /// Light that the cube emits, as a multiple of its color.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) emission: Option<Emission>,
    /// Velocity at the start.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) velocity: Option<[Speed; 3]>,
    /// Acceleration besides gravity.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) acceleration: Option<[Acceleration; 3]>,
    /// Gravity: a number is an acceleration downwards. Physics moves only entities that have gravity.
    /// Gravity requires a color.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) gravity: Option<GravitySpec<Acceleration>>,
}

impl EntitySpec {
    /// Checks the keys against each other and against the templates.
    pub(super) fn validate(&self, templates: &Templates) -> Result<(), String> {
        let known = |name: &Name| {
            templates.get(name).ok_or_else(|| format!("there is no template `{}`", name.as_str()))
        };
        let template = self.template.as_ref().map(known).transpose()?;
        if template.is_none() && self.position.is_none() {
            return Err("expected a template or a position".into());
        }
        let has_color = self.color.is_some() || template.is_some_and(|it| it.color.is_some());
        check_color(has_color, self.gravity.is_some(), self.emission.is_some())
    }
}

/// Checks that what needs a color has one.
pub(super) fn check_color(
    has_color: bool,
    has_gravity: bool,
    has_emission: bool,
) -> Result<(), String> {
    if has_gravity && !has_color {
        return Err("gravity without a color, expected both: only drawn entities fall".into());
    }
    if has_emission && !has_color {
        return Err("emission without a color, expected both".into());
    }
    Ok(())
}
