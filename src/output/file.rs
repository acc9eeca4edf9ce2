//! Output file: a file that is replaced atomically.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::temporary::{TemporaryFile, folder_of};
use crate::error_text;

/// Links in a row that are followed at most, as on Linux.
const MAX_LINKS: usize = 40;

/// Largest number in the name of a file.
const MAX_NUMBER: u32 = 99_999;

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {}", error_text::path(path), error_text::io(reason))]
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
/// Content goes to a temporary file in the same folder, which gets the name when it is complete. Until
/// then, and after an error, an existing file keeps its content.
#[derive(Debug)]
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
    /// A link is followed, even to a file that does not exist.
    ///
    /// # Errors
    /// The folder is missing or not writable, `path` is `-`, too long or no regular file, the existing file is read-only, mounted or
    /// append-only (Linux), another user owns it in a folder where only the owner can replace it, or, where the system reports it, the file system is full.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let checked = check(path).map_err(|reason| OutputError::new(path, reason));
        let file = Self { path: checked? };
        file.require_space(1)?;
        Ok(file)
    }

    /// [`create`](Self::create) for a file name that the program chooses.
    ///
    /// # Errors
    /// As for [`create`](Self::create), or the file is a link.
    pub fn create_unlinked(path: &Path) -> Result<Self, OutputError> {
        refuse_link(path)?;
        Self::create(path)
    }

    /// Checks that the file is none of others that are read, or written as well.
    ///
    /// # Errors
    /// It is one of them, whose content would be lost.
    pub fn require_other_than(
        &self,
        others: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<(), OutputError> {
        if others.into_iter().any(|other| is_same_file(&self.path, other.as_ref())) {
            let reason =
                "this command reads or writes it as another file, too; choose another name";
            return Err(OutputError::new(&self.path, io::Error::other(reason)));
        }
        Ok(())
    }

    /// Checks that the file system has space for a number of bytes, where the system tells.
    ///
    /// # Errors
    /// There is less space.
    pub fn require_space(&self, bytes: u64) -> Result<(), OutputError> {
        #[cfg(unix)]
        if let Ok(space) = rustix::fs::statvfs(folder_of(&self.path)) {
            // A part of the free blocks may be for root only.
            let is_root = rustix::process::geteuid().is_root();
            let blocks = if is_root { space.f_bfree } else { space.f_bavail };
            let free = blocks.saturating_mul(space.f_frsize);
            // Some file systems report no size.
            if space.f_blocks > 0 && free < bytes {
                let [needed, free] = [bytes.div_ceil(1000), free / 1000].map(crate::units::count);
                let reason =
                    format!("not enough space: {needed} kB or more needed, {free} kB free");
                return Err(OutputError::new(&self.path, io::Error::other(reason)));
            }
        }
        let _ = bytes;
        Ok(())
    }

    /// Replaces the file by what `make` writes to the given file. For programs that need a path instead
    /// of a stream.
    ///
    /// # Errors
    /// `make` fails, the temporary file cannot be created or renamed, or the disk is full.
    pub fn make<E: From<OutputError>>(
        &self,
        make: impl FnOnce(&mut TemporaryFile) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |reason| OutputError::new(&self.path, reason);
        let mut temporary = self.temporary().map_err(failed)?;
        make(&mut temporary)?;
        Ok(temporary.persist(&self.path).map_err(failed)?)
    }

    /// Replaces the file by what `write` writes.
    ///
    /// # Errors
    /// `write` fails, the temporary file cannot be created or renamed, or the disk is full.
    pub fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        self.stage(write)?.commit()
    }

    /// Writes new content, which replaces the file when it is [committed](StagedFile::commit).
    ///
    /// # Errors
    /// `write` fails, the temporary file cannot be created, or the disk is full.
    pub fn stage(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<StagedFile, OutputError> {
        let staged = || {
            let temporary = self.temporary()?;
            let mut file = BufWriter::new(temporary.file()?);
            write(&mut file)?;
            file.flush()?;
            drop(file);
            Ok(StagedFile { temporary, path: self.path.clone() })
        };
        staged().map_err(|reason| OutputError::new(&self.path, reason))
    }

    fn temporary(&self) -> io::Result<TemporaryFile> {
        let temporary = create_temporary(folder_of(&self.path))?;
        if let Ok(existing) = fs::metadata(&self.path) {
            temporary.file()?.set_permissions(existing.permissions())?;
        }
        Ok(temporary)
    }
}

