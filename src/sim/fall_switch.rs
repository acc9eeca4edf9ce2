//! The switch between the fall modes.

use glam::Vec3;

use super::bundles::Physics;
use super::clock::MotionClock;
use super::due;
use super::groups::Groups;
use super::physics::move_into_range;
use super::restate::restate_all;
use crate::components::{
    Acceleration, Drag, Epoch, FallMode, Gravity, Motion, RigidBody, Velocity,
};
use crate::ecs::{Entity, Error, TakenGroup, World};

/// Drag of the falling camera: under standard gravity its terminal velocity is 45 m/s.
const DRAG: Drag = Drag(0.218);

/// Wind that carries the falling camera forward, up to 9 m/s. On a straight way down
/// the same cubes would pass it in every period of the field.
const WIND: Acceleration = Acceleration(Vec3::new(0.61, 0.0, -1.87));

/// Moves physics from the cubes to the camera and back: it removes the components from one and adds
/// them to the other.
pub(super) struct FallSwitch {
    mode: FallMode,
    camera: Entity,
    /// Whether cubes that fall again have their former velocities. In a scene file velocities are
    /// part of the scene; the cubes of the classic scene restart at rest.
    keep_velocities: bool,
    /// Physics of the cubes while they hang still. Only living cubes are listed.
    resting: TakenGroup<Physics>,
}

impl FallSwitch {
    /// Starts with falling cubes and a camera without physics.
    pub(super) fn new(camera: Entity, keep_velocities: bool) -> Self {
        let (mode, resting) = (FallMode::Cubes, TakenGroup::default());
        Self { mode, camera, keep_velocities, resting }
    }

    /// Continues the switch of a snapshot, whose components the world already has.
    pub(super) fn restored(
        mode: FallMode,
        camera: Entity,
        keep_velocities: bool,
        resting: impl IntoIterator<Item = (Entity, Physics)>,
    ) -> Self {
        let mut restored = Self { mode, ..Self::new(camera, keep_velocities) };
        restored.rest(resting);
        restored
    }

    pub(super) fn mode(&self) -> FallMode {
        self.mode
    }

    /// The cubes that hang still and the physics with which each will fall.
    pub(super) fn resting(&self) -> impl Iterator<Item = (Entity, Physics)> {
        let (velocities, accelerations, gravities) = &self.resting.values;
        let bodies = velocities.iter().zip(accelerations);
        let physics = bodies.zip(gravities).map(|((&velocity, &acceleration), &gravity)| Physics {
            body: RigidBody { velocity, acceleration },
            gravity,
        });
        self.resting.entities.iter().copied().zip(physics)
    }

    /// Gives physics to a new cube, now or when the cubes fall again.
    pub(super) fn join(
        &mut self,
        cube: Entity,
        physics: Physics,
        world: &mut World,
    ) -> Result<(), Error> {
        match self.mode {
            FallMode::Cubes => {
                world.insert_bundle(cube, physics)?;
                if Groups::of(world).motion == Motion::Evaluated {
                    world.insert(cube, MotionClock::of(world).epoch())?;
                }
                due::enqueue(world, &[cube])
            }
            FallMode::Camera => {
                self.rest([(cube, physics)]);
                Ok(())
            }
        }
    }

    /// Adds cubes that hang still.
    pub(super) fn rest(&mut self, cubes: impl IntoIterator<Item = (Entity, Physics)>) {
        let TakenGroup { entities, values } = &mut self.resting;
        for (cube, Physics { body, gravity }) in cubes {
            entities.push(cube);
            values.0.push(body.velocity);
            values.1.push(body.acceleration);
            values.2.push(gravity);
        }
    }

    /// Removes a cube that was despawned while it hung still. The others keep their order.
    pub(super) fn forget(&mut self, cube: Entity) {
        let TakenGroup { entities, values } = &mut self.resting;
        if let Some(at) = entities.iter().position(|&resting| resting == cube) {
            entities.remove(at);
            values.0.remove(at);
            values.1.remove(at);
            values.2.remove(at);
        }
    }

