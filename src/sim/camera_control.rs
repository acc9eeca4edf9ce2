//! Camera control: turns and moves the camera as its `Controls` say.

use glam::{EulerRot, Quat};

use crate::components::{Controls, Transform};
use crate::ecs::{Error, Tick, World};

/// The system that applies `Controls` to `Transform`. Flight is in local axes and in metres per
/// second, so it does not depend on the frame rate.
pub(super) fn camera_control(world: &mut World, tick: Tick) -> Result<(), Error> {
    world.query_mut::<(&mut Transform, &Controls)>()?.for_each(|_, (transform, controls)| {
        transform.rotation = Quat::from_euler(EulerRot::YXZ, controls.yaw, controls.pitch, 0.0);
        let direction = controls.motion.clamp_length_max(1.0);
        transform.position += transform.rotation * direction * (controls.speed * tick.dt);
    })
}
