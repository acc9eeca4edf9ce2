//! `cubefall render` and `cubefall adapters`.

use crate::program::{assert_fails, run, stdout};
#[cfg(target_os = "linux")]
use crate::program::{unchecked_stdout, with_environment};

#[test]
fn two_renders_give_identical_files() {
    let folder = tempfile::tempdir().unwrap();
    let render = |name: &str| {
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
    let first = render("a.png");
    assert!(first == render("b.png"), "the bytes differ");
    assert!(first.len() > 100_000, "{} bytes are not thousands of cubes", first.len());
}

#[test]
fn attract_mode_moves_the_camera() {
    let render = |attract: &str| {
        let scene = ["--cubes", "50", "--size", "64x48"];
        run(&[&["render", "--frames", "60", "--attract", attract, "--out", "-"][..], &scene]
            .concat())
    };
    let [on, off] = ["on", "off"].map(render);
    assert!(on.status.success() && off.status.success(), "{on:?}");
    assert!(on.stdout != off.stdout, "the camera does not drift");
    assert_fails(&render("maybe"), 2, &["--attract", "maybe"]);
    let parsed = run(&["record", "--attract", "on", "--frames", "0", "--out", "a.gif"]);
    assert_fails(&parsed, 2, &["--frames"]);
}

#[test]
fn unwritable_paths_and_invalid_sizes_are_refused() {
    for path in ["/nonexistent/a.png", "/proc/a.png"] {
        assert_fails(&run(&["render", "--out", path]), 5, &["cannot write", path]);
    }
    for name in ["a.jpg", "a", "a.webp"] {
        assert_fails(&run(&["render", "--out", name]), 2, &["--out", name, "ends in .png"]);
    }
    for size in ["0x5", "5", "16385x1", "-1x5"] {
        let output = run(&["render", &format!("--size={size}")]);
        assert_fails(&output, 2, &["--size", "WIDTHxHEIGHT", "1 to 16384"]);
    }
}

#[test]
fn a_dash_writes_the_image_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.png");
    let render = |out: &str| run(&["render", "--size", "64x48", "--frames", "2", "--out", out]);
    assert!(stdout(&render(file.to_str().unwrap())).starts_with("wrote "));
    let piped = render("-");
    assert!(piped.status.success(), "{piped:?}");
    assert!(piped.stdout == std::fs::read(&file).unwrap(), "the bytes differ");
}

#[cfg(target_os = "linux")]
#[test]
fn an_image_is_not_printed_to_a_terminal() {
    let own = env!("CARGO_BIN_EXE_cubefall");
    let command = format!("'{own}' render --cubes 9 --size 16x16 --frames 0 --out -");
    let mut terminal = std::process::Command::new("script");
    terminal.args(["-qec", &command, "/dev/null"]).stdin(std::process::Stdio::null());
    let output = with_environment(&mut terminal).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let printed = unchecked_stdout(&output);
    assert!(printed.contains("an image cannot be printed to a terminal"), "{printed}");
}

#[test]
fn adapters_are_listed_with_name_type_backend_and_driver() {
    let text = stdout(&run(&["adapters"]));
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["adapters", "--json"]))).unwrap();
    let from_json = json.as_array().unwrap().iter().map(|adapter| {
        let text = |key: &str| adapter[key].as_str().unwrap().to_owned();
        format!("{} ({}, {}, {})\n", text("name"), text("kind"), text("backend"), text("driver"))
    });
    assert_eq!(from_json.collect::<String>(), text);
    assert!(text.lines().count() > 0);
    for line in text.lines() {
        assert!(line.ends_with(')') && line.matches(", ").count() >= 2, "{line}");
        let kinds = ["discrete GPU", "integrated GPU", "virtual GPU", "software (CPU)", "unknown"];
        assert!(kinds.iter().any(|kind| line.contains(&format!(" ({kind}, "))), "{line}");
    }
}
