//! Snapshot check: whether what was restored can go on.

use bytemuck::{NoUninit, Pod};

use super::{FallMode, Simulation};
use crate::components::{
    Acceleration, AngularVelocity, Color, Controls, Gravity, Lens, Orbit, Position, RigidBody,
    Rotation, Scale, Velocity,
};
use crate::ecs::{Component, Entity, Error, Signature, World};
use crate::sim::bundles::Physics;
use crate::sim::camera::Follow;
use crate::sim::kinds::Kinds;
use crate::sim::template_id::{InitialVelocity, TemplateId};

/// Farthest that the length of a rotation may be from 1.
const TOLERANCE: f32 = 1e-3;

impl Simulation {
    /// Whether every entity is of a template that there is.
    fn origins_are_known(&self) -> Result<bool, Error> {
        let kinds =
            self.world.resources().get::<Kinds>().map_or(0, |kinds| kinds.positions().len());
        let origins = self.world.query::<(&TemplateId,)>()?;
        Ok(origins.iter().all(|(_, (origin,))| (origin.0 as usize) < kinds))
    }

    /// Whether the camera, and nobody else, has what a camera has, and nothing more.
    fn has_its_camera(&self) -> Result<bool, Error> {
        let Self { world, camera, .. } = self;
        if !world.contains(*camera) {
            return Ok(false);
        }
        let steered = world.signature_of::<(Position, Rotation, Lens, Controls)>()?;
        let held = world.signature_of::<(Orbit, Follow)>()?;
        let physics = match self.mode() {
            FallMode::Cubes => Signature::EMPTY,
            FallMode::Camera => world.signature_of::<Physics>()?,
        };
        let own = world.signature_of::<(Lens, Controls, Orbit, Follow)>()?;
        let has = world.signature(*camera)?;
        let mut others = world.entities(Signature::EMPTY).filter(|other| other != camera);
        Ok(has.contains_all(steered.union(physics))
            && steered.union(physics).union(held).contains_all(has)
            && others.all(|other| world.signature(other).is_ok_and(|has| has.is_disjoint(own))))
    }

    /// Whether those who hang still are cubes without physics, each named once, while the camera
    /// falls.
    fn can_fall_again(&self) -> Result<bool, Error> {
        let Self { world, .. } = self;
        let drawn = world.signature_of::<(Position, Rotation, Scale, Color)>()?;
        let physics = world.signature_of::<Physics>()?;
        let still = |cube: Entity| {
            world.contains(cube)
                && world
                    .signature(cube)
                    .is_ok_and(|has| has.contains_all(drawn) && has.is_disjoint(physics))
        };
        let mut cubes: Vec<_> = self.fall.resting().map(|(cube, _)| cube).collect();
        let live = cubes.iter().all(|&cube| still(cube));
        cubes.sort_unstable_by_key(|cube| cube.index());
        let once = cubes.windows(2).all(|pair| pair[0] != pair[1]);
        Ok(live && once && (cubes.is_empty() || self.mode() == FallMode::Camera))
    }

    /// Whether systems can run over what was restored, and what they make of it can be drawn.
    pub(super) fn could_have_run(&self) -> Result<bool, Error> {
        let world = &self.world;
        let resting = self.fall.resting();
        let bodies = resting.map(|(_, physics)| (physics.body, physics.gravity));
        let rests = |(body, gravity): (RigidBody, Gravity)| {
            is_finite(&body.velocity) && is_finite(&body.acceleration) && is_finite(&gravity)
        };
        Ok(self.origins_are_known()?
            && self.has_its_camera()?
            && self.can_fall_again()?
            && bodies.into_iter().all(rests)
            && are_finite::<Position>(world)?
            && are_finite::<Scale>(world)?
            && are_finite::<Velocity>(world)?
            && are_finite::<Acceleration>(world)?
            && are_finite::<Gravity>(world)?
            && are_finite::<Lens>(world)?
            && are_finite::<Controls>(world)?
            && are_finite::<AngularVelocity>(world)?
            && are_finite::<Orbit>(world)?
            && world
                .query::<(&InitialVelocity,)>()?
                .iter()
                .all(|(_, (launch,))| is_finite(&launch.0))
            && world
                .query::<(&Rotation,)>()?
                .iter()
                .all(|(_, (rotation,))| (rotation.0.length() - 1.0).abs() <= TOLERANCE))
    }
}

