//! The scenes whose images are compared.

use cubefall::components::{Color, EndlessField, Lens};
use cubefall::frame;
use cubefall::render::{SceneView, Size};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use glam::{Quat, Vec3};

use crate::test_scene::TestScene;

/// A scene and the size of its image.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) size: Size,
    source: Source,
}

enum Source {
    TestScene(TestScene),
    Simulation(Box<Simulation>),
}

impl Case {
    fn test_scene(name: &'static str, test_scene: TestScene) -> Self {
        Self { name, size: Size::new(320, 180).unwrap(), source: Source::TestScene(test_scene) }
    }

    fn simulation(name: &'static str, simulation: Simulation) -> Self {
        let source = Source::Simulation(Box::new(simulation));
        Self { name, size: Size::new(320, 180).unwrap(), source }
    }

    pub(crate) fn scene(&self) -> SceneView<'_> {
        match &self.source {
            Source::TestScene(test_scene) => test_scene.scene(),
            Source::Simulation(simulation) => frame::scene_view(simulation),
        }
    }
}

pub(crate) const RED: Color = Color::srgb(220, 40, 30);
pub(crate) const GREEN: Color = Color::srgb(60, 200, 80);
pub(crate) const BLUE: Color = Color::srgb(40, 70, 230);
pub(crate) const WHITE: Color = Color::srgb(255, 255, 255);
pub(crate) const BLACK: Color = Color::srgb(0, 0, 0);

/// All compared scenes.
pub(crate) fn all() -> Vec<Case> {
    vec![
        Case::simulation("cubes-fall", fallen(FallMode::Cubes, 150)),
        Case::simulation("camera-falls", fallen(FallMode::Camera, 240)),
        Case::test_scene("turned", turned()),
        Case::test_scene("overlapping", overlapping()),
        Case::test_scene("near", near()),
        Case::test_scene("inside", inside()),
        Case::test_scene("between faces", between_faces()),
        Case::test_scene("far", far()),
        Case::test_scene("clear", TestScene { fog: 5000.0, ..far() }),
        Case::test_scene("huge", huge()),
        Case::test_scene("tiny", tiny()),
        Case::test_scene("below the ground", below_the_ground()),
        Case::test_scene("shadows", shadows()),
        Case::test_scene("endless field", endless(1.0)),
        Case::test_scene("field begins", endless(0.3)),
        Case::test_scene("field appears", endless(0.7)),
        Case::test_scene("block", block()),
        Case::test_scene("emission", emission()),
        Case::test_scene("long shadows", long_shadows()),
        Case::test_scene("beyond the shadow map", beyond_the_shadow_map()),
        Case { size: Size::new(127, 203).unwrap(), ..Case::test_scene("upright", upright()) },
    ]
}

/// Two hundred cubes after some steps.
fn fallen(mode: FallMode, steps: u32) -> Simulation {
    let settings = SceneSettings { cubes: 200, seed: 5 };
    let mut simulation = Simulation::new(settings, mode).unwrap();
    for _ in 0..steps {
        simulation.step(TimeStep::default()).unwrap();
    }
    simulation
}

fn turn(x: f32, y: f32, z: f32) -> Quat {
    Quat::from_rotation_x(x) * Quat::from_rotation_y(y) * Quat::from_rotation_z(z)
}

fn turned() -> TestScene {
    TestScene::default()
        .with(Vec3::new(-6.0, 0.0, -20.0), 4.0, turn(0.3, 0.5, 0.1), RED)
        .with(Vec3::new(0.0, 2.0, -15.0), 3.0, turn(-0.4, 0.9, 0.7), GREEN)
        .with(Vec3::new(7.0, -3.0, -18.0), 5.0, turn(2.0, -1.2, 0.4), BLUE)
        .with(Vec3::new(2.0, -6.0, -25.0), 6.0, turn(1.1, 2.1, -2.2), WHITE)
        .with(Vec3::new(-9.0, 7.0, -30.0), 6.0, Quat::IDENTITY, BLACK)
        .with(Vec3::new(12.0, 8.0, -35.0), 8.0, turn(0.0, 0.8, 0.0), Color::srgb(128, 128, 128))
}

