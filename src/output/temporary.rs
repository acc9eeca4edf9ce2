//! Temporary file: content that replaces a file when it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempPath};

/// Named temporary files, among them some that no longer exist. Locked while one appears or is renamed.
static NAMED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn named_files() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files of this process, which must end at once: threads that create or rename
/// a temporary file afterwards wait forever.
pub fn remove_temporary_files() {
    let files = named_files();
    for path in files.iter() {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}

/// A file that disappears unless it gets a name of its own.
///
/// On Linux it has no name until it is complete, so that nothing is left of a killed process. Other
/// systems and some file systems require a name.
#[derive(Debug)]
pub struct TemporaryFile(Content);

#[derive(Debug)]
enum Content {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// The file is `None` once a child process writes it.
    Named(Option<File>, TempPath),
}

impl TemporaryFile {
    /// Creates an empty file in `folder`.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Ok(file) = linux::create(folder) {
            return Ok(Self(Content::Unnamed(file)));
        }
        Self::named(folder)
    }

    fn named(folder: &Path) -> io::Result<Self> {
        let mut files = named_files();
        files.retain(|path| path.exists());
        let (file, path) = create_in(folder)?.into_parts();
        files.push(path.to_path_buf());
        Ok(Self(Content::Named(Some(file), path)))
    }

    /// Returns the open file; `None` once a child process writes it.
    fn open_file(&self) -> Option<&File> {
        match &self.0 {
            #[cfg(target_os = "linux")]
            Content::Unnamed(file) => Some(file),
            Content::Named(file, _) => file.as_ref(),
        }
    }

    /// Returns the open file.
    ///
    /// # Errors
    /// A child process writes it.
    pub(super) fn file(&self) -> io::Result<&File> {
        self.open_file().ok_or_else(|| io::Error::other("the file is closed"))
    }

    /// Returns the path at which a child process can open the file, and the standard output that the
    /// child process must have.
    ///
    /// # Errors
    /// There are too many open files.
    pub fn for_child(&mut self) -> io::Result<(PathBuf, Stdio)> {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Content::Unnamed(file) => Ok(("/proc/self/fd/1".into(), file.try_clone()?.into())),
            Content::Named(file, path) => {
                // Some systems do not let two processes write one file.
                *file = None;
                Ok((path.to_path_buf(), Stdio::null()))
            }
        }
    }

    /// Gives the file the name `target`, which no other file has.
    ///
    /// # Errors
    /// Another file has the name ([`AlreadyExists`](io::ErrorKind::AlreadyExists)), or the folder is not writable. The
    /// file is returned, too.
    pub(super) fn persist_new(self, target: &Path) -> Result<(), (Self, io::Error)> {
        if let Err(error) = self.open_file().map_or(Ok(()), sync) {
            return Err((self, error));
        }
        let _lock = named_files();
        match self.0 {
            #[cfg(target_os = "linux")]
            Content::Unnamed(file) => linux::persist_new(&file, target)
                .map_err(|error| (Self(Content::Unnamed(file)), error)),
            Content::Named(file, path) => rename_new(path, target)
                .map_err(|(path, error)| (Self(Content::Named(file, path)), error)),
        }
    }

    /// Replaces the file at `target`.
    pub(super) fn persist(self, target: &Path) -> io::Result<()> {
        self.open_file().map_or(Ok(()), sync)?;
        let _lock = named_files();
        match self.0 {
            #[cfg(target_os = "linux")]
            Content::Unnamed(file) => linux::persist(&file, target),
            Content::Named(_, path) => rename_over(path, target).map_err(|(_, error)| error),
        }
    }
}

/// Writes a file to its disk. Some file systems, such as NFS, report a full disk only here; others cannot do it.
fn sync(file: &File) -> io::Result<()> {
    // On a Mac, `sync_all` is slower and fails on network drives.
    #[cfg(unix)]
    let synced = rustix::fs::fsync(file).map_err(io::Error::from);
    #[cfg(not(unix))]
    let synced = file.sync_all();
    synced.or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

/// Makes something with a temporary name in `folder`. Errors of `make` are returned as they are; those of the library
/// contain the name, and not their cause.
fn make_in<R>(
    folder: &Path,
    make: impl FnMut(&Path) -> io::Result<R>,
) -> io::Result<NamedTempFile<R>> {
    Builder::new().prefix(".cubefall-").make_in(folder, make)
}

/// Creates a file with a temporary name, which is not private as those of the library are.
fn create_in(folder: &Path) -> io::Result<NamedTempFile> {
    make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path))
}

