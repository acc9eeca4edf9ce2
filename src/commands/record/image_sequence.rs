//! Image sequence: a PNG file for each frame.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::RecordError;
use super::frames::{Frames, RecordSettings};
use crate::cli::FilePattern;
use crate::error_text;
use crate::output::{self, OutputError, OutputFile};

pub(super) struct ImageSequence {
    pattern: FilePattern,
    /// Created if missing.
    folder: PathBuf,
}

impl ImageSequence {
    pub(super) fn new(
        pattern: &FilePattern,
        settings: RecordSettings,
    ) -> Result<Self, RecordError> {
        let (first, last) = (pattern.path(1), pattern.path(settings.frames));
        let folder = first.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut folder = folder.unwrap_or(Path::new(".")).to_owned();
        if folder.is_dir() {
            OutputFile::create_unlinked(&first)?;
            OutputFile::create_unlinked(&last)?.require_space(settings.least_png_bytes())?;
        } else {
            if folder.exists() {
                let reason = io::Error::other("it is not a folder");
                return Err(OutputError::new(&folder, reason).into());
            }
            // Where a file can be created, a folder can be created too.
            let file = OutputFile::create(&folder)?;
            file.require_space(settings.least_png_bytes())?;
            // Finds a name that is too long, before its folder exists.
            let name = last.file_name().map(|name| folder.with_file_name(name));
            let found = name.map_or(Ok(()), |name| fs::symlink_metadata(name).map(drop));
            if let Err(reason) = found
                && reason.kind() != io::ErrorKind::NotFound
            {
                return Err(OutputError::new(&last, reason).into());
            }
            // A link leads to the folder that will exist.
            file.path().clone_into(&mut folder);
        }
        Ok(Self { pattern: pattern.clone(), folder })
    }

    /// Writes all frames. Finished images are kept after an error.
    pub(super) fn write(&self, frames: Frames) -> Result<(), RecordError> {
        let mut next = self.pattern.path(1);
        let written = frames.zip(1..).try_for_each(|(image, number)| {
            let image = image.map_err(|reason| OutputError::new(&next, reason))?;
            if number == 1 && !self.folder.is_dir() {
                fs::create_dir(&self.folder)
                    .map_err(|reason| OutputError::new(&self.folder, reason))?;
            }
            OutputFile::create_unlinked(&next)?.write(|to| image.write_png(to))?;
            next = self.pattern.path(number + 1);
            Ok(())
        });
        let is_file = fs::symlink_metadata(&next).is_ok_and(|found| found.is_file());
        if is_file && next != self.pattern.path(1) {
            let next = error_text::path(&next);
            output::status(&format!(
                "{next} is of an earlier recording; remove it and the images after it, or choose another folder"
            ));
        }
        written
    }
}
