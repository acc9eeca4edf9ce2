//! Reading scene files.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

use super::error::{ROOT, SceneError, position};
use super::limits::MAX_FILE_BYTES;
use super::object::Object;
use super::scene::Scene;
use super::validate;
use crate::error_text;
use crate::input_file::{self, STATE_MAGIC, as_utf8};

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// The file cannot be read, is larger than 32 MiB, or is not a valid scene.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let file = error_text::path(path);
        Self::parse(&file, &bytes(path, &file)?)
    }

    /// Reads the content of a scene file. Errors call it `file`.
    ///
    /// # Errors
    /// The content is larger than 32 MiB, has no entities, or is not a valid scene.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        if bytes.len() > MAX_FILE_BYTES {
            let max = MAX_FILE_BYTES >> 20;
            let message =
                format!("larger than {max} MiB: use templates instead of listed entities");
            return Err(SceneError::of_file(file, message));
        }
        let scene = Self::parse_any_size(file, bytes)?;
        if scene.is_empty() {
            let message =
                "the scene has no entities, expected at least one in templates or entities";
            return Err(SceneError::invalid(file, (1, 1), message));
        }
        Ok(scene)
    }

    /// Reads a scene that the program wrote itself; its indented form may exceed the limit of files.
    pub(crate) fn parse_any_size(file: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        let bytes = &*as_utf8(bytes);
        let (mut scene, text) = read_json::<Self>(file, "a scene file", bytes)?;
        scene.validate().map_err(|(part, message)| {
            let before = validate::offset(text, &part);
            SceneError::invalid_at(file, text, before, &format!("{part}: {message}"))
        })?;
        // Git on Windows may change the line ends.
        scene.content_hash = xxh3_64(text.replace("\r\n", "\n").as_bytes());
        Ok(scene)
    }
}

/// Reads a value from the content of a JSON file. Returns the text, too, for the positions of errors.
pub(super) fn read_json<'t, T: Deserialize<'t>>(
    file: &str,
    expected: &str,
    bytes: &'t [u8],
) -> Result<(T, &'t str), SceneError> {
    if bytes.starts_with(&STATE_MAGIC) {
        let message = format!("a saved state, expected {expected}; `cubefall --load` opens it");
        return Err(SceneError::invalid(file, (1, 1), &message));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let position = position(&bytes[..error.valid_up_to()]);
        SceneError::invalid(file, position, "invalid UTF-8, expected a file saved as UTF-8")
    })?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let Object(value) = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| SceneError::parse(file, text, &error.path().to_string(), error.inner()))?;
    deserializer.end().map_err(|error| SceneError::parse(file, text, ROOT, &error))?;
    Ok((value, text))
}

/// Reads a file up to one byte more than the limit. Errors call it `name`.
pub(super) fn bytes(path: &Path, name: &str) -> Result<Vec<u8>, SceneError> {
    let mut bytes = Vec::new();
    let read = input_file::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|cause| {
        SceneError::of_file(name, format!("cannot be read: {}", error_text::io(&cause)))
    })?;
    Ok(bytes)
}
