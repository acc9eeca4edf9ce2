//! Baseline of a gate: results of earlier sessions, and the comparison of a candidate with them.

use std::f64::consts::{FRAC_PI_2, SQRT_2};

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::verdict::LEVEL;
use super::{
    BenchResult, Comparison, Difference, LogRatio, RESULT_SCHEMA, RunMedian, TestResult, Threshold,
    Verdict, quantile,
};
use crate::units;

/// Standard deviation between sessions that is assumed before any is measured, as a log ratio.
const PRIOR_SPREAD: f64 = 0.01;

/// Number of degrees of freedom the assumed spread counts for. With fewer, a baseline of one session hardly
/// detects 5 %; with more, noise of 2 % causes more false alarms.
const PRIOR_DEGREES: f64 = 3.0;

/// Number of sessions up to which the assumed spread counts for more degrees of freedom than the measured one.
const MOSTLY_ASSUMED: usize = 5;

/// Standard deviation of runs that is assumed for fewer than three of them, as a log ratio: that of a disturbed
/// machine.
const ASSUMED_RUN_SPREAD: f64 = 0.05;

const NEVER_EMPTY: &str = "a baseline has at least one session";

/// Results of the same benchmark, measured on several occasions (sessions). Never empty.
///
/// Runs of one session share the state of the machine. How much sessions of the same program differ can only
/// be seen in several of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Version of the format.
    #[schemars(range(min = RESULT_SCHEMA, max = RESULT_SCHEMA))]
    schema: u32,
    /// The first session and the latest ones, oldest first.
    #[serde(deserialize_with = "not_empty")]
    sessions: Vec<BenchResult>,
}

/// Reads the sessions of a baseline.
fn not_empty<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<BenchResult>, D::Error> {
    let sessions = Vec::deserialize(source)?;
    if sessions.is_empty() { Err(D::Error::custom(NEVER_EMPTY)) } else { Ok(sessions) }
}

impl Baseline {
    /// Maximum number of sessions kept. Twenty estimate their spread to about 20 %.
    pub const MAX_SESSIONS: usize = 20;

    /// Creates a baseline of one session.
    pub fn from_result(first: BenchResult) -> Self {
        Self { schema: RESULT_SCHEMA, sessions: vec![first] }
    }

    /// Appends a session, which must not [differ](BenchResult::differences) in its conditions. Of more than
    /// [`MAX_SESSIONS`](Self::MAX_SESSIONS), the oldest after the first are dropped.
    pub fn push(&mut self, session: BenchResult) {
        self.sessions.push(session);
        let excess = self.sessions.len().saturating_sub(Self::MAX_SESSIONS);
        self.sessions.drain(1..=excess);
    }

    /// Returns the sessions, oldest first.
    pub fn sessions(&self) -> &[BenchResult] {
        &self.sessions
    }

    /// Returns the latest session.
    pub fn last(&self) -> &BenchResult {
        self.sessions.last().expect(NEVER_EMPTY)
    }

    /// Checks the sessions, and that they were measured under the same conditions.
    ///
    /// # Errors
    /// Says what is inconsistent.
    pub fn check(&self) -> Result<(), String> {
        self.sessions.iter().try_for_each(|session| {
            session.check()?;
            if session.schema != self.schema {
                return Err(format!("a session has schema version {}", session.schema));
            }
            let differences = Difference::list(&self.last().differences(session));
            differences.map_or(Ok(()), |list| Err(format!("its sessions differ in {list}")))
        })
    }

    /// Compares a candidate with the first and the last session. `None` if it or a session has no
    /// [medians](BenchResult::medians).
    pub fn compare(
        &self,
        candidate: &BenchResult,
        threshold: Threshold,
    ) -> Option<BaselineComparison> {
        let value = |result: &BenchResult| SessionMedian::over(&result.medians());
        let sessions = self.sessions.iter().map(value).collect::<Option<Vec<_>>>()?;
        BaselineComparison::of(&sessions, value(candidate)?, threshold)
    }
}

/// Median frame time of a session.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SessionMedian {
    median: RunMedian,
    /// Variance of its logarithm, by the differences of the runs, or assumed.
    variance: f64,
    is_assumed: bool,
}

