//! The groups that own the arrays of cubes.

use super::bundles::{Cube, EvaluatedCube, EvaluatedSpinningCube, SpinningCube};
use crate::components::{Color, Drag, Epoch, Motion, Position, Rotation, Scale};
use crate::ecs::{Error, GroupId, TakenGroup, World};

/// The nested groups of cubes: `drawn` has all cubes, `falling` those that fall without drag, and `spinning` the falling
/// cubes that spin. A resource of the world.
///
/// With evaluated motion the last two own the epochs, too, in the order of the positions.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    pub(super) motion: Motion,
    pub(super) drawn: GroupId,
    pub(super) falling: GroupId,
    pub(super) spinning: GroupId,
}

impl Groups {
    /// Returns the groups of a world.
    pub(super) fn of(world: &World) -> Self {
        *world.resource()
    }

    /// Creates the groups for a motion.
    pub(super) fn create(world: &mut World, motion: Motion) {
        let drawn = world.create_group::<(Position, Rotation, Scale, Color)>();
        let (falling, spinning) = match motion {
            Motion::Integrated => (
                world.create_group_without::<Cube, (Drag,)>(),
                world.create_group_without::<SpinningCube, (Drag,)>(),
            ),
            Motion::Evaluated => (
                world.create_group_without::<EvaluatedCube, (Drag,)>(),
                world.create_group_without::<EvaluatedSpinningCube, (Drag,)>(),
            ),
        };
        world.resources_mut().insert(Self { motion, drawn, falling, spinning });
    }

    /// Replaces the groups by those for another motion. Falling cubes get this epoch, or lose theirs. The
    /// order of the arrays stays.
    pub(super) fn replace(world: &mut World, motion: Motion, epoch: Epoch) -> Result<(), Error> {
        let Self { falling, spinning, .. } = Self::of(world);
        match motion {
            Motion::Integrated => {
                drop(world.take_group::<(Epoch,)>(falling)?);
                world.remove_group(spinning)?;
                world.remove_group(falling)?;
                Self::create(world, motion);
            }
            Motion::Evaluated => {
                let entities: Vec<_> = world.group(falling)?.entities().collect();
                let values = (vec![epoch; entities.len()],);
                world.remove_group(spinning)?;
                world.remove_group(falling)?;
                Self::create(world, motion);
                world.restore_group::<(Epoch,)>(TakenGroup { entities, values });
            }
        }
        Ok(())
    }
}
