//! Names of output files: all are checked before work starts, and none has to be Unicode.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

use super::program::{assert_fails, cubefall, names, stderr, stdout};

/// Commands that write one file, and the end of its name.
const COMMANDS: [(&str, &str); 7] = [
    ("render --out", "a.png"),
    ("record --out", "a.mp4"),
    ("record --out", "a.gif"),
    ("record --out", "a.png"),
    ("simulate --save", "a.cubes"),
    ("bench --json", "a.json"),
    ("bench --save-baseline", "a.json"),
];

fn run(folder: &Path, words: &str, path: impl AsRef<OsStr>, more: &[&str]) -> Output {
    let words: Vec<_> = words.split(' ').collect();
    cubefall(&words).arg(path).args(more).current_dir(folder).output().unwrap()
}

fn assert_refused(output: &Output, reason: &str) {
    assert_fails(output, 5, &["cubefall: cannot write", reason]);
    assert_eq!(stderr(output).lines().count(), 1, "nothing but the error: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[test]
fn names_that_are_too_long_are_refused_before_work_starts() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a".repeat(300);
    for (words, name) in COMMANDS {
        assert_refused(&run(folder.path(), words, long.clone() + name, &[]), "too long");
    }
    for pattern in [long.clone() + "%d.png", format!("missing/{long}%d.png"), long + "/"] {
        assert_refused(&run(folder.path(), "record --out", pattern, &[]), "too long");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn read_only_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let read_only = |name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, "kept").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
    };
    for (words, name) in COMMANDS {
        if !folder.path().join(name).exists() {
            read_only(name);
        }
        assert_refused(&run(folder.path(), words, name, &[]), "read-only");
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"kept");
    }
    read_only("frames.npz");
    read_only("7.png");
    assert_refused(&run(folder.path(), "bench --out", ".", &[]), "read-only");
    let last = ["--frames", "7"];
    assert_refused(&run(folder.path(), "record --out", "%d.png", &last), "read-only");
}

#[test]
fn no_file_that_is_read_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let scene = stdout(&run(folder.path(), "scenes", "rain", &[]));
    let path =
        r#"{"keys": [{"time": 0, "position": [0, 0, 9]}, {"time": 1, "position": [0, 9, 9]}]}"#;
    fs::create_dir(folder.path().join("out")).unwrap();
    for (name, content) in [("out/sweep.json", path), ("scene.json", &*scene), ("path.json", path)]
    {
        fs::write(folder.path().join(name), content).unwrap();
    }
    for (words, name) in [
        ("simulate --scene scene.json --save", "scene.json"),
        ("simulate --camera-path path.json --save", "./path.json"),
        ("bench --scene scene.json --json", "scene.json"),
        ("bench --camera-path path.json --save-baseline", "path.json"),
        ("bench --json x.json --save-baseline", "x.json"),
        ("bench sweep --camera-path path.json --json", "path.json"),
        ("bench sweep --camera-path out/sweep.json --out", "out"),
        ("bench aa --camera-path path.json --json", "path.json"),
        ("bench ab --b-flags=--camera-path=path.json --json", "path.json"),
    ] {
        assert_refused(&run(folder.path(), words, name, &[]), "reads or writes it as another file");
    }
    let kept = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!([kept("scene.json"), kept("path.json")], [scene, path.to_owned()]);
    assert_eq!(kept("out/sweep.json"), path);
}

#[test]
fn names_with_control_characters_command_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::new("\u{1b}]0;a\u{7}\n::error::b");
    fs::write(folder.path().join(name), "{}").unwrap();
    for words in ["simulate --scene", "simulate --load", "render --camera-path", "bench report"] {
        let text = stderr(&run(folder.path(), words, name, &[]));
        assert!(text.contains(r"\u{1b}]0;a\u{7}\n: :error: :b"), "{words}: {text}");
        assert!(!text.contains(['\u{1b}', '\u{7}']) && !text.contains("\n::"), "{words}: {text}");
    }
    let small = ["--cubes", "20", "--frames", "0"];
    let saved = stdout(&run(folder.path(), "simulate --save", name, &small));
    assert!(saved.contains(r"saved: \u{1b}]0;a\u{7}\n: :error: :b"), "{saved}");
}

