//! Screenshots and scenes that the window saves: numbered files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use directories::UserDirs;

use crate::app::error::AppError;
use crate::app::output::Output;
use crate::error_text;
use crate::output::{OutputFile, unused_path};

/// Saves a file that does not replace another: a screenshot into the user's folder for pictures, if there is one,
/// anything else into the current folder. Returns where it is, for a message.
pub(in crate::app) fn save(
    what: Output,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, AppError> {
    let path = match what {
        Output::Screenshot => unused_path(&picture_folder(), "cubefall", "png"),
        Output::Scene => unused_path(Path::new(""), "cubefall", "json"),
        Output::Suite => unused_path(Path::new(""), "suite", "json"),
    };
    // Messages, also of errors, say in which folder it is.
    let path = std::path::absolute(&path).unwrap_or(path);
    OutputFile::create(&path)?.write(write)?;
    Ok(error_text::path(&path))
}

fn picture_folder() -> PathBuf {
    UserDirs::new()
        .and_then(|folders| folders.picture_dir().map(Path::to_owned))
        .filter(|folder| folder.is_dir())
        .unwrap_or_default()
}
