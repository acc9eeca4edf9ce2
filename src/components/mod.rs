//! Components: plain data with units, in the layout that the GPU reads.
//!
//! Axes are right-handed: +X right, +Y up, -Z forward. Lengths are in meters, times in seconds,
//! angles in radians.
//!
//! [`Transform`] and [`RigidBody`] are bundles: each of their fields is a component with an array of
//! its own. A pass over the positions then reads 12 bytes per entity instead of 32.

mod appearance;
mod camera;
mod evaluated_motion;
mod fall_mode;
mod field;
mod motion;
mod motion_mode;
mod palette;
mod range;
mod transform;

pub use appearance::{Color, Light, Name};
pub use camera::{Controls, Lens, Orbit};
pub use evaluated_motion::{Epoch, EvaluatedMotion};
pub use fall_mode::FallMode;
pub use field::{EndlessField, FieldView};
/// The version of glam whose vectors and quaternions are in the API.
pub use glam;
pub use motion::{Acceleration, AngularVelocity, Drag, Gravity, RigidBody, Velocity};
pub use motion_mode::Motion;
pub use palette::{ColorBy, Coloring, Palette};
pub use range::Ranged;
pub use transform::{Position, Rotation, Scale, Transform};
