//! Effects of keys, clicks and the wheel that have several meanings.

use std::thread::sleep;
use std::time::Duration;

use super::desktop::Desktop;
use super::hud::{SIZE, open, open_paused};
use super::screenshot::Screenshot;

#[test]
fn escape_closes_one_thing_after_the_other() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.select_a_cube();
    let selected = demo.changes(|it| it.key("F1"));
    demo.key("h");
    demo.wait_for_title(&["M, Tab: switch", "Esc: close"]);
    demo.key("Escape");
    demo.wait_for_title(&["H: keys"]);
    let deselected = demo.changes(|it| it.key("Escape"));
    let light = |shot: &Screenshot| {
        shot.rows().flatten().flatten().map(|&part| u64::from(part)).sum::<u64>()
    };
    assert!(light(&selected) * 10 < light(&deselected) * 9, "the others are dimmed");
    demo.key("Escape");
    demo.wait_for_exit();
}

#[test]
fn the_camera_drifts_until_the_first_input() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_preferences(&[&["--cubes", "50"][..], &SIZE].concat());
    let x = |scene: serde_json::Value| scene["camera"]["position"][0].as_f64().unwrap();
    // The keys of the start were inputs; both clicks are one.
    demo.click("attract");
    demo.click("attract");
    sleep(Duration::from_secs(2));
    let [first, second] = [1, 2].map(|nth| x(demo.saved_scene(nth)));
    assert!(first.abs() > 0.01, "it has drifted: {first}");
    assert_eq!(first, second);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo.click("attract");
    demo.click("attract");
    demo.wait_for_log("The camera drifts only while the scene runs");
    demo.quit();
}

#[test]
fn the_wheel_over_a_panel_does_not_change_the_speed() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "50");
    let before = demo.saved_scene(1);
    let [x, y, ..] = demo.place("statistics");
    demo.scroll_on_scene(x + 20, y + 8);
    let after = demo.saved_scene(2);
    assert_eq!(after["camera"], before["camera"]);
    demo.quit();
}

#[test]
fn keys_that_scroll_the_list_of_keys_do_not_turn_the_camera() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    let before = demo.changes(|it| it.key("F1"));
    demo.key("h");
    demo.wait_for_title(&["Esc: close"]);
    demo.hold("Up");
    demo.key("h");
    demo.wait_for_title(&["H: keys"]);
    assert_eq!(desktop.settled().difference(&before), 0.0);
    demo.quit();
}

#[test]
fn a_click_that_closes_a_menu_selects_nothing() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.click("scene");
    demo.place("scene tower");
    demo.click_on_scene(500, 500);
    // It has handled what came before.
    demo.changes(|it| it.key("F1"));
    assert!(!demo.log().contains("] selected "), "{}", demo.log());
    demo.quit();
}

#[test]
fn the_key_of_the_inspector_shows_it_while_the_ui_is_hidden() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "50");
    demo.key("i");
    demo.place("system physics");
    let hidden = demo.changes(|it| it.key("F1"));
    assert!(demo.changes(|it| it.key("i")).difference(&hidden) > 0.1);
    demo.quit();
}

#[test]
fn the_camera_follows_again_after_the_orbit() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.select_a_cube();
    for rig in ["Camera: fly", "Camera: orbit", "Camera: follow"] {
        demo.key("c");
        demo.wait_for_log(rig);
    }
    demo.quit();
}

#[test]
fn a_dropped_cube_is_selected_and_the_camera_flies_after_a_deselection() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.click_on_scene_with("shift", 500, 300);
    demo.wait_for_title(&["2,001 cubes"]);
    demo.key("Delete");
    demo.wait_for_title(&["2,000 cubes"]);
    demo.select_a_cube();
    demo.changes(|it| it.key("Escape"));
    demo.key("c");
    demo.wait_for_log("Camera: ");
    // After a follow, fly would be next.
    assert!(demo.log().contains("Camera: orbit"));
    demo.quit();
}

#[test]
fn a_long_press_selects_nothing_also_while_nothing_moves() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.click_on_scene(500, 500);
    demo.wait_for_log_times("] selected ", 1);
    demo.wait_until_idle();
    let frames = demo.frames();
    desktop.tool(&["mousedown", "1"]);
    sleep(Duration::from_secs(1));
    // A frame adds at most 100 ms to a press.
    demo.wait_until_drawn_since(frames + 10);
    desktop.tool(&["mouseup", "1"]);
    // It has handled what came before.
    demo.changes(|it| it.key("F1"));
    assert_eq!(demo.log().matches("] selected ").count(), 1);
    demo.quit();
}

#[test]
fn the_search_for_the_maximum_ends_a_pause_and_escape_ends_the_search() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    demo.click("find maximum");
    demo.wait_until_title_lacks("paused");
    demo.key("Escape");
    demo.wait_for_log("Canceled at ");
    demo.key("Escape");
    demo.wait_for_exit();
}

#[test]
fn keys_work_while_the_factor_of_time_is_0_and_nothing_is_drawn() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.enter("time value", "0");
    demo.wait_until_idle();
    demo.key("ctrl+2");
    demo.key("F5");
    demo.wait_for_log("Saved state to slot 2, ");
    demo.quit();
    // For every later window.
    assert!(desktop.folder().join("data/cubefall/state-2.cubefall").exists());
    let mut demo = open(&desktop, "50");
    demo.key("ctrl+2");
    demo.key("F9");
    demo.wait_for_title(&["| 200 cubes"]);
    demo.quit();
}
