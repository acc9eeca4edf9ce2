//! Four runs with known statistics, to the last printed digit.

use crate::benchmark::{LowFps, Percentile, SortedTimes};

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
fn one_long_frame() {
    let frames = milliseconds((0..1000).map(|number| if number == 499 { 200 } else { 8 }));
    assert_prints(&frames, ["122.070", "8", "8.000", "36.765", "125.0", "5.000"]);
}

#[test]
fn uniformly_distributed_frames() {
    let frames: Vec<u64> = (1..=1000).map(|number| 5_000_000 + 1000 * number).collect();
    assert_prints(&frames, ["181.802", "5.5005", "5.99001", "166.792", "166.917", "166.917"]);
}

#[test]
fn alternating_frames() {
    let frames = milliseconds((0..1000).map(|number| if number % 2 == 0 { 4 } else { 12 }));
    assert_prints(&frames, ["125.000", "8", "12", "83.333", "83.333", "83.333"]);
}

#[test]
fn one_long_frame_in_fifty() {
    let frames = milliseconds((1..=1000).map(|number| if number % 50 == 0 { 25 } else { 5 }));
    assert_prints(&frames, ["185.185", "5", "25", "40", "40", "40"]);
}
