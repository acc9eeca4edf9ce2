//! What `cubefall bench` concludes from runs with known frame times.

use std::fs;

use cubefall::benchmark::{FramePhase, FrameSample, FrameStatus, Presentation, RunResult};
use cubefall::render::PresentMode;
use serde_json::Value;

use crate::program::{assert_fails, run, stderr, stdout, unchecked_stdout};
use crate::results::{result, run_of};
use crate::scripted_runs::{ab, bench, frame, json, noisy, program, steady};

#[test]
fn a_freeze_in_one_run_of_three_is_the_maximum() {
    let folder = tempfile::tempdir().unwrap();
    let mut frozen = vec![frame(10.0); 1000];
    frozen[700] = frame(3000.0);
    let runs = [steady(10.0), run_of(frozen), steady(10.0)];
    let output = bench(folder.path(), &runs, &["--assert", "max < 1500 ms"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(unchecked_stdout(&output).contains("3000.000"), "{output:?}");
    let verbose = unchecked_stdout(&bench(folder.path(), &runs, &["--verbose"]));
    assert!(verbose.contains("hitches: 1 in all runs, 1 in the worst"), "{verbose}");
}

#[test]
fn disturbed_runs_do_not_hide_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    // Two of 40 runs take much longer.
    let side = |ms: f64, shift: usize, disturbed: usize| -> Vec<_> {
        let time = |number| noisy(ms, number + shift) * if number == disturbed { 1.6 } else { 1.0 };
        (0..20).map(|number| steady(time(number))).collect()
    };
    let (a, b) = (side(10.0, 0, 4), side(10.3, 3, 11));
    let output = ab(folder.path(), &a, &b, &["--json"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let found = json(&output);
    let change = found["comparison"]["change"].as_f64().unwrap();
    assert!((change - 0.03).abs() < 0.004, "{found}");
    assert_eq!(found["comparison"]["verdict"], "Regression");
    assert_eq!(found["medians_ns"].as_array().unwrap().len(), 20);
}

#[test]
fn a_disturbed_run_of_a_pair_is_measured_once_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut suspended = vec![frame(10.0); 1000];
    suspended[500].status = FrameStatus::Suspended;
    let suspended = run_of(suspended);
    let pairs = ["--pairs", "2", "--json"];
    let measured = |a: &[RunResult]| {
        let [a, b] = [("a", a), ("b", &[steady(10.0), steady(10.1)][..])]
            .map(|(name, runs)| program(folder.path(), name, runs));
        let words = ["bench", "ab", "--a", a.to_str().unwrap(), "--b", b.to_str().unwrap()];
        run(&[&words[..], &pairs].concat())
    };
    let once = measured(&[steady(10.0), suspended.clone(), steady(10.1)]);
    assert!(stderr(&once).contains("it is measured again"), "{once:?}");
    assert_eq!(json(&once)["medians_ns"][1][0], 10_100_000.0, "{once:?}");
    let twice = measured(&[steady(10.0), suspended.clone(), suspended]);
    assert_fails(&twice, 1, &["a run of", "was disturbed", "again; leave the window visible"]);
}

#[test]
fn waits_while_the_gpu_works_are_not_those_of_the_display() {
    let folder = tempfile::tempdir().unwrap();
    // A window without vsync: the next texture is free when the GPU is.
    let mut sample = FrameSample { frame: 10_000_000, gpu: Some(8_300_000), ..frame(10.0) };
    sample.phases = [0; FramePhase::ALL.len()];
    sample.phases[FramePhase::Sim as usize] = 600_000;
    sample.phases[FramePhase::Acquire as usize] = 9_400_000;
    let run = || RunResult {
        presentation: Some(Presentation {
            present_mode: PresentMode::Immediate,
            refresh_hz: Some(60.0),
        }),
        ..run_of(vec![sample; 1000])
    };
    let found = unchecked_stdout(&bench(folder.path(), &[run(), run(), run()], &["--verbose"]));
    assert!(found.contains("bound by: CPU 6.0 %, GPU 83.0 %, display 11.0 %"), "{found}");
}

#[test]
fn the_median_of_two_runs_is_their_mean() {
    let folder = tempfile::tempdir().unwrap();
    let found = unchecked_stdout(&bench(folder.path(), &[steady(10.0), steady(20.0)], &[]));
    assert!(found.contains("15.000"), "{found}");
    // Of 15 ms, not the mean of 100 and 50 fps.
    assert!(found.contains("66.7 fps"), "{found}");
}

#[test]
fn frames_that_do_not_count_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = FrameSample { status: FrameStatus::Hidden, ..frame(10.0) };
    let some = run_of([vec![frame(10.0); 1000], vec![hidden]].concat());
    let output = bench(folder.path(), &[some], &["--assert", "median < 20 ms"]);
    assert_fails(&output, 5, &["the assertions were not checked", "hidden window"]);
    let output = bench(folder.path(), &[run_of(vec![hidden; 100])], &[]);
    assert_fails(&output, 1, &["measured no frame that counts"]);
}

#[test]
fn strict_rejects_pairs_and_sessions_with_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let mut throttled = steady(10.0);
    throttled.sensors.cpu.throttled = Some(2);
    let throttled = vec![throttled; 6];
    for flags in [&["--strict"][..], &["--strict", "--json"]] {
        let output = ab(folder.path(), &vec![steady(10.0); 6], &throttled, flags);
        assert_fails(&output, 5, &["there are warnings, and --strict is given"]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("throttled"), "{output:?}");
    }
    let output = bench(folder.path(), &throttled, &["--strict"]);
    assert_fails(&output, 5, &["there are warnings, and --strict is given"]);
    let path = folder.path().join("baseline.json");
    let flags = ["--strict", "--save-baseline", path.to_str().unwrap()];
    let output = bench(folder.path(), &throttled, &flags);
    assert_fails(&output, 5, &["baseline.json was not written", "--strict"]);
    assert!(!path.exists());
}

