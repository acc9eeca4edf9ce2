//! Mouse input of the camera: drag and wheel.

use std::f32::consts::TAU;

use super::exact::{power, turn};
use crate::components::{Controls, Rotation};

/// Turn of the view per point of a drag, a pixel where the scale factor is 1, in rad.
const RADIANS_PER_POINT: f32 = 0.003;
/// Factor of the flight speed for one notch of the wheel.
const SPEED_PER_NOTCH: f32 = 1.15;

impl Controls {
    /// Turns the view after a drag of so many points.
    pub(super) fn rotate(&mut self, right: f32, down: f32) {
        self.turn(-right * RADIANS_PER_POINT, -down * RADIANS_PER_POINT);
    }

    /// Turns the view to the left and up, in rad.
    pub(super) fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw) % TAU;
        self.pitch = (self.pitch + pitch).clamp(-Controls::MAX_PITCH, Controls::MAX_PITCH);
    }

    /// Returns the rotation of a camera with this yaw and pitch.
    pub(in crate::sim) fn rotation(&self) -> Rotation {
        Rotation(turn(self.yaw, self.pitch))
    }

    /// Increases the flight speed by so many notches of the wheel, or lowers it if negative.
    pub(super) fn change_speed(&mut self, notches: f32) {
        self.speed =
            (self.speed * power(SPEED_PER_NOTCH, notches)).clamp(Self::SPEEDS[0], Self::SPEEDS[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drag_turns_the_view_but_not_beyond_vertical() {
        let mut controls = Controls::default();
        controls.rotate(100.0, -50.0);
        assert!((controls.yaw + 0.3).abs() < 1e-6 && (controls.pitch - 0.15).abs() < 1e-6);
        controls.rotate(0.0, 1e6);
        assert_eq!(controls.pitch, -Controls::MAX_PITCH);
        controls.rotate(-1e6, 0.0);
        assert!(controls.yaw.abs() < TAU);
    }

    #[test]
    fn wheel_up_and_down_restores_the_speed_within_limits() {
        let mut controls = Controls::default();
        controls.change_speed(3.0);
        assert!((controls.speed - 40.0 * 1.15_f32.powi(3)).abs() < 1e-3);
        controls.change_speed(-3.0);
        assert!((controls.speed - 40.0).abs() < 1e-3);
        controls.change_speed(1e9);
        assert_eq!(controls.speed, Controls::SPEEDS[1]);
        controls.change_speed(-1e9);
        assert_eq!(controls.speed, Controls::SPEEDS[0]);
    }
}
