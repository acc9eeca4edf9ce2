//! Evaluated motion: the same paths and lives as with integrated motion.

use std::sync::Arc;

use cubefall::components::{
    Acceleration, AngularVelocity, Epoch, FallMode, Gravity, Motion, Position, Rotation, Transform,
    Velocity,
};
use cubefall::ecs::{Entity, SystemId};
use cubefall::scenes::{Scene, bundled};
use cubefall::sim::{Ray, SceneSettings, SceneSource, Simulation, TimeStep, Tuning};
use glam::{DVec3, Vec3};

use super::{by_bits, eye, load, of_cubes, run, saved, simulation, transforms};

/// Length of a tick of the clock, in s: an age is wrong by up to one tick.
const TICK: f32 = 1.0 / 65_536.0;

fn evaluated(cubes: u32, mode: FallMode) -> Simulation {
    let mut simulation = simulation(cubes, mode);
    simulation.set_motion(Motion::Evaluated).unwrap();
    simulation
}

/// Largest distance between the cubes now and `before`, and the largest angle between their axes. Both have
/// the same cubes.
fn moved(simulation: &Simulation, before: &[(Entity, Transform)]) -> [f32; 2] {
    let mut largest = [0.0_f32; 2];
    for (cube, was) in before {
        let is = simulation.cubes().get(*cube).expect("no cube is lost");
        let turned = [Vec3::X, Vec3::Y, Vec3::Z]
            .map(|axis| (is.rotation.0 * axis - was.rotation.0 * axis).length());
        largest[0] = largest[0].max(is.position.0.distance(was.position.0));
        largest[1] = turned.into_iter().fold(largest[1], f32::max);
    }
    largest
}

