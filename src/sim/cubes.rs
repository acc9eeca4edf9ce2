//! Handles to the cubes of a simulation: to read and pick them, and to add and remove them.

use std::fmt;

use super::bundles::{Cube, EvaluatedCube, EvaluatedSpinningCube, SpinningCube};
use super::clock::MotionClock;
use super::coloring::paint;
use super::cube_generator::{CubeGenerator, MAX_CUBES};
use super::due;
use super::endless::field;
use super::evaluation;
use super::fall_switch::FallSwitch;
use super::groups::Groups;
use super::picking::{Hit, Ray, nearest};
use super::spawn_stats::SpawnStats;
use super::spin::own_spin;
use super::tuning::Tuning;
use crate::components::{
    Color, EvaluatedMotion, FallMode, FieldView, Motion, Position, Rotation, Scale, Transform,
    Velocity,
};
use crate::ecs::{Changes, Component, Entity, Error, Group, World};

const DRAWN: &str = "the group owns these components";
/// Read access to the cubes: the entities that are drawn.
#[derive(Debug)]
pub struct Cubes<'w> {
    world: &'w World,
    group: Group<'w>,
}

impl<'w> Cubes<'w> {
    pub(super) fn new(world: &'w World) -> Self {
        Self { world, group: world.group(Groups::of(world).drawn).expect(DRAWN) }
    }

    /// Number of cubes.
    pub fn count(&self) -> usize {
        self.group.len()
    }

    /// One component of every cube, in storage order: [`Position`], [`Rotation`], [`Scale`] or
    /// [`Color`]. Index `i` is the same cube in all four, and in the entities of a [view](World::view) of one of them.
    ///
    /// With evaluated motion these are the values of each cube's [epoch](Self::evaluated).
    ///
    /// # Panics
    /// `T` is another component.
    pub fn slice<T: Component>(&self) -> &'w [T] {
        self.group.slices::<(&T,)>().0
    }

    /// Change log of [`slice`](Self::slice).
    ///
    /// # Panics
    /// `T` is another component.
    pub fn changes<T: Component>(&self) -> &'w Changes {
        let _ = self.slice::<T>();
        self.world.view::<&T>().changes()
    }

    /// Current position, rotation and scale of a cube. `None` if the entity is not a living cube of this
    /// world.
    pub fn get(&self, cube: Entity) -> Option<Transform> {
        let (&scale, _) = self.world.get::<(&Scale, &Color)>(cube).ok()?;
        let position = evaluation::position(self.world, cube).ok()?;
        let rotation = evaluation::rotation(self.world, cube).ok()?;
        Some(Transform { position, rotation, scale })
    }

    /// Current velocity of a cube. `None` if the entity is not a living cube of this world, or hangs still.
    pub fn velocity(&self, cube: Entity) -> Option<Velocity> {
        self.world.get::<&Color>(cube).ok()?;
        evaluation::velocity(self.world, cube).ok()
    }

    /// The motion of the cubes, by the index in [`slice`](Self::slice); `None` while motion is integrated.
    pub fn evaluated(&self) -> Option<EvaluatedMotion<'w>> {
        EvaluatedMotion::of(self.world)
    }

    /// The first cube that a ray hits from outside. Of equally near cubes it is the first in storage
    /// order.
    ///
    /// Around a falling camera the cubes repeat, as they are drawn from the origin of the ray.
    ///
    /// One pass over all cubes, with the feature `parallel` on all threads of the current rayon pool; does not allocate.
    pub fn pick(&self, ray: &Ray) -> Option<Hit> {
        let (positions, rotations, scales) = self.group.slices::<(&Position, &Rotation, &Scale)>();
        let field = field(self.world).map(|field| FieldView::new(field, ray.origin()));
        let still = |_, rotation| rotation;
        let (index, distance) = match (self.evaluated(), field) {
            (None, None) => {
                nearest(ray, positions, rotations, scales, |_, at, edge| (at, edge), still)
            }
            (None, Some(field)) => {
                let place = |_, at, edge| field.place(at, edge);
                nearest(ray, positions, rotations, scales, place, still)
            }
            (Some(cubes), field) => {
                let place = |index, at, edge| {
                    let at = cubes.position(index, at);
                    field.map_or((at, edge), |field| field.place(at, edge))
                };
                let turn = |index, rotation| cubes.rotation(index, rotation);
                nearest(ray, positions, rotations, scales, place, turn)
            }
        }?;
        Some(Hit { entity: self.group.entity(index)?, distance })
    }
}

/// Write access to the cubes. While the camera falls, added cubes hang still with the others and
/// fall with them later.
pub struct CubesMut<'w> {
    world: &'w mut World,
    fall: &'w mut FallSwitch,
    dropped: &'w mut CubeGenerator,
}

/// Prints the world.
impl fmt::Debug for CubesMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CubesMut").field("world", &self.world).finish_non_exhaustive()
    }
}

impl<'w> CubesMut<'w> {
    pub(super) fn new(
        world: &'w mut World,
        fall: &'w mut FallSwitch,
        dropped: &'w mut CubeGenerator,
    ) -> Self {
        Self { world, fall, dropped }
    }

