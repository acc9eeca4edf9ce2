//! Pictures and scenes that the window saves: numbered files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use directories::UserDirs;

use crate::app::error::AppError;
use crate::app::output::Output;
use crate::output::OutputFile;

/// Largest number in the name of a file. Later files replace the last one.
const MAX_NUMBER: u32 = 99_999;

/// Saves a file that does not replace another: a picture into the user's folder for pictures, if there is one,
/// anything else into the current folder. Returns where it is, for a message.
pub(in crate::app) fn save(
    what: Output,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, AppError> {
    let path = match what {
        Output::Picture => unused_path(&picture_folder(), "cubefall", "png"),
        Output::Scene => unused_path(Path::new(""), "cubefall", "json"),
        Output::Suite => unused_path(Path::new(""), "suite", "json"),
    };
    OutputFile::create(&path)?.write(write)?;
    let path = std::path::absolute(&path).unwrap_or(path);
    Ok(path.display().to_string())
}

fn picture_folder() -> PathBuf {
    UserDirs::new()
        .and_then(|folders| folders.picture_dir().map(Path::to_owned))
        .filter(|folder| folder.is_dir())
        .unwrap_or_default()
}

/// Returns the first numbered name that no file in the folder has.
fn unused_path(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let name = |number| folder.join(format!("{name}-{number:04}.{extension}"));
    (1..MAX_NUMBER).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(MAX_NUMBER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_does_not_replace_another() {
        let folder = tempfile::tempdir().unwrap();
        let first = unused_path(folder.path(), "cubefall", "png");
        assert_eq!(first, folder.path().join("cubefall-0001.png"));
        std::fs::write(&first, "").unwrap();
        assert_eq!(
            unused_path(folder.path(), "cubefall", "png"),
            folder.path().join("cubefall-0002.png")
        );
    }
}
