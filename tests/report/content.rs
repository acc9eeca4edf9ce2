//! Content: the text and the tables of the page.

use cubefall::benchmark::{
    Baseline, BenchResult, NamedComparison, Report, Sweep, Threshold, history_page, sweep_page,
};

use crate::fixtures::{full, history, results, run, sweep, usual};
use crate::html::{all, body, section, text};
use crate::results::result;

/// 499 frames of 8 ms, one of 200 ms, 500 of 8 ms. By hand: the slowest 1 % are 10 frames of 272 ms together,
/// 36.8 fps by rank mean; the 10th slowest frame takes 8 ms, 125 fps; the slowest frame alone is more than
/// 1 % of 8.192 s, 5 fps by time integral.
fn golden() -> Vec<u64> {
    let mut frames = vec![8_000_000; 1000];
    frames[499] = 200_000_000;
    frames
}

/// Verdict of the report of one run.
fn verdict_of_frames(frames: &[u64]) -> String {
    let page = Report::new(&result(vec![run(frames)])).html();
    text(all(body(&page).root(), "verdict")[0])
}

/// Verdict of the page of a history with these frame times.
fn verdict_of_history(milliseconds: &[u64]) -> String {
    let page = history_page(&history(milliseconds));
    text(all(body(&page).root(), "verdict")[0])
}

#[test]
fn statistics_match_values_computed_by_hand() {
    let page = Report::new(&result(vec![run(&golden()); 3])).html();
    let body = body(&page);
    let cards: Vec<_> = all(body.root(), "card").into_iter().map(text).collect();
    let card = |name: &str| cards.iter().find(|card| card.starts_with(name)).unwrap();
    assert!(card("median frame time").contains("8.000 ms"), "{cards:?}");
    assert!(card("median frame time").contains("125.0 frames per second"));
    assert!(card("1 % low (rank mean)").contains("36.8 fps"));
    assert!(card("1 % low (rank mean)").contains("k / sum of the k slowest frame times"));
    assert!(card("average").contains("122.1 fps"));
    assert!(card("run-to-run spread").contains("0.0 %"));
    assert!(card("hitches").contains("3 in all runs"));
    let statistics = text(section(&body, "All statistics"));
    for value in ["125.0 fps", "5.0 fps", "36.8 fps", "200.000", "time over budget60 Hz 2.4 %"] {
        assert!(statistics.contains(value), "{value} is missing in {statistics}");
    }
    let runs = section(&body, "Runs");
    let rows = runs.descendants().filter(|node| node.has_tag_name("tbody"));
    assert_eq!(rows.flat_map(|table| table.children()).count(), 3);
    assert!(text(body.root()).contains("2023-11-14 22:13 UTC"));
}

#[test]
fn sensors_are_columns_if_a_run_knows_them() {
    let columns = |sample: &BenchResult| {
        let page = Report::new(sample).html();
        let body = body(&page);
        let rows = section(&body, "Runs").descendants().filter(|node| node.has_tag_name("tr"));
        let cells = rows.map(|row| row.children().skip(11).map(text).collect::<Vec<_>>());
        cells.collect::<Vec<_>>()
    };
    let mut sample = result(vec![run(&[8_000_000; 20]); 2]);
    assert_eq!(columns(&sample), [[""; 0]; 3]);
    sample.runs[1].sensors.gpu.celsius = Some(64.0);
    sample.runs[1].sensors.cpu.throttled = Some(1);
    let expected = [["CPU throttled", "GPU temperature"], ["-", "-"], ["1 time", "up to 64 °C"]];
    assert_eq!(columns(&sample), expected);
}

#[test]
fn the_highest_refresh_rate_with_at_most_1_percent_over_budget_is_named() {
    assert_eq!(
        verdict_of_frames(&[5_000_000; 500]),
        "Holds 144 Hz: 0.0 % of the time is spent in frames longer than 7.083 ms."
    );
    assert!(verdict_of_frames(&[1_000_000; 500]).starts_with("Holds 240 Hz"));
    assert!(verdict_of_frames(&[10_000_000; 500]).starts_with("Holds 60 Hz"));
    assert!(verdict_of_frames(&[20_000_000; 500]).starts_with("Does not hold 60 Hz: 100.0 %"));
}

#[test]
fn warnings_are_listed_with_their_actions_and_their_absence_is_stated() {
    let mut sample = usual(200);
    let sound = "No condition that was checked makes these results less reliable";
    assert!(Report::new(&sample).html().contains(sound));
    sample.warnings = vec!["debug build: build with --release".to_owned(), "odd".to_owned()];
    sample.complete = false;
    sample.settings.runs = 9;
    let page = Report::new(&sample).html();
    let body = body(&page);
    let warnings = all(body.root(), "warnings")[0];
    let items: Vec<_> = warnings.children().map(text).collect();
    assert_eq!(items[0], "incomplete: 5 of 9 runs; run the benchmark again.");
    assert_eq!(items[1..], ["debug build: build with --release.", "odd"]);
    assert!(!page.contains(sound));
}

