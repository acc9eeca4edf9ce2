//! Full disks: file systems of a few kilobytes in memory.

use std::path::Path;
use std::process::{Command, Output};

use cubefall::benchmark::BenchResult;

use super::program::{assert_fails, names, stderr, with_environment};
use super::script::write_script;

/// Mounts a disk, changes to it, runs the program, and copies what is left on the disk.
const SCRIPT: &str = "mount -t tmpfs -o size=$1k tmpfs \"$2\" && cd \"$2\" || exit 99
    eval \"$4\"; left=$3; shift 4; \"$@\"; code=$?
    cp -r . \"$left\" && chown -R --reference \"$left\" \"$left\"; exit $code";
/// Run a command that may mount: as root, as root of a user namespace, or through sudo.
const MOUNTERS: [&[&str]; 3] = [
    &["unshare", "--mount"],
    &["unshare", "--user", "--map-root-user", "--mount"],
    &["sudo", "--non-interactive", "--preserve-env", "unshare", "--mount"],
];

/// Runs the program in a folder on a disk of 8 KiB that is full.
fn run_on_full_disk(args: &str, left: &Path) -> Output {
    let fill = "dd if=/dev/zero of=full bs=4k >/dev/null 2>&1";
    run_after(fill, 8, args, left)
}

/// Runs the program in a folder on a disk of `kib` KiB. Copies the files it leaves to `left`.
fn run_on_disk(kib: u32, args: &str, left: &Path) -> Output {
    run_after("true", kib, args, left)
}

/// Runs the program there after a command of the shell.
fn run_after(before: &str, kib: u32, args: &str, left: &Path) -> Output {
    let disk = tempfile::tempdir().unwrap();
    let works = |mounter: &&&[&str]| {
        let ran = Command::new(mounter[0]).args(&mounter[1..]).arg("true").output();
        ran.is_ok_and(|ran| ran.status.success())
    };
    let mounter = MOUNTERS.iter().find(works);
    let mounter =
        mounter.expect("a small disk needs root, user namespaces, or sudo without password");
    let mut command = Command::new(mounter[0]);
    with_environment(&mut command).env("MESA_SHADER_CACHE_DISABLE", "true");
    command.args(&mounter[1..]).args(["sh", "-c", SCRIPT, "sh"]);
    command.arg(kib.to_string()).arg(disk.path()).arg(left).arg(before);
    command.arg(env!("CARGO_BIN_EXE_cubefall"));
    command.args(args.split_whitespace());
    command.output().unwrap()
}

fn assert_full(output: &Output) {
    let full = ["No space left on device", "no storage space"];
    let reason = full.into_iter().find(|full| stderr(output).contains(full));
    assert_fails(output, 5, &["cubefall: cannot write", reason.unwrap_or(full[0])]);
}

#[test]
fn a_recording_on_a_full_disk_fails_and_leaves_no_file() {
    // Not even the first image of the sequence fits. Each video is twice as large as its disk.
    for (name, kib) in
        [("fall.webm", 8), ("fall.mp4", 4), ("fall.gif", 16), ("fall.png", 16), ("%d.png", 16)]
    {
        let left = tempfile::tempdir().unwrap();
        let args = format!("record --cubes 2000 --size 160x90 --frames 20 --out {name}");
        assert_full(&run_on_disk(kib, &args, left.path()));
        assert!(names(left.path()).is_empty(), "{name}: {:?}", names(left.path()));
    }
}

#[test]
fn a_recording_that_cannot_fit_on_the_disk_is_refused_before_it_starts() {
    let left = tempfile::tempdir().unwrap();
    for name in ["fall.png", "fall.gif", "%d.png", "frames/", "fall.mp4"] {
        let args = format!("record --frames 1000000 --out {name}");
        let output = run_on_disk(64, &args, left.path());
        assert_fails(&output, 5, &["cannot write", "not enough space", "65 kB free"]);
        assert!(!stderr(&output).contains("recording"), "{output:?}");
    }
}

