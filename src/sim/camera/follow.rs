//! The follow rig: an orbit whose target is a moving cube.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::ground::{has_ground, max_pitch};
use crate::components::{Controls, Gravity, Orbit, Position, Ranged, Scale};
use crate::ecs::{Entity, Error, MapEntities, SystemArgs, World};
use crate::sim::cube_generator::HALF_EXTENT;
use crate::sim::evaluation;
use crate::sim::landing::landing_height;

/// The cube from which the `Orbit` beside it takes its target.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::sim) struct Follow(pub(in crate::sim) Entity);

impl Ranged for Follow {}

impl MapEntities for Follow {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.0 = map(self.0);
    }
}

/// Lowest height above the ground of a camera that follows a falling cube, in m.
const MIN_HEIGHT: f32 = 10.0;

/// Lowest height above the ground of the point that such a camera looks at, in m: a cube sinks into the ground
/// before it is removed, the view comes to rest above it.
const LOWEST_TARGET: f32 = 1.5;

/// Smallest distance to the center of the followed cube, as a multiple of its edge: its corners are at 0.87.
const MIN_EDGES: f32 = 1.2;

/// Stops the camera that follows `cube`, which moves to another place. The camera orbits the last position, as after
/// the end of a cube.
pub(in crate::sim) fn stop_following(world: &mut World, cube: Entity) -> Result<(), Error> {
    match world.single::<(Entity, &Follow)>() {
        Ok((camera, follow)) if follow.0 == cube => world.remove::<Follow>(camera).map(drop),
        _ => Ok(()),
    }
}

/// Returns the point that a camera looks at that follows `cube`: its center or, near the ground, a point above it.
pub(super) fn followed_point(world: &World, cube: Entity) -> Result<Vec3, Error> {
    let Position(at) = evaluation::position(world, cube)?;
    if !has_ground(world) {
        return Ok(at);
    }
    let edge = world.get::<&Scale>(cube).map_or(0.0, |scale| scale.0);
    let lowest = LOWEST_TARGET - HALF_EXTENT;
    Ok(at.with_y(lowest + slowed(at.y - lowest, lowest - landing_height(edge))))
}

/// Returns the height of the view for a cube at `height`, both above the height at which the view comes to rest. It slows
/// down evenly while the cube moves from `ease` above to `ease` below, where it is removed: the slope falls from 1 to 0.
fn slowed(height: f32, ease: f32) -> f32 {
    let rest = (height + ease).max(0.0);
    if height >= ease { height } else { rest * rest / (4.0 * ease) }
}

/// Returns the smallest distance from the center of a followed cube, in m.
pub(super) fn nearest_to(world: &World, cube: Entity) -> f32 {
    world.get::<&Scale>(cube).map_or(0.0, |scale| scale.0) * MIN_EDGES
}

/// System that moves the target of an `Orbit` with the followed cube. The remainders of the orbit
/// stay, so the camera does not lag behind. Near the ground the view becomes level, and the camera stays
/// outside of the cube. Once the cube is removed, the camera orbits its last position. The pitch of a falling
/// camera is free, as in scenes without a ground.
pub(in crate::sim) fn follow(world: &mut World, _: SystemArgs) -> Result<(), Error> {
    let camera = world.single::<(Entity, &Follow, &Orbit)>();
    let Ok((camera, &Follow(cube), orbit)) = camera else { return Ok(()) };
    let Ok(target) = followed_point(world, cube) else {
        return world.remove::<Follow>(camera).map(drop);
    };
    let nearest = nearest_to(world, cube);
    // An unchanged orbit is not written, so that it does not count as changed.
    if target == orbit.target && orbit.distance >= nearest {
        return Ok(());
    }
    let pitch = world.get::<&Controls>(camera)?.pitch;
    let has_limit = has_ground(world) && !world.has::<Gravity>(camera);
    let orbit = world.get_mut::<Orbit>(camera)?;
    orbit.target = target;
    orbit.keep_away(nearest);
    if has_limit {
        let reach = orbit.distance + orbit.excess_distance;
        let max_pitch = max_pitch(target, reach, MIN_HEIGHT).max(0.0);
        // As a remainder, which decays smoothly.
        orbit.remaining_turn.y = orbit.remaining_turn.y.min(max_pitch - pitch);
    }
    Ok(())
}
