//! Lifecycle: a cube that has landed respawns at the top, or where its template says. In scenes that
//! rewind, none does.
//!
//! With integrated motion a pass over all cubes finds these, with evaluated motion a calendar.

use super::clock::TICKS_PER_SECOND;
use super::due::DueCubes;
use super::endless::wrap_camera;
use super::groups::Groups;
use super::landing::{Landed, landing_height, time_since_fall};
use super::respawn::Respawner;
use super::spawn_stats::SpawnStats;
use super::timeline::{rewinds, simulated_time};
use super::tuning::Tuning;
use crate::components::{Acceleration, Gravity, Motion, Position, Scale, Velocity};
use crate::ecs::{Error, GroupId, System, SystemArgs, World};

/// Cubes checked together without a branch. Few blocks in a thousand contain a landed cube.
const BLOCK: usize = 64;

/// System that replaces each landed cube by a new one, and moves a falling
/// camera by whole periods of the field.
#[derive(Default)]
pub(super) struct Lifecycle {
    /// Cubes that have landed in this step; kept to avoid an allocation per step.
    landed: Vec<Landed>,
    due: DueCubes,
    respawner: Respawner,
}

impl System for Lifecycle {
    fn run(&mut self, world: &mut World, args: SystemArgs) -> Result<(), Error> {
        self.landed.clear();
        let step = ticks(simulated_time(world, args).into());
        let Groups { motion, falling, .. } = Groups::of(world);
        match motion {
            Motion::Integrated => find_landed(world, falling, step, &mut self.landed)?,
            Motion::Evaluated => self.due.take_landed(world, step, &mut self.landed)?,
        }
        let stats = world.resource_mut::<SpawnStats>();
        stats.spawned += self.landed.len() as u64;
        stats.removed += self.landed.len() as u64;
        self.respawner.respawn(world, &self.landed)?;
        wrap_camera(world);
        Ok(())
    }
}

fn ticks(seconds: f64) -> u32 {
    (seconds * f64::from(TICKS_PER_SECOND)).round() as u32
}

/// Appends the cubes that have landed after a step of so many ticks to `all`, in storage order. In a scene that
/// rewinds there are none.
fn find_landed(
    world: &World,
    falling: GroupId,
    step: u32,
    all: &mut Vec<Landed>,
) -> Result<(), Error> {
    if rewinds(world) {
        return Ok(());
    }
    let falling = world.group(falling)?;
    let gravity_factor = world.resource::<Tuning>().gravity;
    let (positions, scales) = falling.slices::<(&Position, &Scale)>();
    let (velocities, accelerations, gravities) =
        falling.slices::<(&Velocity, &Acceleration, &Gravity)>();
    let blocks = positions.chunks(BLOCK).zip(scales.chunks(BLOCK));
    for (block, (positions, scales)) in blocks.enumerate() {
        let landed = || positions.iter().zip(scales).map(|(at, edge)| has_landed(at, edge.0));
        if landed().map(u32::from).sum::<u32>() == 0 {
            continue;
        }
        for (at, _) in landed().enumerate().filter(|(_, landed)| *landed) {
            let index = block * BLOCK + at;
            let depth = landing_height(scales[at].0) - positions[at].0.y;
            let acceleration =
                accelerations[index].with_gravity(gravities[index], gravity_factor).y;
            let ago = time_since_fall(depth, velocities[index].0.y, acceleration);
            // The landing is rounded up to a tick, as for evaluated motion, but for the dither of the clock.
            let ticks_ago = ((ago * f64::from(TICKS_PER_SECOND)) as u32).min(step);
            all.extend(falling.entity(index).map(|cube| Landed { cube, ticks_ago }));
        }
    }
    Ok(())
}

/// Returns `true` if a cube of this edge has landed: it is entirely below the ground.
fn has_landed(position: &Position, edge: f32) -> bool {
    position.0.y < landing_height(edge)
}
