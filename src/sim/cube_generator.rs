//! Scene: which cubes there are at the start, and which come after them.

use glam::Vec3;

use super::bundles::{Cube, Physics};
use super::random::RandomStream;
use crate::components::{Color, Gravity, Position, RigidBody, Rotation, Scale, Transform};
#[cfg(feature = "scenes")]
use crate::scenes::{
    ColorSpec, Count, Distribution, GravitySpec, Interval, Quantity, RandomColor, RandomKeyword,
    RandomNumber, Respawn, RotationSpec, Template, Vector,
};

/// The cubes fill the box of plus and minus this length about the origin, in m; its bottom is the
/// floor.
pub const HALF_EXTENT: f32 = 100.0;

/// Count for which the edge lengths of [`EDGE`] hold; for another one the cubes shrink or grow so
/// that the share of the box they fill stays about the same.
const REFERENCE_CUBES: f64 = 10_000.0;

/// Shortest and longest edge at the reference count, in m.
const EDGE: [f32; 2] = [3.0, 5.0];

/// However few the cubes, none is longer than four times the reference, so that the first one does
/// not fill the view.
const LARGEST_GROWTH: f64 = 4.0;

/// Slowest and fastest fall of a cube, in m/s2.
const GRAVITY: [f32; 2] = [1.0, 10.0];

/// Saturation and value of the colours, of any hue.
const SATURATION: [f32; 2] = [0.45, 0.85];
const VALUE: [f32; 2] = [0.75, 1.0];

/// The random stream of the cubes that people drop; the first ones are those of templates.
const DROPPED: u64 = u64::MAX;
/// The random stream of the cubes that are added to a scene file.
#[cfg(feature = "scenes")]
const ADDED: u64 = u64::MAX - 1;

/// Most cubes of a scene; what a machine can really hold is found out when they are made.
pub const MAX_CUBES: u32 = 100_000_000;

/// What makes one scene differ from another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SceneSettings {
    /// How many cubes.
    pub cubes: u32,
    /// Start of the random stream; the same seed gives the same scene on every platform.
    pub seed: u64,
}

impl Default for SceneSettings {
    /// The classic one: 10,000 cubes, seed 1.
    fn default() -> Self {
        Self { cubes: 10_000, seed: 1 }
    }
}

#[cfg(feature = "scenes")]
impl SceneSettings {
    /// Returns the template of all cubes of the classic scene, for a scene file that lists them.
    pub(super) fn template(self) -> Template {
        let growth = growth(self.cubes);
        Template {
            count: Some(Count(0)),
            name: None,
            position: Vector::Axes(std::array::from_fn(|_| uniform([-HALF_EXTENT, HALF_EXTENT]))),
            rotation: Some(RotationSpec::Random(RandomKeyword::Random)),
            scale: Some(uniform(EDGE.map(|edge| edge * growth))),
            color: Some(ColorSpec::Random(RandomColor::Hsv([
                uniform([0.0, 1.0]),
                uniform(SATURATION),
                uniform(VALUE),
            ]))),
            velocity: None,
            acceleration: None,
            gravity: Some(GravitySpec::Down(uniform(GRAVITY))),
            respawn: Respawn::Top,
        }
    }
}

#[cfg(feature = "scenes")]
fn uniform<Q: Quantity>(bounds: [f32; 2]) -> Distribution<Q> {
    let [low, high] = bounds.map(Q::clamped);
    Distribution::Random(RandomNumber::Uniform(Interval(low, high)))
}

/// The random stream of cubes of one scene.
#[derive(Clone)]
pub(super) struct CubeGenerator {
    settings: SceneSettings,
    random: RandomStream,
    growth: f32,
}

impl CubeGenerator {
    pub(super) fn new(settings: SceneSettings) -> Self {
        Self { settings, random: RandomStream::new(settings.seed), growth: growth(settings.cubes) }
    }

    /// How far the stream is drawn.
    #[cfg(feature = "snapshot")]
    pub(super) fn position(&self) -> u128 {
        self.random.position()
    }

    /// The same stream, drawn so far.
    #[cfg(feature = "snapshot")]
    pub(super) fn at(self, position: u128) -> Self {
        Self { random: self.random.at(position), ..self }
    }

