//! The content of a scene file.

use schemars::JsonSchema;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use super::camera::CameraSpec;
use super::entity::EntitySpec;
use super::light::LightSpec;
use super::limits::{MAX_LISTED_ENTITIES, MAX_TEMPLATES};
use super::list::List;
use super::object::{Object, is_default, object};
use super::template::{Templates, TemplatesSchema, templates};
use super::text::{Description, Name};
use super::tuning::TuningSpec;
use crate::components::FallMode;

/// Entities listed one by one.
type Entities = List<EntitySpec, 0, MAX_LISTED_ENTITIES>;

/// A world described in a file: templates and entities, camera, fall mode, light and tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format; this is version 1.
    #[serde(deserialize_with = "version")]
    #[schemars(range(min = 1, max = 1))]
    version: u64,
    /// Name of the scene.
    pub(crate) name: Name,
    /// Description of the scene in one line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) description: Description,
    /// Random seed; 1 by default.
    #[serde(default = "default_seed")]
    pub(crate) seed: u64,
    /// Which entities gravity acts on at the start; `cubes-fall` by default.
    #[serde(default)]
    pub(crate) mode: FallMode,
    /// Camera at the start; as in the classic scene by default.
    #[serde(default, deserialize_with = "camera", skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<CameraSpec>,
    /// Whether the ground is drawn; `true` by default.
    #[serde(default = "default_ground")]
    pub(crate) ground: bool,
    /// Sun, sky and fog.
    #[serde(default, deserialize_with = "object", skip_serializing_if = "is_default")]
    pub(crate) light: LightSpec,
    /// Factors of all motion at the start.
    #[serde(default, deserialize_with = "object", skip_serializing_if = "is_default")]
    pub(crate) tuning: TuningSpec,
    /// Up to 256 templates by name.
    #[serde(default, deserialize_with = "templates")]
    #[schemars(with = "TemplatesSchema")]
    #[schemars(extend("maxProperties" = MAX_TEMPLATES))]
    #[schemars(extend("propertyNames" = { "minLength": 1, "maxLength": 64 }))]
    pub(crate) templates: Templates,
    /// Up to 250,000 entities listed one by one.
    #[serde(default, deserialize_with = "entities", skip_serializing_if = "is_default")]
    pub(crate) entities: Entities,
    /// `XXH3-64` of the file.
    #[serde(skip)]
    pub(crate) content_hash: u64,
}

fn default_seed() -> u64 {
    1
}

fn default_ground() -> bool {
    true
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        1 => Ok(1),
        other => Err(D::Error::invalid_value(Unexpected::Unsigned(other), &"version 1")),
    }
}

fn camera<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<CameraSpec>, D::Error> {
    object(deserializer).map(Some)
}

fn entities<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Entities, D::Error> {
    let List(entities): List<Object<EntitySpec>, 0, MAX_LISTED_ENTITIES> =
        List::deserialize(deserializer)?;
    Ok(List(entities.into_iter().map(|Object(entity)| entity).collect()))
}

impl Scene {
    /// Returns a scene without entities and templates.
    pub(crate) fn empty(name: Name, seed: u64) -> Self {
        Self {
            version: 1,
            name,
            description: Description::default(),
            seed,
            mode: FallMode::default(),
            camera: None,
            ground: true,
            light: LightSpec::default(),
            tuning: TuningSpec::default(),
            templates: Templates::new(),
            entities: List::default(),
            content_hash: 0,
        }
    }

    /// Returns a copy without the listed entities, which may be many, and without a content hash.
    pub(crate) fn without_entities(&self) -> Self {
        Self {
            version: self.version,
            name: self.name.clone(),
            description: self.description.clone(),
            seed: self.seed,
            mode: self.mode,
            camera: self.camera,
            ground: self.ground,
            light: self.light,
            tuning: self.tuning,
            templates: self.templates.clone(),
            entities: List::default(),
            content_hash: 0,
        }
    }

    /// Returns the same scene with another random seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the name of the scene.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the description in one line; may be empty.
    #[must_use]
    pub fn description(&self) -> &str {
        self.description.as_str()
    }

    /// Returns the random seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns which entities gravity acts on at the start.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        self.mode
    }

    /// Returns the number of entities, without the camera.
    #[must_use]
    pub fn len(&self) -> usize {
        let spawned = self.templates.values().map(|template| template.len() as usize);
        spawned.sum::<usize>() + self.entities.0.len()
    }

    /// Returns `true` if the scene has no entities but the camera.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns name and content hash, which tell results of different scenes apart.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        format!("{} {:016x}", self.name(), self.content_hash)
    }
}
