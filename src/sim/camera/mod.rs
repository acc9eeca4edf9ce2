//! Camera: where it is moved and turned to.
//!
//! A camera is steered by its `Controls`, in one of three ways, its [rig](CameraRig). Which one is
//! told by its components: [`Orbit`](crate::components::Orbit) beside the controls makes it circle a
//! place, [`Follow`] beside these takes the place along with a cube. With neither it flies.
//!
//! | file | holds |
//! |---|---|
//! | `exact` | mathematics that gives the same bits everywhere |
//! | `steering` | what dragging and scrolling do to the controls |
//! | `fly`, `orbit`, `follow` | a system to each rig |
//! | `rig`, `view` | which rigs there are; what a camera sees from |
//!
//! A camera that falls is moved by physics alone, whatever its rig: rigs only turn it.

mod exact;
mod fly;
mod follow;
mod handle;
mod orbit;
mod rig;
mod steering;
mod view;

#[cfg(feature = "scenes")]
pub(super) use self::exact::yaw_and_pitch;
pub(super) use self::fly::fly;
pub(super) use self::follow::{Follow, follow};
pub use self::handle::{Camera, CameraMut};
#[cfg(feature = "scenes")]
pub(super) use self::orbit::DISTANCES;
pub(super) use self::orbit::orbit;
pub use self::rig::CameraRig;
#[cfg(feature = "scenes")]
pub(super) use self::steering::STEEPEST;
pub use self::view::CameraView;
