//! The physics step of the ECS compared with the same loop over plain `Vec`s, on one thread.
//!
//! `cargo bench --bench physics` prints both for 10k, 100k and 1M cubes. Compare the ratio within one
//! run. The two alternate, so that other load affects both equally.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use cubefall::components::{Acceleration, Gravity, Position, Velocity};
use cubefall::ecs::{Pass, World};
use cubefall::sim::physics;
use glam::Vec3;

const DT: f32 = 1.0 / 60.0;

type Falling = (Position, Velocity, Acceleration, Gravity);

fn cube(i: u32) -> Falling {
    let position = Vec3::new((i % 100) as f32, (i / 100 % 100) as f32, (i / 10_000) as f32);
    let gravity = Gravity(Vec3::new(0.0, -1.0 - (i % 10) as f32, 0.0));
    (Position(position), Velocity::default(), Acceleration::default(), gravity)
}

/// Returns a world with physics as its only system.
fn world(cubes: u32) -> World {
    let mut world = World::new();
    let falling = world.create_group::<Falling>();
    world.spawn_batch((0..cubes).map(cube)).unwrap();
    world.schedule_mut().add_system::<Falling>(Pass::Update, "physics", physics(falling));
    world
}

/// The same data without an ECS.
struct Plain {
    positions: Vec<[f32; 3]>,
    velocities: Vec<[f32; 3]>,
    accelerations: Vec<[f32; 3]>,
    gravities: Vec<[f32; 3]>,
}

impl Plain {
    fn new(cubes: u32) -> Self {
        Self {
            positions: (0..cubes).map(|i| cube(i).0.0.into()).collect(),
            velocities: (0..cubes).map(|i| cube(i).1.0.into()).collect(),
            accelerations: (0..cubes).map(|i| cube(i).2.0.into()).collect(),
            gravities: (0..cubes).map(|i| cube(i).3.0.into()).collect(),
        }
    }

    fn step(&mut self, gravity_factor: f32, dt: f32) {
        step(
            self.positions.as_flattened_mut(),
            self.velocities.as_flattened_mut(),
            self.accelerations.as_flattened(),
            self.gravities.as_flattened(),
            gravity_factor,
            dt,
        );
    }
}

/// Takes slices as parameters, so that the compiler knows that they do not overlap.
#[inline(never)]
fn step(
    positions: &mut [f32],
    velocities: &mut [f32],
    accelerations: &[f32],
    gravities: &[f32],
    gravity_factor: f32,
    dt: f32,
) {
    for (((position, velocity), acceleration), gravity) in
        positions.iter_mut().zip(velocities).zip(accelerations).zip(gravities)
    {
        let acceleration = acceleration + gravity * gravity_factor;
        *position += *velocity * dt + acceleration * (0.5 * dt * dt);
        *velocity += acceleration * dt;
    }
}

/// Measures `rounds` runs of `measured`. Before every eight of them, `other` runs once, and `measured`
/// once untimed to fill the caches again.
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
            let plain = || plain.step(black_box(1.0), black_box(DT));
            alternate(rounds, plain, || world.run(black_box(DT)).unwrap())
        });
    });
    group.bench_function(BenchmarkId::new("ECS", cubes), |bencher| {
        bencher.iter_custom(|rounds| {
            let plain = || plain.step(black_box(1.0), black_box(DT));
            alternate(rounds, || world.run(black_box(DT)).unwrap(), plain)
        });
    });
}

fn physics_step(criterion: &mut Criterion) {
    // One thread for both; without this the ECS would use all cores.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
    let mut group = criterion.benchmark_group("physics step");
    for cubes in [10_000, 100_000, 1_000_000] {
        compare(&mut group, cubes);
    }
    group.finish();
}

criterion_group!(benches, physics_step);
criterion_main!(benches);