impl SessionMedian {
    /// Returns the median of the medians of runs. `None` without runs.
    ///
    /// The variance of the median of three or more runs is π / 2 `n` of that of a run. It is estimated from their median
    /// absolute deviation, on which one disturbed run has little influence. It is unknown for fewer than three runs: then
    /// these are assumed to vary by 5 %, so that only a large difference counts.
    pub fn over(runs: &[RunMedian]) -> Option<Self> {
        /// Standard deviation of a normal distribution relative to its median absolute deviation.
        const SCALE: f64 = 1.4826;
        let median = RunMedian::over(runs)?;
        let is_assumed = runs.len() < 3;
        let distance = |&run| LogRatio::between(median, run).0.abs();
        let mut distances: Vec<_> = runs.iter().map(distance).collect();
        let known = quantile::median(&mut distances).filter(|_| !is_assumed);
        let deviation = known.map_or(ASSUMED_RUN_SPREAD, |distance| SCALE * distance);
        // The median of one or two is their mean.
        let factor = if is_assumed { 1.0 } else { FRAC_PI_2 };
        let variance = factor * deviation * deviation / runs.len() as f64;
        Some(Self { median, variance, is_assumed })
    }
}

/// How a candidate compares with a [`Baseline`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BaselineComparison {
    /// Number of sessions in the baseline.
    pub sessions: usize,
    /// Comparison of the candidate (B) with the first session (A). It detects many small regressions, which the
    /// differences between neighbors hide.
    pub first: Comparison,
    /// Comparison of the candidate (B) with the last session (A). It detects a regression after
    /// improvements. Equal to `first` for one session.
    pub last: Comparison,
    /// Estimated standard deviation between sessions of the same program, as a share (0.01 is 1 %).
    pub spread: f64,
    spread_source: SpreadSource,
}

/// What the spread is estimated from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum SpreadSource {
    /// The differences of sessions, and what is assumed of them.
    Sessions,
    /// The runs within the sessions, whose spread is larger.
    Runs,
    /// The same, with an assumed spread for at least one session: the first, the last or the candidate.
    FewRuns,
}

impl BaselineComparison {
    /// Compares a candidate with sessions, oldest first. `None` without sessions.
    ///
    /// Student's t-test of the difference of two sessions. The variance is estimated from successive
    /// differences (von Neumann, "Distribution of the Ratio of the Mean Square Successive Difference to the
    /// Variance", 1941), so that slow drift does not widen it. A scaled inverse chi-squared prior, 1 % with
    /// three degrees of freedom, is combined with it (Gelman et al., *Bayesian Data Analysis*, 2013,
    /// section 2.6). It is at least what the runs of the two sessions show.
    pub fn of(
        sessions: &[SessionMedian],
        candidate: SessionMedian,
        threshold: Threshold,
    ) -> Option<Self> {
        let [first, last] = [*sessions.first()?, *sessions.last()?];
        let (variance, degrees) = variance(sessions);
        let t = StudentsT::new(0.0, 1.0, degrees).expect("there are degrees of freedom");
        let of_runs = |session: SessionMedian| 0.5 * (session.variance + candidate.variance);
        let compared = |session: SessionMedian| {
            let difference = LogRatio::between(session.median, candidate.median);
            // Standard error of the difference of two sessions, and half the width of its interval.
            let error = (2.0 * variance.max(of_runs(session))).sqrt();
            let reach = t.inverse_cdf(1.0 - LEVEL / 2.0) * error;
            let test = TestResult {
                p: 2.0 * t.sf(difference.0.abs() / error),
                low: LogRatio(difference.0 - reach),
                high: LogRatio(difference.0 + reach),
                pairs: None,
            };
            let verdict = Verdict::of(difference, test, threshold);
            Comparison { estimate: Some(difference), test: Some(test), threshold, verdict }
        };
        let runs = of_runs(first).max(of_runs(last));
        let is_assumed = [first, last, candidate].iter().any(|session| session.is_assumed);
        let spread_source = match (runs > variance, is_assumed) {
            (false, _) => SpreadSource::Sessions,
            (true, false) => SpreadSource::Runs,
            (true, true) => SpreadSource::FewRuns,
        };
        Some(Self {
            sessions: sessions.len(),
            first: compared(first),
            last: compared(last),
            spread: LogRatio(variance.max(runs).sqrt()).change(),
            spread_source,
        })
    }

    /// Returns the worse of the two verdicts.
    pub fn verdict(&self) -> Verdict {
        if self.first_decides() { self.first.verdict } else { self.last.verdict }
    }

