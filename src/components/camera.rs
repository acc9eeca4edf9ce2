//! Components of the camera.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Perspective of a camera without a far plane. An entity with a lens is the camera.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct Lens {
    /// Vertical field of view, in rad.
    pub fov_y: f32,
    /// Distance of the near plane, in m.
    pub near: f32,
}

const _: () = assert!(size_of::<Lens>() == 8);

impl Lens {
    /// Vertical field of view by default, in degrees.
    pub(crate) const DEGREES: f32 = 50.0;
}

impl Default for Lens {
    /// 50 degrees, near plane at 0.1 m.
    fn default() -> Self {
        Self { fov_y: Self::DEGREES.to_radians(), near: 0.1 }
    }
}

/// Flight and view angles of the camera, set by user input. Each step of a simulation moves them
/// [into range](Self::clamped).
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct Controls {
    /// Direction of flight in local axes, each from -1 to 1; zero to stay.
    pub motion: Vec3,
    /// Speed of flight, in m/s.
    pub speed: f32,
    /// Angle about world +Y, in rad; 0 faces -Z, positive is to the left.
    pub yaw: f32,
    /// Angle about local +X, in rad; positive is up.
    pub pitch: f32,
}

const _: () = assert!(size_of::<Controls>() == 24);

impl Default for Controls {
    /// At rest and level, with a flight speed of 40 m/s.
    fn default() -> Self {
        Self { motion: Vec3::ZERO, speed: 40.0, yaw: 0.0, pitch: 0.0 }
    }
}

/// Target that a camera orbits, and how far the camera still is from the desired orbit.
///
/// The remainders (offset, excess distance and remaining turn) decay exponentially, so the motion does not depend on the
/// frame rate.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct Orbit {
    /// Center of the orbit, in m.
    pub target: Vec3,
    /// Desired distance from the target, in m.
    pub distance: f32,
    /// Offset of the view's center from the target, in m; decays.
    pub offset: Vec3,
    /// Distance in excess of the desired one, in m; decays.
    pub excess_distance: f32,
    /// Angles left to turn, to the left and up, in rad; decays.
    pub remaining_turn: Vec2,
    /// Rate at which the camera circles the target by itself, in rad per simulated second; positive is counterclockwise
    /// seen from above.
    pub turn_rate: f32,
}

const _: () = assert!(size_of::<Orbit>() == 44);
