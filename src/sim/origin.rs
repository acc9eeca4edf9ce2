//! Origin: which template of its scene an entity is of.

/// Place of the template in the file; the cubes of the classic scene have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Origin(pub(super) u32);