    /// Returns `true` if the verdict is that of the first session: it is worse, in the order regression,
    /// inconclusive, equivalent, improvement, or they are equal.
    ///
    /// Inconclusive is worse than equivalent: a gate must not pass a regression that noise may hide. An
    /// improvement must show in both comparisons.
    pub(super) fn first_decides(&self) -> bool {
        let severity = |verdict| match verdict {
            Verdict::Regression => 3,
            Verdict::Inconclusive { .. } | Verdict::TooFewPairs => 2,
            Verdict::Equivalent => 1,
            Verdict::Improvement => 0,
        };
        severity(self.first.verdict) >= severity(self.last.verdict)
    }

    /// Returns the reason for the verdict, as a sentence.
    pub fn conclusion(&self) -> String {
        let percent = self.first.threshold.percent();
        let compared = match self.verdict() {
            Verdict::Regression => {
                format!("slower than the baseline; the estimate is above {percent} %")
            }
            Verdict::Improvement => {
                format!(
                    "faster than the baseline, which takes more than {percent} % longer by the estimate"
                )
            }
            Verdict::Equivalent => format!("not slower than the baseline by more than {percent} %"),
            Verdict::Inconclusive { .. } | Verdict::TooFewPairs => {
                let decisive = if self.first_decides() { self.first } else { self.last };
                let Some(direction) = decisive.direction() else { return self.noise() };
                format!("{direction} than the baseline, but perhaps by less than {percent} %")
            }
        };
        format!("The candidate is {compared}.")
    }

    /// Says what hides the difference, and what to do about it.
    fn noise(&self) -> String {
        let (varying, assumed, advice) = match self.spread_source {
            SpreadSource::Runs => ("runs", "", "use more --runs, or a larger"),
            SpreadSource::FewRuns => (
                "runs",
                ", assumed for fewer than three",
                "use three or more --runs for each result, or a larger",
            ),
            SpreadSource::Sessions => (
                "sessions",
                if self.sessions == 1 { ", assumed for one session" } else { "" },
                if self.sessions_may_help() {
                    "add sessions to the baseline, or use a larger"
                } else {
                    "use a larger"
                },
            ),
        };
        let spread = units::percent(self.spread);
        format!(
            "Too much noise between {varying} (standard deviation of a session: {spread}{assumed}): {advice} --threshold."
        )
    }

    /// Returns whether the baseline can have more sessions, and the interval may become narrower than the threshold with
    /// them.
    fn sessions_may_help(&self) -> bool {
        // No number of sessions makes the interval narrower than this, unless most of the spread is assumed, and
        // sessions vary by less.
        let narrowest = 1.96 * SQRT_2 * self.spread;
        let is_assumed = self.sessions <= MOSTLY_ASSUMED && self.spread < 1.05 * PRIOR_SPREAD;
        self.sessions < Baseline::MAX_SESSIONS
            && (narrowest < self.first.threshold.share() || is_assumed)
    }

    /// Returns the verdict with its conclusion, a line for the first session, and one for the last if it is
    /// another.
    pub fn text(&self) -> String {
        let lines = [("first", self.first), ("last", self.last)].map(|(name, comparison)| {
            let change = comparison.change().unwrap_or_default();
            let verdict = comparison.verdict.name();
            format!("Median frame time of the candidate vs {name} session: {change}, {verdict}\n")
        });
        let changes = lines[..self.sessions.min(2)].concat();
        format!("{}: {}\n{changes}", self.verdict().name(), self.conclusion())
    }
}

