//! Simulation: the world of cubes and the camera.
//!
//! [`Simulation`] is the front: it makes the [scene](SceneSettings), steps it, switches its
//! [`FallMode`] and hands the packed arrays out to be drawn. Behind it each system has a file of
//! its own: [physics](integrate), lifecycle, and one to each [rig](CameraRig) of the camera.
//! [`Simulation::pick`] says which cube a [`Ray`] meets.

mod bundles;
mod camera;
mod fall_mode;
mod lifecycle;
mod physics;
mod picking;
mod random;
mod scene;
mod simulation;
mod state_hash;
mod time_step;

pub use bundles::{Cube, Physics};
pub use camera::{CameraRig, CameraView};
pub use fall_mode::FallMode;
pub use physics::{integrate, physics};
pub use picking::{Hit, Ray};
pub use scene::{HALF_EXTENT, SceneSettings};
pub use simulation::Simulation;
pub use time_step::{InvalidTimeStep, TimeStep};