/// Complete content of a file that still has its old content.
#[derive(Debug)]
pub struct StagedFile {
    temporary: TemporaryFile,
    path: PathBuf,
}

impl StagedFile {
    /// Replaces the file.
    ///
    /// # Errors
    /// The folder is no longer writable, or its file system reports only now that the disk is full.
    pub fn commit(self) -> Result<(), OutputError> {
        let Self { temporary, path } = self;
        temporary.persist(&path).map_err(|reason| OutputError::new(&path, reason))
    }
}

/// Returns whether two paths are of the same file, which need not exist yet.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let missing = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
        fs::canonicalize(path).ok().or_else(missing)
    };
    place(one).is_some_and(|place_of_one| place(other) == Some(place_of_one))
}

/// Checks that a name that the program chooses is no link: in a folder that another user prepared, it could lead to any
/// file.
///
/// # Errors
/// It is a link.
pub fn refuse_link(path: &Path) -> Result<(), OutputError> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        let reason = io::Error::other("it is a link; remove it, or choose another folder");
        return Err(OutputError::new(path, reason));
    }
    Ok(())
}

/// Returns the path with links resolved, if a file can be written there.
fn check(path: &Path) -> io::Result<PathBuf> {
    if path == Path::new("-") {
        let reason = "it is no name of a file here; write ./- for a file of this name";
        return Err(io::Error::other(reason));
    }
    let target = follow_links(path)?;
    // On Windows a colon separates the name of a file from that of a stream in it.
    let has_colon = target.file_name().is_some_and(|name| name.to_string_lossy().contains(':'));
    if cfg!(windows) && has_colon {
        return Err(io::Error::other("its name has a colon; choose a name without"));
    }
    // Not of the target: the system refuses some links in folders of all users.
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        found => Some(found?),
    };
    if names_folder(path) || found.as_ref().is_some_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    if let Some(found) = found {
        if found.permissions().readonly() {
            return Err(io::Error::other("it is read-only; make it writable"));
        }
        // Renaming would replace a file that only others can write.
        let mut options = OpenOptions::new();
        options.append(true);
        // The rename needs the right to delete (FILE_APPEND_DATA | DELETE), which a program that has the file open can refuse.
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::access_mode(&mut options, 0x1_0004);
        options.open(&target).map(drop)?;
        #[cfg(unix)]
        require_right_to_rename(&target)?;
    }
    create_temporary(folder_of(&target))?;
    Ok(target)
}

/// Creates a temporary file.
///
/// # Errors
/// Says if the folder is missing, also if that was removed meanwhile.
fn create_temporary(folder: &Path) -> io::Result<TemporaryFile> {
    if !folder.exists() {
        let reason =
            format!("the folder {} does not exist; create it first", error_text::path(folder));
        return Err(io::Error::new(io::ErrorKind::NotFound, reason));
    }
    TemporaryFile::create(folder).map_err(|error| match error.kind() {
        // It is the current folder, which still exists for this process.
        io::ErrorKind::NotFound if folder == Path::new(".") => {
            io::Error::other("its folder was deleted; change to an existing folder")
        }
        _ => error,
    })
}

/// Returns whether a path can be of a folder only.
fn names_folder(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let before_dot = text.strip_suffix('.').unwrap_or(&text);
    text.is_empty() || before_dot.ends_with(std::path::is_separator)
}

