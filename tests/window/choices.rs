//! Effects of choices in this window and in the next one.

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::desktop::Desktop;
use super::files::scene_of;
use super::hud::SIZE;

#[test]
fn each_choice_is_saved() {
    let desktop = Desktop::start();
    let flags = [&["--cubes", "50", "--quality", "low"][..], &SIZE].concat();
    let mut demo = desktop.open_with_preferences(&flags);
    demo.key("v");
    for widget in ["culling", "attract", "widen view"] {
        demo.click(widget);
    }
    demo.key("ctrl+minus");
    demo.quit();
    let saved = desktop.saved_preferences();
    let keys = ["vsync", "culling", "attract", "widened_view", "ui_scale"];
    let values = json!([false, false, false, false, 90]);
    assert_eq!(json!(keys.map(|key| saved[key].clone())), values, "{saved}");
}

#[test]
fn the_place_is_saved_and_the_next_window_has_the_saved_palette() {
    let desktop = Desktop::start_managed();
    let flags = ["--cubes", "50", "--attract", "off"];
    let mut demo = desktop.open_with_preferences(&flags);
    demo.move_to(60, 80);
    demo.key("p");
    demo.wait_until("the place is saved", || {
        let saved = desktop.saved_preferences();
        saved["position"][0].as_i64().is_some_and(|x| x > 30) && saved["coloring"].is_object()
    });
    demo.quit();
    let palette = desktop.saved_preferences()["coloring"]["palette"].clone();
    let flags = [&["--cubes", "50"][..], &SIZE, &["--attract", "off"]].concat();
    let mut demo = desktop.open_with_preferences(&flags);
    assert_eq!(demo.saved_scene(1)["palette"], palette);
    demo.click("scene");
    demo.click("scene tower");
    demo.wait_for_title(&["4,608 cubes"]);
    demo.click("scene");
    demo.click("scene classic");
    demo.wait_for_title(&["10,000 cubes"]);
    assert_eq!(demo.saved_scene(2)["palette"], palette);
    demo.quit();
}

#[test]
fn another_scene_has_its_own_tuning_colors_and_camera_and_no_watched_file() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("test.json");
    std::fs::write(&file, scene_of(70)).unwrap();
    let camera = ["--camera", "10,20,90", "--look-at", "0,0,0"];
    let flags = [&["--scene", "test.json"][..], &camera, &SIZE].concat();
    let mut demo = desktop.open_with_preferences(&[&flags[..], &["--attract", "off"]].concat());
    demo.wait_for_title(&["70 cubes"]);
    demo.enter("gravity value", "0.25");
    demo.click("new seed");
    std::fs::write(&file, scene_of(90)).unwrap();
    demo.wait_for_title(&["90 cubes"]);
    let scene = demo.saved_scene(1);
    assert_eq!(scene["seed"], 2, "a reload keeps the seed");
    assert_eq!(scene["camera"]["position"], json!([10.0, 20.0, 90.0]));
    demo.key("p");
    demo.click("scene");
    demo.click("scene tower");
    demo.wait_for_title(&["4,608 cubes"]);
    demo.key("r");
    std::fs::write(&file, scene_of(80)).unwrap();
    sleep(Duration::from_secs(2));
    demo.wait_for_title(&["4,608 cubes"]);
    let scene = demo.saved_scene(2);
    assert_eq!(scene.get("palette"), None);
    assert_ne!(scene["camera"]["position"], json!([10.0, 20.0, 90.0]));
    assert_ne!(scene["tuning"]["gravity"], json!(0.25));
    demo.drag_source().drop(&file);
    demo.wait_for_title(&["80 cubes"]);
    demo.quit();
    let saved = desktop.saved_preferences();
    assert_eq!(saved["recent"], json!([file, "tower"]), "{saved}");
    assert_eq!(saved["coloring"], Value::Null);
}

#[test]
fn a_reset_keeps_the_count_and_returns_to_the_camera_of_the_flags() {
    let desktop = Desktop::start();
    let camera = ["--camera", "10,20,90", "--look-at", "0,0,0"];
    let flags = [&["--cubes", "50"][..], &camera, &SIZE].concat();
    let mut demo = desktop.open_with_hud(&flags);
    demo.enter("count value", "70");
    demo.wait_for_title(&["70 cubes"]);
    demo.click("pause");
    demo.wait_for_title(&["paused"]);
    demo.fly("a");
    demo.key("r");
    demo.wait_until_title_lacks("paused");
    demo.wait_for_title(&["70 cubes"]);
    assert_eq!(demo.saved_scene(1)["camera"]["position"], json!([10.0, 20.0, 90.0]));
    demo.quit();
}

#[test]
fn the_ui_is_no_larger_than_the_window_can_show() {
    let desktop = Desktop::start();
    desktop.write_preferences(r#"{"ui_scale": 300}"#);
    let mut demo = desktop.open_with_preferences(&["--cubes", "50", "--size", "500x300"]);
    demo.click("statistics");
    demo.quit();
}

#[test]
fn the_warm_up_of_another_scene_has_the_sliders_of_that_scene() {
    let desktop = Desktop::start();
    let starts = [["--scene", "classic", "--gravity", "0"], ["--scene", "tower", "--hud", "on"]];
    let [first, second] = starts.map(|flags| {
        let mut demo = desktop.open_with_hud(&[&flags[..], &SIZE].concat());
        demo.key("space");
        demo.wait_for_title(&["paused"]);
        demo.click("scene");
        demo.click("scene fountain");
        demo.wait_for_title(&["14,500 cubes", "paused"]);
        let entities = demo.saved_scene(1)["entities"].clone();
        demo.quit();
        std::fs::remove_file(desktop.folder().join("cubefall-0001.json")).unwrap();
        entities
    });
    assert_eq!(first.as_array().unwrap().len(), 14_500);
    assert!(first == second);
}
