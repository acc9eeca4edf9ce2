//! The camera: input, rigs, and the view they produce.
//!
//! The camera moves in one of four ways, its [rig](CameraRig), given by its components. `Controls`
//! alone fly; an added [`Orbit`](crate::components::Orbit) circles a target; an added [`Follow`]
//! moves that target with a cube; `PathProgress` flies along a path. Each rig has a system: `fly`, `orbit`,
//! `follow` and `move_by_itself`. Start with [`CameraMut`], which switches rigs and takes input.
//!
//! A falling camera is moved by the system `drag`. Flight still moves it in any direction, a path and an orbit that turns
//! by itself move it sideways, and other rigs only turn it.

mod exact;
mod fly;
mod follow;
mod glide;
mod ground;
mod handle;
mod orbit;
mod path;
mod rig;
mod self_motion;
mod setup;
mod steering;
mod view;

pub(super) use self::exact::{rotated, yaw_and_pitch};
pub(super) use self::fly::fly;
pub(super) use self::follow::{Follow, follow, stop_following};
pub(super) use self::glide::{
    CAMERA_FALLS_PITCH, CUBES_FALL_PITCH, Glide, glide, moves_itself, start_glide,
};
pub(super) use self::ground::{NoGround, has_ground};
pub use self::handle::{Camera, CameraMut};
pub(super) use self::orbit::orbit;
pub(super) use self::path::{ActivePath, PathProgress};
pub use self::rig::CameraRig;
pub(super) use self::self_motion::move_by_itself;
pub use self::setup::{CameraSetup, InvalidCamera};
pub use self::view::CameraView;
pub(super) use self::view::WidenedView;
