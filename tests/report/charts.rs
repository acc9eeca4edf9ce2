//! Charts: read back with the labels of their own axes, they show the data.

use cubefall::benchmark::{
    Baseline, BenchResult, Comparison, FramePhase, NamedComparison, Report, Threshold, history_page,
};
use roxmltree::Node;

use crate::fixtures::{frames, full, history, pairs, results, run, sweep, usual};
use crate::html::{all, body, section, text};
use crate::results::result;

/// Reads values off an axis by two of its labels.
struct Ruler {
    at: [f64; 2],
    values: [f64; 2],
    is_logarithmic: bool,
}

impl Ruler {
    fn of(axis: Node, coordinate: &str, is_logarithmic: bool) -> Self {
        let mut labels = axis
            .children()
            .filter(|node| node.has_tag_name("text") && node.attribute("class").is_none());
        let (first, last) = (labels.next().unwrap(), labels.next_back().unwrap());
        let value = |node: Node| text(node).replace(',', "").parse().unwrap();
        let values: [f64; 2] = [first, last].map(value);
        Self { at: [first, last].map(|node| number(node, coordinate)), values, is_logarithmic }
    }

    fn horizontal(chart: Node<'_, '_>) -> Self {
        Self::of(child(chart, "bottom"), "x", false)
    }

    fn vertical(chart: Node<'_, '_>) -> Self {
        Self::of(child(chart, "left"), "y", false)
    }

    fn read(&self, at: f64) -> f64 {
        let share = (at - self.at[0]) / (self.at[1] - self.at[0]);
        let [first, last] = self.values;
        if self.is_logarithmic {
            first * (last / first).powf(share)
        } else {
            first + (last - first) * share
        }
    }

    /// The value of half an SVG unit.
    fn tolerance(&self) -> f64 {
        let [first, last] = self.values;
        ((last - first) / (self.at[1] - self.at[0])).abs() / 2.0
    }

    fn assert_shows(&self, at: f64, value: f64) {
        let read = self.read(at);
        assert!((read - value).abs() <= self.tolerance(), "the chart shows {read} for {value}");
    }
}

fn child<'a>(of: Node<'a, 'a>, class: &str) -> Node<'a, 'a> {
    *all(of, class).first().unwrap_or_else(|| panic!("no {class}"))
}

fn number(node: Node, attribute: &str) -> f64 {
    node.attribute(attribute).unwrap().parse().unwrap()
}

