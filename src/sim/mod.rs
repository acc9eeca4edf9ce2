//! Simulation: the world of cubes and the camera.
//!
//! [`Simulation`] is the front: it makes the [scene](SceneSettings), steps it, switches its
//! [`FallMode`] and hands the packed arrays out to be drawn. Behind it each system has a file of
//! its own: [physics](integrate), [spin](turn), lifecycle, and one to each [rig](CameraRig) of the
//! camera. What is changed while it runs is its [`Tuning`]. [`Simulation::pick`] says which cube a
//! [`Ray`] meets.

mod bundles;
mod camera;
mod component_list;
mod cube_generator;
mod cubes;
mod fall_switch;
mod lifecycle;
mod physics;
mod picking;
mod random;
#[cfg(feature = "scenes")]
mod sampling;
#[cfg(feature = "scenes")]
mod scene_camera;
mod simulation;
mod source;
mod spawn_stats;
mod spin;
mod state_hash;
mod template_id;
#[cfg(feature = "scenes")]
mod template_spawner;
mod time_step;
mod tuning;

pub use crate::components::FallMode;
pub use bundles::{Cube, Physics, SpinningCube};
pub use camera::{Camera, CameraMut, CameraRig, CameraView};
pub use cube_generator::{HALF_EXTENT, MAX_CUBES, SceneSettings};
pub use cubes::{Cubes, CubesMut};
pub use physics::{integrate, physics};
pub use picking::{Hit, Ray};
pub use simulation::Simulation;
#[cfg(feature = "snapshot")]
pub use simulation::snapshot::SimulationSnapshot;
#[cfg(feature = "snapshot")]
pub use simulation::snapshot_file::LoadError;
pub use source::SceneSource;
pub use spawn_stats::SpawnStats;
pub use spin::{spin, turn};
pub use time_step::{InvalidTimeStep, TimeStep};
pub use tuning::Tuning;
