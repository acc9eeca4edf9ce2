//! Cubes with evaluated motion, and the same cubes evaluated on the CPU.

use cubefall::components::{
    Acceleration, AngularVelocity, Epoch, EvaluatedMotion, Gravity, Position, Rotation, Velocity,
};
use cubefall::render::{Geometry, Gpu, Image, Quality, RenderSettings, SceneView, Size};
use glam::{DQuat, DVec3, Quat, Vec3};

use crate::cases::{BLUE, GREEN, RED, WHITE};
use crate::harness::{Harness, exact};
use crate::test_scene::{TestScene, next_revision};

const GRAVITY_FACTOR: f32 = 1.5;
const SPIN_FACTOR: f32 = 0.5;

/// Cubes with their motion; the last ones are still.
pub(crate) struct Moving {
    pub(crate) test_scene: TestScene,
    pub(crate) velocities: Vec<Velocity>,
    pub(crate) accelerations: Vec<Acceleration>,
    pub(crate) gravities: Vec<Gravity>,
    pub(crate) angular_velocities: Vec<AngularVelocity>,
    pub(crate) epochs: Vec<Epoch>,
    pub(crate) now: u32,
}

/// Numbers from 0 to 1, the same in every run.
pub(crate) struct Random(pub(crate) u32);

impl Random {
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / 2_f32.powi(24)
    }

    /// Each coordinate from -1 to 1.
    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * 2.0 - 1.0
    }
}

impl Moving {
    /// `count` cubes in front of the camera: nine of ten move, eight of ten spin. Times wrap between the
    /// epochs and now.
    pub(crate) fn new(count: usize, edge: f32) -> Self {
        let now = 100_000;
        let mut moving = Self {
            test_scene: TestScene { ground: -25.0, ..TestScene::default() }
                .seen(Vec3::new(5.0, 8.0, 60.0), Vec3::ZERO),
            velocities: Vec::new(),
            accelerations: Vec::new(),
            gravities: Vec::new(),
            angular_velocities: Vec::new(),
            epochs: Vec::new(),
            now,
        };
        let mut random = Random(7);
        for cube in 0..count {
            let color = [RED, GREEN, BLUE, WHITE][cube % 4];
            let turned = Quat::from_scaled_axis(random.vector() * 3.0);
            let at = random.vector() * 20.0;
            let edge = edge * (0.5 + random.next());
            moving.test_scene = moving.test_scene.with(at, edge, turned, color);
            if cube < count * 9 / 10 {
                moving.accelerations.push(Acceleration(random.vector()));
                moving.gravities.push(Gravity(Vec3::NEG_Y * 9.81 * random.next()));
                let age = random.next() * 6.0 - 1.0;
                moving.epochs.push(Epoch(now.wrapping_sub((age * 65536.0) as i32 as u32)));
                // About where it was after this time, so that it stays in view.
                let fall = moving.gravities[cube].0 * GRAVITY_FACTOR * (0.5 * age);
                moving.velocities.push(Velocity(random.vector() - fall));
            }
            if cube < count * 8 / 10 {
                moving.angular_velocities.push(AngularVelocity(random.vector() * 20.0));
            }
        }
        moving
    }

    pub(crate) fn view(&self) -> SceneView<'_> {
        let motion = EvaluatedMotion {
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            gravities: &self.gravities,
            angular_velocities: &self.angular_velocities,
            epochs: &self.epochs,
            gravity_factor: GRAVITY_FACTOR,
            spin_factor: SPIN_FACTOR,
            now: self.now,
        };
        SceneView { motion: Some(motion), ..self.test_scene.scene() }
    }

    /// The scene without motion, with positions and rotations of now, computed in `f64`.
    pub(crate) fn evaluated(&self) -> TestScene {
        let (positions, rotations) = evaluated_in_f64(&self.view());
        let TestScene { scales, colors, .. } = &self.test_scene;
        let (scales, colors, revision) = (scales.clone(), colors.clone(), next_revision());
        TestScene { revision, positions, rotations, scales, colors, ..self.test_scene }
    }
}

/// Returns positions and rotations of now in a view with evaluated motion, computed in `f64`.
pub(crate) fn evaluated_in_f64(view: &SceneView<'_>) -> (Vec<Position>, Vec<Rotation>) {
    let motion = view.motion.expect("evaluated motion");
    let mut positions = view.positions.values.to_vec();
    let mut rotations = view.rotations.values.to_vec();
    for (cube, epoch) in motion.epochs.iter().enumerate() {
        let age = f64::from(motion.now.wrapping_sub(epoch.0).cast_signed()) / 65536.0;
        let wide = |v: Vec3| v.as_dvec3();
        let gravity = wide(motion.gravities[cube].0) * f64::from(motion.gravity_factor);
        let acceleration = wide(motion.accelerations[cube].0) + gravity;
        let path = wide(motion.velocities[cube].0) * age + acceleration * (0.5 * age * age);
        positions[cube] = Position((wide(positions[cube].0) + path).as_vec3());
        if let Some(spin) = motion.angular_velocities.get(cube) {
            let angle: DVec3 = wide(spin.0) * f64::from(motion.spin_factor) * age;
            let turn = DQuat::from_scaled_axis(angle);
            rotations[cube] = Rotation((turn * rotations[cube].0.as_dquat()).as_quat());
        }
    }
    (positions, rotations)
}

pub(crate) fn size() -> Size {
    Size::new(320, 180).unwrap()
}

pub(crate) fn harness(gpu: &Gpu, geometry: Geometry, quality: Quality) -> Harness<'_> {
    Harness::new(gpu, RenderSettings { geometry, ..exact(quality.effects()) })
}

/// Asserts that two images differ by rounding only: at edges of cubes.
pub(crate) fn assert_alike(name: &str, drawn: &Image, expected: &Image) {
    assert_within(name, drawn, expected, 0.001);
}

/// Asserts that two images differ little, and visibly in no more than a share of the pixels.
pub(crate) fn assert_within(name: &str, drawn: &Image, expected: &Image, allowed: f64) {
    let channels = drawn.rgba().iter().zip(expected.rgba());
    let sum: u32 = channels.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    let mean = f64::from(sum) / drawn.rgba().len() as f64;
    let pixels = drawn.rgba().chunks(4).zip(expected.rgba().chunks(4));
    let apart = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8)).count();
    let share = apart as f64 * 4.0 / drawn.rgba().len() as f64;
    println!("{name}: mean difference {mean:.4}, {:.4} % of the pixels", share * 100.0);
    assert!(mean < 0.5 && share <= allowed, "{name}: mean {mean}, {share} of the pixels");
}
