//! `cubefall bench`: output, files and exit codes.

use std::path::Path;

use cubefall::benchmark::{Baseline, BenchResult, FrameStatus, RESULT_SCHEMA, Sweep, read_samples};

use crate::program::{assert_fails, cubefall, names, run, stderr, stdout, unchecked_stdout};

/// Few cubes and small frames: no test here depends on frame times.
const SMALL: [&str; 8] = ["--cubes", "300", "--size", "64x48", "--frames", "40", "--warmup", "5"];

/// A path that no system can create.
const BELOW_A_FILE: &str = concat!(env!("CARGO_BIN_EXE_cubefall"), "/x");

fn bench(args: &[&str]) -> std::process::Output {
    run(&[&["bench"], args, &SMALL[..]].concat())
}

fn read(folder: &Path) -> BenchResult {
    let text = std::fs::read_to_string(folder.join("result.json")).unwrap();
    let mut result: BenchResult = serde_json::from_str(&text).unwrap();
    let frames = std::fs::read(folder.join(result.frames_file.as_ref().unwrap())).unwrap();
    let samples = read_samples(&frames, result.runs.len()).unwrap();
    for (run, samples) in result.runs.iter_mut().zip(samples) {
        run.samples = samples;
        run.check_samples().unwrap();
    }
    result
}

#[test]
fn a_benchmark_that_fails_leaves_no_folder_that_it_created() {
    let folder = tempfile::tempdir().unwrap();
    let absolute = folder.path().join("new/parents");
    std::fs::create_dir(folder.path().join("old")).unwrap();
    for out in ["new", "new/parents", absolute.to_str().unwrap(), "old"] {
        for command in [&["run"][..], &["ab", "--pairs", "2"]] {
            let flags = ["--adapter", "no such", "--out", out];
            let mut command = cubefall(&[&["bench"], command, &flags, &SMALL].concat());
            let failed = command.current_dir(folder.path()).output().unwrap();
            assert_fails(&failed, 2, &["no such"]);
            assert_eq!(names(folder.path()), ["old"], "{out}");
        }
    }
    assert_eq!(names(&folder.path().join("old")), [""; 0]);
}

#[test]
fn a_result_has_every_frame_of_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("missing/parents");
    let text = stdout(&bench(&[
        "--runs",
        "2",
        "--name",
        "small",
        "--export",
        "csv",
        "--verbose",
        "--out",
        out.to_str().unwrap(),
    ]));
    for expected in [
        " fps",
        "small: 300 cubes",
        "64 x 48, off screen",
        "median",
        "spread",
        "1,000 valid frames per run",
    ] {
        assert!(text.contains(expected), "{expected} is missing in: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let many =
        ["--runs", "12", "--frames", "120", "--cubes", "5", "--size", "8x8", "--warmup", "1"];
    let text = stdout(&run(&[&["bench"], &many[..]].concat()));
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    let result = read(&out);
    assert_eq!((result.schema, result.complete, result.runs.len()), (RESULT_SCHEMA, true, 2));
    for run in &result.runs {
        assert_eq!(run.samples.len(), 40);
        assert_eq!(run.state_hash, result.runs[0].state_hash, "same simulation");
        for sample in &run.samples {
            assert_eq!(sample.phases.iter().sum::<u64>(), sample.frame);
            assert_eq!((sample.cubes, sample.status), (300, FrameStatus::Valid));
            assert!(sample.drawn <= 300 && sample.upload_bytes >= 300 * 12, "{sample:?}");
            let passes = sample.gpu_shadow.unwrap_or(0) + sample.gpu_scene.unwrap_or(0);
            assert!(sample.gpu.is_none_or(|gpu| gpu > 0 && passes <= gpu), "{sample:?}");
        }
        assert!(run.gpu_timer || run.samples.iter().all(|sample| sample.gpu.is_none()));
    }
    let csv = std::fs::read_to_string(out.join("frames.csv")).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 40);
    assert!(lines[0].starts_with("run,frame,frame_ns,sim_ns,upload_ns,encode_ns,acquire_ns,"));
    assert!(lines.iter().all(|line| line.split(',').count() == lines[0].split(',').count()));
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"), "{page}");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 4, "no temporary files");
}

