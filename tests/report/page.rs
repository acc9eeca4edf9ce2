//! Page: the file as a whole, and the tree it is read back as.

use cubefall::benchmark::{Compared, Report, Threshold};
use roxmltree::{Document, Node};

use crate::sample::{full, pairs, result, run, sweep, usual};

/// The part of a page that is seen; it is well-formed XML.
pub(crate) fn body(page: &str) -> Document<'_> {
    let begin = page.find("<main>").unwrap();
    let end = page.rfind("</main>").unwrap() + "</main>".len();
    Document::parse(&page[begin..end]).unwrap()
}

/// The section under a heading.
pub(crate) fn section<'a>(body: &'a Document, heading: &str) -> Node<'a, 'a> {
    let mut sections = body.descendants().filter(|node| node.has_tag_name("section"));
    let is_it = |section: &Node| {
        section.children().any(|node| node.has_tag_name("h2") && text(node) == heading)
    };
    sections.find(is_it).unwrap_or_else(|| panic!("no section {heading}"))
}

/// All elements of a class, in order.
pub(crate) fn all<'a>(under: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has_class = |node: &Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|name| name == class))
    };
    under.descendants().filter(has_class).collect()
}

/// All the text there is, without the space around it.
pub(crate) fn text(node: Node) -> String {
    let texts = node.descendants().filter_map(|node| node.is_text().then(|| node.text())?);
    texts.collect::<String>().trim().to_owned()
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let (result, sweep) = (usual(2000), sweep());
    let page = full(&result, &sweep).html();
    assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"));
    for outside in ["http:", "https:", "src=", "href=", "@import", "url(", "<script", "<link", "//"]
    {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"), "nor may it ask for more");
    for scheme in ["prefers-color-scheme: dark", "@media print"] {
        assert!(page.contains(scheme), "{scheme}");
    }
}

#[test]
fn what_others_wrote_is_text_wherever_it_stands() {
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
    let compared = Compared::of_pairs(wild, wild, pairs(), Threshold::default());
    let page = Report { compared: Some(compared), ..Report::of(&result) }.html();
    assert!(!page.contains("<script") && !page.contains("<!--"), "{page}");
    assert_eq!((page.matches("</style>").count(), page.matches("</main>").count()), (1, 1));
    let body = body(&page);
    let heading = body.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert_eq!(text(heading), wild);
    for heading in ["What was measured, and where", "The runs beside each other", "Compared"] {
        assert!(text(section(&body, heading)).contains(wild), "{heading}");
    }
}

#[test]
fn a_page_does_not_grow_with_the_number_of_frames() {
    let size = |count: usize| Report::of(&usual(count)).html().len();
    let (usual, ten_times) = (size(4_000), size(40_000));
    assert!(usual < 1 << 18 && ten_times < 1 << 18, "{usual} and {ten_times} bytes");
    // Each frame is unlike the one before, and slow ones are everywhere.
    let wild =
        |seed: u64| (0..10_000).map(|i: u64| (i * i * seed) % 9_973 * 2_000).collect::<Vec<_>>();
    let wildest = Report::of(&result((1..=5).map(|seed| run(&wild(seed))).collect())).html().len();
    assert!(wildest < 1 << 20, "{wildest} bytes");
}

#[test]
fn every_picture_says_in_words_what_there_is_to_see() {
    let (result, sweep) = (usual(500), sweep());
    let page = full(&result, &sweep).html();
    let body = body(&page);
    let pictures = all(body.root(), "plot");
    assert_eq!(pictures.len(), 7);
    for picture in pictures {
        let svg = picture.first_element_child().unwrap();
        assert_eq!(svg.attribute("role"), Some("img"));
        assert!(svg.attribute("aria-label").is_some_and(|words| words.len() > 30), "{svg:?}");
    }
    for heading in body.descendants().filter(|node| node.has_tag_name("th")) {
        assert!(["row", "col"].contains(&heading.attribute("scope").unwrap()));
    }
}

#[test]
fn results_with_nothing_in_them_make_a_page_all_the_same() {
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
        let page = Report::of(&result(runs)).html();
        let body = body(&page);
        for node in body.descendants() {
            for attribute in node.attributes() {
                let value = attribute.value();
                assert!(!value.contains("NaN") && !value.contains("inf"), "{count} runs: {node:?}");
            }
        }
        assert!(!text(body.root()).contains("NaN"));
    }
}

#[test]
fn text_stands_out_from_the_paper_on_every_screen() {
    let page = Report::of(&result(vec![])).html();
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
    // The contrast ratio of the Web Content Accessibility Guidelines; they ask for 4.5 for text and 3 for
    // what has to be told apart in pictures.
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
        assert!(contrast(color("warn"), color("warn-paper")) >= 4.5, "{scheme}");
    }
}
