//! Facts: what the page says in words and tables.

use cubefall::benchmark::{BenchResult, Compared, Report, Sweep, Threshold, sweep_page};

use crate::page::{all, body, section, text};
use crate::sample::{full, result, run, sweep, usual};

/// 499 frames of 8 ms, one of 200, 500 of 8: the same frames are 36.8, 125 and 5 fps "1 % low".
fn golden() -> Vec<u64> {
    let mut frames = vec![8_000_000; 1000];
    frames[499] = 200_000_000;
    frames
}

#[test]
fn figures_are_those_worked_out_by_hand() {
    let page = Report::of(&result(vec![run(&golden()); 3])).html();
    let body = body(&page);
    let cards: Vec<_> = all(body.root(), "card").into_iter().map(text).collect();
    let card = |name: &str| cards.iter().find(|card| card.starts_with(name)).unwrap();
    assert!(card("median frame time").contains("8.000 ms"), "{cards:?}");
    assert!(card("median frame time").contains("125.0 frames per second"));
    assert!(card("1 % low (rank mean)").contains("36.8 fps"));
    assert!(card("1 % low (rank mean)").contains("k / sum of the k slowest frame times"));
    assert!(card("average").contains("122.1 fps"));
    assert!(card("run to run").contains("0.0 %"));
    assert!(card("hitches").contains("1 in a run"));
    let figures = text(section(&body, "All figures"));
    for figure in
        ["125.0 fps", "5.0 fps", "36.8 fps", "200.000", "too long for 60 Hz2.4 % of the time"]
    {
        assert!(figures.contains(figure), "{figure} is missing in {figures}");
    }
    let runs = section(&body, "The runs beside each other");
    let rows = runs.descendants().filter(|node| node.has_tag_name("tbody"));
    assert_eq!(rows.flat_map(|table| table.children()).count(), 3);
    // 10^9 seconds after 1970, in a well-known minute.
    assert!(text(body.root()).contains("2001-09-09 01:46 UTC"));
}

#[test]
fn the_fastest_display_that_is_kept_up_with_is_named() {
    let verdict = |frames: &[u64]| {
        let page = Report::of(&result(vec![run(frames)])).html();
        let body = body(&page);
        text(all(body.root(), "verdict")[0])
    };
    assert_eq!(
        verdict(&[5_000_000; 500]),
        "Keeps up with 144 Hz: 0.0 % of the time goes by in frames over 6.944 ms."
    );
    assert!(verdict(&[1_000_000; 500]).starts_with("Keeps up with 240 Hz"));
    assert!(verdict(&[10_000_000; 500]).starts_with("Keeps up with 60 Hz"));
    assert!(verdict(&[20_000_000; 500]).starts_with("Does not keep up with 60 Hz: 100.0 %"));
    // One frame in 500 of a tenth of a second is 2 % of the time.
    let mut stutter = vec![10_000_000; 499];
    stutter.push(100_000_000);
    assert!(verdict(&stutter).starts_with("Does not keep up with 60 Hz: 2.0 %"));
}

#[test]
fn warnings_come_with_what_to_do_and_their_absence_is_said() {
    let mut sample = usual(200);
    let sound = "Nothing was found that would make these figures less worth";
    assert!(Report::of(&sample).html().contains(sound));
    sample.warnings = vec!["debug build: build with --release".to_owned(), "odd".to_owned()];
    sample.complete = false;
    sample.settings.runs = 9;
    let page = Report::of(&sample).html();
    let body = body(&page);
    let warnings = all(body.root(), "warnings")[0];
    let said: Vec<_> = warnings.children().map(text).collect();
    assert_eq!(said[0], "incomplete: 5 of 9 runs are there; run it again for all of them.");
    assert_eq!(said[1..], ["debug build: build with --release.", "odd"]);
    assert!(!page.contains(sound));
}

#[test]
fn comparisons_say_their_verdict_first_and_how_sure_it_is() {
    let (sample, sweep) = (usual(200), sweep());
    let page = full(&sample, &sweep).html();
    let tree = body(&page);
    assert!(
        text(all(tree.root(), "verdict")[0])
            .starts_with("Slower. B is slower than A, by more than 2 %.")
    );
    let compared = text(section(&tree, "Compared"));
    // All ten pairs one way: 2 of 1,024 outcomes.
    assert!(
        compared.contains("A is main, B is branch") && compared.contains("p = 0.0020"),
        "{compared}"
    );
    assert!(!compared.contains("Advice only"), "pairs are more than advice");

    let of_medians = |name: &str, milliseconds: &[f64]| {
        #[expect(clippy::cast_sign_loss, reason = "times are above 0")]
        let ns = |time: &f64| (time * 1e6).round() as u64;
        let runs = milliseconds.iter().map(|time| run(&[ns(time); 20])).collect();
        BenchResult { name: name.to_owned(), ..result(runs) }
    };
    let was = of_medians("old", &[7.50, 7.52, 7.49, 7.55, 7.51, 7.50]);
    let saved = |is: &[f64]| {
        let is = of_medians("new", is);
        let compared = Compared::of_saved(&was, &is, Threshold::default());
        Report { compared: Some(compared), ..Report::of(&is) }.html()
    };
    let faster = saved(&[6.9, 6.95, 6.91, 6.92, 6.9, 6.93]);
    assert!(faster.contains("Advice only") && faster.contains("B is faster than A"));
    assert!(saved(&[7.5, 7.52, 7.51, 7.53, 7.49, 7.51]).contains("it is within 2 %"));
    assert!(saved(&[7.5]).contains("It takes four runs of each"));
}

#[test]
fn every_figure_of_the_page_is_explained() {
    let page = Report::of(&usual(1200)).html();
    let tree = body(&page);
    let definitions = section(&tree, "What the figures mean");
    let names: Vec<_> =
        definitions.descendants().filter(|node| node.has_tag_name("dt")).map(text).collect();
    for row in ["sim", "upload", "gpu_wait", "gpu", "hitch", "jitter", "average fps", "run to run"]
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
fn a_sweep_has_a_page_of_its_own_that_says_how_many_cubes_are_fluent() {
    let page = sweep_page(&sweep());
    let tree = body(&page);
    // 80 ns a cube: 16.67 ms are 208,333, of which two digits are known.
    assert_eq!(text(all(tree.root(), "verdict")[0]), "60 fps up to about 210,000 cubes.");
    assert!(
        text(section(&tree, "What was measured, and where")).contains("10,000 to 1,000,000 cubes")
    );
    section(&tree, "More cubes");
    section(&tree, "What the figures mean");
    let empty = Sweep { points: vec![], complete: false, ..sweep() };
    let page = sweep_page(&empty);
    assert!(page.contains("incomplete") && !page.contains("NaN"), "{page}");
    let single = Sweep { points: sweep().points[..1].to_vec(), ..sweep() };
    assert!(!sweep_page(&single).contains("to the power of"), "two points are a line, one is none");
}
