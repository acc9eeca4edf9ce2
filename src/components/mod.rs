//! Components: plain data with units, the very bytes the GPU sees.
//!
//! Axes are right-handed: +X right, +Y up, -Z forward. Lengths are in metres, times in seconds,
//! angles in radians.
//!
//! [`Transform`] and [`RigidBody`] are stored field by field: each of their fields is a component
//! with a packed array of its own, so that a pass over the positions moves 12 bytes of each entity
//! instead of 36.

mod acceleration;
mod angular_velocity;
mod color;
mod controls;
mod fall_mode;
mod gravity;
mod lens;
mod light;
mod name;
mod orbit;
mod position;
mod rigid_body;
mod rotation;
mod scale;
mod transform;
mod velocity;

pub use acceleration::Acceleration;
pub use angular_velocity::AngularVelocity;
pub use color::Color;
pub use controls::Controls;
pub use fall_mode::FallMode;
pub use gravity::Gravity;
pub use lens::Lens;
pub use light::Light;
pub use name::Name;
pub use orbit::Orbit;
pub use position::Position;
pub use rigid_body::RigidBody;
pub use rotation::Rotation;
pub use scale::Scale;
pub use transform::Transform;
pub use velocity::Velocity;
