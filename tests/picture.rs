//! What the renderer draws, on whatever adapter there is.

#![cfg(feature = "render")]

use cubefall::components::{Color, Lens, Transform};
use cubefall::frame;
use cubefall::render::{Gpu, Image, OffscreenTarget, RenderError, Renderer, Scene, Size};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use glam::{Quat, Vec3};

fn gpu() -> Gpu {
    pollster::block_on(Gpu::headless())
        .unwrap_or_else(|error| panic!("{error}\nSet up this machine with: ./setup.sh --tests"))
}

fn draw(gpu: &Gpu, size: Size, scene: &Scene<'_>) -> Image {
    let target = OffscreenTarget::new(gpu, size).unwrap();
    let mut renderer = Renderer::new(gpu, OffscreenTarget::FORMAT);
    renderer.prepare(gpu, scene, size).unwrap();
    let image = target.draw(gpu, &renderer).unwrap();
    gpu.check().unwrap();
    image
}

fn square() -> Size {
    Size::new(128, 128).unwrap()
}

/// The camera at the origin sees these cubes.
fn scene<'a>(transforms: &'a [Transform], colors: &'a [Color]) -> Scene<'a> {
    let camera = Transform::at(Vec3::ZERO);
    Scene { camera, lens: Lens::default(), transforms, colors, colors_revision: 0 }
}

fn cube(position: Vec3, scale: f32, rotation: Quat) -> Transform {
    Transform { position, scale, rotation }
}

fn sky(gpu: &Gpu) -> Image {
    draw(gpu, square(), &scene(&[], &[]))
}

/// Share of the pixels in which two pictures differ.
fn difference(a: &Image, b: &Image) -> f32 {
    let pixels = a.rgba().chunks(4).zip(b.rgba().chunks(4));
    pixels.filter(|(a, b)| a != b).count() as f32 / (a.rgba().len() / 4) as f32
}

/// The channels from the strongest to the weakest: 0 red, 1 green, 2 blue.
fn strongest(pixel: [u8; 3]) -> usize {
    (0..3).max_by_key(|&channel| pixel[channel]).unwrap()
}

#[test]
fn the_sky_is_a_gradient_from_a_bright_horizon_to_a_blue_zenith() {
    let sky = sky(&gpu());
    let column: Vec<_> = (0..64).map(|y| sky.pixel(20, y).unwrap()).collect();
    assert!(column.iter().all(|&pixel| strongest(pixel) == 2), "blue all the way up");
    assert!(column.windows(2).all(|rows| rows[0][0] <= rows[1][0]), "brighter towards the horizon");
    assert!(i32::from(column[63][0]) - i32::from(column[0][0]) > 30);
}

#[test]
fn a_cube_covers_the_pixels_that_perspective_says() {
    let gpu = gpu();
    // Its front face lies at a distance of 10 m: half of it is 2 m, and half of the view there is
    // 10 tan 25 degrees = 4.663 m.
    let transforms = [cube(Vec3::new(0.0, 0.0, -12.0), 4.0, Quat::IDENTITY)];
    let picture = draw(&gpu, square(), &scene(&transforms, &[Color::srgb(255, 0, 0)]));
    let half = 2.0 / (10.0 * 25_f32.to_radians().tan()) * 64.0;
    let expected = (2.0 * half).powi(2) / (128.0 * 128.0);
    let covered = difference(&picture, &sky(&gpu));
    assert!((covered - expected).abs() < 0.02, "{covered} instead of {expected}");
    let center = picture.pixel(64, 64).unwrap();
    assert!(center[0] > 60 && center[1] < center[0] / 3 && center[2] < center[0] / 3, "{center:?}");
}

#[test]
fn colours_come_out_as_they_went_in() {
    let gpu = gpu();
    for (color, channel) in
        [(Color::srgb(255, 0, 0), 0), (Color::srgb(0, 255, 0), 1), (Color::srgb(0, 0, 255), 2)]
    {
        let transforms = [cube(Vec3::new(0.0, 0.0, -12.0), 4.0, Quat::IDENTITY)];
        let center = draw(&gpu, square(), &scene(&transforms, &[color])).pixel(64, 64).unwrap();
        assert_eq!(strongest(center), channel, "{center:?}");
    }
}

