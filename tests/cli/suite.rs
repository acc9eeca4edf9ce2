//! `cubefall bench suite`, with runs of known frame times that a script prints in place of a child process.

use std::fs;
use std::path::{Path, PathBuf};

use cubefall::benchmark::{FramePhase, FrameSample, Suite};

use crate::program::{assert_fails, run, stdout, unchecked_stdout};
use crate::results::run_of;
use crate::script::{write_run, write_script};

/// A frame of so many ns, part of them on the CPU.
fn frame(frame: u64, cpu: u64, gpu: u64) -> FrameSample {
    let mut phases = [0; FramePhase::ALL.len()];
    phases[FramePhase::Sim as usize] = cpu;
    phases[FramePhase::GpuWait as usize] = frame - cpu;
    FrameSample { frame, phases, gpu: Some(gpu), ..FrameSample::default() }
}

/// Writes a program whose frames take 2 ms and 400 ns per cube: 1 ms and 50 ns of the CPU, 300 ns of the GPU.
/// Counts that the growth does not have take 10 ms, and the slowest 1 % of their frames 16.4 ms.
fn program(folder: &Path) -> PathBuf {
    let path = folder.join("program");
    for cubes in [1000, 2200, 4600, 10_000, 22_000, 46_000, 100_000, 220_000, 460_000] {
        let frame = frame(2_000_000 + 400 * cubes, 1_000_000 + 50 * cubes, 300 * cubes);
        write_run(&folder.join(format!("program.{cubes}")), &run_of(vec![frame; 20]));
    }
    let mut frames = vec![frame(10_000_000, 1_000_000, 5_000_000); 198];
    frames.extend([frame(16_400_000, 3_000_000, 9_000_000); 2]);
    write_run(&folder.join("program.score"), &run_of(frames));
    let script = "#!/bin/sh\necho \"$*\" >> \"$0.flags\"\n\
                  for flag; do case $flag in --cubes=*) cubes=${flag#--cubes=};; esac; done\n\
                  cat \"$0.$cubes\" 2>/dev/null || cat \"$0.score\"\n";
    write_script(&path, script);
    path
}

#[test]
fn the_score_is_the_count_whose_slowest_frames_take_16_667_ms() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(folder.path());
    let out = folder.path().join("suite");
    let words = ["bench", "suite", "--program", path.to_str().unwrap()];
    let quick = ["--quick", "--submit-text", "--out", out.to_str().unwrap()];
    let text = stdout(&run(&[&words[..], &quick].concat()));
    // The growth is 60 fps at 36,000; there, 16.4 ms lead to 36,000 + 0.267 ms / 400 ns = 36,667, and there to
    // 37,333 by the same time.
    assert!(text.starts_with("Quick Cubefall score 37,300: cubes at 60 fps, 1 % low;"), "{text}");
    // 36,667 + (16.667 - 3) ms / 50 ns, and 36,667 + (16.667 - 9) ms / 300 ns.
    assert_eq!(text.matches("CPU side 310,000; GPU side 62,200").count(), 2, "{text}");
    let file = fs::read_to_string(out.join("suite.json")).unwrap();
    let suite: Suite = serde_json::from_str(&file).unwrap();
    assert!(suite.complete && suite.quick, "{file}");
    // Those of the runs, not those of other commands.
    let settings = &suite.growth.settings;
    assert_eq!((settings.warmup_frames, settings.duration_s), (Some(15), Some(0.5)));
    assert_eq!(suite.scores.map(|scores| scores.cubes.cubes), Some(37_300));
    let flags: Vec<_> = suite.variants.iter().map(|variant| variant.flags.as_str()).collect();
    let always = ["", "--mode camera-falls", "--quality low", "--quality high"];
    assert_eq!(flags[..4], always);
    assert!(flags[4..].iter().all(|flags| flags.starts_with("--geometry")), "{flags:?}");
    assert!(suite.variants.iter().all(|variant| variant.medians_ns == [10e6]), "{file}");
    let page = fs::read_to_string(out.join("suite.html")).unwrap();
    assert!(page.contains("37,300") && page.contains("mode camera-falls"), "{page}");
    let given = fs::read_to_string(folder.path().join("program.flags")).unwrap();
    let standard = ["--size=1280x720", "--quality=medium", "--mode=cubes-fall", "--seed=1"];
    let given: Vec<_> = given.lines().collect();
    // Growth, one attempt to find the count, six runs of the score, one of each variant.
    assert_eq!(given.len(), 9 + 1 + 6 + flags.len());
    for line in &given[..16] {
        assert!(standard.iter().all(|flag| line.contains(flag)), "{line}");
    }
}

#[test]
fn a_suite_that_cannot_start_says_why() {
    assert_fails(&run(&["bench", "suite", "--adapter", "no such"]), 2, &["no such"]);
    assert_fails(&run(&["bench", "suite", "--cubes", "5"]), 2, &["--cubes"]);
}

#[test]
fn what_was_measured_before_a_run_fails_is_printed_and_nothing_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(folder.path());
    let json = folder.path().join("suite.json");
    let words = ["bench", "suite", "--quick", "--program", path.to_str().unwrap(), "--json"];
    let suite = || run(&[&words[..], &[json.to_str().unwrap()]].concat());
    let replace = |line: &str| {
        write_script(&path, &format!("#!/bin/sh\n{line}\ncat \"$0.$cubes\"\n"));
    };
    let cubes = "for flag; do case $flag in --cubes=*) cubes=${flag#--cubes=};; esac; done";
    replace(&format!("{cubes}; [ $cubes -lt 22000 ] || kill -KILL $$"));
    let failed = suite();
    assert!(unchecked_stdout(&failed).contains("10,000"), "{failed:?}");
    assert_fails(&failed, 1, &["it was killed; is there enough memory?"]);
    let text = fs::read_to_string(&json).unwrap();
    let kept: Suite = serde_json::from_str(&text).unwrap();
    assert_eq!((kept.growth.points.len(), kept.complete), (4, false));
    // Ctrl-C in the first run.
    replace("kill -INT $PPID; sleep 5");
    let interrupted = suite();
    assert_eq!(interrupted.status.code(), Some(130), "{interrupted:?}");
    assert!(interrupted.stdout.is_empty() && fs::read_to_string(&json).unwrap() == text);
    replace(&format!("{cubes}; [ $cubes -lt 22000 ] || {{ kill -TERM $PPID; exec sleep 5; }}"));
    let interrupted = suite();
    assert_eq!(interrupted.status.code(), Some(143), "{interrupted:?}");
    assert!(unchecked_stdout(&interrupted).contains("10,000"), "{interrupted:?}");
}

#[test]
fn settings_are_compared_with_the_standard() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(folder.path());
    // Runs of high quality take twice as long.
    write_run(&folder.path().join("program.high"), &run_of(vec![frame(20_000_000, 0, 0); 20]));
    let script = fs::read_to_string(&path).unwrap();
    let script = script.replace("done\n", "done\ncase $* in *=high*) cubes=high;; esac\n");
    write_script(&path, &script);
    let text = stdout(&run(&["bench", "suite", "--quick", "--program", path.to_str().unwrap()]));
    let line = text.lines().find(|line| line.starts_with("--quality high")).unwrap();
    assert!(line.ends_with(" 20.000       2.00 x"), "{text}");
}
