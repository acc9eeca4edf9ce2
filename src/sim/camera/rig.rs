//! The three ways a camera moves.

use std::fmt;

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
}

/// Prints the name in the HUD.
impl fmt::Display for CameraRig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fly => "fly",
            Self::Orbit => "orbit",
            Self::Follow => "follow",
        })
    }
}