/// Whether every number of a component that is made of `f32` is finite, in everyone who has it.
fn are_finite<T: Component + Pod>(world: &World) -> Result<bool, Error> {
    Ok(world.query::<(&T,)>()?.iter().all(|(_, (value,))| is_finite(value)))
}

fn is_finite<T: NoUninit>(value: &T) -> bool {
    let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(value));
    numbers.iter().all(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{SceneSettings, TimeStep};

    fn simulation(mode: FallMode) -> Simulation {
        let mut simulation = Simulation::new(SceneSettings { cubes: 9, seed: 2 }, mode).unwrap();
        simulation.step(TimeStep::default()).unwrap();
        simulation
    }

    /// Whether a simulation is refused after this was done to it.
    fn refuses(mode: FallMode, wrong: impl FnOnce(&mut Simulation)) -> bool {
        let mut simulation = simulation(mode);
        wrong(&mut simulation);
        Simulation::from_snapshot(simulation.snapshot()).is_err()
    }

    #[test]
    fn a_camera_with_what_only_cubes_have_is_refused() {
        for mode in [FallMode::Cubes, FallMode::Camera] {
            assert!(!refuses(mode, |_| {}));
            assert!(!refuses(mode, |it| it
                .follow(it.world.group(it.drawn).unwrap().entity(2).unwrap())
                .unwrap()));
            assert!(refuses(mode, |it| it.world.insert(it.camera, Color::srgb(1, 2, 3)).unwrap()));
            assert!(refuses(mode, |it| it.world.insert(it.camera, Scale(1.0)).unwrap()));
            assert!(refuses(mode, |it| {
                it.world.insert(it.camera, AngularVelocity::default()).unwrap();
            }));
            assert!(refuses(mode, |it| it.world.insert(it.camera, TemplateId(0)).unwrap()));
        }
    }

    #[test]
    fn a_cube_with_what_only_the_camera_has_is_refused() {
        let cube = |it: &Simulation| it.world.group(it.drawn).unwrap().entity(3).unwrap();
        for mode in [FallMode::Cubes, FallMode::Camera] {
            assert!(refuses(mode, |it| it.world.insert(cube(it), Lens::default()).unwrap()));
            assert!(refuses(mode, |it| it.world.insert(cube(it), Follow(it.camera)).unwrap()));
        }
    }

    #[test]
    fn who_rests_twice_or_is_no_cube_that_hangs_still_is_refused() {
        let physics = Physics { body: RigidBody::default(), gravity: Gravity::STANDARD };
        let rest = |it: &mut Simulation, who| it.fall.rest(std::iter::once((who, physics)));
        let cube = |it: &Simulation| it.world.group(it.drawn).unwrap().entity(3).unwrap();
        assert!(refuses(FallMode::Camera, |it| rest(it, cube(it))), "twice");
        assert!(refuses(FallMode::Camera, |it| rest(it, it.camera)), "the camera");
        assert!(refuses(FallMode::Cubes, |it| rest(it, cube(it))), "falls already");
        assert!(refuses(FallMode::Camera, |it| it.world.despawn(cube(it)).unwrap()), "dead");
    }

    #[test]
    fn who_is_despawned_while_it_hangs_still_rests_no_longer() {
        let mut simulation = simulation(FallMode::Camera);
        for _ in 0..5 {
            let dropped = simulation.drop_cube(Position::default()).unwrap();
            let first = simulation.world.group(simulation.drawn).unwrap().entity(0).unwrap();
            simulation.despawn_cube(dropped).unwrap();
            simulation.despawn_cube(first).unwrap();
            assert_eq!(simulation.fall.resting().count(), simulation.cubes());
        }
        simulation.set_mode(FallMode::Cubes).unwrap();
        let falling = simulation.world.signature_of::<(Color, Gravity)>().unwrap();
        assert_eq!(simulation.world.entities(falling).count(), 4);
    }
}
