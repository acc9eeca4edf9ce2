//! The ways a camera moves.

use crate::names::names;

/// How the camera moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum CameraRig {
    /// Flies freely.
    #[default]
    Fly,
    /// Circles a fixed target.
    Orbit,
    /// Circles a cube and moves along with it.
    Follow,
    /// Moves along a path of key frames until the user moves the camera.
    Path,
}

names!(CameraRig { Fly => "fly", Orbit => "orbit", Follow => "follow", Path => "path" });
