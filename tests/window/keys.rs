//! Keys and mouse without the HUD, and the frames that follow.

use super::demo::Demo;
use super::desktop::Desktop;

/// Opens a window with falling cubes and without the HUD.
fn open(desktop: &Desktop) -> Demo<'_> {
    let mut demo = desktop.open(&["--cubes", "2000", "--size", "640x360", "--require-display"]);
    demo.wait_for_title(&["2,000 cubes", "cubes-fall"]);
    demo
}

/// Opens the same window and pauses it.
fn open_paused(desktop: &Desktop) -> Demo<'_> {
    let mut demo = open(desktop);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo
}

#[test]
fn cubes_fall_and_the_title_shows_the_frame_rate() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop);
    demo.wait_for_title(&[" fps | ", " ms"]);
    let falling = desktop.screenshot();
    assert!(falling.colors() > 1000, "{} colors", falling.colors());
    demo.wait_until("the cubes fall", || desktop.screenshot().difference(&falling) > 0.3);
    demo.quit();
}

#[test]
fn space_pauses_and_period_makes_one_step() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop);
    let paused = desktop.settled();
    demo.key("period");
    demo.wait_until("one step is made", || desktop.screenshot().difference(&paused) > 0.01);
    desktop.settled();
    demo.wait_for_title(&["paused"]);
    demo.quit();
}

#[test]
fn m_and_tab_switch_what_falls() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop);
    let paused = desktop.settled();
    demo.key("m");
    demo.wait_for_title(&["camera-falls", "paused"]);
    demo.key("space");
    demo.wait_until("the camera falls", || desktop.screenshot().difference(&paused) > 0.3);
    demo.key("Tab");
    demo.wait_for_title(&["cubes-fall"]);
    demo.quit();
}

#[test]
fn a_key_that_is_down_when_the_window_gets_the_keyboard_does_nothing() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop);
    let before = desktop.settled();
    demo.press_before_focus("w");
    // Handled after the held key.
    demo.key("v");
    demo.wait_for_title(&["vsync off"]);
    assert_eq!(desktop.settled().difference(&before), 0.0);
    desktop.tool(&["keyup", "w"]);
    demo.fly("w");
    demo.quit();
}

#[test]
fn v_turns_vsync_off_and_on() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop);
    assert!(!demo.title().contains("vsync off"), "{}", demo.title());
    demo.key("v");
    demo.wait_for_title(&["vsync off"]);
    demo.key("v");
    demo.wait_until_title_lacks("vsync off");
    demo.quit();
}

#[test]
fn dragging_and_flight_keys_move_the_camera() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop);
    let mut before = desktop.settled();
    let mut changed = |what: &str, by: &dyn Fn(&mut Demo<'_>)| {
        let after = demo.changes(by);
        let difference = after.difference(&before);
        assert!(difference > 0.1, "{what}: {difference}");
        before = after;
    };
    changed("drag", &|demo| demo.drag(200, 40));
    changed("w", &|demo| demo.fly("w"));
    changed("e", &|demo| demo.fly("e"));
    demo.quit();
}

#[test]
fn the_frame_fills_the_window_after_resizing_hiding_and_a_new_present_mode() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "200", "--size", "320x240"]);
    demo.wait_for_title(&["200 cubes"]);
    for (width, height) in [(1, 1), (2, 900), (500, 3)] {
        demo.resize(width, height);
    }
    for i in 0..60 {
        demo.resize(200 + i * 5, 500 - i * 5);
    }
    demo.hide_and_show();
    demo.resize(400, 300);
    demo.wait_until("the frame is 400x300", || desktop.screenshot().covers(400, 300));
    demo.key("v");
    demo.wait_for_title(&["vsync off"]);
    demo.wait_until("the frame is still 400x300", || desktop.screenshot().covers(400, 300));
    demo.quit();
}