#[test]
fn paths_are_those_of_integrated_motion_and_of_the_closed_form() {
    let mut integrated = simulation(400, FallMode::Cubes);
    let start = (by_bits::<Position>(&integrated), by_bits::<Velocity>(&integrated));
    let (a, g) = (by_bits::<Acceleration>(&integrated), by_bits::<Gravity>(&integrated));
    let mut evaluated = evaluated(400, FallMode::Cubes);
    let mut compared = 0;
    for second in 1..=10_u8 {
        run(&mut integrated, 60);
        run(&mut evaluated, 60);
        let t = f64::from(second) * 60.0 * f64::from(TimeStep::default().seconds());
        for (cube, transform) in transforms(&integrated) {
            let own = Entity::from_bits(cube.to_bits(), evaluated.world().id()).unwrap();
            let other = evaluated.cubes().get(own).unwrap();
            let speed = integrated.cubes().velocity(cube).unwrap().0.length();
            // The sum of 600 roundings, and one tick at this speed.
            let tolerance = 600.0 * 2_f32.powi(-18) + speed * TICK;
            let apart = other.position.0.distance(transform.position.0);
            assert!(apart <= tolerance, "{second} s, {cube}: {apart}");
            let turned = (other.rotation.0 * Vec3::X - transform.rotation.0 * Vec3::X).length();
            assert!(turned <= 1e-3, "{second} s, {cube}: {turned}");
            let bits = cube.to_bits();
            // One of the start, which has not landed yet.
            if let Some(Position(from)) = start.0.get(&bits).filter(|_| cube.generation() == 1) {
                let force = (a[&bits].0 + g[&bits].0).as_dvec3();
                let from: DVec3 = from.as_dvec3() + start.1[&bits].0.as_dvec3() * t;
                let expected = from + force * (0.5 * t * t);
                let apart = (other.position.0.as_dvec3() - expected).length();
                let tolerance = 2_f32.powi(-16) + speed * TICK;
                assert!(apart <= f64::from(tolerance), "{second} s, {cube}: {apart}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn spawned_and_removed_are_those_of_integrated_motion() {
    let scenes = ["classic", "rain", "tower", "sphere", "galaxy", "fountain", "sunset", "switch"];
    let mut spawned = 0;
    for file in bundled().iter().filter(|file| scenes.contains(&file.name)) {
        let scene = Arc::new(file.scene().unwrap());
        let mut runs = Motion::ALL.map(|motion| {
            let mut simulation = Simulation::new(&scene, scene.mode).unwrap();
            simulation.set_motion(motion).unwrap();
            run(&mut simulation, 3600);
            simulation
        });
        let [integrated, evaluated] = runs.each_mut().map(|run| run.spawn_stats());
        let difference = integrated.spawned.abs_diff(evaluated.spawned);
        assert!(difference * 1000 <= integrated.spawned, "{}: {integrated:?}", file.name);
        assert_eq!(evaluated.spawned, evaluated.removed);
        assert_eq!(runs[0].cubes().count(), runs[1].cubes().count());
        spawned += integrated.spawned;
    }
    assert!(spawned > 10_000, "{spawned}");
}

#[test]
fn neighbors_of_a_large_scene_fall_and_respawn_together() {
    // Cohorts of four, which respawn more than 1.5 times in the mean.
    for motion in Motion::ALL {
        let mut simulation = simulation(40_000, FallMode::Cubes);
        simulation.set_motion(motion).unwrap();
        run(&mut simulation, 700);
        simulation = load(&saved(&simulation)).unwrap();
        run(&mut simulation, 700);
        let height = |cube: &Entity| simulation.cubes().get(*cube).unwrap().position.0.y.to_bits();
        let mut cubes: Vec<_> = transforms(&simulation).into_keys().collect();
        cubes.sort_unstable_by_key(|cube| cube.index());
        let mut generations = 0;
        for cohort in cubes.chunks(4) {
            let fall = |cube: &Entity| (cube.generation(), height(cube));
            assert!(cohort.iter().all(|cube| fall(cube) == fall(&cohort[0])), "{motion:?}");
            generations += u64::from(cohort[0].generation());
        }
        assert_eq!((generations - 10_000) * 4, simulation.spawn_stats().spawned);
        assert!(generations > 25_000, "{motion:?}: {generations}");
    }
}

#[test]
fn slow_falls_of_cohorts_continue_to_the_bit() {
    // Many new cubes fall for longer than values are kept, and are restated at different times.
    let mut whole = evaluated(20_000, FallMode::Cubes);
    whole.set_tuning(Tuning { gravity: 0.03, ..whole.tuning() }).unwrap();
    run(&mut whole, 6000);
    let spawned = whole.spawn_stats().spawned;
    let mut loaded = load(&saved(&whole)).unwrap();
    for _ in 0..5 {
        run(&mut whole, 1200);
        run(&mut loaded, 1200);
        assert_eq!(loaded.state_hash(), whole.state_hash());
    }
    assert!(whole.spawn_stats().spawned > spawned + 5000);
}

#[test]
fn no_cube_jumps_at_a_switch() {
    let mut simulation = evaluated(300, FallMode::Cubes);
    run(&mut simulation, 200);
    let changes: [&dyn Fn(&mut Simulation); 9] = [
        &|it| it.set_motion(Motion::Integrated).unwrap(),
        &|it| it.set_motion(Motion::Evaluated).unwrap(),
        &|it| it.set_tuning(Tuning { gravity: 2.5, time: 0.7, spin: 3.0 }).unwrap(),
        &|it| it.set_mode(FallMode::Camera).unwrap(),
        &|it| it.set_motion(Motion::Integrated).unwrap(),
        &|it| it.set_motion(Motion::Evaluated).unwrap(),
        &|it| it.set_mode(FallMode::Cubes).unwrap(),
        &|it| it.set_tuning(Tuning { gravity: 0.5, time: 1.0, spin: 0.0 }).unwrap(),
        &|it| it.set_tuning(Tuning::default()).unwrap(),
    ];
    for (number, change) in changes.iter().enumerate() {
        run(&mut simulation, 50);
        let before: Vec<_> = transforms(&simulation).into_iter().collect();
        change(&mut simulation);
        let [way, turned] = moved(&simulation, &before);
        assert!(way < 1e-3 && turned < 1e-4, "change {number}: {way} m, {turned}");
        assert_eq!(transforms(&simulation).len(), 300);
    }
}

#[test]
fn values_are_restated_before_their_age_loses_digits() {
    let mut simulation = evaluated(300, FallMode::Cubes);
    simulation.set_tuning(Tuning { gravity: 0.0, ..Tuning::default() }).unwrap();
    let start: Vec<_> = transforms(&simulation).into_iter().collect();
    let mut restated = 0;
    for _ in 0..300 * 4 {
        let before = simulation.cubes().evaluated().unwrap().epochs.to_vec();
        simulation.step(TimeStep::fixed(0.25).unwrap()).unwrap();
        let evaluated = simulation.cubes().evaluated().unwrap();
        let age = |epoch: &Epoch| evaluated.now.wrapping_sub(epoch.0);
        assert!(evaluated.epochs.iter().all(|epoch| age(epoch) < 1 << 23));
        let changed = evaluated.epochs.iter().zip(&before).filter(|(new, old)| new != old).count();
        assert!(changed < 30, "they are not restated at once");
        restated += changed;
    }
    assert!((600..1500).contains(&restated), "{restated}");
    assert_eq!(moved(&simulation, &start)[0], 0.0, "without gravity they stay in place");
}

#[test]
fn a_scene_that_rewinds_brings_every_cube_back() {
    let json = r##"{"version": 1, "name": "rewinding", "templates": {"dust": {"count": 90, "gravity": 9.0,
        "position": {"sphere": {"center": [0, -60, 0], "radius": 40}}, "color": "#ffffff"}},
        "timeline": {"rewind_after": 6}, "tuning": {"spin": 1}}"##;
    let scene = Arc::new(Scene::parse("rewinding", json.as_bytes()).unwrap());
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    simulation.set_motion(Motion::Evaluated).unwrap();
    let start: Vec<_> = transforms(&simulation).into_iter().collect();
    run(&mut simulation, 360);
    let [way, turned] = moved(&simulation, &start);
    assert!((160.0..164.0).contains(&way) && turned > 1.0, "{way} {turned}");
    run(&mut simulation, 360);
    let [way, turned] = moved(&simulation, &start);
    assert!(way < 1e-2 && turned < 1e-3, "{way} {turned}");
    assert_eq!(simulation.spawn_stats().spawned, 0);
}

#[test]
fn a_scene_that_rewinds_comes_back_from_beyond_the_range_of_positions() {
    let json = r##"{"version": 1, "name": "far", "templates": {"dust": {"count": 9, "gravity": 9.0,
        "position": {"sphere": {"center": [0, 0, 0], "radius": 40}}, "color": "#ffffff"}},
        "timeline": {"rewind_after": 600}}"##;
    let scene = Arc::new(Scene::parse("far", json.as_bytes()).unwrap());
    for motion in Motion::ALL {
        let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
        simulation.set_motion(motion).unwrap();
        let start: Vec<_> = transforms(&simulation).into_iter().collect();
        let mut farthest = 0.0_f32;
        for _ in 0..4800 {
            simulation.step(TimeStep::fixed(0.25).unwrap()).unwrap();
            farthest = farthest.max(moved(&simulation, &start)[0]);
        }
        // At 1.6 million meters f32 rounds to an eighth of a meter, in each step of integrated motion.
        let [way, _] = moved(&simulation, &start);
        assert!(farthest > 1.5e6 && way < 1000.0, "{motion}: {way} m, from {farthest} m");
    }
}

