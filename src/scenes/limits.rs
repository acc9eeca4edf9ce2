//! Limits that keep a scene file from an untrusted source from using too much memory or time.

/// Size of the largest file, in bytes.
pub(super) const MAX_FILE_BYTES: usize = 32 << 20;

/// Largest number of entities of a scene: those of all templates and those listed one by one.
pub(crate) const MAX_ENTITIES: u32 = 100_000_000;

/// Largest number of templates of a scene.
pub(super) const MAX_TEMPLATES: usize = 256;

/// Largest number of entities that a file lists one by one.
pub(super) const MAX_LISTED_ENTITIES: usize = 250_000;
