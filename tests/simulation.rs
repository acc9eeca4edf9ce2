//! The scene, both modes, the switch between them, and that the same input gives the same bits.

#![cfg(feature = "sim")]

use cubefall::components::{
    Acceleration, Color, Gravity, Lens, Position, Rotation, Scale, Transform, Velocity,
};
use cubefall::ecs::Entity;
use cubefall::sim::{FallMode, HALF_EXTENT, SceneSettings, Simulation, TimeStep};

fn simulation(cubes: u32, mode: FallMode) -> Simulation {
    Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap()
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(TimeStep::default()).unwrap();
    }
}

/// Every cube with its transform, by entity.
fn cubes(simulation: &Simulation) -> Vec<(Entity, Transform)> {
    let query = simulation.world().query::<(&Position, &Rotation, &Scale)>().unwrap();
    let query = query.with::<(Color,)>().unwrap();
    let mut cubes: Vec<_> = query
        .iter()
        .map(|(entity, (&position, &rotation, &scale))| {
            (entity, Transform { position, rotation, scale })
        })
        .collect();
    cubes.sort_unstable_by_key(|(entity, _)| entity.index());
    cubes
}

fn falling(simulation: &Simulation) -> Vec<(Entity, Velocity, Gravity)> {
    let query = simulation.world().query::<(&Velocity, &Acceleration, &Gravity)>().unwrap();
    let mut falling: Vec<_> = query
        .iter()
        .map(|(entity, (velocity, acceleration, gravity))| {
            assert_eq!(*acceleration, Acceleration::default());
            (entity, *velocity, *gravity)
        })
        .collect();
    falling.sort_unstable_by_key(|(entity, ..)| entity.index());
    falling
}

fn camera(simulation: &Simulation) -> Entity {
    simulation.world().query::<(&Lens,)>().unwrap().iter().next().unwrap().0
}

#[test]
fn every_cube_follows_the_closed_form_of_its_own_gravity() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    let (start, physics) = (cubes(&simulation), falling(&simulation));
    run(&mut simulation, 60);
    let mut compared = 0;
    for (((entity, before), (_, _, gravity)), (same, after)) in
        start.iter().zip(&physics).zip(cubes(&simulation))
    {
        // p = p0 + g t^2 / 2 after t = 1 s from rest; who reached the floor was replaced.
        let expected = before.position.0 + gravity.0 * 0.5;
        if expected.y > -HALF_EXTENT + 0.01 {
            assert_eq!(*entity, same);
            assert!((after.position.0 - expected).length() < 1e-3, "{entity}");
            assert_eq!((after.scale, after.rotation), (before.scale, before.rotation));
            compared += 1;
        }
    }
    assert!(compared > 950, "{compared}");
}

#[test]
fn cubes_that_fall_through_the_floor_are_replaced_at_the_top_and_ids_recycle() {
    let mut simulation = simulation(500, FallMode::Cubes);
    let start = cubes(&simulation);
    run(&mut simulation, 1200);
    let end = cubes(&simulation);
    assert_eq!((end.len(), simulation.cubes().count(), simulation.world().len()), (500, 500, 501));
    assert!(end.iter().all(|(_, cube)| cube.position.0.y.abs() <= HALF_EXTENT));
    // 20 s at 1 to 10 m/s2 take every cube through 200 m: all slots are reused, none is new.
    assert!(start.iter().all(|&(entity, _)| !simulation.world().contains(entity)));
    assert!(end.iter().all(|(entity, _)| entity.generation() > 1 && entity.index() < 500));
}

#[test]
fn in_camera_mode_the_camera_alone_falls() {
    let mut simulation = simulation(300, FallMode::Camera);
    let (start, from) = (cubes(&simulation), simulation.camera().view().position.0);
    run(&mut simulation, 60);
    assert_eq!(cubes(&simulation), start);
    let fallen = simulation.camera().view().position.0 - from;
    // g t^2 / 2 after 1 s.
    assert!((fallen.y + 9.80665 / 2.0).abs() < 1e-3 && fallen.x == 0.0 && fallen.z == 0.0);
    assert_eq!(falling(&simulation).len(), 1);
    assert_eq!(falling(&simulation)[0].0, camera(&simulation));
}

#[test]
fn the_falling_camera_wraps_to_the_top() {
    let mut simulation = simulation(1, FallMode::Camera);
    let mut wrapped = 0;
    let mut last = simulation.camera().view().position.0.y;
    for _ in 0..60 * 60 {
        run(&mut simulation, 1);
        let height = simulation.camera().view().position.0.y;
        assert!(height.abs() <= HALF_EXTENT);
        wrapped += usize::from(height > last);
        last = height;
    }
    // sqrt(2 h / g): 4.5 s for the first 100 m, then 6.4 s for each 200 m.
    assert_eq!(wrapped, 9);
}

