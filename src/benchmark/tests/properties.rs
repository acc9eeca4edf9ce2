//! Properties of statistics for any frame times.

use proptest::prelude::*;

use crate::benchmark::*;

/// Frame times of up to two seconds, few enough values that some are equal.
fn frames() -> impl Strategy<Value = Vec<u64>> {
    let time = prop_oneof![0..2_000_000_000_u64, 4_000_000..8_000_000_u64, Just(5_000_000)];
    prop::collection::vec(time, 0..1200)
}

/// Run medians of 4 to 6 ms.
fn medians(most: usize) -> impl Strategy<Value = Vec<RunMedian>> {
    let median =
        (8_000_000..12_000_000_u32).prop_map(|twice| RunMedian::new(f64::from(twice) / 2.0));
    prop::collection::vec(median.prop_map(Option::unwrap), 0..most)
}

/// All statistics of a run that are times or rates.
fn statistics(sorted: &SortedTimes) -> Vec<Option<f64>> {
    let mut all = vec![sorted.average_fps()];
    all.extend(Percentile::ALL.map(|percentile| sorted.percentile(percentile)));
    all.extend(LowFps::ALL.map(|low| low.fps(sorted)));
    all
}

fn mirrored(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Regression => Verdict::Improvement,
        Verdict::Improvement => Verdict::Regression,
        same => same,
    }
}

/// Whether two comparisons say the same of A and B as of B and A.
fn is_antisymmetric(one: Comparison, other: Comparison) -> bool {
    let ends = |evidence: TestResult| (evidence.p, evidence.low.0, evidence.high.0);
    let turned = |evidence: TestResult| (evidence.p, -evidence.high.0, -evidence.low.0);
    one.verdict == mirrored(other.verdict)
        && one.estimate.map(|ratio| ratio.0) == other.estimate.map(|ratio| -ratio.0)
        && one.test.map(ends) == other.test.map(turned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quantiles_increase_from_the_minimum_to_the_maximum(frames in frames()) {
        let sorted = SortedTimes::of(&frames);
        let quantiles: Vec<_> = (0..=1000).filter_map(|share| sorted.quantile(share)).collect();
        prop_assert_eq!(quantiles.len(), if frames.is_empty() { 0 } else { 1001 });
        prop_assert!(quantiles.is_sorted());
        prop_assert_eq!(quantiles.first().copied(), frames.iter().min().map(|&time| time as f64));
        prop_assert_eq!(quantiles.last().copied(), frames.iter().max().map(|&time| time as f64));
    }

    #[test]
    fn shares_and_sizes_are_within_their_range(frames in frames()) {
        let shares = REFRESH_RATES.map(|rate| share_over_budget(&frames, rate));
        prop_assert!(shares.is_sorted());
        prop_assert!(shares.into_iter().flatten().all(|share| (0.0..=1.0).contains(&share)));
        let n = frames.len() as f64;
        if let Some(size) = effective_sample_size(&frames) {
            prop_assert!(size > 0.0 && size <= n, "{size}");
        }
        prop_assert!(hitches(&frames).is_none_or(|hitches| hitches.len() < frames.len()));
    }

    #[test]
    fn any_times_give_finite_statistics(
        frames in prop::collection::vec(
            prop_oneof![any::<u64>(), 0..3_u64, (1 << 53) - 2..(1_u64 << 53) + 3, Just(u64::MAX)],
            0..300,
        ),
        repeated in 1..50_usize,
    ) {
        let frames = frames.repeat(repeated);
        let sorted = SortedTimes::of(&frames);
        let mut all = statistics(&sorted);
        all.extend(REFRESH_RATES.map(|rate| share_over_budget(&frames, rate)));
        all.extend([drift(&frames), effective_sample_size(&frames), jitter(&frames)]);
        prop_assert!(all.iter().flatten().all(|figure| figure.is_finite()), "{all:?}");
        let mut steady = SteadyStateDetector::default();
        for &time in &frames {
            steady.push(time);
        }
    }

    #[test]
    fn swapped_programs_get_the_mirrored_verdict(
        a in medians(40),
        b in medians(40),
        slower in 0.95..1.05_f64,
    ) {
        let b: Vec<_> =
            b.iter().filter_map(|b| RunMedian::new(b.nanoseconds() * slower)).collect();
        let threshold = Threshold::default();
        let pairs: Vec<_> = a.iter().copied().zip(b.iter().copied()).collect();
        let exchanged: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        let one = Comparison::of_pairs(&pairs, threshold);
        prop_assert!(is_antisymmetric(one, Comparison::of_pairs(&exchanged, threshold)));
    }

    #[test]
    fn the_order_of_pairs_is_irrelevant_and_p_matches_the_interval(runs in medians(14)) {
        let mut pairs: Vec<_> = runs.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let one = Comparison::of_pairs(&pairs, Threshold::default());
        pairs.reverse();
        prop_assert_eq!(one, Comparison::of_pairs(&pairs, Threshold::default()));
        let medians: Vec<_> = runs.iter().filter_map(|&run| SessionMedian::over(&[run])).collect();
        let sessions = medians.split_last().and_then(|(last, sessions)| {
            BaselineComparison::of(sessions, *last, Threshold::default())
        });
        let tests = sessions.map(|it| it.first.test).into_iter().flatten();
        for TestResult { p, low, high, .. } in one.test.into_iter().chain(tests) {
            prop_assert!(p > 0.0 && p <= 1.0 && low <= high);
            prop_assert_eq!(p <= 0.05, low.0 > 0.0 || high.0 < 0.0);
        }
    }
}
