//! Frame-time benchmarks with reproducible statistics.
//!
//! A [`Run`] draws a scene, headless or in a window, and its [`Recorder`] splits each frame into
//! [phases](FramePhase). A [`RunResult`] holds every frame of one run, a [`BenchResult`] several runs.
//! Times are integer nanoseconds. Statistics are functions of frame times; an unknown value, such as a p99
//! of 50 frames, is `None` and never 0.
//!
//! [`Summary`] has the median of each statistic over all runs, and [`in_words`](in_words()) says it in one
//! sentence.
//!
//! # Comparing two programs
//!
//! Frames of one run are correlated and share the conditions of the run, such as memory layout and clock
//! rates. Tests that treat them as independent report a difference between identical programs in most
//! sessions. Therefore a run is a process of its own and contributes one number, its
//! [median](RunMedian). Tails are reported but not tested: with one spike in 100 frames, ten pairs of
//! runs detect a true difference of 3 % by the median, and in one session of five by p99.
//!
//! The machine drifts, too. So runs are interleaved in pairs, A B, B A, A B and so on, and only differences
//! within pairs count. The exact sign-flip test needs no assumption about their distribution. It sums the
//! differences after clipping them at 1.5 times their median distance from 0: one disturbed run would swamp
//! the plain sum. In simulated sessions of ten pairs, it reports a difference between identical programs in
//! 4 to 7 % of sessions, and finds a true 3 % in at least nine of ten, even if one run in 20 is disturbed.
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
//! A [`Verdict`] needs significance and relevance: the difference must exceed a [`Threshold`]. Programs are
//! equivalent only if the whole interval is within the threshold. Saved results can be
//! [compared](Comparison::of_saved) too, but only advisory: changes of the machine count as a difference.
//! A [`Baseline`] of several sessions shows how large these changes are. A candidate is
//! [compared](Baseline::compare) with its first and its last session.
//! [`noise_floor`] is the smallest difference a machine can resolve.

mod assertion;
mod baseline;
mod bimodality;
mod bound_by;
mod budget;
mod comparison;
mod conclusion;
mod difference;
mod drift;
mod effective_sample_size;
mod export;
mod facts;
mod frame_sample;
mod headless;
mod hitches;
mod in_words;
mod log_ratio;
mod machine;
mod one_percent_low;
mod quantile;
mod rank_sum;
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

pub use assertion::Assertion;
pub use baseline::{Baseline, BaselineComparison};
pub use bimodality::is_bimodal;
pub use bound_by::BoundBy;
pub use budget::{REFRESH_RATES, share_over_budget};
pub use comparison::{Comparison, ComparisonRecord, noise_floor};
pub use difference::Difference;
pub use drift::drift;
pub use effective_sample_size::effective_sample_size;
pub use export::{ExportFile, ExportFormat};
pub use facts::{definitions, facts};
pub use frame_sample::{FramePhase, FrameSample, FrameStatus, TimeOf};
pub use headless::run_headless;
pub use hitches::{hitches, jitter, jitter_p99};
pub use in_words::in_words;
pub use log_ratio::{LogRatio, RunMedian};
pub use machine::{Machine, load_average, resident_memory};
pub use one_percent_low::LowFps;
pub use quantile::{Percentile, SortedTimes};
pub use recorder::Recorder;
pub use report::{NamedComparison, Report, history_page, suite_page, sweep_page};
pub use result::{BenchResult, BenchSettings, RESULT_SCHEMA};
pub use run::{Run, RunError, WORK_STEPS};
pub use run_result::{DisplayInfo, FrameCounts, Presentation, RunResult, WarmupReport};
pub use run_settings::{ENOUGH_FRAMES, RunLength, RunSettings, WarmupRule};
pub use sample_file::{read_samples, write_samples};
pub use sensors::{ClockRate, Readings, Sensors};
pub use steady_state::SteadyStateDetector;
pub use suite::{SCORE_FPS, SCORE_RUNS, Score, ScoreRun, Scores, Suite, Variant};
pub use suite_session::{PlannedRun, STANDARD_FLAGS, SuiteSession};
pub use summary::{HitchCounts, MAX_SPREAD, Summary, SummaryRow, run_spread};
pub use suspension::SuspensionDetector;
pub use sweep::{LargestCount, Sweep, SweepPoint};
pub use sweep_session::{SweepPlan, SweepSession};
pub use verdict::{TestMethod, TestResult, Threshold, Verdict};
pub use warnings::add_warnings;
