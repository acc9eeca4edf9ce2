//! Fixtures: results whose frame times follow a formula.

use cubefall::benchmark::{
    BenchResult, Comparison, FramePhase, FrameSample, NamedComparison, Report, RunMedian,
    RunResult, Sweep, SweepPoint, Threshold,
};

use crate::results::{result, run_of};

/// A frame of `nanoseconds`: a fifth simulation, a tenth upload, the rest waiting; half of it GPU time.
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
    run_of(frames.iter().copied().map(frame).collect())
}

/// Correlated frame times near `base` ns, with a hitch every 977 frames.
#[expect(clippy::cast_sign_loss, reason = "times are above 0")]
pub(crate) fn frames(count: usize, base: u64, seed: u64) -> Vec<u64> {
    // A linear congruential generator is random enough for a chart.
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

/// Five runs of `count` frames of about 7.5 ms.
pub(crate) fn usual(count: usize) -> BenchResult {
    let run_of = |seed: u64| run(&frames(count, 7_500_000 + 20_000 * (seed % 4), seed));
    result((1..=5).map(run_of).collect())
}

pub(crate) fn medians(milliseconds: &[f64]) -> Vec<RunMedian> {
    milliseconds.iter().map(|time| RunMedian::new(time * 1e6).unwrap()).collect()
}

/// A report with every section.
pub(crate) fn full<'a>([a, b]: &'a [BenchResult; 2], sweep: &'a Sweep) -> Report<'a> {
    let comparison = Comparison::of_pairs(&pairs(), Threshold::default());
    let comparison = NamedComparison::of_pairs(a, b, &pairs(), comparison);
    Report { comparison: Some(comparison), sweep: Some(sweep), ..Report::new(b) }
}

/// The results `main` and `branch`, with five runs of `count` frames each.
pub(crate) fn results(count: usize) -> [BenchResult; 2] {
    ["main", "branch"].map(|name| BenchResult { name: name.to_owned(), ..usual(count) })
}

/// Results of constant frame times, an hour apart.
pub(crate) fn history(milliseconds: &[u64]) -> Vec<BenchResult> {
    let result = |(number, ms): (u64, &u64)| BenchResult {
        name: format!("build {number}"),
        started_unix_s: 1_700_000_000 + 3600 * number,
        ..result((0..3).map(|run_number| run(&vec![ms * 1_000_000 + run_number; 1000])).collect())
    };
    (0..).zip(milliseconds).map(result).collect()
}

pub(crate) fn pairs() -> Vec<(RunMedian, RunMedian)> {
    let a = medians(&[7.50, 7.52, 7.49, 7.55, 7.51, 7.50, 7.53, 7.48, 7.50, 7.51]);
    let b = medians(&[7.79, 7.76, 7.80, 7.77, 7.75, 7.83, 7.74, 7.77, 7.78, 7.76]);
    a.into_iter().zip(b).collect()
}

/// A sweep with 80 ns per cube and no fixed cost.
pub(crate) fn sweep() -> Sweep {
    let point = |cubes: u32| {
        let time = 80.0 * f64::from(cubes);
        SweepPoint { medians_ns: vec![time * 1.1, time * 0.93, time], ..SweepPoint::new(cubes) }
    };
    let mut sweep = Sweep::new("sweep".to_owned(), result(vec![]).settings, 60.0);
    sweep.started_unix_s = 1_700_000_000;
    sweep.points = [10_000, 30_000, 100_000, 300_000, 1_000_000].map(point).to_vec();
    sweep.complete = true;
    sweep
}
