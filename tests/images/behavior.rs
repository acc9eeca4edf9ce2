//! Properties of single images.

use std::collections::HashSet;

use cubefall::components::{Color, Position, Rotation};
use cubefall::frame;
use cubefall::render::{AmbientOcclusion, Effects, Gpu, Image, Quality, SceneView, Size};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use glam::{Quat, Vec3};

use crate::cases::{BLACK, BLUE, RED};
use crate::harness::{Harness, exact, gpu, pixel};
use crate::test_scene::TestScene;

/// Cubes and sky with fog.
const BARE: Effects = Effects {
    ground: false,
    fog: true,
    msaa: false,
    shadows: false,
    ao: AmbientOcclusion::Off,
    bloom: false,
    dither: false,
};

fn draw(gpu: &Gpu, scene: &SceneView<'_>) -> Image {
    Harness::new(gpu, exact(BARE)).draw(scene, Size::new(128, 128).unwrap())
}

/// A cube whose front face is 10 m away.
fn one(color: Color) -> TestScene {
    TestScene::default().with(Vec3::new(0.0, 0.0, -12.0), 4.0, Quat::IDENTITY, color)
}

fn sky(gpu: &Gpu) -> Image {
    draw(gpu, &TestScene::default().scene())
}

/// Fraction of pixels in which two images differ.
fn difference(a: &Image, b: &Image) -> f32 {
    let pixels = a.rgba().chunks(4).zip(b.rgba().chunks(4));
    pixels.filter(|(a, b)| a != b).count() as f32 / (a.rgba().len() / 4) as f32
}

/// The strongest channel: 0 red, 1 green, 2 blue.
fn strongest(pixel: [u8; 3]) -> usize {
    (0..3).max_by_key(|&channel| pixel[channel]).unwrap()
}

#[test]
fn the_sky_is_a_gradient_from_a_bright_horizon_to_a_blue_zenith() {
    let sky = sky(&gpu());
    let column: Vec<_> = (0..64).map(|y| pixel(&sky, 20, y)).collect();
    assert!(column.iter().all(|&pixel| strongest(pixel) == 2), "blue all the way up");
    assert!(column.windows(2).all(|rows| rows[0][0] <= rows[1][0]), "brighter towards the horizon");
    assert!(i32::from(column[63][0]) - i32::from(column[0][0]) > 30);
}

#[test]
fn a_cube_covers_the_area_of_its_perspective_projection() {
    let gpu = gpu();
    let image = draw(&gpu, &one(RED).scene());
    // Half of its front face is 2 m, and half of the view there is 10 tan 25 degrees = 4.663 m.
    let half = 2.0 / (10.0 * 25_f32.to_radians().tan()) * 64.0;
    let expected = (2.0 * half).powi(2) / (128.0 * 128.0);
    let covered = difference(&image, &sky(&gpu));
    assert!((covered - expected).abs() < 0.02, "{covered} instead of {expected}");
}

#[test]
fn red_green_and_blue_cubes_have_these_colors() {
    let gpu = gpu();
    for (color, channel) in
        [(Color::srgb(255, 0, 0), 0), (Color::srgb(0, 255, 0), 1), (Color::srgb(0, 0, 255), 2)]
    {
        let center = pixel(&draw(&gpu, &one(color).scene()), 64, 64);
        assert_eq!(strongest(center), channel, "{center:?}");
        assert!((0..3).all(|c| c == channel || center[c] < center[channel] / 2), "{center:?}");
    }
}

#[test]
fn a_lit_face_has_the_color_calculated_by_hand() {
    // The face is 10 m in front of the camera; its albedo is 0.578, 0.127, 0.0319; the cosine to the
    // key light is 0.5657, the ambient light 0.235, 0.28, 0.37, of which the fill light takes 18 %; fog takes
    // 0.03 %.
    let center = pixel(&draw(&gpu(), &one(Color::srgb(200, 100, 50)).scene()), 64, 64);
    let expected = [217, 115, 35];
    let off = center.iter().zip(expected).map(|(drawn, expected)| drawn.abs_diff(expected));
    assert!(off.max() <= Some(1), "{center:?} instead of {expected:?}");
}

#[test]
fn the_nearer_cube_hides_the_farther_in_either_order() {
    let gpu = gpu();
    let near = |test_scene: TestScene| {
        test_scene.with(Vec3::new(0.0, 0.0, -8.0), 2.0, Quat::IDENTITY, RED)
    };
    let far = |test_scene: TestScene| {
        test_scene.with(Vec3::new(0.0, 0.0, -16.0), 8.0, Quat::IDENTITY, BLUE)
    };
    let image = draw(&gpu, &far(near(TestScene::default())).scene());
    assert_eq!(strongest(pixel(&image, 64, 64)), 0);
    assert_eq!(strongest(pixel(&image, 34, 64)), 2);
    assert!(image == draw(&gpu, &near(far(TestScene::default())).scene()));
}

