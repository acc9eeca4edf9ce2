//! Picking with the arrays of the ECS, on one and on all threads, against a plain `Vec` of structs.
//!
//! `cargo bench --bench picking` measures 10k, 100k and 1M cubes. Each pick is a ray from the camera
//! through another point of the image.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use cubefall::components::{Color, Position, Rotation, Scale};
use cubefall::sim::{FallMode, Ray, SceneSettings, Simulation};
use glam::{Quat, Vec2, Vec3};

/// A cube as a struct with all of its data, as without an ECS.
struct PlainCube {
    position: Vec3,
    rotation: Quat,
    scale: f32,
    #[expect(dead_code, reason = "part of the struct's size")]
    color: Color,
}

fn plain(simulation: &Simulation) -> Vec<PlainCube> {
    let (positions, rotations) =
        (simulation.cubes().slice::<Position>(), simulation.cubes().slice::<Rotation>());
    let (scales, colors) =
        (simulation.cubes().slice::<Scale>(), simulation.cubes().slice::<Color>());
    let places = positions.iter().zip(rotations).zip(scales.iter().zip(colors));
    places
        .map(|((position, rotation), (scale, &color))| PlainCube {
            position: position.0,
            rotation: rotation.0,
            scale: scale.0,
            color,
        })
        .collect()
}

/// Distance of the nearest cube, tested one by one: its bounding sphere first, then its faces.
#[inline(never)]
fn pick_plain(cubes: &[PlainCube], ray: &Ray) -> Option<f32> {
    let (origin, direction) = (ray.origin(), ray.direction());
    let mut nearest = f32::INFINITY;
    for cube in cubes {
        let to_center = cube.position - origin;
        let along = to_center.dot(direction);
        let radius = cube.scale * 0.8661;
        if (to_center - direction * along).length_squared() > radius * radius || along < -radius {
            continue;
        }
        let back = cube.rotation.inverse();
        let (from, toward) = (back * -to_center, (back * direction).recip());
        let half = Vec3::splat(cube.scale * 0.5);
        let (a, b) = ((-half - from) * toward, (half - from) * toward);
        let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
        if enter >= 0.0 && enter <= leave {
            nearest = nearest.min(enter);
        }
    }
    (nearest < f32::INFINITY).then_some(nearest)
}

/// Rays through points all over the image, in turn.
fn rays(simulation: &Simulation) -> impl FnMut() -> Ray + use<> {
    let view = simulation.camera().view();
    let mut number = 0_u16;
    move || {
        number = (number + 1) % 97;
        let point =
            Vec2::new(f32::from(number % 10) / 5.0 - 0.9, f32::from(number / 10) / 5.0 - 0.9);
        view.ray(point, 16.0 / 9.0).expect("a finite point")
    }
}

fn picking(criterion: &mut Criterion) {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let all = rayon::ThreadPoolBuilder::new().build().unwrap();
    let mut group = criterion.benchmark_group("pick");
    for cubes in [10_000, 100_000, 1_000_000] {
        let settings = SceneSettings { cubes, seed: 1 };
        let simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        let (structs, mut next) = (plain(&simulation), rays(&simulation));
        for _ in 0..97 {
            let ray = next();
            let (one, other) = (simulation.cubes().pick(&ray), pick_plain(&structs, &ray));
            let same = one.map(|hit| hit.distance).zip(other).map(|(a, b)| (a - b).abs() < 0.1);
            assert!(same.unwrap_or(one.is_none() && other.is_none()), "{one:?} {other:?}");
        }
        group.throughput(Throughput::Elements(cubes.into()));
        group.bench_function(BenchmarkId::new("plain Vec of structs", cubes), |bencher| {
            bencher.iter(|| pick_plain(black_box(&structs), &next()));
        });
        for (name, pool) in [("ECS", &alone), ("ECS, all threads", &all)] {
            group.bench_function(BenchmarkId::new(name, cubes), |bencher| {
                pool.install(|| bencher.iter(|| black_box(&simulation).cubes().pick(&next())));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, picking);
criterion_main!(benches);