#[test]
fn warnings_of_a_comparison_name_their_side_if_they_differ() {
    let (mut results, sweep) = (results(200), sweep());
    let [a, b] = &mut results;
    (a.warnings, b.warnings) = (vec!["load: 1".to_owned()], vec!["load: 2".to_owned()]);
    let page = full(&results, &sweep).html();
    let listed = text(all(body(&page).root(), "warnings")[0]);
    assert!(listed.contains("A: load: 1.") && listed.contains("B: load: 2."), "{listed}");
}

#[test]
fn comparisons_start_with_the_verdict_and_give_the_evidence() {
    let (results, sweep) = (results(200), sweep());
    let page = full(&results, &sweep).html();
    let tree = body(&page);
    assert!(
        text(all(tree.root(), "verdict")[0])
            .starts_with("Regression. B is slower than A; the estimate is above 2 %.")
    );
    let compared = text(section(&tree, "Comparison"));
    // All ten differences have one sign: 2 of 1,024 outcomes.
    assert!(
        compared.contains("A is main, B is branch") && compared.contains("p = 0.0020"),
        "{compared}"
    );
    assert!(!compared.contains("Advisory"), "only saved results are advisory");

    let of_medians = |name: &str, milliseconds: &[f64]| {
        #[expect(clippy::cast_sign_loss, reason = "times are above 0")]
        let ns = |time: &f64| (time * 1e6).round() as u64;
        let runs = milliseconds.iter().map(|time| run(&[ns(time); 20])).collect();
        BenchResult { name: name.to_owned(), ..result(runs) }
    };
    let old = of_medians("old", &[7.50, 7.52, 7.49, 7.55, 7.51, 7.50]);
    let mut baseline = Baseline::from_result(old);
    let saved = |baseline: &Baseline, is: &[f64], percent: f64| {
        let is = of_medians("new", is);
        let threshold = Threshold::new(percent / 100.0).unwrap();
        let comparison = NamedComparison::of_baseline(baseline, &is, threshold);
        assert!(comparison.is_some() || is.runs.is_empty());
        Report { comparison, ..Report::new(&is) }.html()
    };
    let faster = saved(&baseline, &[6.9, 6.95, 6.91, 6.92, 6.9, 6.93], 2.0);
    assert!(faster.contains("Advisory") && faster.contains("B is faster than A"));
    let equal = [7.5, 7.52, 7.51, 7.53, 7.49, 7.51];
    assert!(saved(&baseline, &equal, 5.0).contains("of A and B differ by less than 5 %"));
    assert!(saved(&baseline, &equal, 2.0).contains("Too much noise for a difference of this size"));
    assert!(!saved(&baseline, &[], 2.0).contains("Advisory"));
    // The session that decides is A: with two regressions the first, else the one with the regression.
    baseline.push(of_medians("newer", &[7.0; 3]));
    for (candidate, decides) in [(9.9, "A is old, B is new."), (7.9, "A is newer, B is new.")] {
        let page = saved(&baseline, &[candidate; 3], 2.0);
        let tree = body(&page);
        let verdict = text(all(tree.root(), "verdict")[0]);
        assert!(verdict.contains("B is slower than A") && verdict.contains(decides), "{verdict}");
    }
}

#[test]
fn every_statistic_of_the_page_is_defined() {
    let page = Report::new(&usual(1200)).html();
    let tree = body(&page);
    let definitions = section(&tree, "Definitions");
    let folded = definitions.first_element_child().unwrap();
    assert!(folded.has_tag_name("details") && folded.attribute("open").is_none());
    let names: Vec<_> =
        definitions.descendants().filter(|node| node.has_tag_name("dt")).map(text).collect();
    for row in
        ["sim", "upload", "gpu_wait", "gpu", "hitch", "jitter", "average", "run-to-run spread"]
    {
        assert!(names.iter().any(|name| name == row), "{row} is missing in {names:?}");
    }
    assert!(
        definitions
            .descendants()
            .filter(|node| node.has_tag_name("dd"))
            .all(|dd| text(dd).len() > 15)
    );
}

