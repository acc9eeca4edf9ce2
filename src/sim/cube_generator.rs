//! The random cubes of a scene.

use glam::{Quat, Vec3};
use rand_chacha::rand_core::Rng;
use rand_xoshiro::SplitMix64;
use serde::{Deserialize, Serialize};

use super::bundles::{Cube, Physics};
use super::random::RandomStream;
use crate::components::{Color, Gravity, Position, RigidBody, Rotation, Scale, Transform};
use crate::ecs::Entity;

/// Half the edge of the box around the origin that the cubes fill, in m. Its bottom is the ground.
pub const HALF_EXTENT: f32 = 100.0;

/// Count for which [`EDGE`] holds. For other counts the edges are scaled, so that the cubes fill
/// about the same fraction of the box.
const REFERENCE_CUBES: f64 = 10_000.0;

/// Shortest and longest edge at the reference count, in m.
pub(super) const EDGE: [f32; 2] = [0.8, 2.0];

/// Largest factor of the edges, so that a single cube does not fill the view.
const MAX_GROWTH: f64 = 4.0;

/// Smallest and largest gravity of a cube, in m/s².
const GRAVITY: [f32; 2] = [1.0, 10.0];

/// Least number of cohorts: enough that none can be seen. Below twice as many cubes, each cube is alone.
const COHORTS: u32 = 7_500;

/// Largest number of cubes in a cohort.
const MAX_COHORT: u32 = 256;

/// Random stream of cubes added one at a time. Templates have the first streams.
const DROPPED: u64 = u64::MAX;
/// Random stream of cubes added to the scene of a file.
const ADDED: u64 = u64::MAX - 1;

/// Largest number of cubes of a scene. Memory may allow fewer.
pub const MAX_CUBES: u32 = crate::scenes::MAX_ENTITIES;

/// Number of cubes and random seed of a classic scene.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SceneSettings {
    /// Number of cubes.
    pub cubes: u32,
    /// Random seed. The same seed gives the same scene on every platform with IEEE 754
    /// single-precision arithmetic.
    pub seed: u64,
}

impl Default for SceneSettings {
    /// 10,000 cubes, seed 1.
    fn default() -> Self {
        Self { cubes: 10_000, seed: 1 }
    }
}

/// Generator of the random cubes of a scene.
///
/// Neighbors in storage order are a cohort: they start with the same height, size and gravity, so that they land
/// together, and those that replace them spawn together. What a step reads and writes then lies side by side in
/// memory. In small scenes, where cohorts would be visible, each has one cube.
#[derive(Clone)]
pub(super) struct CubeGenerator {
    settings: SceneSettings,
    random: RandomStream,
    growth: f32,
    /// Cubes per cohort, a power of 2.
    cohort: u32,
}

/// What the cubes of a cohort have in common, besides the height at the start.
struct Fall {
    /// Edge at the reference count, in m.
    edge: f32,
    /// Downward gravity, in m/s².
    gravity: f32,
}

impl Fall {
    #[inline]
    fn random(random: &mut RandomStream<impl Rng>) -> Self {
        let edge = random.between(EDGE[0], EDGE[1]);
        Self { edge, gravity: random.between(GRAVITY[0], GRAVITY[1]) }
    }

    /// Returns a cube that falls like this from rest.
    #[inline]
    fn cube(self, position: Vec3, rotation: Quat, growth: f32) -> Cube {
        Cube {
            transform: Transform {
                position: Position(position),
                rotation: Rotation(rotation),
                scale: Scale(self.edge * growth),
            },
            // Painted by the palette of the scene.
            color: Color::srgb(255, 255, 255),
            physics: Physics {
                body: RigidBody::default(),
                gravity: Gravity(Vec3::new(0.0, -self.gravity, 0.0)),
            },
        }
    }
}

impl CubeGenerator {
    pub(super) fn new(settings: SceneSettings) -> Self {
        let SceneSettings { cubes, seed } = settings;
        let random = RandomStream::new(seed);
        Self { settings, random, growth: growth(cubes), cohort: cohort(cubes) }
    }

    /// Position in the random stream.
    pub(super) fn word_pos(&self) -> u128 {
        self.random.word_pos()
    }

    /// Returns the generator at a position in its random stream.
    pub(super) fn at(self, position: u128) -> Self {
        Self { random: self.random.at(position), ..self }
    }

    pub(super) fn settings(&self) -> SceneSettings {
        self.settings
    }

