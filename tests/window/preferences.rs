//! Preferences that a window saves for the next one.

use rustix::process::Signal;

use super::desktop::Desktop;
use super::hud::SIZE;

#[test]
fn the_next_window_opens_with_the_saved_size_quality_and_panels() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_preferences(&["--cubes", "50"]);
    demo.resize(700, 560);
    demo.wait_until("the frame is 700x560", || desktop.screenshot().covers(700, 560));
    demo.click("medium");
    demo.wait_for_log("effects: ground, fog, msaa, culling");
    demo.key("F1");
    demo.quit();
    assert!(desktop.preferences().exists());

    let mut demo = desktop.open_with_preferences(&["--cubes", "50"]);
    demo.wait_until("the frame is 700x560", || desktop.screenshot().covers(700, 560));
    demo.wait_for_log("effects: ground, fog, msaa, culling");
    assert!(!demo.log().contains("widget \"medium\""), "the HUD is hidden");
    demo.quit();
}

#[test]
fn flags_override_preferences() {
    let desktop = Desktop::start();
    let saved = r#"{"size": [700, 500], "quality": "medium", "panels": {"shown": false}}"#;
    desktop.write_preferences(saved);
    let flags = ["--cubes", "50", "--size", "300x200", "--quality", "low", "--hud", "on"];
    let mut demo = desktop.open_with_preferences(&flags);
    demo.wait_until("the frame is 300x200", || desktop.screenshot().covers(300, 200));
    demo.wait_for_log("effects: ground, culling");
    demo.wait_for_log("widget ");
    demo.quit();
    let saved = std::fs::read_to_string(desktop.preferences()).unwrap();
    assert!(saved.contains("\"shown\": false"), "the flag is not saved: {saved}");
}

#[test]
fn a_saved_size_larger_than_the_monitor_is_not_restored() {
    let desktop = Desktop::start();
    desktop.write_preferences(r#"{"size": [3000, 400]}"#);
    let mut demo = desktop.open_with_preferences(&["--cubes", "50"]);
    assert_eq!(demo.size(), [1280, 720], "the default");
    demo.quit();
}

#[test]
fn choices_are_saved_before_the_display_crashes() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_preferences(&["--cubes", "50", "--size", "300x200"]);
    demo.key("F1");
    let file = desktop.preferences();
    demo.wait_until("the hidden HUD is saved", || {
        std::fs::read_to_string(&file).is_ok_and(|text| text.contains("\"shown\": false"))
    });
    desktop.crash();
    assert_eq!(demo.wait_for_end().code(), Some(1));
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"shown\": false"));
}

#[test]
fn a_signal_saves_choices_and_ends_the_window() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let desktop = Desktop::start();
        let mut demo = desktop.open_with_preferences(&["--cubes", "50", "--size", "300x200"]);
        demo.resize(400, 300);
        demo.wait_until("the frame is 400x300", || desktop.screenshot().covers(400, 300));
        demo.signal(signal);
        assert_eq!(demo.wait_for_end().code(), Some(code), "{}", demo.log());
        assert_eq!(desktop.saved_preferences()["size"], serde_json::json!([400, 300]));
    }
}

#[test]
fn an_invalid_file_is_reported_and_replaced() {
    let desktop = Desktop::start();
    let file = desktop.preferences();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for invalid in ["{\"size\": [1e39, -5]}", ""] {
        std::fs::write(&file, invalid).unwrap();
        let mut demo = desktop.open_with_preferences(&["--cubes", "50", "--size", "300x200"]);
        demo.wait_for_log("; starting with defaults");
        demo.key("F1");
        demo.quit();
        assert!(std::fs::read_to_string(&file).unwrap().contains("\"shown\": false"));
    }
}

#[test]
fn the_classic_scene_of_the_list_is_the_one_of_the_start() {
    let desktop = Desktop::start();
    let flags = ["--scene", "tower", "--size", "900x760", "--quality", "low"];
    let mut demo = desktop.open_with_preferences(&flags);
    demo.wait_for_title(&["4,608 cubes"]);
    demo.click("scene");
    demo.click("scene classic");
    demo.wait_for_title(&["10,000 cubes"]);
    // Only the palette of this scene is saved.
    demo.key("p");
    demo.wait_until("the palette is saved", || {
        let text = std::fs::read_to_string(desktop.preferences());
        text.is_ok_and(|text| text.contains("\"palette\""))
    });
    demo.quit();
    let saved = desktop.saved_preferences()["coloring"]["palette"].clone();
    // A shared view has its own.
    for (flags, is_saved) in
        [(["--scene", "classic"], true), (["--open", "cubefall://classic/cubes=50"], false)]
    {
        let mut demo = desktop.open_with_preferences(&[&flags[..], &SIZE].concat());
        assert_eq!(demo.saved_scene(1)["palette"] == saved, is_saved, "{flags:?}");
        demo.quit();
        std::fs::remove_file(desktop.folder().join("cubefall-0001.json")).unwrap();
    }
}

#[test]
fn preferences_that_cannot_be_written_are_reported_once_and_saved_later() {
    let desktop = Desktop::start();
    let folder = desktop.preferences().parent().unwrap().to_owned();
    let mut demo = desktop.open_with_preferences(&["--cubes", "50", "--size", "300x200"]);
    demo.wait_for_title(&["50 cubes"]);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
    std::fs::write(&folder, "").unwrap();
    demo.key("F1");
    demo.wait_for_log("Preferences are not saved: ");
    std::fs::remove_file(&folder).unwrap();
    let file = desktop.preferences();
    demo.wait_until("the hidden HUD is saved", || {
        std::fs::read_to_string(&file).is_ok_and(|text| text.contains("\"shown\": false"))
    });
    assert_eq!(demo.log().matches("Preferences are not saved").count(), 1);
    demo.quit();
}
