//! A lost device is reported, wherever it happens, and a new one draws the same image.

use cubefall::render::{RenderError, Streaming};
use cubefall::sim::{Motion, Simulation};

use crate::harness::{Harness, Step, gpu, simulation, size};
use crate::memory;

#[test]
fn a_loss_before_any_step_is_reported_as_device_lost() {
    let _alone = memory::alone();
    for motion in [Motion::Integrated, Motion::Evaluated] {
        assert_losses_are_reported(&simulation(motion));
    }
}

fn assert_losses_are_reported(simulation: &Simulation) {
    let size = size(64, 48);
    let expected = Harness::open(size).unwrap().draw(simulation).unwrap();
    for streaming in [None, Some(Streaming::Staged)] {
        for lost in Step::ALL {
            for frames in [0, 2] {
                let harness = Harness::open_and_lose(size, gpu(streaming), Some(lost));
                let drawn = harness.and_then(|mut harness| {
                    for _ in 0..frames {
                        harness.draw(simulation)?;
                    }
                    harness.draw_and_lose(simulation, Some(lost))
                });
                let error = drawn.err().unwrap_or_else(|| panic!("{lost:?}: no error"));
                assert!(matches!(error, RenderError::DeviceLost(_)), "{lost:?}: {error}");
                assert_eq!(error.exit_code(), 4);
            }
        }
    }
    assert!(Harness::open(size).unwrap().draw(simulation).unwrap() == expected);
}

fn lose_and_recover(motion: Motion, times: u32) {
    let _alone = memory::alone();
    let (simulation, size) = (simulation(motion), size(64, 48));
    let mut harness = Harness::open(size).unwrap();
    let expected = harness.draw(&simulation).unwrap();
    memory::assert_flat("losing the device", times, |time| {
        let lost = Step::ALL[2 + time as usize % 4];
        assert!(harness.draw_and_lose(&simulation, Some(lost)).is_err(), "{lost:?}");
        harness = Harness::open(size).unwrap();
        assert!(harness.draw(&simulation).unwrap() == expected, "image {time} differs");
    });
}

#[test]
fn the_image_is_the_same_after_25_losses_and_no_memory_leaks() {
    lose_and_recover(Motion::Integrated, 25);
}

#[test]
fn the_image_of_evaluated_motion_is_the_same_after_25_losses_and_no_memory_leaks() {
    lose_and_recover(Motion::Evaluated, 25);
}

#[test]
#[ignore = "takes minutes; main.rs has the command"]
fn the_image_is_the_same_after_1000_losses_and_no_memory_leaks() {
    lose_and_recover(Motion::Integrated, 1000);
}
