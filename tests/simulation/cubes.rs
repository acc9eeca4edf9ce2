//! Cubes added and despawned one at a time.

use std::collections::HashMap;

use cubefall::components::{FallMode, Gravity, Position, Transform, Velocity};
use cubefall::ecs::Entity;
use cubefall::sim::Ray;
use glam::Vec3;

use crate::{camera, eye, run, simulation, transforms};

#[test]
fn added_cube_falls_by_its_own_gravity_and_is_counted() {
    let mut simulation = simulation(100, FallMode::Cubes);
    let at = Vec3::new(10.0, 90.0, -5.0);
    let cube = simulation.cubes_mut().spawn_at(Position(at)).unwrap();
    assert_eq!(
        (simulation.cubes().count(), simulation.cubes().slice::<Position>().len()),
        (101, 101)
    );
    let gravity = simulation.world().get::<&Gravity>(cube).unwrap().0;
    assert!((-10.0..=-1.0).contains(&gravity.y) && gravity.x == 0.0 && gravity.z == 0.0);
    run(&mut simulation, 60);
    // g t^2 / 2 after t = 1 s.
    let fallen = simulation.cubes().get(cube).unwrap().position.0 - at;
    assert!((fallen - gravity * 0.5).length() < 1e-3, "{fallen}");
}

#[test]
fn cube_added_in_camera_mode_hangs_still_and_falls_later() {
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
    let gravity = simulation.world().get::<&Gravity>(cube).unwrap().0;
    let fallen = simulation.cubes().get(cube).unwrap().position.0 - place.0;
    assert!((fallen - gravity * 0.5).length() < 1e-3);
    assert_eq!(
        (simulation.cubes().count(), simulation.world().query::<(&Velocity,)>().iter().count()),
        (101, 101)
    );
    // And hangs still again with the others.
    simulation.set_mode(FallMode::Camera).unwrap();
    let hanging = transforms(&simulation);
    run(&mut simulation, 10);
    assert_eq!(transforms(&simulation), hanging);
}

#[test]
fn despawned_cube_is_gone_in_both_modes() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(50, mode);
        let all = transforms(&simulation);
        let (&cube, transform) = all.iter().next().unwrap();
        let eye = eye(&simulation);
        let ray = Ray::new(eye, transform.position.0 - eye).unwrap();
        simulation.cubes_mut().despawn(cube).unwrap();
        assert_eq!(
            (simulation.cubes().count(), simulation.cubes().get(cube)),
            (49, None),
            "{mode}"
        );
        assert!(simulation.cubes().pick(&ray).is_none_or(|hit| hit.entity != cube));
        assert!(simulation.cubes_mut().despawn(cube).is_err(), "a second time");
        for mode in [FallMode::Camera, FallMode::Cubes] {
            simulation.set_mode(mode).unwrap();
            run(&mut simulation, 5);
            assert_eq!(simulation.cubes().count(), 49);
        }
        let falling = simulation.world().query::<(&Velocity,)>().iter().count();
        assert_eq!(falling, 49);
    }
}

#[test]
fn only_cubes_of_this_world_can_be_despawned() {
    let (mut one, mut other) = (simulation(5, FallMode::Cubes), simulation(5, FallMode::Cubes));
    let camera = camera(&one);
    assert!(one.cubes_mut().despawn(camera).is_err());
    assert_eq!(one.cubes().get(camera), None);
    let stranger = other.cubes_mut().spawn_at(Position::default()).unwrap();
    assert!(one.cubes_mut().despawn(stranger).is_err());
    assert_eq!((one.cubes().count(), other.cubes().count()), (5, 6));
}

#[test]
fn added_cube_does_not_change_the_others() {
    let (mut without, mut with) =
        (simulation(200, FallMode::Cubes), simulation(200, FallMode::Cubes));
    let dropped = with.cubes_mut().spawn_at(Position(Vec3::Y * 50.0)).unwrap();
    // Until the added cube reaches the ground, within 18 s at 1 m/s2 or more.
    let mut compared = 0;
    while with.cubes().get(dropped).is_some() {
        run(&mut without, 1);
        run(&mut with, 1);
        let mut now = transforms(&with);
        if now.remove(&dropped).is_some() {
            let by_bits = |cubes: HashMap<Entity, Transform>| -> HashMap<u64, Transform> {
                cubes.into_iter().map(|(cube, at)| (cube.to_bits(), at)).collect()
            };
            assert_eq!(by_bits(now), by_bits(transforms(&without)));
            compared += 1;
        }
    }
    assert!(compared > 200);
}

#[test]
fn equal_additions_give_equal_bits() {
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
fn state_hash_includes_the_physics_of_cubes_that_hang_still() {
    let simulation = |dropped: usize| {
        let mut simulation = simulation(3, FallMode::Camera);
        let drops = [(); 3].map(|()| simulation.cubes_mut().spawn_at(Position::default()).unwrap());
        simulation.cubes_mut().despawn(drops[dropped]).unwrap();
        simulation.state_hash()
    };
    assert_ne!(simulation(0), simulation(1));
    assert_ne!(simulation(1), simulation(2));
}
