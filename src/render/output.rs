//! Output: a file that is written whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}", path.display())]
pub struct OutputError {
    path: PathBuf,
    reason: io::Error,
}

/// A file that will be written whole, or not at all.
///
/// What is written goes to a temporary file beside the place it is meant for and is renamed when it is
/// complete. An existing file keeps its content until then.
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Checks that a file can be written at `path`, before any work is put into its content.
    ///
    /// # Errors
    /// The folder is missing or cannot be written to, or something that is no regular file is in
    /// the place.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file = Self { path: path.to_owned() };
        let checked = if path.to_string_lossy().ends_with(std::path::is_separator)
            || fs::metadata(path).is_ok_and(|found| !found.is_file())
        {
            Err(io::Error::other("it is not a regular file"))
        } else {
            // Gone again at once: a program that is interrupted leaves nothing behind.
            file.temporary().map(drop)
        };
        checked.map(|()| file).map_err(|reason| OutputError { path: path.to_owned(), reason })
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new().prefix(".cubefall-").tempfile_in(folder);
        // Without the name of the temporary file, which nobody has asked for.
        temporary.map_err(|error| error.kind().into())
    }

    /// Puts what `write` writes in the place of the file.
    ///
    /// # Errors
    /// `write` fails, or the disk is full or fails; what was there before is still there then.
    pub fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        self.try_write(write).map_err(|reason| OutputError { path: self.path.clone(), reason })
    }

    fn try_write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut temporary = self.temporary()?;
        let mut file = BufWriter::new(temporary.as_file_mut());
        write(&mut file)?;
        file.flush()?;
        drop(file);
        make_readable(temporary.as_file())?;
        temporary.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// A temporary file is its owner's alone; a result may be read by all.
#[cfg(unix)]
fn make_readable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Image, Size};

    fn image() -> Image {
        let size = Size::new(3, 2).unwrap();
        Image::new(size, (0..24).collect())
    }

    #[test]
    fn a_written_image_reads_back_the_same_and_replaces_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, "before").unwrap();
        OutputFile::create(&path).unwrap().write(|to| image().write_png(to)).unwrap();
        let file = io::BufReader::new(fs::File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, image().rgba());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        assert_eq!(image().pixel(2, 1), Some([20, 21, 22]));
        assert_eq!(image().pixel(3, 1), None);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_before_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for wrong in [
            folder.path().to_owned(),
            folder.path().join("missing/a.png"),
            folder.path().join("a/"),
        ] {
            let error = OutputFile::create(&wrong).err().unwrap();
            assert!(error.to_string().starts_with(&format!("cannot write {}: ", wrong.display())));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let file = OutputFile::create(&folder.path().join("a.png")).unwrap();
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            0,
            "nothing before the image is there"
        );
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
