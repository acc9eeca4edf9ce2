//! Result: benchmarks made by hand, so that every figure is known.

use cubefall::benchmark::{
    BenchResult, BenchSettings, ExportFormat, FramePhase, FrameSample, FrameStatus, Machine,
    Presentation, RESULT_SCHEMA, RunResult, WarmupReport,
};
use cubefall::components::FallMode;
use cubefall::render::{Culling, Effects, Geometry, PresentMode, RenderSettings, Streaming};

/// Characters that mean something to one reader or another.
pub(crate) const AWKWARD: &str = "a, \"b\" = //c\n| <d> fps";

/// A frame of these phases, in ns, in the order of [`FramePhase::ALL`].
pub(crate) fn frame(phases: [u64; FramePhase::ALL.len()]) -> FrameSample {
    FrameSample {
        frame: phases.iter().sum(),
        phases,
        cubes: 200,
        drawn: 150,
        ..FrameSample::default()
    }
}

/// A frame that is all simulation, of so many ns.
pub(crate) fn plain_frame(nanoseconds: u64) -> FrameSample {
    frame([nanoseconds, 0, 0, 0, 0, 0, 0, 0])
}

pub(crate) fn run(samples: Vec<FrameSample>) -> RunResult {
    RunResult {
        version: "0.1.0".into(),
        debug_build: false,
        adapter: format!("adapter {AWKWARD}"),
        software: false,
        streaming: Streaming::Mapped,
        graphics: RenderSettings {
            effects: Effects { ground: true, fog: true, msaa: false, shadows: false },
            geometry: Geometry::Pulled,
            culling: Culling::OFF,
        },
        size: [64, 48],
        presentation: None,
        gpu_timer: true,
        warmup: WarmupReport { frames: 120, seconds: 2.0, steady: Some(true) },
        state_hash: "0".repeat(16),
        memory_bytes: None,
        samples,
    }
}

/// Frames of every kind: uneven, with and without a time of the GPU, which is at times behind, and
/// two that may not be compared.
pub(crate) fn eventful_run() -> RunResult {
    let mut samples: Vec<_> = (0..60)
        .map(|i| {
            let phases = [100_003 + i * 1_009, 20_001, 30_002, 5_003, 40_007, 7_001, 11_009, 999];
            let time = if i % 10 == 4 { 900_001 } else { 150_001 };
            FrameSample {
                gpu: (i % 7 != 3).then_some(time),
                gpu_shadow: (i % 2 == 0 && i % 7 != 3).then_some(50_001),
                gpu_scene: (i % 7 != 3).then_some(90_001),
                upload_bytes: 2_400 + i,
                ..frame(phases)
            }
        })
        .collect();
    samples[5].status = FrameStatus::Resized;
    samples[9] =
        FrameSample { status: FrameStatus::Hidden, ..frame([100, 0, 0, 5, 0, 0, 0, 70_000_000]) };
    samples[20] = frame([0, 0, 0, 0, 0, 0, 0, 1]);
    RunResult { presentation: presentation(PresentMode::Immediate), ..run(samples) }
}

pub(crate) fn presentation(present_mode: PresentMode) -> Option<Presentation> {
    Some(Presentation { present_mode, refresh_hz: None })
}

pub(crate) fn result(runs: Vec<RunResult>) -> BenchResult {
    BenchResult {
        schema: RESULT_SCHEMA,
        name: AWKWARD.to_owned(),
        version: "0.1.0".to_owned(),
        debug_build: true,
        // As `date -u -d @1700000000` prints it: 2023-11-14 22:13:20.
        started_unix_s: 1_700_000_000,
        machine: Machine {
            cpu: format!("processor {AWKWARD}"),
            threads: 2,
            memory_bytes: 8 << 30,
            os: format!("system {AWKWARD}"),
            kernel: "6.1.0".to_owned(),
        },
        settings: BenchSettings {
            cubes: 200,
            mode: FallMode::Cubes,
            seed: 1,
            scene: None,
            dt_s: 1.0 / 60.0,
            size: [64, 48],
            window: false,
            frames: Some(60),
            duration_s: None,
            warmup_frames: Some(5),
            latency: Some(2),
            runs: runs.len() as u32,
        },
        complete: true,
        warnings: vec![format!("warning {AWKWARD}")],
        runs,
    }
}

/// What a format makes of a result: names and texts.
pub(crate) fn exported(format: ExportFormat, result: &BenchResult) -> Vec<(String, String)> {
    let text = |file: cubefall::benchmark::ExportFile<'_>| {
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        (file.name(), String::from_utf8(bytes).unwrap())
    };
    format.files(result).map(text).collect()
}

/// The only file, or the first.
pub(crate) fn first(format: ExportFormat, result: &BenchResult) -> String {
    exported(format, result).remove(0).1
}

/// The frames that may be compared, and when each ended, in ns since the first began.
pub(crate) fn ends(run: &RunResult) -> Vec<(u64, FrameSample)> {
    let mut clock = 0;
    let mut ends = Vec::new();
    for sample in &run.samples {
        clock += sample.frame;
        if sample.status == FrameStatus::Valid {
            ends.push((clock, *sample));
        }
    }
    ends
}

/// The nearest whole number, as most programs take it from a text with decimals.
pub(crate) fn whole(number: f64) -> u64 {
    format!("{number:.0}").parse().unwrap()
}
