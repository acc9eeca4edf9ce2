//! `cubefall scenes` and `--scene`.

use crate::program::{assert_fails, run, stdout};
use crate::simulate::state_hash;

#[test]
fn scenes_are_listed_and_printed_as_files() {
    let list = stdout(&run(&["scenes"]));
    assert!(list.lines().count() >= 6, "{list}");
    let classic = list.lines().find(|line| line.starts_with("classic ")).unwrap();
    assert!(classic.contains(" 10,000 ") && classic.contains("cubes-fall"), "{classic}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    std::fs::write(&path, stdout(&run(&["scenes", "galaxy"]))).unwrap();
    let mine = path.to_str().unwrap();
    assert_eq!(
        state_hash(&["--frames", "30", "--scene", mine]),
        state_hash(&["--frames", "30", "--scene", "galaxy"])
    );
    assert_fails(&run(&["scenes", "nebula"]), 2, &["galaxy", "classic"]);

    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(&["scenes", "--json"]))).unwrap();
    assert_eq!(json.as_array().unwrap().len(), list.lines().count());
    assert_eq!((&json[0]["name"], &json[0]["cubes"]), (&"classic".into(), &10_000.into()));
}

#[test]
fn flags_override_seed_and_mode_of_a_scene_but_not_its_count() {
    let rain = state_hash(&["--frames", "30", "--scene", "rain"]);
    assert_eq!(
        state_hash(&["--frames", "30", "--scene", "rain", "--seed", "7", "--mode", "cubes-fall"]),
        rain
    );
    assert_ne!(state_hash(&["--frames", "30", "--scene", "rain", "--seed", "8"]), rain);
    assert_ne!(state_hash(&["--frames", "30", "--scene", "rain", "--mode", "camera-falls"]), rain);
    let json = stdout(&run(&["simulate", "--frames", "1", "--scene", "switch", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["mode"], &json["seed"]), (&"camera-falls".into(), &21.into()));
    assert_eq!(json["cubes"], 12_000);
    let both = run(&["simulate", "--scene", "rain", "--cubes", "5"]);
    assert_fails(&both, 2, &["--scene", "--cubes", "cannot be used"]);
}

#[test]
fn an_invalid_scene_is_a_usage_error_with_file_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.json");
    std::fs::write(&path, "{\"version\": 1,\n \"nmae\": \"x\"}").unwrap();
    let broken = path.to_str().unwrap();
    let refused = run(&["simulate", "--scene", broken]);
    assert_fails(&refused, 2, &["broken.json, line 2, column 7: nmae: unknown key `nmae`"]);
    assert_eq!(String::from_utf8_lossy(&refused.stderr).lines().count(), 1, "{refused:?}");
    assert_fails(&run(&["simulate", "--scene", "nowhere"]), 2, &["no such file", "galaxy"]);
    let missing = run(&["simulate", "--scene", "nowhere.json"]);
    assert_fails(&missing, 2, &["nowhere.json", "cannot be read"]);
}

#[cfg(feature = "benchmark")]
#[test]
fn render_and_bench_accept_scenes_and_a_sweep_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png");
    let out = out.to_str().unwrap();
    let args = ["render", "--scene", "switch", "--size", "64x48", "--frames", "2", "--out", out];
    assert!(stdout(&run(&args)).contains("12,000 cubes, camera-falls"));
    let bench = ["bench", "--scene", "tower", "--size", "64x48", "--frames", "5", "--warmup", "1"];
    let result = run(&[&bench[..], &["--runs", "1", "--json"]].concat());
    let text = crate::program::unchecked_stdout(&result);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let scene = json["settings"]["scene"].as_str().unwrap();
    let (name, hash) = scene.split_once(' ').unwrap();
    assert_eq!((name, hash.len()), ("tower", 16), "{scene}");
    for scene in [["--scene", "rain"], ["--open", "cubefall://classic/cubes=20k"]] {
        let sweep = run(&[&["bench", "sweep"][..], &scene].concat());
        assert_fails(&sweep, 2, &["a sweep", "classic scene"]);
    }
}
