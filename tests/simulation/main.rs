//! Tests of the simulation through its public interface.

#![cfg(feature = "sim")]

use std::collections::HashMap;

use cubefall::components::{Color, FallMode, Lens, Transform};
use cubefall::ecs::Entity;
use cubefall::sim::{SceneSettings, Simulation, TimeStep};
use glam::Vec3;

mod camera_paths;
mod cameras;
mod cubes;
mod endless;
mod fall_mode;
mod memory;
mod motion;
mod picking;
mod population;
mod snapshots;
mod spin;
mod stepping;
mod tuning;

/// The classic scene with seed 1.
fn simulation(cubes: u32, mode: FallMode) -> Simulation {
    Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap()
}

/// Runs steps of 1/60 s.
fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(TimeStep::default()).unwrap();
    }
}

/// Runs `seconds` at `rate` steps per second.
fn run_for(simulation: &mut Simulation, seconds: f32, rate: u16) {
    let dt = 1.0 / f32::from(rate);
    let ends = (1..u16::MAX).map(|step| f32::from(step) * dt);
    for _ in ends.take_while(|&end| end < seconds + dt / 2.0) {
        simulation.step(TimeStep::fixed(dt).unwrap()).unwrap();
    }
}

/// One component of every cube that has it.
fn of_cubes<T: Copy + Send + Sync + 'static>(simulation: &Simulation) -> HashMap<Entity, T> {
    let query = simulation.world().query::<(Entity, &T)>().with::<&Color>();
    query.iter().map(|(cube, &value)| (cube, value)).collect()
}

/// The same, by index and generation: comparable between worlds.
fn by_bits<T: Copy + Send + Sync + 'static>(simulation: &Simulation) -> HashMap<u64, T> {
    of_cubes(simulation).into_iter().map(|(cube, value)| (cube.to_bits(), value)).collect()
}

fn count_of<T: Copy + Send + Sync + 'static>(simulation: &Simulation) -> usize {
    of_cubes::<T>(simulation).len()
}

/// Every cube with its transform.
fn transforms(simulation: &Simulation) -> HashMap<Entity, Transform> {
    let cubes = of_cubes::<Color>(simulation).into_keys();
    cubes.map(|cube| (cube, simulation.cubes().get(cube).unwrap())).collect()
}

/// The entity of the camera.
fn camera(simulation: &Simulation) -> Entity {
    simulation.world().single::<(Entity, &Lens)>().unwrap().0
}

/// Position of the camera.
fn eye(simulation: &Simulation) -> Vec3 {
    simulation.camera().view().position.0
}

/// Direction of view of the camera.
fn ahead(simulation: &Simulation) -> Vec3 {
    simulation.camera().view().rotation.0 * Vec3::NEG_Z
}

/// Distance that the camera falls in `t` seconds from rest: `v_t t - v_t (1 - e^(-k t)) / k`, with
/// `v_t = g / k` and k = 0.218 / s.
fn fall(gravity: f64, t: f64) -> f32 {
    let (k, terminal) = (0.218, gravity / 0.218);
    (terminal * t - terminal * (1.0 - (-k * t).exp()) / k) as f32
}

/// Writes `bytes` to a temporary file and loads it.
fn load(bytes: &[u8]) -> Result<Simulation, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    Simulation::load(file.path()).map_err(|error| error.to_string())
}

fn saved(simulation: &Simulation) -> Vec<u8> {
    let mut bytes = Vec::new();
    simulation.save(&mut bytes).unwrap();
    bytes
}

/// Asserts that a run ends with the same state hash on any number of threads.
#[cfg(feature = "parallel")]
fn assert_same_with_threads(run: impl Fn() -> u64 + Sync) {
    let hashes = [1, 2, 3, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&run)
    });
    assert_eq!(hashes, [hashes[0]; 4]);
}