    /// What it is the stream of.
    pub(super) fn settings(&self) -> SceneSettings {
        self.settings
    }

    /// Further cubes are as large as suits a scene of so many.
    pub(super) fn set_cubes(&mut self, cubes: u32) {
        self.settings.cubes = cubes;
        self.growth = growth(cubes);
    }

    /// Cubes of the same kind, but others: to take some of these changes nothing about the scene.
    pub(super) fn dropped(settings: SceneSettings) -> Self {
        Self { random: RandomStream::numbered(settings.seed, DROPPED), ..Self::new(settings) }
    }

    /// Cubes of the same kind for the scene of a file, whose templates have the first streams.
    #[cfg(feature = "scenes")]
    pub(super) fn added(settings: SceneSettings) -> Self {
        Self { random: RandomStream::numbered(settings.seed, ADDED), ..Self::new(settings) }
    }

    /// The next cube, at rest anywhere in the box.
    pub(super) fn anywhere(&mut self) -> Cube {
        let random = &mut self.random;
        let position = Position(random.in_box(HALF_EXTENT));
        let scale = Scale(random.between(EDGE[0], EDGE[1]) * self.growth);
        let rotation = Rotation(random.rotation());
        let hue = random.unit();
        let [saturation, value] = [SATURATION, VALUE].map(|[low, high]| random.between(low, high));
        let color = Color::from_hsv(hue, saturation, value);
        let fall = random.between(GRAVITY[0], GRAVITY[1]);
        Cube {
            transform: Transform { position, rotation, scale },
            color,
            physics: Physics {
                body: RigidBody::default(),
                gravity: Gravity(Vec3::new(0.0, -fall, 0.0)),
            },
        }
    }

    /// The next cube, at rest at the top of the box.
    pub(super) fn at_the_top(&mut self) -> Cube {
        let mut cube = self.anywhere();
        cube.transform.position.0.y = HALF_EXTENT;
        cube
    }
}

/// How much longer the edges of so many cubes are than those of [`REFERENCE_CUBES`].
fn growth(cubes: u32) -> f32 {
    let share = REFERENCE_CUBES / f64::from(cubes.max(1));
    // In f64: what platforms may differ by in the cube root is lost in rounding.
    share.cbrt().min(LARGEST_GROWTH) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected share of the box that the cubes fill: n E[edge^3] / box.
    fn filled(cubes: u32) -> f32 {
        let mut stream = CubeGenerator::new(SceneSettings { cubes, seed: 3 });
        let volumes = (0..1000).map(|_| stream.anywhere().transform.scale.0.powi(3));
        volumes.sum::<f32>() / 1000.0 * cubes as f32 / (2.0 * HALF_EXTENT).powi(3)
    }

    #[test]
    fn the_box_keeps_its_density_at_any_count() {
        // E[edge^3] for a uniform edge of 3 to 5 m is (5^4 - 3^4) / (4 (5 - 3)) = 68 m3.
        let expected = 68.0 * 10_000.0 / 8e6;
        for cubes in [1_000, 10_000, 1_000_000] {
            assert!((filled(cubes) / expected - 1.0).abs() < 0.05, "{cubes}: {}", filled(cubes));
        }
    }

    #[test]
    fn cubes_lie_in_the_box_and_fall_at_their_own_rate() {
        let mut stream = CubeGenerator::new(SceneSettings::default());
        for _ in 0..1000 {
            let Cube { transform, physics: Physics { body, gravity }, .. } = stream.anywhere();
            assert!(transform.position.0.abs().max_element() <= HALF_EXTENT);
            assert!((3.0..=5.0).contains(&transform.scale.0));
            assert!(
                (-10.0..=-1.0).contains(&gravity.0.y) && gravity.0.x == 0.0 && gravity.0.z == 0.0
            );
            assert_eq!(body, RigidBody::default());
        }
        let top = stream.at_the_top().transform.position.0;
        assert!(top.y.to_bits() == HALF_EXTENT.to_bits() && top.x.abs() <= HALF_EXTENT);
    }
}
