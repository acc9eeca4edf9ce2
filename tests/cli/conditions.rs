//! Conditions that results must share to be compared.

use std::fs;

use cubefall::benchmark::RunResult;
use serde_json::Value;

use crate::program::{assert_fails, run, stdout, unchecked_stdout};
use crate::scripted_runs::{ab, bench, json, noisy, program, steady};

#[test]
fn runs_that_do_other_work_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let half = |run: RunResult| RunResult { work_hash: "0000000000000001".to_owned(), ..run };
    let runs = |ms: f64| -> Vec<_> { (0..6).map(|number| steady(noisy(ms, number))).collect() };
    let other: Vec<_> = runs(5.0).into_iter().map(half).collect();
    let differs = ["cannot compare A with B", "simulated work"];
    assert_fails(&ab(folder.path(), &runs(10.0), &other, &[]), 6, &differs);
    // Flags of one side do not explain it, unless they change the scene.
    let flags = ["--b-flags", "--geometry instanced"];
    assert_fails(&ab(folder.path(), &runs(10.0), &other, &flags), 6, &differs);
    let allowed = ab(folder.path(), &runs(10.0), &other, &["--b-flags", "--cubes 5k"]);
    let found = stdout(&allowed);
    assert!(found.contains("Improvement") && found.contains("cubes: A 10000, B 5000"), "{found}");
    let flags = fs::read_to_string(folder.path().join("b.flags")).unwrap();
    assert!(flags.lines().last().unwrap().contains("--cubes=5000"), "{flags}");

    // Nor are they combined into one result.
    let mixed = [steady(10.0), half(steady(10.0))];
    assert_fails(&bench(folder.path(), &mixed, &[]), 6, &["do not belong together", "work"]);
    let adapters = [steady(10.0), RunResult { adapter: "other".into(), ..steady(10.0) }];
    assert_fails(&bench(folder.path(), &adapters, &[]), 6, &["do not belong together", "adapter"]);

    // Saved results are compared across machines and settings only if asked.
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (a, b) = (out("a.json"), out("b.json"));
    stdout(&bench(folder.path(), &runs(10.0), &["--json", &a]));
    stdout(&bench(folder.path(), &other, &["--json", &b, "--cubes", "5k"]));
    let refused = run(&["bench", "compare", &a, &b]);
    assert_fails(&refused, 6, &["cubes (A 10000, B 5000)", "simulated work", "--across"]);
    let across = stdout(&run(&["bench", "compare", &a, &b, "--across"]));
    assert!(across.contains("cubes: A 10000, B 5000"), "{across}");
    for line in [format!("A: {a}"), format!("B: {b}")] {
        // The path may be longer than the line.
        assert!(across.replace("\n  ", " ").contains(&line), "{across}");
    }
    assert!(across.contains("median 10.0") && across.contains("bench ab"), "{across}");
    let text = fs::read_to_string(&b).unwrap();
    let mut elsewhere: Value = serde_json::from_str(&text).unwrap();
    elsewhere["machine"]["cpu"] = "another one".into();
    elsewhere["warnings"] = vec!["it was noisy"].into();
    fs::write(&b, elsewhere.to_string()).unwrap();
    let across = stdout(&run(&["bench", "compare", &a, &b, "--across"]));
    assert!(across.contains("\nMeasured on different machines.\n"), "{across}");
    assert!(across.ends_with("\nwarning: B: it was noisy\n"), "{across}");
    let found = json(&run(&["bench", "compare", &a, &b, "--across", "--json"]));
    assert_eq!(found["differences"][0]["condition"], "cubes", "{found}");
    assert_eq!(found["warnings"][1][0], "it was noisy", "{found}");
}

#[test]
fn a_comparison_is_refused_with_every_setting_that_differs() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.json", "b.json"].map(|name| folder.path().join(name).display().to_string());
    let both = [steady(10.0), steady(10.0)];
    stdout(&bench(folder.path(), &both, &["--json", &a]));
    let flags = ["--latency=1", "--warmup=5", "--size=48x64", "--motion=evaluated", "--dt=1/30"];
    let more = ["--mode=camera-falls", "--duration=5", "--json", &b];
    stdout(&bench(folder.path(), &both, &[&flags[..], &more].concat()));
    let differences = [
        "duration s (A 10.0, B 5.0)",
        "latency (A 2, B 1)",
        "mode (A cubes-fall, B camera-falls)",
        "motion (A integrated, B evaluated)",
        "size (A [1280,720], B [48,64])",
        "warmup frames (A -, B 5)",
        "dt s (A 0.016666668, B 0.033333335)",
    ];
    assert_fails(&run(&["bench", "compare", &a, &b]), 6, &differences);
}

#[test]
fn another_camera_is_one_difference_and_other_work() {
    let folder = tempfile::tempdir().unwrap();
    let runs = || [steady(10.0), steady(10.0)];
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (a, b) = (file("a.json"), file("b.json"));
    stdout(&bench(folder.path(), &runs(), &["--json", &a]));
    let other = || runs().map(|run| RunResult { work_hash: "0".repeat(16), ..run });
    stdout(&bench(folder.path(), &other(), &["--json", &b, "--fov", "30"]));
    let found = json(&run(&["bench", "compare", &a, &b, "--across", "--json"]));
    let differences = found["differences"].as_array().unwrap();
    let named: Vec<_> = differences.iter().map(|it| it["condition"].as_str().unwrap()).collect();
    assert_eq!(named, ["camera", "simulated work"], "{found}");
    let pairs = ab(folder.path(), &runs(), &other(), &["--b-flags", "--fov 30"]);
    assert_eq!(pairs.status.code(), Some(4), "too few pairs, but they are compared: {pairs:?}");
}

