//! Steering: what dragging and scrolling do to the controls of a camera.

use std::f32::consts::TAU;

use super::exact::{power, turn};
use crate::components::{Controls, Rotation};

/// Radians the camera turns for a pixel of dragging.
const RADIANS_PER_PIXEL: f32 = 0.003;
/// Steepest look up or down, in rad: just short of straight, where left and right would swap.
pub(in crate::sim) const STEEPEST: f32 = 1.55;
/// How much faster one notch of the wheel makes the flight.
const FASTER_PER_NOTCH: f32 = 1.15;
/// Slowest and fastest flight, in m/s.
const SPEEDS: [f32; 2] = [1.0, 1000.0];

impl Controls {
    /// Turns the view by so many pixels of dragging.
    pub(in crate::sim) fn rotate(&mut self, right: f32, down: f32) {
        self.turn(-right * RADIANS_PER_PIXEL, -down * RADIANS_PER_PIXEL);
    }

    /// Turns the view to the left and up, in rad.
    pub(super) fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw) % TAU;
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Which way the view goes.
    pub(in crate::sim) fn rotation(&self) -> Rotation {
        Rotation(turn(self.yaw, self.pitch))
    }

    /// Makes the flight faster by so many notches of the wheel; slower if negative.
    pub(in crate::sim) fn accelerate(&mut self, notches: f32) {
        self.speed = (self.speed * power(FASTER_PER_NOTCH, notches)).clamp(SPEEDS[0], SPEEDS[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_turns_the_view_and_never_upside_down() {
        let mut controls = Controls::default();
        controls.rotate(100.0, -50.0);
        assert!((controls.yaw + 0.3).abs() < 1e-6 && (controls.pitch - 0.15).abs() < 1e-6);
        controls.rotate(0.0, 1e6);
        assert_eq!(controls.pitch, -STEEPEST);
        controls.rotate(-1e6, 0.0);
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
