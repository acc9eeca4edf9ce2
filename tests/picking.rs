//! Cubes that are picked, dropped and despawned, and that the rest of the world does not mind.

#![cfg(feature = "sim")]

use std::collections::HashMap;

use cubefall::components::{Color, Gravity, Lens, Position, Transform, Velocity};
use cubefall::ecs::Entity;
use cubefall::sim::{FallMode, Ray, SceneSettings, Simulation, TimeStep};
use glam::{Vec2, Vec3};

fn simulation(cubes: u32, mode: FallMode) -> Simulation {
    Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap()
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(TimeStep::default()).unwrap();
    }
}

fn cubes(simulation: &Simulation) -> HashMap<Entity, Transform> {
    let query = simulation.world().query::<(&Color,)>().unwrap();
    query.iter().map(|(cube, _)| (cube, simulation.cubes().get(cube).unwrap())).collect()
}

/// The ray from the camera to the middle of a cube.
fn toward(simulation: &Simulation, cube: &Transform) -> Ray {
    let eye = simulation.camera().view().position.0;
    Ray::new(eye, cube.position.0 - eye).unwrap()
}

#[test]
fn a_ray_to_a_cube_meets_it_or_one_before_it() {
    let simulation = simulation(2000, FallMode::Cubes);
    let mut itself = 0;
    for (cube, transform) in cubes(&simulation) {
        let ray = toward(&simulation, &transform);
        let hit = simulation.cubes().pick(&ray).unwrap();
        let center = (transform.position.0 - ray.origin()).length();
        // Its surface is between half an edge and half a diagonal before its middle.
        assert!(hit.distance < center - transform.scale.0 * 0.499);
        itself += usize::from(hit.entity == cube);
        // What was met is where the ray says.
        let met = simulation.cubes().get(hit.entity).unwrap();
        let off = (ray.at(hit.distance) - met.position.0).length() / met.scale.0;
        assert!((0.499..0.867).contains(&off), "{off} edges from its middle");
    }
    assert!(itself > 500, "only {itself} cubes are seen");
}

#[test]
fn the_ray_through_a_point_of_the_picture_meets_what_is_drawn_there() {
    let mut simulation = simulation(0, FallMode::Cubes);
    simulation.step(TimeStep::default()).unwrap();
    let view = simulation.camera().view();
    // A quarter of the way from the middle to the right, half of the way up.
    let point = Vec2::new(0.25, 0.5);
    let half = (view.lens.fov_y / 2.0).tan();
    let local = Vec3::new(0.25 * half * 1.6, 0.5 * half, -1.0) * 50.0;
    let at = view.position.0 + view.rotation.0 * local;
    let cube = simulation.cubes_mut().spawn_at(Position(at)).unwrap();
    let hit = simulation.cubes().pick(&view.ray(point, 1.6).unwrap()).unwrap();
    assert_eq!(hit.entity, cube);
    let beside = view.ray(Vec2::new(-0.25, 0.5), 1.6).unwrap();
    assert_eq!(simulation.cubes().pick(&beside), None);
}

