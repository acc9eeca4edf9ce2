//! The physics step of the ECS beside the same loop over three plain `Vec`s, on one thread.
//!
//! `cargo bench --bench physics` prints both for 10k, 100k and 1M cubes; what counts is the ratio
//! within a run. The two alternate, so that what else the machine does meets both alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use cubefall::components::{Color, Gravity, RigidBody, Transform};
use cubefall::ecs::World;
use cubefall::sim::physics;
use glam::Vec3;

const DT: f32 = 1.0 / 60.0;

fn cube(i: u32) -> (Transform, Color, RigidBody, Gravity) {
    let position = Vec3::new((i % 100) as f32, (i / 100 % 100) as f32, (i / 10_000) as f32);
    let gravity = Gravity(Vec3::new(0.0, -1.0 - (i % 10) as f32, 0.0));
    (Transform::at(position), Color::srgb(200, 100, 50), RigidBody::default(), gravity)
}

/// The world of the demo, with physics as its only system.
fn world(cubes: u32) -> World {
    let mut world = World::new();
    world.register::<Transform>().unwrap();
    world.register::<Color>().unwrap();
    world.register::<RigidBody>().unwrap();
    world.register::<Gravity>().unwrap();
    world.group::<(Transform, Color)>().unwrap();
    let falling = world.group::<(Transform, Color, RigidBody, Gravity)>().unwrap();
    world.reserve::<(Transform, Color, RigidBody, Gravity)>(cubes as usize).unwrap();
    for i in 0..cubes {
        world.spawn(cube(i)).unwrap();
    }
    world.add_system::<(Transform, RigidBody, Gravity)>("physics", physics(falling)).unwrap();
    world
}

/// What somebody would write without an ECS.
struct Plain {
    transforms: Vec<Transform>,
    bodies: Vec<RigidBody>,
    gravities: Vec<Gravity>,
}

impl Plain {
    fn new(cubes: u32) -> Self {
        Self {
            transforms: (0..cubes).map(|i| cube(i).0).collect(),
            bodies: (0..cubes).map(|i| cube(i).2).collect(),
            gravities: (0..cubes).map(|i| cube(i).3).collect(),
        }
    }

    fn step(&mut self, dt: f32) {
        step(&mut self.transforms, &mut self.bodies, &self.gravities, dt);
    }
}

/// Slices as parameters, so that the compiler knows that they do not overlap: over the fields of a
/// struct the same loop takes a seventh longer.
#[inline(never)]
fn step(transforms: &mut [Transform], bodies: &mut [RigidBody], gravities: &[Gravity], dt: f32) {
    for ((transform, body), gravity) in transforms.iter_mut().zip(bodies).zip(gravities) {
        let acceleration = gravity.0 + body.acceleration;
        transform.position += body.velocity * dt + acceleration * (0.5 * dt * dt);
        body.velocity += acceleration * dt;
    }
}

/// Times `rounds` of `measured`, with one round of `other` before every few of them and one untimed
/// round to warm the caches again.
fn alternate(rounds: u64, mut measured: impl FnMut(), mut other: impl FnMut()) -> Duration {
    const TIMED: u64 = 8;
    let mut total = Duration::ZERO;
    for begun in (0..rounds).step_by(TIMED as usize) {
        other();
        measured();
        let start = Instant::now();
        for _ in begun..rounds.min(begun + TIMED) {
            measured();
        }
        total += start.elapsed();
    }
    total
}

fn compare(group: &mut BenchmarkGroup<'_, WallTime>, cubes: u32) {
    let (mut world, mut plain) = (world(cubes), Plain::new(cubes));
    group.throughput(Throughput::Elements(cubes.into()));
    group.bench_function(BenchmarkId::new("plain Vecs", cubes), |bencher| {
        bencher.iter_custom(|rounds| {
            alternate(rounds, || plain.step(black_box(DT)), || world.run(black_box(DT)).unwrap())
        });
    });
    group.bench_function(BenchmarkId::new("ECS", cubes), |bencher| {
        bencher.iter_custom(|rounds| {
            alternate(rounds, || world.run(black_box(DT)).unwrap(), || plain.step(black_box(DT)))
        });
    });
}

fn physics_step(criterion: &mut Criterion) {
    // One thread for both; the ECS would spread over all cores by itself.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    let mut group = criterion.benchmark_group("physics step");
    for cubes in [10_000, 100_000, 1_000_000] {
        compare(&mut group, cubes);
    }
    group.finish();
}

criterion_group!(benches, physics_step);
criterion_main!(benches);
