//! Partial uploads give the same image as a complete one.

use cubefall::components::{Color, Position};
use cubefall::frame;
use cubefall::render::{Gpu, Image, OffscreenTarget, Quality, SceneView, Size, Streaming};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use glam::{Quat, Vec3};

use crate::cases::{BLUE, GREEN, RED};
use crate::harness::{Harness, exact, streaming_gpu};
use crate::test_scene::{TestScene, next_revision};

fn gpus() -> Vec<Gpu> {
    Streaming::ALL.into_iter().filter_map(|way| streaming_gpu(Some(way))).collect()
}

fn size() -> Size {
    Size::new(240, 135).unwrap()
}

fn harness(gpu: &Gpu) -> Harness<'_> {
    Harness::new(gpu, exact(Quality::Low.effects()))
}

/// Drawn by a new renderer.
fn drawn_afresh(gpu: &Gpu, scene: &SceneView<'_>) -> Image {
    harness(gpu).draw(scene, size())
}

#[test]
fn after_hundreds_of_frames_the_image_equals_that_of_a_new_renderer() {
    let mut images_per_gpu: Vec<Vec<Image>> = Vec::new();
    for gpu in gpus() {
        let settings = SceneSettings { cubes: 3000, seed: 4 };
        let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        let mut harness = harness(&gpu);
        let mut images = Vec::new();
        let (mut partly, mut whole) = (0, 0);
        let mut colors_seen = None;
        for frame in 1..=600 {
            simulation.step(TimeStep::default()).unwrap();
            match frame {
                200 | 450 => simulation.set_mode(FallMode::Camera).unwrap(),
                300 | 500 => simulation.set_mode(FallMode::Cubes).unwrap(),
                _ => {}
            }
            let scene = frame::scene_view(&simulation);
            if frame % 3 == 0 {
                // Some are read back, others are drawn while the GPU still reads the one before.
                if frame % 60 == 0 {
                    let image = harness.draw(&scene, size());
                    let name = format!("frame {frame}, {}", gpu.streaming().name());
                    assert!(image == drawn_afresh(&gpu, &scene), "{name}");
                    images.push(image);
                } else {
                    harness.submit(&scene, &OffscreenTarget::new(&gpu, size()).unwrap());
                }
                let colors = scene.colors;
                match colors_seen.replace(colors.latest) {
                    Some(seen) if seen == colors.latest => {}
                    Some(seen) if colors.latest - seen <= colors.recent.len() as u64 => partly += 1,
                    _ => whole += 1,
                }
            }
        }
        assert!(partly > 50, "{partly} partial updates of the colors, {whole} complete ones");
        images_per_gpu.push(images);
    }
    assert!(images_per_gpu.iter().all(|images| images.len() == 10 && *images == images_per_gpu[0]));
}

#[test]
fn one_renderer_draws_changing_counts_sizes_and_colors() {
    let row = |count: u16, color| {
        (0..count).fold(TestScene::default(), |test_scene, i| {
            let at = Vec3::new(0.0, 0.0, -12.0 - f32::from(i));
            test_scene.with(at, 4.0, Quat::from_rotation_y(0.1 * f32::from(i)), color)
        })
    };
    for gpu in gpus() {
        let mut harness = harness(&gpu);
        // The third count is above the first capacity of the instance buffers.
        for (count, color, height) in
            [(0, RED, 100), (1, RED, 100), (3000, GREEN, 90), (2, BLUE, 100), (0, RED, 90)]
        {
            let test_scene = row(count, color);
            let size = Size::new(100, height).unwrap();
            let drawn = harness.draw(&test_scene.scene(), size);
            let afresh = self::harness(&gpu).draw(&test_scene.scene(), size);
            assert!(drawn == afresh, "{count} cubes, {}", gpu.streaming().name());
        }
    }
}

#[test]
fn one_renderer_draws_two_simulations_in_turn() {
    for gpu in gpus() {
        let mut simulations = [1, 2].map(|seed| {
            Simulation::new(SceneSettings { cubes: 300, seed }, FallMode::Camera).unwrap()
        });
        let mut harness = harness(&gpu);
        for turn in 0..6 {
            let simulation = &mut simulations[turn % 2];
            simulation.step(TimeStep::default()).unwrap();
            let scene = frame::scene_view(simulation);
            let drawn = harness.draw(&scene, size());
            assert!(drawn == drawn_afresh(&gpu, &scene), "turn {turn}");
        }
    }
}

#[test]
fn a_change_in_any_single_array_is_uploaded() {
    for gpu in gpus() {
        let mut harness = harness(&gpu);
        let mut test_scene = TestScene::default()
            .with(Vec3::new(-2.0, 0.0, -12.0), 3.0, Quat::IDENTITY, RED)
            .with(Vec3::new(2.0, 0.0, -12.0), 3.0, Quat::IDENTITY, RED);
        let mut before = harness.draw(&test_scene.scene(), size());
        let changes: [fn(&mut TestScene); 4] = [
            |test_scene| test_scene.positions[1] = Position(Vec3::new(2.5, 1.0, -13.0)),
            |test_scene| test_scene.rotations[1].0 = Quat::from_rotation_z(0.5),
            |test_scene| test_scene.scales[1].0 = 2.0,
            |test_scene| test_scene.colors[1] = Color::srgb(0, 255, 0),
        ];
        for change in changes {
            change(&mut test_scene);
            test_scene.revision = next_revision();
            let drawn = harness.draw(&test_scene.scene(), size());
            assert!(drawn != before && drawn == drawn_afresh(&gpu, &test_scene.scene()));
            before = drawn;
        }
    }
}
