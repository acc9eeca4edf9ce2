//! Writing scene files.

use super::error::SceneError;
use super::limits::{MAX_FILE_BYTES, MAX_LISTED_ENTITIES};
use super::scene::Scene;

impl Scene {
    /// Returns the content of a file that is read back as this scene: one line per listed entity.
    ///
    /// # Errors
    /// There are no entities, or the file would be larger than 32 MiB or list more than 250,000 entities.
    pub fn to_json(&self) -> Result<String, SceneError> {
        let count = self.entities.0.len();
        Self::check_listed(count)?;
        if self.is_empty() {
            let message =
                "there are no cubes to save: drop one or reset the scene first".to_owned();
            return Err(SceneError::of_file(self.name(), message));
        }
        let text = self.to_json_of_any_size();
        if text.len() > MAX_FILE_BYTES {
            let max = MAX_FILE_BYTES >> 20;
            let message = format!(
                "{count} entities are too many to save, expected {max} MiB at most; save the state (F5) instead"
            );
            return Err(SceneError::of_file(self.name(), message));
        }
        Ok(text)
    }

    /// Returns the content of a file without a limit of its size.
    pub(crate) fn to_json_of_any_size(&self) -> String {
        const SERIALIZABLE: &str = "every value of a scene is JSON";
        let entities = &self.entities.0;
        let mut text = serde_json::to_string_pretty(&self.without_entities()).expect(SERIALIZABLE);
        if !entities.is_empty() {
            text.truncate(text.len() - "\n}".len());
            text.push_str(",\n  \"entities\": [\n");
            for (index, entity) in entities.iter().enumerate() {
                text.push_str(if index == 0 { "    " } else { ",\n    " });
                text.push_str(&serde_json::to_string(entity).expect(SERIALIZABLE));
            }
            text.push_str("\n  ]\n}");
        }
        text.push('\n');
        text
    }

    /// Checks that a file may list so many entities one by one.
    pub(crate) fn check_listed(count: usize) -> Result<(), SceneError> {
        if count <= MAX_LISTED_ENTITIES {
            return Ok(());
        }
        let message = format!(
            "a scene file lists at most {MAX_LISTED_ENTITIES} entities; save the state (F5) instead"
        );
        Err(SceneError::of_file("not saved", message))
    }
}