/// Cubes that intersect each other and the ground.
fn overlapping() -> TestScene {
    TestScene::default()
        .with(Vec3::new(-4.0, -2.0, -15.0), 5.0, turn(0.3, 0.5, 0.1), RED)
        .with(Vec3::new(-2.0, -1.0, -14.0), 4.0, turn(0.9, -0.5, 0.4), GREEN)
        .with(Vec3::new(-3.0, -1.5, -14.5), 5.5, turn(1.7, 0.2, -0.8), BLUE)
        .with(Vec3::new(6.0, -9.0, -22.0), 7.0, turn(0.6, 0.1, 0.5), WHITE)
        .with(Vec3::new(7.0, -8.0, -19.0), 5.0, turn(0.0, 0.6, 0.0), RED)
        .with(Vec3::new(-9.0, -10.0, -28.0), 8.0, turn(0.8, 0.6, 0.3), BLUE)
}

/// The near plane cuts off the corners of cubes.
fn near() -> TestScene {
    let lens = Lens { near: 1.0, ..Lens::default() };
    TestScene { lens, ..TestScene::default() }
        .with(Vec3::new(-0.9, 0.1, -1.9), 1.6, turn(0.5, 0.7, 0.2), RED)
        .with(Vec3::new(1.2, 0.3, -1.2), 1.3, turn(-0.3, 0.4, 0.9), GREEN)
        .with(Vec3::new(0.3, -0.9, -1.3), 1.0, Quat::IDENTITY, BLUE)
        .with(Vec3::new(0.0, 0.0, -12.0), 9.0, turn(0.2, 0.3, 0.1), WHITE)
}

/// The camera is inside two cubes.
fn inside() -> TestScene {
    TestScene::default()
        .with(Vec3::new(0.3, 0.2, 0.4), 6.0, turn(0.5, 0.7, 0.2), RED)
        .with(Vec3::new(-0.1, 0.0, -0.3), 2.0, turn(0.1, -0.2, 0.9), GREEN)
        .with(Vec3::new(2.0, 1.0, -9.0), 4.0, turn(0.4, 0.2, 0.0), BLUE)
}

/// The camera sees one or two faces of each cube, and some exactly from their edge.
fn between_faces() -> TestScene {
    let mut test_scene = TestScene::default();
    for (x, y) in [(-1.5, 0.0), (0.0, 0.0), (1.5, 0.0), (-1.5, 0.9), (0.0, 0.9), (1.5, -0.9)] {
        test_scene = test_scene.with(Vec3::new(x, y, -4.0), 0.8, Quat::IDENTITY, RED);
    }
    test_scene
        .with(Vec3::new(1.0, -1.6, -5.0), 2.0, Quat::IDENTITY, GREEN)
        .with(Vec3::new(-2.0, 2.0, -5.0), 4.0, Quat::IDENTITY, BLUE)
        .with(Vec3::new(6.0, 0.2, -4.0), 8.0, turn(0.0, 0.0, 0.05), WHITE)
        .with(Vec3::new(-6.0, -3.0, -12.0), 3.0, turn(0.0, 0.0, 0.8), Color::srgb(200, 180, 20))
}

/// Cubes fade into the fog.
fn far() -> TestScene {
    let mut test_scene = TestScene { ground: -60.0, extent: 100.0, ..TestScene::default() };
    for i in 0_u8..12 {
        let (distance, side) = (100.0 * 1.4_f32.powi(i.into()), f32::from(i) - 5.5);
        let at =
            Vec3::new(distance * side * 0.13, distance * 0.05 * (-1_f32).powi(i.into()), -distance);
        let turned = turn(f32::from(i), 0.4, 0.3 * f32::from(i));
        test_scene = test_scene.with(
            at,
            distance * 0.08,
            turned,
            [RED, GREEN, BLUE, WHITE][usize::from(i) % 4],
        );
    }
    test_scene
}

