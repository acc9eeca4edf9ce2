//! The motion of a camera by itself: along its path, or around the target of its orbit.

use glam::Vec3;

use super::exact::exp;
use super::glide::Glide;
use super::path::{ActivePath, PathProgress, Pose};
use crate::components::{Controls, Gravity, Orbit, Position, Velocity};
use crate::ecs::{Entity, Error, SystemArgs, World};
use crate::sim::tuning::Tuning;

/// Rate at which a camera that has fallen returns to its path, in 1/s: half of the way takes 0.35 s.
const RETURN: f32 = 2.0;
/// Distance from the path that becomes 0, in m.
const ARRIVED: f32 = 1e-3;

/// System that moves a camera by itself: along its path, or around the target of its orbit. Flight by the
/// user ends it. A camera that falls leaves the height of its path, stays within 5 m of it sideways (farther at first with a
/// velocity sideways), and returns to it when it no longer falls.
pub(in crate::sim) fn move_by_itself(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let tuning = Tuning::of(world);
    let dt = args.dt * tuning.time;
    if let Ok((camera, &Orbit { turn_rate, .. })) = world.single::<(Entity, &Orbit)>()
        && turn_rate != 0.0
    {
        world.get_mut::<Controls>(camera)?.turn(turn_rate * dt, 0.0);
    }
    match world.single::<(Entity, &PathProgress, &Controls)>() {
        Ok((camera, _, controls)) if controls.motion != Vec3::ZERO => {
            world.remove::<PathProgress>(camera).map(drop)
        }
        Ok((camera, &progress, _)) => advance(world, camera, progress, dt),
        Err(_) => Ok(()),
    }
}

fn advance(
    world: &mut World,
    camera: Entity,
    PathProgress(seconds): PathProgress,
    dt: f32,
) -> Result<(), Error> {
    let track = &world.resource::<ActivePath>().track;
    let later = seconds + f64::from(dt);
    let (from, to) = (track.pose(seconds), track.pose(later));
    let ended = !track.repeats && later >= track.duration();
    let later = if track.repeats { later % track.duration() } else { later };
    let mut apart = world.get::<&Position>(camera)?.0 - from.position;
    if world.has::<Gravity>(camera) {
        // Without this, the wind moves the camera away from its target. The camera returns while it falls: what
        // drag will add for the whole step, less what is left of it at the end.
        let left = exp(-RETURN * dt);
        let surplus = world.get::<&Velocity>(camera)?.0 * (dt - (1.0 - left) / RETURN);
        (apart.x, apart.z) = (apart.x * left - surplus.x, apart.z * left - surplus.z);
    } else {
        // Starts as slowly as the glide, so that the speed has no jump.
        apart *= exp(-RETURN * Glide::of(world).passed() * dt);
        if apart.length() < ARRIVED {
            apart = Vec3::ZERO;
        }
    }
    Pose { position: to.position + apart, ..to }.apply(world, camera)?;
    if ended {
        world.remove::<PathProgress>(camera).map(drop)
    } else {
        *world.get_mut(camera)? = PathProgress(later);
        Ok(())
    }
}
