//! Signals at random moments: whatever ends the program, it leaves no temporary file and no process, and
//! every output file is whole or as before.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use cubefall::benchmark::{BenchResult, read_samples};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rustix::process::{Pid, Signal, kill_process};

use super::program::{cubefall, names, with_environment};
use super::{png, record};

const OWN: &str = env!("CARGO_BIN_EXE_cubefall");
/// Environment variable with the folder of a command.
const MARK: &str = "CUBEFALL_KILLED_IN";
const FRAMES: usize = 12;
/// Content of the output file before the program starts, in every second run.
const OLD: &[u8] = b"old";

/// Work that ends within a second or so, and what it writes to the current folder.
const CASES: [(&str, &str); 7] = [
    ("record --cubes 50 --size 64x48 --frames 12 --out", "fall.mp4"),
    ("record --cubes 50 --size 64x48 --frames 12 --out", "fall.webm"),
    ("record --cubes 50 --size 64x48 --frames 12 --out", "fall.gif"),
    ("record --cubes 50 --size 64x48 --frames 12 --out", "fall.png"),
    ("record --cubes 50 --size 64x48 --frames 12 --out", "%d.png"),
    ("bench --cubes 50 --size 64x48 --frames 12 --warmup 2 --runs 2 --json copy.json --out", "."),
    (
        "bench ab --cubes 50 --size 64x48 --frames 12 --warmup 2 --pairs 1 --a OWN --b OWN --out",
        ".",
    ),
];

/// Signals to send, and the exit code if the program ends because of them.
const SIGNALS: [(&[Signal], i32); 5] = [
    (&[Signal::INT], 130),
    (&[Signal::TERM], 143),
    (&[Signal::HUP], 129),
    (&[Signal::KILL], 137),
    // As by `timeout`.
    (&[Signal::INT, Signal::INT], 130),
];

/// Runs a case in `folder`. Sends the signals after the delays. Returns the exit code and the duration.
fn run(
    (words, out): (&str, &str),
    folder: &Path,
    signals: &[Signal],
    delays: [Duration; 2],
) -> (i32, Duration) {
    let temporary = tempfile::tempdir().unwrap();
    let mut command = command(words, folder);
    command.arg(out).env("TMPDIR", temporary.path()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    for (&signal, delay) in signals.iter().zip(delays) {
        sleep(delay);
        // Fails if the process has ended.
        let _ = kill_process(Pid::from_child(&child), signal);
    }
    let code = exit_code(&mut child);
    let duration = start.elapsed();
    wait_for_children(folder);
    assert_eq!(names(temporary.path()), [""; 0], "{words}, {signals:?}");
    (code, duration)
}

fn command(words: &str, folder: &Path) -> Command {
    let mut command = cubefall(&[]);
    command.args(words.split(' ').map(|word| if word == "OWN" { OWN } else { word }));
    // Child processes inherit the variable, by which they are found.
    command.current_dir(folder).env(MARK, folder).stdout(Stdio::null());
    command
}

/// Waits for the end, and returns the exit code as shells print it.
fn exit_code(child: &mut Child) -> i32 {
    let patience = Instant::now() + Duration::from_mins(1);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > patience {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the program does not end");
        }
        sleep(Duration::from_millis(5));
    };
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap()
}

/// Waits until no process of a command is left.
fn wait_for_children(folder: &Path) {
    let mark = format!("{MARK}={}", folder.display());
    let patience = Instant::now() + Duration::from_mins(1);
    while has_process(&mark) {
        assert!(Instant::now() < patience, "a process is left");
        sleep(Duration::from_millis(5));
    }
}

/// Returns whether a process with an environment variable runs.
fn has_process(variable: &str) -> bool {
    let has = |folder: &Path| {
        let variables = fs::read(folder.join("environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|found| found == variable.as_bytes())
    };
    fs::read_dir("/proc").unwrap().any(|entry| has(&entry.unwrap().path()))
}

/// Checks that each file in the folder is whole or old. Returns whether there is a whole one.
fn check(folder: &Path) -> bool {
    let mut is_any_whole = false;
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            is_any_whole |= check(&path);
            continue;
        }
        if fs::read(&path).unwrap() == OLD {
            continue;
        }
        is_any_whole = true;
        let text = || fs::read_to_string(&path).unwrap();
        match name.as_str() {
            "fall.mp4" | "fall.webm" => {
                let probed = record::probe(&path);
                assert!(probed.ends_with(&format!(",{FRAMES}")), "{name}: {probed}");
            }
            "fall.gif" => {
                let mut file =
                    gif::Decoder::new(BufReader::new(File::open(&path).unwrap())).unwrap();
                let frames = std::iter::from_fn(|| file.read_next_frame().unwrap().map(|_| ()));
                assert_eq!(frames.count(), FRAMES);
            }
            "fall.png" => assert_eq!(png::read(&path).2.len(), FRAMES),
            "result.json" | "copy.json" => {
                let result: BenchResult = serde_json::from_str(&text()).unwrap();
                assert!(result.runs.iter().all(|run| run.frames.all() == FRAMES as u64));
                // The others of the same runs are replaced first.
                let is_frames = folder.join("frames.npz").exists();
                assert!(result.runs.is_empty() || is_frames, "{name}");
            }
            "frames.npz" => {
                let runs = read_samples(&fs::read(&path).unwrap(), 1).unwrap();
                assert_eq!(runs[0].len(), FRAMES);
            }
            "ab.json" => assert!(text().ends_with("}\n")),
            "report.html" => assert!(text().ends_with("</html>")),
            image if image.trim_end_matches(".png").parse::<u32>().is_ok() => {
                assert_eq!(png::read(&path).2.len(), 1);
            }
            other => panic!("{other} is left"),
        }
    }
    is_any_whole
}

