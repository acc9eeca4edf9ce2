//! Scene files and saved states: reloaded, saved, and dropped onto the window.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::desktop::Desktop;
use super::hud::SIZE;

/// Returns a scene file with this many cubes.
pub(crate) fn scene_of(cubes: u32) -> String {
    let kind = r##"{"count": COUNT, "position": [{"uniform": [-9, 9]}, 0, 0], "scale": 2,
        "color": "#ff8800", "gravity": 2}"##;
    let kind = kind.replace("COUNT", &cubes.to_string());
    format!(r#"{{"version": 1, "name": "test", "templates": {{"cube": {kind}}}}}"#)
}

#[test]
fn a_changed_scene_file_is_reloaded_and_an_invalid_one_changes_nothing() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("test.json");
    let write = |text: &str| std::fs::write(&file, text).unwrap();
    write(&scene_of(70));
    let mut demo = desktop.open_with_hud(&[&["--scene", "test.json"][..], &SIZE].concat());
    demo.wait_for_title(&["70 cubes"]);
    write(&scene_of(90));
    demo.wait_for_title(&["90 cubes"]);
    write(&scene_of(80).replace("gravity", "gravitas"));
    demo.wait_for_log("test.json, line ");
    demo.wait_for_title(&["90 cubes"]);
    demo.key("space");
    demo.wait_for_title(&["90 cubes", "paused"]);
    write(&scene_of(1100));
    demo.wait_for_title(&["1,100 cubes", "cubes-fall", "paused"]);
    let falls = scene_of(1200).replace("\"version\": 1", r#""version": 1, "mode": "camera-falls""#);
    write(&falls);
    demo.wait_for_title(&["1,200 cubes", "camera-falls", "paused"]);
    demo.quit();
}

#[test]
fn a_reload_keeps_the_view_until_the_file_places_the_camera() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("test.json");
    std::fs::write(&file, scene_of(70)).unwrap();
    let mut demo = desktop.open_with_hud(&[&["--scene", "test.json"][..], &SIZE].concat());
    demo.wait_for_title(&["70 cubes"]);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    let start = demo.saved_scene(1)["camera"].clone();
    demo.fly("Left");
    demo.wait_until_idle();
    let turned = demo.saved_scene(2)["camera"].clone();
    std::fs::write(&file, scene_of(90)).unwrap();
    demo.wait_for_title(&["90 cubes", "paused"]);
    let kept = demo.saved_scene(3)["camera"].clone();
    let yaw = |camera: &Value| camera["yaw"].as_f64().unwrap_or_default();
    // To the left.
    assert!(yaw(&turned) - yaw(&start) > 1.0, "{turned}");
    assert!((yaw(&kept) - yaw(&turned)).abs() < 0.01, "{kept} instead of {turned}");
    let place = r#""version": 1, "camera": {"position": [1, 2, 3], "yaw": 40}"#;
    std::fs::write(&file, scene_of(80).replace("\"version\": 1", place)).unwrap();
    demo.wait_for_title(&["80 cubes", "paused"]);
    let placed = demo.saved_scene(4)["camera"].clone();
    assert_eq!(placed["position"], json!([1.0, 2.0, 3.0]));
    assert!((yaw(&placed) - 40.0).abs() < 0.01, "{placed}");
    // A camera that falls starts again, and then orbits as before.
    let orbit =
        r#""version": 1, "camera": {"position": [0, 0, 90], "orbit": [0, 0, 0], "orbit_speed": 9}"#;
    std::fs::write(&file, scene_of(60).replace("\"version\": 1", orbit)).unwrap();
    demo.wait_for_title(&["60 cubes", "paused"]);
    demo.key("m");
    demo.wait_for_title(&["camera-falls"]);
    std::fs::write(&file, scene_of(65).replace("\"version\": 1", orbit)).unwrap();
    demo.wait_for_title(&["65 cubes", "camera-falls"]);
    demo.key("m");
    demo.wait_for_title(&["cubes-fall"]);
    assert_eq!(demo.saved_scene(5)["camera"]["orbit_speed"], json!(9.0));
    demo.quit();
}