/// Cubes larger than the distance at which fog hides everything.
fn huge() -> TestScene {
    TestScene { extent: 2000.0, ..TestScene::default() }
        .with(Vec3::new(-1500.0, 0.0, -1200.0), 2000.0, turn(0.2, 0.5, 0.1), RED)
        .with(Vec3::new(900.0, 500.0, -900.0), 1000.0, turn(0.9, 0.5, 0.6), GREEN)
        .with(Vec3::new(0.0, 5200.0, 0.0), 10_000.0, Quat::IDENTITY, BLUE)
        .with(Vec3::new(3.0, 1.0, -9.0), 2.0, turn(0.1, 0.5, 0.6), WHITE)
}

/// Cubes of millimeters close to the camera, and one of 9 m.
fn tiny() -> TestScene {
    let mut test_scene =
        TestScene { lens: Lens { near: 0.01, ..Lens::default() }, ..TestScene::default() };
    for i in 0_u8..60 {
        let [x, y] = [i % 10, i / 10].map(f32::from);
        let at = Vec3::new((x - 4.5) * 0.03, (y - 2.5) * 0.03, -0.2 - 0.002 * f32::from(i));
        let edge = 0.001 + 0.0002 * f32::from(i);
        test_scene = test_scene.with(
            at,
            edge,
            turn(x, y, 0.5),
            [RED, GREEN, BLUE, WHITE][usize::from(i) % 4],
        );
    }
    test_scene.with(Vec3::new(5.0, 3.0, -30.0), 9.0, turn(0.3, 0.6, 0.1), WHITE)
}

/// The ground hides what is above it, and cubes reach down through it.
fn below_the_ground() -> TestScene {
    TestScene::default()
        .with(Vec3::new(-4.0, -12.0, -12.0), 3.0, turn(0.3, 0.5, 0.1), RED)
        .with(Vec3::new(3.0, -10.0, -14.0), 4.0, turn(0.8, 0.6, 0.3), GREEN)
        .with(Vec3::new(0.0, -5.0, -12.0), 4.0, turn(0.2, 0.6, 0.3), BLUE)
        .seen(Vec3::new(0.0, -16.0, 0.0), Vec3::new(0.0, -12.0, -12.0))
}

/// Cubes above, on and in the ground, in front of and above each other.
fn shadows() -> TestScene {
    TestScene::default()
        .with(Vec3::new(0.0, -7.5, 0.0), 5.0, Quat::IDENTITY, RED)
        .with(Vec3::new(0.5, -2.0, 0.5), 3.0, turn(0.0, 0.7, 0.0), GREEN)
        .with(Vec3::new(4.0, 5.0, 6.0), 4.0, turn(0.6, 0.3, 0.4), BLUE)
        .with(Vec3::new(-9.0, -10.0, 4.0), 4.0, turn(0.4, 0.8, 0.2), WHITE)
        .with(Vec3::new(-5.0, -6.5, 7.0), 2.0, turn(0.9, 0.1, 0.5), WHITE)
        .with(Vec3::new(10.0, -4.0, -6.0), 6.0, turn(1.2, 0.4, 0.7), GREEN)
        .seen(Vec3::new(14.0, 8.0, 24.0), Vec3::new(-1.0, -5.0, 0.0))
}

/// Cubes in a box of 40 m around the origin, which repeat around a camera far from it, with shadows.
fn endless(strength: f32) -> TestScene {
    let field = EndlessField { period: Vec3::new(40.0, 36.0, 40.0), strength };
    let mut test_scene = TestScene { ground: -1e4, extent: 20.0, ..TestScene::default() };
    for i in 0_u16..60 {
        let turned = f32::from(i);
        // Multiples of irrational numbers fill the box evenly.
        let at = Vec3::new(turned * 0.755, turned * 0.570, turned * 0.430);
        let at = (at - at.floor() - 0.5) * Vec3::new(40.0, 36.0, 40.0);
        let color = [RED, GREEN, BLUE, WHITE][usize::from(i) % 4];
        test_scene = test_scene.with(at, 1.0 + 0.05 * turned, turn(turned, 0.4, 0.3), color);
    }
    let seen = test_scene.seen(Vec3::new(14.0, -13.0, 17.0), Vec3::new(9.0, -20.0, 0.0));
    TestScene { field: Some(field), ..seen }
}