/// Renames a file to a name that no other file has.
fn rename_new(path: TempPath, target: &Path) -> Result<(), (TempPath, io::Error)> {
    path.persist_noclobber(target).or_else(|refused| {
        // Some file systems can only replace.
        if refused.error.kind() == io::ErrorKind::AlreadyExists
            || fs::symlink_metadata(target).is_ok()
        {
            return Err((refused.path, refused.error));
        }
        rename_over(refused.path, target)
    })
}

/// Renames a file to a name that another file may have. Unlike the library, the standard library replaces files that are
/// open on Windows, and takes long paths there.
fn rename_over(path: TempPath, target: &Path) -> Result<(), (TempPath, io::Error)> {
    fs::rename(&path, target).map_err(|error| (path, error))
}

/// Returns the folder of the file at `path`.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod linux {
    use std::io::Seek;
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    use super::{
        File, NamedTempFile, Path, PathBuf, create_in, folder_of, io, make_in, rename_new,
    };

    pub(super) fn create(folder: &Path) -> io::Result<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666))?);
        // Without /proc the file could never get a name.
        path(&file).metadata()?;
        Ok(file)
    }

    fn path(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }

    fn link(file: &File, to: &Path) -> io::Result<()> {
        linkat(CWD, path(file), CWD, to, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
    }

    /// Copies the file to one with a name: some sandboxes forbid links.
    fn copy(mut file: &File, folder: &Path) -> io::Result<NamedTempFile> {
        let mut copy = create_in(folder)?;
        file.rewind()?;
        io::copy(&mut file, &mut copy)?;
        copy.as_file().set_permissions(file.metadata()?.permissions())?;
        Ok(copy)
    }

    /// Gives the file the name `target`, which no other file has.
    pub(super) fn persist_new(file: &File, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                let path = copy(file, folder_of(target))?.into_temp_path();
                rename_new(path, target).map_err(|(_, error)| error)
            }
            linked => linked,
        }
    }

    /// Gives the file the name `target`.
    pub(super) fn persist(file: &File, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Ok(()) => Ok(()),
            // A link replaces no file, but a renamed file does.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let linked = make_in(folder_of(target), |to| link(file, to))?;
                linked.persist(target).map_err(Into::into)
            }
            Err(_) => {
                let copy = copy(file, folder_of(target))?;
                copy.persist(target).map(drop).map_err(io::Error::from)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn persisted(file: TemporaryFile, target: &Path) -> String {
        file.file().unwrap().write_all(b"new").unwrap();
        file.persist(target).unwrap();
        assert_eq!(fs::read_dir(folder_of(target)).unwrap().count(), 1, "one file is left");
        fs::read_to_string(target).unwrap()
    }

    #[test]
    fn files_with_and_without_a_name_replace_another() {
        for create in [TemporaryFile::create, TemporaryFile::named] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("a");
            for _ in 0..2 {
                assert_eq!(persisted(create(folder.path()).unwrap(), &target), "new");
            }
            drop(create(folder.path()).unwrap());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn files_with_and_without_a_name_get_a_new_name_only() {
        for create in [TemporaryFile::create, TemporaryFile::named] {
            let folder = tempfile::tempdir().unwrap();
            let [first, second] = ["a", "b"].map(|name| folder.path().join(name));
            fs::write(&first, "old").unwrap();
            let file = create(folder.path()).unwrap();
            file.file().unwrap().write_all(b"new").unwrap();
            let (file, error) = file.persist_new(&first).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            file.persist_new(&second).unwrap();
            let contents = [&first, &second].map(|path| fs::read_to_string(path).unwrap());
            assert_eq!(contents, ["old", "new"]);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        }
    }

    #[test]
    fn a_refused_name_has_the_reason_of_the_system() {
        let nowhere = tempfile::tempdir().unwrap().path().join("a");
        let refused = TemporaryFile::named(&nowhere).err().unwrap();
        assert_eq!(refused.to_string(), fs::read_dir(&nowhere).unwrap_err().to_string());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_a_name_is_used_where_possible_and_copied_where_a_link_fails() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let file = TemporaryFile::create(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(file);
        // No link leads from one file system to another.
        let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
        let file = TemporaryFile::create(elsewhere.path()).unwrap();
        let private = PermissionsExt::from_mode(0o600);
        file.file().unwrap().set_permissions(private).unwrap();
        let target = folder.path().join("a");
        assert_eq!(persisted(file, &target), "new");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
        let file = TemporaryFile::create(elsewhere.path()).unwrap();
        let (file, _) = file.persist_new(&target).unwrap_err();
        file.persist_new(&folder.path().join("b")).unwrap();
    }
}