#[test]
fn pages_start_with_the_results_in_words() {
    let [a, b] = results(1200);
    let baseline = Baseline::from_result(a);
    let comparison = NamedComparison::of_baseline(&baseline, &b, Threshold::default());
    let compared = Report { comparison, ..Report::new(&b) }.html();
    let first_words = |page: &str| {
        let tree = body(page);
        let headline = all(tree.root(), "headline")[0];
        headline.children().take(3).map(text).collect::<Vec<_>>()
    };
    let alone = first_words(&Report::new(&b).html());
    let [verdict, a, b] = <[_; 3]>::try_from(first_words(&compared)).unwrap();
    assert!(verdict.contains("A is main, B is branch"), "{verdict}");
    assert!(alone[0].contains("fps") && !alone[1].contains("fps"), "{alone:?}");
    assert_eq!((a, b), (format!("A: {}", alone[0]), format!("B: {}", alone[0])));
}

#[test]
fn the_trend_of_a_history_needs_five_results_and_more_than_2_percent() {
    // By hand: equal ratios of 1.1, one of which is hidden by a slow result.
    let slower = verdict_of_history(&[100, 110, 121, 133, 400, 161]);
    assert!(slower.starts_with("Slower: frames become longer, +61."), "{slower}");
    assert_eq!(
        verdict_of_history(&[16, 8, 4, 2, 1]),
        "Faster: frames become shorter, -93.75 % over 5 results, -50.00 % per result."
    );
    assert!(verdict_of_history(&[10, 12, 9, 11, 10, 12, 9]).starts_with("No clear trend"));
    assert!(verdict_of_history(&[1000, 1001, 1002, 1003, 1004]).starts_with("No clear trend"));
    assert!(verdict_of_history(&[1, 2, 4, 8]).starts_with("At least five results"));
    let mut results = history(&[100, 110, 121, 133, 161]);
    results[1].settings.cubes += 1;
    assert!(history_page(&results).contains("The results are of different benchmarks: no trend."));
}

#[test]
fn a_history_lists_its_results_from_the_earliest_on_with_their_changes() {
    let mut results = history(&[10, 12, 9]);
    results.reverse();
    results[0].settings.cubes = 7;
    let page = history_page(&results);
    let tree = body(&page);
    let heading = tree.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert_eq!(text(heading), "build 2");
    let history = section(&tree, "History");
    let rows = history.descendants().find(|node| node.has_tag_name("tbody")).unwrap();
    let rows: Vec<Vec<_>> = rows.children().map(|row| row.children().map(text).collect()).collect();
    let first = ["2023-11-14 22:13:20", "build 0", "0.1.0", "10.000", "100.0", "0.0 %"];
    // There is none before it.
    assert_eq!(rows[0], [&first[..], &["+0.00 %", "-"]].concat());
    assert_eq!(rows[1][6..], ["+20.00 %", "+20.00 %"]);
    assert_eq!(rows[2][6..], ["-10.00 %", "-25.00 %"]);
    let warnings = text(all(tree.root(), "warnings")[0]);
    let build_2 = format!("build 2 of {}", rows[2][0]);
    let expected = format!("build 0 (A) and {build_2} (B) differ in cubes (A 10000, B 7).");
    assert_eq!(warnings, expected);
    assert!(!history_page(&[]).contains("NaN"));
}

#[test]
fn equal_differences_of_a_history_are_listed_once() {
    let mut results = history(&[10, 10, 10, 10]);
    for result in &mut results[1..] {
        result.machine.kernel = "6.19".to_owned();
    }
    results[3].complete = false;
    let page = history_page(&results);
    let warnings = text(all(body(&page).root(), "warnings")[0]);
    let kernel = "and 2 later results (B) differ in kernel";
    assert_eq!(warnings.matches("differ in").count(), 1, "{warnings}");
    for expected in [kernel, "build 3 of ", " is incomplete: "] {
        assert!(warnings.contains(expected), "{warnings}");
    }
}

#[test]
fn a_sweep_page_names_the_largest_count_that_holds_the_frame_rate() {
    let page = sweep_page(&sweep());
    let tree = body(&page);
    // 80 ns a cube: 16.67 ms are 208,333, of which two digits are known.
    assert_eq!(
        text(all(tree.root(), "verdict")[0]),
        "60 fps at the median: up to about 210,000 cubes."
    );
    assert!(text(section(&tree, "Setup")).contains("10,000 to 1,000,000 cubes"));
    section(&tree, "Scaling");
    section(&tree, "Definitions");
    let empty = Sweep { points: vec![], complete: false, ..sweep() };
    let page = sweep_page(&empty);
    assert!(page.contains("incomplete") && !page.contains("NaN"), "{page}");
    let single = Sweep { points: sweep().points[..1].to_vec(), ..sweep() };
    assert!(!sweep_page(&single).contains("to the power of"), "one point has no exponent");
}

