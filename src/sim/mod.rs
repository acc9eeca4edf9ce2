//! The simulation: a world of cubes and a camera, without GPU or window.
//!
//! Start with [`Simulation`]: it makes a scene from a [`SceneSource`], runs steps and switches the
//! [`FallMode`]. Its state is reached through small handles: [`Cubes`] and [`CubesMut`], [`Camera`]
//! and [`CameraMut`]. [`Tuning`] changes gravity, time and spin while it runs.
//!
//! Equal settings, time steps and calls give the same bits on every platform with IEEE 754
//! single-precision arithmetic (not on x87), with any number of threads;
//! [`Simulation::state_hash`] shows it.
//!
//! | file | contents |
//! |---|---|
//! | `physics`, `drag`, `spin`, `lifecycle`, `coloring`, `camera/*` | the systems |
//! | `integration` | the arithmetic of physics |
//! | `endless` | the field of cubes around a falling camera |
//! | `clock` | the time of both motions |
//! | `evaluation`, `restate` | evaluated motion: where cubes are now |
//! | `landing` | when a cube is below the ground |
//! | `calendar`, `due` | which cubes with evaluated motion have landed, or have old values |
//! | `bundles`, `groups`, `component_list` | bundles and groups; all components |
//! | `cube_generator`, `random` | random cubes |
//! | `picking` | the first cube on a ray |
//! | `simulation/snapshot*` | saved state |

mod bundles;
mod calendar;
mod camera;
mod clock;
mod coloring;
mod component_list;
mod cube_generator;
mod cubes;
mod drag;
mod due;
mod endless;
mod evaluated_motion;
mod evaluation;
mod fall_switch;
mod groups;
mod integration;
mod landing;
mod lifecycle;
mod memory;
mod parallel;
mod physics;
mod picking;
mod random;
mod respawn;
mod restate;
mod sampling;
mod scene_camera;
mod simulation;
mod source;
mod spawn_stats;
mod spin;
mod state_hash;
mod template_id;
mod template_spawner;
mod time_step;
mod timeline;
mod tuning;

pub use crate::components::{FallMode, Motion};
pub use bundles::{Cube, Physics, SpinningCube};
pub use camera::{Camera, CameraMut, CameraRig, CameraSetup, CameraView, InvalidCamera};
pub use cube_generator::{HALF_EXTENT, MAX_CUBES, SceneSettings};
pub use cubes::{Cubes, CubesMut};
pub use drag::{drag, fall};
pub use integration::integrate;
pub use memory::{ADDED_BYTES_PER_CUBE, BYTES_PER_CUBE, SAVE_BYTES_PER_CUBE};
pub use physics::physics;
pub use picking::{Hit, Ray};
pub use simulation::Simulation;
pub use simulation::snapshot::SimulationSnapshot;
pub use simulation::snapshot_file::{LoadError, SnapshotFile};
#[cfg(feature = "cli")]
pub(crate) use source::CLASSIC;
pub use source::SceneSource;
pub use spawn_stats::SpawnStats;
pub use spin::{spin, turn};
pub use time_step::{InvalidTimeStep, TimeStep};
pub use tuning::Tuning;
