//! Pictures: measured with their own axes, they show the data.

use cubefall::benchmark::{BenchResult, Comparison, FramePhase, Report, Threshold};
use roxmltree::Node;

use crate::page::{all, body, section, text};
use crate::sample::{frames, full, pairs, result, run, sweep, usual};

/// Reads values off an axis by two of its names.
struct Ruler {
    at: [f64; 2],
    values: [f64; 2],
    is_logarithmic: bool,
}

impl Ruler {
    fn of(axis: Node, coordinate: &str, is_logarithmic: bool) -> Self {
        let mut names = axis
            .children()
            .filter(|node| node.has_tag_name("text") && node.attribute("class").is_none());
        let (first, last) = (names.next().unwrap(), names.next_back().unwrap());
        let value = |node: Node| text(node).replace(',', "").parse().unwrap();
        let values: [f64; 2] = [first, last].map(value);
        Self { at: [first, last].map(|node| number(node, coordinate)), values, is_logarithmic }
    }

    fn across(picture: Node<'_, '_>) -> Self {
        Self::of(child(picture, "below"), "x", false)
    }

    fn upward(picture: Node<'_, '_>) -> Self {
        Self::of(child(picture, "left"), "y", false)
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

    /// What half a unit of the picture is worth at most.
    fn tolerance(&self) -> f64 {
        let [first, last] = self.values;
        ((last - first) / (self.at[1] - self.at[0])).abs() / 2.0
    }

    fn shows(&self, at: f64, value: f64) {
        let read = self.read(at);
        assert!((read - value).abs() <= self.tolerance(), "{read} is shown for {value}");
    }
}

fn child<'a>(of: Node<'a, 'a>, class: &str) -> Node<'a, 'a> {
    *all(of, class).first().unwrap_or_else(|| panic!("no {class}"))
}

fn number(node: Node, attribute: &str) -> f64 {
    node.attribute(attribute).unwrap().parse().unwrap()
}

