//! Templates: groups of similar entities.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::color::ColorSpec;
use super::distribution::Distribution;
use super::forms::{Forms, any_form};
use super::gravity::GravitySpec;
use super::limits::{MAX_ENTITIES, MAX_TEMPLATES};
use super::object::{Object, choice, is_default, present};
use super::quantity::{Acceleration, Edge, Emission, Length, Speed};
use super::rotation::RotationSpec;
use super::text::Name;
use super::vector::Vector;
use super::whole::Whole;

/// Templates by name, in the order of the file.
pub(crate) type Templates = IndexMap<Name, Template>;

/// A number of entities with the same components. A component that is left out is absent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentRequired" = { "gravity": ["color"], "emission": ["color"] }))]
pub(crate) struct Template {
    /// Number of entities; by default one, or one for each point of a grid or a Menger sponge.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Whole<0, MAX_ENTITIES>>,
    /// Name of the entities; the name of the template by default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<Name>,
    /// Position at the start.
    pub(crate) position: Vector<Length>,
    /// Rotation; facing -Z by default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<RotationSpec>,
    /// Edge of the cube; 1 m by default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<Distribution<Edge>>,
    /// Color. An entity without a color is not drawn.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<ColorSpec>,
    /// Light that the cubes emit, as a multiple of their color.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) emission: Option<Distribution<Emission>>,
    /// Velocity at the start; 0 by default if there is an acceleration or gravity.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) velocity: Option<Vector<Speed>>,
    /// Acceleration besides gravity; 0 by default if there is a velocity or gravity.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) acceleration: Option<Vector<Acceleration>>,
    /// Gravity: a number is an acceleration downwards. Physics moves only entities that have gravity, if
    /// only 0. Gravity requires a color.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) gravity: Option<GravitySpec<Distribution<Acceleration>>>,
    /// Where an entity respawns that fell through the ground.
    #[serde(default, deserialize_with = "choice", skip_serializing_if = "is_default")]
    pub(crate) respawn: Respawn,
}

/// Where an entity respawns that fell through the ground.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Respawn {
    /// At the top of the box, above a new position of the template.
    #[default]
    Top,
    /// At a new position of the template.
    Start,
}

impl Template {
    /// Returns the name of the entities; `key` is the name of the template.
    pub(crate) fn entity_name<'t>(&'t self, key: &'t Name) -> &'t Name {
        self.name.as_ref().unwrap_or(key)
    }

    /// Returns `true` if the entities have a velocity.
    pub(crate) fn moves(&self) -> bool {
        self.velocity.is_some() || self.acceleration.is_some() || self.gravity.is_some()
    }

    /// Returns the number of entities.
    pub(crate) fn len(&self) -> u32 {
        let default = || self.position.ordered_points().unwrap_or(1);
        self.count.map_or_else(default, |Whole(count)| count)
    }
}

/// Reads the templates. Refuses a name that occurs twice.
pub(super) fn templates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Templates, D::Error> {
    any_form(deserializer)
}

impl<'de> Forms<'de> for Templates {
    fn expected() -> String {
        "an object with a template for each name".to_owned()
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(read_templates(map))
    }
}

fn read_templates<'de, A: MapAccess<'de>>(mut map: A) -> Result<Templates, A::Error> {
    let mut templates = Templates::new();
    while let Some(name) = map.next_key::<Name>()? {
        if templates.contains_key(&name) {
            let name = name.as_str();
            return Err(Error::custom(format_args!("duplicate template `{name}`")));
        }
        if templates.len() == MAX_TEMPLATES {
            let message = format_args!("too many templates, expected up to {MAX_TEMPLATES}");
            return Err(Error::custom(message));
        }
        let Object(template) = map.next_value()?;
        templates.insert(name, template);
    }
    Ok(templates)
}

/// The type that the JSON schema describes.
pub(super) type TemplatesSchema = BTreeMap<String, Template>;