#[test]
fn the_trend_of_a_history_is_a_mann_kendall_test() {
    // Six results have 15 pairs. One out of order: 14 - 1 = 13, less 1 for continuity, exceeds 1.96 standard deviations of 5.32.
    // Two: 13 - 2 = 11, less 1, does not.
    assert!(verdict_of_history(&[10, 11, 13, 12, 14, 15]).starts_with("Slower"));
    assert!(verdict_of_history(&[10, 11, 13, 12, 15, 14]).starts_with("No clear trend"));
}

#[test]
fn a_refresh_rate_is_held_with_up_to_1_percent_of_the_time_over_budget() {
    let verdict = |usual: u64, count: usize, slow: u64| {
        let frames = [vec![usual * 1_000_000; count], vec![slow * 1_000_000]].concat();
        verdict_of_frames(&frames)
    };
    // 20 and 24 of 2,000 ms.
    assert!(verdict(10, 198, 20).starts_with("Holds 60 Hz: 1.0 %"));
    assert!(verdict(8, 247, 24).starts_with("Does not hold 60 Hz: 1.2 %"));
}

#[test]
fn tables_and_cards_have_the_units_of_their_labels() {
    let runs = [8_000_000, 10_000_000, 9_000_000].map(|time| run(&[time; 1000]));
    let page = Report::new(&result(runs.into())).html();
    let tree = body(&page);
    let cards: Vec<_> = all(tree.root(), "card").into_iter().map(text).collect();
    let spread = cards.iter().find(|card| card.starts_with("run-to-run spread")).unwrap();
    assert!(spread.contains("22.2 %"), "{spread}");
    let page = sweep_page(&sweep());
    let tree = body(&page);
    let scaling = section(&tree, "Scaling");
    let rows = scaling.descendants().find(|node| node.has_tag_name("tbody")).unwrap();
    let first: Vec<_> = rows.children().next().unwrap().children().map(text).collect();
    assert_eq!(first, ["10,000", "0.800", "0.744", "0.880", "-", "-", "80.0", "1250.0"]);
}

#[test]
fn a_suite_page_compares_settings_with_the_standard_and_names_lower_bounds() {
    use cubefall::benchmark::{Score, ScoreRun, Scores, Suite, SuiteLength, Variant, suite_page};

    let variant =
        |flags: &str, ms: f64| Variant { flags: flags.to_owned(), medians_ns: vec![ms * 1e6] };
    let score = |at_least| Score { cubes: 5000, least: 4000, most: 5000, at_least };
    let run = ScoreRun { cubes: 5000, frame_ns: 16e6, cpu_ns: 3e6, gpu_ns: None };
    let suite = Suite {
        complete: true,
        scores: Some(Scores { cubes: score(true), cpu: Some(score(false)), gpu: None }),
        score_runs: vec![run],
        variants: vec![variant("", 10.0), variant("--quality high", 25.0)],
        ..Suite::new(sweep(), SuiteLength::Full)
    };
    let page = suite_page(&suite);
    let tree = body(&page);
    let settings = text(section(&tree, "Settings"));
    assert!(settings.contains("quality high") && settings.contains("2.50 x"), "{settings}");
    let cards: Vec<_> = all(tree.root(), "card").into_iter().map(text).collect();
    assert!(cards[0].contains("cubes; at least; 4,000 to 5,000"), "{cards:?}");
    assert!(cards[1].contains("cubes; 4,000 to 5,000"), "{cards:?}");
}

#[test]
fn the_table_of_runs_has_p99_and_an_unsteady_warm_up() {
    // Of 1,000 frames 30 take 20 ms.
    let frames: Vec<_> = (0..1000).map(|i| if i < 30 { 20_000_000 } else { 8_000_000 }).collect();
    let mut sample = result(vec![run(&frames); 2]);
    sample.runs[1].warmup.steady = Some(false);
    let page = Report::new(&sample).html();
    let tree = body(&page);
    let rows =
        section(&tree, "Runs").descendants().find(|node| node.has_tag_name("tbody")).unwrap();
    let cells = |at: usize| rows.children().map(move |row| text(row.children().nth(at).unwrap()));
    assert_eq!(cells(3).collect::<Vec<_>>(), ["20.000", "20.000"]);
    assert_eq!(cells(8).collect::<Vec<_>>(), ["2.1", "2.1, not steady"]);
}

#[test]
fn the_phases_are_those_of_the_run_in_the_middle() {
    let runs = [5_000_000, 9_000_000, 7_000_000].map(|time| run(&[time; 100]));
    let page = Report::new(&result(runs.into())).html();
    let phases = text(section(&body(&page), "Frame phases"));
    assert!(phases.contains("in run 3, whose median"), "{phases}");
}
