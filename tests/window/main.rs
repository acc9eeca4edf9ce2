//! A real window under a virtual display, driven by keys and mouse as a person would.

#![cfg(all(target_os = "linux", feature = "app"))]

mod demo;
mod desktop;
mod drag_source;
mod faults;
mod files;
mod flags;
mod hud;
mod managed;
mod motion;
mod screenshot;

use desktop::Desktop;

#[test]
fn keys_switch_pause_step_and_quit_and_the_picture_follows() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "2000", "--size", "640x360", "--require-display"]);
    demo.wait_for_title(&["2000 cubes", "cubes-fall", "fps", "ms"]);
    let falling = desktop.screenshot();
    assert!(falling.colors() > 1000, "{} colours", falling.colors());
    demo.wait_until("the cubes fall", || desktop.screenshot().difference(&falling) > 0.3);

    demo.key("space");
    demo.wait_for_title(&["paused"]);
    let paused = desktop.settled();
    demo.key("period");
    demo.wait_until("one step is made", || desktop.screenshot().difference(&paused) > 0.01);
    let stepped = desktop.settled();

    demo.key("m");
    demo.wait_for_title(&["camera-falls", "paused"]);
    assert!(desktop.settled().difference(&stepped) < 0.001, "the switch moves nothing");
    demo.key("space");
    demo.wait_until("the camera falls", || desktop.screenshot().difference(&stepped) > 0.3);
    demo.key("Tab");
    demo.wait_for_title(&["cubes-fall"]);

    demo.key("h");
    demo.wait_for_title(&["Esc: quit"]);
    demo.key("h");
    demo.key("v");
    demo.wait_for_title(&["vsync off", "H: help"]);
    demo.key("Escape");
    let output = demo.wait_for_exit();
    assert!(output.contains("M, Tab"), "the keys are printed as well: {output}");
}

#[test]
fn the_camera_flies_looks_around_and_is_reset() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "500", "--size", "640x360", "--mode", "camera-falls"]);
    demo.wait_for_title(&["camera-falls"]);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo.key("r");
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    let start = desktop.settled();
    let moved = |what: &str, by: &dyn Fn()| {
        let before = desktop.settled();
        by();
        let after = desktop.settled();
        assert!(after.difference(&before) > 0.1, "{what}: {}", after.difference(&before));
    };
    moved("drag", &|| demo.drag(200, 40));
    moved("w", &|| demo.hold("w"));
    moved("e", &|| demo.hold("e"));
    assert!(desktop.settled().difference(&start) > 0.1);
    demo.key("Escape");
    demo.wait_for_exit();
}

#[test]
fn resizing_hiding_and_new_present_modes_leave_the_right_picture() {
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
    demo.wait_until("the picture is 400x300", || desktop.screenshot().covers(400, 300));
    demo.key("v");
    demo.wait_for_title(&["vsync off"]);
    demo.wait_until("the picture is 400x300 still", || desktop.screenshot().covers(400, 300));
    demo.key("Escape");
    demo.wait_for_exit();
}
