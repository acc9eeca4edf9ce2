//! Frame after frame on one device.

use cubefall::render::Streaming;
use cubefall::sim::TimeStep;

use crate::harness::{Harness, gpu, simulation, size};
use crate::memory;

#[test]
fn five_hundred_frames_leak_no_memory() {
    let _alone = memory::alone();
    let mut simulation = simulation();
    for streaming in Streaming::ALL {
        let opened = Harness::open_and_lose(size(64, 48), gpu(Some(streaming)), None);
        let mut harness = opened.unwrap();
        memory::assert_flat(&format!("drawing, {streaming}"), 500, |_| {
            simulation.step(TimeStep::default()).unwrap();
            harness.draw(&simulation).unwrap();
        });
    }
}
