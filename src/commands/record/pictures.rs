//! Pictures: one PNG file for each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Format, Frames, RecordError, Reel};
use crate::cli::Numbered;
use crate::output::{OutputError, OutputFile};

pub(super) struct Pictures {
    names: Numbered,
    /// To be made, if it is not there.
    folder: PathBuf,
}

impl Pictures {
    pub(super) fn new(names: &Numbered, reel: Reel) -> Result<Self, RecordError> {
        let (first, last) = (names.path(1), names.path(reel.frames));
        let folder = first.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        if folder.is_dir() {
            OutputFile::create(&first)?;
            OutputFile::create(&last)?;
        } else {
            // Where a file can be written, a folder can be made.
            OutputFile::create(&folder)?;
            if folder.exists() {
                let reason = io::ErrorKind::NotADirectory.into();
                return Err(OutputError::new(&folder, reason).into());
            }
        }
        Ok(Self { names: names.clone(), folder })
    }
}

impl Format for Pictures {
    fn keep(&self, frames: Frames) -> Result<(), RecordError> {
        if !self.folder.is_dir() {
            fs::create_dir(&self.folder)
                .map_err(|reason| OutputError::new(&self.folder, reason))?;
        }
        for (image, number) in frames.zip(1..) {
            let path = self.names.path(number);
            let image = image.map_err(|reason| OutputError::new(&path, reason))?;
            OutputFile::create(&path)?.write(|to| image.write_png(to))?;
        }
        Ok(())
    }
}