/// Returns the points of a path with absolute coordinates.
fn points(path: Node) -> Vec<(f64, f64)> {
    let data = path.attribute("d").unwrap();
    let letters = data.match_indices(|c: char| c.is_ascii_alphabetic());
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (at, letter) in letters {
        let rest = &data[at + 1..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let numbers: Vec<f64> =
            rest[..end].split_whitespace().map(|number| number.parse().unwrap()).collect();
        let last = points.last().copied();
        match (letter, &numbers[..]) {
            ("M" | "L", &[x, y]) => points.push((x, y)),
            ("H", &[x]) => points.push((x, last.unwrap().1)),
            ("V", &[y]) => points.push((last.unwrap().0, y)),
            ("Z", []) => {}
            other => panic!("{other:?} in {data}"),
        }
    }
    points
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn timeline_band_spans_the_fastest_to_the_slowest_frame() {
    let mut sample = usual(3000);
    // No hitches: nothing is cut off.
    for sample in sample.runs.iter_mut().flat_map(|run| &mut run.samples) {
        sample.frame = sample.frame.min(12_000_000);
    }
    let page = Report::new(&sample).html();
    let tree = body(&page);
    let section = section(&tree, "Timeline");
    let chart = child(section, "chart");
    let plot_areas: Vec<_> =
        all(chart, "band").iter().map(|band| band.ancestors().nth(3).unwrap()).collect();
    assert_eq!(plot_areas.len(), 5);
    let x = Ruler::horizontal(chart);
    for (run, plot_area) in sample.runs.iter().zip(plot_areas) {
        let y = Ruler::vertical(plot_area);
        let band = points(child(plot_area, "band"));
        let frames = run.frame_times();
        let [fastest, slowest] =
            [frames.iter().min(), frames.iter().max()].map(|time| *time.unwrap() as f64 / 1e6);
        y.assert_shows(most(band.iter().map(|point| point.1)), fastest);
        y.assert_shows(least(band.iter().map(|point| point.1)), slowest);
        x.assert_shows(
            most(band.iter().map(|point| point.0)),
            frames.iter().sum::<u64>() as f64 / 1e9,
        );
    }
}

#[test]
fn frames_beyond_the_top_of_the_timeline_are_marked_at_their_time() {
    let mut frames = vec![8_000_000; 1000];
    frames[750] = 200_000_000;
    let page = Report::new(&result(vec![run(&frames)])).html();
    let tree = body(&page);
    let chart = child(section(&tree, "Timeline"), "chart");
    let marks = all(chart, "mark");
    assert_eq!(marks.len(), 1);
    assert_eq!(text(marks[0]), "frame 750: 200.000 ms");
    let at: f64 = marks[0].attribute("d").unwrap()[1..].split(' ').next().unwrap().parse().unwrap();
    let shown = Ruler::horizontal(chart).read(at);
    assert!((shown - 6.1).abs() < 0.02, "750 frames of 8 ms and half of 200 ms: {shown}");
    assert!(text(chart).contains("slowest 200.000 ms"));
}

#[test]
fn stacked_phases_add_up_to_the_frame_time() {
    let page = Report::new(&result(vec![run(&[10_000_000; 600])])).html();
    let tree = body(&page);
    let section = section(&tree, "Frame phases");
    let y = Ruler::vertical(child(section, "chart"));
    // The fixture gives them a fifth, a tenth and the rest.
    for (part, from, to) in [
        (FramePhase::Sim, 0.0, 2.0),
        (FramePhase::Upload, 2.0, 3.0),
        (FramePhase::GpuWait, 3.0, 10.0),
    ] {
        let area =
            all(section, part.name()).into_iter().find(|node| node.has_tag_name("path")).unwrap();
        let heights: Vec<_> = points(area).iter().map(|point| point.1).collect();
        y.assert_shows(most(heights.iter().copied()), from);
        y.assert_shows(least(heights.into_iter()), to);
    }
    assert_eq!(all(section, "phase").len(), 3, "phases of no time are left out");
    let gpu = all(section, "gpu").into_iter().find(|node| node.has_tag_name("path")).unwrap();
    for (_, height) in points(gpu) {
        y.assert_shows(height, 5.0);
    }
    assert!(text(child(section, "legend")).contains("gpu_wait (waits) 7.000 ms, 70.0 %"));
}

/// Returns the number of frames in the bars and beyond the last, from their texts.
fn counted(sample: &BenchResult) -> (f64, f64) {
    let page = Report::new(sample).html();
    let total: usize = sample.runs.iter().map(|run| run.samples.len()).sum();
    let tree = body(&page);
    let section = section(&tree, "Distribution of frame times");
    let y = Ruler::vertical(child(section, "chart"));
    let mut sum = 0.0;
    let bars = all(section, "bar");
    for &bar in &bars {
        let words = text(bar);
        let count: f64 = words
            .split(": ")
            .nth(1)
            .unwrap()
            .split(" frame")
            .next()
            .unwrap()
            .replace(',', "")
            .parse()
            .unwrap();
        y.assert_shows(number(bar, "y"), 100.0 * count / total as f64);
        sum += count;
    }
    let words = text(section);
    let beyond = words.split("no measure of certainty. ").nth(1).map_or(0.0, |rest| {
        match rest.split(' ').next() {
            Some("One") => 1.0,
            Some(number) => number.replace(',', "").parse().unwrap_or(0.0),
            None => 0.0,
        }
    });
    assert!(bars.len() <= 150, "{} bars", bars.len());
    (sum, beyond)
}

#[test]
fn every_frame_is_in_a_histogram_bar_or_counted_as_beyond() {
    let (sum, beyond) = counted(&usual(3000));
    assert_eq!(sum + beyond, 15_000.0);
    assert!(beyond >= 15.0, "three hitches in each run are four times as long");
    assert_eq!(counted(&result(vec![run(&[7_000_000; 321])])), (321.0, 0.0));
    let one = [vec![7_000_000; 999], vec![90_000_000]].concat();
    assert_eq!(counted(&result(vec![run(&one)])), (999.0, 1.0));
    assert_eq!(counted(&result(vec![run(&[4, 5])])), (2.0, 0.0));
    let alternating: Vec<_> =
        (0..500).map(|i| if i % 2 == 0 { 4_000_000 } else { 12_000_000 }).collect();
    assert_eq!(counted(&result(vec![run(&alternating)])), (500.0, 0.0));
}

/// Returns the page of two results of constant frame times: 5 ms, and 8 ms with a frame in 100 of 10 ms.
fn compared() -> String {
    let a = result(vec![run(&[5_000_000; 1000]); 2]);
    let frames: Vec<_> =
        (0..1000).map(|i| if i % 100 == 50 { 10_000_000 } else { 8_000_000 }).collect();
    let b = result(vec![run(&frames); 3]);
    let baseline = Baseline::from_result(a);
    let comparison = NamedComparison::of_baseline(&baseline, &b, Threshold::default());
    Report { comparison, ..Report::new(&b) }.html()
}

#[test]
fn timelines_of_two_results_share_plot_areas() {
    let page = compared();
    let tree = body(&page);
    let chart = child(section(&tree, "Timeline"), "chart");
    assert_eq!(
        all(chart, "name").into_iter().map(text).collect::<Vec<_>>(),
        ["run 1", "run 2", "run 3"]
    );
    let y = Ruler::vertical(chart);
    for (side, runs, time) in [("A", 2, 5.0), ("B", 3, 8.0)] {
        let medians: Vec<_> =
            all(chart, side).into_iter().flat_map(|group| all(group, "median")).collect();
        assert_eq!(medians.len(), runs);
        y.assert_shows(points(medians[0])[0].1, time);
    }
    assert!(
        text(chart)
            .contains("A median 5.000 ms, slowest 5.000 ms; B median 8.000 ms, slowest 10.000 ms")
    );
}

#[test]
fn distributions_of_two_results_are_shares_of_their_own_frames() {
    let page = compared();
    let tree = body(&page);
    let section = section(&tree, "Distribution of frame times");
    let chart = child(section, "chart");
    let y = Ruler::vertical(chart);
    let outline = points(*all(chart, "A").iter().find(|node| node.has_tag_name("path")).unwrap());
    y.assert_shows(least(outline.iter().map(|point| point.1)), 100.0);
    let bars = all(child(chart, "B"), "bar");
    let shares: Vec<_> = bars.iter().map(|bar| text(*bar)).collect();
    assert!(shares[0].ends_with(": 2,970 frames, 99.0 %") && shares.len() == 2, "{shares:?}");
    y.assert_shows(number(bars[0], "y"), 99.0);
    assert!(text(child(section, "legend")).contains("A: sample"));
}

#[test]
fn percentile_bars_show_the_known_percentiles_of_both_results() {
    let page = compared();
    let tree = body(&page);
    let chart = child(section(&tree, "Percentiles"), "chart");
    let y = Ruler::vertical(chart);
    for (side, p99) in [("A", 5.0), ("B", 8.02)] {
        let bars: Vec<_> = all(chart, side).into_iter().map(|group| child(group, "bar")).collect();
        let names: Vec<_> = bars.iter().map(|bar| text(*bar)).collect();
        assert_eq!(names.len(), 8, "p99.9 needs 10,000 frames: {names:?}");
        assert_eq!(names[7], format!("{side}: p99 {p99:.3} ms"));
        y.assert_shows(number(bars[7], "y"), p99);
    }
    let alone = Report::new(&usual(10_000)).html();
    let tree = body(&alone);
    assert_eq!(all(section(&tree, "Percentiles"), "bar").len(), 9);
}

#[test]
fn a_history_has_a_dot_for_each_run_and_a_line_through_the_medians() {
    let times = [10, 12, 9, 11];
    let page = history_page(&history(&times));
    let tree = body(&page);
    let chart = child(section(&tree, "History"), "chart");
    let y = Ruler::vertical(chart);
    let line = points(child(chart, "overall"));
    let dots = all(chart, "dot");
    assert_eq!((line.len(), dots.len()), (4, 12));
    for ((&(x, height), dots), time) in line.iter().zip(dots.chunks(3)).zip(times) {
        y.assert_shows(height, f64::from(time as u32));
        for dot in dots {
            assert_eq!(number(*dot, "cx"), x);
            y.assert_shows(number(*dot, "cy"), f64::from(time as u32));
        }
    }
    assert!(text(chart).contains("11-14 22:13"), "labels are dates");
}

#[test]
fn each_run_has_a_dot_at_its_median() {
    let times = [5_000_000, 5_100_000, 4_950_000, 5_020_000, 5_010_000];
    let page = Report::new(&result(times.map(|time| run(&[time; 100])).to_vec())).html();
    let tree = body(&page);
    let chart = child(section(&tree, "Runs"), "chart");
    let (x, y) = (Ruler::horizontal(chart), Ruler::vertical(chart));
    let dots = all(chart, "dot");
    assert_eq!(dots.len(), times.len());
    for (number_of_run, (dot, time)) in (1..).zip(dots.into_iter().zip(times)) {
        x.assert_shows(number(dot, "cx"), f64::from(number_of_run));
        y.assert_shows(number(dot, "cy"), time as f64 / 1e6);
    }
    y.assert_shows(points(child(chart, "overall"))[0].1, 5.01);
}

#[test]
fn comparison_chart_shows_each_change_the_interval_and_the_threshold() {
    let (results, sweep) = (results(200), sweep());
    let page = full(&results, &sweep).html();
    let tree = body(&page);
    let chart = child(section(&tree, "Comparison"), "chart");
    let x = Ruler::horizontal(chart);
    let dots = all(chart, "dot");
    let pairs = pairs();
    assert_eq!(dots.len(), pairs.len());
    for (dot, (a, b)) in dots.into_iter().zip(&pairs) {
        x.assert_shows(number(dot, "cx"), (b.nanoseconds() / a.nanoseconds() - 1.0) * 100.0);
    }
    let comparison = Comparison::of_pairs(&pairs, Threshold::default());
    let test = comparison.test.unwrap();
    let interval = child(chart, "interval");
    x.assert_shows(number(interval, "x1"), test.low.change() * 100.0);
    x.assert_shows(number(interval, "x2"), test.high.change() * 100.0);
    let threshold = child(chart, "threshold");
    x.assert_shows(number(threshold, "x"), 100.0 / 1.02 - 100.0);
    x.assert_shows(number(threshold, "x") + number(threshold, "width"), 2.0);
}

#[test]
fn proportional_sweep_points_are_on_the_line_of_exponent_one() {
    let (results, sweep) = (results(200), sweep());
    let page = full(&results, &sweep).html();
    let tree = body(&page);
    let section = section(&tree, "Scaling");
    let chart = child(section, "chart");
    let x = Ruler::of(child(chart, "bottom"), "x", true);
    let y = Ruler::of(child(chart, "left"), "y", true);
    let line = points(child(chart, "fit"));
    let dots = all(chart, "dot");
    assert_eq!(dots.len(), 5);
    for dot in dots {
        let (across, up) = (number(dot, "cx"), number(dot, "cy"));
        let (cubes, time) = (x.read(across), y.read(up));
        assert!((time / (cubes * 80e-6) - 1.0).abs() < 0.01, "{cubes} cubes take {time} ms");
        let share = (across - line[0].0) / (line[1].0 - line[0].0);
        assert!((line[0].1 + share * (line[1].1 - line[0].1) - up).abs() < 0.3);
    }
    assert!(text(section).contains("to the power of 1.00: proportionally"));
}

#[test]
fn timeline_of_many_runs_shows_eight_and_the_table_lists_all() {
    let many = (1..=30).map(|seed| run(&frames(60, 5_000_000, seed))).collect();
    let page = Report::new(&result(many)).html();
    let tree = body(&page);
    let timeline = section(&tree, "Timeline");
    let names: Vec<_> = all(timeline, "name").into_iter().map(text).collect();
    assert_eq!((names.len(), names[0].as_str(), names[7].as_str()), (8, "run 1", "run 30"));
    assert!(text(timeline).contains("The chart shows 8 of 30 runs"));
    assert_eq!(all(section(&tree, "Runs"), "dot").len(), 30);
}

#[test]
fn the_bar_of_a_run_spans_the_middle_half_of_its_frames() {
    let frames: Vec<_> = (0..=1000).map(|i| 4_000_000 + 1000 * i).collect();
    let page = Report::new(&result(vec![run(&frames)])).html();
    let tree = body(&page);
    let chart = child(section(&tree, "Runs"), "chart");
    let (y, bar) = (Ruler::vertical(chart), child(chart, "range"));
    y.assert_shows(number(bar, "y1"), 4.25);
    y.assert_shows(number(bar, "y2"), 4.75);
}
