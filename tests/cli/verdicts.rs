//! What `cubefall bench` concludes from runs with known frame times, which scripts print in place of a child
//! process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use cubefall::benchmark::{
    ClockRate, FramePhase, FrameSample, FrameStatus, Presentation, RESULT_SCHEMA, Readings,
    RunResult, Sensors,
};
use cubefall::render::PresentMode;
use serde_json::Value;

use crate::program::{assert_fails, names, run, stderr, stdout, unchecked_stdout};
use crate::results::{result, run_of};
use crate::script::{write_run, write_script};

/// A frame that waits for the GPU half of its time.
fn frame(ms: f64) -> FrameSample {
    let frame = (ms * 1e6) as u64;
    let mut phases = [0; FramePhase::ALL.len()];
    phases[FramePhase::GpuWait as usize] = frame / 2;
    phases[FramePhase::Sim as usize] = frame - frame / 2;
    FrameSample { frame, phases, gpu: Some(frame / 2), cubes: 10_000, ..FrameSample::default() }
}

/// A run of 1,000 frames of `ms`.
fn steady(ms: f64) -> RunResult {
    run_of(vec![frame(ms); 1000])
}

/// Writes a program that prints the runs one after the other, and counts its starts in `NAME.count`,
/// from 0 on.
fn program(folder: &Path, name: &str, runs: &[RunResult]) -> PathBuf {
    let path = folder.join(name);
    for (number, run) in runs.iter().enumerate() {
        write_run(&folder.join(format!("{name}.{number}")), run);
    }
    let _ = fs::remove_file(folder.join(format!("{name}.count")));
    script(
        &path,
        "echo \"$*\" >> \"$0.flags\"; n=$(cat \"$0.count\" 2>/dev/null || echo 0)
         echo $((n + 1)) > \"$0.count\"; cat \"$0.$n\"",
    );
    path
}

fn script(path: &Path, commands: &str) {
    write_script(path, &format!("#!/bin/sh\n{commands}\n"));
}

/// Measures runs with `cubefall bench`.
fn bench(folder: &Path, runs: &[RunResult], more: &[&str]) -> Output {
    let program = program(folder, "program", runs);
    let count = runs.len().to_string();
    let words = ["bench", "run", "--runs", &count, "--program", program.to_str().unwrap()];
    run(&[&words[..], more].concat())
}

