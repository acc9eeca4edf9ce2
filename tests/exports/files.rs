//! Files: the exports that the program writes after runs and from a saved result.

use std::collections::BTreeMap;
use std::path::Path;

use cubefall::benchmark::{BenchResult, write_samples};

use crate::fixtures::{plain_frame, result};
use crate::program::{assert_fails, names, run, stdout};

/// Returns the names and contents of all files in a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

/// Saves a result and its frames.
fn save(path: &Path, mut result: BenchResult) {
    let mut frames = Vec::new();
    write_samples(&mut frames, result.runs.iter().map(|run| &run.samples[..])).unwrap();
    std::fs::write(path.with_file_name("frames.npz"), frames).unwrap();
    result.frames_file = Some("frames.npz".to_owned());
    std::fs::write(path, serde_json::to_string(&result).unwrap()).unwrap();
}

const ALL: [&str; 10] = [
    "bencher.json",
    "capframex-1.csv",
    "capframex-2.csv",
    "frames.csv",
    "hyperfine.json",
    "mangohud-1.csv",
    "mangohud-2.csv",
    "markdown.md",
    "trace-1.json",
    "trace-2.json",
];

#[test]
fn exports_of_runs_and_of_their_saved_result_are_identical() {
    let folder = tempfile::tempdir().unwrap();
    let [measured, converted] = ["measured", "converted"].map(|name| folder.path().join(name));
    let small = [
        "bench", "--runs", "2", "--cubes", "50", "--size", "16x16", "--frames", "30", "--warmup",
        "3", "--export", "all", "--out",
    ];
    stdout(&run(&[&small[..], &[measured.to_str().unwrap()]].concat()));
    let saved = measured.join("result.json");
    let (saved, to) = (saved.to_str().unwrap(), converted.to_str().unwrap());
    stdout(&run(&["bench", "export", saved, "--out", to]));
    let (mut measured, converted) = (files(&measured), files(&converted));
    for other in ["result.json", "frames.npz", "report.html"] {
        assert!(measured.remove(other).is_some(), "{other} is missing");
    }
    assert_eq!(converted.keys().collect::<Vec<_>>(), ALL);
    assert!(measured == converted, "the files differ");
}

#[test]
fn an_export_with_fewer_runs_removes_the_files_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let export = |runs: usize, formats: &str| {
        let runs = vec![crate::fixtures::run(vec![plain_frame(5_000_000); 3]); runs];
        let saved = folder.path().join("result.json");
        save(&saved, result(runs));
        let (saved, out) = (saved.to_str().unwrap(), out.to_str().unwrap());
        stdout(&run(&["bench", "export", saved, "--out", out, "--format", formats]));
        names(Path::new(out))
    };
    assert_eq!(export(3, "mangohud"), ["mangohud-1.csv", "mangohud-2.csv", "mangohud-3.csv"]);
    std::fs::write(out.join("mangohud-of-mine.csv"), "mine").unwrap();
    let left = export(1, "mangohud,markdown");
    assert_eq!(left, ["mangohud-1.csv", "mangohud-of-mine.csv", "markdown.md"]);
}

#[test]
fn unknown_formats_and_unreadable_results_are_refused() {
    let unknown = run(&["bench", "--export", "word", "--out", "/tmp"]);
    assert_fails(&unknown, 2, &["possible values", "all", "mangohud", "hyperfine"]);
    assert_fails(&run(&["bench", "--export", "all"]), 2, &["--out"]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let nothing = run(&["bench", "export", "/nonexistent.json", "--out", out.to_str().unwrap()]);
    assert_fails(&nothing, 2, &["/nonexistent.json"]);
    assert!(!out.exists(), "the folder is created only with a result");
    let saved = folder.path().join("result.json");
    save(&saved, result(vec![]));
    // A path below a file.
    let nowhere = format!("{}/x", saved.display());
    let refused = run(&["bench", "export", saved.to_str().unwrap(), "--out", &nowhere]);
    assert_fails(&refused, 5, &[&nowhere]);
}
