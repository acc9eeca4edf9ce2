//! Sliders, steps and flight, measured in saved scene files.

use rustix::process::Signal;
use serde_json::Value;

use super::desktop::Desktop;
use super::hud::open_paused;

#[test]
fn sliders_and_typed_numbers_set_gravity_time_spin_and_seed() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "50");
    assert_eq!(demo.saved_scene(1).get("tuning"), None);

    // All clicks reach the same frame.
    demo.signal(Signal::STOP);
    for (slider, share) in [("gravity", 0.97), ("time", 0.03), ("spin", 0.97)] {
        demo.click_at(slider, share);
    }
    demo.signal(Signal::CONT);
    let tuning = &demo.saved_scene(2)["tuning"];
    let factor = |name: &str| tuning[name].as_f64().unwrap();
    let all = ["gravity", "time", "spin"].map(factor);
    assert!(all[0] > 3.7 && all[1] < 0.5 && all[2] > 3.7, "{all:?}");

    demo.click("reset sliders");
    assert_eq!(demo.saved_scene(3).get("tuning"), None);
    for (number, value) in [("gravity value", "0.25"), ("time value", "2"), ("spin value", "0.5")] {
        demo.enter(number, value);
    }
    demo.signal(Signal::STOP);
    demo.enter("seed", "77");
    demo.signal(Signal::CONT);
    let scene = demo.saved_scene(4);
    assert_eq!(scene["tuning"], serde_json::json!({ "gravity": 0.25, "time": 2.0, "spin": 0.5 }));
    assert_eq!(scene["seed"], 77);
    demo.quit();
}

#[test]
fn the_step_button_makes_one_step_and_shift_click_drops_a_cube() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "50");
    let before = demo.saved_scene(1);
    demo.click("step");
    demo.key("F1");
    desktop.settled();
    demo.key("F1");
    let after = demo.saved_scene(2);
    let height = |scene: &Value| scene["entities"][7]["position"][1].as_f64().unwrap();
    let fall = height(&before) - height(&after);
    // From rest at 1 m/s2 in a sixtieth of a second; most fall faster already.
    assert!(fall > 0.99 / 7200.0, "{fall}");

    demo.click_on_scene_with("shift", 500, 300);
    demo.wait_for_title(&["51 cubes"]);
    demo.click("inspector");
    demo.wait_for_log("widget \"system physics\"");
    demo.quit();
}

#[test]
fn keys_fly_the_camera_and_the_wheel_changes_its_speed() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "50");
    let camera = |scene: &Value, axis: usize| scene["camera"]["position"][axis].as_f64().unwrap();
    let mut before = demo.saved_scene(1);
    // The camera looks along -Z and a little down.
    for (nth, (key, axis, sign)) in [
        ("a", 0, -1.0),
        ("d", 0, 1.0),
        ("w", 2, -1.0),
        ("s", 2, 1.0),
        ("q", 1, -1.0),
        ("e", 1, 1.0),
    ]
    .into_iter()
    .enumerate()
    {
        demo.fly(key);
        let after = demo.saved_scene(nth + 2);
        let moved = camera(&after, axis) - camera(&before, axis);
        assert!(moved * sign > 3.0, "{key}: {moved}");
        before = after;
    }
    demo.scroll_on_scene(500, 300);
    let speed = |scene: &Value| scene["camera"]["speed"].as_f64().unwrap();
    let faster = demo.saved_scene(8);
    assert!(speed(&faster) > speed(&before) * 1.1, "{}", speed(&faster));
    demo.quit();
}
