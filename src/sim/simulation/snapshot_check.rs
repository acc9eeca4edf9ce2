//! Checks of a restored simulation: its systems can run, and the result can be drawn.

use super::Simulation;
use crate::components::{
    Acceleration, Color, Controls, Drag, Epoch, FallMode, Gravity, Lens, Orbit, Position, Ranged,
    Rotation, Scale, Velocity,
};
use crate::ecs::{Entity, Error, Signature};
use crate::sim::bundles::Physics;
use crate::sim::camera::{ActivePath, Follow, Glide, PathProgress};
use crate::sim::clock::age;
use crate::sim::component_list::{check_range, check_ranges};
use crate::sim::spawn_stats::SpawnStats;
use crate::sim::template_id::TemplateId;
use crate::sim::template_spawner::TemplateSpawner;
use crate::sim::timeline::rewinds;

/// Largest value of a counter, far from an overflow.
const MAX_COUNTER: u64 = u64::MAX / 2;

impl Simulation {
    /// Checks that a simulation can have this state.
    pub(super) fn check(&mut self) -> Result<(), Error> {
        check_ranges(&self.world)?;
        for (cube, Physics { body, gravity }) in self.fall.resting() {
            check_range(cube, &body.velocity)?;
            check_range(cube, &body.acceleration)?;
            check_range(cube, &gravity)?;
        }
        let is_sound = self.period().is_valid()
            && Glide::of(&self.world).is_valid()
            && self.counters_are_low()
            && self.path_is_known()
            && self.templates_are_known()
            && self.camera_is_complete()
            && self.resting_cubes_are_still()
            && self.epochs_are_of_falling_cubes();
        if is_sound { Ok(()) } else { Err(Error::SnapshotMismatch) }
    }

    fn counters_are_low(&self) -> bool {
        let SpawnStats { spawned, removed } = self.spawn_stats();
        let spawner = self.world.resources().get::<TemplateSpawner>();
        let progress = spawner.map_or_else(Vec::new, TemplateSpawner::progress);
        let counters = [self.steps, spawned, removed].into_iter();
        counters.chain(progress.iter().map(|&(sampled, _)| sampled)).all(|it| it <= MAX_COUNTER)
    }

    /// A camera on a path has one.
    fn path_is_known(&self) -> bool {
        self.world.get::<&PathProgress>(self.camera).is_err()
            || self.world.resources().get::<ActivePath>().is_some()
    }

    fn templates_are_known(&self) -> bool {
        let spawner = self.world.resources().get::<TemplateSpawner>();
        let templates = spawner.map_or(0, |spawner| spawner.progress().len());
        self.world.query::<&TemplateId>().iter().all(|id| (id.0 as usize) < templates)
    }

    /// The camera has the components of its mode and rig, and no other entity has any of its own.
    fn camera_is_complete(&mut self) -> bool {
        let falls = self.mode() == FallMode::Camera;
        let Self { world, camera, .. } = self;
        let Ok(has) = world.signature(*camera) else { return false };
        let mut required = world.signature_of::<(Position, Rotation, Lens, Controls)>();
        if falls {
            required =
                required.union(world.signature_of::<(Velocity, Acceleration, Gravity, Drag)>());
        }
        let allowed = required.union(world.signature_of::<(Orbit, Follow, PathProgress)>());
        let own = world.signature_of::<(Lens, Controls, Orbit, Follow, PathProgress, Drag)>();
        let mut others = world.entities(Signature::EMPTY).filter(|other| other != camera);
        has.contains_all(required)
            && allowed.contains_all(has)
            && others.all(|other| world.signature(other).is_ok_and(|has| has.is_disjoint(own)))
    }

    /// Resting cubes are cubes without physics, each listed once, and only while the camera falls.
    fn resting_cubes_are_still(&mut self) -> bool {
        let drawn = self.world.signature_of::<(Position, Rotation, Scale, Color)>();
        let physics = self.world.signature_of::<Physics>();
        let is_still = |&cube: &Entity| {
            let signature = self.world.signature(cube);
            signature.is_ok_and(|has| has.contains_all(drawn) && has.is_disjoint(physics))
        };
        let mut cubes: Vec<_> = self.fall.resting().map(|(cube, _)| cube).collect();
        cubes.sort_unstable_by_key(|cube| cube.index());
        let once = cubes.array_windows().all(|[one, next]| one != next);
        let expected = cubes.is_empty() || self.mode() == FallMode::Camera;
        expected && once && cubes.iter().all(is_still)
    }

