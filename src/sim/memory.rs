//! Main memory that a simulation needs for each cube, to be compared with what is available.
//!
//! `tests/simulation/memory.rs` measures the peaks and holds these figures to them. Resident memory of
//! `cubefall simulate` per cube, measured on Linux from 500,000 to 3,000,000 cubes: 128 to 134 bytes, 298 to
//! 344 with `--save`.

/// Bytes for a cube of any scene, spinning or not, in either fall mode. The template and the name of
/// cubes of a scene file take 36 of them.
pub const BYTES_PER_CUBE: u64 = 188;

/// Bytes for a cube added to a running simulation, where its physics exists twice for a moment if the
/// camera falls.
pub const ADDED_BYTES_PER_CUBE: u64 = 248;

/// Additional bytes for a cube while a snapshot is saved: the snapshot and its encoded form.
pub const SAVE_BYTES_PER_CUBE: u64 = 320;

/// Bytes of encoded content for a cube, rounded up.
pub(super) const CONTENT_BYTES_PER_CUBE: usize = 192;

/// Bytes needed at the peak for each byte of a snapshot file that is loaded: the content, the decoded
/// snapshot and the world, of which no more than two exist at a time.
pub(super) const LOAD_FACTOR: u64 = 3;
