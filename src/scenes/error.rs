//! Scene error: why a file is not the scene that somebody wanted.

use std::io;

/// Why a scene cannot be had. Prints one line: which file, where in it, and what was expected there.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {what}", self.place())]
pub struct SceneError {
    file: String,
    /// Line and column, counted from 1; columns in bytes.
    at: Option<(usize, usize)>,
    what: String,
}

impl SceneError {
    /// What is wrong with a place of a file.
    pub(super) fn at(file: &str, place: (usize, usize), what: &str) -> Self {
        Self { file: file.to_owned(), at: Some(place), what: what.to_owned() }
    }

    pub(super) fn parsing(file: &str, error: &serde_json::Error) -> Self {
        // An error at the very beginning is in column 0 for the parser.
        let place = (error.line().max(1), error.column().max(1));
        let text = error.to_string();
        let suffix = format!(" at line {} column {}", error.line(), error.column());
        Self::at(file, place, &one_line(text.strip_suffix(&suffix).unwrap_or(&text)))
    }

    pub(super) fn unreadable(file: &str, why: &io::Error) -> Self {
        Self { file: file.to_owned(), at: None, what: format!("cannot be read: {why}") }
    }

    pub(super) fn too_large(file: &str) -> Self {
        let most = super::LARGEST_FILE >> 20;
        let what = format!("a scene file has {most} MiB at most; fewer entities of their own help");
        Self { file: file.to_owned(), at: None, what }
    }

    pub(super) fn not_to_be_written(scene: &str, what: String) -> Self {
        Self { file: scene.to_owned(), at: None, what }
    }

    /// Line and column of what is wrong, counted from 1, if it is in the content of the file; columns
    /// in bytes.
    #[must_use]
    pub fn place_in_file(&self) -> Option<(usize, usize)> {
        self.at
    }

    fn place(&self) -> String {
        self.at.map_or_else(String::new, |(line, column)| format!(", line {line}, column {column}"))
    }
}

/// What is said may quote the file: as one line that can be printed, of bounded length.
fn one_line(text: &str) -> String {
    /// Characters that are kept at the beginning and at the end of a text that is too long.
    const KEPT: usize = 160;
    let mut line = String::new();
    let characters = text.chars().count();
    for (place, c) in text.chars().enumerate() {
        if characters > 2 * KEPT && (KEPT..characters - KEPT).contains(&place) {
            if place == KEPT {
                line.push_str(" … ");
            }
            continue;
        }
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}
