//! Rig: what holds the camera.

use std::fmt;

/// What holds the camera, and so what steering it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum CameraRig {
    /// It flies freely.
    #[default]
    Fly,
    /// It circles a place and looks at it.
    Orbit,
    /// It circles a cube, and goes where that goes.
    Follow,
}

impl CameraRig {
    /// The name by which people know the rig.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fly => "fly",
            Self::Orbit => "orbit",
            Self::Follow => "follow",
        }
    }
}

/// Prints the name.
impl fmt::Display for CameraRig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
