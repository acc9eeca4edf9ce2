//! Frame-time benchmarks with reproducible statistics.
//!
//! A [`Run`] draws a scene, headless or in a window, and its [`Recorder`] splits each frame into
//! [phases](FramePhase). A [`RunResult`] holds every frame of one run, a [`BenchResult`] several runs.
//! Times are integer nanoseconds. Statistics are functions of frame times; an unknown value, such as a p99
//! of 50 frames, is `None` and never 0.
//!
//! [`Summary`] has the statistics of a result: medians over its runs, and counts, extremes and hitches of all runs.
//! [`in_words`](in_words()) returns a result as one sentence.
//!
//! Two programs are compared by the [medians](RunMedian) of runs in pairs. `docs/benchmark.md` says how verdicts follow.
//!
//! ```
//! use cubefall::benchmark::{Comparison, RunMedian, Threshold, Verdict};
//!
//! // Median frame times of eight pairs of runs, in milliseconds.
//! let a = [5.00, 5.01, 4.99, 5.00, 5.02, 5.01, 5.00, 4.98];
//! let b = [5.16, 5.15, 5.17, 5.14, 5.16, 5.18, 5.15, 5.13];
//! let median = |milliseconds: f64| RunMedian::new(milliseconds * 1e6);
//! let pairs = a.into_iter().zip(b).filter_map(|(a, b)| median(a).zip(median(b)));
//! let pairs: Vec<_> = pairs.collect();
//!
//! let comparison = Comparison::of_pairs(&pairs, Threshold::default());
//! assert_eq!(comparison.verdict, Verdict::Regression);
//! assert_eq!(comparison.test.map(|test| test.p), Some(2.0 / 256.0));
//! ```
//!
//! Saved results can be [compared](Baseline::compare) too, but only advisory. A [`Baseline`] of several
//! sessions shows how much sessions differ.

mod assertion;
mod baseline;
mod bimodality;
mod bound_by;
mod budget;
mod comparison;
mod cpu_wait;
mod difference;
mod drift;
mod effective_sample_size;
mod export;
mod facts;
mod file_kind;
mod frame_sample;
mod hitches;
mod in_words;
mod log_ratio;
mod machine;
mod one_percent_low;
mod quantile;
mod recorder;
mod report;
mod result;
mod run;
mod run_result;
mod run_settings;
mod sample_file;
mod sensors;
mod sign_flip;
mod steady_state;
mod suite;
mod suite_session;
mod summary;
mod suspension;
mod sweep;
mod sweep_session;
#[cfg(test)]
pub(crate) mod tests;
mod verdict;
mod warnings;

pub use assertion::{Assertion, InvalidAssertion};
pub use baseline::{Baseline, BaselineComparison, SessionMedian};
pub use bimodality::is_bimodal;
pub use bound_by::BoundBy;
pub use budget::{REFRESH_RATES, share_over_budget};
pub use comparison::{Comparison, noise_floor};
pub use difference::Difference;
pub use drift::drift;
pub use effective_sample_size::effective_sample_size;
pub use export::ExportFormat;
pub use facts::{Setup, definitions, facts, sweep_facts};
pub use file_kind::FileKind;
pub use frame_sample::{FramePhase, FrameSample, FrameStatus, TimeOf};
pub use hitches::{hitches, jitter, jitter_p99};
pub use in_words::{frame_rates, in_words};
pub use log_ratio::{LogRatio, RunMedian};
pub use machine::{Machine, resident_memory};
pub use one_percent_low::LowFps;
pub use quantile::{Percentile, SortedTimes};
pub use recorder::Recorder;
pub use report::{NamedComparison, Report, history_page, suite_page, sweep_page};
pub use result::{BenchResult, BenchSettings, RESULT_SCHEMA};
pub use run::{Run, RunError, WORK_STEPS, run_headless};
pub use run_result::{DisplayInfo, FrameCounts, Presentation, RunResult, WarmupReport};
pub use run_settings::{ENOUGH_FRAMES, RunLength, RunSettings};
pub use sample_file::{read_samples, write_samples};
pub use sensors::{ClockRate, Readings, Sensors};
pub use steady_state::SteadyStateDetector;
pub use suite::{SCORE_FPS, SCORE_RUNS, Score, ScoreRun, Scores, Suite, SuiteLength, Variant};
pub use suite_session::{PlannedRun, STANDARD_FLAGS, SuiteSession};
pub use summary::{HitchCounts, Summary, SummaryRow};
pub use suspension::SuspensionDetector;
pub use sweep::{LargestCount, SWEEP_FPS, Sweep, SweepPoint, SweepSummary};
pub use sweep_session::{SweepPlan, SweepSession};
pub use verdict::{TestResult, Threshold, Verdict};
pub use warnings::{add_warnings, pair_warnings, result_warnings};
