//! Camera control: turns and moves the camera as its `Controls` say.

use std::f32::consts::TAU;

use glam::{EulerRot, Quat, Vec3};

use crate::components::{Controls, Position, Rotation};
use crate::ecs::{Error, Tick, World};

/// Radians the camera turns for a pixel of dragging.
const RADIANS_PER_PIXEL: f32 = 0.003;
/// Steepest look up or down, in rad: just short of straight, where left and right would swap.
const STEEPEST: f32 = 1.55;
/// How much faster one notch of the wheel makes the flight.
const FASTER_PER_NOTCH: f32 = 1.15;
/// Slowest and fastest flight, in m/s.
const SPEEDS: [f32; 2] = [1.0, 1000.0];

impl Controls {
    /// Turns the view by so many pixels of dragging.
    pub(super) fn look(&mut self, right: f32, down: f32) {
        self.yaw = (self.yaw - right * RADIANS_PER_PIXEL) % TAU;
        self.pitch = (self.pitch - down * RADIANS_PER_PIXEL).clamp(-STEEPEST, STEEPEST);
    }

    /// Which way the view goes.
    pub(super) fn rotation(&self) -> Rotation {
        Rotation(Quat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0))
    }

    /// Makes the flight faster by so many notches of the wheel; slower if negative.
    pub(super) fn accelerate(&mut self, notches: f32) {
        self.speed = (self.speed * FASTER_PER_NOTCH.powf(notches)).clamp(SPEEDS[0], SPEEDS[1]);
    }
}

/// The system that applies `Controls` to `Position` and `Rotation`. Flight is in local axes and in metres per
/// second, so it does not depend on the frame rate.
pub(super) fn camera_control(world: &mut World, tick: Tick) -> Result<(), Error> {
    // A camera that stays as it is must not look changed: what changed goes to the GPU.
    let stays = |rotation: &Rotation, controls: &Controls| {
        controls.motion == Vec3::ZERO && *rotation == controls.rotation()
    };
    let cameras = world.query::<(&Rotation, &Controls)>()?;
    if cameras.iter().all(|(_, (rotation, controls))| stays(rotation, controls)) {
        return Ok(());
    }
    let steered = world.query_mut::<(&mut Position, &mut Rotation, &Controls)>()?;
    steered.for_each(|_, (position, rotation, controls)| {
        *rotation = controls.rotation();
        let direction = controls.motion.clamp_length_max(1.0);
        position.0 += rotation.0 * direction * (controls.speed * tick.dt);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_turns_the_view_and_never_upside_down() {
        let mut controls = Controls::default();
        controls.look(100.0, -50.0);
        assert!((controls.yaw + 0.3).abs() < 1e-6 && (controls.pitch - 0.15).abs() < 1e-6);
        controls.look(0.0, 1e6);
        assert_eq!(controls.pitch, -STEEPEST);
        controls.look(-1e6, 0.0);
        assert!(controls.yaw.abs() < TAU);
    }

    #[test]
    fn scrolling_there_and_back_is_the_same_speed_within_limits() {
        let mut controls = Controls::default();
        controls.accelerate(3.0);
        assert!((controls.speed - 40.0 * 1.15_f32.powi(3)).abs() < 1e-3);
        controls.accelerate(-3.0);
        assert!((controls.speed - 40.0).abs() < 1e-3);
        controls.accelerate(1e9);
        assert_eq!(controls.speed, SPEEDS[1]);
        controls.accelerate(-1e9);
        assert_eq!(controls.speed, SPEEDS[0]);
    }
}
