//! Ranges of component values.
//!
//! Snapshots with values out of range are refused, and scene files have the same ranges or narrower ones.
//! A simulation lets positions and velocities exceed `MAX`, which takes at least 6 s from rest, and moves them back
//! to it once per 64 s, or up to 127 s with evaluated motion: clamping every cube in every step would cost a quarter
//! of its time. The range of snapshots holds what is reached in between. So whatever the program saves can be loaded.
//! A scene that rewinds moves nothing back: integrated values beyond the range of snapshots are clamped when they are saved.
//! Vectors that a library user puts beyond are clamped when they are serialized; [`Controls`] by the next step, and a
//! state saved before it is refused. Squares of values in range and products of two squares are finite.

use std::f32::consts::TAU;

use glam::Vec3;
use serde::{Serialize, Serializer};

use super::{
    Acceleration, AngularVelocity, Color, Controls, Drag, Epoch, Gravity, Lens, Name, Orbit,
    Position, Rotation, Scale, Velocity,
};

/// A component whose values may have a range.
pub trait Ranged {
    /// Returns `true` if all numbers are in range, and therefore finite. By default every value is.
    fn is_valid(&self) -> bool {
        true
    }
}

impl Ranged for Color {}
impl Ranged for Epoch {}
impl Ranged for Name {}

