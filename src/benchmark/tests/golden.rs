//! Runs and sessions with known statistics.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::benchmark::{
    BaselineComparison, Comparison, LowFps, Percentile, RunMedian, SessionMedian, SortedTimes,
    Threshold,
};

/// Checks average fps, p50 and p99 in ms, and three 1 % lows in fps: rank mean, percentile, time
/// integral.
#[track_caller]
fn assert_prints(frames: &[u64], expected: [&str; 6]) {
    assert_eq!(frames.len(), 1000);
    let sorted = SortedTimes::of(frames);
    let figures = [
        sorted.average_fps(),
        sorted.percentile(Percentile::MEDIAN).map(|time| time / 1e6),
        sorted.percentile(Percentile::P99).map(|time| time / 1e6),
        LowFps::OnePercent.fps(&sorted),
        LowFps::OnePercentByPercentile.fps(&sorted),
        LowFps::OnePercentByTime.fps(&sorted),
    ];
    for (figure, expected) in figures.into_iter().zip(expected) {
        let digits = expected.split_once('.').map_or(0, |(_, digits)| digits.len());
        assert_eq!(format!("{:.digits$}", figure.unwrap()), expected);
    }
}

fn milliseconds(times: impl Iterator<Item = u64>) -> Vec<u64> {
    times.map(|time| time * 1_000_000).collect()
}

#[test]
fn figures_of_known_runs() {
    let long = milliseconds((0..1000).map(|number| if number == 499 { 200 } else { 8 }));
    assert_prints(&long, ["122.070", "8", "8.000", "36.765", "125.0", "5.000"]);
    let uniform: Vec<u64> = (1..=1000).map(|number| 5_000_000 + 1000 * number).collect();
    assert_prints(&uniform, ["181.802", "5.5005", "5.99001", "166.792", "166.917", "166.917"]);
    let alternating = milliseconds((0..1000).map(|number| if number % 2 == 0 { 4 } else { 12 }));
    assert_prints(&alternating, ["125.000", "8", "12", "83.333", "83.333", "83.333"]);
    let one_in_50 = milliseconds((1..=1000).map(|number| if number % 50 == 0 { 25 } else { 5 }));
    assert_prints(&one_in_50, ["185.185", "5", "25", "40", "40", "40"]);
}

/// Reads statistics computed by `NumPy` and `SciPy`; `golden.py` has the formulas.
fn golden<T: DeserializeOwned>(name: &str) -> T {
    let mut golden: Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    serde_json::from_value(golden[name].take()).unwrap()
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual} {expected}");
}

#[test]
fn quantiles_and_rates_equal_those_of_numpy() {
    let (frames, quantiles, average_fps): (Vec<_>, Vec<(usize, _)>, _) = golden("quantiles");
    let sorted = SortedTimes::of(&frames);
    for (per_mille, expected) in quantiles {
        assert_near(sorted.quantile(per_mille).unwrap(), expected, 1e-6);
    }
    assert_near(sorted.average_fps().unwrap(), average_fps, 1e-9);
}

#[test]
fn pairs_get_the_p_and_interval_of_an_exhaustive_enumeration() {
    let run = |time: f64| RunMedian::new(time).unwrap();
    let all: Vec<(Vec<f64>, f64, f64, f64, f64)> = golden("pairs");
    for (differences, p, estimate, low, high) in all {
        let pairs: Vec<_> = differences.iter().map(|it| (run(5e6), run(5e6 * it.exp()))).collect();
        let comparison = Comparison::of_pairs(&pairs, Threshold::default());
        let test = comparison.test.unwrap();
        assert_near(test.p, p, 1e-12);
        // The enumeration tries centers in steps of 1e-5.
        assert_near(comparison.estimate.unwrap().0, estimate, 2e-5);
        // Near its ends, p is not monotonic to the last digit, because levels are whole numbers.
        assert_near(test.low.0, low, 1e-4);
        assert_near(test.high.0, high, 1e-4);
    }
}

#[test]
fn sessions_get_the_p_and_interval_of_scipy() {
    let all: Vec<(Vec<f64>, f64, f64, f64)> = golden("sessions");
    for (times, p, low, high) in all {
        let median = |time: &f64| SessionMedian::over(&[RunMedian::new(time * 1e6)?; 3]);
        let medians: Vec<_> = times.iter().filter_map(median).collect();
        let (candidate, sessions) = medians.split_last().unwrap();
        let compared = BaselineComparison::of(sessions, *candidate, Threshold::default()).unwrap();
        let test = compared.first.test.unwrap();
        assert_near(test.p, p, 1e-9);
        assert_near(test.low.0, low, 1e-9);
        assert_near(test.high.0, high, 1e-9);
    }
}
