//! The content of a scene file.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{Error, IgnoredAny, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use super::camera::CameraSpec;
use super::camera_path::CameraPath;
use super::entity::EntitySpec;
use super::light::LightSpec;
use super::limits::{MAX_LISTED_ENTITIES, MAX_TEMPLATES};
use super::list::List;
use super::object::{Object, choice, is_default, object, present, present_choice};
use super::quantity::PeriodLength;
use super::template::{Templates, TemplatesSchema, templates};
use super::text::{Description, MAX_NAME, Name};
use super::timeline::TimelineSpec;
use super::tuning::TuningSpec;
use crate::components::{ColorBy, FallMode, Motion, Palette};

/// Entities listed one by one.
type Entities = List<EntitySpec, 0, MAX_LISTED_ENTITIES>;

/// A world described in a file: templates and entities, camera, fall mode, light and tuning.
///
/// [`read`](Self::read) and [`parse`](Self::parse) validate it. Deserializing it otherwise does not, and a simulation of
/// an invalid scene may save states that cannot be loaded.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(description = "A scene: templates and entities, camera, fall mode, light and tuning.")]
pub struct Scene {
    /// Schema of this format, for editors.
    #[serde(default, rename = "$schema", skip_serializing)]
    #[schemars(with = "String")]
    pub(crate) schema: IgnoredAny,
    /// Version of the format; this is version 1.
    #[serde(deserialize_with = "version")]
    #[schemars(range(min = 1, max = 1))]
    pub(crate) version: u64,
    /// Name of the scene.
    pub(crate) name: Name,
    /// Description of the scene in one line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) description: Description,
    /// Random seed; 1 by default.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Which entities gravity acts on at the start; `cubes-fall` by default.
    #[serde(default, deserialize_with = "choice")]
    pub mode: FallMode,
    /// How the motion of cubes is computed; `integrated` by default.
    #[serde(default, deserialize_with = "choice", skip_serializing_if = "is_default")]
    pub motion: Motion,
    /// Camera at the start; as in the classic scene by default.
    #[serde(default, deserialize_with = "camera", skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<CameraSpec>,
    /// Path of the camera, until the user moves it.
    #[serde(default, deserialize_with = "camera_path", skip_serializing_if = "Option::is_none")]
    pub(crate) camera_path: Option<CameraPath>,
    /// Distances along X, Y and Z after which the cubes repeat around a falling camera; by default those of
    /// the smallest box around the origin with all cubes, at least 200 m.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<[PeriodLength; 3]>,
    /// Whether the ground is drawn; `true` by default.
    #[serde(default = "default_ground")]
    pub(crate) ground: bool,
    /// Sun, sky and fog.
    #[serde(default, deserialize_with = "object", skip_serializing_if = "is_default")]
    pub(crate) light: LightSpec,
    /// Palette of the cubes; by default each has its own color. A cube listed with a color keeps it, but not with `color_by`
    /// `height`, nor with `speed` and `age` while it falls.
    #[serde(default, deserialize_with = "present_choice", skip_serializing_if = "Option::is_none")]
    pub(crate) palette: Option<Palette>,
    /// Property that selects the color of a cube in the palette.
    #[serde(default, deserialize_with = "choice", skip_serializing_if = "is_default")]
    pub(crate) color_by: ColorBy,
    /// Factors of all motion at the start.
    #[serde(default, deserialize_with = "object", skip_serializing_if = "is_default")]
    pub(crate) tuning: TuningSpec,
    /// What happens by itself while the scene runs.
    #[serde(default, deserialize_with = "object", skip_serializing_if = "is_default")]
    pub(crate) timeline: TimelineSpec,
    /// Up to 256 templates by name.
    #[serde(default, deserialize_with = "templates")]
    #[schemars(with = "TemplatesSchema")]
    #[schemars(extend("maxProperties" = MAX_TEMPLATES))]
    #[schemars(extend("propertyNames" = { "minLength": 1, "maxLength": MAX_NAME }))]
    pub(crate) templates: Templates,
    /// Up to 250,000 entities listed one by one.
    #[serde(default, with = "entities", skip_serializing_if = "is_default")]
    #[schemars(with = "Entities")]
    pub(crate) entities: Arc<Entities>,
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

fn camera_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<CameraPath>, D::Error> {
    object(deserializer).map(Some)
}

impl Scene {
    /// Returns a copy without the listed entities, and without a content hash.
    pub(crate) fn without_entities(&self) -> Self {
        Self { entities: Arc::default(), content_hash: 0, ..self.clone() }
    }

    /// Returns the same scene with another random seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the name of the scene.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Returns the description in one line; may be empty.
    pub fn description(&self) -> &str {
        self.description.as_str()
    }

    /// Returns the number of entities, without the camera.
    pub fn len(&self) -> usize {
        let spawned = self.templates.values().map(|template| template.len() as usize);
        spawned.sum::<usize>() + self.entities.0.len()
    }

    /// Returns `true` if any cube may emit light.
    pub(crate) fn emits(&self) -> bool {
        self.templates.values().any(|template| template.emission.is_some())
            || self.entities.0.iter().any(|entity| entity.emission.is_some())
    }

    /// Returns `true` if the scene has no entities but the camera.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns name and content hash, which tell results of different scenes apart.
    pub fn fingerprint(&self) -> String {
        format!("{} {:016x}", self.name(), self.content_hash)
    }
}

/// Entities are shared, so that a copy of a scene is cheap.
mod entities {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Entities, EntitySpec, List, MAX_LISTED_ENTITIES, Object};

    pub(super) fn serialize<S: Serializer>(
        entities: &Arc<Entities>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Entities::serialize(entities, serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Entities>, D::Error> {
        let List(objects): List<Object<EntitySpec>, 0, MAX_LISTED_ENTITIES> =
            List::deserialize(deserializer)?;
        Ok(Arc::new(List(objects.into_iter().map(|Object(entity)| entity).collect())))
    }
}
