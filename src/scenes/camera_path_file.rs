//! Files of camera paths: reading, writing, and the JSON schema.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::camera_path::CameraPath;
use super::error::SceneError;
use super::limits::MAX_FILE_BYTES;
use super::parse::{bytes, read_json};
use super::schema::strict_schema;
use super::validate;
use crate::error_text;
use crate::input_file::as_utf8;

impl CameraPath {
    /// Reads a file of a camera path.
    ///
    /// # Errors
    /// The file cannot be read, is larger than 32 MiB, or is not a valid path.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let file = error_text::path(path);
        Self::parse(&file, &bytes(path, &file)?)
    }

    /// Reads the content of a file of a camera path. Errors call it `file`.
    ///
    /// # Errors
    /// The content is larger than 32 MiB, or is not a valid path.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        if bytes.len() > MAX_FILE_BYTES {
            return Err(SceneError::of_file(
                file,
                format!("larger than {} MiB", MAX_FILE_BYTES >> 20),
            ));
        }
        let bytes = &*as_utf8(bytes);
        let (path, text) = read_json::<Self>(file, "a camera path", bytes)?;
        path.validate().map_err(|(key, message)| {
            let message = format!("keys[{key}]: {message}");
            SceneError::invalid_at(file, text, validate::key_offset(text, key), &message)
        })?;
        Ok(path)
    }

    /// Returns the JSON schema of files of camera paths.
    pub fn schema() -> serde_json::Value {
        strict_schema::<Self>()
    }

    /// Returns the `XXH3-64` of the path, which does not depend on the form of its file.
    pub fn content_hash(&self) -> u64 {
        xxh3_64(self.to_json().as_bytes())
    }

    /// Returns the content of a file that is read back as this path.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("every value of a path is JSON")
    }
}