/// Cubes inside and outside of a block that absorbs light, and the ground under it.
fn block() -> TestScene {
    TestScene { extinction: 0.08, extent: 15.0, ground: -15.0, ..TestScene::default() }
        .with(Vec3::new(0.0, 0.0, 0.0), 4.0, turn(0.3, 0.5, 0.1), WHITE)
        .with(Vec3::new(-9.0, 11.0, 9.0), 4.0, turn(0.9, 0.2, 0.4), WHITE)
        .with(Vec3::new(10.0, -11.0, -9.0), 4.0, Quat::IDENTITY, RED)
        .with(Vec3::new(13.0, 13.0, 3.0), 4.0, turn(0.2, 0.9, 0.4), GREEN)
        .with(Vec3::new(-22.0, 5.0, 0.0), 4.0, turn(0.2, 0.9, 0.4), WHITE)
        .with(Vec3::new(0.0, 20.0, 0.0), 4.0, turn(0.5, 0.1, 0.4), BLUE)
        .seen(Vec3::new(20.0, 6.0, 48.0), Vec3::new(0.0, 0.0, 0.0))
}

/// Cubes that emit light, beside some that do not.
fn emission() -> TestScene {
    TestScene::default()
        .with(Vec3::new(-6.0, 0.0, -20.0), 4.0, turn(0.3, 0.5, 0.1), RED.with_emission(0.5))
        .with(Vec3::new(0.0, 2.0, -15.0), 3.0, turn(-0.4, 0.9, 0.7), GREEN.with_emission(2.0))
        .with(Vec3::new(7.0, -3.0, -18.0), 5.0, turn(2.0, -1.2, 0.4), BLUE.with_emission(16.0))
        .with(Vec3::new(2.0, -6.0, -25.0), 6.0, turn(1.1, 2.1, -2.2), WHITE)
}

/// A cube in an upper corner of the box casts its shadow far outside the box.
fn long_shadows() -> TestScene {
    TestScene { ground: -40.0, ..TestScene::default() }
        .with(Vec3::new(-30.0, 33.0, -32.0), 8.0, turn(0.4, 0.8, 0.2), RED)
        .with(Vec3::new(-36.0, -10.0, -30.0), 8.0, turn(0.2, 0.1, 0.9), GREEN)
        .seen(Vec3::new(-120.0, 30.0, 40.0), Vec3::new(-60.0, -25.0, -70.0))
}

/// A small shadow box, seen from a distance.
fn beyond_the_shadow_map() -> TestScene {
    TestScene { extent: 12.0, ..TestScene::default() }
        .with(Vec3::new(-8.0, 8.0, -8.0), 4.0, turn(0.4, 0.8, 0.2), RED)
        .with(Vec3::new(6.0, -2.0, 5.0), 4.0, turn(0.2, 0.1, 0.9), GREEN)
        .with(Vec3::new(60.0, 5.0, -30.0), 9.0, turn(0.2, 0.1, 0.9), BLUE)
        .with(Vec3::new(-70.0, -5.0, -60.0), 9.0, turn(0.2, 0.7, 0.1), WHITE)
        .seen(Vec3::new(20.0, 40.0, 90.0), Vec3::new(-10.0, -10.0, -20.0))
}

/// Wide field of view, portrait format with odd edges, camera tilted sideways.
fn upright() -> TestScene {
    let lens = Lens { fov_y: 110_f32.to_radians(), near: 0.1 };
    let test_scene =
        TestScene { lens, ..turned() }.seen(Vec3::new(3.0, 3.0, -5.0), Vec3::new(0.0, 0.0, -20.0));
    TestScene { rotation: test_scene.rotation * Quat::from_rotation_z(0.4), ..test_scene }
}
