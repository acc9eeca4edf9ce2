//! Lifecycle: a cube that falls through the floor respawns at the top.

use super::bundles::SpinningCube;
use super::cube_generator::{CubeGenerator, HALF_EXTENT};
use super::spawn_stats::SpawnStats;
use super::spin::own_spin;
use super::timeline::Timeline;
use crate::components::{AngularVelocity, Lens, Position, Velocity};
use crate::ecs::{Entity, Error, GroupId, System, Tick, World};

/// Cubes checked together without a branch. Few blocks in a thousand contain a cube below the floor.
const BLOCK: usize = 64;

/// System that replaces each cube below the floor by a new one at the top, and lifts a falling
/// camera back to the top. Coordinates stay small enough for `f32`.
///
/// New cubes come from the scene file's templates, or else from the world's [`CubeGenerator`].
pub(super) struct Lifecycle {
    falling: GroupId,
    /// Cubes below the floor in this step; kept to avoid an allocation per step.
    fallen: Vec<Entity>,
}

impl Lifecycle {
    pub(super) fn new(falling: GroupId) -> Self {
        Self { falling, fallen: Vec::new() }
    }
}

impl System for Lifecycle {
    fn run(&mut self, world: &mut World, _: Tick) -> Result<(), Error> {
        let rewinds = world.resources().get::<Timeline>().is_ok_and(Timeline::rewinds);
        let falling = world.group(self.falling)?;
        let (positions,) = falling.slices::<(&Position,)>()?;
        for (block, positions) in positions.chunks(BLOCK).enumerate() {
            if rewinds || positions.iter().map(|at| u32::from(is_below(at))).sum::<u32>() == 0 {
                continue;
            }
            for (at, _) in positions.iter().enumerate().filter(|(_, at)| is_below(at)) {
                self.fallen.extend(falling.entity(block * BLOCK + at));
            }
        }
        let stats = world.resources_mut().get_mut::<SpawnStats>()?;
        stats.spawned += self.fallen.len() as u64;
        stats.removed += self.fallen.len() as u64;
        for cube in self.fallen.drain(..) {
            respawn(world, cube)?;
        }

        let camera = world.query_mut::<(&mut Position, &mut Velocity)>()?.with::<(Lens,)>()?;
        camera.for_each(|_, (position, velocity)| {
            if is_below(position) {
                position.0.y = HALF_EXTENT;
                *velocity = Velocity::default();
            }
        })
    }
}

/// Replaces a cube by a new one at the top, which spins if the old one did.
fn respawn(world: &mut World, fallen: Entity) -> Result<(), Error> {
    if super::template_spawner::respawn(world, fallen)? {
        return Ok(());
    }
    let generator = world.resources_mut().get_mut::<CubeGenerator>()?;
    let (cube, seed) = (generator.at_the_top(), generator.settings().seed);
    if world.has::<AngularVelocity>(fallen) {
        let spinning = SpinningCube { cube, spin: AngularVelocity::default() };
        let new = world.respawn(fallen, spinning)?;
        *world.get_mut(new)? = own_spin(seed, new);
    } else {
        world.respawn(fallen, cube)?;
    }
    Ok(())
}

fn is_below(position: &Position) -> bool {
    position.0.y < -HALF_EXTENT
}