#[test]
fn picking_allocates_nothing() {
    let simulation = simulation(20_000, FallMode::Cubes);
    let ray = simulation.camera().view().ray(Vec2::ZERO, 1.0).unwrap();
    let allocated = allocation_counter::measure(|| {
        assert!(simulation.cubes().pick(&ray).is_some());
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn a_dropped_cube_falls_like_the_others_and_is_counted() {
    let mut simulation = simulation(100, FallMode::Cubes);
    let at = Vec3::new(10.0, 90.0, -5.0);
    let cube = simulation.cubes_mut().spawn_at(Position(at)).unwrap();
    assert_eq!(
        (simulation.cubes().count(), simulation.cubes().slice::<Position>().len()),
        (101, 101)
    );
    let gravity = simulation.world().get::<Gravity>(cube).unwrap().0;
    assert!((-10.0..=-1.0).contains(&gravity.y) && gravity.x == 0.0 && gravity.z == 0.0);
    run(&mut simulation, 60);
    // g t^2 / 2 after t = 1 s.
    let fallen = simulation.cubes().get(cube).unwrap().position.0 - at;
    assert!((fallen - gravity * 0.5).length() < 1e-3, "{fallen}");
}

#[test]
fn a_cube_dropped_while_the_camera_falls_hangs_still_and_falls_later() {
    let mut simulation = simulation(100, FallMode::Camera);
    let place = Position(Vec3::new(1.0, 50.0, 2.0));
    let cube = simulation.cubes_mut().spawn_at(place).unwrap();
    let gone = simulation.cubes_mut().spawn_at(place).unwrap();
    simulation.cubes_mut().despawn(gone).unwrap();
    run(&mut simulation, 60);
    assert_eq!(simulation.cubes().get(cube).unwrap().position, place);
    assert!(!simulation.world().has::<Velocity>(cube));
    simulation.set_mode(FallMode::Cubes).unwrap();
    run(&mut simulation, 60);
    let gravity = simulation.world().get::<Gravity>(cube).unwrap().0;
    let fallen = simulation.cubes().get(cube).unwrap().position.0 - place.0;
    assert!((fallen - gravity * 0.5).length() < 1e-3);
    assert_eq!(
        (
            simulation.cubes().count(),
            simulation.world().query::<(&Velocity,)>().unwrap().iter().count()
        ),
        (101, 101)
    );
    // And again, with the others.
    simulation.set_mode(FallMode::Camera).unwrap();
    let hanging = cubes(&simulation);
    run(&mut simulation, 10);
    assert_eq!(cubes(&simulation), hanging);
}

#[test]
fn a_despawned_cube_is_gone_in_both_modes_and_stays_gone() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(50, mode);
        let all = cubes(&simulation);
        let (&cube, transform) = all.iter().next().unwrap();
        let ray = toward(&simulation, transform);
        simulation.cubes_mut().despawn(cube).unwrap();
        assert_eq!(
            (simulation.cubes().count(), simulation.cubes().get(cube)),
            (49, None),
            "{mode}"
        );
        assert!(simulation.cubes().pick(&ray).is_none_or(|hit| hit.entity != cube));
        assert!(simulation.cubes_mut().despawn(cube).is_err(), "it is gone already");
        for mode in [FallMode::Camera, FallMode::Cubes] {
            simulation.set_mode(mode).unwrap();
            run(&mut simulation, 5);
            assert_eq!(simulation.cubes().count(), 49);
        }
        let falling = simulation.world().query::<(&Velocity,)>().unwrap().iter().count();
        assert_eq!(falling, 49);
    }
}

#[test]
fn only_cubes_of_this_world_can_be_taken_away() {
    let (mut one, mut other) = (simulation(5, FallMode::Cubes), simulation(5, FallMode::Cubes));
    let camera = one.world().query::<(&Lens,)>().unwrap().iter().next().unwrap().0;
    assert!(one.cubes_mut().despawn(camera).is_err());
    assert_eq!(one.cubes().get(camera), None);
    let stranger = other.cubes_mut().spawn_at(Position::default()).unwrap();
    assert!(one.cubes_mut().despawn(stranger).is_err());
    assert_eq!((one.cubes().count(), other.cubes().count()), (5, 6));
}

#[test]
fn dropping_changes_nothing_about_the_other_cubes() {
    let (mut without, mut with) =
        (simulation(200, FallMode::Cubes), simulation(200, FallMode::Cubes));
    let dropped = with.cubes_mut().spawn_at(Position(Vec3::Y * 50.0)).unwrap();
    // Until the dropped one itself goes through the floor, at 1 m/s2 or more within 18 s.
    let mut compared = 0;
    while with.cubes().get(dropped).is_some() {
        run(&mut without, 1);
        run(&mut with, 1);
        let mut now = cubes(&with);
        if now.remove(&dropped).is_some() {
            let expected: HashMap<_, _> = cubes(&without)
                .into_iter()
                .map(|(cube, at)| ((cube.index(), cube.generation()), at))
                .collect();
            // The camera has the slot after the first 200 in both.
            let found: HashMap<_, _> =
                now.into_iter().map(|(cube, at)| ((cube.index(), cube.generation()), at)).collect();
            assert_eq!(found, expected);
            compared += 1;
        }
    }
    assert!(compared > 200);
}

#[test]
fn the_same_drops_give_the_same_bits() {
    let hash = || {
        let mut simulation = simulation(300, FallMode::Cubes);
        for step in 0..40_u8 {
            simulation.cubes_mut().spawn_at(Position(Vec3::splat(f32::from(step)))).unwrap();
            if step == 20 {
                simulation.set_mode(FallMode::Camera).unwrap();
            }
            run(&mut simulation, 1);
        }
        let hanging = simulation.state_hash();
        simulation.set_mode(FallMode::Cubes).unwrap();
        run(&mut simulation, 100);
        (hanging, simulation.state_hash())
    };
    assert_eq!(hash(), hash());
}

#[test]
fn the_hash_knows_whom_a_hanging_cube_will_fall_like() {
    let simulation = |dropped: usize| {
        let mut simulation = simulation(3, FallMode::Camera);
        let drops = [(); 3].map(|()| simulation.cubes_mut().spawn_at(Position::default()).unwrap());
        simulation.cubes_mut().despawn(drops[dropped]).unwrap();
        simulation.state_hash()
    };
    assert_ne!(simulation(0), simulation(1));
    assert_ne!(simulation(1), simulation(2));
}
