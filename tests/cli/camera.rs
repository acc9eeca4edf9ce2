//! Flags of the camera, camera paths and share texts, through the binary.

use std::fs;

use super::png;
use super::program::{assert_fails, run, stdout};

const CAMERA: [&str; 6] = ["--camera", "-12.5,8,60", "--look-at", "3,-4,0", "--fov", "40"];

/// Runs a subcommand that draws 30 cubes, and returns the pixels of its last frame.
fn drawn(command: &str, flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    let scene: &[&str] = if flags.contains(&"--open") { &[] } else { &["--cubes", "30"] };
    let out = ["--size", "64x36", "--out", path.to_str().unwrap()];
    stdout(&run(&[&[command], scene, &out, flags].concat()));
    png::read(&path).2.pop().unwrap().1
}

#[test]
fn the_same_camera_gives_the_same_image_by_every_way() {
    let rendered = drawn("render", &[&["--frames", "9"], &CAMERA[..]].concat());
    let recorded = drawn("record", &[&["--frames", "10"], &CAMERA[..]].concat());
    assert!(rendered == recorded);
    let text = "cubefall://classic/cubes=30/seed=1/camera=-12.5,8,60/look-at=3,-4,0/fov=40";
    assert!(rendered == drawn("render", &["--frames", "9", "--open", text]));
    assert!(rendered != drawn("render", &["--frames", "9"]));
    let turned = [&["--frames", "9", "--orbit", "-120"], &CAMERA[..]].concat();
    assert!(rendered != drawn("render", &turned));
}

#[test]
fn a_path_leads_the_camera_in_render_record_and_bench() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path.json");
    let keys = r#"{"keys": [{"time": 0, "position": [0, 0, 90]},
        {"time": 1, "position": [-12.5, 8, 60], "look_at": [3, -4, 0], "fov": 40}]}"#;
    fs::write(&path, keys).unwrap();
    let flags = ["--camera-path", path.to_str().unwrap()];
    // The path has ended after a second.
    let end = drawn("render", &[&["--frames", "62"], &CAMERA[..]].concat());
    assert!(end == drawn("render", &[&["--frames", "62"], &flags[..]].concat()));
    assert!(end == drawn("record", &[&["--frames", "63"], &flags[..]].concat()));
    let bench =
        ["bench", "--cubes", "30", "--runs", "1", "--frames", "3", "--warmup", "1", "--json"];
    let result = stdout(&run(&[&bench[..], &["--size", "64x36"], &flags].concat()));
    let result: serde_json::Value = serde_json::from_str(&result).unwrap();
    assert!(result["settings"]["camera"].as_str().unwrap().starts_with("--camera-path="));
    fs::write(&path, keys.replace("\"time\": 1", "\"time\": 0")).unwrap();
    let broken = run(&[&["render"], &flags[..]].concat());
    assert_fails(&broken, 2, &["path.json", "line 2, column 9", "keys[1]: the time is 0"]);
    fs::write(&path, vec![b' '; (32 << 20) + 1]).unwrap();
    let large = run(&[&["render"], &flags[..]].concat());
    assert_fails(&large, 2, &["path.json: larger than 32 MiB"]);
}

#[test]
fn invalid_cameras_are_usage_errors() {
    for (flags, words) in [
        (&["--camera", "1,2"][..], &["--camera", "three numbers", "0,45.5,-120"][..]),
        (&["--look-at=1,2,30000"], &["--look-at", "-10000 to 10000"]),
        (&["--fov", "5"], &["--fov", "10 to 120 degrees"]),
        (&["--orbit", "400"], &["--orbit", "-360 to 360"]),
        (&["--camera", "1,2,3", "--look-at", "1,2,3"], &["camera and look-at are both at "]),
        (&["--camera", "5000,0,0", "--look-at", "0,0,0", "--orbit", "5"], &["1 to 2000 m"]),
        (
            &["--look-at", "0,-70,-5000", "--orbit", "5"],
            &["which the camera orbits", "1 to 2000 m"],
        ),
        (&["--scene", "rain", "--look-at", "0,-70,150"], &["camera and look-at are both at "]),
        (&["--camera-path", "none.json"], &["none.json: cannot be read"]),
        (&["--open", "galaxy"], &["--open", "cubefall://galaxy"]),
        (&["--open", "cubefall://galaxy/camera=1,2"], &["camera: expected three numbers"]),
        (&["--open", "cubefall://galaxy", "--cubes", "3"], &["--open", "--cubes"]),
    ] {
        assert_fails(&run(&[&["render"], flags].concat()), 2, words);
    }
    let far = ["--runs", "1", "--frames", "2", "--look-at", "0,-70,-5000", "--orbit", "5"];
    assert_fails(&run(&[&["bench"], &far[..]].concat()), 2, &["which the camera orbits"]);
}

#[test]
fn schemas_are_printed() {
    for (flag, key) in [("--schema", "templates"), ("--path-schema", "keys")] {
        let schema: serde_json::Value =
            serde_json::from_str(&stdout(&run(&["scenes", flag]))).unwrap();
        assert!(schema["properties"][key].is_object(), "{flag}");
    }
}
