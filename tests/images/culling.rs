//! Culling keeps the image.

use cubefall::components::{Lens, Rotation};
use cubefall::frame;
use cubefall::render::{Culling, Geometry, Gpu, Image, Quality, RenderSettings, Size};
use cubefall::sim::{FallMode, SceneSettings, Simulation};
use glam::{DVec3, Quat, Vec3};

use crate::cases::{self, BLACK};
use crate::harness::{Harness, exact, gpu, pixel};
use crate::light::decoded;
use crate::moving::Random;
use crate::test_scene::TestScene;

const CULLED: Culling = Culling { frustum: true, small_below: 0.0 };
const SMALL: Culling = Culling { frustum: false, ..Culling::ON };

fn harness(gpu: &Gpu, quality: Quality, culling: Culling) -> Harness<'_> {
    Harness::new(gpu, RenderSettings { culling, ..exact(quality.effects()) })
}

#[test]
fn frustum_culling_changes_no_pixel() {
    let gpu = gpu();
    for quality in [Quality::Low, Quality::High] {
        let mut whole = harness(&gpu, quality, Culling::OFF);
        let mut culled = harness(&gpu, quality, CULLED);
        for case in cases::all() {
            let expected = whole.draw(&case.scene(), case.size);
            let drawn = culled.draw(&case.scene(), case.size);
            assert!(drawn == expected, "{}, {quality}", case.name);
        }
        // Among the cubes, in all directions.
        let settings = SceneSettings { cubes: 3000, seed: 2 };
        let simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        let size = Size::new(200, 150).unwrap();
        for turn in 0_u8..12 {
            let angle = f32::from(turn);
            let rotation = Quat::from_rotation_y(angle) * Quat::from_rotation_x(angle * 0.7);
            let mut scene = frame::scene_view(&simulation);
            scene.camera_position.0 = Vec3::new(10.0, -20.0, 30.0);
            scene.camera_rotation = Rotation(rotation);
            let expected = whole.draw(&scene, size);
            assert!(culled.draw(&scene, size) == expected, "turned by {angle}, {quality}");
            if culled.renderer.geometry() == Geometry::Pulled {
                let drawn = culled.renderer.draw_stats();
                assert!(drawn.full < 1500 && drawn.full > 20 && drawn.total == 3000, "{drawn:?}");
            }
        }
    }
}

/// Cubes of about a pixel, across the whole image and beyond its edges.
fn dust() -> (TestScene, Size) {
    let mut test_scene = TestScene { ground: -1e4, ..TestScene::default() };
    let mut random = Random(1);
    // Half of the view at a distance of 1 m is 0.466 m high.
    for _ in 0..12_000 {
        let distance = 100.0 + 100.0 * random.next();
        let [x, y] = [16.0 / 9.0, 1.0].map(|aspect| (random.next() * 2.2 - 1.1) * 0.466 * aspect);
        let edge = distance * 0.466 / 90.0 * (0.5 + 1.4 * random.next());
        let turned =
            Quat::from_scaled_axis(Vec3::new(random.next(), random.next(), random.next()) * 6.0);
        test_scene = test_scene.with(Vec3::new(x, y, -1.0) * distance, edge, turned, BLACK);
    }
    (test_scene, Size::new(320, 180).unwrap())
}

/// Largest difference of mean light in any of `blocks` by `blocks` blocks of two images;
/// 1 is the brightest.
fn apart(a: &Image, b: &Image, blocks: u32) -> f64 {
    let (width, height) = (a.size().width() / blocks, a.size().height() / blocks);
    let mean = |image: &Image, column: u32, row: u32| {
        let pixels = (0..width * height).map(|i| (i % width, i / width));
        let light = pixels.map(|(x, y)| {
            let pixel = pixel(image, column * width + x, row * height + y);
            decoded(pixel.map(f64::from))
        });
        light.sum::<DVec3>() / f64::from(width * height)
    };
    let places = (0..blocks).flat_map(|row| (0..blocks).map(move |column| (column, row)));
    let apart = places.map(|(column, row)| mean(a, column, row) - mean(b, column, row));
    apart.fold(0.0, |most, apart| most.max(apart.abs().max_element()))
}

/// Which pixels a cube of three pixels covers depends on its position, for a triangle as for a cube: the
/// fewer cubes in a block, the larger the difference. Of the light of the sky, about
/// 0.4, the dust absorbs a quarter.
#[test]
fn small_cubes_keep_the_mean_light_of_the_image() {
    let gpu = gpu();
    let (dust, size) = dust();
    let settings = SceneSettings { cubes: 40_000, seed: 2 };
    let simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
    for (name, scene) in [("dust", dust.scene()), ("simulation", frame::scene_view(&simulation))] {
        for quality in Quality::ALL {
            let exact = harness(&gpu, quality, Culling::OFF).draw(&scene, size);
            let mut harness = harness(&gpu, quality, SMALL);
            let drawn = harness.draw(&scene, size);
            if harness.renderer.geometry() == Geometry::Pulled {
                let small = harness.renderer.draw_stats().small;
                assert!(small > 8_000, "{small}");
            }
            // In screen space a cube darkens its neighbors more than a triangle parallel to the image.
            let whole = if quality == Quality::High { 0.012 } else { 0.006 };
            for (blocks, most) in [(1, whole), (4, 0.02), (8, 0.04)] {
                let apart = apart(&exact, &drawn, blocks);
                assert!(apart < most, "{name}, {quality}, {blocks}: {apart}");
            }
        }
    }
}

/// Cubes seen corner on, where they appear largest, in a row along the lower edge of the
/// image, `outside` of their edge lengths beyond it. Those across the edge are drawn in full, those
/// inside as small ones.
fn fringe(lens: Lens, aspect: f32, outside: f32) -> TestScene {
    let mut test_scene = TestScene { ground: -1e4, lens, ..TestScene::default() };
    let half_height = (lens.fov_y / 2.0).tan() * 100.0;
    // 12 pixels of 180.
    let edge = half_height / 7.5;
    for column in 0_u8..30 {
        let x = (f32::from(column) / 14.5 - 1.0) * half_height * aspect;
        let at = Vec3::new(x, -half_height - outside * edge, -100.0);
        let turned = Quat::from_rotation_arc(Vec3::ONE.normalize(), -at.normalize());
        test_scene = test_scene.with(at, edge, turned, BLACK);
    }
    test_scene
}

#[test]
fn every_cube_that_reaches_into_the_frame_is_drawn() {
    let gpu = gpu();
    let [mut all, mut visible] = [false, true]
        .map(|frustum| harness(&gpu, Quality::Medium, Culling { frustum, small_below: 16.0 }));
    for (degrees, width) in [(5_f32, 320), (50.0, 320), (50.0, 640), (110.0, 320)] {
        let lens = Lens { fov_y: degrees.to_radians(), ..Lens::default() };
        let size = Size::new(width, 180).unwrap();
        let empty = all.draw(&TestScene { lens, ..fringe(lens, 1.0, 1e3) }.scene(), size);
        let mut reaching = 0;
        for outside in [-1.3, -1.2, -1.1, -0.9, 0.0, 0.5, 0.7, 0.8, 0.84, 0.86, 0.9, 1.1] {
            let fringe = fringe(lens, size.aspect(), outside);
            let expected = all.draw(&fringe.scene(), size);
            let drawn = visible.draw(&fringe.scene(), size);
            assert!(drawn == expected, "{degrees} degrees, {size}, {outside} edges outside");
            reaching += usize::from(expected != empty);
        }
        assert!(reaching >= 7, "{reaching}");
    }
}
