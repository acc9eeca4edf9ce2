//! Fall mode: who falls, the cubes or the camera.

use super::bundles::Physics;
use crate::components::{FallMode, Gravity, RigidBody, Velocity};
use crate::ecs::{Entity, Error, GroupId, TakenGroup, World};

/// How fast cubes are that fall again after they hung still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Velocities {
    /// Not at all, as every cube of the classic scene begins.
    AtRest,
    /// As fast as before: in a scene file velocities are part of the scene, and what gravity does not
    /// pull would never move again.
    Kept,
}

/// Hands physics from the cubes to the camera and back, by removing the components from the one and
/// adding them to the other.
pub(super) struct FallSwitch {
    mode: FallMode,
    falling: GroupId,
    camera: Entity,
    /// While the cubes hang still: which of them fell, and how each will fall again.
    resting: TakenGroup<Physics>,
}

impl FallSwitch {
    /// The cubes are in the group `falling`; the camera has no physics yet.
    pub(super) fn new(falling: GroupId, camera: Entity) -> Self {
        Self { mode: FallMode::Cubes, falling, camera, resting: TakenGroup::default() }
    }

    /// Takes over the mode of another simulation, with its camera and who rests there.
    #[cfg(feature = "snapshot")]
    pub(super) fn resume(
        &mut self,
        mode: FallMode,
        camera: Entity,
        resting: impl Iterator<Item = (Entity, Physics)>,
    ) {
        *self = Self { mode, ..Self::new(self.falling, camera) };
        self.rest(resting);
    }

    pub(super) fn mode(&self) -> FallMode {
        self.mode
    }

    /// Who rests, and how each will fall again; some may live no longer.
    pub(super) fn resting(&self) -> impl Iterator<Item = (Entity, Physics)> {
        let (velocities, accelerations, gravities) = self.resting.values();
        let bodies = velocities.iter().zip(accelerations);
        let physics = bodies.zip(gravities).map(|((&velocity, &acceleration), &gravity)| Physics {
            body: RigidBody { velocity, acceleration },
            gravity,
        });
        self.resting.entities().iter().copied().zip(physics)
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
            FallMode::Camera => self.rest(std::iter::once((cube, physics))),
        }
        Ok(())
    }

    /// More cubes hang still, to fall with the others.
    pub(super) fn rest(&mut self, cubes: impl Iterator<Item = (Entity, Physics)>) {
        let (mut entities, mut values) = std::mem::take(&mut self.resting).into_parts();
        for (cube, Physics { body, gravity }) in cubes {
            entities.push(cube);
            values.0.push(body.velocity);
            values.1.push(body.acceleration);
            values.2.push(gravity);
        }
        self.resting = TakenGroup::new(entities, values);
    }

    /// Forgets those who hang still no longer because they were despawned.
    pub(super) fn forget_the_dead(&mut self, world: &World) {
        if self.resting.entities().iter().all(|&cube| world.contains(cube)) {
            return;
        }
        let resting = std::mem::take(&mut self.resting);
        let before = Self { resting, ..Self::new(self.falling, self.camera) };
        self.rest(before.resting().filter(|&(cube, _)| world.contains(cube)));
    }

    /// Forgets one that hung still and was despawned.
    pub(super) fn forget(&mut self, cube: Entity) {
        if let Some(at) = self.resting.entities().iter().position(|&resting| resting == cube) {
            let (mut entities, mut values) = std::mem::take(&mut self.resting).into_parts();
            // In their order, in which they fall again.
            entities.remove(at);
            values.0.remove(at);
            values.1.remove(at);
            values.2.remove(at);
            self.resting = TakenGroup::new(entities, values);
        }
    }

    /// Switches to `mode`; positions are kept, and the velocities of the cubes where they are
    /// `kept`: else they start at rest. The camera always does. Does nothing if it is the mode
    /// already.
    pub(super) fn set(
        &mut self,
        mode: FallMode,
        kept: Velocities,
        world: &mut World,
    ) -> Result<(), Error> {
        match mode {
            _ if mode == self.mode => return Ok(()),
            FallMode::Camera => {
                self.resting = world.take_group(self.falling)?;
                if kept == Velocities::AtRest {
                    self.resting.values_mut().0.fill(Velocity::default());
                }
                let physics = Physics { body: RigidBody::default(), gravity: Gravity::STANDARD };
                world.insert_bundle(self.camera, physics)?;
            }
            FallMode::Cubes => {
                world.remove_bundle::<Physics>(self.camera)?;
                // A cube that was despawned while it hung still stays gone.
                world.restore_group(std::mem::take(&mut self.resting))?;
            }
        }
        self.mode = mode;
        Ok(())
    }
}