#[test]
fn the_switch_there_and_back_leaves_every_cube_with_its_data() {
    let mut simulation = simulation(2000, FallMode::Cubes);
    run(&mut simulation, 100);
    let (before, physics) = (cubes(&simulation), falling(&simulation));
    let order = simulation.cubes().slice::<Position>().to_vec();
    assert!(physics.iter().any(|(_, velocity, _)| velocity.0.y < -1.0));

    simulation.set_mode(FallMode::Camera).unwrap();
    assert_eq!(simulation.mode(), FallMode::Camera);
    assert_eq!(cubes(&simulation), before);
    let camera_falls = falling(&simulation);
    assert_eq!(camera_falls, [(camera(&simulation), Velocity::default(), Gravity::STANDARD)]);
    run(&mut simulation, 30);
    assert_eq!(cubes(&simulation), before);

    simulation.set_mode(FallMode::Cubes).unwrap();
    assert_eq!(cubes(&simulation), before);
    assert_eq!(
        simulation.cubes().slice::<Position>(),
        order,
        "not even the order of the arrays has changed"
    );
    let again = falling(&simulation);
    assert_eq!(again.len(), physics.len());
    for ((entity, velocity, gravity), (same, _, own)) in again.iter().zip(&physics) {
        assert_eq!((entity, *velocity, gravity), (same, Velocity::default(), own));
    }
    // Setting the mode that is set already changes nothing.
    let hash = simulation.state_hash();
    simulation.set_mode(FallMode::Cubes).unwrap();
    assert_eq!(simulation.state_hash(), hash);
}

#[test]
fn paused_nothing_falls_but_the_camera_still_flies() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(100, mode);
        simulation.set_paused(true);
        let (before, from) = (cubes(&simulation), simulation.camera().view().position.0);
        run(&mut simulation, 10);
        assert_eq!(
            (cubes(&simulation), simulation.camera().view().position.0),
            (before.clone(), from)
        );
        let mut camera = simulation.camera_mut();
        let controls = camera.controls();
        (controls.motion.z, controls.speed, controls.pitch) = (-1.0, 6.0, 0.0);
        run(&mut simulation, 60);
        let flown = simulation.camera().view().position.0 - from;
        assert!((flown.z + 6.0).abs() < 1e-3 && flown.y == 0.0);
        assert_eq!(cubes(&simulation), before);
        simulation.set_paused(false);
        run(&mut simulation, 1);
        assert_eq!(cubes(&simulation) == before, mode == FallMode::Camera);
    }
}

#[test]
fn flight_follows_the_view_and_not_the_frame_rate() {
    let flown = |rate: u16| {
        let mut simulation = simulation(1, FallMode::Cubes);
        let from = simulation.camera().view().position.0;
        let mut camera = simulation.camera_mut();
        let controls = camera.controls();
        // Looking to the left, forward is -X.
        (controls.yaw, controls.pitch) = (std::f32::consts::FRAC_PI_2, 0.0);
        controls.motion.z = -1.0;
        for _ in 0..rate {
            simulation.step(TimeStep::fixed(1.0 / f32::from(rate)).unwrap()).unwrap();
        }
        simulation.camera().view().position.0 - from
    };
    for rate in [30, 144] {
        let flown = flown(rate);
        assert!((flown.x + 40.0).abs() < 1e-3 && flown.y.abs() < 1e-3 && flown.z.abs() < 1e-3);
    }
}

#[test]
fn runs_are_the_same_to_the_bit_and_seeds_differ() {
    let hash = |seed| {
        let settings = SceneSettings { cubes: 3000, seed };
        let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        run(&mut simulation, 200);
        simulation.state_hash()
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn the_hash_notices_a_single_bit() {
    let mut simulation = simulation(10, FallMode::Cubes);
    let before = simulation.state_hash();
    simulation.camera_mut().controls().speed =
        f32::from_bits(simulation.camera_mut().controls().speed.to_bits() ^ 1);
    assert_ne!(simulation.state_hash(), before);
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let hash = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            // Enough cubes for several chunks, the last one partly filled.
            let mut simulation = simulation(40_001, FallMode::Cubes);
            run(&mut simulation, 30);
            simulation.state_hash()
        })
    };
    assert_eq!([1, 2, 3, 8].map(hash), [hash(1); 4]);
}

#[test]
fn a_step_allocates_nothing_once_the_first_cubes_have_been_replaced() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(2000, mode);
        run(&mut simulation, 600);
        let before = cubes(&simulation);
        let allocated = allocation_counter::measure(|| run(&mut simulation, 300));
        assert_eq!(allocated.count_total, 0, "{mode}");
        assert_eq!(cubes(&simulation) == before, mode == FallMode::Camera);
    }
}
