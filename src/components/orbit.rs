//! Orbit: the place a camera circles.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

/// What a camera circles and looks at, and what it has still to go until it does so. What is left to
/// go fades by the same share in the same time, whatever the frame rate.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Orbit {
    /// The place in the middle of the view, in m.
    pub target: Vec3,
    /// Wanted distance from there, in m.
    pub distance: f32,
    /// Where the middle of the view is beside the target, in m; fades.
    pub offset: Vec3,
    /// How much farther away than wanted the camera is, in m; fades.
    pub beyond: f32,
    /// How far it has still to turn, to the left and up, in rad; fades.
    pub turn: Vec2,
}

const _: () = assert!(size_of::<Orbit>() == 40);
