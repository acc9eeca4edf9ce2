//! Cubes: one of them picked, dropped or despawned.

use super::{DRAWN, Simulation};
use crate::components::{Color, Position, Rotation, Scale, Transform};
use crate::ecs::{Entity, Error};
use crate::sim::bundles::Cube;
use crate::sim::picking::{Hit, Ray, nearest};
use crate::sim::spin::own_spin;

impl Simulation {
    /// The cube that a ray meets first, of equally near ones the first in the arrays; a cube around
    /// the start of the ray, of which no face is seen, is none of them. One pass over all cubes, on
    /// all threads of the current pool; allocates nothing.
    #[must_use]
    pub fn pick(&self, ray: &Ray) -> Option<Hit> {
        let (positions, rotations, scales) = self
            .world
            .group(self.drawn)
            .expect(DRAWN)
            .slices::<(&Position, &Rotation, &Scale)>()
            .expect(DRAWN);
        let (index, distance) = nearest(ray, positions, rotations, scales)?;
        let entity = self.world.group(self.drawn).expect(DRAWN).entity(index)?;
        Some(Hit { entity, distance })
    }

    /// Where a cube is, which way it faces and how large it is; `None` if the entity is no cube of
    /// this world, or no longer lives.
    #[must_use]
    pub fn cube(&self, cube: Entity) -> Option<Transform> {
        self.world.get::<Color>(cube).ok()?;
        Some(Transform {
            position: *self.world.get(cube).ok()?,
            rotation: *self.world.get(cube).ok()?,
            scale: *self.world.get(cube).ok()?,
        })
    }

    /// Adds a cube of the scene's kind, at rest at a place, with a spin if the others have one. While the camera falls it hangs still
    /// as the others do, and falls with them later.
    ///
    /// # Errors
    /// There is not enough memory, or there are as many entities as a world can hold.
    pub fn drop_cube(&mut self, at: Position) -> Result<Entity, Error> {
        self.world.reserve::<Cube>(1)?;
        let Cube { mut transform, color, physics } = self.dropped.anywhere();
        transform.position = at;
        let cube = self.world.spawn((at, transform.rotation, transform.scale, color))?;
        self.fall.join(cube, physics, &mut self.world)?;
        if self.tuning().spin > 0.0 {
            self.world.insert(cube, own_spin(self.settings().seed, cube))?;
        }
        self.stats_mut().spawned += 1;
        Ok(cube)
    }

    /// Takes a cube away.
    ///
    /// # Errors
    /// The entity is no cube of this world, or no longer lives.
    pub fn despawn_cube(&mut self, cube: Entity) -> Result<(), Error> {
        self.world.get::<Color>(cube)?;
        self.world.despawn(cube)?;
        self.fall.forget(cube);
        self.stats_mut().removed += 1;
        Ok(())
    }
}
