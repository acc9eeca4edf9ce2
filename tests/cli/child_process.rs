//! How `cubefall bench` runs child processes: their length, sensors, failures and signals.

use std::fs;
use std::path::Path;

use cubefall::benchmark::{ClockRate, Readings, RunResult, Sensors};
use serde_json::Value;

use crate::program::{assert_fails, run, stderr, unchecked_stdout};
use crate::results::run_of;
use crate::scripted_runs::{ab, bench, frame, json, program, script, steady};

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
    // Medians of pairs need no 1,000 frames.
    for (length, passed) in [(&[][..], "10"), (&["--duration", "2"], "2")] {
        let pairs = ab(folder.path(), &[steady(10.0)], &[steady(10.0)], length);
        let flags = fs::read_to_string(folder.path().join("a.flags")).unwrap();
        let expected = format!("--duration={passed} --max-duration={passed} ");
        assert!(flags.lines().last().unwrap().contains(&expected), "{flags}\n{pairs:?}");
    }
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
fn the_error_of_a_failed_run_is_shown() {
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
