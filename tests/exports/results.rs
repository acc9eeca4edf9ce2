//! Results with known values, shared by the tests of the command line, the report and the exports.

use cubefall::benchmark::{
    BenchResult, BenchSettings, FrameCounts, FrameSample, Machine, RESULT_SCHEMA, RunResult,
    Sensors, WarmupReport,
};
use cubefall::components::{FallMode, Motion};
use cubefall::render::{AmbientOcclusion, Culling, Effects, Geometry, RenderSettings, Streaming};

/// An offscreen run.
pub(crate) fn run_of(samples: Vec<FrameSample>) -> RunResult {
    RunResult {
        version: "0.1.0".to_owned(),
        debug_build: false,
        adapter: "Test GPU (discrete, Vulkan)".to_owned(),
        software: false,
        streaming: Streaming::Mapped,
        graphics: RenderSettings {
            effects: Effects {
                ground: true,
                fog: true,
                msaa: true,
                shadows: false,
                ao: AmbientOcclusion::Off,
                bloom: false,
                dither: true,
            },
            geometry: Geometry::Pulled,
            culling: Culling::OFF,
        },
        size: [1280, 720],
        presentation: None,
        gpu_timer: true,
        warmup: WarmupReport { frames: 400, seconds: 2.1, steady: Some(true) },
        state_hash: "0123456789abcdef".to_owned(),
        work_hash: "fedcba9876543210".to_owned(),
        memory_bytes: Some(200_000_000),
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
    BenchResult {
        schema: RESULT_SCHEMA,
        name: "sample".to_owned(),
        version: "0.1.0".to_owned(),
        debug_build: false,
        // `date -u -d @1700000000` prints 2023-11-14 22:13:20.
        started_unix_s: 1_700_000_000,
        machine: Machine {
            cpu: "Test CPU".to_owned(),
            threads: 8,
            memory_bytes: Some(8 << 30),
            os: "Test OS 1".to_owned(),
            kernel: "6.1.0".to_owned(),
            clock_step_ns: None,
        },
        settings: BenchSettings {
            cubes: 10_000,
            mode: FallMode::Cubes,
            motion: Motion::Integrated,
            seed: 1,
            scene: None,
            tuning: None,
            camera: None,
            dt_s: 1.0 / 60.0,
            size: [1280, 720],
            window: false,
            frames: None,
            duration_s: Some(10.0),
            max_duration_s: Some(60.0),
            warmup_frames: None,
            latency: Some(2),
            runs: runs.len() as u32,
        },
        complete: true,
        warnings: Vec::new(),
        summary: None,
        baseline: None,
        frames_file: None,
        runs,
    }
}
