//! Frame after frame on one device.

use cubefall::render::{DrawStats, Streaming};
use cubefall::sim::{Motion, TimeStep};

use crate::harness::{Harness, gpu, simulation, size};
use crate::memory;

#[test]
fn five_hundred_frames_leak_no_memory() {
    let _alone = memory::alone();
    let mut simulation = simulation(Motion::Integrated);
    for streaming in Streaming::ALL {
        let opened = Harness::open_and_lose(size(64, 48), gpu(Some(streaming)), None);
        let mut harness = opened.unwrap();
        memory::assert_flat(&format!("drawing, {streaming}"), 500, |_| {
            simulation.step(TimeStep::default()).unwrap();
            harness.draw(&simulation).unwrap();
        });
    }
}

#[test]
fn gpu_times_of_evaluated_motion_have_those_of_culling() {
    let _alone = memory::alone();
    let mut simulation = simulation(Motion::Evaluated);
    let mut harness = Harness::open(size(64, 48)).unwrap();
    for (motion, culls) in
        [(Motion::Evaluated, true), (Motion::Integrated, false), (Motion::Evaluated, true)]
    {
        simulation.set_motion(motion).unwrap();
        for _ in 0..2 {
            harness.draw(&simulation).unwrap();
        }
        let times = harness.gpu_times();
        // Without timestamps there are no times at all.
        assert_eq!(
            times.culling.is_some(),
            culls && times.frame.is_some(),
            "{motion:?}: {times:?}"
        );
        assert!(times.culling <= times.frame);
    }
}

#[test]
fn no_cubes_are_counted_in_an_empty_scene() {
    let _alone = memory::alone();
    let mut simulation = simulation(Motion::Evaluated);
    let mut harness = Harness::open(size(64, 48)).unwrap();
    // The counts arrive later; here reading the image waits for them.
    for _ in 0..3 {
        harness.draw(&simulation).unwrap();
    }
    let DrawStats { total, full, small } = harness.draw_stats();
    assert!(full > 50 && full + small < total && total == 1500, "{full} {small} {total}");
    simulation.cubes_mut().set_count(0).unwrap();
    for _ in 0..2 {
        harness.draw(&simulation).unwrap();
    }
    assert_eq!(harness.draw_stats(), DrawStats::default());
}
