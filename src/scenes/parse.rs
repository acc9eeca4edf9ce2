//! Reading scene files.

use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::error::{ROOT, SceneError};
use super::limits::MAX_FILE_BYTES;
use super::object::Object;
use super::scene::Scene;
use super::validate;
use crate::input_file;

/// Bytes that a UTF-8 file may start with, but JSON may not.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// The file cannot be read, is larger than 32 MiB, or is not a valid scene.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let file = path.display().to_string();
        let bytes = bytes(path)
            .map_err(|cause| SceneError::of_file(&file, format!("cannot be read: {cause}")))?;
        Self::parse(&file, &bytes)
    }

    /// Reads the content of a scene file. Errors call it `file`.
    ///
    /// # Errors
    /// The content is larger than 32 MiB, or not a valid scene.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        if bytes.len() > MAX_FILE_BYTES {
            let max = MAX_FILE_BYTES >> 20;
            let message =
                format!("larger than {max} MiB: use templates instead of listed entities");
            return Err(SceneError::of_file(file, message));
        }
        Self::parse_any_size(file, bytes)
    }

    /// Reads a scene that the program wrote itself; its indented form may exceed the limit of files.
    pub(crate) fn parse_any_size(file: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        if bytes.starts_with(BYTE_ORDER_MARK) {
            let message = "starts with a byte order mark, expected UTF-8 without one";
            return Err(SceneError::invalid(file, (1, 1), message));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let position = position(&bytes[..error.valid_up_to()]);
            SceneError::invalid(file, position, "invalid UTF-8, expected a file saved as UTF-8")
        })?;
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let Object(mut scene): Object<Self> = serde_path_to_error::deserialize(&mut deserializer)
            .map_err(|error| {
            SceneError::parse(file, &error.path().to_string(), error.inner())
        })?;
        deserializer.end().map_err(|error| SceneError::parse(file, ROOT, &error))?;
        scene.validate().map_err(|(part, message)| {
            let before = validate::offset(text, &part).unwrap_or(0);
            SceneError::invalid(file, position(&bytes[..before]), &format!("{part}: {message}"))
        })?;
        scene.content_hash = xxh3_64(bytes);
        Ok(scene)
    }
}

/// Reads a file up to one byte more than the limit.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input_file::open(path)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns line and column, counted from 1, of the byte after `before`.
fn position(before: &[u8]) -> (usize, usize) {
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    (line, column + 1)
}