    /// Adds a random cube, at rest at the allowed position nearest to `position`.
    ///
    /// # Errors
    /// There is not enough memory, or the world has reached its entity limit.
    pub fn spawn_at(&mut self, position: Position) -> Result<Entity, Error> {
        self.world.reserve::<Cube>(1)?;
        let Cube { transform, color, physics } = self.dropped.single();
        let cube = self.world.try_spawn((
            position.clamped(),
            transform.rotation,
            transform.scale,
            color,
        ))?;
        self.fall.join(cube, physics, self.world)?;
        self.start_spin(&[cube])?;
        paint(self.world, &[cube])?;
        self.stats().spawned += 1;
        Ok(cube)
    }

    /// Removes a cube.
    ///
    /// # Errors
    /// The entity is not a living cube of this world.
    pub fn despawn(&mut self, cube: Entity) -> Result<(), Error> {
        self.world.get::<&Color>(cube)?;
        self.world.despawn(cube)?;
        self.fall.forget(cube);
        self.stats().removed += 1;
        Ok(())
    }

    /// Adds or removes cubes until there are `count`. New ones are random, at rest anywhere in the
    /// box, with a size that suits `count`. The last ones in storage order are removed first.
    ///
    /// # Errors
    /// `count` is above [`MAX_CUBES`], or there is not enough memory. Nothing is changed then.
    pub fn set_count(&mut self, count: u32) -> Result<(), Error> {
        self.approach_count(count, u32::MAX).map(drop)
    }

    /// Adds or removes at most `limit` cubes towards `count`, and returns the number of cubes then.
    /// Calls until that is `count` have the result of one [`set_count`](Self::set_count). The first
    /// one reserves the memory of all; the last one frees what removed cubes had.
    ///
    /// # Errors
    /// As for [`set_count`](Self::set_count).
    pub fn approach_count(&mut self, count: u32, limit: u32) -> Result<u32, Error> {
        if count > MAX_CUBES {
            return Err(Error::EntityLimit { limit: MAX_CUBES });
        }
        let mut generator = self.world.resource::<CubeGenerator>().clone();
        generator.set_cubes(count);
        let (target, current) = (count as usize, Cubes::new(self.world).count());
        let slice = target.abs_diff(current).min(limit as usize);
        if target > current {
            self.reserve(target - current)?;
            self.add(slice, &mut generator)?;
        } else {
            self.remove(slice);
            if current - slice == target {
                // Memory for components that cubes may get later stays reserved.
                self.world.shrink_to(target);
                self.fall.shrink_to(target);
            }
        }
        self.world.resources_mut().insert(generator);
        self.dropped.set_cubes(count);
        Ok(Cubes::new(self.world).count() as u32)
    }

    /// Reserves memory for `additional` cubes, with all components that they may get later, so that no later slice of
    /// [`approach_count`](Self::approach_count) runs out of it.
    fn reserve(&mut self, additional: usize) -> Result<(), Error> {
        match Groups::of(self.world).motion {
            Motion::Integrated => self.world.reserve::<SpinningCube>(additional)?,
            Motion::Evaluated => self.world.reserve::<EvaluatedSpinningCube>(additional)?,
        }
        match self.fall.mode() {
            FallMode::Cubes => Ok(()),
            FallMode::Camera => self.fall.reserve(additional),
        }
    }

    fn add(&mut self, additional: usize, generator: &mut CubeGenerator) -> Result<(), Error> {
        let first = Cubes::new(self.world).count() as u32;
        let cubes = (first..first + additional as u32).map(|number| generator.anywhere(number));
        let spawned = match self.fall.mode() {
            FallMode::Cubes => self.spawn_falling(cubes)?,
            FallMode::Camera => {
                let mut resting = Vec::new();
                let out_of_memory = |_| Error::OutOfMemory { entities: additional };
                resting.try_reserve_exact(additional).map_err(out_of_memory)?;
                let spawned = self.world.spawn_batch(cubes.map(|cube| {
                    let Cube { transform, color, physics } = cube;
                    resting.push(physics);
                    (transform.position, transform.rotation, transform.scale, color)
                }))?;
                self.fall.rest(spawned.iter().copied().zip(resting));
                spawned
            }
        };
        self.start_spin(&spawned)?;
        paint(self.world, &spawned)?;
        self.stats().spawned += additional as u64;
        Ok(())
    }

    fn spawn_falling(&mut self, cubes: impl Iterator<Item = Cube>) -> Result<Vec<Entity>, Error> {
        match Groups::of(self.world).motion {
            Motion::Integrated => self.world.spawn_batch(cubes),
            Motion::Evaluated => {
                let epoch = MotionClock::of(self.world).epoch();
                let cubes = cubes.map(|cube| EvaluatedCube { cube, epoch });
                let spawned = self.world.spawn_batch(cubes)?;
                due::enqueue(self.world, &spawned)?;
                Ok(spawned)
            }
        }
    }

    fn remove(&mut self, count: usize) {
        let cubes = Cubes::new(self.world).group.entities();
        // From the end, so that the order of the others stays.
        let last: Vec<Entity> = cubes.rev().take(count).collect();
        let removed = self.world.despawn_batch(&last);
        self.fall.forget_despawned(self.world, removed);
        self.stats().removed += removed as u64;
    }

    /// Makes new cubes spin if the others do.
    fn start_spin(&mut self, cubes: &[Entity]) -> Result<(), Error> {
        if self.world.resource::<Tuning>().spin > 0.0 {
            let seed = self.world.resource::<CubeGenerator>().settings().seed;
            for &cube in cubes {
                self.world.insert(cube, own_spin(seed, cube))?;
            }
        }
        Ok(())
    }

    fn stats(&mut self) -> &mut SpawnStats {
        self.world.resource_mut()
    }
}
