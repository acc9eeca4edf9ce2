//! Snapshot files: a snapshot with a version and a checksum.
//!
//! ```text
//! "CUBEFALL" | version u32 | length of the content u64 | XXH3-64 of the content | content
//! ```
//!
//! Numbers are little-endian. The content is the snapshot in the [postcard] format.
//!
//! [postcard]: https://postcard.jamesmunns.com

use std::collections::TryReserveError;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Simulation;
use super::snapshot::SimulationSnapshot;
use crate::ecs::Error;
use crate::error_text;
use crate::input_file::{self, STATE_MAGIC};
use crate::sim::memory::{CONTENT_BYTES_PER_CUBE, LOAD_FACTOR};

/// Increased with every change of the content, such as a new component.
pub(in crate::sim) const VERSION: u32 = 9;

/// Magic, version, length and checksum.
const HEADER: usize = 8 + 4 + 8 + 8;

/// Largest content, in bytes: enough for the most cubes a scene can have.
const MAX_LENGTH: u64 = 32 << 30;

/// A snapshot file that cannot be loaded, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot load {}: {cause}", error_text::path(path))]
pub struct LoadError {
    path: PathBuf,
    cause: LoadErrorCause,
}

#[derive(Debug, thiserror::Error)]
enum LoadErrorCause {
    #[error("{}", error_text::io(.0))]
    Unreadable(#[from] io::Error),
    #[error("not a saved state (expected a file saved by F5 or cubefall simulate --save FILE)")]
    NotASnapshot,
    #[error(
        "saved in format {found}, this version of cubefall reads format {VERSION}; use the version that wrote it"
    )]
    Version { found: u32 },
    #[error("the file is damaged: its checksum or content is wrong; use another copy")]
    Damaged,
    #[error("the file is damaged: a value of {0} is out of range; use another copy")]
    OutOfRange(&'static str),
    #[error("{0}")]
    OutOfMemory(#[from] TryReserveError),
    #[error("{0}")]
    Refused(Error),
}

impl From<Error> for LoadErrorCause {
    fn from(error: Error) -> Self {
        match error {
            Error::OutOfMemory { .. } | Error::EntityLimit { .. } => Self::Refused(error),
            Error::OutOfRange(_, name) => {
                Self::OutOfRange(name.rsplit("::").next().unwrap_or(name))
            }
            // The words of others are for programs that use the ECS.
            _ => Self::Damaged,
        }
    }
}

impl Simulation {
    /// Writes a [snapshot](Self::snapshot) in the format of snapshot files.
    ///
    /// # Errors
    /// Writing to `to` fails, or memory does not suffice for the encoded state. Too little memory for the
    /// [snapshot](Self::snapshot) ends the process.
    pub fn save(&self, mut to: impl Write) -> io::Result<()> {
        let mut header = Vec::new();
        // At once: an array that grows by doubling exists twice while it moves.
        header.try_reserve(HEADER + self.cubes().count() * CONTENT_BYTES_PER_CUBE)?;
        header.resize(HEADER, 0);
        let mut bytes = postcard::to_extend(&self.snapshot(), header).map_err(io::Error::other)?;
        let (header, content) = bytes.split_at_mut(HEADER);
        header[..8].copy_from_slice(&STATE_MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..20].copy_from_slice(&(content.len() as u64).to_le_bytes());
        header[20..].copy_from_slice(&xxh3_64(content).to_le_bytes());
        to.write_all(&bytes)
    }

    /// Loads a simulation from a snapshot file.
    ///
    /// # Errors
    /// The file cannot be read, is not an intact snapshot of this version, or memory does not suffice for its content; too little
    /// for the simulation ends the process. Check [`memory_need`](SnapshotFile::memory_need) before.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        SnapshotFile::open(path)?.load()
    }
}

/// A snapshot file of which the header was read.
pub struct SnapshotFile<'a> {
    path: PathBuf,
    content: Box<dyn Read + Send + 'a>,
    /// Bytes of the content, according to the header.
    length: u64,
    checksum: u64,
    /// Bytes of the content that exist, if the file system knows.
    existing: u64,
}

/// Prints the path and the size.
impl fmt::Debug for SnapshotFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, length, .. } = self;
        f.debug_struct("SnapshotFile")
            .field("path", path)
            .field("length", length)
            .finish_non_exhaustive()
    }
}

impl<'a> SnapshotFile<'a> {
    /// Opens a snapshot file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a snapshot of this version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let open = || {
            let mut file = input_file::open(path)?;
            let (length, checksum) = read_header(&mut file)?;
            let existing = file.metadata()?.len().saturating_sub(HEADER as u64);
            let content = Box::new(file);
            Ok(Self { path: path.to_owned(), content, length, checksum, existing })
        };
        open().map_err(|cause| LoadError { path: path.to_owned(), cause })
    }

    /// Opens the bytes of a snapshot file; `name` is for error messages.
    ///
    /// # Errors
    /// The bytes are not a snapshot of this version.
    pub fn from_bytes(name: &str, bytes: impl AsRef<[u8]> + Send + 'a) -> Result<Self, LoadError> {
        let existing = bytes.as_ref().len().saturating_sub(HEADER) as u64;
        let mut content = Box::new(io::Cursor::new(bytes));
        let path = PathBuf::from(name);
        match read_header(&mut content) {
            Ok((length, checksum)) => Ok(Self { path, content, length, checksum, existing }),
            Err(cause) => Err(LoadError { path, cause }),
        }
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Main memory that [`load`](Self::load) needs, in bytes.
    pub fn memory_need(&self) -> u64 {
        self.length.min(self.existing).saturating_mul(LOAD_FACTOR)
    }

    /// Loads the simulation.
    ///
    /// # Errors
    /// As for [`Simulation::load`].
    pub fn load(mut self) -> Result<Simulation, LoadError> {
        let loaded = self.read().and_then(|snapshot| Ok(Simulation::from_snapshot(snapshot)?));
        loaded.map_err(|cause| LoadError { path: self.path, cause })
    }

    fn read(&mut self) -> Result<SimulationSnapshot, LoadErrorCause> {
        // Reads what exists, without an allocation of the length in the header.
        let mut content = Vec::new();
        content.try_reserve_exact(self.length.min(self.existing) as usize + 1)?;
        (&mut self.content).take(self.length + 1).read_to_end(&mut content)?;
        if content.len() as u64 != self.length || xxh3_64(&content) != self.checksum {
            return Err(LoadErrorCause::Damaged);
        }
        match postcard::take_from_bytes(&content) {
            Ok((snapshot, [])) => Ok(snapshot),
            _ => Err(LoadErrorCause::Damaged),
        }
    }
}

/// Returns length and checksum of the content.
fn read_header(from: &mut impl Read) -> Result<(u64, u64), LoadErrorCause> {
    let mut header = Vec::with_capacity(HEADER);
    from.take(HEADER as u64).read_to_end(&mut header)?;
    if !header.starts_with(&STATE_MAGIC) {
        return Err(LoadErrorCause::NotASnapshot);
    }
    let header: [u8; HEADER] = header.try_into().map_err(|_| LoadErrorCause::Damaged)?;
    let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("8 bytes"));
    let found = number(8) as u32;
    let (length, checksum) = (number(12), number(20));
    if found != VERSION {
        return Err(LoadErrorCause::Version { found });
    }
    if length > MAX_LENGTH {
        return Err(LoadErrorCause::Damaged);
    }
    Ok((length, checksum))
}
