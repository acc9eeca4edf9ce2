//! Output file: a file that is replaced atomically.

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
    /// Creates an error about the file at `path`.
    pub fn new(path: &Path, reason: io::Error) -> Self {
        Self { path: path.to_owned(), reason }
    }
}

/// A file that is replaced atomically.
///
/// Content goes to a temporary file in the same folder, which is renamed when it is complete. Until
/// then, and after an error, an existing file keeps its content.
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Returns the path of the file, with links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the file can be written, without creating it.
    ///
    /// # Errors
    /// The folder is missing or not writable, or `path` is not a regular file.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        // Replaces the target of a link, not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = Self { path: target };
        let checked = if path.to_string_lossy().ends_with(std::path::is_separator)
            || fs::metadata(path).is_ok_and(|found| !found.is_file())
        {
            Err(io::Error::other("it is not a regular file"))
        } else {
            // Removed at once, so that an interrupted program leaves no file behind.
            file.temporary().map(drop)
        };
        checked.map(|()| file).map_err(|reason| OutputError::new(path, reason))
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".cubefall-");
        // Temporary files are private by default. The umask still applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The kind alone, since the message would name the temporary file.
        let temporary =
            builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        if let Ok(existing) = fs::metadata(&self.path) {
            temporary.as_file().set_permissions(existing.permissions())?;
        }
        Ok(temporary)
    }

    /// Replaces the file by what `make` writes to the given path, where an empty file exists. For
    /// programs that need a path instead of a stream.
    ///
    /// # Errors
    /// `make` fails, or the file cannot be renamed.
    pub fn make<E: From<OutputError>>(
        &self,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |reason| OutputError::new(&self.path, reason);
        let temporary = self.temporary().map_err(failed)?;
        // Closed, since some systems do not let two processes write one file.
        let temporary = temporary.into_temp_path();
        make(&temporary)?;
        temporary.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// Replaces the file by what `write` writes.
    ///
    /// # Errors
    /// `write` fails, or the disk is full.
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
    fn a_written_file_replaces_the_old_one_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        OutputFile::create(&path).unwrap().write(|to| to.write_all(b"after")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
        let made = OutputFile::create(&path).unwrap().make(|temporary| {
            assert_eq!(
                fs::read(&path).unwrap(),
                b"after",
                "the old file stays until the new one is complete"
            );
            fs::write(temporary, "made").unwrap();
            Ok::<_, OutputError>(())
        });
        made.unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"made");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_failed_write_keeps_the_old_file() {
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
    fn a_path_that_cannot_be_written_is_refused_at_creation() {
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
        assert!(names(folder.path()).is_empty(), "no file before the first write");
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
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
