//! Components: plain data with units, the very bytes the GPU sees.
//!
//! Axes are right-handed: +X right, +Y up, -Z forward. Lengths are in metres, times in seconds,
//! angles in radians.

mod color;
mod controls;
mod gravity;
mod lens;
mod rigid_body;
mod transform;

pub use color::Color;
pub use controls::Controls;
pub use gravity::Gravity;
pub use lens::Lens;
pub use rigid_body::RigidBody;
pub use transform::Transform;
