//! Targets of ever other sizes.

use crate::harness::{Canvas, simulation, size};
use crate::memory;

fn resize_again_and_again(times: u32) {
    let _alone = memory::alone();
    let simulation = simulation();
    let first = size(64, 48);
    let mut canvas = Canvas::open(first).unwrap();
    let whole = canvas.draw(&simulation).unwrap();
    // Numerical Recipes' generator: any numbers will do, but the same ones each time.
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
        canvas.resize(size).unwrap();
        assert_eq!(canvas.draw(&simulation).unwrap().size(), size);
    });
    canvas.resize(first).unwrap();
    assert!(canvas.draw(&simulation).unwrap() == whole, "the picture is another one");
}

#[test]
fn the_target_is_resized_150_times() {
    resize_again_and_again(150);
}

#[test]
#[ignore = "takes minutes; main.rs says how it is run"]
fn the_target_is_resized_10000_times() {
    resize_again_and_again(10_000);
}
