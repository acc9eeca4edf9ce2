//! Snapshot files: a snapshot with a version and a checksum.
//!
//! ```text
//! "CUBEFALL" | version u32 | length of the content u64 | XXH3-64 of the content | content
//! ```
//!
//! Numbers are little-endian. The content is the snapshot in the [postcard] format.
//!
//! [postcard]: https://postcard.jamesmunns.com

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Simulation;
use super::snapshot::SimulationSnapshot;
use crate::ecs::Error;
use crate::input_file;

const MAGIC: &[u8; 8] = b"CUBEFALL";

/// Increased with every change of the content, such as a new component.
const VERSION: u32 = 3;

/// Magic, version, length and checksum.
const HEADER: usize = 8 + 4 + 8 + 8;

/// Largest content, in bytes: enough for the most cubes a scene can have.
const MAX_LENGTH: u64 = 32 << 30;

/// A snapshot file that cannot be loaded, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot load {}: {cause}", path.display())]
pub struct LoadError {
    path: PathBuf,
    cause: LoadErrorCause,
}

#[derive(Debug, thiserror::Error)]
enum LoadErrorCause {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    #[error("not a snapshot (expected a file saved by cubefall simulate --save FILE)")]
    NotASnapshot,
    #[error("saved in format {found}, but this version of the program reads format {VERSION}")]
    Version { found: u32 },
    #[error("the file is damaged: its checksum or content is wrong; use another copy")]
    Damaged,
    #[error("{0}")]
    Refused(#[from] Error),
}

impl Simulation {
    /// Writes a [snapshot](Self::snapshot) in the format of snapshot files.
    ///
    /// # Errors
    /// Writing to `to` fails.
    pub fn save(&self, mut to: impl Write) -> io::Result<()> {
        let header = vec![0; HEADER];
        let mut bytes = postcard::to_extend(&self.snapshot(), header).map_err(io::Error::other)?;
        let (header, content) = bytes.split_at_mut(HEADER);
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..20].copy_from_slice(&(content.len() as u64).to_le_bytes());
        header[20..].copy_from_slice(&xxh3_64(content).to_le_bytes());
        to.write_all(&bytes)
    }

    /// Loads a simulation from a snapshot file.
    ///
    /// # Errors
    /// The file cannot be read, or is not an intact snapshot of this version.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let loaded = input_file::open(path).map_err(LoadErrorCause::from).and_then(read);
        loaded.map_err(|cause| LoadError { path: path.to_owned(), cause })
    }
}

fn read(mut from: impl Read) -> Result<Simulation, LoadErrorCause> {
    let mut header = Vec::with_capacity(HEADER);
    from.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    if !header.starts_with(MAGIC) {
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
    // Reads what exists, without an allocation of the length in the header.
    let mut content = Vec::new();
    from.take(length + 1).read_to_end(&mut content)?;
    if content.len() as u64 != length || xxh3_64(&content) != checksum {
        return Err(LoadErrorCause::Damaged);
    }
    let (snapshot, rest) = postcard::take_from_bytes::<SimulationSnapshot>(&content)
        .map_err(|_| LoadErrorCause::Damaged)?;
    if !rest.is_empty() {
        return Err(LoadErrorCause::Damaged);
    }
    drop(content);
    Ok(Simulation::from_snapshot(snapshot)?)
}
