//! Scene: a world described in a file.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::camera::Camera;
use super::error::SceneError;
use super::light::Lighting;
use super::placed::Placed;
use super::template::Count;
use super::templates::Templates;
use super::text::{Label, Remark};
use super::tuning::TuningFactors;
use super::{LARGEST_FILE, MOST_PLACED, read};
use crate::sim::{FallMode, SceneSettings, Tuning};

/// What the template of the classic scene is called.
const CLASSIC: &str = "cube";

/// A world described in a file: templates and entities, camera, mode and light.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format; this is version 1.
    #[schemars(range(min = 1, max = 1))]
    pub(super) version: u32,
    /// What the scene is called.
    pub(super) name: Label,
    /// The scene in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) about: Option<Remark>,
    /// Start of the random numbers; 1 if left out.
    #[schemars(default = "one")]
    pub(super) seed: u64,
    /// Who falls at the start; `cubes-fall` if left out.
    #[schemars(default)]
    pub(super) mode: FallMode,
    /// The camera; as in the classic scene if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) camera: Option<Camera>,
    /// Whether there is a ground to fall through; there is if this is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ground: Option<bool>,
    /// How it is lit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) light: Option<Lighting>,
    /// How strongly and how fast everything moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tuning: Option<TuningFactors>,
    /// Kinds of entities, up to 256, by name.
    #[schemars(default)]
    pub(super) templates: Templates,
    /// Entities with values of their own, up to 250,000; after the templates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub(super) entities: Vec<Placed>,
    /// `XXH3-64` of the file.
    #[serde(skip)]
    pub(super) hash: u64,
}

fn one() -> u64 {
    1
}

impl Scene {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or is no scene.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let name = path.display().to_string();
        let bytes = read::bytes(path).map_err(|why| SceneError::unreadable(&name, &why))?;
        Self::parse(&name, &bytes)
    }

    /// Reads the content of a file; `name` is what errors call it.
    ///
    /// # Errors
    /// It is too large, or no scene.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        if bytes.len() > LARGEST_FILE {
            return Err(SceneError::too_large(name));
        }
        read::parse(name, bytes)
    }

    /// The same scene from another start of the random numbers.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// What the scene is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The scene in one line; may be empty.
    #[must_use]
    pub fn about(&self) -> &str {
        self.about.as_ref().map_or("", Remark::as_str)
    }

    /// Start of the random numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Who falls at the start.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        self.mode
    }

    /// How strongly and how fast everything moves at the start.
    #[must_use]
    pub fn tuning(&self) -> Tuning {
        self.tuning.unwrap_or_default().tuning()
    }

    /// How many entities there are beside the camera.
    #[must_use]
    pub fn len(&self) -> usize {
        let drawn = self.templates.iter().map(|(_, template)| template.len() as usize);
        drawn.sum::<usize>() + self.entities.len()
    }

    /// Whether there is nothing but the camera.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Name and hash of the content of the file, by which results of different scenes are told apart.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        format!("{} {:016x}", self.name(), self.hash)
    }

    /// The JSON schema of scene files.
    #[must_use]
    pub fn schema() -> Value {
        let mut schema = schemars::schema_for!(Scene).to_value();
        forbid_null(&mut schema);
        schema
    }

    /// A scene of the one template of the classic scene, and of no entities.
    pub(in crate::sim) fn classic(name: Label, settings: SceneSettings) -> Self {
        Self {
            version: 1,
            name,
            about: None,
            seed: settings.seed,
            mode: FallMode::default(),
            camera: None,
            ground: None,
            light: None,
            tuning: None,
            templates: Templates(vec![(CLASSIC.into(), settings.template())]),
            entities: Vec::new(),
            hash: 0,
        }
    }

    /// Everything but the entities that have values of their own, of which there may be many.
    pub(super) fn head(&self) -> Self {
        Self {
            version: self.version,
            name: self.name.clone(),
            about: self.about.clone(),
            seed: self.seed,
            mode: self.mode,
            camera: self.camera,
            ground: self.ground,
            light: self.light,
            tuning: self.tuning,
            templates: self.templates.clone(),
            entities: Vec::new(),
            hash: 0,
        }
    }

    /// The same scene before anything is in it.
    pub(in crate::sim) fn without_entities(&self) -> Self {
        let mut scene = self.head();
        for (_, template) in &mut scene.templates.0 {
            template.count = Some(Count(0));
        }
        scene
    }

    /// Whether so many entities are not too many to have values of their own.
    pub(in crate::sim) fn check_room(&self, entities: usize) -> Result<(), SceneError> {
        if entities <= MOST_PLACED {
            return Ok(());
        }
        let what = format!("{entities} entities are too many to be saved: {MOST_PLACED} at most");
        Err(SceneError::not_to_be_written(self.name(), what))
    }

    /// Hash of the content of the file that it was read from; 0 if it was read from none.
    #[cfg(feature = "snapshot")]
    pub(in crate::sim) fn content_hash(&self) -> u64 {
        self.hash
    }

    /// The same scene, read from a file whose content has this hash.
    #[cfg(feature = "snapshot")]
    pub(in crate::sim) fn with_content_hash(self, hash: u64) -> Self {
        Self { hash, ..self }
    }

    pub(in crate::sim) fn place(&mut self, placed: Placed) {
        self.entities.push(placed);
    }

    pub(in crate::sim) fn look(&mut self, camera: Camera, mode: FallMode) {
        (self.camera, self.mode) = (Some(camera), mode);
    }

    pub(in crate::sim) fn tune(&mut self, tuning: Tuning) {
        let factors = TuningFactors::of(tuning);
        self.tuning = (factors != TuningFactors::default()).then_some(factors);
    }

    pub(in crate::sim) fn camera(&self) -> Option<&Camera> {
        self.camera.as_ref()
    }

    pub(in crate::sim) fn has_ground(&self) -> bool {
        self.ground.unwrap_or(true)
    }

    pub(in crate::sim) fn lighting(&self) -> Option<&Lighting> {
        self.light.as_ref()
    }

    pub(in crate::sim) fn templates(&self) -> &Templates {
        &self.templates
    }

    pub(in crate::sim) fn entities(&self) -> &[Placed] {
        &self.entities
    }
}

/// What may be left out is no `null` where it is not, whatever derived schemas say.
fn forbid_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(forbid_null),
        Value::Object(object) => {
            if let Some(Value::Array(variants)) = object.get_mut("anyOf") {
                variants.retain(|variant| variant["type"] != "null");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
            }
            object.values_mut().for_each(forbid_null);
        }
        _ => {}
    }
}
