//! Picking: the first cube on a ray.

use cubefall::components::{FallMode, Position};
use cubefall::sim::Ray;
use glam::{Vec2, Vec3};

use crate::{eye, run, simulation, transforms};

#[test]
fn ray_to_a_cube_hits_it_or_a_nearer_one() {
    let simulation = simulation(2000, FallMode::Cubes);
    let eye = eye(&simulation);
    let mut direct = 0;
    for (cube, transform) in transforms(&simulation) {
        let ray = Ray::new(eye, transform.position.0 - eye).unwrap();
        let hit = simulation.cubes().pick(&ray).unwrap();
        let center = (transform.position.0 - ray.origin()).length();
        // The surface is between half an edge and half a diagonal in front of the center.
        assert!(hit.distance < center - transform.scale.0 * 0.499);
        direct += usize::from(hit.entity == cube);
        let found = simulation.cubes().get(hit.entity).unwrap();
        let offset = (ray.at(hit.distance) - found.position.0).length() / found.scale.0;
        assert!((0.499..0.867).contains(&offset), "{offset} edges from the center");
    }
    assert!(direct > 500, "only {direct} cubes are visible");
}

#[test]
fn ray_through_an_image_point_hits_the_cube_drawn_there() {
    let mut simulation = simulation(0, FallMode::Cubes);
    run(&mut simulation, 1);
    let view = simulation.camera().view();
    // A quarter of the way from the center to the right, half of the way up.
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
fn pick_does_not_allocate() {
    let simulation = simulation(20_000, FallMode::Cubes);
    let ray = simulation.camera().view().ray(Vec2::ZERO, 1.0).unwrap();
    let allocated = allocation_counter::measure(|| {
        assert!(simulation.cubes().pick(&ray).is_some());
    });
    assert_eq!(allocated.count_total, 0);
}
