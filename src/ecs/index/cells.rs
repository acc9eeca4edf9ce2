//! The cells of a row.

use crate::ecs::Limits;
use crate::ecs::signature::{Bits, Signature};

/// Dense index of a component that the entity does not have; also the end of the free list.
pub(in crate::ecs) const ABSENT: u32 = u32::MAX;

/// Mark in the generation cell of a slot without an entity, so that no handle equals it.
pub(super) const DEAD: u32 = Limits::MAX_GENERATION + 1;

// Cells of a row.
pub(super) const GENERATION: usize = 0;
/// First cell of the signature of a living entity; for a dead slot, the next slot of the free list.
pub(super) const SIGNATURE: usize = 1;
/// Position in the first member list; undefined for an entity that is not in it.
pub(super) const POSITION: usize = SIGNATURE + SIGNATURE_CELLS;

const SIGNATURE_CELLS: usize = size_of::<Bits>() / size_of::<u32>();

/// Returns the signature in a row.
#[inline]
pub(super) fn signature(row: &[u32]) -> Signature {
    let cells = row[SIGNATURE..POSITION].iter().rev();
    Signature::from_bits(cells.fold(0, |bits, &cell| bits << u32::BITS | Bits::from(cell)))
}

#[inline]
pub(super) fn set_signature(row: &mut [u32], signature: Signature) {
    let mut bits = signature.bits();
    for cell in &mut row[SIGNATURE..POSITION] {
        *cell = bits as u32;
        bits >>= u32::BITS;
    }
}
