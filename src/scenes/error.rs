//! Why a scene file cannot be read or written.

use crate::error_text::{self, shortened_line};

/// The JSON path of the whole file.
pub(super) const ROOT: &str = ".";

/// What a JSON path has for a key that cannot be read.
const UNKNOWN: &str = "?";

/// Why a scene cannot be read or written. Prints as one line:
/// `file, line 12, column 26: templates.red.scale: what is wrong, and what is expected`.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}{}", if self.position.is_some() { ", " } else { ": " }, self.reason())]
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

    /// Reports invalid content at a byte offset of the text, or at its start.
    pub(super) fn invalid_at(file: &str, text: &str, at: Option<usize>, message: &str) -> Self {
        Self::invalid(file, position(&text.as_bytes()[..at.unwrap_or(0)]), message)
    }

    /// Reports what the JSON parser refused in a text, at a path.
    pub(super) fn parse(file: &str, text: &str, path: &str, error: &serde_json::Error) -> Self {
        // The parser counts columns from 1, except before the first byte of a line: it refuses the end of the line before.
        let position = match (error.line(), error.column()) {
            (line @ 2.., 0) => {
                let before = text.lines().nth(line - 2).map_or(0, str::len);
                (line - 1, before + 1)
            }
            (line, column) => (line.max(1), column.max(1)),
        };
        let reason = error_text::json(error);
        let path = path.strip_suffix(".?").unwrap_or(path);
        let message =
            if [ROOT, UNKNOWN].contains(&path) { reason } else { format!("{path}: {reason}") };
        Self::invalid(file, position, &message)
    }

    /// Reports a file that cannot be read or written at all.
    pub(super) fn of_file(file: &str, message: String) -> Self {
        Self { file: file.to_owned(), position: None, message }
    }

    /// Returns line and column of invalid content, both counted from 1. Columns count bytes.
    /// `None` if the file cannot be read or written at all.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position
    }

    /// Returns the message without the name of the file.
    pub fn reason(&self) -> String {
        match self.position {
            Some((line, column)) => format!("line {line}, column {column}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Returns line and column, counted from 1, of the byte after `before`.
pub(super) fn position(before: &[u8]) -> (usize, usize) {
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    (line, column + 1)
}
