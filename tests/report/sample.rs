//! Sample: results with frames made up by a formula.

use cubefall::benchmark::{
    BenchResult, BenchSettings, Compared, FramePhase, FrameSample, Machine, RESULT_SCHEMA, Report,
    RunMedian, RunResult, Sweep, SweepPoint, Threshold, WarmupReport,
};
use cubefall::components::FallMode;
use cubefall::render::{Culling, Effects, Geometry, RenderSettings, Streaming};

/// A frame of so many nanoseconds: a fifth for the simulation, a tenth for the upload, the GPU for half
/// of it, the rest waits.
pub(crate) fn frame(nanoseconds: u64) -> FrameSample {
    let mut phases = [0; FramePhase::ALL.len()];
    phases[FramePhase::Sim as usize] = nanoseconds / 5;
    phases[FramePhase::Upload as usize] = nanoseconds / 10;
    phases[FramePhase::GpuWait as usize] = nanoseconds - nanoseconds / 5 - nanoseconds / 10;
    FrameSample {
        frame: nanoseconds,
        phases,
        gpu: Some(nanoseconds / 2),
        dt: 1.0 / 60.0,
        cubes: 10_000,
        drawn: 9_000,
        upload_bytes: 120_000,
        ..FrameSample::default()
    }
}

pub(crate) fn run(frames: &[u64]) -> RunResult {
    RunResult {
        version: "0.1.0".into(),
        debug_build: false,
        adapter: "Test GPU (discrete, Vulkan)".to_owned(),
        software: false,
        streaming: Streaming::Mapped,
        graphics: RenderSettings {
            effects: Effects { ground: true, fog: true, msaa: true, shadows: false },
            geometry: Geometry::Pulled,
            culling: Culling::OFF,
        },
        size: [1280, 720],
        presentation: None,
        gpu_timer: true,
        warmup: WarmupReport { frames: 400, seconds: 2.1, steady: Some(true) },
        state_hash: "0123456789abcdef".to_owned(),
        memory_bytes: Some(200 << 20),
        samples: frames.iter().copied().map(frame).collect(),
    }
}

pub(crate) fn result(runs: Vec<RunResult>) -> BenchResult {
    BenchResult {
        schema: RESULT_SCHEMA,
        name: "sample".to_owned(),
        version: "0.1.0".to_owned(),
        debug_build: false,
        // 1,000,000,000 s after 1970: a moment that is well known.
        started_unix_s: 1_000_000_000,
        machine: Machine {
            cpu: "Test CPU".to_owned(),
            threads: 8,
            memory_bytes: 16 << 30,
            os: "Test OS 1".to_owned(),
            kernel: "1.2.3".to_owned(),
        },
        settings: BenchSettings {
            cubes: 10_000,
            mode: FallMode::Cubes,
            seed: 1,
            scene: None,
            dt_s: 1.0 / 60.0,
            size: [1280, 720],
            window: false,
            frames: None,
            duration_s: Some(10.0),
            warmup_frames: None,
            latency: Some(2),
            runs: runs.len() as u32,
        },
        complete: true,
        warnings: Vec::new(),
        runs,
    }
}

/// Frame times near `base` ns that hang together, with a hitch now and then.
#[expect(clippy::cast_sign_loss, reason = "times are above 0")]
pub(crate) fn frames(count: usize, base: u64, seed: u64) -> Vec<u64> {
    // A linear congruential generator, which will do for a picture.
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
    };
    let mut level = 0.0;
    (0..count)
        .map(|number| {
            level = 0.97 * level + 0.03 * next();
            let hitch = if number % 977 == 500 { 3.0 } else { 0.0 };
            let tail = if next() > 0.48 { 0.4 } else { 0.0 };
            (base as f64 * (1.0 + level + 0.06 * next() + tail + hitch)) as u64
        })
        .collect()
}

/// Five runs of so many frames of about 7.5 ms.
pub(crate) fn usual(count: usize) -> BenchResult {
    let run_of = |seed: u64| run(&frames(count, 7_500_000 + 20_000 * (seed % 4), seed));
    result((1..=5).map(run_of).collect())
}

pub(crate) fn medians(milliseconds: &[f64]) -> Vec<RunMedian> {
    milliseconds.iter().map(|time| RunMedian::new(time * 1e6).unwrap()).collect()
}

/// All a page can have.
pub(crate) fn full<'a>(result: &'a BenchResult, sweep: &'a Sweep) -> Report<'a> {
    let compared = Compared::of_pairs("main", "branch", pairs(), Threshold::default());
    Report { compared: Some(compared), sweep: Some(sweep), ..Report::of(result) }
}

pub(crate) fn pairs() -> Vec<(RunMedian, RunMedian)> {
    let a = medians(&[7.50, 7.52, 7.49, 7.55, 7.51, 7.50, 7.53, 7.48, 7.50, 7.51]);
    let b = medians(&[7.79, 7.76, 7.80, 7.77, 7.75, 7.83, 7.74, 7.77, 7.78, 7.76]);
    a.into_iter().zip(b).collect()
}

/// 80 ns for each cube, without anything else.
pub(crate) fn sweep() -> Sweep {
    let point = |cubes: u32| {
        let time = 80.0 * f64::from(cubes);
        SweepPoint { cubes, medians_ns: vec![time * 1.1, time * 0.93, time] }
    };
    let mut sweep = Sweep::new("sweep".to_owned(), result(vec![]).settings, 60.0, 1_000_000_000);
    sweep.points = [10_000, 30_000, 100_000, 300_000, 1_000_000].map(point).to_vec();
    sweep.complete = true;
    sweep
}