/// The corners of a path of absolute strokes.
fn corners(path: Node) -> Vec<(f64, f64)> {
    let data = path.attribute("d").unwrap();
    let letters = data.match_indices(|c: char| c.is_ascii_alphabetic());
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (at, letter) in letters {
        let rest = &data[at + 1..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let numbers: Vec<f64> =
            rest[..end].split_whitespace().map(|number| number.parse().unwrap()).collect();
        let last = corners.last().copied();
        match (letter, &numbers[..]) {
            ("M" | "L", &[x, y]) => corners.push((x, y)),
            ("H", &[x]) => corners.push((x, last.unwrap().1)),
            ("V", &[y]) => corners.push((last.unwrap().0, y)),
            ("Z", []) => {}
            other => panic!("{other:?} in {data}"),
        }
    }
    corners
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn the_band_of_a_run_reaches_from_its_fastest_to_its_slowest_frame() {
    let mut sample = usual(3000);
    // No hitches: nothing is cut off.
    for sample in sample.runs.iter_mut().flat_map(|run| &mut run.samples) {
        sample.frame = sample.frame.min(12_000_000);
    }
    let page = Report::of(&sample).html();
    let tree = body(&page);
    let section = section(&tree, "Frame times as the runs went on");
    let picture = child(section, "plot");
    let strips: Vec<_> =
        all(picture, "band").iter().map(|band| band.parent().unwrap().parent().unwrap()).collect();
    assert_eq!(strips.len(), 5);
    let x = Ruler::across(picture);
    for (run, strip) in sample.runs.iter().zip(strips) {
        let y = Ruler::upward(strip);
        let band = corners(child(strip, "band"));
        let frames = run.frame_times();
        let [fastest, slowest] =
            [frames.iter().min(), frames.iter().max()].map(|time| *time.unwrap() as f64 / 1e6);
        y.shows(most(band.iter().map(|corner| corner.1)), fastest);
        y.shows(least(band.iter().map(|corner| corner.1)), slowest);
        x.shows(most(band.iter().map(|corner| corner.0)), frames.iter().sum::<u64>() as f64 / 1e9);
    }
}

#[test]
fn what_goes_beyond_the_top_is_marked_where_it_was() {
    let mut frames = vec![8_000_000; 1000];
    frames[750] = 200_000_000;
    let page = Report::of(&result(vec![run(&frames)])).html();
    let tree = body(&page);
    let picture = child(section(&tree, "Frame times as the runs went on"), "plot");
    let marks = all(picture, "mark");
    assert_eq!(marks.len(), 1);
    assert_eq!(text(marks[0]), "frame 751: 200.000 ms");
    let at: f64 = marks[0].attribute("d").unwrap()[1..].split(' ').next().unwrap().parse().unwrap();
    let shown = Ruler::across(picture).read(at);
    assert!((shown - 6.1).abs() < 0.02, "750 frames of 8 ms and half of 200 ms: {shown}");
    assert!(text(picture).contains("slowest 200.000 ms"));
}

#[test]
fn parts_of_a_frame_lie_on_each_other_up_to_the_frame() {
    let page = Report::of(&result(vec![run(&[10_000_000; 600])])).html();
    let tree = body(&page);
    let section = section(&tree, "What a frame is made of");
    let y = Ruler::upward(child(section, "plot"));
    // As the sample is made: a fifth, a tenth, the rest.
    for (part, from, to) in [
        (FramePhase::Sim, 0.0, 2.0),
        (FramePhase::Upload, 2.0, 3.0),
        (FramePhase::GpuWait, 3.0, 10.0),
    ] {
        let area =
            all(section, part.name()).into_iter().find(|node| node.has_tag_name("path")).unwrap();
        let heights: Vec<_> = corners(area).iter().map(|corner| corner.1).collect();
        y.shows(most(heights.iter().copied()), from);
        y.shows(least(heights.into_iter()), to);
    }
    assert_eq!(all(section, "part").len(), 3, "what takes no time is left out");
    let gpu = all(section, "gpu").into_iter().find(|node| node.has_tag_name("path")).unwrap();
    for (_, height) in corners(gpu) {
        y.shows(height, 5.0);
    }
    assert!(text(child(section, "legend")).contains("gpu_wait (waits) 7.000 ms, 70.0 %"));
}

/// Counts by the bars' own words.
fn counted(sample: &BenchResult) -> (f64, f64) {
    let page = Report::of(sample).html();
    let tree = body(&page);
    let section = section(&tree, "How long frames take");
    let y = Ruler::upward(child(section, "plot"));
    let mut sum = 0.0;
    let bars = all(section, "bar");
    for &bar in &bars {
        let words = text(bar);
        let count: f64 = words
            .split(": ")
            .nth(1)
            .unwrap()
            .trim_end_matches(" frames")
            .replace(',', "")
            .parse()
            .unwrap();
        y.shows(number(bar, "y"), count);
        sum += count;
    }
    let words = text(section);
    let beyond =
        words.split("proves nothing. ").nth(1).map_or(0.0, |rest| match rest.split(' ').next() {
            Some("One") => 1.0,
            Some(number) => number.replace(',', "").parse().unwrap_or(0.0),
            None => 0.0,
        });
    assert!(bars.len() <= 150, "{} bars", bars.len());
    (sum, beyond)
}

#[test]
fn every_frame_is_in_a_bar_or_said_to_be_beyond() {
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

#[test]
fn the_line_of_a_run_rises_from_its_fastest_frame_through_its_median() {
    // From 5 to 6 ms in equal steps: the line is straight.
    let even: Vec<_> = (0..=1000).map(|number| 5_000_000 + 1000 * number).collect();
    let page = Report::of(&result(vec![run(&even)])).html();
    let tree = body(&page);
    let section = section(&tree, "How long frames take");
    let picture = all(section, "plot")[1];
    let (x, y) = (Ruler::across(picture), Ruler::upward(picture));
    let line = corners(child(picture, "line"));
    assert!(line.len() > 100);
    for &(across, up) in &line {
        let expected = 5.0 + y.read(up) / 100.0;
        assert!((x.read(across) - expected).abs() < 0.01, "{expected}");
    }
    x.shows(line[0].0, 5.0);
    x.shows(line[line.len() - 1].0, 6.0);
}

#[test]
fn a_dot_for_each_run_lies_at_its_median() {
    let times = [5_000_000, 5_100_000, 4_950_000, 5_020_000, 5_010_000];
    let page = Report::of(&result(times.map(|time| run(&[time; 100])).to_vec())).html();
    let tree = body(&page);
    let picture = child(section(&tree, "The runs beside each other"), "plot");
    let (x, y) = (Ruler::across(picture), Ruler::upward(picture));
    let dots = all(picture, "dot");
    assert_eq!(dots.len(), times.len());
    for (number_of_run, (dot, time)) in (1..).zip(dots.into_iter().zip(times)) {
        x.shows(number(dot, "cx"), f64::from(number_of_run));
        y.shows(number(dot, "cy"), time as f64 / 1e6);
    }
    y.shows(number(child(picture, "middle"), "y1"), 5.01);
}

#[test]
fn pairs_lie_where_they_differ_and_the_interval_spans_its_ends() {
    let (sample, sweep) = (usual(200), sweep());
    let page = full(&sample, &sweep).html();
    let tree = body(&page);
    let picture = child(section(&tree, "Compared"), "plot");
    let x = Ruler::across(picture);
    let dots = all(picture, "dot");
    let pairs = pairs();
    assert_eq!(dots.len(), pairs.len());
    for (dot, (a, b)) in dots.into_iter().zip(&pairs) {
        x.shows(number(dot, "cx"), (b.nanoseconds() / a.nanoseconds() - 1.0) * 100.0);
    }
    let comparison = Comparison::of_pairs(&pairs, Threshold::default());
    let test = comparison.test.unwrap();
    let interval = child(picture, "interval");
    x.shows(number(interval, "x1"), test.low.change() * 100.0);
    x.shows(number(interval, "x2"), test.high.change() * 100.0);
    let harmless = child(picture, "harmless");
    x.shows(number(harmless, "x"), -2.0);
    x.shows(number(harmless, "x") + number(harmless, "width"), 2.0);
}

#[test]
fn points_in_proportion_lie_on_the_line_of_exponent_one() {
    let (sample, sweep) = (usual(200), sweep());
    let page = full(&sample, &sweep).html();
    let tree = body(&page);
    let section = section(&tree, "More cubes");
    let picture = child(section, "plot");
    let x = Ruler::of(child(picture, "below"), "x", true);
    let y = Ruler::of(child(picture, "left"), "y", true);
    let line = corners(child(picture, "fit"));
    let dots = all(picture, "dot");
    assert_eq!(dots.len(), 5);
    for dot in dots {
        let (across, up) = (number(dot, "cx"), number(dot, "cy"));
        let (cubes, time) = (x.read(across), y.read(up));
        assert!((time / (cubes * 80e-6) - 1.0).abs() < 0.01, "{cubes} cubes take {time} ms");
        let share = (across - line[0].0) / (line[1].0 - line[0].0);
        assert!((line[0].1 + share * (line[1].1 - line[0].1) - up).abs() < 0.3);
    }
    assert!(text(section).contains("to the power of 1.00: in proportion"));
}

#[test]
fn of_many_runs_a_few_are_drawn_and_all_are_listed() {
    let many = (1..=30).map(|seed| run(&frames(60, 5_000_000, seed))).collect();
    let page = Report::of(&result(many)).html();
    let tree = body(&page);
    let timeline = section(&tree, "Frame times as the runs went on");
    let names: Vec<_> = all(timeline, "name").into_iter().map(text).collect();
    assert_eq!((names.len(), names[0].as_str(), names[7].as_str()), (8, "run 1", "run 30"));
    assert!(text(timeline).contains("Shown are 8 of 30 runs"));
    assert_eq!(all(section(&tree, "The runs beside each other"), "dot").len(), 30);
}