#[test]
fn steps_touch_only_cubes_that_respawn() {
    let mut simulation = evaluated(5000, FallMode::Cubes);
    run(&mut simulation, 120);
    let before = of_cubes::<Position>(&simulation);
    let everywhere = simulation.cubes().changes::<Position>().everywhere();
    let respawned = simulation.spawn_stats().spawned;
    run(&mut simulation, 60);
    let respawned = simulation.spawn_stats().spawned - respawned;
    let after = of_cubes::<Position>(&simulation);
    let kept = after.iter().filter(|(cube, at)| before.get(cube) == Some(at)).count();
    assert_eq!(kept as u64, 5000 - respawned);
    assert!(respawned > 0);
    assert_eq!(simulation.cubes().changes::<Position>().everywhere(), everywhere);
}

#[test]
fn what_reads_a_position_gets_the_current_one() {
    let mut simulation = evaluated(0, FallMode::Cubes);
    let start = Position(Vec3::new(3.0, 60.0, -20.0));
    let cube = simulation.cubes_mut().spawn_at(start).unwrap();
    run(&mut simulation, 90);
    let at = simulation.cubes().get(cube).unwrap().position.0;
    assert!(at.y < 59.0);
    let from = Vec3::new(3.0, at.y, 30.0);
    let hit = simulation.cubes().pick(&Ray::new(from, Vec3::NEG_Z).unwrap()).unwrap();
    assert_eq!(hit.entity, cube);
    let miss = Ray::new(from.with_y(60.0), Vec3::NEG_Z).unwrap();
    assert!(simulation.cubes().pick(&miss).is_none() || at.y > 58.0);
    simulation.camera_mut().follow(cube).unwrap();
    run(&mut simulation, 30);
    let at = simulation.cubes().get(cube).unwrap().position.0;
    assert_eq!(simulation.camera().target().unwrap(), at);
    assert!((eye(&simulation) - at).length() < 200.0);
    let saved = simulation.to_scene().unwrap();
    let copy = Simulation::new(saved, FallMode::Cubes).unwrap();
    assert_eq!(copy.cubes().slice::<Position>(), [Position(at)]);
}

