//! Op: one operation on a world, decoded from five bytes.

/// Which entity an operation is about, among all handles given out so far: live and dead alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick(pub(crate) u8);

/// Which components: bit 0 for A, 1 for B, 2 for C, 3 for D.
pub(crate) type Bits = u8;

/// An operation. Every five bytes are one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Spawn(Bits),
    SpawnBatch(Bits, u8),
    Despawn(Pick),
    /// Every handle whose place in the history is a multiple of the number.
    DespawnBatch(u8),
    /// Another in its place; often of the same kind, when it is the kind of the entity itself.
    Respawn(Pick, Option<Bits>),
    Insert(Pick, u8),
    Remove(Pick, u8),
    Replace(Pick, u8),
    /// Component 3 (D) for component 2 (C), or the other way round.
    Exchange(Pick, bool),
    Clear,
    /// Makes the groups, if they are not made yet.
    Group,
    Sort,
    Detach,
    Attach,
    /// Commands: spawn one, insert into one, despawn one; then apply all three.
    Commands {
        spawned: Bits,
        insert: (Pick, u8),
        despawn: Pick,
    },
    /// A handle of another world, or the null handle, given to every call.
    Foreign(bool),
}

impl Op {
    /// The operation that these bytes stand for.
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
            24 | 25 => Self::Group,
            26 => Self::Sort,
            27 => Self::Detach,
            28 => Self::Attach,
            29 | 30 => {
                Self::Commands { spawned: a % 16, insert: (Pick(b), c % 4), despawn: Pick(d) }
            }
            _ => Self::Foreign(a % 2 == 0),
        }
    }
}
