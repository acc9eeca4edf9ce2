//! Saved simulations, loaded if they fit into memory.

use std::path::Path;

use glam::Vec3;

use super::error::AppError;
use crate::error_text;
use crate::memory;
use crate::sim::{Simulation, SnapshotFile};

/// Loads a saved simulation from a file.
pub(super) fn load_simulation(path: &Path) -> Result<Simulation, AppError> {
    load(&error_text::path(path), SnapshotFile::open(path)?)
}

/// Loads a saved simulation from the bytes of a file.
#[cfg(web)]
pub(super) fn load_bytes(name: &str, bytes: &[u8]) -> Result<Simulation, AppError> {
    load(name, SnapshotFile::from_bytes(name, bytes)?)
}

fn load(name: &str, file: SnapshotFile<'_>) -> Result<Simulation, AppError> {
    memory::check(name, file.memory_need())?;
    let mut simulation = file.load()?;
    // Keys that were held when it was saved may be released by now.
    simulation.camera_mut().controls().motion = Vec3::ZERO;
    Ok(simulation)
}