#[test]
fn a_saved_simulation_continues_to_the_bit() {
    let scenes = ["galaxy", "tower", "switch"];
    let mut sources: Vec<SceneSource> =
        vec![SceneSettings { cubes: 900, seed: 4 }.into(), SceneSettings::default().into()];
    for file in bundled().iter().filter(|file| scenes.contains(&file.name)) {
        sources.push((&Arc::new(file.scene().unwrap())).into());
    }
    for source in sources {
        let mut whole = Simulation::new(source.clone(), source.mode()).unwrap();
        whole.set_motion(Motion::Evaluated).unwrap();
        run(&mut whole, 333);
        whole.set_tuning(Tuning { spin: 2.0, ..whole.tuning() }).unwrap();
        // Scenes that rewind have come back to before the change by then, so epochs are in the future.
        run(&mut whole, 267);
        let mut loaded = load(&saved(&whole)).unwrap();
        assert_eq!(loaded.motion(), Motion::Evaluated);
        for _ in 0..5 {
            assert_eq!(loaded.state_hash(), whole.state_hash());
            run(&mut loaded, 60);
            run(&mut whole, 60);
        }
        assert_eq!(loaded.spawn_stats(), whole.spawn_stats());
    }
}

#[test]
fn a_scene_keeps_its_motion() {
    let mut simulation = evaluated(30, FallMode::Cubes);
    let scene = Arc::new(simulation.to_scene().unwrap());
    assert_eq!(scene.motion, Motion::Evaluated);
    let mut copy = Simulation::new(&scene, FallMode::Cubes).unwrap();
    assert_eq!(copy.motion(), Motion::Evaluated);
    // A reset keeps the motion, unless the scenes start with different ones.
    simulation.reset(SceneSettings { cubes: 9, seed: 2 }, FallMode::Camera).unwrap();
    assert_eq!(simulation.motion(), Motion::Evaluated);
    copy.reset(SceneSettings { cubes: 9, seed: 2 }, FallMode::Cubes).unwrap();
    assert_eq!(copy.motion(), Motion::Integrated);
}

#[test]
fn integrated_motion_has_no_epochs() {
    let mut simulation = evaluated(20, FallMode::Cubes);
    assert_eq!(simulation.cubes().evaluated().unwrap().epochs.len(), 20);
    assert_eq!(simulation.cubes().evaluated().unwrap().angular_velocities.len(), 20);
    simulation.set_mode(FallMode::Camera).unwrap();
    assert_eq!(of_cubes::<Epoch>(&simulation).len(), 0);
    assert_eq!(simulation.cubes().evaluated().unwrap().epochs.len(), 0);
    simulation.set_mode(FallMode::Cubes).unwrap();
    assert_eq!(of_cubes::<Epoch>(&simulation).len(), 20);
    simulation.set_motion(Motion::Integrated).unwrap();
    assert_eq!(of_cubes::<Epoch>(&simulation).len(), 0);
    assert!(simulation.cubes().evaluated().is_none());
}

/// A small generator of test cases.
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % count
    }
}

#[test]
fn random_sequences_lose_no_cube() {
    for seed in 0..12 {
        let mut choose = Choices(seed);
        let mut simulation =
            Simulation::new(SceneSettings { cubes: 150, seed }, FallMode::Cubes).unwrap();
        let mut count = 150;
        for operation in 0..150 {
            let cubes: Vec<_> = transforms(&simulation).into_keys().collect();
            match choose.below(9) {
                0 => {
                    let factor = |of: u64| of as f32 * 0.5;
                    let (gravity, time) = (factor(choose.below(9)), factor(choose.below(5)));
                    let spin = factor(choose.below(3));
                    simulation.set_tuning(Tuning { gravity, time, spin }).unwrap();
                }
                1 => simulation.set_mode(simulation.mode().flipped()).unwrap(),
                2 => {
                    let motion = Motion::ALL[choose.below(2) as usize];
                    simulation.set_motion(motion).unwrap();
                }
                3 => {
                    let at = Position(Vec3::new(choose.below(90) as f32, 20.0, 5.0));
                    simulation.cubes_mut().spawn_at(at).unwrap();
                    count += 1;
                }
                4 if !cubes.is_empty() => {
                    let cube = cubes[choose.below(cubes.len() as u64) as usize];
                    simulation.cubes_mut().despawn(cube).unwrap();
                    count -= 1;
                }
                5 => {
                    count = choose.below(300) as usize;
                    simulation.cubes_mut().set_count(count as u32).unwrap();
                }
                _ => run(&mut simulation, choose.below(200) as usize),
            }
            check(&simulation, count, &format!("seed {seed}, operation {operation}"));
        }
    }
}