#[test]
fn a_reset_of_a_scene_that_switches_the_mode_starts_with_its_own() {
    let desktop = Desktop::start();
    let text = scene_of(70)
        .replace("\"version\": 1", r#""version": 1, "timeline": {"switch_every": 3600}"#);
    std::fs::write(desktop.folder().join("test.json"), text).unwrap();
    let mut demo = desktop.open_with_hud(&[&["--scene", "test.json"][..], &SIZE].concat());
    demo.key("m");
    demo.wait_for_title(&["camera-falls"]);
    demo.key("r");
    demo.wait_for_title(&["cubes-fall"]);
    demo.quit();
}

#[test]
fn scenes_and_counts_beyond_the_memory_change_nothing() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("test.json");
    std::fs::write(&file, scene_of(70)).unwrap();
    let flags = ["--scene", "test.json", "--memory", "40M"];
    let mut demo = desktop.open_with_hud(&[&flags[..], &SIZE].concat());
    demo.wait_for_title(&["70 cubes"]);
    std::fs::write(&file, scene_of(2_000_000)).unwrap();
    demo.wait_for_log("not enough memory for 2,000,000 cubes");
    demo.wait_for_title(&["70 cubes"]);
    demo.enter("count value", "3M");
    demo.wait_for_log("not enough memory for 3,000,000 cubes");
    demo.click("pause");
    demo.wait_for_title(&["70 cubes", "paused"]);
    demo.quit();
}

#[test]
fn a_scene_is_saved_and_opened_again() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "150"][..], &SIZE].concat());
    demo.click("pause");
    demo.click("save scene");
    demo.wait_for_log("Saved ");
    let saved = desktop.folder().join("cubefall-0001.json");
    let text = std::fs::read_to_string(&saved).unwrap();
    assert_eq!(text.matches("\"template\":").count(), 150, "each cube");
    demo.click("scene");
    demo.click("scene tower");
    demo.wait_for_title(&["4,608 cubes"]);
    demo.quit();

    let mut demo = desktop.open_with_hud(&["--scene", "cubefall-0001.json", "--size", "400x300"]);
    demo.wait_for_title(&["150 cubes"]);
    demo.quit();
}

#[test]
fn a_pipe_in_place_of_a_file_does_not_block_the_window() {
    let desktop = Desktop::start();
    let make_pipe = |path: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let preferences = desktop.preferences();
    std::fs::create_dir_all(preferences.parent().unwrap()).unwrap();
    make_pipe(&preferences);
    let [file, dropped] = ["test.json", "pipe.json"].map(|name| desktop.folder().join(name));
    std::fs::write(&file, scene_of(70)).unwrap();
    make_pipe(&dropped);

    let args = [&["--scene", "test.json"][..], &SIZE].concat();
    let mut demo = desktop.open_with_preferences(&args);
    demo.wait_for_title(&["70 cubes"]);
    let refused = |path: &std::path::Path| {
        // The message about preferences has words between.
        let reason = "it is a pipe, socket or device; expected a regular file";
        let between = if path == preferences { " cannot be read" } else { "" };
        format!("{}{between}: {reason}", path.display())
    };
    demo.wait_for_log(&refused(&preferences));
    std::fs::remove_file(&file).unwrap();
    make_pipe(&file);
    demo.wait_for_log("test.json: cannot be read: it is a pipe, socket or device");
    demo.drag_source().drop(&dropped);
    demo.wait_for_log("pipe.json: cannot be read: it is a pipe, socket or device");
    demo.key("space");
    demo.wait_for_title(&["70 cubes", "paused"]);
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, scene_of(90)).unwrap();
    demo.wait_for_title(&["90 cubes", "paused"]);
    demo.quit();
}

#[test]
fn a_dropped_file_is_opened() {
    let desktop = Desktop::start();
    let scene = desktop.folder().join("dropped scene.json");
    std::fs::write(&scene, scene_of(70)).unwrap();
    let broken = desktop.folder().join("broken.json");
    std::fs::write(&broken, scene_of(70).replace("gravity", "gravitas")).unwrap();

    let mut demo = desktop.open_with_hud(&[&["--cubes", "150"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["150 cubes", "paused"]);
    // The statistics change all the time.
    let before = demo.changes(|it| it.key("F1"));
    let source = demo.drag_source();
    source.hold(&scene);
    demo.wait_for_log("Drop to open ");
    demo.wait_until("the hint is shown", || desktop.screenshot().difference(&before) > 0.001);
    source.leave();
    demo.wait_until("the hint is gone", || desktop.settled().difference(&before) == 0.0);

    demo.key("F1");
    source.drop(&scene);
    demo.wait_for_title(&["70 cubes"]);
    std::fs::write(&scene, scene_of(90)).unwrap();
    demo.wait_for_title(&["90 cubes"]);

    demo.key("F5");
    demo.wait_for_log("Saved state to ");
    let text = demo.log();
    let kept = text
        .split("Saved state to slot 1, ")
        .nth(1)
        .and_then(|text| text.split("; F9").next())
        .unwrap();
    let kept = PathBuf::from(kept);
    source.drop(&broken);
    demo.wait_for_log("broken.json, line ");
    demo.wait_for_title(&["90 cubes"]);

    demo.click("scene");
    demo.click("scene tower");
    demo.wait_for_title(&["4,608 cubes"]);
    source.drop(&kept);
    demo.wait_for_title(&["90 cubes"]);
    demo.quit();
}