/// Converts -1 (left, top) to 1 into pixels of an image of 128 by 128.
#[expect(clippy::cast_sign_loss, reason = "the places asked for lie in the image")]
fn pixel_of(place: f32) -> u32 {
    (place * 64.0 + 64.0) as u32
}

#[test]
fn faces_are_lit_by_their_direction() {
    // Top, right and front face are visible; the key light comes from
    // above, right and behind the camera.
    let rotation = Quat::from_rotation_x(0.6) * Quat::from_rotation_y(-0.7);
    let center = Vec3::new(0.0, 0.0, -12.0);
    let test_scene = TestScene::default().with(center, 5.0, rotation, Color::srgb(200, 200, 200));
    let image = draw(&gpu(), &test_scene.scene());
    let brightness = |face: Vec3| {
        let at = center + rotation * face * 2.5;
        let edge = -at.z * 25_f32.to_radians().tan();
        let [x, y] = [at.x / edge, -at.y / edge].map(pixel_of);
        pixel(&image, x, y).map(u32::from).iter().sum::<u32>()
    };
    // Lambert's cosine.
    let key = Vec3::new(0.6, 1.0, 0.8).normalize();
    let mut faces = [Vec3::Y, Vec3::X, Vec3::NEG_X, Vec3::Z]
        .map(|face| ((rotation * face).dot(key), (rotation * face).z > 0.2, face));
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let seen: Vec<_> = faces
        .iter()
        .filter(|(_, visible, _)| *visible)
        .map(|(_, _, face)| brightness(*face))
        .collect();
    assert!(seen.len() >= 2 && seen.windows(2).all(|pair| pair[0] + 10 < pair[1]), "{seen:?}");
}

#[test]
fn distance_fades_into_the_sky() {
    let gpu = gpu();
    let behind = pixel(&sky(&gpu), 64, 64);
    let contrast = |distance: f32| {
        let at = Vec3::new(0.0, 0.0, -distance);
        let test_scene = TestScene::default().with(at, distance / 4.0, Quat::IDENTITY, BLACK);
        let pixel = pixel(&draw(&gpu, &test_scene.scene()), 64, 64);
        (0..3).map(|c| i32::from(pixel[c]).abs_diff(behind[c].into())).sum::<u32>()
    };
    let contrasts = [10.0, 300.0, 700.0, 2500.0].map(contrast);
    assert!(contrasts.windows(2).all(|pair| pair[0] > pair[1]), "{contrasts:?}");
    assert!(contrasts[3] <= 3, "{contrasts:?}");
}

#[test]
fn antialiased_edges_have_intermediate_colors() {
    let gpu = gpu();
    let black = TestScene::default().with(
        Vec3::new(0.0, 0.0, -12.0),
        4.0,
        Quat::from_rotation_z(0.2),
        BLACK,
    );
    let levels = |msaa| {
        let size = Size::new(128, 128).unwrap();
        let image = Harness::new(&gpu, exact(Effects { msaa, ..BARE })).draw(&black.scene(), size);
        let reds = image.rgba().chunks(4).map(|pixel| pixel[0]);
        reds.filter(|red| (30..120).contains(red)).count()
    };
    assert!(levels(true) > 50 && levels(false) == 0, "{} {}", levels(true), levels(false));
}

fn image_of(simulation: &Simulation, gpu: &Gpu) -> Image {
    let mut harness = Harness::new(gpu, exact(Quality::High.effects()));
    harness.draw(&frame::scene_view(simulation), Size::new(640, 360).unwrap())
}

#[test]
fn falling_cubes_change_the_image_and_have_thousands_of_colors() {
    let gpu = gpu();
    let mut simulation = Simulation::new(SceneSettings::default(), FallMode::Cubes).unwrap();
    let before = image_of(&simulation, &gpu);
    let colors: HashSet<_> =
        before.rgba().chunks(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    // Each visible face of each cube has a color of its own, up to fog and shadow.
    assert!(colors.len() > 5000, "{}", colors.len());
    for _ in 0..60 {
        simulation.step(TimeStep::default()).unwrap();
    }
    let after = image_of(&simulation, &gpu);
    assert!(difference(&before, &after) > 0.4, "{}", difference(&before, &after));
    assert!(after == image_of(&simulation, &gpu), "the same state is the same image");
}

/// Positions and rotations.
fn cubes(simulation: &Simulation) -> (Vec<Position>, Vec<Rotation>) {
    (simulation.cubes().slice().to_vec(), simulation.cubes().slice().to_vec())
}

#[test]
fn in_camera_mode_the_image_changes_and_no_cube_moves() {
    let gpu = gpu();
    let mut simulation = Simulation::new(SceneSettings::default(), FallMode::Camera).unwrap();
    // The first step applies the controls to the camera.
    simulation.step(TimeStep::default()).unwrap();
    let (before, cubes) = (image_of(&simulation, &gpu), cubes(&simulation));
    for _ in 0..60 {
        simulation.step(TimeStep::default()).unwrap();
    }
    assert_eq!(self::cubes(&simulation), cubes);
    assert!(difference(&before, &image_of(&simulation, &gpu)) > 0.4);
}