#[test]
fn a_state_that_cannot_fit_on_the_disk_is_refused_before_the_first_step() {
    let left = tempfile::tempdir().unwrap();
    let output = run_on_disk(64, "simulate --cubes 5k --frames 10000000 --save fall", left.path());
    assert_fails(&output, 5, &["cannot write fall", "not enough space: 180 kB"]);
}

#[test]
fn a_benchmark_on_a_full_disk_is_refused_before_it_measures() {
    let left = tempfile::tempdir().unwrap();
    for flags in ["--json new.json", "--save-baseline new.json"] {
        let output = run_on_full_disk(&format!("bench --runs 1 --frames 10 {flags}"), left.path());
        assert_fails(&output, 5, &["cannot write new.json", "not enough space: 1 kB"]);
        assert!(!stderr(&output).contains("run 1"), "{output:?}");
    }
    let many = "bench --runs 10 --frames 1000 --cubes 9 --size 16x16 --out .";
    let output = run_on_disk(64, many, left.path());
    assert_fails(&output, 5, &["cannot write", "not enough space: 100 kB", "65 kB free"]);
    assert_eq!(stderr(&output).lines().count(), 1, "{output:?}");
}

#[test]
fn a_benchmark_on_a_full_disk_keeps_complete_files_only() {
    let small = "--cubes 300 --size 64x48 --frames 40 --warmup 5";
    let left = tempfile::tempdir().unwrap();
    let output = run_on_disk(16, &format!("bench --runs 1 --out . {small}"), left.path());
    assert_full(&output);
    assert!(names(left.path()).is_empty(), "{:?}", names(left.path()));

    // The files of a few runs fit, but not those of fifty.
    let left = tempfile::tempdir().unwrap();
    let output = run_on_disk(320, &format!("bench --runs 50 --out . {small}"), left.path());
    assert_full(&output);
    let text = std::fs::read_to_string(left.path().join("result.json")).unwrap();
    let result: BenchResult = serde_json::from_str(&text).unwrap();
    assert!(!result.complete && !result.runs.is_empty());
    let frames = std::fs::read(left.path().join("frames.npz")).unwrap();
    let frames = cubefall::benchmark::read_samples(&frames, result.runs.len()).unwrap();
    assert_eq!(frames.concat().len(), 40 * result.runs.len(), "both are of the same runs");
    assert_eq!(names(left.path()), ["frames.npz", "report.html", "result.json"]);
}

/// Beyond the limit of `ulimit -f`, in units of 512 bytes, the system sends a signal.
#[test]
fn a_file_larger_than_the_limit_of_the_process_is_an_error_and_is_not_left() {
    let scripts = tempfile::tempdir().unwrap();
    // Only the process that writes the video has the limit: newer drivers keep images in files.
    let limited = "#!/bin/sh\nulimit -f 8; PATH=${PATH#*:} exec ffmpeg \"$@\"";
    write_script(&scripts.path().join("ffmpeg"), limited);
    let path = format!("{}:{}", scripts.path().display(), std::env::var("PATH").unwrap());
    let record = "record --cubes 2000 --size 160x90 --frames 10 --out";
    for args in [
        // Smaller than the buffer of the file.
        "ulimit -f 8; exec \"$0\" simulate --cubes 60 --frames 1 --save state",
        "ulimit -f 8; exec \"$0\" simulate --cubes 2000 --frames 1 --save state",
        &format!("PATH='{path}' exec \"$0\" {record} a.mp4"),
        &format!("PATH='{path}' exec \"$0\" {record} a.webm"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        with_environment(&mut command).current_dir(folder.path());
        command.args(["-c", args, env!("CARGO_BIN_EXE_cubefall")]);
        assert_fails(&command.output().unwrap(), 5, &["cannot write", "File too large"]);
        assert_eq!(names(folder.path()), [""; 0], "{args}");
    }
}