/// Ends the cases at `moments` random moments by each signal.
fn kill_at_random_moments(moments: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    // Returns a random number below 1.
    let mut unit = || f64::from(random.next_u32()) / 2_f64.powi(32);
    let undisturbed = CASES.map(|case| {
        let folder = tempfile::tempdir().unwrap();
        let (code, duration) = run(case, folder.path(), &[], [Duration::ZERO; 2]);
        // A single pair gives no verdict.
        assert_eq!(code, if case.0.contains("ab ") { 4 } else { 0 }, "{case:?}");
        assert!(check(folder.path()), "{case:?} writes no file");
        (code, duration)
    });
    for (signals, code) in SIGNALS {
        for moment in 0..moments {
            let (case, (success, duration)) =
                (moment % CASES.len(), undisturbed[moment % CASES.len()]);
            let folder = tempfile::tempdir().unwrap();
            let name = CASES[case].1;
            if (moment / CASES.len()).is_multiple_of(2) && name.starts_with("fall.") {
                fs::write(folder.path().join(name), OLD).unwrap();
            }
            let delays = [duration.mul_f64(unit()), Duration::from_millis(20).mul_f64(unit())];
            let (ended, _) = run(CASES[case], folder.path(), signals, delays);
            let context = format!("{:?}, {signals:?} after {delays:?}", CASES[case]);
            assert!([code, success].contains(&ended), "{context}: {ended}");
            let is_whole = check(folder.path());
            assert!(is_whole || ended != success, "{context}: no file");
        }
    }
}

/// The first signal is received, but the output has no reader.
#[test]
fn a_later_second_signal_ends_a_program_that_hangs() {
    let folder = tempfile::tempdir().unwrap();
    let (_reader, mut output) = std::io::pipe().unwrap();
    // As much as a pipe holds.
    output.write_all(&vec![0; 1 << 16]).unwrap();
    let mut command =
        command("record --frames 2 --cubes 10 --size 64x48 --out fall.gif", folder.path());
    let mut child = command.stdout(output).stderr(Stdio::null()).spawn().unwrap();
    while names(folder.path()) != ["fall.gif"] {
        assert!(child.try_wait().unwrap().is_none(), "it does not hang");
        sleep(Duration::from_millis(20));
    }
    for _ in 0..2 {
        assert!(child.try_wait().unwrap().is_none(), "it does not hang");
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        sleep(Duration::from_millis(700));
    }
    assert_eq!(exit_code(&mut child), 130);
}

/// In the middle of work that would go on for minutes.
#[test]
fn a_signal_leaves_no_temporary_file_and_no_process() {
    for (signals, code) in &SIGNALS[1..] {
        for (words, begun) in [
            ("record --frames 200000 --out fall.webm", "recording "),
            ("record --warmup 10000000 --out fall.gif", "warming up: "),
            ("bench --frames 200000 --out .", "run 1 of 5"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut command = command(words, folder.path());
            let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
            let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
            assert!(lines.any(|line| line.unwrap().contains(begun)), "{words}");
            sleep(Duration::from_millis(300));
            for &signal in *signals {
                kill_process(Pid::from_child(&child), signal).unwrap();
            }
            assert_eq!(exit_code(&mut child), *code, "{words}, {signals:?}");
            wait_for_children(folder.path());
            assert_eq!(names(folder.path()), [""; 0], "{words}, {signals:?}");
        }
    }
}

/// `CUBEFALL_KILLS` sets the number of moments for each signal.
#[ignore = "takes many minutes"]
#[test]
fn hundreds_of_signals_leave_no_temporary_file_and_no_process() {
    let moments = std::env::var("CUBEFALL_KILLS").map_or(200, |count| count.parse().unwrap());
    kill_at_random_moments(moments);
}

/// As under `nohup`.
#[test]
fn an_ignored_hang_up_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "trap '' HUP; \"$0\" record --cubes 50 --size 64x48 --frames 40 --out a.gif & pid=$!
        while kill -HUP $pid 2>/dev/null; do sleep 0.05; done; wait $pid";
    let mut command = Command::new("sh");
    with_environment(command.args(["-c", script, OWN]));
    let output = command.current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(names(folder.path()), ["a.gif"]);
}

/// The system then discards the exit codes of child processes.
#[test]
fn an_ignored_sigchld_does_not_change_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        "record --cubes 9 --size 16x16 --frames 2 --out a.mp4",
        "bench --cubes 9 --size 16x16 --frames 9 --warmup 1 --runs 1",
    ] {
        let mut command = Command::new("/usr/bin/env");
        with_environment(command.args(["--ignore-signal=CHLD", OWN]).args(words.split(' ')));
        let output = command.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}
