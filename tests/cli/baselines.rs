//! Baselines and gates of `cubefall bench`.

use std::fs;
use std::path::Path;

use cubefall::benchmark::{FrameSample, FrameStatus, RunResult};
use serde_json::Value;

use crate::program::{assert_fails, run, stderr, stdout, unchecked_stdout};
use crate::results::run_of;
use crate::scripted_runs::{bench, frame, json, noisy, program, script, steady};

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
    assert_fails(&saved, 6, &["was not written: ", "resized"]);
    assert!(!Path::new(&baseline).exists());

    stdout(&bench(folder.path(), &[steady(10.0), steady(10.0)], &["--save-baseline", &baseline]));
    let compared = bench(folder.path(), &runs(), &["--baseline", &baseline, "--json", &result]);
    assert_fails(&compared, 6, &["resized"]);
    let text = fs::read_to_string(&result).unwrap();
    assert!(!text.contains("verdict"), "{text}");

    // An incomplete session, with a complete one after it and alone.
    let both = [steady(10.0), steady(10.0)];
    stdout(&bench(folder.path(), &both, &["--save-baseline", &baseline, "--json", &result]));
    let replaced = bench(folder.path(), &both, &["--save-baseline", &result]);
    assert_fails(&replaced, 2, &["it is a result, expected a baseline"]);
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
fn an_inconsistent_baseline_is_refused_and_a_failed_write_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("baseline.json");
    let baseline = path.to_str().unwrap();
    let runs = [steady(10.0), steady(10.0)];
    for _ in 0..2 {
        stdout(&bench(folder.path(), &runs, &["--save-baseline", baseline]));
    }
    let mut sessions: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    for run in sessions["sessions"][0]["runs"].as_array_mut().unwrap() {
        run["adapter"] = "other".into();
    }
    fs::write(&path, sessions.to_string()).unwrap();
    let refused = bench(folder.path(), &runs, &["--baseline", baseline]);
    assert_fails(&refused, 2, &["baseline.json", "its sessions differ in adapter"]);

    let other = folder.path().join("other.json");
    for (text, kind) in [
        (r#"{"schema": 4, "points": []}"#, "it is a sweep"),
        (r#"{"conclusion": ""}"#, "it is a verdict of bench gate"),
    ] {
        fs::write(&other, text).unwrap();
        let refused = bench(folder.path(), &runs, &["--baseline", other.to_str().unwrap()]);
        assert_fails(&refused, 2, &[kind, "expected a baseline or a result"]);
    }

    // A folder for a result is created again; one that the user has created is not.
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let remover = program(folder.path(), "remover", &runs);
    script(&remover, "rmdir \"${0%/*}/kept\" 2>/dev/null; cat \"$0.0\"");
    let words = ["bench", "--runs", "2", "--program", remover.to_str().unwrap()];
    let lost = kept.join("baseline.json");
    let save = ["--save-baseline", lost.to_str().unwrap()];
    let lost = run(&[&words[..], &save].concat());
    assert_fails(&lost, 5, &["cannot write", "kept/baseline.json: the folder ", "create it first"]);
    assert!(unchecked_stdout(&lost).contains("10.000"), "{lost:?}");
    stdout(&run(&[&words[..], &["--out", kept.to_str().unwrap()]].concat()));
    assert!(kept.join("result.json").exists());
}