    /// With evaluated motion the cubes that fall have epochs, in the past unless the scene rewinds;
    /// otherwise nothing has one.
    fn epochs_are_of_falling_cubes(&mut self) -> bool {
        let epochs = self.world.query::<&Epoch>().iter().count();
        let Some(cubes) = self.cubes().evaluated() else { return epochs == 0 };
        let members = cubes.epochs.len();
        let are_past =
            rewinds(&self.world) || cubes.epochs.iter().all(|&epoch| age(cubes.now, epoch) >= 0.0);
        let falling = self.world.signature_of::<(Color, Gravity)>();
        are_past && members == epochs && self.world.entities(falling).count() == members
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{AngularVelocity, Motion, RigidBody};
    use crate::sim::clock::MotionClock;
    use crate::sim::groups::Groups;
    use crate::sim::{SceneSettings, TimeStep};

    fn simulation(mode: FallMode) -> Simulation {
        let mut simulation = Simulation::new(SceneSettings { cubes: 9, seed: 2 }, mode).unwrap();
        simulation.step(TimeStep::default()).unwrap();
        simulation
    }

    fn cube_at(simulation: &Simulation, index: usize) -> Entity {
        let drawn = Groups::of(&simulation.world).drawn;
        simulation.world.group(drawn).unwrap().entity(index).unwrap()
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
                let cube = cube_at(it, 2);
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
        let cube = |it: &Simulation| cube_at(it, 3);
        for mode in [FallMode::Cubes, FallMode::Camera] {
            assert!(refuses(mode, |it| it.world.insert(cube(it), Lens::default()).unwrap()));
            assert!(refuses(mode, |it| it.world.insert(cube(it), Follow(it.camera)).unwrap()));
        }
    }

    #[test]
    fn resting_entity_that_is_not_a_still_cube_is_refused() {
        let physics = Physics { body: RigidBody::default(), gravity: Gravity::STANDARD };
        let rest = |it: &mut Simulation, entity| it.fall.rest([(entity, physics)]);
        let cube = |it: &Simulation| cube_at(it, 3);
        assert!(refuses(FallMode::Camera, |it| rest(it, cube(it))), "twice");
        assert!(refuses(FallMode::Camera, |it| rest(it, it.camera)), "the camera");
        assert!(refuses(FallMode::Cubes, |it| rest(it, cube(it))), "falling");
        assert!(refuses(FallMode::Camera, |it| it.world.despawn(cube(it)).unwrap()), "despawned");
    }

    #[test]
    fn epochs_that_do_not_fit_the_motion_are_refused() {
        let epoch = |it: &Simulation| MotionClock::of(&it.world).epoch();
        let evaluated = |it: &mut Simulation| it.set_motion(Motion::Evaluated).unwrap();
        for mode in [FallMode::Cubes, FallMode::Camera] {
            assert!(!refuses(mode, evaluated));
            assert!(refuses(mode, |it| it.world.insert(cube_at(it, 3), epoch(it)).unwrap()));
        }
        assert!(refuses(FallMode::Cubes, |it| {
            evaluated(it);
            it.world.remove::<Epoch>(cube_at(it, 3)).unwrap();
        }));
        assert!(refuses(FallMode::Cubes, |it| {
            evaluated(it);
            *it.world.get_mut(cube_at(it, 3)).unwrap() = Epoch(u32::MAX / 4);
        }));
    }

    #[test]
    fn despawned_cube_is_no_longer_resting() {
        let mut simulation = simulation(FallMode::Camera);
        for _ in 0..5 {
            let dropped = simulation.cubes_mut().spawn_at(Position::default()).unwrap();
            let first = cube_at(&simulation, 0);
            simulation.cubes_mut().despawn(dropped).unwrap();
            simulation.cubes_mut().despawn(first).unwrap();
            assert_eq!(simulation.fall.resting().count(), simulation.cubes().count());
        }
        simulation.set_mode(FallMode::Cubes).unwrap();
        let falling = simulation.world.signature_of::<(Color, Gravity)>();
        assert_eq!(simulation.world.entities(falling).count(), 4);
    }
}
