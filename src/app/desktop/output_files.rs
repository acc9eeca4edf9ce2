//! Screenshots and scenes that the window saves: numbered files.

use std::io::{self, Write};
use std::path::{self, Path, PathBuf};

use directories::UserDirs;

use crate::app::error::AppError;
use crate::app::output::Output;
use crate::error_text;
use crate::output::{NewFile, numbered};

/// Saves a file that does not replace another: a screenshot into the user's folder for pictures, if there is one,
/// anything else into the current folder. Returns where it is, for a message.
pub(in crate::app) fn save(
    what: Output,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, AppError> {
    let (folder, name, extension) = match what {
        Output::Screenshot => (picture_folder(), "cubefall", "png"),
        Output::Scene => (PathBuf::from("."), "cubefall", "json"),
        Output::Suite => (PathBuf::from("."), "suite", "json"),
    };
    // Messages, also of errors, say in which folder it is.
    let folder = path::absolute(&folder).unwrap_or(folder);
    let file = NewFile::create(numbered(&folder, name, extension))?;
    Ok(error_text::path(&file.write(write)?))
}

fn picture_folder() -> PathBuf {
    UserDirs::new()
        .and_then(|folders| folders.picture_dir().map(Path::to_owned))
        .filter(|folder| folder.is_dir())
        .unwrap_or_else(|| ".".into())
}
