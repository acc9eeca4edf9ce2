//! Placed: one entity with values of its own.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::MOST_PLACED;
use super::color::Hex;
use super::gravity::Pulled;
use super::quantity::{Acceleration, Edge, Length, Speed};
use super::read::{falls_unseen, fill, no_template};
use super::rotation::Quaternion;
use super::templates::Templates;
use super::text::Label;

/// One entity: what it has not of its own it has from its template.
#[derive(Clone, PartialEq, Default, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::sim) struct Placed {
    /// One of the templates; without one, the entity has what is given here and nothing else.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    #[schemars(with = "Option<String>")]
    pub(in crate::sim) template: Option<Arc<str>>,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) name: Option<Label>,
    /// Where it is; needed without a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) position: Option<[Length; 3]>,
    /// Which way it faces: a unit quaternion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) rotation: Option<Quaternion>,
    /// Its edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) scale: Option<Edge>,
    /// What it reflects; what has no colour is not drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) color: Option<Hex>,
    /// How it moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) velocity: Option<[Speed; 3]>,
    /// What moves it beside gravity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) acceleration: Option<[Acceleration; 3]>,
    /// What pulls it: a number is a pull downwards. What has no gravity hangs still; what has one needs
    /// a colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::sim) gravity: Option<Pulled>,
}

#[expect(clippy::ref_option, reason = "serde asks by reference")]
fn as_text<S: serde::Serializer>(
    text: &Option<Arc<str>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    text.as_deref().serialize(serializer)
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Template,
    Name,
    Position,
    Rotation,
    Scale,
    Color,
    Velocity,
    Acceleration,
    Gravity,
}

/// Reads entities of a scene that has these templates.
#[derive(Clone, Copy)]
pub(super) struct PlacedSeed<'t> {
    pub(super) templates: &'t Templates,
}

impl<'de> DeserializeSeed<'de> for PlacedSeed<'_> {
    type Value = Vec<Placed>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

/// The list of them.
impl<'de> Visitor<'de> for PlacedSeed<'_> {
    type Value = Vec<Placed>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of up to {MOST_PLACED} entities")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut entities = Vec::new();
        while let Some(entity) = items.next_element_seed(OneSeed(self.templates))? {
            if entities.len() == MOST_PLACED {
                return Err(A::Error::invalid_length(MOST_PLACED + 1, &self));
            }
            entities.push(entity);
        }
        Ok(entities)
    }
}

struct OneSeed<'t>(&'t Templates);

impl<'de> DeserializeSeed<'de> for OneSeed<'_> {
    type Value = Placed;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Placed, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// One of them.
impl<'de> Visitor<'de> for OneSeed<'_> {
    type Value = Placed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an entity such as {\"template\": \"..\", \"position\": [x, y, z]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Placed, A::Error> {
        let mut entity = Placed::default();
        while let Some(field) = map.next_key()? {
            match field {
                Field::Template => {
                    let mut wanted: Option<Label> = None;
                    fill(&mut wanted, "template", &mut map)?;
                    if entity.template.is_some() {
                        return Err(A::Error::duplicate_field("template"));
                    }
                    let wanted = wanted.ok_or_else(|| A::Error::missing_field("template"))?;
                    let known = self.0.key(wanted.as_str());
                    entity.template = Some(known.ok_or_else(|| no_template(wanted.as_str()))?);
                }
                Field::Name => fill(&mut entity.name, "name", &mut map)?,
                Field::Position => fill(&mut entity.position, "position", &mut map)?,
                Field::Rotation => fill(&mut entity.rotation, "rotation", &mut map)?,
                Field::Scale => fill(&mut entity.scale, "scale", &mut map)?,
                Field::Color => fill(&mut entity.color, "color", &mut map)?,
                Field::Velocity => fill(&mut entity.velocity, "velocity", &mut map)?,
                Field::Acceleration => fill(&mut entity.acceleration, "acceleration", &mut map)?,
                Field::Gravity => fill(&mut entity.gravity, "gravity", &mut map)?,
            }
        }
        if entity.template.is_none() && entity.position.is_none() {
            return Err(A::Error::custom("a template or a position is expected"));
        }
        if entity.gravity.is_some() && entity.color.is_none() {
            let template = entity.template.as_deref().and_then(|name| self.0.find(name));
            if template.is_none_or(|template| template.color.is_none()) {
                return Err(falls_unseen());
            }
        }
        Ok(entity)
    }
}