#[test]
fn states_after_other_numbers_of_steps_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let runs =
        |hash: &str| [10.0; 2].map(|ms| RunResult { work_hash: hash.repeat(16), ..steady(ms) });
    let compared = |warmups: [&str; 2]| {
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
        stdout(&bench(folder.path(), &runs("1"), &["--json", &a, "--warmup", warmups[0]]));
        stdout(&bench(folder.path(), &runs("2"), &["--json", &b, "--warmup", warmups[1]]));
        let found = json(&run(&["bench", "compare", &a, &b, "--across", "--json"]));
        let differences = found["differences"].as_array().unwrap().clone();
        differences
            .iter()
            .map(|it| it["condition"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(compared(["5", "50"]), ["warmup frames"]);
    assert_eq!(
        compared(["120", "200"]),
        ["warmup frames", "simulated work"],
        "both after 60 steps"
    );
}

#[test]
fn a_camera_is_the_same_whatever_its_flags_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let path = |height: u32| {
        format!(
            r#"{{"keys": [{{"time": 0, "position": [0, 0, 9]}}, {{"time": 9, "position": [0, {height}, 9]}}]}}"#
        )
    };
    let (flight, copy) = (file("flight.json"), file("copy.json"));
    fs::write(&flight, path(9)).unwrap();
    fs::write(&copy, path(9)).unwrap();
    let measured = |name: &str, flags: &[&str]| {
        let result = file(name);
        let runs = [steady(10.0), steady(10.0)];
        stdout(&bench(folder.path(), &runs, &[flags, &["--json", &result]].concat()));
        result
    };
    let assert_compared = |a: &str, b: &str, is_same: bool| {
        let output = run(&["bench", "compare", a, b]);
        if is_same {
            assert_eq!(output.status.code(), Some(0), "{output:?}");
        } else {
            assert_fails(&output, 6, &["they differ in camera"]);
        }
    };
    let first = measured("a.json", &["--camera-path", &flight]);
    assert_compared(&first, &measured("b.json", &["--camera-path", &copy]), true);
    fs::write(&flight, path(90)).unwrap();
    assert_compared(&first, &measured("c.json", &["--camera-path", &flight]), false);
    let scene = measured("d.json", &["--scene", "galaxy"]);
    let opened = ["--open", "cubefall://galaxy", "--widen-view", "on"];
    assert_compared(&scene, &measured("e.json", &opened), true);
}

#[test]
fn sides_with_equal_or_empty_flags_have_different_names() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..6).map(|_| steady(10.0)).collect();
    let flags = ["--a-flags", "--quality high", "--b-flags", "--quality high"];
    let output = ab(folder.path(), &runs, &runs, &flags);
    let compared = unchecked_stdout(&output);
    let program = |name| folder.path().join(name).display().to_string();
    for name in ["a", "b"].map(program) {
        assert!(compared.contains(&format!("{name} --quality high: ")), "{output:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let compared = unchecked_stdout(&ab(folder.path(), &runs, &runs, &["--a-flags", ""]));
    let name = folder.path().join("a").display().to_string();
    assert!(compared.contains(&format!("A: {name}: 100 fps, 1 % low 100\n")), "{compared}");
}

#[test]
fn sides_with_the_same_settings_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..12).map(|_| steady(10.0)).collect();
    let warning = "A and B ran with the same settings";
    let warns = |flags: &[&str]| {
        let program = program(folder.path(), "one", &runs);
        let one = program.to_str().unwrap();
        let words = ["bench", "ab", "--a", one, "--b", one, "--pairs", "6"];
        unchecked_stdout(&run(&[&words[..], flags].concat())).contains(warning)
    };
    assert!(warns(&["--b-flags", "--quality low"]));
    assert!(!warns(&["--b-flags", "--frames 5"]) && !warns(&[]));
    assert!(!warns(&["--b-flags", "--inject-slowdown 5"]));
}

#[test]
fn flags_without_effect_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [steady(10.0), steady(10.0)];
    let flags = ["--geometry", "instanced", "--ground", "on", "--json"];
    let output = bench(folder.path(), &runs, &flags);
    let result: serde_json::Value = serde_json::from_str(&unchecked_stdout(&output)).unwrap();
    let warning =
        "without effect here, because of the adapter or of other flags: --geometry instanced";
    let warnings = result["warnings"].as_array().unwrap();
    assert_eq!(warnings.iter().filter(|it| **it == *warning).count(), 1, "{output:?}");
}

#[test]
fn the_sides_of_a_comparison_may_have_other_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..6).map(|_| steady(10.0)).collect();
    let flags = ["--b-flags", "--scene rain --frames 5"];
    let compared = unchecked_stdout(&ab(folder.path(), &runs, &runs, &flags));
    assert!(compared.contains("scene: A -, B rain"), "{compared}");
}