/// Checks what writing cannot: whether the file can be replaced. A folder of all users such as `/tmp` lets only the owner do it.
#[cfg(unix)]
fn require_right_to_rename(target: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

        let fixed = StatxAttributes::MOUNT_ROOT | StatxAttributes::APPEND;
        // Older systems have no such call.
        let found = statx(CWD, target, AtFlags::empty(), StatxFlags::empty());
        if found.is_ok_and(|found| found.stx_attributes.intersects(fixed)) {
            let reason = "no other file can replace it, since it is mounted or append-only; choose another name";
            return Err(io::Error::other(reason));
        }
    }
    let (file, folder) = (fs::metadata(target)?, fs::metadata(folder_of(target))?);
    let user = rustix::process::geteuid();
    if can_rename(folder.mode(), [file.uid(), folder.uid()], user.as_raw()) {
        return Ok(());
    }
    let reason = "another user owns it, and in this folder only the owner can replace it; choose another name";
    Err(io::Error::other(reason))
}

/// Returns whether a user can replace a file. `mode` is that of its folder.
#[cfg(unix)]
fn can_rename(mode: u32, owners: [u32; 2], user: u32) -> bool {
    const STICKY: u32 = 0o1000;
    mode & STICKY == 0 || user == 0 || owners.contains(&user)
}

/// Returns where a path leads. Unlike the system's own function, this one accepts a missing target.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        // Renaming would replace what standard output is directed to.
        let is_of_process = target.starts_with("/proc") && target.iter().any(|part| part == "fd");
        if is_of_process || target.starts_with("/dev/fd") {
            return Err(io::Error::other("it names an open file, expected the name of a file"));
        }
        let Ok(next) = fs::read_link(&target) else { return Ok(target) };
        target = folder_of(&target).join(next);
    }
    Err(io::Error::other("too many links"))
}

/// Returns the numbered paths of files in a folder: `name-0001.extension` and so on.
pub fn numbered(folder: &Path, name: &str, extension: &str) -> impl Iterator<Item = PathBuf> {
    (1..=MAX_NUMBER).map(move |number| folder.join(format!("{name}-{number:04}.{extension}")))
}

/// A file that replaces no other, not even one that another process writes meanwhile.
#[derive(Debug)]
pub struct NewFile<P> {
    file: OutputFile,
    /// Further paths.
    paths: P,
}

impl<P: Iterator<Item = PathBuf>> NewFile<P> {
    /// Checks that a file can be written at the first of these paths that no file has.
    ///
    /// # Errors
    /// As for [`OutputFile::create`], or all paths are in use.
    pub fn create(mut paths: P) -> Result<Self, OutputError> {
        let mut last = PathBuf::new();
        for path in &mut paths {
            if fs::symlink_metadata(&path).is_err() {
                return Ok(Self { file: OutputFile::create(&path)?, paths });
            }
            last = path;
        }
        Err(OutputError::new(&last, io::ErrorKind::AlreadyExists.into()))
    }

