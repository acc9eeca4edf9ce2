//! Checks that need more than one value of a scene.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::limits::MAX_ENTITIES;
use super::scene::Scene;

/// The part of a scene that a check refuses. Prints as a JSON path.
pub(super) enum Part<'s> {
    Camera,
    Template(&'s str),
    Entity(usize),
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera => f.write_str("camera"),
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
        let max = u64::from(MAX_ENTITIES);
        let mut count = 0;
        for (name, template) in &self.templates {
            let invalid = |message: String| Err((Part::Template(name.as_str()), message));
            if template.gravity.is_some() && template.color.is_none() {
                return invalid(
                    "gravity without a color, expected both: only drawn entities fall".into(),
                );
            }
            count += u64::from(template.len());
            if count > max {
                return invalid(format!("too many entities, expected {max} at most in a scene"));
            }
        }
        for (index, entity) in self.entities.0.iter().enumerate() {
            let invalid = |message| (Part::Entity(index), message);
            entity.validate(&self.templates).map_err(invalid)?;
            count += 1;
            if count > max {
                return Err(invalid(format!(
                    "too many entities, expected {max} at most in a scene"
                )));
            }
        }
        Ok(())
    }
}

/// The parts of a scene as they are written in a file.
#[derive(Deserialize)]
struct Outline<'t> {
    #[serde(borrow)]
    camera: Option<&'t RawValue>,
    #[serde(borrow, default)]
    templates: HashMap<String, &'t RawValue>,
    #[serde(borrow, default)]
    entities: Vec<&'t RawValue>,
}

/// Returns the byte offset of a part in the text of a scene that was parsed before.
pub(super) fn offset(text: &str, part: &Part<'_>) -> Option<usize> {
    let outline: Outline<'_> = serde_json::from_str(text).ok()?;
    let raw = match *part {
        Part::Camera => outline.camera?,
        Part::Template(name) => outline.templates.get(name)?,
        Part::Entity(index) => outline.entities.get(index)?,
    };
    Some(raw.get().as_ptr().addr() - text.as_ptr().addr())
}
