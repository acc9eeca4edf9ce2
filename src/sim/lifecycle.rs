//! Lifecycle: a cube that has sunk into the floor respawns at the top.

use super::bundles::SpinningCube;
use super::coloring::paint;
use super::cube_generator::{CubeGenerator, HALF_EXTENT};
use super::endless::wrap_camera;
use super::spawn_stats::SpawnStats;
use super::spin::own_spin;
use super::timeline::Timeline;
use crate::components::{AngularVelocity, Position, Scale};
use crate::ecs::{Entity, Error, GroupId, System, Tick, World};

/// Cubes checked together without a branch. Few blocks in a thousand contain a cube below the floor.
const BLOCK: usize = 64;

/// Radius of the unit cube's bounding sphere, rounded up: nothing of a cube this deep is visible.
const RADIUS: f32 = 0.867;

/// System that replaces each cube entirely below the floor by a new one at the top, and moves a falling
/// camera by whole periods of the field.
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
        let rewinds = world.resources().get::<Timeline>().is_some_and(Timeline::rewinds);
        let falling = world.group(self.falling)?;
        let (positions, scales) = falling.slices::<(&Position, &Scale)>();
        let blocks = positions.chunks(BLOCK).zip(scales.chunks(BLOCK));
        for (block, (positions, scales)) in blocks.enumerate() {
            let sunk = || positions.iter().zip(scales).map(|(at, edge)| is_below(at, edge.0));
            if rewinds || sunk().map(u32::from).sum::<u32>() == 0 {
                continue;
            }
            for (at, _) in sunk().enumerate().filter(|(_, sunk)| *sunk) {
                self.fallen.extend(falling.entity(block * BLOCK + at));
            }
        }
        let stats = world.resource_mut::<SpawnStats>();
        stats.spawned += self.fallen.len() as u64;
        stats.removed += self.fallen.len() as u64;
        for cube in self.fallen.drain(..) {
            respawn(world, cube)?;
        }
        wrap_camera(world);
        Ok(())
    }
}

/// Replaces a cube by a new one at the top, which spins if the old one did.
fn respawn(world: &mut World, fallen: Entity) -> Result<(), Error> {
    if super::template_spawner::respawn(world, fallen)? {
        return Ok(());
    }
    let generator = world.resource_mut::<CubeGenerator>();
    let (cube, seed) = (generator.at_the_top(), generator.settings().seed);
    if world.has::<AngularVelocity>(fallen) {
        let spinning = SpinningCube { cube, spin: AngularVelocity::default() };
        let new = world.respawn(fallen, spinning)?;
        *world.get_mut(new)? = own_spin(seed, new);
        return paint(world, new);
    }
    let new = world.respawn(fallen, cube)?;
    paint(world, new)
}

/// Returns `true` if a cube of this edge is entirely below the floor.
fn is_below(position: &Position, edge: f32) -> bool {
    position.0.y < -HALF_EXTENT - RADIUS * edge
}
