//! Simulation: the world of cubes and the camera.
//!
//! [`Simulation`] is the front: it makes the [scene](SceneSettings), steps it, switches its
//! [`FallMode`] and hands the packed arrays out to be drawn. Behind it each system has a file of
//! its own: camera control, [physics](integrate), lifecycle.

mod bundles;
mod camera_control;
mod fall_mode;
mod lifecycle;
mod physics;
mod random;
mod scene;
mod simulation;
mod state_hash;
mod time_step;

pub use bundles::{Cube, Physics};
pub use fall_mode::FallMode;
pub use physics::{integrate, physics};
pub use scene::{HALF_EXTENT, SceneSettings};
pub use simulation::{CameraView, Simulation};
pub use time_step::{InvalidTimeStep, TimeStep};