#[test]
fn disturbed_machines_and_inconsistent_results_are_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let times = [10.0, 25.0, 11.0, 9.0, 31.0, 10.0, 14.0, 8.0, 22.0, 10.0, 35.0, 9.0];
    let runs: Vec<_> = times.into_iter().map(steady).collect();
    let path = program(folder.path(), "noisy", &runs);
    let aa = ["bench", "aa", "--pairs", "6", "--program", path.to_str().unwrap()];
    let found = stdout(&run(&aa));
    assert!(found.contains("Noise floor: above 20 %"), "{found}");
    let found =
        unchecked_stdout(&bench(folder.path(), &[steady(10.0), steady(18.1), steady(9.9)], &[]));
    assert!(
        found.contains("runs differ by 82") && found.contains("close other programs"),
        "{found}"
    );

    let mut broken = frame(10.0);
    broken.phases[0] += 1;
    let broken = bench(folder.path(), &[run_of(vec![broken; 10])], &[]);
    assert_fails(&broken, 1, &["do not add up"]);
    let mut wrong = steady(10.0);
    wrong.median_ns = Some(9e6);
    assert_fails(&bench(folder.path(), &[wrong], &[]), 1, &["not those of the result"]);

    let saved = folder.path().join("result.json");
    let path = saved.to_str().unwrap();
    let mut result = result(vec![steady(10.0), steady(10.0)]);
    result.runs[1].adapter = "other".to_owned();
    fs::write(&saved, serde_json::to_string(&result).unwrap()).unwrap();
    let compared = run(&["bench", "compare", path, path]);
    assert_fails(&compared, 2, &["result.json", "its runs differ in adapter"]);
    result.runs.truncate(1);
    result.schema += 1;
    fs::write(&saved, serde_json::to_string(&result).unwrap()).unwrap();
    assert_fails(&run(&["bench", "compare", path, path]), 2, &["schema version"]);
    let schema: Value = serde_json::from_str(&stdout(&run(&["bench", "schema"]))).unwrap();
    let version = &schema["properties"]["schema"];
    assert!(version["minimum"] == version["maximum"] && version["minimum"].is_u64(), "{version}");
}

#[test]
fn each_pair_is_printed_with_its_change_and_improvements_end_with_0() {
    let folder = tempfile::tempdir().unwrap();
    let runs = |ms: f64| -> Vec<_> { (0..6).map(|number| steady(noisy(ms, number))).collect() };
    let faster = ab(folder.path(), &runs(10.0), &runs(8.0), &[]);
    let found = stdout(&faster);
    assert!(found.starts_with("Improvement: "), "{found}");
    assert!(found.contains("\n   1  10.006 ms   8.005 ms -20.00 %\n"), "{found}");
}

#[test]
fn the_noise_floor_is_a_percentage() {
    let folder = tempfile::tempdir().unwrap();
    // A and B in turns: A B, B A and so on, so that A takes 10.2 ms.
    let order = [10.2, 10.0, 10.0, 10.2, 10.2, 10.0, 10.0, 10.2, 10.2, 10.0, 10.0, 10.2];
    let path = program(folder.path(), "itself", &order.map(steady));
    let aa = ["bench", "aa", "--pairs", "6", "--program", path.to_str().unwrap()];
    let found = stdout(&run(&aa));
    assert!(found.contains("Noise floor: differences below about 2.00 %"), "{found}");
    assert_eq!(found.matches("10.200 ms  10.000 ms  -1.96 %").count(), 6, "{found}");
}

#[test]
fn a_failed_assertion_ends_with_3_whatever_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json").display().to_string();
    let runs = [steady(10.0), steady(10.0), steady(10.0)];
    stdout(&bench(folder.path(), &runs, &["--save-baseline", &path]));
    let flags = ["--baseline", &path, "--threshold", "50", "--assert", "median < 5 ms"];
    let output = bench(folder.path(), &runs, &flags);
    assert!(unchecked_stdout(&output).contains("Equivalent: "), "{output:?}");
    assert_fails(&output, 3, &["assertion failed: median < 5 ms: it is 10.000 ms"]);
}