/// Compares runs of A with runs of B in pairs.
fn ab(folder: &Path, a: &[RunResult], b: &[RunResult], more: &[&str]) -> Output {
    let [a_path, b_path] = [program(folder, "a", a), program(folder, "b", b)];
    let count = a.len().to_string();
    let words = ["bench", "ab", "--a", a_path.to_str().unwrap(), "--b", b_path.to_str().unwrap()];
    run(&[&words[..], &["--pairs", &count], more].concat())
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Run medians around `ms` with a spread of half a percent, the same in every test.
fn noisy(ms: f64, number: usize) -> f64 {
    ms * (1.0 + 0.002 * [0.3, -1.1, 0.9, -0.2, 1.3, -0.8, 0.1][number % 7])
}

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
fn a_run_lasts_until_it_has_a_thousand_frames_or_says_what_is_missing() {
    let small = ["bench", "run", "--runs", "1", "--cubes", "10", "--size", "8x8", "--warmup", "5"];
    let words = ["--duration", "0.1", "--max-duration", "300", "--json"];
    let long = json(&run(&[&small[..], &words].concat()));
    assert!(long["runs"][0]["frames"]["valid"].as_u64().unwrap() >= 1000, "{long}");
    assert!(long["summary"]["rows"][0]["p99_ns"].is_number(), "{long}");
    let folder = tempfile::tempdir().unwrap();
    let short = || run_of(vec![frame(10.0); 412]);
    let found = unchecked_stdout(&bench(folder.path(), &[short(), steady(10.0), short()], &[]));
    assert!(found.contains("need 1,000 valid frames") && found.contains("412"), "{found}");
}

#[test]
fn sensors_are_read_during_each_run_unless_the_program_gives_them() {
    let folder = tempfile::tempdir().unwrap();
    let cpu = |watts, throttled| Readings {
        clock: Some(ClockRate::at(3400.0)),
        watts: Some(watts),
        throttled: Some(throttled),
        ..Readings::default()
    };
    let with =
        |cpu| RunResult { sensors: Sensors { cpu, gpu: Readings::default() }, ..steady(10.0) };
    let given = [with(cpu(30.0, 0)), with(cpu(40.0, 2)), with(cpu(38.0, 0))];
    let out = folder.path().join("out");
    let found = unchecked_stdout(&bench(
        folder.path(),
        &given,
        &["--verbose", "--out", out.to_str().unwrap()],
    ));
    let lines = "CPU clock: 3.40 GHz\nCPU power: 36.0 W\nCPU throttled: 2 times\n";
    assert!(found.contains(lines), "{found}");
    assert!(found.contains("warning: the CPU was throttled during a run: improve"), "{found}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("CPU throttled") && !page.contains("GPU throttled"), "{page}");

    let own = json(&bench(folder.path(), &[steady(10.0)], &["--json"]));
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let clock = &own["runs"][0]["sensors"]["cpu"]["clock"];
    // Virtual machines list a constant.
    let policy = Path::new("/sys/devices/system/cpu/cpufreq/policy0");
    let is_measured = cpuinfo.contains(" aperfmperf") || policy.exists();
    if cpuinfo.contains("cpu MHz") {
        assert_eq!(clock["mean_mhz"].as_f64() > Some(0.0), is_measured, "{own}");
    }
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
fn a_gate_detects_small_steps_and_keeps_its_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json");
    let baseline = path.to_str().unwrap();
    let session = |ms: f64, more: &[&str]| {
        let runs: Vec<_> = (0..5).map(|number| steady(noisy(ms, number))).collect();
        bench(folder.path(), &runs, more)
    };
    for (number, ms) in [10.0, 10.01, 9.98, 10.0, 9.99, 10.01, 10.0, 9.99].into_iter().enumerate() {
        let saved = session(ms, &["--save-baseline", baseline]);
        assert!(stderr(&saved).contains(&format!(": {} session", number + 1)), "{saved:?}");
        assert!(saved.status.success());
    }
    let both = ["--baseline", baseline, "--threshold", "3", "--save-baseline", baseline];
    assert!(stdout(&session(10.0, &both)).contains("Equivalent"));
    let mut ms = 10.0;
    let steps = (1..=8).find(|_| {
        ms *= 1.015;
        session(ms, &both).status.code() == Some(3)
    });
    assert!(steps.is_some_and(|steps| steps <= 3), "{steps:?}");
    let kept = fs::read(&path).unwrap();
    let noise = session(10.2, &both);
    assert_eq!(noise.status.code(), Some(4), "{noise:?}");
    assert_eq!(fs::read(&path).unwrap(), kept, "an inconclusive result is no baseline");

    // Other settings are refused before the first run, other conditions after it.
    let settings = session(10.0, &["--baseline", baseline, "--cubes", "5k"]);
    assert_fails(&settings, 6, &["cubes", "nothing was measured"]);
    assert!(!folder.path().join("program.count").exists());
    let other = || RunResult { adapter: "other".to_owned(), ..steady(10.0) };
    let adapter = bench(folder.path(), &[other(), other()], &["--baseline", baseline]);
    assert_fails(&adapter, 6, &["adapter", "stopped after the first run"]);
    assert_eq!(fs::read_to_string(folder.path().join("program.count")).unwrap(), "1\n");

    let result = folder.path().join("result.json");
    let result = result.to_str().unwrap();
    stdout(&session(10.8, &["--json", result]));
    let words = ["bench", "gate", "--baseline", baseline, "--candidate", result, "--json"];
    let gate = run(&words);
    assert!(stderr(&gate).starts_with("Regression: "), "{gate:?}");
    assert_eq!((gate.status.code(), &json(&gate)["verdict"]), (Some(3), &"Regression".into()));
    // A result with a comparison is read like any other.
    let compared = session(10.8, &["--baseline", baseline, "--json", result]);
    assert_eq!(compared.status.code(), Some(3), "{compared:?}");
    assert_eq!(run(&words).status.code(), Some(3));
}

#[test]
fn results_that_are_no_basis_of_a_comparison_are_no_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (baseline, result) = (file("baseline.json"), file("result.json"));
    let resized = FrameSample { status: FrameStatus::Resized, ..frame(10.0) };
    let runs = || [steady(10.0), run_of([vec![frame(10.0); 1000], vec![resized]].concat())];
    let saved = bench(folder.path(), &runs(), &["--save-baseline", &baseline]);
    assert!(stderr(&saved).contains("was not written: ") && stderr(&saved).contains("resized"));
    assert!(!Path::new(&baseline).exists());

    stdout(&bench(folder.path(), &[steady(10.0), steady(10.0)], &["--save-baseline", &baseline]));
    let compared = bench(folder.path(), &runs(), &["--baseline", &baseline, "--json", &result]);
    assert_fails(&compared, 6, &["resized"]);
    let text = fs::read_to_string(&result).unwrap();
    assert!(!text.contains("verdict"), "{text}");

    // An incomplete session, with a complete one after it and alone.
    let both = [steady(10.0), steady(10.0)];
    stdout(&bench(folder.path(), &both, &["--save-baseline", &baseline, "--json", &result]));
    let mut sessions: Value =
        serde_json::from_str(&fs::read_to_string(&baseline).unwrap()).unwrap();
    sessions["sessions"][0]["complete"] = false.into();
    let gate = ["bench", "gate", "--baseline", &baseline, "--candidate", &result];
    for incomplete in [&sessions, &sessions["sessions"][0]] {
        fs::write(&baseline, incomplete.to_string()).unwrap();
        assert_fails(&run(&gate), 6, &["a session of the baseline is incomplete"]);
        let again = bench(folder.path(), &both, &["--baseline", &baseline]);
        assert_fails(&again, 6, &["a session of A is incomplete", "nothing was measured"]);
    }
    let compare = ["bench", "compare", &result, &baseline];
    for flags in [&[][..], &["--across"]] {
        assert_fails(&run(&[&compare[..], flags].concat()), 6, &["B is incomplete"]);
    }
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
fn a_session_that_another_benchmark_adds_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["baseline.json", "other"].map(|name| folder.path().join(name));
    let save = ["--save-baseline", path.to_str().unwrap()];
    let both = [steady(10.0), steady(10.0)];
    let slow = program(folder.path(), "slow", &both);
    // Another benchmark replaces the file meanwhile.
    script(&slow, "cp \"${0%/*}/other\" \"${0%/*}/baseline.json\"; cat \"$0.0\"");
    stdout(&bench(folder.path(), &both, &save));
    let one_session = fs::read(&path).unwrap();
    stdout(&bench(folder.path(), &both, &save));
    fs::rename(&path, other).unwrap();
    fs::write(&path, one_session).unwrap();
    let words = ["bench", "--runs", "2", "--program", slow.to_str().unwrap()];
    let added = run(&[&words[..], &save].concat());
    assert!(stderr(&added).contains("baseline.json: 3 sessions"), "{added:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_does_not_lose_the_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json");
    let measured = program(folder.path(), "program", &[steady(10.0), steady(10.0)]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let words = ["bench", "--runs", "2", "--program", measured.to_str().unwrap()];
    let mut command = crate::program::cubefall(&words);
    let output = command.arg("--save-baseline").arg(&path).stdout(full).output().unwrap();
    assert_fails(&output, 5, &["standard output", "No space left"]);
    assert!(path.exists(), "{output:?}");
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
        "dt s (",
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
fn the_message_of_a_failed_run_is_shown_in_any_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken");
    script(&path, "echo; echo 'error: unexpected argument' >&2; echo hint >&2; exit 1");
    let output = run(&["bench", "run", "--program", path.to_str().unwrap()]);
    assert_fails(&output, 1, &["failed", "error: unexpected argument"]);
}

#[test]
fn a_run_that_panics_is_shown_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("defect");
    let lines = ["thread 'main' panicked at src/a.rs:1:2:", "at a::b", "cubefall: report it"];
    script(&path, &format!("printf '%s\\n' \"{}\" >&2; exit 101", lines.join("\" \"")));
    let output = run(&["bench", "run", "--program", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed = stderr(&output);
    assert!(printed.contains(&(lines.join("\n") + "\n")), "{printed}");
    assert!(printed.ends_with("(exit status: 101): see above\n"), "{printed}");
}

#[test]
fn a_signal_ends_the_child_process_too() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slow");
    // `cat` is a child process of the script, and ends with its standard input.
    for (signal, last) in [
        (Signal::TERM, "exec sleep 600"),
        (Signal::INT, "exec sleep 600"),
        (Signal::HUP, "exec sleep 600"),
        (Signal::INT, "cat"),
    ] {
        script(&path, &format!("echo $$ > \"$0.pid\"; {last}"));
        let pid_file = folder.path().join("slow.pid");
        let _ = fs::remove_file(&pid_file);
        let words = ["bench", "run", "--program", path.to_str().unwrap()];
        let mut parent = crate::program::cubefall(&words).spawn().unwrap();
        let pid = loop {
            let text = fs::read_to_string(&pid_file).unwrap_or_default();
            if let Ok(pid) = text.trim().parse() {
                break Pid::from_raw(pid).unwrap();
            }
            assert!(parent.try_wait().unwrap().is_none(), "ended before the signal");
            std::thread::sleep(std::time::Duration::from_millis(10));
        };
        assert!(test_kill_process(pid).is_ok());
        kill_process(Pid::from_child(&parent), signal).unwrap();
        parent.wait().unwrap();
        assert!(test_kill_process(pid).is_err(), "{signal:?} left the child process");
    }
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
fn the_report_of_a_baseline_has_the_verdict_of_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (baseline, out) = (file("creep.json"), file("out"));
    let runs = |ms: f64| [steady(ms), steady(ms), steady(ms)];
    for ms in [5.0, 5.08, 5.16, 5.24, 5.32] {
        stdout(&bench(folder.path(), &runs(ms), &["--save-baseline", &baseline]));
    }
    let gate = bench(folder.path(), &runs(5.33), &["--baseline", &baseline, "--out", &out]);
    assert_eq!(gate.status.code(), Some(3), "{gate:?}");
    let report = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(report.contains("<strong>Regression. </strong>B is slower than A"), "{report}");
    let saved = fs::read_to_string(folder.path().join("out/result.json")).unwrap();
    let saved: Value = serde_json::from_str(&saved).unwrap();
    assert_eq!(saved["baseline"]["verdict"], "Regression", "{}", saved["baseline"]);

    // A result that is no basis of a comparison gets no verdict anywhere.
    let mut stopped = vec![frame(9.0); 1000];
    stopped[500].status = FrameStatus::Suspended;
    let stopped = [run_of(stopped), steady(9.0), steady(9.0)];
    let gate = bench(folder.path(), &stopped, &["--baseline", &baseline, "--out", &out]);
    assert_fails(&gate, 6, &["a suspended process"]);
    let report = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(!report.contains("Regression"), "{report}");
    let saved = fs::read_to_string(folder.path().join("out/result.json")).unwrap();
    assert!(saved.contains("\"baseline\":null"), "{saved}");
}

#[test]
fn the_first_session_of_a_baseline_is_compared_with_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nightly.json").display().to_string();
    let flags = ["--baseline", &path, "--save-baseline", &path, "--threshold", "50"];
    let runs = [steady(10.0), steady(10.0), steady(10.0)];
    for sessions in ["1 session", "2 sessions"] {
        let output = bench(folder.path(), &runs, &flags);
        assert!(output.status.success(), "{output:?}");
        assert!(stderr(&output).contains(&format!("wrote {path}: {sessions}")), "{output:?}");
    }
    let other = ["--baseline", "missing.json", "--save-baseline", &path];
    assert_fails(&bench(folder.path(), &runs, &other), 2, &["cannot read missing.json"]);
}

#[test]
fn a_run_that_fails_leaves_the_pairs_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..8).map(|_| steady(10.0)).collect();
    // The script of B has no eighth run.
    let [json, out] = ["ab.json", "out"].map(|name| folder.path().join(name).display().to_string());
    let output = ab(folder.path(), &runs, &runs[..7], &["--json", &json, "--out", &out]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = unchecked_stdout(&output);
    assert!(text.contains("\n   7  10.000 ms  10.000 ms"), "{text}");
    assert!(text.contains("warning: incomplete: 7 of 8 pairs"), "{text}");
    let json: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(
        (&json["complete"], json["medians_ns"].as_array().unwrap().len()),
        (&false.into(), 7)
    );
    let written = fs::read_to_string(folder.path().join("out/ab.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), json);
    assert!(stderr(&output).contains("out/ab.json, "), "{output:?}");

    let runs = [steady(10.0), steady(10.0)];
    let broken = RunResult { median_ns: Some(1.0), ..steady(10.0) };
    let output = bench(folder.path(), &[&runs[..], &[broken]].concat(), &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = unchecked_stdout(&output);
    assert!(text.contains("2 of 3 runs: run the benchmark again"), "{text}");
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
        assert!(compared.contains(&format!("{name} --quality high\n")), "{output:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let compared = unchecked_stdout(&ab(folder.path(), &runs, &runs, &["--a-flags", ""]));
    let name = folder.path().join("a").display().to_string();
    assert!(compared.contains(&format!("A: {name}\n")), "{compared}");
}

#[test]
fn files_that_are_read_are_not_overwritten_and_named_by_their_kind() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [baseline, result, page] = ["baseline.json", "result.json", "page.html"].map(file);
    let words = ["--save-baseline", &baseline, "--json", &result];
    stdout(&bench(folder.path(), &[steady(10.0), steady(10.0)], &words));
    let [out, saved, frames] = ["out", "out/result.json", "out/frames.npz"].map(file);
    let [exported, sweep, suite] =
        ["out/bencher.json", "out/sweep.csv", "out/suite.html"].map(file);
    stdout(&bench(folder.path(), &[steady(10.0), steady(10.0)], &["--out", &out]));
    let kept = [&baseline, &result].map(fs::read);
    let gate = ["bench", "gate", "--baseline", &baseline, "--candidate", &result];
    let both = ["bench", "--save-baseline", &page, "--json", &page];
    for overwrites in [
        [&gate[..], &["--json", &baseline]].concat(),
        vec!["bench", "report", &result, "--out", &result],
        vec!["bench", "compare", &result, &result, "--json", &result],
        both.to_vec(),
        vec!["bench", "report", &saved, "--out", &frames],
        vec!["bench", "compare", &result, &saved, "--json", &frames],
        vec!["bench", "run", "--baseline", &saved, "--out", &out],
        vec!["bench", "run", "--out", &out, "--export", "bencher", "--json", &exported],
        vec!["bench", "sweep", "--out", &out, "--json", &sweep],
        vec!["bench", "suite", "--out", &out, "--json", &suite],
    ] {
        assert_fails(&run(&overwrites), 5, &["as another file"]);
    }
    fs::copy(&saved, &exported).unwrap();
    let export = ["bench", "export", &exported, "--out", &out, "--format", "bencher"];
    assert_fails(&run(&export), 5, &["as another file"]);
    assert_fails(&run(&["bench", "compare", &baseline, &result]), 2, &["it is a baseline"]);
    let gate = file("gate.json");
    let args = ["bench", "gate", "--baseline", &baseline, "--candidate", &result, "--json", &gate];
    run(&args);
    assert_fails(
        &run(&["bench", "compare", &gate, &result]),
        2,
        &["it is a verdict of bench gate"],
    );
    assert_eq!([&baseline, &result].map(fs::read).map(Result::unwrap), kept.map(Result::unwrap));
}

#[test]
fn a_file_that_is_no_result_with_its_frames_is_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [out, other, json, to] = ["out", "other", "a.json", "to"].map(file);
    let [result, frames, binary] = ["out/result.json", "out/frames.npz", "binary"].map(file);
    stdout(&bench(folder.path(), &[steady(10.0)], &["--out", &out, "--json", &json]));
    stdout(&bench(folder.path(), &[steady(12.0)], &["--out", &other]));
    fs::write(&binary, b"\xff\xfe\xff").unwrap();
    let assert_refused = |path: &str, reasons: &[&str]| {
        assert_fails(&run(&["bench", "export", path, "--out", &to]), 2, reasons);
    };
    assert_refused(&out, &["it is a folder; name its result.json"]);
    assert_refused(&json, &["it has no frames; use the result.json of --out"]);
    assert_refused(&binary, &["binary: it is not a text file"]);
    fs::copy(file("other/frames.npz"), &frames).unwrap();
    assert_refused(&result, &["frames.npz: ", "not those of the result"]);
    fs::remove_file(&frames).unwrap();
    assert_refused(&result, &["its frames, frames.npz, are not beside it; copy both files"]);
    let text = fs::read_to_string(&result).unwrap();
    for (schema, advice) in
        [(RESULT_SCHEMA + 1, "use the version of cubefall"), (RESULT_SCHEMA - 1, "measure again")]
    {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        value["schema"] = schema.into();
        fs::write(&result, value.to_string()).unwrap();
        assert_refused(&result, &["schema version", advice]);
    }
}

#[test]
fn a_result_with_fewer_runs_removes_the_exports_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let flags = ["--export", "mangohud", "--out", out.to_str().unwrap()];
    for runs in [&[steady(10.0), steady(10.0)][..], &[steady(10.0)]] {
        stdout(&bench(folder.path(), runs, &flags));
        fs::write(out.join("mangohud-of-mine.csv"), "mine").unwrap();
    }
    // Only files that are written must be writable.
    let result = out.join("result.json");
    let mut read_only = fs::metadata(&result).unwrap().permissions();
    read_only.set_readonly(true);
    fs::set_permissions(&result, read_only).unwrap();
    let [result, to] = [&result, &out].map(|path| path.to_str().unwrap());
    stdout(&run(&["bench", "export", result, "--out", to, "--format", "mangohud"]));
    let left =
        ["frames.npz", "mangohud-1.csv", "mangohud-of-mine.csv", "report.html", "result.json"];
    assert_eq!(names(&out), left);
}

#[test]
fn another_geometry_than_requested_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [steady(10.0), steady(10.0)];
    let output = bench(folder.path(), &runs, &["--geometry", "instanced"]);
    let warning = "warning: instanced geometry is not supported; pulled is drawn";
    assert_eq!(stderr(&output).matches(warning).count(), 1, "{output:?}");
}

#[test]
fn the_sides_of_a_comparison_may_have_other_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..6).map(|_| steady(10.0)).collect();
    let flags = ["--b-flags", "--scene rain --frames 5"];
    let compared = unchecked_stdout(&ab(folder.path(), &runs, &runs, &flags));
    assert!(compared.contains("scene: A -, B rain"), "{compared}");
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
fn a_signal_ends_a_comparison_with_itself_with_its_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(folder.path(), "itself", &[steady(10.0), steady(10.0)]);
    // There is no third run.
    let text = fs::read_to_string(&path).unwrap();
    script(&path, &(text + "[ $n -lt 2 ] || { kill -TERM $PPID; exec sleep 5; }"));
    let aa = ["bench", "aa", "--pairs", "6", "--program", path.to_str().unwrap()];
    let output = run(&aa);
    assert_eq!(output.status.code(), Some(143), "{output:?}");
    assert!(unchecked_stdout(&output).contains("incomplete: 1 of 6 pairs"), "{output:?}");
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
