//! Operations on a world, each decoded from five bytes.

/// Selects one of all handles given out so far, alive or stale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick(pub(crate) u8);

/// A set of components: bit 0 is A, 1 is B, 2 is C, 3 is D.
pub(crate) type Bits = u8;

/// An operation. Every five bytes decode to one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Spawn(Bits),
    SpawnBatch(Bits, u8),
    Despawn(Pick),
    /// Every n-th of all handles given out so far.
    DespawnBatch(u8),
    /// Replaces the entity; without components given, by one with the same components.
    Respawn(Pick, Option<Bits>),
    Insert(Pick, u8),
    Remove(Pick, u8),
    Replace(Pick, u8),
    /// Replaces component C by D, or D by C.
    Exchange(Pick, bool),
    Clear,
    /// Creates the groups.
    Group,
    /// Removes a group, if it exists: 0 is the inner one, 1 the outer one, 2 the third.
    RemoveGroup(u8),
    Sort,
    TakeGroup,
    RestoreGroup,
    /// Records a spawn, an insert and a despawn, then applies them.
    Commands {
        spawned: Bits,
        insert: (Pick, u8),
        despawn: Pick,
    },
    /// Calls everything with a handle of another world, or with the null handle.
    Foreign(bool),
}

impl Op {
    /// Decodes an operation.
    pub(crate) fn decode([kind, a, b, c, d]: [u8; 5]) -> Self {
        let component = b % 4;
        match kind % 32 {
            0..5 => Self::Spawn(a % 16),
            5..7 => Self::SpawnBatch(a % 16, b % 7),
            7..10 => Self::Despawn(Pick(a)),
            10 | 11 => Self::Respawn(Pick(a), (b % 4 == 0).then_some(c % 16)),
            12 => Self::DespawnBatch(a % 5 + 1),
            13..18 => Self::Insert(Pick(a), component),
            18..22 => Self::Remove(Pick(a), component),
            22 => Self::Replace(Pick(a), component),
            23 => Self::Exchange(Pick(a), b % 2 == 0),
            24 if a % 16 == 0 => Self::Clear,
            24 if a % 2 == 1 => Self::RemoveGroup(b % 3),
            24 | 25 => Self::Group,
            26 => Self::Sort,
            27 => Self::TakeGroup,
            28 => Self::RestoreGroup,
            29 | 30 => {
                Self::Commands { spawned: a % 16, insert: (Pick(b), c % 4), despawn: Pick(d) }
            }
            _ => Self::Foreign(a % 2 == 0),
        }
    }
}
