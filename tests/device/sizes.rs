//! Targets of many sizes, one after the other.

use cubefall::sim::Motion;

use crate::harness::{Harness, simulation, size};
use crate::memory;

fn resize(times: u32) {
    let _alone = memory::alone();
    let simulation = simulation(Motion::Integrated);
    let first = size(64, 48);
    let mut harness = Harness::open(first).unwrap();
    let expected = harness.draw(&simulation).unwrap();
    // The generator of Numerical Recipes: the same sizes in every run.
    let mut state = 1_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    memory::assert_flat("resizing", times, |time| {
        let size = match time % 5 {
            0 => size(1, 1),
            1 => size(1 + random(1500), 1),
            2 => size(1, 1 + random(1500)),
            _ => size(1 + random(200), 1 + random(150)),
        };
        harness.resize(size).unwrap();
        assert_eq!(harness.draw(&simulation).unwrap().size(), size);
    });
    harness.resize(first).unwrap();
    assert!(harness.draw(&simulation).unwrap() == expected, "the image changed");
}

#[test]
fn the_image_is_the_same_after_150_resizes_and_no_memory_leaks() {
    resize(150);
}

#[test]
#[ignore = "takes minutes; main.rs has the command"]
fn the_image_is_the_same_after_10000_resizes_and_no_memory_leaks() {
    resize(10_000);
}
