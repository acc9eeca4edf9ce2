//! The command line as its user meets it: output, exit codes, and what is refused.

#![cfg(feature = "cli")]

#[cfg(feature = "benchmark")]
mod bench;
#[cfg(feature = "render")]
mod faults;
#[cfg(feature = "render")]
mod flags;
mod program;
#[cfg(feature = "record")]
mod record;
mod scenes;
mod snapshot;

use program::{assert_fails, cubefall, run, stdout};

/// The hash of this scene in every build: debug and release, with and without window and GPU, on
/// any number of threads and on every little-endian platform. `tests/simulation.rs` says why the
/// state behind it is right; this line says that it is the same everywhere.
const HASH_OF_10K_AFTER_600: &str = "state hash: 33743b058a48137f";

#[test]
fn simulate_prints_the_same_hash_with_any_number_of_threads() {
    for threads in ["1", "2", "7"] {
        let output = run(&[
            "simulate",
            "--cubes",
            "10000",
            "--frames",
            "600",
            "--seed",
            "1",
            "--threads",
            threads,
        ]);
        let text = stdout(&output);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], HASH_OF_10K_AFTER_600);
        assert!(
            lines[1].starts_with("median step: ") && lines[1].contains(" ns per cube"),
            "{text}"
        );
        assert_eq!(lines.len(), 2);
    }
}

#[test]
fn simulate_prints_one_json_object() {
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
    assert_eq!((&json["cubes"], &json["mode"]), (&1000.into(), &"camera-falls".into()));
    assert_eq!(
        (&json["frames"], &json["threads"], &json["seed"]),
        (&50.into(), &2.into(), &1.into())
    );
    let hash = json["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()));
    assert!(stdout(&run(&args)).contains(hash));
    let step = json["median_step_ns"].as_u64().unwrap();
    assert_eq!(json["ns_per_cube"].as_f64().unwrap(), step as f64 / 1000.0);
}

#[test]
fn no_steps_are_no_time_and_not_zero() {
    let text = stdout(&run(&["simulate", "--frames", "0", "--cubes", "5"]));
    assert!(text.contains("median step: unknown"), "{text}");
    let json = stdout(&run(&["simulate", "--frames", "0", "--cubes", "5", "--json"]));
    assert!(json.contains(r#""median_step_ns":null"#), "{json}");
}

#[test]
fn wrong_values_are_usage_errors_that_list_the_choices() {
    let mode = run(&["simulate", "--mode", "up"]);
    assert_fails(&mode, 2, &["possible values", "cubes-fall", "camera-falls"]);
    for count in ["0", "-5", "ten", "4000000000", "1.5", ""] {
        let output = run(&["simulate", &format!("--cubes={count}")]);
        assert_fails(&output, 2, &["--cubes", "1 to 100M", "10k"]);
    }
    for dt in ["0", "-1", "nan", "inf", "3600", "1/0"] {
        assert_fails(&run(&["simulate", &format!("--dt={dt}")]), 2, &["--dt", "0.25"]);
    }
    assert_fails(&run(&["simulate", "--dt=soon"]), 2, &["--dt", "1/60"]);
    assert_fails(&run(&["simulate", "--threads=0"]), 2, &["--threads", "1..=256"]);
    assert_fails(&run(&["simulate", "--frames=99999999"]), 2, &["--frames", "10000000"]);
    assert_fails(&run(&["simulate", "--seed=-1"]), 2, &["--seed"]);
    assert_fails(&run(&["simulate", "--color"]), 2, &["--color"]);
    assert_fails(&run(&["fall"]), 2, &["fall"]);
}

#[test]
fn help_teaches() {
    let text = stdout(&run(&["--help"]));
    for taught in ["simulate", "Examples:", "--json", "Exit codes"] {
        assert!(text.contains(taught), "{taught} is missing in: {text}");
    }
    assert_eq!(stdout(&run(&["--version"])), concat!("cubefall ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_and_a_closed_pipe_is_not() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        cubefall(&["simulate", "--frames", "1", "--cubes", "5"]).stdout(full).output().unwrap();
    assert_fails(&output, 5, &["standard output", "No space left"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output =
        cubefall(&["simulate", "--frames", "1", "--cubes", "5"]).stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[cfg(feature = "render")]
mod render {
    use super::{assert_fails, run, stdout};

    #[test]
    fn a_picture_is_the_same_file_twice_and_says_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let picture = |name: &str| {
            let path = folder.path().join(name);
            let out = path.to_str().unwrap();
            let text = stdout(&run(&[
                "render", "--cubes", "10000", "--frames", "120", "--seed", "1", "--out", out,
            ]));
            assert!(
                text.contains(out) && text.contains("10,000 cubes") && text.contains("adapter: "),
                "{text}"
            );
            std::fs::read(path).unwrap()
        };
        let first = picture("a.png");
        assert!(first == picture("b.png"), "the bytes differ");
        assert!(first.len() > 100_000, "{} bytes are not thousands of cubes", first.len());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused() {
        for place in ["/nonexistent/a.png", "/", "/dev/full"] {
            assert_fails(&run(&["render", "--out", place]), 5, &["cannot write", place]);
        }
        for size in ["0x5", "5", "16385x1", "-1x5"] {
            let output = run(&["render", &format!("--size={size}")]);
            assert_fails(&output, 2, &["--size", "WIDTHxHEIGHT", "1 to 16384"]);
        }
    }

    #[test]
    fn adapters_are_listed_with_name_type_backend_and_driver() {
        let text = stdout(&run(&["adapters"]));
        assert!(text.lines().count() > 0);
        for line in text.lines() {
            assert!(line.ends_with(')') && line.matches(", ").count() >= 2, "{line}");
            let kinds =
                ["discrete GPU", "integrated GPU", "virtual GPU", "software (CPU)", "unknown"];
            assert!(kinds.iter().any(|kind| line.contains(&format!(" ({kind}, "))), "{line}");
        }
    }
}