/// Implements [`Ranged`] for vectors, and a method that clamps them.
macro_rules! vectors {
    ($($(#[$doc:meta])+ $name:ident: $max:literal, $stored:literal;)+) => {$(
        impl $name {
            $(#[$doc])+
            pub const MAX: f32 = $max;

            /// Largest value along an axis in a snapshot.
            const MAX_STORED: f32 = $stored;

            /// Returns the nearest value up to [`MAX`](Self::MAX) in both directions; NaN becomes `-MAX`.
            #[must_use]
            pub fn clamped(self) -> Self {
                Self(self.0.clamp(Vec3::splat(-Self::MAX), Vec3::splat(Self::MAX)))
            }

            /// Serializes the nearest value in range.
            pub(super) fn serialize_clamped<S: Serializer>(
                vector: &Vec3,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let max = Vec3::splat(Self::MAX_STORED);
                vector.clamp(-max, max).serialize(serializer)
            }
        }

        impl Ranged for $name {
            fn is_valid(&self) -> bool {
                is_within(self.0, Self::MAX_STORED)
            }
        }
    )+};
}

vectors! {
    /// Largest coordinate along an axis, in m. It may be exceeded for up to 127 s.
    Position: 1e6, 1e9;
    /// Largest velocity along an axis, in m/s. It may be exceeded for up to 127 s.
    Velocity: 1e6, 1e7;
    /// Largest acceleration along an axis, in m/s².
    Acceleration: 1e4, 1e4;
    /// Largest gravity along an axis, in m/s².
    Gravity: 1e4, 1e4;
    /// Largest rate about an axis, in rad/s.
    AngularVelocity: 10.0, 10.0;
}

impl Scale {
    /// Shortest and longest edge, in m.
    pub const RANGE: [f32; 2] = [0.001, 1000.0];
}

impl Ranged for Scale {
    fn is_valid(&self) -> bool {
        is_in(self.0, Self::RANGE)
    }
}

impl Drag {
    /// Lowest and highest rate, in 1/s.
    pub const RANGE: [f32; 2] = [0.0, 1000.0];
}

impl Ranged for Drag {
    fn is_valid(&self) -> bool {
        is_in(self.0, Self::RANGE)
    }
}

impl Ranged for Rotation {
    /// Returns `true` for a unit quaternion, with a margin for rounding.
    fn is_valid(&self) -> bool {
        (self.0.length_squared() - 1.0).abs() < 1e-3
    }
}

impl Lens {
    /// Smallest and largest vertical field of view, in rad: 10 and 120 degrees, rounded outwards.
    pub const FOV_Y: [f32; 2] = [0.1745, 2.0945];
    /// Nearest and farthest near plane, in m.
    pub const NEAR: [f32; 2] = [0.001, 10.0];
}

impl Ranged for Lens {
    fn is_valid(&self) -> bool {
        is_in(self.fov_y, Self::FOV_Y) && is_in(self.near, Self::NEAR)
    }
}

impl Controls {
    /// Slowest and fastest flight, in m/s.
    pub const SPEEDS: [f32; 2] = [1.0, 1000.0];
    /// Largest pitch up or down, in rad: 89 degrees, rounded outwards. Just short of vertical, where left and right would
    /// swap.
    pub const MAX_PITCH: f32 = 1.5534;
}

impl Controls {
    /// Returns the nearest values in range. Yaw stays the same direction; what is not finite becomes the default.
    #[must_use]
    pub fn clamped(self) -> Self {
        let default = Self::default();
        let or = |value: f32, default: f32| if value.is_finite() { value } else { default };
        let [slowest, fastest] = Self::SPEEDS;
        Self {
            motion: if self.motion.is_finite() {
                self.motion.clamp(Vec3::NEG_ONE, Vec3::ONE)
            } else {
                Vec3::ZERO
            },
            speed: or(self.speed, default.speed).clamp(slowest, fastest),
            yaw: or(self.yaw, default.yaw) % TAU,
            pitch: or(self.pitch, default.pitch).clamp(-Self::MAX_PITCH, Self::MAX_PITCH),
        }
    }
}

impl Ranged for Controls {
    fn is_valid(&self) -> bool {
        is_within(self.motion, 1.0)
            && is_in(self.speed, Self::SPEEDS)
            && self.yaw.abs() <= TAU
            && self.pitch.abs() <= Self::MAX_PITCH
    }
}

impl Orbit {
    /// Shortest and longest desired distance, in m.
    pub const DISTANCES: [f32; 2] = [1.0, 2000.0];
    /// What rounding may change in the distance of two points, in m. Copied points are rounded to millimeters.
    pub(crate) const ROUNDING: f32 = 0.002;
    /// Fastest turn of the camera by itself, in rad/s: 360 degrees per second.
    pub const MAX_TURN_RATE: f32 = TAU;
    /// Largest remainder of position and distance, in m.
    pub const MAX_REMAINDER: f32 = 1e7;

    /// Returns the orbit with target, offset and excess distance in range; other values stay. A NaN coordinate becomes the
    /// lower limit of its range; a NaN excess distance stays NaN.
    #[must_use]
    pub fn clamped(self) -> Self {
        let max = Vec3::splat(Self::MAX_REMAINDER);
        let target = Position(self.target).clamped().0;
        let excess_distance = self.excess_distance.clamp(-Self::MAX_REMAINDER, Self::MAX_REMAINDER);
        Self { target, offset: self.offset.clamp(-max, max), excess_distance, ..self }
    }
}

impl Ranged for Orbit {
    fn is_valid(&self) -> bool {
        Position(self.target).is_valid()
            && is_in(self.distance, Self::DISTANCES)
            && is_within(self.offset, Self::MAX_REMAINDER)
            && self.excess_distance.abs() <= Self::MAX_REMAINDER
            && self.remaining_turn.abs().max_element() <= TAU
            && self.remaining_turn.is_finite()
            && self.turn_rate.abs() <= Self::MAX_TURN_RATE
    }
}

fn is_in(value: f32, [min, max]: [f32; 2]) -> bool {
    (min..=max).contains(&value)
}

/// Returns `true` if no coordinate is beyond `max`. NaN is.
fn is_within(vector: Vec3, max: f32) -> bool {
    vector.to_array().iter().all(|coordinate| coordinate.abs() <= max)
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2};

    use super::*;

    #[test]
    fn limits_are_valid_and_values_beyond_them_are_not() {
        let orbit = Orbit {
            target: Vec3::ZERO,
            distance: 5.0,
            offset: Vec3::ZERO,
            excess_distance: 0.0,
            remaining_turn: Vec2::ZERO,
            turn_rate: 0.0,
        };
        assert!(orbit.is_valid());
        let check = |[low, high]: [f32; 2], is_valid: &dyn Fn(f32) -> bool| {
            assert!(is_valid(low) && is_valid(high), "{low} {high}");
            let below = low - 1e-3 * low.abs().max(1e-3);
            assert!(!is_valid(below) && !is_valid(high * 1.001), "{low} {high}");
        };
        check([-1e9, 1e9], &|x| Position(Vec3::X * x).is_valid());
        check([-1e7, 1e7], &|y| Velocity(Vec3::Y * y).is_valid());
        check([-10.0, 10.0], &|z| AngularVelocity(Vec3::Z * z).is_valid());
        check(Drag::RANGE, &|rate| Drag(rate).is_valid());
        check(Lens::NEAR, &|near| Lens { near, ..Lens::default() }.is_valid());
        check(Lens::FOV_Y, &|fov_y| Lens { fov_y, ..Lens::default() }.is_valid());
        check(Controls::SPEEDS, &|speed| Controls { speed, ..Controls::default() }.is_valid());
        check(Orbit::DISTANCES, &|distance| Orbit { distance, ..orbit }.is_valid());
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38] {
            assert!(!Position(Vec3::new(0.0, wrong, 0.0)).is_valid(), "{wrong}");
            assert!(!Velocity(Vec3::splat(wrong)).is_valid(), "{wrong}");
            assert!(!Scale(wrong).is_valid(), "{wrong}");
            assert!(!Rotation(Quat::from_xyzw(0.0, 0.0, 0.0, wrong)).is_valid(), "{wrong}");
            assert!(!Lens { fov_y: wrong, ..Lens::default() }.is_valid(), "{wrong}");
            assert!(!Controls { yaw: wrong, ..Controls::default() }.is_valid(), "{wrong}");
            assert!(!Orbit { remaining_turn: Vec2::new(wrong, 0.0), ..orbit }.is_valid());
            assert!(!Orbit { turn_rate: wrong, ..orbit }.is_valid(), "{wrong}");
            assert!(!Orbit { excess_distance: wrong, ..orbit }.is_valid(), "{wrong}");
        }
        let [low, high] = Scale::RANGE;
        assert!(Scale(low).is_valid() && Scale(high).is_valid());
        assert!(!Scale(low * 0.999).is_valid() && !Scale(high * 1.001).is_valid());
        assert!(!Scale(0.0).is_valid() && !Scale(-1.0).is_valid());
        let far = Position(Vec3::splat(-2e9));
        assert!(!far.is_valid() && far.clamped().is_valid());
        assert_eq!(far.clamped().0, Vec3::splat(-Position::MAX));
    }

    #[test]
    fn angles_of_scene_files_are_valid() {
        let radians = |degrees: f64| (degrees * (std::f64::consts::PI / 180.0)) as f32;
        for (yaw, pitch, fov_y) in [(360.0, 89.0, 10.0), (-360.0, -89.0, 120.0)] {
            let controls =
                Controls { yaw: radians(yaw), pitch: radians(pitch), ..Controls::default() };
            assert!(controls.is_valid());
            assert!(Lens { fov_y: radians(fov_y), ..Lens::default() }.is_valid());
        }
    }
}
