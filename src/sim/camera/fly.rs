//! Fly: a camera that goes where it is steered.

use glam::Vec3;

use super::exact::rotated;
use crate::components::{Controls, Orbit, Position, Rotation};
use crate::ecs::{Error, Tick, World};

/// How long a flight takes the camera as far as a pixel of dragging with two fingers, in s.
const SECONDS_PER_PIXEL: f32 = 0.005;
/// The same for a notch of spreading them.
const SECONDS_PER_NOTCH: f32 = 0.25;

/// The system that applies `Controls` to `Position` and `Rotation` of cameras without an `Orbit`.
/// Flight is in local axes and in metres per second, so it does not depend on the frame rate.
pub(in crate::sim) fn fly(world: &mut World, tick: Tick) -> Result<(), Error> {
    // A camera that stays as it is must not look changed: what changed goes to the GPU.
    let stays = |rotation: &Rotation, controls: &Controls| {
        controls.motion == Vec3::ZERO && *rotation == controls.rotation()
    };
    let cameras = world.query::<(&Rotation, &Controls)>()?.without::<(Orbit,)>()?;
    if cameras.iter().all(|(_, (rotation, controls))| stays(rotation, controls)) {
        return Ok(());
    }
    let steered = world.query_mut::<(&mut Position, &mut Rotation, &Controls)>()?;
    steered.without::<(Orbit,)>()?.for_each(|_, (position, rotation, controls)| {
        *rotation = controls.rotation();
        let direction = controls.motion.clamp_length_max(1.0);
        position.0 += rotated(rotation.0, direction) * (controls.speed * tick.dt);
    })
}

impl Controls {
    /// How far two fingers that were dragged so many pixels to the right and down push the camera
    /// the other way, so that what is seen goes along with them, in m.
    pub(in crate::sim) fn pan(&self, right: f32, down: f32) -> Vec3 {
        let local = Vec3::new(-right, down, 0.0) * (self.speed * SECONDS_PER_PIXEL);
        rotated(self.rotation().0, local)
    }

    /// How far two fingers that were spread by so many notches push the camera ahead, in m.
    pub(in crate::sim) fn push(&self, notches: f32) -> Vec3 {
        rotated(self.rotation().0, Vec3::NEG_Z) * (self.speed * SECONDS_PER_NOTCH * notches)
    }
}
