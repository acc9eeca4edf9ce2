//! Origin: which template of its scene an entity is of, and how one of none begins again.

use crate::components::Velocity;

/// Place of the template in the file; the cubes of the classic scene have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Origin(pub(super) u32);

/// How fast an entity of no template is at the start, and whenever it begins again; at rest without.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Launch(pub(super) Velocity);
