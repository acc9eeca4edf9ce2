//! Snapshot file: a snapshot as bytes, in a form that tells whether it is whole.
//!
//! ```text
//! "CUBEFALL" | version u32 | length of the content u64 | XXH3-64 of the content | content
//! ```
//!
//! Numbers are little-endian; the content is the snapshot in the [postcard] format.
//!
//! [postcard]: https://postcard.jamesmunns.com

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Simulation;
use super::snapshot::SimulationSnapshot;
use crate::ecs::Error;

const MAGIC: &[u8; 8] = b"CUBEFALL";

/// Rises whenever the content changes its form, as when a component is added.
const VERSION: u32 = 2;

/// Magic, version, length and checksum.
const HEADER: usize = 8 + 4 + 8 + 8;

/// Longest content, in bytes: of as many cubes as a scene can have.
const LONGEST: u64 = 32 << 30;

/// Why a snapshot cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[error("cannot load {}: {why}", path.display())]
pub struct LoadError {
    path: PathBuf,
    why: BadSnapshot,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
enum BadSnapshot {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    #[error("it is no snapshot; make one with cubefall simulate --save FILE")]
    Foreign,
    #[error(
        "it was saved in format {found}, but this version of the program reads format {VERSION}"
    )]
    Version { found: u32 },
    #[error("it is damaged: it is not what was saved; take another copy")]
    Damaged,
    #[error("{0}")]
    Refused(#[from] Error),
}

impl Simulation {
    /// Writes a [snapshot](Self::snapshot).
    ///
    /// # Errors
    /// It cannot be written to `to`.
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

    /// Goes on from a snapshot that was written to a file.
    ///
    /// # Errors
    /// The file cannot be read or is no whole snapshot of this version.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let loaded = File::open(path).map_err(BadSnapshot::from).and_then(read);
        loaded.map_err(|why| LoadError { path: path.to_owned(), why })
    }
}

/// The simulation whose snapshot is all of `from`.
fn read(mut from: impl Read) -> Result<Simulation, BadSnapshot> {
    let mut header = Vec::with_capacity(HEADER);
    from.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    if !header.starts_with(MAGIC) {
        return Err(BadSnapshot::Foreign);
    }
    let header: [u8; HEADER] = header.try_into().map_err(|_| BadSnapshot::Damaged)?;
    let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("8 bytes"));
    let found = number(8) as u32;
    let (length, checksum) = (number(12), number(20));
    if found != VERSION {
        return Err(BadSnapshot::Version { found });
    }
    if length > LONGEST {
        return Err(BadSnapshot::Damaged);
    }
    // Memory grows with what is really there, not with what the header promises.
    let mut content = Vec::new();
    from.take(length + 1).read_to_end(&mut content)?;
    if content.len() as u64 != length || xxh3_64(&content) != checksum {
        return Err(BadSnapshot::Damaged);
    }
    let (snapshot, rest) = postcard::take_from_bytes::<SimulationSnapshot>(&content)
        .map_err(|_| BadSnapshot::Damaged)?;
    if !rest.is_empty() {
        return Err(BadSnapshot::Damaged);
    }
    drop(content);
    Ok(Simulation::from_snapshot(snapshot)?)
}