    /// Returns how strongly the cubes absorb light, per meter of the box: their number, times their
    /// mean area seen from any side, which is 1.5 times the squared edge, divided by the box.
    pub(super) fn extinction(&self) -> f32 {
        let [low, high] = EDGE.map(|edge| edge * self.growth);
        let squared_edge = (low * low + low * high + high * high) / 3.0;
        1.5 * squared_edge * self.settings.cubes as f32 / (2.0 * HALF_EXTENT).powi(3)
    }

    /// Sets the number of cubes, from which the size and the cohorts of later cubes follow.
    pub(super) fn set_cubes(&mut self, cubes: u32) {
        self.settings.cubes = cubes;
        self.growth = growth(cubes);
        self.cohort = cohort(cubes);
    }

    /// Returns a generator of cubes added one at a time. It does not affect the cubes of the scene.
    pub(super) fn dropped(settings: SceneSettings) -> Self {
        Self { random: RandomStream::numbered(settings.seed, DROPPED), ..Self::new(settings) }
    }

    /// Returns a generator of cubes added to the scene of a file.
    pub(super) fn added(settings: SceneSettings) -> Self {
        Self { random: RandomStream::numbered(settings.seed, ADDED), ..Self::new(settings) }
    }

    /// Returns the next cube, at rest anywhere in the box. `number` is the count of the cubes before it.
    pub(super) fn anywhere(&mut self, number: u32) -> Cube {
        // The same numbers are drawn with any size of cohorts.
        let mut cube = self.single();
        if self.cohort > 1 {
            // No entity has generation 0.
            let mut random = self.random_of((number / self.cohort, 0));
            let fall = Fall::random(&mut random);
            let Transform { position: Position(mut position), rotation, .. } = cube.transform;
            position.y = random.between(-HALF_EXTENT, HALF_EXTENT);
            cube = fall.cube(position, rotation.0, self.growth);
        }
        cube
    }

    /// Returns the next cube, at rest anywhere in the box, in no cohort.
    pub(super) fn single(&mut self) -> Cube {
        alone(&mut self.random, self.growth)
    }

    /// Returns the cube with a handle that replaces another one, at rest at the top of the box. It depends on
    /// seed and handle only, as its spin does, and so not on the order in which cubes land.
    #[inline]
    pub(super) fn replacement(&self, new: Entity) -> Cube {
        let mut random = RandomStream::of_entity(self.settings.seed, new);
        let mut cube = match self.cohort_of(new) {
            None => alone(&mut random, self.growth),
            Some(cohort) => {
                let position = random.in_box(HALF_EXTENT);
                let fall = Fall::random(&mut self.random_of(cohort));
                fall.cube(position, random.rotation(), self.growth)
            }
        };
        cube.transform.position.0.y = HALF_EXTENT;
        cube
    }

    /// Number and generation of the cohort of a replacement. `None` if it is alone.
    #[inline]
    pub(super) fn cohort_of(&self, cube: Entity) -> Option<(u32, u32)> {
        (self.cohort > 1).then(|| (cube.index() / self.cohort, cube.generation()))
    }

    #[inline]
    fn random_of(&self, (number, generation): (u32, u32)) -> RandomStream<SplitMix64> {
        RandomStream::of_cohort(self.settings.seed, number, generation)
    }
}

/// Returns a cube in no cohort, at rest anywhere in the box. The scene file `classic` has the same order of random
/// numbers.
fn alone(random: &mut RandomStream<impl Rng>, growth: f32) -> Cube {
    let position = random.in_box(HALF_EXTENT);
    let edge = random.between(EDGE[0], EDGE[1]);
    let rotation = random.rotation();
    let gravity = random.between(GRAVITY[0], GRAVITY[1]);
    Fall { edge, gravity }.cube(position, rotation, growth)
}

/// Returns the number of cubes in a cohort of a scene with so many cubes.
fn cohort(cubes: u32) -> u32 {
    1 << (cubes / COHORTS).clamp(1, MAX_COHORT).ilog2()
}

