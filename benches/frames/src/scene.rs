//! The cubes of the demo as plain arrays, and the camera.
//!
//! They are copied from Cubefall's simulation before anything is measured, so that all
//! contestants draw the same cubes. All use the same time step and the same rule: constant
//! acceleration, and a cube that falls through the ground restarts at the top, at rest.

use bytemuck::{Pod, Zeroable};
use cubefall::components::{Color, Gravity, Position, Rotation, Scale};
use cubefall::ecs::Error;
use cubefall::sim::{CameraView, FallMode, Motion, SceneSettings, Simulation, Tuning};
use glam::{Quat, Vec3};

pub use cubefall::sim::HALF_EXTENT;

/// Simulated time per frame, in s, independent of the frame time.
pub const STEP: f32 = 1.0 / 60.0;

/// Position, size and orientation of a cube, in a typical layout.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Transform {
    /// In m.
    pub position: Vec3,
    /// Edge length, in m.
    pub scale: f32,
    /// A unit quaternion.
    pub rotation: Quat,
}

/// Motion of a cube, in a typical layout.
#[derive(Clone, Copy, PartialEq, Default, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct RigidBody {
    /// In m/s.
    pub velocity: Vec3,
    /// In m/s2.
    pub acceleration: Vec3,
}

/// Index `i` is the same cube in all arrays.
#[derive(Debug)]
pub struct Cubes {
    /// 32 bytes each: position, edge length, rotation.
    pub transforms: Vec<Transform>,
    /// 4 bytes each, sRGB.
    pub colors: Vec<Color>,
    /// 24 bytes each: velocity, acceleration.
    pub bodies: Vec<RigidBody>,
    /// 12 bytes each.
    pub gravities: Vec<Gravity>,
}

/// Cubes and camera.
#[derive(Debug)]
pub struct Scene {
    /// All cubes, at rest.
    pub cubes: Cubes,
    /// Does not move.
    pub camera: CameraView,
}

impl Scene {
    /// Creates the demo's scene with a number of cubes.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(count: u32) -> Result<Self, Error> {
        let simulation = simulation(count, FallMode::Cubes, Motion::Integrated, false)?;
        let falling = simulation.world().query::<(&Color, &Gravity)>();
        let cubes = Cubes {
            transforms: transforms(&simulation),
            colors: simulation.cubes().slice::<Color>().to_vec(),
            bodies: vec![RigidBody::default(); simulation.cubes().count()],
            gravities: falling.iter().map(|(_, gravity)| *gravity).collect(),
        };
        Ok(Self { cubes, camera: simulation.camera().view() })
    }
}

fn transforms(simulation: &Simulation) -> Vec<Transform> {
    let positions = simulation.cubes().slice::<Position>().iter();
    let others =
        simulation.cubes().slice::<Scale>().iter().zip(simulation.cubes().slice::<Rotation>());
    positions
        .zip(others)
        .map(|(position, (scale, rotation))| Transform {
            position: position.0,
            scale: scale.0,
            rotation: rotation.0,
        })
        .collect()
}

/// The demo at its start, with cubes that spin or, as those of the other contestants, do not: the source of [`Scene`].
///
/// # Errors
/// There is not enough memory.
pub fn simulation(
    count: u32,
    mode: FallMode,
    motion: Motion,
    spin: bool,
) -> Result<Simulation, Error> {
    let settings = SceneSettings { cubes: count, ..Default::default() };
    let mut simulation = Simulation::with_overrides(settings, mode, Some(motion), None)?;
    if !spin {
        simulation.set_tuning(Tuning { spin: 0.0, ..simulation.tuning() })?;
    }
    Ok(simulation)
}

impl Cubes {
    /// Moves all cubes by [`STEP`], one after the other.
    pub fn step(&mut self) {
        let arrays = self.transforms.iter_mut().zip(&mut self.bodies).zip(&self.gravities);
        for ((transform, body), gravity) in arrays {
            let acceleration = gravity.0 + body.acceleration;
            transform.position += body.velocity * STEP + acceleration * (0.5 * STEP * STEP);
            body.velocity += acceleration * STEP;
            if transform.position.y < -HALF_EXTENT {
                transform.position.y = HALF_EXTENT;
                *body = RigidBody::default();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cubefall::sim::TimeStep;

    use super::*;

    #[test]
    fn plain_arrays_fall_as_the_demo_does_until_a_cube_is_through() {
        let mut demo = simulation(100, FallMode::Cubes, Motion::Integrated, false).unwrap();
        let mut cubes = Scene::new(100).unwrap().cubes;
        assert_eq!(cubes.transforms, transforms(&demo));
        let lowest = |cubes: &Cubes| {
            cubes.transforms.iter().map(|at| at.position.y).fold(f32::INFINITY, f32::min)
        };
        while lowest(&cubes) > -HALF_EXTENT + 1.0 {
            demo.step(TimeStep::fixed(STEP).unwrap()).unwrap();
            cubes.step();
            assert_eq!(cubes.transforms, transforms(&demo));
        }
        assert_ne!(cubes.transforms, Scene::new(100).unwrap().cubes.transforms);
        for _ in 0..600 {
            cubes.step();
        }
        assert!(lowest(&cubes) >= -HALF_EXTENT, "nothing stays below the floor");
    }
}
