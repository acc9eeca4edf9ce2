//! Why a scene file cannot be read or written.

use std::io;

use super::limits::MAX_FILE_BYTES;

/// Characters that a message keeps of the start and of the end of a long text.
const KEPT: usize = 160;

/// The JSON path of the whole file.
pub(super) const ROOT: &str = ".";

/// The JSON path of a key that the file breaks off before.
const UNKNOWN: &str = "?";

/// Why a scene cannot be read or written. Prints as one line:
/// `file, line 12, column 26: templates.red.scale: what is wrong, and what is expected`.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {message}", self.position_text())]
pub struct SceneError {
    file: String,
    position: Option<(usize, usize)>,
    message: String,
}

impl SceneError {
    /// Reports invalid content at a line and column, both counted from 1.
    pub(super) fn invalid(file: &str, position: (usize, usize), message: &str) -> Self {
        Self { file: file.to_owned(), position: Some(position), message: shortened_line(message) }
    }

    /// Reports what the JSON parser refused at a path.
    pub(super) fn parse(file: &str, path: &str, error: &serde_json::Error) -> Self {
        // The parser counts columns from 1, except before the first byte.
        let position = (error.line().max(1), error.column().max(1));
        let text = error.to_string();
        let suffix = format!(" at line {} column {}", error.line(), error.column());
        let text = text.strip_suffix(&suffix).unwrap_or(&text);
        let message = if [ROOT, UNKNOWN].contains(&path) {
            text.to_owned()
        } else {
            format!("{path}: {text}")
        };
        Self::invalid(file, position, &message)
    }

    /// Reports a file that the operating system cannot read.
    pub(super) fn unreadable(file: &str, cause: &io::Error) -> Self {
        Self::without_position(file, format!("cannot be read: {cause}"))
    }

    /// Reports a file above the size limit.
    pub(super) fn file_too_large(file: &str) -> Self {
        let max = MAX_FILE_BYTES >> 20;
        let message = format!(
            "larger than {max} MiB, the limit of a scene file: use templates instead of listed entities"
        );
        Self::without_position(file, message)
    }

    /// Reports a scene that no file can hold.
    pub(super) fn not_writable(scene: &str, message: String) -> Self {
        Self::without_position(scene, message)
    }

    fn without_position(file: &str, message: String) -> Self {
        Self { file: file.to_owned(), position: None, message }
    }

    /// Returns line and column of invalid content, both counted from 1. Columns count bytes.
    /// `None` if the file cannot be read or written at all.
    #[must_use]
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position
    }

    fn position_text(&self) -> String {
        self.position
            .map_or_else(String::new, |(line, column)| format!(", line {line}, column {column}"))
    }
}

/// Escapes control characters, which a message may quote from the file, and cuts out the middle of a
/// long text.
fn shortened_line(text: &str) -> String {
    let count = text.chars().count();
    let cut = if count > 2 * KEPT { KEPT..count - KEPT } else { count..count };
    let mut line = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == cut.start {
            line.push_str(" … ");
        }
        if c.is_control() && !cut.contains(&index) {
            line.extend(c.escape_default());
        } else if !cut.contains(&index) {
            line.push(c);
        }
    }
    line
}
