//! Document: the page as a whole.

use cubefall::benchmark::{Baseline, Comparison, NamedComparison, Report, Threshold, history_page};

use crate::fixtures::{full, history, pairs, results, run, sweep, usual};
use crate::html::{all, body, section, text};
use crate::results::result;

#[test]
fn a_page_refers_to_nothing_outside_of_itself() {
    let (results, sweep) = (results(2000), sweep());
    for page in [full(&results, &sweep).html(), history_page(&history(&[5, 6, 7]))] {
        let start = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">";
        assert!(page.starts_with(start));
        for outside in
            ["http:", "https:", "src=", "href=", "@import", "url(", "<script", "<link", "//"]
        {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("default-src 'none'"), "the policy forbids requests");
        for scheme in ["prefers-color-scheme: dark", "@media print"] {
            assert!(page.contains(scheme), "{scheme}");
        }
    }
}

#[test]
fn markup_in_names_and_warnings_is_escaped() {
    let wild = "<script>alert('1')</script> & \"x\" </main></style><!--";
    let mut result = result(vec![run(&[5_000_000; 50])]);
    let machine = &mut result.machine;
    for text in [&mut machine.cpu, &mut machine.os, &mut machine.kernel, &mut result.name] {
        wild.clone_into(text);
    }
    wild.clone_into(&mut result.version);
    result.warnings = vec![wild.to_owned()];
    let run = &mut result.runs[0];
    for text in [&mut run.adapter, &mut run.state_hash] {
        wild.clone_into(text);
    }
    let comparison = Comparison::of_pairs(&pairs(), Threshold::default());
    let comparison = NamedComparison::of_pairs(&result, &result, &pairs(), comparison);
    let page = Report { comparison: Some(comparison), ..Report::new(&result) }.html();
    let history = history_page(std::slice::from_ref(&result));
    assert!(!history.contains("<script") && !history.contains("<!--"), "{history}");
    assert!(!page.contains("<script") && !page.contains("<!--"), "{page}");
    assert_eq!((page.matches("</style>").count(), page.matches("</main>").count()), (1, 1));
    let body = body(&page);
    let heading = body.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert_eq!(text(heading), wild);
    for heading in ["Setup", "Runs", "Comparison"] {
        assert!(text(section(&body, heading)).contains(wild), "{heading}");
    }
}

#[test]
fn page_size_does_not_grow_with_the_number_of_frames() {
    let size = |count: usize| Report::new(&usual(count)).html().len();
    let (usual, ten_times) = (size(4_000), size(40_000));
    assert!(usual < 1 << 18 && ten_times < 1 << 18, "{usual} and {ten_times} bytes");
    // Uncorrelated frames, slow ones everywhere: the longest paths there are.
    let wild =
        |seed: u64| (0..10_000).map(|i: u64| (i * i * seed) % 9_973 * 2_000).collect::<Vec<_>>();
    let wildest = Report::new(&result((1..=5).map(|seed| run(&wild(seed))).collect())).html().len();
    assert!(wildest < 1 << 20, "{wildest} bytes");
}

#[test]
fn every_chart_has_a_description_for_screen_readers() {
    let (results, sweep) = (results(500), sweep());
    let page = full(&results, &sweep).html();
    let body = body(&page);
    let charts = all(body.root(), "chart");
    assert_eq!(charts.len(), 7);
    for chart in charts {
        let svg = chart.first_element_child().unwrap();
        assert_eq!(svg.attribute("role"), Some("img"));
        assert!(svg.attribute("aria-label").is_some_and(|words| words.len() > 30), "{svg:?}");
    }
    for heading in body.descendants().filter(|node| node.has_tag_name("th")) {
        assert!(["row", "col"].contains(&heading.attribute("scope").unwrap()));
    }
}

#[test]
fn empty_and_extreme_results_make_a_page_without_nan_or_infinity() {
    let hidden = {
        let mut run = run(&[5_000_000; 10]);
        for sample in &mut run.samples {
            sample.status = cubefall::benchmark::FrameStatus::Hidden;
        }
        run
    };
    let odd = [
        vec![],
        vec![run(&[])],
        vec![hidden],
        vec![run(&[0; 10])],
        vec![run(&[1])],
        vec![run(&[0, 5_000_000])],
        vec![run(&[u64::MAX; 3]), run(&[1, 2, 3])],
        vec![run(&[5_000_000; 100])],
        (0..40).map(|_| run(&[5_000_000, 6_000_000])).collect(),
    ];
    for runs in odd {
        let count = runs.len();
        let (odd, usual) = (result(runs), usual(200));
        let baseline = Baseline::from_result(usual.clone());
        let comparison = NamedComparison::of_baseline(&baseline, &odd, Threshold::default());
        let compared = Report { comparison, ..Report::new(&odd) }.html();
        let history = history_page(&[usual.clone(), odd.clone()]);
        for page in [Report::new(&odd).html(), compared, history] {
            let body = body(&page);
            for node in body.descendants() {
                for attribute in node.attributes() {
                    let value = attribute.value();
                    let is_finite = !value.contains("NaN") && !value.contains("inf");
                    assert!(is_finite, "{count} runs: {node:?}");
                }
            }
            assert!(!text(body.root()).contains("NaN"));
        }
    }
}

#[test]
fn text_contrast_meets_wcag_in_every_color_scheme() {
    let page = Report::new(&result(vec![])).html();
    let colors = |scheme: &str| {
        let style = page.split(scheme).nth(1).unwrap();
        let style = style[..style.find("}\n").unwrap()].to_owned();
        move |name: &str| {
            let value = style.split(&format!("--{name}: #")).nth(1).unwrap();
            let digits: Vec<_> = value.chars().take_while(char::is_ascii_hexdigit).collect();
            let channel = |at: usize| match digits.len() {
                3 => String::from_iter([digits[at], digits[at]]),
                _ => String::from_iter(&digits[2 * at..2 * at + 2]),
            };
            [0, 1, 2].map(|at| f64::from(u8::from_str_radix(&channel(at), 16).unwrap()) / 255.0)
        }
    };
    // Contrast ratio of the Web Content Accessibility Guidelines 2, level AA: 4.5 for text.
    let luminance = |color: [f64; 3]| {
        let linear =
            color.map(|c| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let contrast = |one: [f64; 3], other: [f64; 3]| {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    };
    for scheme in [":root {", "dark) {\n  :root {", "@media print {\n  :root {"] {
        let color = colors(scheme);
        for ink in ["ink", "faint", "accent", "warn", "good"] {
            let ratio = contrast(color(ink), color("paper"));
            assert!(ratio >= 4.5, "{scheme} {ink} {ratio}");
        }
        // 3 for shapes: the phases of a frame.
        for phase in ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"] {
            let ratio = contrast(color(phase), color("paper"));
            assert!(ratio >= 3.0, "{scheme} {phase} {ratio}");
        }
        assert!(contrast(color("warn"), color("warn-paper")) >= 4.5, "{scheme}");
    }
}