/// Returns the estimated variance between sessions, of log ratios, and its degrees of freedom.
fn variance(sessions: &[SessionMedian]) -> (f64, f64) {
    // A full baseline may have dropped sessions after the first.
    let is_full = sessions.len() >= Baseline::MAX_SESSIONS;
    let neighbors = sessions[usize::from(is_full)..].array_windows();
    let n = neighbors.len() as f64;
    let squares = neighbors.map(|[one, next]| LogRatio::between(one.median, next.median).0.powi(2));
    // Each square estimates twice the variance. Neighboring differences share a session, so that n of
    // them have 2 n^2 / (3 n - 1) degrees of freedom: 2 divided by the relative variance of their mean
    // square.
    let degrees = PRIOR_DEGREES + 2.0 * n * n / (3.0 * n - 1.0);
    let sum = squares.sum::<f64>() * n / (3.0 * n - 1.0);
    ((PRIOR_DEGREES * PRIOR_SPREAD * PRIOR_SPREAD + sum) / degrees, degrees)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::BenchSettings;
    use crate::benchmark::tests::fixtures::{run, sim_frame};

    const INCONCLUSIVE: Verdict = Verdict::Inconclusive { pairs_needed: None };

    /// A session whose runs have these medians, in µs.
    fn session(name: &str, runs: &[u64]) -> BenchResult {
        let settings = BenchSettings { runs: runs.len() as u32, ..BenchSettings::default() };
        let mut result = BenchResult::new(name.to_owned(), settings);
        result.runs = runs.iter().map(|median| run(vec![sim_frame(median * 1000)])).collect();
        result
    }

    fn threshold(share: f64) -> Threshold {
        Threshold::new(share).unwrap()
    }

    /// Compares sessions, the last of which is the candidate.
    fn compared<const N: usize>(microseconds: [f64; N], percent: f64) -> BaselineComparison {
        let median = |time: f64| SessionMedian::over(&[RunMedian::new(time * 1e3).unwrap(); 3]);
        let medians = microseconds.map(|time| median(time).unwrap());
        let (candidate, sessions) = medians.split_last().unwrap();
        BaselineComparison::of(sessions, *candidate, threshold(percent / 100.0)).unwrap()
    }

    #[test]
    fn the_first_and_the_latest_sessions_are_kept() {
        let mut baseline = Baseline::from_result(session("0", &[5000]));
        for number in 1..30 {
            baseline.push(session(&number.to_string(), &[5000]));
        }
        let names: Vec<_> = baseline.sessions().iter().map(|it| it.name.parse().unwrap()).collect();
        let expected: Vec<_> = [0].into_iter().chain(11..30).collect();
        assert_eq!((names, expected.len()), (expected, Baseline::MAX_SESSIONS));
        assert_eq!(baseline.last().name, "29");
    }

    #[test]
    fn a_file_without_sessions_is_refused() {
        let error = serde_json::from_str::<Baseline>(r#"{"schema":3,"sessions":[]}"#).unwrap_err();
        assert!(error.to_string().contains(NEVER_EMPTY), "{error}");
    }

    #[test]
    fn sessions_of_other_conditions_are_refused() {
        let mut baseline = Baseline::from_result(session("a", &[5000]));
        baseline.sessions[0].settings.seed = 7;
        assert_eq!(baseline.check(), Ok(()));
        baseline.push(session("b", &[5000]));
        let error = baseline.check().unwrap_err();
        assert!(error.starts_with("its sessions differ in seed"), "{error}");
        baseline.sessions.remove(0);
        baseline.sessions[0].schema = 3;
        assert_eq!(baseline.check(), Err("a session has schema version 3".to_owned()));
    }

    #[test]
    fn a_session_is_represented_by_the_median_of_its_runs() {
        let mut baseline = Baseline::from_result(session("a", &[9000, 5000, 5010, 4990, 5000]));
        let candidate = session("b", &[5500, 5500, 5490, 5600]);
        let found = baseline.compare(&candidate, threshold(0.02)).unwrap();
        assert_eq!(found, compared([5000.0, 5500.0], 2.0));
        assert_eq!(found.verdict(), Verdict::Regression);
        assert_eq!(baseline.compare(&session("c", &[]), threshold(0.02)), None);
        baseline.push(session("d", &[]));
        assert_eq!(baseline.compare(&candidate, threshold(0.02)), None);
    }

    #[test]
    fn one_session_gets_the_interval_of_the_assumed_spread() {
        let same = compared([5000.0, 5000.0], 5.0);
        assert_eq!((same.first, same.verdict()), (same.last, Verdict::Equivalent));
        assert!((same.spread - 0.01).abs() < 1e-4, "{same:?}");
        let test = same.first.test.unwrap();
        // 3.182446 is the 97.5 % quantile of Student's t with three degrees of freedom.
        let reach = 3.182_446_305 * 0.01 * 2_f64.sqrt();
        assert!((test.high.0 - reach).abs() < 1e-9 && test.low.0 == -test.high.0, "{test:?}");
        assert!((test.p - 1.0).abs() < 1e-12, "{test:?}");
        let test = compared([5000.0, 5000.0 * reach.exp()], 5.0).first.test.unwrap();
        assert!((test.p - LEVEL).abs() < 1e-8 && test.low.0.abs() < 1e-9, "{test:?}");
        assert_eq!(compared([5000.0, 5000.0], 2.0).verdict(), INCONCLUSIVE);
    }

    #[test]
    fn the_spread_is_that_of_successive_differences_without_the_gap_after_the_first() {
        // Differences of 1 % have a variance of 0.5e-4. Nine count for 81 / 13 degrees of freedom.
        let alternating: [f64; 11] =
            std::array::from_fn(|i| 5000.0 * (0.01 * (i % 2) as f64).exp());
        let expected = ((3.0 * 1e-4 + 81.0 / 13.0 * 0.5e-4) / (3.0 + 81.0 / 13.0_f64)).sqrt();
        let found = compared(alternating, 2.0).spread.ln_1p();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        let mut sessions = [5000.0; Baseline::MAX_SESSIONS + 1];
        sessions[0] = 4000.0;
        assert!(compared(sessions, 2.0).spread < 0.01);
    }

    #[test]
    fn the_worse_verdict_counts() {
        let lost = compared([5000.0, 4750.0, 4800.0], 2.0);
        let verdict = |first, last| {
            let with = |verdict| Comparison { verdict, ..lost.first };
            BaselineComparison { first: with(first), last: with(last), ..lost }.verdict()
        };
        let order = [Verdict::Improvement, Verdict::Equivalent, INCONCLUSIVE, Verdict::Regression];
        for &[mild, grave] in order.array_windows() {
            assert_eq!((verdict(mild, grave), verdict(grave, mild)), (grave, grave));
        }
        assert_eq!(verdict(order[0], order[0]), order[0]);
    }

    #[test]
    fn runs_that_differ_widen_the_interval_of_their_session() {
        let compare = |factor: u64| {
            let runs = |times: [u64; 5]| times.map(|time| 5000 + factor * time);
            let baseline = Baseline::from_result(session("a", &runs([0, 30, 60, 20, 10])));
            let candidate = session("b", &runs([0, 30, 60, 20, 10]).map(|time| time * 28 / 25));
            baseline.compare(&candidate, threshold(0.02)).unwrap()
        };
        let (quiet, noisy) = (compare(1), compare(20));
        assert_eq!(quiet.verdict(), Verdict::Regression);
        assert_eq!(noisy.verdict(), INCONCLUSIVE);
        let change = |it: &BaselineComparison| it.first.estimate.unwrap().change();
        assert!((change(&quiet) - 0.12).abs() < 1e-3 && (change(&noisy) - 0.12).abs() < 1e-3);
        let text = noisy.text();
        assert!(
            text.contains("noise between runs (") && text.contains("use more --runs"),
            "{text}"
        );
    }

    #[test]
    fn the_noise_of_fewer_than_three_runs_is_assumed() {
        let compare = |a: &[u64], b: &[u64]| {
            let baseline = Baseline::from_result(session("a", a));
            baseline.compare(&session("b", b), threshold(0.02)).unwrap()
        };
        assert_eq!(compare(&[5000; 3], &[5500; 3]).verdict(), Verdict::Regression);
        for (a, b) in [(1, 3), (3, 1), (2, 2)] {
            let found = compare(&[5000; 3][..a], &[5500; 3][..b]);
            assert_eq!(found.verdict(), INCONCLUSIVE, "{a} and {b} runs");
            let text = found.text();
            assert!(
                text.contains("assumed for fewer than three): use three or more --runs"),
                "{text}"
            );
        }
        // No run of 5 % takes 1.5 times as long by chance.
        assert_eq!(compare(&[5000], &[7500]).verdict(), Verdict::Regression);
    }

    #[test]
    fn the_text_has_a_line_per_comparison_and_the_verdict() {
        assert_eq!(
            compared([5000.0, 5500.0], 7.0).text(),
            "Regression: The candidate is slower than the baseline; the estimate is above 7 %.\n\
             Median frame time of the candidate vs first session: +10.00 % (95 % interval +5.16 % to +15.06 %, \
             p = 0.0067), Regression\n"
        );
        let one = compared([5000.0, 5000.0], 2.0).text();
        let advice =
            "of a session: 1.0 %, assumed for one session): add sessions to the baseline, or use";
        assert!(one.contains(advice), "{one}");
        let alternating = [0.0, 1.3, 0.0, 1.3, 0.0, 1.3, 0.0, 1.3, 0.0].map(|it| 500.0 + it * 5.0);
        let measured = compared(alternating, 2.0).text();
        assert!(measured.contains(" %): use a larger --threshold."), "{measured}");
        let loud = compared([5000.0, 5200.0, 5000.0, 5100.0], 2.0).text();
        assert!(loud.contains(" %): use a larger --threshold."), "{loud}");
        let faster = compared([5500.0, 5000.0], 7.0).text();
        let sentence =
            "faster than the baseline, which takes more than 7 % longer by the estimate.";
        assert!(faster.contains(sentence), "{faster}");
        let slightly = compared([5000.0, 5250.0], 7.0).text();
        let sentence = "slower than the baseline, but perhaps by less than 7 %.\n";
        assert!(slightly.contains(sentence), "{slightly}");
        let same = compared([5000.0, 5000.0], 5.0).text();
        assert!(same.contains("not slower than the baseline by more than 5 %.\n"), "{same}");
    }

    #[test]
    fn the_variance_of_a_session_is_that_of_the_median_of_three_or_more_runs() {
        let of = |logarithms: &[f64]| {
            let run = |it: &f64| RunMedian::new(5e6 * it.exp()).unwrap();
            SessionMedian::over(&logarithms.iter().map(run).collect::<Vec<_>>()).unwrap().variance
        };
        // Assumed: 5 % for each of two runs.
        assert!((of(&[0.0, 0.1]) - 0.05_f64.powi(2) / 2.0).abs() < 1e-12);
        // The median absolute deviation is 0.1.
        let expected = FRAC_PI_2 * (1.4826_f64 * 0.1).powi(2) / 3.0;
        let found = of(&[-0.1, 0.0, 0.2]);
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn a_comparison_has_the_noise_of_the_runs_of_its_own_session_and_of_the_candidate() {
        let session = |noise: f64| {
            let run = |it: f64| RunMedian::new(5e6 * (noise * it).exp()).unwrap();
            SessionMedian::over(&[-1.0, -1.0, 0.0, 1.0, 1.0].map(run)).unwrap()
        };
        let variance = |noise: f64| FRAC_PI_2 * (1.4826 * noise).powi(2) / 5.0;
        let sessions = [session(0.1), session(0.001)];
        let found = BaselineComparison::of(&sessions, session(0.04), threshold(0.02)).unwrap();
        for (comparison, noise) in [(found.first, 0.1), (found.last, 0.001)] {
            // 2.776445 is the 97.5 % quantile of Student's t with 3 + 1 degrees of freedom.
            let reach = 2.776_445_105 * (variance(noise) + variance(0.04)).sqrt();
            let high = comparison.test.unwrap().high.0;
            assert!((high - reach).abs() < 1e-8, "{high} {reach}");
        }
        let spread = (0.5 * (variance(0.1) + variance(0.04))).sqrt().exp_m1();
        assert!((found.spread - spread).abs() < 1e-8, "{found:?}");
    }

    #[test]
    fn the_text_is_about_the_comparison_that_decides_and_shows_both() {
        let (same, slower) = (compared([5000.0, 5000.0], 7.0), compared([5000.0, 5250.0], 7.0));
        for mixed in [
            BaselineComparison { first: same.first, sessions: 2, ..slower },
            BaselineComparison { last: same.last, sessions: 2, ..slower },
        ] {
            let text = mixed.text();
            assert!(text.contains("slower than the baseline, but perhaps by less"), "{text}");
            for session in ["first", "last"] {
                let line = format!("\nMedian frame time of the candidate vs {session} session: ");
                assert!(text.contains(&line), "{text}");
            }
        }
    }

    #[test]
    fn more_sessions_are_advised_if_they_can_help() {
        let advised = |comparison: BaselineComparison| {
            assert_eq!(comparison.verdict(), INCONCLUSIVE);
            comparison.text().contains(": add sessions to the baseline, or use a larger")
        };
        // The spread is mostly assumed for up to five sessions.
        assert!(advised(compared([5000.0; 6], 1.0)));
        assert!(!advised(compared([5000.0; 7], 1.0)));
        // A measured spread of 1 % allows 2.8 %.
        let alternating = |i: usize| 5000.0 * (1.0 + 0.013 * (i % 2) as f64);
        let mut few: [f64; 9] = std::array::from_fn(alternating);
        few[8] = 5032.0;
        assert!(advised(compared(few, 3.0)));
        assert!(!advised(compared(few, 2.0)));
        let mut full: [f64; Baseline::MAX_SESSIONS + 1] = std::array::from_fn(alternating);
        full[Baseline::MAX_SESSIONS] = 5032.0;
        assert!(!advised(compared(full, 3.0)), "there is no place for more");
    }
}
