//! Checks that need more than one value of a scene.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::entity::check_color;
use super::limits::MAX_ENTITIES;
use super::scene::Scene;
use super::template::Template;
use super::timeline::TimelineSpec;

/// The part of a scene that a check refuses. Prints as a JSON path.
pub(super) enum Part<'s> {
    Camera,
    PathKey(usize),
    Timeline,
    Templates,
    Template(&'s str),
    Entity(usize),
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera => f.write_str("camera"),
            Self::PathKey(key) => write!(f, "camera_path.keys[{key}]"),
            Self::Timeline => f.write_str("timeline"),
            Self::Templates => f.write_str("templates"),
            Self::Template(name) => write!(f, "templates.{name}"),
            Self::Entity(index) => write!(f, "entities[{index}]"),
        }
    }
}

impl Scene {
    /// Checks the values of the scene against each other. Returns the first part that is invalid, and
    /// what is wrong with it.
    pub(super) fn validate(&self) -> Result<(), (Part<'_>, String)> {
        if let Some(camera) = &self.camera {
            camera.validate().map_err(|message| (Part::Camera, message))?;
        }
        if let Some(path) = &self.camera_path {
            path.validate().map_err(|(key, message)| (Part::PathKey(key), message))?;
            if self.camera.is_some_and(|camera| camera.orbit.is_some()) {
                return Err((
                    Part::Camera,
                    "orbit besides camera_path, expected one of the two".into(),
                ));
            }
        }
        let TimelineSpec { switch_every, rewind_after, .. } = self.timeline;
        if switch_every.is_some() && rewind_after.is_some() {
            let message = "switch_every besides rewind_after, expected one of the two";
            return Err((Part::Timeline, message.into()));
        }
        for (name, template) in &self.templates {
            let Template { color, gravity, emission, .. } = template;
            check_color(color.is_some(), gravity.is_some(), emission.is_some())
                .map_err(|message| (Part::Template(name.as_str()), message))?;
        }
        for (index, entity) in self.entities.0.iter().enumerate() {
            let valid = entity.validate(&self.templates);
            valid.map_err(|message| (Part::Entity(index), message))?;
        }
        let spawned = self.templates.values().map(|template| u64::from(template.len()));
        let count = spawned.sum::<u64>() + self.entities.0.len() as u64;
        if count > MAX_ENTITIES.into() {
            let message = format!("{count} entities, expected {MAX_ENTITIES} at most");
            return Err((Part::Templates, message));
        }
        Ok(())
    }
}

/// The parts of a scene as they are written in a file.
#[derive(Deserialize)]
struct Outline<'t> {
    #[serde(borrow)]
    camera: Option<&'t RawValue>,
    #[serde(borrow)]
    camera_path: Option<PathOutline<'t>>,
    #[serde(borrow)]
    timeline: Option<&'t RawValue>,
    #[serde(borrow, default)]
    templates: HashMap<String, &'t RawValue>,
    #[serde(borrow, default)]
    entities: Vec<&'t RawValue>,
}

/// The keys of a camera path as they are written in a file.
#[derive(Deserialize)]
struct PathOutline<'t> {
    #[serde(borrow)]
    keys: Vec<&'t RawValue>,
}

/// Returns the byte offset of a key in the text of a camera path that was parsed before.
pub(super) fn key_offset(text: &str, key: usize) -> Option<usize> {
    let outline: PathOutline<'_> = serde_json::from_str(text).ok()?;
    Some(offset_of(outline.keys.get(key)?, text))
}

/// Returns the byte offset of a part in the text of a scene that was parsed before.
pub(super) fn offset(text: &str, part: &Part<'_>) -> Option<usize> {
    let outline: Outline<'_> = serde_json::from_str(text).ok()?;
    let raw = match *part {
        Part::Camera => outline.camera?,
        Part::PathKey(key) => outline.camera_path?.keys.get(key)?,
        Part::Timeline => outline.timeline?,
        Part::Templates => outline.templates.values().min_by_key(|raw| raw.get().as_ptr())?,
        Part::Template(name) => outline.templates.get(name)?,
        Part::Entity(index) => outline.entities.get(index)?,
    };
    Some(offset_of(raw, text))
}

fn offset_of(raw: &RawValue, text: &str) -> usize {
    raw.get().as_ptr().addr() - text.as_ptr().addr()
}