    /// Writes the file at the first path that no file has by then. Returns this path.
    ///
    /// # Errors
    /// `write` fails, the temporary file cannot be created or renamed, the disk is full, or all paths are in use.
    pub fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, OutputError> {
        let Self { file, mut paths } = self;
        let StagedFile { mut temporary, mut path } = file.stage(write)?;
        while let Err((file, error)) = temporary.persist_new(&path) {
            match paths.next() {
                Some(next) if error.kind() == io::ErrorKind::AlreadyExists => {
                    (temporary, path) = (file, next);
                }
                _ => return Err(OutputError::new(&path, error)),
            }
        }
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[cfg(unix)]
    #[test]
    fn in_a_folder_of_all_users_only_owners_and_root_replace_a_file() {
        let (own, shared) = (0o755, 0o1777);
        assert!(can_rename(own, [1, 2], 3) && can_rename(shared, [1, 2], 0));
        assert_eq!([1, 2, 3].map(|user| can_rename(shared, [1, 2], user)), [true, true, false]);
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
            temporary.file().unwrap().write_all(b"made").unwrap();
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
            temporary.file().unwrap().write_all(b"half").unwrap();
            Err(OutputError::new(&path, io::ErrorKind::StorageFull.into()))
        });
        error.unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"before");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_refused_at_creation() {
        let folder = tempfile::tempdir().unwrap();
        let mut wrong = vec![
            folder.path().to_owned(),
            folder.path().join("missing/a.png"),
            folder.path().join("a/"),
        ];
        // Wine reports such a name as missing, not as invalid.
        if cfg!(unix) {
            wrong.push(folder.path().join("a".repeat(300)));
        }
        for wrong in wrong {
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
    #[cfg(unix)]
    #[test]
    fn a_dangling_link_is_followed() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let [first, second, round] = ["first", "second", "round"].map(|at| folder.path().join(at));
        symlink("second", &first).unwrap();
        symlink(folder.path().join("target"), &second).unwrap();
        OutputFile::create(&first).unwrap().write(|file| file.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&first).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("target")).unwrap(), b"new");
        symlink("round", &round).unwrap();
        assert!(OutputFile::create(&round).is_err());
        let error = OutputFile::create_unlinked(&first).err().unwrap().to_string();
        assert!(error.ends_with("it is a link; remove it, or choose another folder"), "{error}");
        OutputFile::create_unlinked(&folder.path().join("target")).unwrap();
        symlink("missing", folder.path().join("a-0001.png")).unwrap();
        let new = NewFile::create(numbered(folder.path(), "a", "png")).unwrap();
        assert_eq!(new.file.path, folder.path().join("a-0002.png"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn standard_output_is_no_file() {
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"] {
            let error = OutputFile::create(Path::new(path)).err().unwrap().to_string();
            assert!(error.contains("it names an open file") || error.contains("./-"), "{error}");
        }
    }

    #[test]
    fn a_read_only_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let error = OutputFile::create(&path).err().unwrap();
        assert!(error.to_string().contains("it is read-only"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"kept");
    }

    #[cfg(unix)]
    #[test]
    fn more_bytes_than_the_disk_has_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = OutputFile::create(&folder.path().join("a.txt")).unwrap();
        file.require_space(1000).unwrap();
        let error = file.require_space(u64::MAX).unwrap_err().to_string();
        assert!(error.contains("not enough space") && error.contains("kB free"), "{error}");
    }

    #[test]
    fn staged_content_replaces_a_file_when_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "before").unwrap();
        let staged = OutputFile::create(&path).unwrap().stage(|to| to.write_all(b"after")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"before");
        staged.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"after");
    }

    #[test]
    fn a_new_file_does_not_replace_another() {
        let folder = tempfile::tempdir().unwrap();
        let new = || NewFile::create(numbered(folder.path(), "cubefall", "png"));
        let [first, second, failing] = [(); 3].map(|()| new().unwrap());
        let path = first.write(|to| to.write_all(b"first")).unwrap();
        assert_eq!(path, folder.path().join("cubefall-0001.png"));
        // The file appeared after the path was chosen.
        let path = second.write(|to| to.write_all(b"second")).unwrap();
        assert_eq!(path, folder.path().join("cubefall-0002.png"));
        failing.write(|_| Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(
            new().unwrap().write(|to| to.write_all(b"third")).unwrap(),
            folder.path().join("cubefall-0003.png")
        );
        let contents = ["1", "2", "3"].map(|n| {
            fs::read_to_string(folder.path().join(format!("cubefall-000{n}.png"))).unwrap()
        });
        assert_eq!(
            (contents, names(folder.path()).len()),
            (["first", "second", "third"].map(str::to_owned), 3)
        );
        let used = ["1", "2"].map(|n| folder.path().join(format!("cubefall-000{n}.png")));
        let error = NewFile::create(used.into_iter()).err().unwrap().to_string();
        assert!(error.starts_with("cannot write ") && error.contains("0002.png"), "{error}");
    }
}
