//! How many cubes were spawned and removed.

use serde::{Deserialize, Serialize};

/// Counts since the scene began; the cubes of its start are not in them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SpawnStats {
    /// Cubes spawned: in place of landed ones, added or dropped.
    pub spawned: u64,
    /// Cubes removed: landed, so entirely below the ground, or despawned.
    pub removed: u64,
}
