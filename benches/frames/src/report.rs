//! The report of a contestant: one line of JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::stopwatch::Sample;
use crate::{Contestant, Options, Outcome, Part, Stopwatch};

/// Milliseconds over the frames of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Median.
    pub median: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// 95th percentile.
    pub p95: f64,
}

impl Summary {
    /// Returns `None` without frames.
    fn of(times: impl Iterator<Item = Duration>) -> Option<Self> {
        let mut times: Vec<_> = times.map(|time| time.as_secs_f64() * 1e3).collect();
        times.sort_by(f64::total_cmp);
        let last = times.len().checked_sub(1)?;
        Some(Self {
            median: f64::midpoint(times[last / 2], times[times.len() / 2]),
            mean: times.iter().sum::<f64>() / times.len() as f64,
            p95: times[last * 95 / 100],
        })
    }
}

/// One run of one contestant; times in ms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The contestant.
    pub contestant: Contestant,
    /// Number of cubes.
    pub cubes: u32,
    /// Frame size in pixels.
    pub size: String,
    /// `headless` or `window`.
    pub mode: String,
    /// No cube was visible.
    pub culled: bool,
    /// Number of measured frames.
    pub frames: usize,
    /// Wall time of whole frames.
    pub frame: Summary,
    /// CPU time of all threads per frame; includes drawing on a software rasterizer.
    pub process_cpu: Summary,
    /// Wall time of the phases on the main thread, as far as they are known.
    pub parts: BTreeMap<Part, Summary>,
}

impl Report {
    pub(crate) fn new(
        contestant: Contestant,
        options: &Options,
        watch: &Stopwatch,
    ) -> Outcome<Self> {
        const NONE: &str = "it ended before a frame was measured";
        let samples = watch.samples();
        let all = |time: fn(&Sample) -> Duration| Summary::of(samples.iter().map(time));
        let part = |part| Summary::of(samples.iter().filter_map(move |sample| sample.part(part)));
        Ok(Self {
            contestant,
            cubes: options.cubes,
            size: options.size.to_string(),
            mode: options.mode().name().to_owned(),
            culled: options.culled,
            frames: samples.len(),
            frame: all(|sample| sample.frame).ok_or(NONE)?,
            process_cpu: all(|sample| sample.process_cpu).ok_or(NONE)?,
            parts: Part::ALL.into_iter().filter_map(|name| Some((name, part(name)?))).collect(),
        })
    }

    pub(crate) fn print(&self) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{}", serde_json::to_string(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_of_all_times_in_any_order() {
        let times = (1..=100).rev().map(Duration::from_millis);
        assert_eq!(Summary::of(times), Some(Summary { median: 50.5, mean: 50.5, p95: 95.0 }));
        assert_eq!(Summary::of(std::iter::empty()), None);
    }
}