/// Returns the factor of the edges for a number of cubes.
pub(super) fn growth(cubes: u32) -> f32 {
    let ratio = REFERENCE_CUBES / f64::from(cubes.max(1));
    // In f64: rounding to f32 removes differences between platforms in the cube root.
    ratio.cbrt().min(MAX_GROWTH) as f32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ecs::World;

    /// Expected fraction of the box that the cubes fill: n E[edge^3] / box.
    fn filled(cubes: u32) -> f32 {
        let mut stream = CubeGenerator::new(SceneSettings { cubes, seed: 3 });
        let volumes = (0..1000).map(|_| stream.single().transform.scale.0.powi(3));
        volumes.sum::<f32>() / 1000.0 * cubes as f32 / (2.0 * HALF_EXTENT).powi(3)
    }

    #[test]
    fn any_count_fills_the_same_fraction_of_the_box() {
        // E[edge^3] for a uniform edge of 0.8 to 2 m is (2^4 - 0.8^4) / (4 (2 - 0.8)) = 3.248 m3.
        let expected = 3.248 * 10_000.0 / 8e6;
        for cubes in [1_000, 10_000, 1_000_000] {
            assert!((filled(cubes) / expected - 1.0).abs() < 0.05, "{cubes}: {}", filled(cubes));
        }
    }

    #[test]
    fn cubes_are_in_the_box_with_gravity_in_range() {
        let mut stream = CubeGenerator::new(SceneSettings::default());
        for _ in 0..1000 {
            let Cube { transform, physics: Physics { body, gravity }, .. } = stream.single();
            assert!(transform.position.0.abs().max_element() <= HALF_EXTENT);
            assert!((0.8..=2.0).contains(&transform.scale.0));
            assert!(
                (-10.0..=-1.0).contains(&gravity.0.y) && gravity.0.x == 0.0 && gravity.0.z == 0.0
            );
            assert_eq!(body, RigidBody::default());
        }
    }

    #[test]
    fn cubes_of_a_cohort_differ_in_place_and_rotation_only() {
        assert_eq!([1, 14_999, 15_000, 1_000_000, MAX_CUBES].map(cohort), [1, 1, 2, 128, 256]);
        let mut generator = CubeGenerator::new(SceneSettings { cubes: 40_000, seed: 5 });
        let mut world = World::new();
        let anywhere: Vec<_> = (0..4000).map(|number| generator.anywhere(number)).collect();
        let spawned: Vec<_> = (0..4000).map(|_| world.spawn(())).collect();
        let top: Vec<_> = spawned.iter().map(|&cube| generator.replacement(cube)).collect();
        let next = spawned.iter().map(|&cube| world.respawn(cube, ()).unwrap());
        let next: Vec<_> = next.map(|cube| generator.replacement(cube)).collect();
        let fall = |cube: &Cube| {
            let Cube { transform, physics, .. } = cube;
            [transform.position.0.y, transform.scale.0, physics.gravity.0.y].map(f32::to_bits)
        };
        for cubes in [&anywhere, &top, &next] {
            let mut falls = BTreeSet::new();
            for cohort in cubes.chunks(4) {
                assert!(cohort.iter().all(|cube| fall(cube) == fall(&cohort[0])));
                falls.insert(fall(&cohort[0]));
            }
            assert!(falls.len() > 990, "cohorts differ: {}", falls.len());
            let own = |cube: &Cube| {
                let Transform { position: Position(at), rotation: Rotation(turn), .. } =
                    cube.transform;
                [at.x, at.z, turn.x, turn.w].map(f32::to_bits)
            };
            assert!(cubes.iter().map(own).collect::<BTreeSet<_>>().len() > 3990);
        }
        assert!(top.iter().zip(&next).all(|(one, other)| one != other), "generations differ");
    }

    #[test]
    fn replacements_depend_on_the_handle_only_and_fill_the_top_evenly() {
        let generator = CubeGenerator::new(SceneSettings::default());
        let mut world = World::new();
        let cubes: Vec<_> = (0..10_000).map(|_| world.spawn(())).collect();
        let top = |cube| generator.replacement(cube).transform.position.0;
        let mut mean = Vec3::ZERO;
        for &cube in cubes.iter().rev() {
            let at = top(cube);
            assert_eq!(at, top(cube));
            assert!(
                at.y.to_bits() == HALF_EXTENT.to_bits() && at.abs().max_element() <= HALF_EXTENT
            );
            mean += at / 10_000.0;
        }
        // The mean of n uniform numbers has a standard deviation of 200 / sqrt(12 n) = 0.58 m.
        assert!(mean.x.abs() < 2.5 && mean.z.abs() < 2.5, "{mean}");
        let next = world.respawn(cubes[0], ()).unwrap();
        assert_ne!(top(next), top(cubes[0]));
    }
}
