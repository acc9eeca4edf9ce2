//! Write: a scene as the content of a file.

use super::LARGEST_FILE;
use super::error::SceneError;
use super::scene::Scene;

impl Scene {
    /// The content of a file that reads back as this scene: an entity to a line.
    ///
    /// Whoever writes it to disk does so whole or not at all.
    ///
    /// # Errors
    /// The file would be larger than one that can be read.
    pub fn save(&self) -> Result<String, SceneError> {
        let failed = |what: String| SceneError::not_to_be_written(self.name(), what);
        let entities = self.entities.len();
        self.check_room(entities)?;
        let broken = |error: serde_json::Error| failed(format!("cannot be written: {error}"));
        let mut text = serde_json::to_string_pretty(&self.head()).map_err(broken)?;
        if entities > 0 {
            text.truncate(text.len() - "\n}".len());
            text.push_str(",\n  \"entities\": [\n");
            for (number, entity) in self.entities.iter().enumerate() {
                text.push_str("    ");
                text.push_str(&serde_json::to_string(entity).map_err(broken)?);
                text.push_str(if number + 1 < entities { ",\n" } else { "\n" });
                if text.len() > LARGEST_FILE {
                    let (most, saved) = (LARGEST_FILE >> 20, number + 1);
                    return Err(failed(format!(
                        "{entities} entities are too many to be saved: {most} MiB hold {saved}"
                    )));
                }
            }
            text.push_str("  ]\n}");
        }
        text.push('\n');
        Ok(text)
    }
}