/// Checks that there are `count` different cubes, that none is far below the ground, and that components and
/// motion agree.
fn check(simulation: &Simulation, count: usize, when: &str) {
    let cubes = transforms(simulation);
    assert_eq!((cubes.len(), simulation.cubes().count()), (count, count), "{when}");
    let lowest = cubes.values().map(|it| it.position.0.y + 0.867 * it.scale.0);
    // A step of at most 1/30 s at a speed of up to 150 m/s.
    assert!(lowest.fold(0.0, f32::min) > -105.0, "{when}");
    let falling = of_cubes::<Gravity>(simulation).len();
    let expected = if simulation.mode() == FallMode::Cubes { count } else { 0 };
    assert_eq!(falling, expected, "{when}");
    if let Some(evaluated) = simulation.cubes().evaluated() {
        assert_eq!(evaluated.epochs.len(), expected, "{when}");
        assert_eq!(evaluated.velocities.len(), expected, "{when}");
        let spins = of_cubes::<AngularVelocity>(simulation).len();
        let spinning = if expected == 0 { 0 } else { spins };
        assert_eq!(evaluated.angular_velocities.len(), spinning, "{when}");
        // Positions of slices and epochs are those of the same cube.
        let slice = simulation.cubes().slice::<Position>();
        let turned = simulation.cubes().slice::<Rotation>();
        for (index, (at, rotation)) in slice.iter().zip(turned).enumerate().step_by(7) {
            let at = evaluated.position(index, *at);
            let rotation = evaluated.rotation(index, *rotation);
            assert!(cubes.values().any(|it| it.position == at && it.rotation == rotation));
        }
    }
}

fn system(simulation: &Simulation, name: &str) -> SystemId {
    let mut systems = simulation.world().schedule().systems();
    systems.find(|system| system.name == name).map(|system| system.id).unwrap()
}

#[test]
fn cubes_that_fell_for_hours_with_lifecycle_disabled_respawn_at_once() {
    let mut simulation = evaluated(10, FallMode::Cubes);
    simulation.set_tuning(Tuning { time: 8.0, ..simulation.tuning() }).unwrap();
    let lifecycle = system(&simulation, "lifecycle");
    simulation.set_system_enabled(lifecycle, false).unwrap();
    // 9.4 h: more than half of the 32 bits of a tick.
    let step = TimeStep::fixed(0.25).unwrap();
    for _ in 0..17_000 {
        simulation.step(step).unwrap();
    }
    assert_eq!(simulation.spawn_stats().spawned, 0);
    simulation.set_system_enabled(lifecycle, true).unwrap();
    simulation.step(step).unwrap();
    assert_eq!(simulation.spawn_stats().spawned, 10);
}

#[test]
fn physics_enabled_during_a_pause_moves_cubes_that_do_not_spin_until_its_end() {
    for motion in [Motion::Integrated, Motion::Evaluated] {
        let mut simulation = evaluated(300, FallMode::Cubes);
        simulation.set_motion(motion).unwrap();
        run(&mut simulation, 30);
        simulation.set_paused(true);
        let start: Vec<_> = transforms(&simulation).into_iter().collect();
        let physics = system(&simulation, "physics");
        simulation.set_system_enabled(physics, true).unwrap();
        run(&mut simulation, 12);
        let [way, turned] = moved(&simulation, &start);
        assert!(way > 1.0 && turned < 1e-5, "{motion:?}: {way} {turned}");
        simulation.set_paused(false);
        let start: Vec<_> = transforms(&simulation).into_iter().collect();
        simulation.step(TimeStep::fixed(0.1).unwrap()).unwrap();
        let living = start.into_iter().filter(|(cube, _)| simulation.cubes().get(*cube).is_some());
        assert!(moved(&simulation, &living.collect::<Vec<_>>())[1] > 0.01, "{motion:?}");
    }
}