#[test]
fn json_output_matches_the_schema() {
    let text = stdout(&bench(&["--runs", "1", "--json"]));
    let result: BenchResult = serde_json::from_str(&text).unwrap();
    assert!(result.warnings.iter().any(|warning| warning.contains("fewer than three runs")));
    let schema: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["bench", "schema"]))).unwrap();
    let given: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = given["summary"]["rows"].as_array().unwrap();
    assert_eq!(rows.iter().any(|row| row["name"] == "gpu"), result.runs[0].gpu_timer, "{rows:?}");
    let named = schema["properties"].as_object().unwrap();
    assert!(given.as_object().unwrap().keys().eq(named.keys()), "{named:?}");
}

#[test]
fn doctor_fails_after_its_checks_without_the_demanded_adapter() {
    let output = run(&["bench", "doctor", "--adapter", "nosuch"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = unchecked_stdout(&output);
    assert!(text.contains("unknown  GPU times: not checked") && text.contains("load:"), "{text}");
}

#[test]
fn doctor_prints_a_state_for_each_check() {
    let text = stdout(&run(&["bench", "doctor"]));
    let checks = [
        "program",
        "system",
        "adapter",
        "GPU times",
        "refresh rate",
        "present modes",
        "timer",
        "sensors",
        "load",
        "CPU quota",
        "CPU governor",
        "power supply",
    ];
    for check in checks {
        let line = text
            .lines()
            .find(|line| line.get(9..).is_some_and(|at| at.starts_with(&format!("{check}:"))));
        let line = line.unwrap_or_else(|| panic!("{check} is missing in: {text}"));
        assert!(["ok ", "warning ", "unknown "].iter().any(|state| line.starts_with(state)));
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn strict_rejects_results_with_warnings() {
    // A single run always gives a warning, which outranks the failed assertion.
    let single = bench(&["--runs", "1", "--strict", "--assert", "fps < 0"]);
    assert_eq!(single.status.code(), Some(5));
    assert!(unchecked_stdout(&single).contains("fewer than three runs"), "{single:?}");
}

#[test]
fn saved_results_with_different_settings_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b, other] = ["a", "b", "other"].map(|name| folder.path().join(name));
    let save = |to: &Path, more: &[&str]| {
        stdout(&bench(&[&["--runs", "2", "--out", to.to_str().unwrap()], more].concat()));
        to.join("result.json").to_str().unwrap().to_owned()
    };
    let was = save(&a, &[]);
    // Slower by far more than any noise. That of two runs is assumed.
    let slow = save(&b, &["--inject-slowdown", "2000"]);
    let different = save(&other, &["--seed", "2"]);
    let gate = |baseline: &str, candidate: &str| {
        run(&["bench", "gate", "--baseline", baseline, "--candidate", candidate])
    };
    let regression = gate(&was, &slow);
    assert_eq!(regression.status.code(), Some(3), "{regression:?}");
    assert!(unchecked_stdout(&regression).contains("Regression"));
    assert!(stdout(&gate(&slow, &was)).contains("Improvement"));
    let compared = run(&["bench", "compare", &was, &slow]);
    assert!(stdout(&compared).contains("Measured at different times"), "{compared:?}");
    assert_fails(&gate(&was, &different), 6, &["cannot be compared", "seed (A 1, B 2)"]);
    let page = folder.path().join("page.html");
    let report = |result: &str, more: &[&str]| {
        let out = ["--out", page.to_str().unwrap()];
        run(&[&["bench", "report", result], more, &out[..]].concat())
    };
    assert_fails(&report(&different, &["--baseline", &was]), 6, &["cannot be compared"]);
    assert_fails(&report(&was, &["--sweep", &slow]), 2, &["it is a result, expected a sweep"]);
    assert!(!page.exists(), "no report without a comparison");
    assert!(stdout(&report(&slow, &["--baseline", &was])).is_empty());
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("B is slower than A") && text.contains("Advisory:"), "{text}");
    assert!(!text.contains("differ in"), "{text}");
    stdout(&report(&different, &["--baseline", &was, "--across"]));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("A and B differ in seed (A 1, B 2)"), "{text}");
    stdout(&report(&slow, &[]));
    assert!(!std::fs::read_to_string(&page).unwrap().contains("Advisory:"));
    assert_fails(
        &run(&["bench", "report", &was, "--out", "/nonexistent/x"]),
        5,
        &["/nonexistent/x"],
    );
    let unfinished = folder.path().join("unfinished.json");
    let mut result = read(&b);
    result.complete = false;
    std::fs::write(&unfinished, serde_json::to_string(&result).unwrap()).unwrap();
    assert_fails(&gate(&was, unfinished.to_str().unwrap()), 6, &["incomplete"]);
    result.complete = true;
    let run = result.runs[1].clone();
    let mut samples = run.samples.clone();
    samples[7].status = FrameStatus::Hidden;
    result.runs[1] = run.with_samples(samples);
    std::fs::write(&unfinished, serde_json::to_string(&result).unwrap()).unwrap();
    assert_fails(&gate(&was, unfinished.to_str().unwrap()), 6, &["resized or hidden window"]);
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, format!("{{\"schema\": {RESULT_SCHEMA}}}")).unwrap();
    assert_fails(
        &gate(&was, broken.to_str().unwrap()),
        2,
        &["broken.json", "not a benchmark result"],
    );
    assert_fails(&gate(&was, "/nonexistent/x.json"), 2, &["/nonexistent/x.json"]);
}

