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

impl OutputError {
    /// Nothing can be written at `path`, because of `reason`.
    #[must_use]
    pub fn new(path: &Path, reason: io::Error) -> Self {
        Self { path: path.to_owned(), reason }
    }
}

/// A file that will be written whole, or not at all.
///
/// What is written goes to a temporary file beside the place it is meant for and is renamed when it is
/// complete. An existing file keeps its content until then.
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// The file it will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that a file can be written at `path`, before any work is put into its content.
    ///
    /// # Errors
    /// The folder is missing or cannot be written to, or something that is no regular file is in
    /// the place.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        // What a link points at is replaced, and not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = Self { path: target };
        let checked = if path.to_string_lossy().ends_with(std::path::is_separator)
            || fs::metadata(path).is_ok_and(|found| !found.is_file())
        {
            Err(io::Error::other("it is not a regular file"))
        } else {
            // Gone again at once: a program that is interrupted leaves nothing behind.
            file.temporary().map(drop)
        };
        checked.map(|()| file).map_err(|reason| OutputError::new(path, reason))
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".cubefall-");
        // Otherwise it would be its owner's alone; the system takes off what the user does not allow.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Without the name of the temporary file, which nobody has asked for.
        let temporary =
            builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        if let Ok(earlier) = fs::metadata(&self.path) {
            temporary.as_file().set_permissions(earlier.permissions())?;
        }
        Ok(temporary)
    }

    /// Puts what `make` leaves at the path it is given in the place of the file, for programs that
    /// want a name and not a stream. The temporary file of that name is there already, and empty.
    ///
    /// # Errors
    /// `make` fails, or the file cannot be renamed; what was there before is still there then.
    pub fn make<E: From<OutputError>>(
        &self,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |reason| OutputError::new(&self.path, reason);
        let temporary = self.temporary().map_err(failed)?;
        // Not kept open: on some systems nobody else could write it then.
        let temporary = temporary.into_temp_path();
        make(&temporary)?;
        temporary.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Puts what `write` writes in the place of the file.
    ///
    /// # Errors
    /// `write` fails, or the disk is full or fails; what was there before is still there then.
    pub fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        self.try_write(write).map_err(|reason| OutputError::new(&self.path, reason))
    }

    fn try_write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut temporary = self.temporary()?;
        let mut file = BufWriter::new(temporary.as_file_mut());
        write(&mut file)?;
        file.flush()?;
        drop(file);
        temporary.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn what_is_written_replaces_what_was_there_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        OutputFile::create(&path).unwrap().write(|to| to.write_all(b"after")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        let made = OutputFile::create(&path).unwrap().make(|temporary| {
            assert_eq!(fs::read(&path).unwrap(), b"after", "not before all is there");
            fs::write(temporary, "made").unwrap();
            Ok::<_, OutputError>(())
        });
        made.unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"made");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_fails_half_way_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        let file = OutputFile::create(&path).unwrap();
        let error = file.write(|to| {
            to.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(error.unwrap_err().to_string().starts_with("cannot write "));
        let error = file.make(|temporary| {
            fs::write(temporary, "half").unwrap();
            Err(OutputError::new(&path, io::ErrorKind::StorageFull.into()))
        });
        error.unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names(folder.path()), ["a.txt"]);
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
        assert!(names(folder.path()).is_empty());
        let file = OutputFile::create(&folder.path().join("a.png")).unwrap();
        assert!(names(folder.path()).is_empty(), "nothing before the content is there");
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_file_keeps_who_may_read_it() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [target, link] = ["target", "link"].map(|name| folder.path().join(name));
        fs::write(&target, "before").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&target, &link).unwrap();
        OutputFile::create(&link).unwrap().write(|file| file.write_all(b"after")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"after");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
