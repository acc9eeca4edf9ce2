//! The endless field: the same image from every period, and no cut while it appears.

use cubefall::components::{FallMode, Position};
use cubefall::frame;
use cubefall::render::{Image, Quality, Size};
use cubefall::sim::{SceneSettings, Simulation, TimeStep};
use glam::Vec3;

use crate::harness::{Harness, exact, gpu};

/// Mean difference of the channels of two images, from 0 to 255.
fn apart(a: &Image, b: &Image) -> f64 {
    let differences = a.rgba().iter().zip(b.rgba()).map(|(a, b)| u32::from(a.abs_diff(*b)));
    f64::from(differences.sum::<u32>()) / a.rgba().len() as f64
}

fn simulation(mode: FallMode) -> Simulation {
    Simulation::new(SceneSettings { cubes: 3000, seed: 4 }, mode).unwrap()
}

#[test]
fn every_period_of_the_field_has_the_same_image() {
    let gpu = gpu();
    let simulation = simulation(FallMode::Camera);
    let size = Size::new(160, 90).unwrap();
    for quality in Quality::ALL {
        let mut harness = Harness::new(&gpu, exact(quality.effects()));
        let draw = |harness: &mut Harness<'_>, offset: Vec3| {
            let mut scene = frame::scene_view(&simulation);
            scene.camera_position = Position(Vec3::new(61.0, -97.0, 3.0) + offset);
            if quality == Quality::High {
                scene.shadow_center = scene.camera_position;
            }
            harness.draw(&scene, size)
        };
        let image = draw(&mut harness, Vec3::ZERO);
        for offset in [Vec3::Y * 200.0, Vec3::new(-200.0, 400.0, 200.0)] {
            // Rounding moves edges by less than a hundredth of a pixel, and shadows by up to half a texel.
            let apart = apart(&image, &draw(&mut harness, offset));
            assert!(
                apart < if quality == Quality::High { 0.6 } else { 0.05 },
                "{quality}: {apart}"
            );
        }
        let half = apart(&image, &draw(&mut harness, Vec3::Y * 100.0));
        assert!(half > 5.0, "{quality}: half a period shows other cubes");
    }
}

#[test]
fn switch_of_the_mode_is_not_a_cut() {
    let gpu = gpu();
    let size = Size::new(160, 90).unwrap();
    let mut harness = Harness::new(&gpu, exact(Quality::High.effects()));
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(mode);
        for _ in 0..100 {
            simulation.step(TimeStep::default()).unwrap();
        }
        let before = harness.draw(&frame::scene_view(&simulation), size);
        // At rest, so that only the switch changes the image.
        simulation.set_paused(true);
        simulation.set_mode(mode.flipped()).unwrap();
        let (mut last, mut largest) = (before.clone(), 0_f64);
        for _ in 0..45 {
            simulation.step(TimeStep::fixed(1.0 / 60.0).unwrap()).unwrap();
            let image = harness.draw(&frame::scene_view(&simulation), size);
            largest = largest.max(apart(&last, &image));
            last = image;
        }
        let whole = apart(&before, &last);
        assert!(whole > 10.0 && largest < 0.5 * whole, "{mode}: {largest} of {whole}");
    }
}

#[test]
#[ignore = "renders 3,600 frames, some minutes; see docs/rendering.md"]
fn a_minute_of_falling_has_no_cut() {
    let gpu = gpu();
    let size = Size::new(160, 90).unwrap();
    let mut harness = Harness::new(&gpu, exact(Quality::High.effects()));
    let mut simulation = Simulation::new(SceneSettings::default(), FallMode::Camera).unwrap();
    let mut last = harness.draw(&frame::scene_view(&simulation), size);
    let mut differences = Vec::new();
    for _ in 0..3600 {
        simulation.step(TimeStep::default()).unwrap();
        let image = harness.draw(&frame::scene_view(&simulation), size);
        differences.push(apart(&last, &image));
        last = image;
    }
    differences.sort_by(f64::total_cmp);
    let (median, largest) = (differences[1800], differences[3599]);
    println!("median {median:.2}, largest {largest:.2}");
    assert!(largest < 3.0 * median, "{largest} of {median}");
}