#[test]
fn a_text_that_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let large = fs::File::create(folder.path().join("large.json")).unwrap();
    large.set_len(1 << 30).unwrap();
    let output = run(folder.path(), "bench report", "large.json", &[]);
    assert_fails(&output, 2, &["large.json: it is too large, expected 64 MiB at most"]);
}

#[test]
fn links_of_names_that_the_program_chooses_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("result")).unwrap();
    for name in ["sweep.csv", "result.json"] {
        symlink("../mine", folder.path().join("result").join(name)).unwrap();
    }
    let small = ["--cubes", "20", "--frames", "1"];
    let output = run(folder.path(), "bench --out", "result", &small);
    assert_fails(&output, 5, &["result.json: it is a link; remove it"]);
    let output = run(folder.path(), "bench sweep --from 20 --out", "result", &small);
    assert_fails(&output, 5, &["sweep.csv: it is a link; remove it"]);
    assert!(!folder.path().join("mine").exists());

    // Of images, the first and the last one are checked before work starts.
    fs::create_dir(folder.path().join("images")).unwrap();
    for (name, is_early) in [("00001.png", true), ("00002.png", false), ("00003.png", true)] {
        let link = folder.path().join("images").join(name);
        symlink("../mine", &link).unwrap();
        let small = ["--cubes", "20", "--size", "16x16", "--frames", "3"];
        let output = run(folder.path(), "record --out", "images/", &small);
        assert_fails(&output, 5, &[name, "it is a link; remove it"]);
        assert_eq!(!stderr(&output).contains("recording "), is_early, "{output:?}");
        assert!(!folder.path().join("mine").exists());
        fs::remove_file(link).unwrap();
    }
}

#[test]
fn images_are_written_to_the_folder_that_a_link_names_but_not_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    symlink("real", folder.path().join("link")).unwrap();
    let small = ["--cubes", "20", "--size", "16x16", "--frames", "2"];
    stdout(&run(folder.path(), "record --out", "link/", &small));
    assert_eq!(names(&folder.path().join("real")), ["00001.png", "00002.png"]);
    fs::write(folder.path().join("a"), "").unwrap();
    let output = run(folder.path(), "record --out", "a/", &small);
    assert_refused(&output, "cannot write a: it is not a folder");
}

#[test]
fn names_that_are_not_unicode_work_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let exists = |bytes| {
        let path = folder.path().join(name(bytes));
        assert!(fs::metadata(&path).is_ok_and(|found| found.len() > 0), "{}", path.display());
    };
    let succeeds =
        |words, path, more: &[&str]| stdout(&run(folder.path(), words, name(path), more));
    succeeds("simulate --cubes 20 --frames 2 --save", b"\xff.cubes", &[]);
    succeeds("simulate --frames 2 --load", b"\xff.cubes", &[]);
    let scene = succeeds("scenes", b"rain", &[]);
    fs::write(folder.path().join(name(b"\xff.json")), scene).unwrap();
    let image = ["--frames", "0", "--size", "32x32", "--out", "a.png"];
    succeeds("render --scene", b"\xff.json", &image);
    succeeds("render --cubes 9 --size 32x32 --frames 0 --out", b"\xff.png", &[]);
    exists(b"\xff.png");
    for out in [&b"\xff.mp4"[..], b"\xff.gif", b"\xff/%03d\xe9.png"] {
        succeeds("record --cubes 9 --size 32x32 --frames 2 --out", out, &[]);
    }
    exists(b"\xff.mp4");
    exists(b"\xff.gif");
    exists(b"\xff/002\xe9.png");
    let mut bench = cubefall(&["bench", "--runs", "1", "--frames", "20", "--warmup", "1"]);
    bench.args(["--size", "32x32", "--scene"]).arg(name(b"\xff.json"));
    bench.arg("--out").arg(name(b"\xff-out")).arg("--json").arg(name(b"\xff-result.json"));
    stdout(&bench.current_dir(folder.path()).output().unwrap());
    exists(b"\xff-out/result.json");
    exists(b"\xff-result.json");
}
