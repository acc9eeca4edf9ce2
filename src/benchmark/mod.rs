//! Benchmark: frame times into figures that can be trusted.
//!
//! A [`Run`] runs the frames of one run and its [`Recorder`] takes them apart; what came of several
//! runs is a [`BenchResult`]. The figures are made of frame times alone: whole nanoseconds, one for
//! each frame in the order of the frames; nothing in them reads a clock or draws. A figure that is not known, because there
//! are too few frames or no time went by, is `None` and never 0.
//!
//! # What is said of one run
//!
//! | figure | what it answers |
//! |---|---|
//! | [`Distribution`] | how long frames take, whatever their order |
//! | [`LowFps`] | how slow the slow ones are, by four methods with the same name |
//! | [`Hitches`], [`Jitter`] | how evenly they come |
//! | [`share_over_budget`] | how much of the time a display waits |
//! | [`drift`](drift()) | whether the run was one thing or several |
//! | [`effective_sample_size`] | how many independent frames it is worth |
//! | [`SteadyStateDetector`] | when it may begin to be measured |
//!
//! Percentiles are taken on time and never on frames per second, and an average rate is frames
//! divided by time: a mean of rates would let fast frames hide slow ones. The tails of a run are
//! reported but never judged: of a true difference of 3 % in runs with a spike in a hundred frames,
//! ten pairs show it in the median and hardly ever in p99 or in the slowest 1 %.
//!
//! # Why the run is the unit
//!
//! A run of five thousand frames looks like five thousand measurements. It is not: a frame is much
//! like the one before, and all of them share what the run was given by chance, from the layout of
//! its memory to the clock of the GPU. Tests that take frames for independent find a difference
//! between a program and itself in most sessions. So each run gives one number, its
//! [median](RunMedian), and is a process of its own.
//!
//! That is not enough. A machine that grows hot makes whatever runs later slower, so that with all
//! runs of A before all runs of B nearly every session finds a difference, too. So the runs are
//! **interleaved in pairs**, A B, B A, A B and so on, and only the differences within pairs count.
//! If A and B are the same, each of these might as well have the other sign: that, and nothing
//! about the shape of their distribution, is what the test rests on, and it is exact. In simulated
//! sessions of ten pairs with correlated frames, spikes and a machine that becomes 2 % slower on
//! the way, it finds a difference between equal programs in 5 % of them, as it should, and a true
//! 3 % in nearly all; the tests of this room play them.
//!
//! ```
//! use cubefall::benchmark::{Comparison, RunMedian, Threshold, Verdict};
//!
//! // Median frame times of eight pairs of runs, in milliseconds.
//! let a = [5.00, 5.01, 4.99, 5.00, 5.02, 5.01, 5.00, 4.98];
//! let b = [5.16, 5.15, 5.17, 5.14, 5.16, 5.18, 5.15, 5.13];
//! let median = |milliseconds: f64| RunMedian::new(milliseconds * 1e6);
//! let in_pairs = a.into_iter().zip(b).filter_map(|(a, b)| median(a).zip(median(b)));
//! let pairs: Vec<_> = in_pairs.collect();
//!
//! let comparison = Comparison::of_pairs(&pairs, Threshold::default());
//! assert_eq!(comparison.verdict, Verdict::Regression);
//! assert_eq!(comparison.test.map(|test| test.p), Some(2.0 / 256.0));
//! ```
//!
//! A [`Verdict`] asks for more than a small p. The difference must be sure, and larger than a
//! [threshold](Threshold) below which nobody cares; programs are called equivalent only if the
//! whole interval lies within it; otherwise the verdict is that there is none yet, and how many
//! pairs might bring one. Results that were saved earlier can be [compared](Comparison::of_saved),
//! but that is advice: nothing then tells the program from the day. What a machine cannot tell
//! apart at all is its [noise floor](noise_floor).

mod assertion;
mod budget;
mod comparison;
mod conclusion;
mod distribution;
mod drift;
mod effective_sample_size;
mod export;
mod facts;
mod frame_sample;
mod headless;
mod hitches;
mod jitter;
mod log_ratio;
mod machine;
mod one_percent_low;
mod presentation;
mod quantile;
mod rank_sum;
mod recorder;
mod report;
mod result;
mod rolling_median;
mod run;
mod run_result;
mod run_settings;
mod sign_flip_test;
mod steady_state;
mod summary;
mod sweep;
mod test_result;
#[cfg(test)]
mod tests;
mod verdict;

pub use assertion::{Assertion, AssertionError};
pub use budget::{REFRESH_RATES, share_over_budget};
pub use comparison::{Comparison, noise_floor};
pub use distribution::Distribution;
pub use drift::drift;
pub use effective_sample_size::effective_sample_size;
pub use export::{ExportFile, ExportFormat};
pub use frame_sample::{FramePhase, FrameSample, FrameStatus};
pub use headless::run_headless;
pub use hitches::Hitches;
pub use jitter::Jitter;
pub use log_ratio::{LogRatio, RunMedian};
pub use machine::{Machine, load_average, resident_memory};
pub use one_percent_low::LowFps;
pub use presentation::{DisplayInfo, Presentation};
pub use quantile::{Percentile, SortedTimes};
pub use recorder::Recorder;
pub use report::{NamedComparison, Report, sweep_page};
pub use result::{BenchResult, BenchSettings, RESULT_SCHEMA};
pub use run::{Run, RunError};
pub use run_result::{RunResult, WarmupReport};
pub use run_settings::{RunLength, RunSettings, WarmupRule};
pub use steady_state::{SteadyStateDetector, WarmupState};
pub use summary::{Summary, SummaryRow};
pub use sweep::{LargestCount, Sweep, SweepPoint};
pub use test_result::{TestMethod, TestResult};
pub use verdict::{Threshold, Verdict};
