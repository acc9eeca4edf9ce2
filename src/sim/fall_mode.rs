//! Fall mode: who falls, the cubes or the camera.

use std::fmt;

use super::bundles::Physics;
use crate::components::{Gravity, RigidBody, Velocity};
use crate::ecs::{Detached, Entity, Error, GroupId, World};

/// Who falls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum FallMode {
    /// The cubes fall past the camera.
    #[default]
    Cubes,
    /// The camera falls past the cubes, which hang still.
    Camera,
}

impl FallMode {
    /// The name by which people know the mode.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cubes => "cubes-fall",
            Self::Camera => "camera-falls",
        }
    }

    /// The other mode.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Cubes => Self::Camera,
            Self::Camera => Self::Cubes,
        }
    }
}

/// Prints the name.
impl fmt::Display for FallMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Hands physics from the cubes to the camera and back, by removing the components from the one and
/// adding them to the other.
pub(super) struct FallSwitch {
    mode: FallMode,
    falling: GroupId,
    camera: Entity,
    /// While the cubes hang still: which of them fell, and how each will fall again.
    resting: Detached<Physics>,
    /// Cubes that came while the others hung still, and how each will fall.
    late: Vec<(Entity, Physics)>,
}

impl FallSwitch {
    /// The cubes are in the group `falling`; the camera has no physics yet.
    pub(super) fn new(falling: GroupId, camera: Entity) -> Self {
        Self {
            mode: FallMode::Cubes,
            falling,
            camera,
            resting: Detached::default(),
            late: Vec::new(),
        }
    }

    pub(super) fn mode(&self) -> FallMode {
        self.mode
    }

    /// Who rests, and the gravity of each; some may live no longer.
    pub(super) fn resting(&self) -> impl Iterator<Item = (Entity, Gravity)> {
        let gravities = self.resting.values().2.iter().copied();
        let late = self.late.iter().map(|(cube, physics)| (*cube, physics.gravity));
        self.resting.entities().iter().copied().zip(gravities).chain(late)
    }

    /// Another cube has come, without physics: it falls with the others, now or later.
    pub(super) fn join(
        &mut self,
        cube: Entity,
        physics: Physics,
        world: &mut World,
    ) -> Result<(), Error> {
        match self.mode {
            FallMode::Cubes => world.insert_bundle(cube, physics)?,
            FallMode::Camera => self.late.push((cube, physics)),
        }
        Ok(())
    }

    /// Switches to `mode`; positions are kept, velocities start at rest. Does nothing if it is the
    /// mode already.
    pub(super) fn set(&mut self, mode: FallMode, world: &mut World) -> Result<(), Error> {
        match mode {
            _ if mode == self.mode => return Ok(()),
            FallMode::Camera => {
                self.resting = world.detach(self.falling)?;
                self.resting.values_mut().0.fill(Velocity::default());
                let physics = Physics { body: RigidBody::default(), gravity: Gravity::STANDARD };
                world.insert_bundle(self.camera, physics)?;
            }
            FallMode::Cubes => {
                world.remove_bundle::<Physics>(self.camera)?;
                // A cube that was despawned while it hung still stays gone.
                world.attach(std::mem::take(&mut self.resting))?;
                for (cube, physics) in self.late.drain(..) {
                    if world.contains(cube) {
                        world.insert_bundle(cube, physics)?;
                    }
                }
            }
        }
        self.mode = mode;
        Ok(())
    }
}
