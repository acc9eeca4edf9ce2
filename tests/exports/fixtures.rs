//! Fixtures: results whose exported values are known, with names full of special characters.

use cubefall::benchmark::{
    BenchResult, BenchSettings, ExportFormat, FramePhase, FrameSample, FrameStatus, Machine,
    Presentation, RunResult,
};
use cubefall::render::PresentMode;

use crate::results;

/// Characters with a meaning in one of the formats.
pub(crate) const SPECIAL: &str = "a, \"b\" = //c\n| <d> fps";

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

/// A frame of `nanoseconds` that is all simulation.
pub(crate) fn plain_frame(nanoseconds: u64) -> FrameSample {
    frame([nanoseconds, 0, 0, 0, 0, 0, 0, 0])
}

pub(crate) fn run(samples: Vec<FrameSample>) -> RunResult {
    RunResult { adapter: format!("adapter {SPECIAL}"), size: [64, 48], ..results::run_of(samples) }
}

/// Frames of every kind: with and without GPU time, with a GPU that falls behind, and three invalid ones.
pub(crate) fn varied_run() -> RunResult {
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
    samples[4].status = FrameStatus::Suspended;
    samples[5].status = FrameStatus::Resized;
    samples[9] =
        FrameSample { status: FrameStatus::Hidden, ..frame([100, 0, 0, 5, 0, 0, 0, 70_000_000]) };
    samples[20] = frame([0, 0, 0, 0, 0, 0, 0, 1]);
    RunResult { presentation: Some(presentation(PresentMode::Immediate)), ..run(samples) }
}

pub(crate) fn presentation(present_mode: PresentMode) -> Presentation {
    Presentation { present_mode, refresh_hz: None }
}

/// A result of a debug build.
pub(crate) fn result(runs: Vec<RunResult>) -> BenchResult {
    let plain = results::result(runs);
    BenchResult {
        name: SPECIAL.to_owned(),
        debug_build: true,
        machine: Machine {
            cpu: format!("processor {SPECIAL}"),
            os: format!("system {SPECIAL}"),
            ..plain.machine
        },
        settings: BenchSettings { cubes: 200, size: [64, 48], ..plain.settings },
        warnings: vec![format!("warning {SPECIAL}")],
        ..plain
    }
}

/// Returns the names and the texts of the exported files.
pub(crate) fn exported(format: ExportFormat, result: &BenchResult) -> Vec<(String, String)> {
    let text = |run| {
        let mut bytes = Vec::new();
        format.write(&mut bytes, result, run).unwrap();
        (format.file_name(run), String::from_utf8(bytes).unwrap())
    };
    format.files(result).map(text).collect()
}

/// Returns the text of the first file.
pub(crate) fn first(format: ExportFormat, result: &BenchResult) -> String {
    exported(format, result).remove(0).1
}

/// Returns the valid frames and when each ended, in ns since the start of the first.
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

/// Rounds to a whole number.
pub(crate) fn whole(number: f64) -> u64 {
    format!("{number:.0}").parse().unwrap()
}