/// Decodes sRGB (IEC 61966-2-1), for one channel from 0 to 1.
fn to_linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

fn to_srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[test]
fn a_lit_face_has_the_colour_that_the_lighting_formula_gives() {
    let color = [200_u8, 100, 50];
    let transforms = [cube(Vec3::new(0.0, 0.0, -12.0), 4.0, Quat::IDENTITY)];
    let [r, g, b] = color;
    let picture = draw(&gpu(), square(), &scene(&transforms, &[Color::srgb(r, g, b)]));
    let pixel = picture.pixel(64, 64).unwrap();
    // The face looks at the camera from 10 m: normal +Z, and behind it the sky at the horizon.
    let key_cosine = 0.8 / (0.6_f64 * 0.6 + 1.0 + 0.8 * 0.8).sqrt();
    let fog = 1.0 - (-(10.0_f64 / 250.0).powi(2)).exp();
    for channel in 0..3 {
        let key = [1.15, 1.02, 0.84][channel] * key_cosine;
        let ambient = f64::midpoint([0.06, 0.055, 0.07][channel], [0.20, 0.26, 0.38][channel]);
        let horizon = [0.50, 0.66, 0.84][channel];
        let lit = to_linear(f64::from(color[channel]) / 255.0) * (key + ambient);
        let expected = to_srgb(lit * (1.0 - fog) + horizon * fog) * 255.0;
        let drawn = f64::from(pixel[channel]);
        assert!((drawn - expected).abs() <= 2.0, "channel {channel}: {drawn}, not {expected}");
    }
}

#[test]
fn the_nearer_cube_hides_the_farther_in_either_order() {
    let gpu = gpu();
    let near = cube(Vec3::new(0.0, 0.0, -8.0), 2.0, Quat::IDENTITY);
    let far = cube(Vec3::new(0.0, 0.0, -16.0), 8.0, Quat::IDENTITY);
    let (red, blue) = (Color::srgb(255, 0, 0), Color::srgb(0, 0, 255));
    let one = draw(&gpu, square(), &scene(&[near, far], &[red, blue]));
    let other = draw(&gpu, square(), &scene(&[far, near], &[blue, red]));
    assert_eq!(strongest(one.pixel(64, 64).unwrap()), 0);
    assert_eq!(strongest(one.pixel(34, 64).unwrap()), 2);
    assert!(one == other);
}

/// The pixel of a `square` picture at a place from -1 (left, top) to 1.
#[expect(clippy::cast_sign_loss, reason = "the places asked for lie in the picture")]
fn pixel_of(place: f32) -> u32 {
    (place * 64.0 + 64.0) as u32
}

