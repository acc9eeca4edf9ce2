//! Results for unit tests.

use crate::benchmark::{
    BenchResult, BenchSettings, FrameCounts, FramePhase, FrameSample, RunResult, Sensors,
    WarmupReport,
};
use crate::render::{Culling, Geometry, Quality, RenderSettings, Streaming};

/// A frame of some phases, in ns.
pub(crate) fn frame(phases: &[(FramePhase, u64)]) -> FrameSample {
    let mut sample = FrameSample { cubes: 10, ..FrameSample::default() };
    for &(phase, time) in phases {
        sample.phases[phase as usize] = time;
        sample.frame += time;
    }
    sample
}

/// A frame of so many ns that is all simulation.
pub(crate) fn sim_frame(time: u64) -> FrameSample {
    frame(&[(FramePhase::Sim, time)])
}

/// A headless run of a release build on a GPU.
pub(crate) fn run(samples: Vec<FrameSample>) -> RunResult {
    RunResult {
        adapter: String::new(),
        software: false,
        streaming: Streaming::Mapped,
        graphics: RenderSettings {
            effects: Quality::Low.effects(),
            geometry: Geometry::Pulled,
            culling: Culling::OFF,
        },
        version: String::new(),
        debug_build: false,
        size: [1, 1],
        presentation: None,
        gpu_timer: false,
        warmup: WarmupReport { frames: 0, seconds: 0.0, steady: None },
        state_hash: String::new(),
        work_hash: String::new(),
        memory_bytes: None,
        cpu_wait_ns: None,
        sensors: Sensors::default(),
        frames: FrameCounts::default(),
        median_ns: None,
        samples: Vec::new(),
    }
    .with_samples(samples)
}

/// A complete result of a release build.
pub(crate) fn result(runs: Vec<RunResult>) -> BenchResult {
    let (count, size) = (runs.len() as u32, [1, 1]);
    let settings = BenchSettings { runs: count, size, ..BenchSettings::default() };
    let new = BenchResult::new("sample".to_owned(), settings);
    BenchResult { debug_build: false, complete: true, runs, ..new }
}
