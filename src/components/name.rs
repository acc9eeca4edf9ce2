//! Name: what people call an entity.

use bytemuck::{Pod, Zeroable};

/// Name of an entity, as its place in the table of names that the simulation keeps: many entities
/// share one, and 4 bytes are cheaper than as many letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Name(pub u32);

const _: () = assert!(size_of::<Name>() == 4);
