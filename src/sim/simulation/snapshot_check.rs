//! Checks of a restored simulation: its systems can run, and the result can be drawn.

use bytemuck::NoUninit;

use super::Simulation;
use crate::components::FallMode;
use crate::components::{
    Acceleration, AngularVelocity, Color, Controls, Gravity, Lens, Orbit, Position, Rotation,
    Scale, Velocity,
};
use crate::ecs::{Component, Entity, Error, Signature, World};
use crate::sim::bundles::Physics;
use crate::sim::camera::Follow;
use crate::sim::template_id::{InitialVelocity, TemplateId};
use crate::sim::template_spawner::TemplateSpawner;

/// Largest difference of a rotation's length from 1.
const TOLERANCE: f32 = 1e-3;

impl Simulation {
    /// Returns `true` if a simulation can have this state.
    pub(super) fn is_sound(&self) -> Result<bool, Error> {
        let world = &self.world;
        let mut physics = self.fall.resting().map(|(_, physics)| physics);
        Ok(self.templates_are_known()?
            && self.camera_is_complete()?
            && self.resting_cubes_are_still()?
            && physics.all(|Physics { body, gravity }| {
                is_finite(&body.velocity) && is_finite(&body.acceleration) && is_finite(&gravity)
            })
            && all::<Position>(world, is_finite)?
            && all::<Scale>(world, is_finite)?
            && all::<Velocity>(world, is_finite)?
            && all::<Acceleration>(world, is_finite)?
            && all::<Gravity>(world, is_finite)?
            && all::<Lens>(world, is_finite)?
            && all::<Controls>(world, is_finite)?
            && all::<AngularVelocity>(world, is_finite)?
            && all::<Orbit>(world, is_finite)?
            && all::<InitialVelocity>(world, |initial| is_finite(&initial.0))?
            && all::<Rotation>(world, |turn| (turn.0.length() - 1.0).abs() <= TOLERANCE)?)
    }

    fn templates_are_known(&self) -> Result<bool, Error> {
        let spawner = self.world.resources().get::<TemplateSpawner>();
        let templates = spawner.map_or(0, |spawner| spawner.progress().len());
        all::<TemplateId>(&self.world, |id| (id.0 as usize) < templates)
    }

    /// The camera has the components of its mode and rig, and no other entity has any of its own.
    fn camera_is_complete(&self) -> Result<bool, Error> {
        let Self { world, camera, .. } = self;
        let Ok(has) = world.signature(*camera) else { return Ok(false) };
        let mut required = world.signature_of::<(Position, Rotation, Lens, Controls)>()?;
        if self.mode() == FallMode::Camera {
            required = required.union(world.signature_of::<Physics>()?);
        }
        let allowed = required.union(world.signature_of::<(Orbit, Follow)>()?);
        let own = world.signature_of::<(Lens, Controls, Orbit, Follow)>()?;
        let mut others = world.entities(Signature::EMPTY).filter(|other| other != camera);
        Ok(has.contains_all(required)
            && allowed.contains_all(has)
            && others.all(|other| world.signature(other).is_ok_and(|has| has.is_disjoint(own))))
    }

    /// Resting cubes are cubes without physics, each listed once, and only while the camera falls.
    fn resting_cubes_are_still(&self) -> Result<bool, Error> {
        let drawn = self.world.signature_of::<(Position, Rotation, Scale, Color)>()?;
        let physics = self.world.signature_of::<Physics>()?;
        let is_still = |&cube: &Entity| {
            let signature = self.world.signature(cube);
            signature.is_ok_and(|has| has.contains_all(drawn) && has.is_disjoint(physics))
        };
        let mut cubes: Vec<_> = self.fall.resting().map(|(cube, _)| cube).collect();
        cubes.sort_unstable_by_key(|cube| cube.index());
        let once = cubes.windows(2).all(|pair| pair[0] != pair[1]);
        let expected = cubes.is_empty() || self.mode() == FallMode::Camera;
        Ok(expected && once && cubes.iter().all(is_still))
    }
}