#[test]
fn a_scene_that_rewinds_rests_during_a_pause_whatever_system_is_enabled() {
    let json = r##"{"version": 1, "name": "rewinding", "templates": {"dust": {"count": 9, "gravity": 9.0,
        "position": {"sphere": {"radius": 40}}, "color": "#ffffff"}}, "timeline": {"rewind_after": 6}}"##;
    let scene = Arc::new(Scene::parse("rewinding", json.as_bytes()).unwrap());
    for motion in [Motion::Integrated, Motion::Evaluated] {
        let mut simulation =
            Simulation::with_overrides(&scene, FallMode::Cubes, Some(motion), None).unwrap();
        let start: Vec<_> = transforms(&simulation).into_iter().collect();
        run(&mut simulation, 100);
        let physics = system(&simulation, "physics");
        simulation.set_system_enabled(physics, false).unwrap();
        run(&mut simulation, 300);
        simulation.set_system_enabled(physics, true).unwrap();
        simulation.set_paused(true);
        simulation.set_system_enabled(physics, true).unwrap();
        run(&mut simulation, 50);
        simulation.set_paused(false);
        run(&mut simulation, 620);
        let [way, _] = moved(&simulation, &start);
        assert!(way < 1e-2, "{motion:?}: {way}");
    }
}

#[test]
fn a_disabled_spin_stops_turning_and_continues_from_there() {
    for motion in [Motion::Integrated, Motion::Evaluated] {
        let mut simulation = evaluated(300, FallMode::Cubes);
        simulation.set_motion(motion).unwrap();
        run(&mut simulation, 30);
        let spin = system(&simulation, "spin");
        simulation.set_system_enabled(spin, false).unwrap();
        let start = transforms(&simulation);
        let since_start = |simulation: &Simulation| {
            let living = |(cube, _): &(Entity, Transform)| simulation.cubes().get(*cube).is_some();
            let start = start.iter().map(|(&cube, &transform)| (cube, transform));
            let living: Vec<_> = start.filter(living).collect();
            assert!(living.len() > 200);
            moved(simulation, &living)
        };
        run(&mut simulation, 30);
        let [way, turned] = since_start(&simulation);
        assert!(way > 1.0 && turned < 1e-5, "{motion:?}: {way} {turned}");
        let loaded = load(&saved(&simulation)).unwrap();
        for (cube, was) in transforms(&simulation) {
            let own = Entity::from_bits(cube.to_bits(), loaded.world().id()).unwrap();
            let is = loaded.cubes().get(own).unwrap();
            let apart = is.position.0.distance(was.position.0);
            let turned = (is.rotation.0 * Vec3::X - was.rotation.0 * Vec3::X).length();
            assert!(apart < 1e-4 && turned < 1e-5, "{motion:?}: {apart} {turned}");
        }
        simulation.set_system_enabled(spin, true).unwrap();
        assert!(since_start(&simulation)[1] < 1e-5, "{motion:?}: a jump");
        run(&mut simulation, 6);
        // At most 2 rad/s for a tenth of a second.
        let [_, turned] = since_start(&simulation);
        assert!((0.1..0.21).contains(&turned), "{motion:?}: {turned}");
        // The end of a pause enables only what it has stopped.
        simulation.set_system_enabled(spin, false).unwrap();
        let stopped = since_start(&simulation)[1];
        // A single step leaves what the user has enabled during a pause.
        simulation.set_paused(true);
        let physics = system(&simulation, "physics");
        simulation.set_system_enabled(physics, true).unwrap();
        simulation.step_in_pause(TimeStep::default()).unwrap();
        assert!(simulation.is_paused() && simulation.advances());
        simulation.set_paused(false);
        assert!(simulation.advances());
        simulation.set_paused(true);
        assert!(!simulation.advances());
        simulation.set_paused(false);
        run(&mut simulation, 30);
        assert!((since_start(&simulation)[1] - stopped).abs() < 1e-5, "{motion:?}");
        simulation.set_system_enabled(spin, true).unwrap();
        run(&mut simulation, 30);
        assert!(since_start(&simulation)[1] > 0.5, "{motion:?}");
    }
}
