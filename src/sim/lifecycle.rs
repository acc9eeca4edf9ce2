//! Lifecycle: what falls through the floor begins again at the top.

use super::bundles::SpinningCube;
use super::cube_generator::{CubeGenerator, HALF_EXTENT};
use super::spawn_stats::SpawnStats;
use super::spin::own_spin;
use crate::components::{AngularVelocity, Lens, Position, Velocity};
use crate::ecs::{Entity, Error, GroupId, System, Tick, World};

/// Cubes that are looked at together: all but a few in a thousand such runs hold none that has
/// fallen through, and to find that out takes no branch.
const RUN: usize = 64;

/// The system that despawns each cube below the floor and spawns a new one at the top, and that
/// lifts a falling camera back to the top. So the demo never empties, entity slots are seen to be
/// reused, and no coordinate grows until an `f32` can no longer hold it.
///
/// New cubes come from the [`CubeGenerator`] of the world, or from the [`Kinds`](super::kinds::Kinds) of its
/// scene file, and are counted in its [`SpawnStats`].
pub(super) struct Lifecycle {
    falling: GroupId,
    /// The cubes of this run that have fallen through; kept so that a run allocates nothing.
    fallen: Vec<Entity>,
}

impl Lifecycle {
    pub(super) fn new(falling: GroupId) -> Self {
        Self { falling, fallen: Vec::new() }
    }
}

impl System for Lifecycle {
    fn run(&mut self, world: &mut World, _: Tick) -> Result<(), Error> {
        let (positions,) = world.group(self.falling)?.slices::<(&Position,)>()?;
        for (run, positions) in positions.chunks(RUN).enumerate() {
            if positions.iter().map(|at| u32::from(is_below(at))).sum::<u32>() == 0 {
                continue;
            }
            for (at, _) in positions.iter().enumerate().filter(|(_, at)| is_below(at)) {
                self.fallen.extend(world.group(self.falling)?.entity(run * RUN + at));
            }
        }
        let stats = world.resources_mut().get_mut::<SpawnStats>()?;
        stats.spawned += self.fallen.len() as u64;
        stats.removed += self.fallen.len() as u64;
        for cube in self.fallen.drain(..) {
            replace(world, cube)?;
        }

        world.query_mut::<(&mut Position, &mut Velocity)>()?.with::<(Lens,)>()?.for_each(
            |_, (position, velocity)| {
                if is_below(position) {
                    position.0.y = HALF_EXTENT;
                    *velocity = Velocity::default();
                }
            },
        )
    }
}

/// Another cube in the place of one that is gone; it spins if that one did.
fn replace(world: &mut World, gone: Entity) -> Result<(), Error> {
    #[cfg(feature = "scenes")]
    if super::kinds::begin_again(world, gone)? {
        return Ok(());
    }
    let stream = world.resources_mut().get_mut::<CubeGenerator>()?;
    let (cube, seed) = (stream.at_the_top(), stream.settings().seed);
    if world.get::<AngularVelocity>(gone).is_ok() {
        let spinning = SpinningCube { cube, spin: AngularVelocity::default() };
        let born = world.respawn(gone, spinning)?;
        *world.get_mut(born)? = own_spin(seed, born);
    } else {
        world.respawn(gone, cube)?;
    }
    Ok(())
}

/// Whether it has fallen through the floor.
fn is_below(position: &Position) -> bool {
    position.0.y < -HALF_EXTENT
}
