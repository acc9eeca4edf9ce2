//! The fly rig: a camera that moves freely.

use glam::Vec3;

use super::exact::rotated;
use super::ground::fly_to;
use crate::components::{Controls, Orbit, Position, Rotation};
use crate::ecs::{Entity, Error, SystemArgs, World};

/// A pan by one point moves the camera as far as a flight of this many seconds.
const SECONDS_PER_POINT: f32 = 0.005;
/// A pinch by one notch moves the camera as far as a flight of this many seconds.
const SECONDS_PER_NOTCH: f32 = 0.25;

/// System that applies `Controls` to `Position` and `Rotation` of a camera without an `Orbit`.
pub(in crate::sim) fn fly(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let cameras = world.query::<(Entity, &Rotation, &Controls)>().without::<&Orbit>();
    let Ok((camera, &before, &given)) = cameras.single() else { return Ok(()) };
    let controls = given.clamped();
    let rotation = controls.rotation();
    // An unchanged camera is not written, so that it does not count as changed.
    if controls.motion == Vec3::ZERO && rotation == before && controls == given {
        return Ok(());
    }
    if controls != given {
        *world.get_mut(camera)? = controls;
    }
    let direction = controls.motion.clamp_length_max(1.0);
    let way = rotated(rotation.0, direction) * (controls.speed * args.dt);
    let to = Position(world.get::<&Position>(camera)?.0 + way);
    fly_to(world, camera, to);
    *world.get_mut(camera)? = rotation;
    Ok(())
}

impl Controls {
    /// Returns the movement, in m, for a pan by so many points to the right and down. It is opposite
    /// to the pan, so that the scene follows the fingers.
    pub(super) fn pan(&self, right: f32, down: f32) -> Vec3 {
        let local = Vec3::new(-right, down, 0.0) * (self.speed * SECONDS_PER_POINT);
        rotated(self.rotation().0, local)
    }

    /// Returns the movement forward, in m, for a pinch by so many notches.
    pub(super) fn push(&self, notches: f32) -> Vec3 {
        rotated(self.rotation().0, Vec3::NEG_Z) * (self.speed * SECONDS_PER_NOTCH * notches)
    }
}
