//! Streaming: what is brought to the GPU piece by piece is what is in the arrays.

use cubefall::components::{Color, Position};
use cubefall::frame;
use cubefall::render::{Gpu, Image, OffscreenTarget, Quality, SceneView, Size, Streaming};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use glam::{Quat, Vec3};

use crate::gallery::{BLUE, GREEN, RED};
use crate::painter::{Painter, exact, streaming_gpu};
use crate::still::{Still, next_revision};

fn gpus() -> Vec<Gpu> {
    Streaming::ALL.into_iter().filter_map(|way| streaming_gpu(Some(way))).collect()
}

fn size() -> Size {
    Size::new(240, 135).unwrap()
}

fn painter(gpu: &Gpu) -> Painter<'_> {
    Painter::new(gpu, exact(Quality::Low.effects()))
}

/// By a renderer that has drawn nothing before.
fn drawn_afresh(gpu: &Gpu, scene: &SceneView<'_>) -> Image {
    painter(gpu).draw(scene, size())
}

#[test]
fn hundreds_of_frames_leave_the_same_picture_as_the_last_alone() {
    let mut pictures: Vec<Vec<Image>> = Vec::new();
    for gpu in gpus() {
        let settings = SceneSettings { cubes: 3000, seed: 4 };
        let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        let mut painter = painter(&gpu);
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
                // Some wait to be read, others are drawn while the GPU still reads the one before.
                if frame % 60 == 0 {
                    let image = painter.draw(&scene, size());
                    let name = format!("frame {frame}, {}", gpu.streaming().name());
                    assert!(image == drawn_afresh(&gpu, &scene), "{name}");
                    images.push(image);
                } else {
                    painter.submit(&scene, &OffscreenTarget::new(&gpu, size()).unwrap());
                }
                let colors = scene.colors;
                match colors_seen.replace(colors.latest) {
                    Some(seen) if seen == colors.latest => {}
                    Some(seen) if colors.everywhere <= seen => partly += 1,
                    _ => whole += 1,
                }
            }
        }
        assert!(partly > 50, "{partly} times colours were new in part, {whole} times as a whole");
        pictures.push(images);
    }
    assert!(pictures.iter().all(|images| images.len() == 10 && *images == pictures[0]));
}

#[test]
fn one_renderer_follows_changing_counts_sizes_and_colours() {
    let row = |count: u16, color| {
        (0..count).fold(Still::default(), |still, i| {
            let at = Vec3::new(0.0, 0.0, -12.0 - f32::from(i));
            still.with(at, 4.0, Quat::from_rotation_y(0.1 * f32::from(i)), color)
        })
    };
    for gpu in gpus() {
        let mut painter = painter(&gpu);
        // The third count is above the first capacity of the instance buffers.
        for (count, color, height) in
            [(0, RED, 100), (1, RED, 100), (3000, GREEN, 90), (2, BLUE, 100), (0, RED, 90)]
        {
            let still = row(count, color);
            let size = Size::new(100, height).unwrap();
            let drawn = painter.draw(&still.scene(), size);
            let afresh = self::painter(&gpu).draw(&still.scene(), size);
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
        let mut painter = painter(&gpu);
        for turn in 0..6 {
            let simulation = &mut simulations[turn % 2];
            simulation.step(TimeStep::default()).unwrap();
            let scene = frame::scene_view(simulation);
            let drawn = painter.draw(&scene, size());
            assert!(drawn == drawn_afresh(&gpu, &scene), "turn {turn}");
        }
    }
}

#[test]
fn a_change_in_any_array_is_seen_alone() {
    for gpu in gpus() {
        let mut painter = painter(&gpu);
        let mut still = Still::default()
            .with(Vec3::new(-2.0, 0.0, -12.0), 3.0, Quat::IDENTITY, RED)
            .with(Vec3::new(2.0, 0.0, -12.0), 3.0, Quat::IDENTITY, RED);
        let mut before = painter.draw(&still.scene(), size());
        let changes: [fn(&mut Still); 4] = [
            |still| still.positions[1] = Position(Vec3::new(2.5, 1.0, -13.0)),
            |still| still.rotations[1].0 = Quat::from_rotation_z(0.5),
            |still| still.scales[1].0 = 2.0,
            |still| still.colors[1] = Color::srgb(0, 255, 0),
        ];
        for change in changes {
            change(&mut still);
            still.revision = next_revision();
            let drawn = painter.draw(&still.scene(), size());
            assert!(drawn != before && drawn == drawn_afresh(&gpu, &still.scene()));
            before = drawn;
        }
    }
}