    /// Removes cubes that were despawned while they hung still; there are at most `despawned` of them.
    pub(super) fn forget_despawned(&mut self, world: &World, despawned: usize) {
        // Mostly the last ones, so that a few of many are removed without a pass over all.
        let dead = self.resting.entities.iter().rev().take_while(|&&cube| !world.contains(cube));
        let last = dead.count();
        let left = self.resting.entities.len() - last;
        let TakenGroup { entities, values } = &mut self.resting;
        entities.truncate(left);
        values.0.truncate(left);
        values.1.truncate(left);
        values.2.truncate(left);
        if last < despawned && self.resting.entities.iter().any(|&cube| !world.contains(cube)) {
            let living: Vec<_> = self.resting().filter(|&(cube, _)| world.contains(cube)).collect();
            self.resting = TakenGroup::default();
            self.rest(living);
        }
    }

    /// Reserves memory for more cubes that hang still.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(super) fn reserve(&mut self, additional: usize) -> Result<(), Error> {
        let TakenGroup { entities, values } = &mut self.resting;
        let reserved = entities.try_reserve_exact(additional);
        let reserved = reserved.and_then(|()| values.0.try_reserve_exact(additional));
        let reserved = reserved.and_then(|()| values.1.try_reserve_exact(additional));
        let reserved = reserved.and_then(|()| values.2.try_reserve_exact(additional));
        reserved.map_err(|_| Error::OutOfMemory { entities: additional })
    }

    /// Frees memory beyond that of so many cubes.
    pub(super) fn shrink_to(&mut self, cubes: usize) {
        let TakenGroup { entities, values } = &mut self.resting;
        entities.shrink_to(cubes);
        values.0.shrink_to(cubes);
        values.1.shrink_to(cubes);
        values.2.shrink_to(cubes);
    }

    /// Switches to `mode`; does nothing if it is the current mode. Positions in range are kept. The camera
    /// starts at rest.
    pub(super) fn set(&mut self, mode: FallMode, world: &mut World) -> Result<(), Error> {
        match mode {
            _ if mode == self.mode => return Ok(()),
            FallMode::Camera => {
                self.resting = take_physics(world)?;
                if !self.keep_velocities {
                    self.resting.values.0.fill(Velocity::default());
                }
                let body = RigidBody { acceleration: WIND, ..RigidBody::default() };
                let physics = Physics { body, gravity: Gravity::STANDARD };
                world.insert_bundle(self.camera, physics)?;
                world.insert(self.camera, DRAG)?;
            }
            FallMode::Cubes => {
                world.remove_bundle::<Physics>(self.camera)?;
                world.remove::<Drag>(self.camera)?;
                restore_physics(world, std::mem::take(&mut self.resting));
            }
        }
        self.mode = mode;
        due::make_calendar(world)
    }
}

/// Physics of a cube with evaluated motion.
type EvaluatedPhysics = (Velocity, Acceleration, Gravity, Epoch);

/// Takes physics from all falling cubes. They stay where they are now.
fn take_physics(world: &mut World) -> Result<TakenGroup<Physics>, Error> {
    let Groups { motion, falling, .. } = Groups::of(world);
    match motion {
        Motion::Integrated => {
            move_into_range(world)?;
            world.take_group(falling)
        }
        Motion::Evaluated => {
            restate_all(world)?;
            let taken = world.take_group::<EvaluatedPhysics>(falling)?;
            let (velocities, accelerations, gravities, _) = taken.values;
            let values = (velocities, accelerations, gravities);
            Ok(TakenGroup { entities: taken.entities, values })
        }
    }
}

/// Restores the physics of cubes, which fall from now on.
fn restore_physics(world: &mut World, resting: TakenGroup<Physics>) {
    match Groups::of(world).motion {
        Motion::Integrated => world.restore_group(resting),
        Motion::Evaluated => {
            let TakenGroup { entities, values: (velocities, accelerations, gravities) } = resting;
            let epochs = vec![MotionClock::of(world).epoch(); entities.len()];
            let values = (velocities, accelerations, gravities, epochs);
            world.restore_group::<EvaluatedPhysics>(TakenGroup { entities, values })
        }
    };
}