#[test]
fn faces_are_lit_by_their_direction() {
    let gpu = gpu();
    // Turned so that its top, its right and its front face are seen; the key light comes from
    // above, right and behind the camera.
    let rotation = Quat::from_rotation_x(0.6) * Quat::from_rotation_y(-0.7);
    let transforms = [cube(Vec3::new(0.0, 0.0, -12.0), 5.0, rotation)];
    let picture = draw(&gpu, square(), &scene(&transforms, &[Color::srgb(200, 200, 200)]));
    let brightness = |face: Vec3| {
        let at = transforms[0].position + rotation * face * 2.5;
        let edge = -at.z * 25_f32.to_radians().tan();
        let [x, y] = [at.x / edge, -at.y / edge].map(pixel_of);
        picture.pixel(x, y).unwrap().map(u32::from).iter().sum::<u32>()
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
    let behind = sky(&gpu).pixel(64, 64).unwrap();
    let contrast = |distance: f32| {
        let transforms = [cube(Vec3::new(0.0, 0.0, -distance), distance / 4.0, Quat::IDENTITY)];
        let picture = draw(&gpu, square(), &scene(&transforms, &[Color::srgb(0, 0, 0)]));
        let pixel = picture.pixel(64, 64).unwrap();
        (0..3).map(|c| i32::from(pixel[c]).abs_diff(behind[c].into())).sum::<u32>()
    };
    let contrasts = [10.0, 150.0, 400.0, 1500.0].map(contrast);
    assert!(contrasts.windows(2).all(|pair| pair[0] > pair[1]), "{contrasts:?}");
    assert!(contrasts[3] <= 3, "{contrasts:?}");
}

fn picture_of(simulation: &Simulation, gpu: &Gpu) -> Image {
    draw(gpu, Size::new(640, 360).unwrap(), &frame::scene(simulation))
}

#[test]
fn thousands_of_cubes_in_all_colours_fall_past() {
    let gpu = gpu();
    let mut simulation = Simulation::new(SceneSettings::default(), FallMode::Cubes).unwrap();
    let before = picture_of(&simulation, &gpu);
    let colors: std::collections::HashSet<_> =
        before.rgba().chunks(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    // Each visible face of each cube has a colour of its own, up to fog.
    assert!(colors.len() > 5000, "{}", colors.len());
    for channel in 0..3 {
        let strong = before.rgba().chunks(4).filter(|p| strongest([p[0], p[1], p[2]]) == channel);
        assert!(strong.count() > 640 * 360 / 20, "channel {channel} is rare");
    }
    for _ in 0..60 {
        simulation.step(TimeStep::default()).unwrap();
    }
    let after = picture_of(&simulation, &gpu);
    assert!(difference(&before, &after) > 0.4, "{}", difference(&before, &after));
    assert!(after == picture_of(&simulation, &gpu), "the same state is the same picture");
}

#[test]
fn in_camera_mode_the_picture_moves_though_no_cube_does() {
    let gpu = gpu();
    let mut simulation = Simulation::new(SceneSettings::default(), FallMode::Camera).unwrap();
    let (before, cubes) = (picture_of(&simulation, &gpu), simulation.transforms().to_vec());
    for _ in 0..60 {
        simulation.step(TimeStep::default()).unwrap();
    }
    assert_eq!(simulation.transforms(), cubes);
    assert!(difference(&before, &picture_of(&simulation, &gpu)) > 0.4);
}

#[test]
fn one_renderer_follows_changing_counts_and_colours() {
    let gpu = gpu();
    let target = OffscreenTarget::new(&gpu, square()).unwrap();
    let mut renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT);
    let row = |count: usize| -> Vec<Transform> {
        (0..count)
            .map(|i| cube(Vec3::new(0.0, 0.0, -12.0 - i as f32), 4.0, Quat::IDENTITY))
            .collect()
    };
    // The second count is above the first capacity of the instance buffers.
    for (revision, (count, color)) in [
        (1, Color::srgb(255, 0, 0)),
        (3000, Color::srgb(0, 255, 0)),
        (2, Color::srgb(0, 0, 255)),
        (0, Color::srgb(0, 0, 0)),
    ]
    .into_iter()
    .enumerate()
    {
        let (transforms, colors) = (row(count), vec![color; count]);
        let scene = Scene { colors_revision: revision as u64, ..scene(&transforms, &colors) };
        renderer.prepare(&gpu, &scene, square()).unwrap();
        let reused = target.draw(&gpu, &renderer).unwrap();
        assert!(reused == draw(&gpu, square(), &scene), "{count} cubes");
    }
}

#[test]
fn what_the_device_cannot_hold_is_refused_with_what_it_can() {
    let gpu = gpu();
    let Err(RenderError::TooManyCubes { asked, largest }) = gpu.check_capacity(usize::MAX) else {
        panic!("more cubes than memory has bytes were accepted")
    };
    assert_eq!(asked, usize::MAX);
    assert!(largest > 1_000_000 && gpu.check_capacity(largest as usize).is_ok());
    assert!(gpu.check_capacity(largest as usize + 1).is_err());
}
