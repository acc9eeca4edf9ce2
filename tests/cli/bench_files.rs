//! Files that `cubefall bench` reads and writes.

use std::fs;

use cubefall::benchmark::RESULT_SCHEMA;
use serde_json::Value;

use crate::program::{assert_fails, names, run, stdout};
use crate::scripted_runs::{bench, steady};

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
