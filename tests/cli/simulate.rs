//! `cubefall simulate`.

use crate::program::{assert_fails, cubefall, run, stdout};

/// The state hash printed by `cubefall simulate` with these flags.
pub(crate) fn state_hash(flags: &[&str]) -> String {
    let text = stdout(&run(&[&["simulate"], flags].concat()));
    text.lines().next().unwrap().to_owned()
}

/// Lines of state hashes and flags. `platforms.sh` reads the same file.
const STATE_HASHES: &str = include_str!("state_hashes.txt");

#[test]
fn state_hashes_are_the_same_on_every_platform_and_with_any_number_of_threads() {
    let rows = STATE_HASHES.lines().filter(|line| !line.starts_with('#'));
    let mut different = Vec::new();
    for (row, threads) in rows.clone().zip(["1", "2", "7"].into_iter().cycle()) {
        let (hash, flags) = row.split_once(' ').unwrap();
        let with_threads: Vec<_> = flags.split(' ').chain(["--threads", threads]).collect();
        let found = state_hash(&with_threads);
        let found = found.strip_prefix("state hash: ").unwrap();
        if found != hash {
            different.push(format!("{found} {flags}"));
        }
    }
    let lines = different.join("\n");
    assert!(
        lines.is_empty(),
        "if these changes are intended, replace the lines in tests/cli/state_hashes.txt:\n{lines}"
    );
    for line in stdout(&run(&["scenes"])).lines() {
        let Some(name) = line.split_whitespace().next() else { continue };
        let has_line = rows.clone().any(|row| row.contains(&format!("--scene {name} ")));
        assert!(has_line || name == "classic", "add a line for {name} to state_hashes.txt");
    }
}

#[test]
fn factors_of_flags_are_those_of_a_scene_file_and_of_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tuned.json");
    let tuned = r#""version": 1, "tuning": {"gravity": 0.5, "time": 2, "spin": 0}"#;
    // The cubes of the second scene fall before its start.
    for name in ["classic", "fountain"] {
        let scene = stdout(&run(&["scenes", name]));
        std::fs::write(&file, scene.replacen("\"version\": 1", tuned, 1)).unwrap();
        let hash = |flags: &[&str]| state_hash(&[flags, &["--frames", "20"]].concat());
        let by_file = hash(&["--scene", file.to_str().unwrap()]);
        let factors = ["--gravity", "0.5", "--time", "2", "--spin", "0"];
        assert_eq!(hash(&[&["--scene", name], &factors[..]].concat()), by_file);
        let link = |gravity: f32| format!("cubefall://{name}/gravity={gravity}/time=2/spin=0");
        assert_eq!(hash(&["--open", &link(0.5)]), by_file);
        let overridden = hash(&["--open", &link(3.0), "--gravity", "0.5"]);
        assert_eq!(overridden, by_file, "a flag overrides the link");
        assert_ne!(hash(&["--scene", name]), by_file);
    }
    assert_fails(&run(&["simulate", "--time", "9"]), 2, &["--time", "expected 0 to 8"]);
}

#[test]
fn json_has_the_settings_the_hash_and_the_step_time() {
    let args = [
        "simulate",
        "--cubes",
        "1k",
        "--frames",
        "50",
        "--mode",
        "camera-falls",
        "--dt",
        "1/120",
        "--threads",
        "2",
    ];
    let text = stdout(&run(&[&args[..], &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let other = [&args[..args.len() - 2], &["--json"]].concat();
    let other = stdout(&cubefall(&other).env("RAYON_NUM_THREADS", "1").output().unwrap());
    let other: serde_json::Value = serde_json::from_str(&other).unwrap();
    let all = std::thread::available_parallelism().unwrap().get();
    assert_eq!(other["threads"], all, "the environment changes nothing");
    assert_eq!((&json["cubes"], &json["mode"]), (&1000.into(), &"camera-falls".into()));
    assert_eq!(
        (&json["frames"], &json["threads"], &json["seed"]),
        (&50.into(), &2.into(), &1.into())
    );
    let hash = json["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let text = stdout(&run(&args));
    assert!(text.contains(hash) && text.contains("median step: ") && text.contains(" ns per cube"));
    // The mode is that of the start, also where the scene switches it.
    let switch = ["simulate", "--scene", "switch", "--mode", "camera-falls", "--frames", "400"];
    let switched = stdout(&run(&[&switch[..], &["--json"]].concat()));
    assert!(switched.contains(r#""mode":"camera-falls""#), "{switched}");
    let step = json["median_step_ns"].as_u64().unwrap();
    assert_eq!(json["ns_per_cube"].as_f64().unwrap(), step as f64 / 1000.0);
}

#[test]
fn without_steps_the_step_time_is_unknown() {
    let text = stdout(&run(&["simulate", "--frames", "0", "--cubes", "5"]));
    assert!(text.contains("median step: unknown"), "{text}");
    let json = stdout(&run(&["simulate", "--frames", "0", "--cubes", "5", "--json"]));
    assert!(json.contains(r#""median_step_ns":null"#), "{json}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        cubefall(&["simulate", "--frames", "1", "--cubes", "5"]).stdout(full).output().unwrap();
    assert_fails(&output, 5, &["standard output", "No space left"]);
    for help in ["--help", "--version"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = cubefall(&[help]).stdout(full).output().unwrap();
        assert_fails(&output, 5, &["standard output", "No space left"]);
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output =
        cubefall(&["simulate", "--frames", "1", "--cubes", "5"]).stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
