//! A simulation has the same image with integrated and with evaluated motion.

use cubefall::components::Motion;
use cubefall::frame;
use cubefall::render::{ChangeTracked, Quality, SceneView, Size};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};

use crate::harness::{Harness, exact, gpu};
use crate::moving::{assert_alike, assert_within, evaluated_in_f64};
use crate::test_scene::next_revision;

fn size() -> Size {
    Size::new(640, 360).unwrap()
}

fn simulation(motion: Motion) -> Simulation {
    let settings = SceneSettings { cubes: 10_000, seed: 1 };
    let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
    simulation.set_motion(motion).unwrap();
    simulation
}

#[test]
fn integrated_and_evaluated_motion_have_the_image_of_the_closed_form() {
    let gpu = gpu();
    let mut harness = Harness::new(&gpu, exact(Quality::Medium.effects()));
    let mut integrated = simulation(Motion::Integrated);
    let mut evaluated = simulation(Motion::Evaluated);
    let mut steps = 0;
    for seconds in [1, 10, 60] {
        while steps < seconds * 60 {
            integrated.step(TimeStep::default()).unwrap();
            evaluated.step(TimeStep::default()).unwrap();
            steps += 1;
        }
        // The next image shows the changes of many frames.
        let drawn = harness.draw(&frame::scene_view(&evaluated), size());
        assert!(harness.draw(&frame::scene_view(&evaluated), size()) == drawn, "drawn again");
        let from_cpu = harness.draw(&frame::scene_view(&integrated), size());
        let view = frame::scene_view(&evaluated);
        let (positions, rotations) = evaluated_in_f64(&view);
        let closed_form = SceneView {
            positions: ChangeTracked::new(&positions, next_revision()),
            rotations: ChangeTracked::new(&rotations, next_revision()),
            motion: None,
            ..view
        };
        let expected = harness.draw(&closed_form, size());
        assert_alike(&format!("evaluated after {seconds} s"), &drawn, &expected);
        assert_within(&format!("integrated after {seconds} s"), &from_cpu, &expected, 0.001);
        assert_within(&format!("both after {seconds} s"), &drawn, &from_cpu, 0.001);
    }
}

#[test]
fn a_renderer_that_draws_every_frame_has_the_image_of_a_new_one() {
    let gpu = gpu();
    let mut harness = Harness::new(&gpu, exact(Quality::Low.effects()));
    let mut simulation = simulation(Motion::Evaluated);
    for step in 0..600 {
        simulation.step(TimeStep::default()).unwrap();
        match step {
            150 | 250 => simulation.set_mode(simulation.mode().flipped()).unwrap(),
            350 => simulation.set_motion(Motion::Integrated).unwrap(),
            400 => simulation.set_motion(Motion::Evaluated).unwrap(),
            450 => simulation
                .set_tuning(cubefall::sim::Tuning { gravity: 2.0, ..simulation.tuning() })
                .unwrap(),
            _ => {}
        }
        let scene = frame::scene_view(&simulation);
        if step % 50 == 49 {
            let drawn = harness.draw(&scene, Size::new(160, 90).unwrap());
            let mut afresh = Harness::new(&gpu, exact(Quality::Low.effects()));
            assert!(afresh.draw(&scene, Size::new(160, 90).unwrap()) == drawn, "step {step}");
        } else {
            harness.draw(&scene, Size::new(8, 8).unwrap());
        }
    }
}
