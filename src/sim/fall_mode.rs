//! Fall mode: who falls, the cubes or the camera.

use std::fmt;

use crate::components::{Gravity, RigidBody};
use crate::ecs::{Entity, Error, GroupId, World};

/// Who falls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum FallMode {
    /// The cubes fall past the camera.
    #[default]
    #[cfg_attr(feature = "cli", value(name = "cubes-fall"))]
    Cubes,
    /// The camera falls past the cubes, which hang still.
    #[cfg_attr(feature = "cli", value(name = "camera-falls"))]
    Camera,
}

impl FallMode {
    /// The other mode.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Cubes => Self::Camera,
            Self::Camera => Self::Cubes,
        }
    }
}

/// Prints the name by which the command line knows the mode.
impl fmt::Display for FallMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cubes => "cubes-fall",
            Self::Camera => "camera-falls",
        })
    }
}

/// Hands physics from the cubes to the camera and back, by removing the components from the one and
/// adding them to the other.
pub(super) struct FallSwitch {
    mode: FallMode,
    falling: GroupId,
    camera: Entity,
    /// While the cubes hang still: which of them fell, and how each will fall again.
    resting: Vec<(Entity, Gravity)>,
}

impl FallSwitch {
    /// The cubes are in the group `falling`; the camera has no physics yet.
    pub(super) fn new(falling: GroupId, camera: Entity) -> Self {
        Self { mode: FallMode::Cubes, falling, camera, resting: Vec::new() }
    }

    pub(super) fn mode(&self) -> FallMode {
        self.mode
    }

    pub(super) fn resting(&self) -> &[(Entity, Gravity)] {
        &self.resting
    }

    /// Switches to `mode`; positions are kept, velocities start at rest. Does nothing if it is the
    /// mode already.
    pub(super) fn set(&mut self, mode: FallMode, world: &mut World) -> Result<(), Error> {
        match mode {
            _ if mode == self.mode => return Ok(()),
            FallMode::Camera => {
                let (gravities,) = world.slices::<(&Gravity,)>(self.falling)?;
                self.resting =
                    world.group_entities(self.falling)?.zip(gravities.iter().copied()).collect();
                // From the end of the group: the last member leaves without anyone changing places.
                for &(cube, _) in self.resting.iter().rev() {
                    world.remove::<RigidBody>(cube)?;
                    world.remove::<Gravity>(cube)?;
                }
                world.insert(self.camera, RigidBody::default())?;
                world.insert(self.camera, Gravity::STANDARD)?;
            }
            FallMode::Cubes => {
                world.remove::<RigidBody>(self.camera)?;
                world.remove::<Gravity>(self.camera)?;
                for (cube, gravity) in self.resting.drain(..) {
                    // A cube that was despawned while it hung still stays gone.
                    if world.contains(cube) {
                        world.insert(cube, RigidBody::default())?;
                        world.insert(cube, gravity)?;
                    }
                }
            }
        }
        self.mode = mode;
        Ok(())
    }
}