#[test]
fn a_pair_writes_the_frames_of_both_sides_and_has_no_verdict() {
    let own = env!("CARGO_BIN_EXE_cubefall");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let pair = bench(&["ab", "--a", own, "--b", own, "--pairs", "1", "--out", out]);
    assert_eq!(pair.status.code(), Some(4), "{pair:?}");
    let text = unchecked_stdout(&pair);
    assert!(text.starts_with("No verdict: At least 6 pairs"), "{text}");
    assert_eq!(names(folder.path()), ["a", "ab.json", "b", "report.html"]);
    for result in ["a", "b"].map(|side| read(&folder.path().join(side))) {
        assert!(result.complete);
        assert_eq!((result.runs.len(), result.runs[0].samples.len()), (1, 40));
    }
    let verdict = std::fs::read_to_string(folder.path().join("ab.json")).unwrap();
    assert!(verdict.contains("\"verdict\":\"No verdict\""), "{verdict}");
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("<strong>No verdict. </strong>"), "the verdict is the headline");
}

#[test]
fn usage_errors_and_unwritable_paths_are_reported_before_the_first_run() {
    for (wrong, says) in [
        (&["--program", "no-such-program"][..], "there is no program no-such-program"),
        #[cfg(unix)]
        (&["--program", "Cargo.toml"], "Cargo.toml in PATH; did you mean ./Cargo.toml?"),
        (&["--duration", "10", "--max-duration", "5"], "--max-duration 5 is below --duration 10"),
        (&["--max-duration", "5"], "--max-duration 5 is below --duration 10 (the default)"),
        (&["sweep", "--max-duration", "2"], "2 is below --duration 3 (the default)"),
        (&["ab", "--b-flags", "--duration 3 --max-duration 2"], "--max-duration 2 is below"),
        (&["ab", "--b", "/nonexistent/b"], "there is no program /nonexistent/b"),
        (&["ab", "--b", "tests/cli"], "there is no program tests/cli"),
        (&["ab", "--b-flags", "--foo\n::error::x"], r#"wrong flags "--foo\n: :error: :x""#),
        (&["sweep", "--from", "5", "--cubes", "2"], "--from 5 is above --cubes 2"),
        (&["--runs=0"][..], "--runs"),
        (&["--duration=0"], "0.1 to 3600"),
        (&["--latency=9"], "--latency"),
        (&["ab", "--b-flags", "--geometry x"], "wrong flags \"--geometry x\""),
        (&["ab", "--a-flags", "--cubes '5"], "a quote is not closed"),
        (&["aa", "--threshold=x"], "percent"),
    ] {
        assert_fails(&run(&[&["bench"], wrong].concat()), 2, &[says]);
    }
    assert_fails(&bench(&["--out", "Cargo.toml"]), 5, &["Cargo.toml: it is not a folder"]);
    let unwritable = if cfg!(unix) { &["/proc/none", BELOW_A_FILE][..] } else { &[BELOW_A_FILE] };
    for path in unwritable {
        let refused = bench(&["--out", path]);
        assert_fails(&refused, 5, &[path]);
        assert!(!stderr(&refused).contains("run 1"), "{refused:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_benchmark_writes_a_valid_partial_result() {
    use std::process::Stdio;

    use rustix::process::{Pid, Signal, kill_process};

    let own = env!("CARGO_BIN_EXE_cubefall");
    // Dozens of counts, whatever the frame rate.
    let sweep = ["bench", "sweep", "--from", "1", "--per-decade", "20", "--fps", "0.1"];
    for (signal, code, words) in [
        (Signal::INT, 130, &["bench", "--runs", "1000"][..]),
        (Signal::TERM, 143, &["bench", "ab", "--a", own, "--b", own, "--pairs", "1000"]),
        (Signal::TERM, 143, &sweep),
    ] {
        let page = if words.contains(&"sweep") { "sweep.html" } else { "report.html" };
        let folder = tempfile::tempdir().unwrap();
        let args = [words, &["--out", folder.path().to_str().unwrap()], &SMALL].concat();
        let mut child =
            cubefall(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !folder.path().join(page).exists() {
            assert!(child.try_wait().unwrap().is_none(), "ended before the interrupt");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // Signals the parent only, which ends the current run. `timeout` sends the signal twice, too.
        for _ in 0..2 {
            kill_process(Pid::from_child(&child), signal).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert_eq!(child.wait().unwrap().code(), Some(code));
        if let Ok(text) = std::fs::read_to_string(folder.path().join("sweep.json")) {
            let sweep: Sweep = serde_json::from_str(&text).unwrap();
            assert!(!sweep.complete && !sweep.points.is_empty(), "{text}");
            continue;
        }
        let is_pair = words.contains(&"ab");
        let result = read(&folder.path().join(if is_pair { "b" } else { "" }));
        assert!(!result.complete && !result.runs.is_empty() && result.runs.len() < 1000);
    }
}

#[test]
fn failed_assertions_exit_with_code_3() {
    let true_ones = ["--runs", "1", "--assert", "median < 60000 ms", "--assert", "hitches >= 0"];
    stdout(&bench(&true_ones));
    let failed = bench(&["--runs", "1", "--assert", "sim.max < 0.000001", "--assert", "fps > 0"]);
    assert_eq!(failed.status.code(), Some(3), "{failed:?}");
    assert!(
        stderr(&failed).contains("assertion failed: sim.max < 0.000001 ms: it is "),
        "{failed:?}"
    );
    assert!(!stderr(&failed).contains("fps"), "{failed:?}");
    let unknown = bench(&["--runs", "1", "--assert", "p99 < 60000"]);
    assert_eq!(unknown.status.code(), Some(3), "40 frames have no p99");
    assert!(stderr(&unknown).contains("p99 is unknown"), "{unknown:?}");
    assert_fails(&bench(&["--assert", "p98 < 5"]), 2, &["p98", "median", "gpu_wait"]);
}

#[test]
fn a_slower_result_fails_and_does_not_replace_the_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json");
    let baseline = path.to_str().unwrap();
    // The noise of two runs is assumed: other programs cannot make it larger.
    stdout(&bench(&["--runs", "2", "--save-baseline", baseline]));
    let slower = bench(&["--runs", "2", "--inject-slowdown", "2000", "--baseline", baseline]);
    assert_eq!(slower.status.code(), Some(3), "{slower:?}");
    assert!(unchecked_stdout(&slower).contains("Regression"), "{slower:?}");
    let kept = std::fs::read(&path).unwrap();
    let again = ["--inject-slowdown", "2000", "--baseline", baseline, "--save-baseline", baseline];
    let slower = bench(&[&["--runs", "2"], &again[..]].concat());
    assert_eq!(slower.status.code(), Some(3), "{slower:?}");
    assert_eq!(std::fs::read(&path).unwrap(), kept, "a regression is no new baseline");
    let other = bench(&["--runs", "1", "--seed", "7", "--baseline", baseline]);
    assert_fails(&other, 6, &["cannot be compared", baseline, "nothing was measured"]);
    assert_fails(&bench(&["--baseline", "/nonexistent/b.json"]), 2, &["/nonexistent/b.json"]);
    assert_fails(&bench(&["--save-baseline", "/nonexistent/b.json"]), 5, &["/nonexistent/b.json"]);
    assert_eq!(bench(&["--threshold", "3"]).status.code(), Some(2), "--threshold needs --baseline");
}

#[test]
fn json_is_written_to_standard_output_or_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    let text = stdout(&bench(&["--runs", "1", "--json", path.to_str().unwrap()]));
    assert!(text.contains("spread"), "{text}");
    let result: BenchResult = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(result.runs.len(), 1);
    let pure: BenchResult =
        serde_json::from_str(&stdout(&bench(&["--runs", "1", "--json", "-"]))).unwrap();
    assert_eq!(pure.runs[0].state_hash, result.runs[0].state_hash);
    // Neither file is in a folder with frames.
    let [out, base] = ["out", "base.json"].map(|name| folder.path().join(name));
    let [out_flag, base_flag] = [&out, &base].map(|path| path.to_str().unwrap());
    let more = ["--out", out_flag, "--save-baseline", base_flag, "--json"];
    let text = stdout(&bench(&[&["--runs", "1"], &more[..]].concat()));
    let printed: BenchResult = serde_json::from_str(&text).unwrap();
    let saved: Baseline = serde_json::from_slice(&std::fs::read(base).unwrap()).unwrap();
    assert_eq!((&printed.frames_file, &saved.last().frames_file), (&None, &None));
    assert_eq!(read(&out).frames_file.as_deref(), Some("frames.npz"));
    assert_fails(&bench(&["--json", "/nonexistent/r.json"]), 5, &["/nonexistent/r.json"]);
    assert_fails(&bench(&["--json", "ab"]), 2, &["'ab'", "subcommand", "./"]);
    assert_fails(&bench(&["--json", ""]), 2, &["a value is required"]);
}

#[cfg(target_os = "linux")]
#[test]
fn all_runs_measure_the_program_that_was_started() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let [program, other] = ["cubefall", "other"].map(|name| folder.path().join(name));
    std::fs::hard_link(env!("CARGO_BIN_EXE_cubefall"), &program).unwrap();
    let mut command = Command::new(&program);
    command.args(["bench", "--runs", "2", "--cubes", "300", "--size", "64x48", "--warmup", "5"]);
    command.args(["--duration", "2", "--max-duration", "2"]);
    command.env("XDG_RUNTIME_DIR", folder.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("run 1 of 2")));
    // Within the first run, as a build does.
    std::thread::sleep(std::time::Duration::from_millis(500));
    std::fs::write(&other, "no program").unwrap();
    std::fs::rename(&other, &program).unwrap();
    let rest: Vec<_> = lines.collect();
    assert!(child.wait().unwrap().success(), "{rest:?}");
}

#[test]
fn factors_change_the_work_and_are_in_the_result() {
    let result = |factors: &[&str]| -> BenchResult {
        let small = ["--cubes", "50", "--size", "16x16", "--frames", "3", "--warmup", "2"];
        let words = [&["bench", "--runs", "1", "--json"], &small[..], factors].concat();
        serde_json::from_str(&stdout(&run(&words))).unwrap()
    };
    let [plain, same, tuned] = [&[][..], &["--gravity", "1"], &["--gravity", "0.5"]].map(result);
    assert_eq!((&plain.settings.tuning, &same.settings.tuning), (&None, &None));
    assert_eq!(tuned.settings.tuning.as_deref(), Some("--gravity=0.5"));
    assert_eq!(plain.runs[0].work_hash, same.runs[0].work_hash);
    assert_ne!(plain.runs[0].work_hash, tuned.runs[0].work_hash);
    assert!(!plain.settings.has_same_work(&tuned.settings));
}

#[test]
fn a_sweep_stops_when_frames_take_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let sweep = |more: &[&str]| {
        let small = ["--size", "64x48", "--frames", "20", "--warmup", "3", "--runs", "2"];
        run(&[&["bench", "sweep", "--from", "100", "--per-decade", "1"], &small[..], more].concat())
    };
    let text = stdout(&sweep(&["--cubes", "5k", "--fps", "0.1", "--out", out]));
    assert!(text.contains("0.1 fps at the median: at least 5,000 cubes"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let file = std::fs::read_to_string(folder.path().join("sweep.json")).unwrap();
    let kept: Sweep = serde_json::from_str(&file).unwrap();
    let counts: Vec<_> = kept.points.iter().map(|point| point.cubes).collect();
    assert_eq!((counts, kept.complete, kept.stopped), (vec![100, 1000, 5000], true, None));
    assert!(kept.points.iter().all(|point| point.medians_ns.len() == 2));
    let mut written: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert_eq!(written["summary"]["largest_count"]["at_least"], 5000);
    let unordered = folder.path().join("unordered.json");
    written["points"].as_array_mut().unwrap().swap(0, 1);
    std::fs::write(&unordered, written.to_string()).unwrap();
    let unordered = unordered.to_str().unwrap();
    stdout(&bench(&["--runs", "1", "--out", out]));
    let result = folder.path().join("result.json").display().to_string();
    let page = folder.path().join("page.html").display().to_string();
    let page = ["--sweep", unordered, "--out", &page];
    let refused = run(&[&["bench", "report", &result][..], &page].concat());
    assert_fails(&refused, 2, &["unordered.json", "its counts of cubes do not ascend"]);
    let schema: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["bench", "schema", "sweep"]))).unwrap();
    let described = schema["properties"].as_object().unwrap();
    let mut keys = written.as_object().unwrap().keys();
    assert!(keys.all(|key| described.contains_key(key)), "{described:?}");
    assert!(written["graphics"]["geometry"].is_string() && written["streaming"].is_string());
    let page = std::fs::read_to_string(folder.path().join("sweep.html")).unwrap();
    assert!(page.contains("at least 5,000 cubes") && page.contains("geometry"), "{page}");
    let table = std::fs::read_to_string(folder.path().join("sweep.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 2);

    // No machine simulates and draws 10,000 cubes in 0.1 ms.
    let json = stdout(&sweep(&["--fps", "10000", "--json"]));
    let stopped: Sweep = serde_json::from_str(&json).unwrap();
    assert!(stopped.complete && stopped.points.len() < 6, "{json}");
    assert!(stopped.stopped.is_some_and(|why| why.contains("take too long")), "{json}");
    assert_fails(&sweep(&["--fps", "0"]), 2, &["--fps"]);
    assert_fails(&sweep(&["--out", BELOW_A_FILE]), 5, &[BELOW_A_FILE]);
}

/// Stops and continues a run several times, since it does not say when it measures.
#[cfg(target_os = "linux")]
#[test]
fn frames_in_which_the_process_is_stopped_are_marked_and_do_not_count() {
    use std::process::Stdio;
    use std::time::Duration;

    use cubefall::benchmark::RunResult;
    use rustix::process::{Pid, Signal, kill_process};

    let mut args = vec!["bench", "single", "--cubes", "100", "--size", "64x48", "--latency", "0"];
    args.extend(["--warmup", "1", "--duration", "4"]);
    let mut child = cubefall(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let output = std::thread::spawn(move || {
        let mut json = Vec::new();
        std::io::Read::read_to_end(&mut stdout, &mut json).unwrap();
        json
    });
    while child.try_wait().unwrap().is_none() {
        for (signal, pause) in [(Signal::STOP, 3000), (Signal::CONT, 1000)] {
            // Fails once the run has ended.
            let _ = kill_process(Pid::from_child(&child), signal);
            std::thread::sleep(Duration::from_millis(pause));
        }
    }
    let output = output.join().unwrap();
    let end = output.iter().position(|&byte| byte == b'\n').unwrap();
    let run: RunResult = serde_json::from_slice(&output[..end]).unwrap();
    let frames = &output[end + 1..];
    let run = RunResult { samples: read_samples(frames, 1).unwrap().concat(), ..run };
    let suspended = run.frames.suspended as usize;
    assert!(suspended > 0);
    // Each stop takes 3 s, and no frame of 100 cubes does otherwise.
    let long = run.samples.iter().filter(|sample| sample.frame > 2_900_000_000);
    assert!(
        long.clone().all(|sample| sample.status == FrameStatus::Suspended),
        "{:?}",
        long.count()
    );
    assert_eq!(run.valid_samples().count() + suspended, run.samples.len());
}

#[test]
fn a_gpu_is_not_further_behind_than_there_are_mapped_buffers() {
    let mapped = ["--streaming", "mapped", "--latency", "3", "--runs", "1"];
    assert_fails(&bench(&mapped), 2, &["cannot be 3 frames behind", "--streaming staged"]);
    let staged = ["--streaming", "staged", "--latency", "3", "--runs", "1"];
    assert!(stdout(&bench(&staged)).contains(" fps"));
    let evaluated = ["--motion", "evaluated", "--latency", "3", "--runs", "1", "--verbose"];
    assert!(stdout(&bench(&evaluated)).contains("streaming: staged"));
}