/// Returns `true` if every component of a type is valid.
fn all<T: Component>(world: &World, is_valid: impl Fn(&T) -> bool) -> Result<bool, Error> {
    Ok(world.query::<(&T,)>()?.iter().all(|(_, (value,))| is_valid(value)))
}

/// Returns `true` if every number of a component made of `f32` is finite.
fn is_finite<T: NoUninit>(value: &T) -> bool {
    let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(value));
    numbers.iter().all(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::RigidBody;
    use crate::sim::{SceneSettings, TimeStep};

    fn simulation(mode: FallMode) -> Simulation {
        let mut simulation = Simulation::new(SceneSettings { cubes: 9, seed: 2 }, mode).unwrap();
        simulation.step(TimeStep::default()).unwrap();
        simulation
    }

    /// Returns `true` if the snapshot of a simulation with this change is refused.
    fn refuses(mode: FallMode, change: impl FnOnce(&mut Simulation)) -> bool {
        let mut simulation = simulation(mode);
        change(&mut simulation);
        Simulation::from_snapshot(simulation.snapshot()).is_err()
    }

    #[test]
    fn camera_with_components_of_cubes_is_refused() {
        for mode in [FallMode::Cubes, FallMode::Camera] {
            assert!(!refuses(mode, |_| {}));
            assert!(!refuses(mode, |it| {
                let cube = it.world.group(it.groups.drawn).unwrap().entity(2).unwrap();
                it.camera_mut().follow(cube).unwrap();
            }));
            assert!(refuses(mode, |it| it.world.insert(it.camera, Color::srgb(1, 2, 3)).unwrap()));
            assert!(refuses(mode, |it| it.world.insert(it.camera, Scale(1.0)).unwrap()));
            assert!(refuses(mode, |it| {
                it.world.insert(it.camera, AngularVelocity::default()).unwrap();
            }));
            assert!(refuses(mode, |it| it.world.insert(it.camera, TemplateId(0)).unwrap()));
        }
    }

    #[test]
    fn cube_with_components_of_the_camera_is_refused() {
        let cube = |it: &Simulation| it.world.group(it.groups.drawn).unwrap().entity(3).unwrap();
        for mode in [FallMode::Cubes, FallMode::Camera] {
            assert!(refuses(mode, |it| it.world.insert(cube(it), Lens::default()).unwrap()));
            assert!(refuses(mode, |it| it.world.insert(cube(it), Follow(it.camera)).unwrap()));
        }
    }

    #[test]
    fn resting_entity_that_is_not_a_still_cube_is_refused() {
        let physics = Physics { body: RigidBody::default(), gravity: Gravity::STANDARD };
        let rest = |it: &mut Simulation, entity| it.fall.rest([(entity, physics)]);
        let cube = |it: &Simulation| it.world.group(it.groups.drawn).unwrap().entity(3).unwrap();
        assert!(refuses(FallMode::Camera, |it| rest(it, cube(it))), "twice");
        assert!(refuses(FallMode::Camera, |it| rest(it, it.camera)), "the camera");
        assert!(refuses(FallMode::Cubes, |it| rest(it, cube(it))), "falling");
        assert!(refuses(FallMode::Camera, |it| it.world.despawn(cube(it)).unwrap()), "despawned");
    }

    #[test]
    fn despawned_cube_is_no_longer_resting() {
        let mut simulation = simulation(FallMode::Camera);
        for _ in 0..5 {
            let dropped = simulation.cubes_mut().spawn_at(Position::default()).unwrap();
            let first = simulation.world.group(simulation.groups.drawn).unwrap().entity(0).unwrap();
            simulation.cubes_mut().despawn(dropped).unwrap();
            simulation.cubes_mut().despawn(first).unwrap();
            assert_eq!(simulation.fall.resting().count(), simulation.cubes().count());
        }
        simulation.set_mode(FallMode::Cubes).unwrap();
        let falling = simulation.world.signature_of::<(Color, Gravity)>().unwrap();
        assert_eq!(simulation.world.entities(falling).count(), 4);
    }
}
