//! The HUD, driven by mouse and keys.

use std::thread::sleep;
use std::time::Duration;

use rustix::process::Signal;

use super::demo::Demo;
use super::desktop::Desktop;
use super::png;

/// Large enough for all panels.
pub(crate) const SIZE: [&str; 2] = ["--size", "1000x880"];

/// Messages expire after six seconds.
const MESSAGE_TIME: Duration = Duration::from_secs(8);

/// Opens a window with all panels.
pub(crate) fn open<'a>(desktop: &'a Desktop, cubes: &str) -> Demo<'a> {
    let mut demo = desktop.open_with_hud(&[&["--cubes", cubes][..], &SIZE].concat());
    // Thousands are grouped.
    let shown = match cubes.split_at(cubes.len().saturating_sub(3)) {
        ("", few) => few.to_owned(),
        (thousands, rest) => format!("{thousands},{rest}"),
    };
    demo.wait_for_title(&[&format!("| {shown} cubes")]);
    demo
}

/// Opens the same window and pauses it.
pub(crate) fn open_paused<'a>(desktop: &'a Desktop, cubes: &str) -> Demo<'a> {
    let mut demo = open(desktop, cubes);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo
}

#[test]
fn escape_closes_a_menu_before_it_quits() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.click("scene");
    demo.key("Escape");
    // The program still reacts, and the menu no longer takes the click.
    demo.click("pause");
    demo.wait_for_title(&["paused"]);
    demo.key("Escape");
    demo.wait_for_exit();
}

/// Frames that are drawn within a second of an action.
fn frames_after(demo: &Demo<'_>, act: impl FnOnce(&Demo<'_>)) -> usize {
    let before = demo.frames();
    act(demo);
    sleep(Duration::from_secs(1));
    demo.frames() - before
}

#[test]
fn a_pause_draws_only_what_changes() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    demo.move_pointer(300, 200);
    demo.wait_until_idle();
    sleep(Duration::from_secs(1));
    assert_eq!(frames_after(&demo, |_| ()), 0);
    // egui lays out until the velocity of the pointer is 0. Settling after an action takes four frames more.
    let hovering = frames_after(&demo, |demo| demo.move_pointer(310, 200));
    assert!((1..=4).contains(&hovering), "{hovering}");
    // A caret that blinks would draw frames.
    demo.click("count value");
    sleep(Duration::from_secs(2));
    assert_eq!(frames_after(&demo, |_| ()), 0);
}

#[test]
fn graphics_settings_apply_at_once() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.click("vsync");
    demo.wait_for_title(&["vsync off"]);
    demo.click("medium");
    demo.wait_for_log("effects: ground, fog, msaa, culling");
    demo.click("high");
    demo.wait_for_log("effects: ground, fog, msaa, shadows, culling");
    demo.click("low");
    demo.click("culling");
    demo.wait_for_log("effects: ground, small cubes");
    demo.quit();
}

#[test]
fn the_score_is_measured_in_another_process_until_it_is_canceled() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.click("measure score");
    demo.wait_for_log("Measuring your score: 1,000 cubes");
    demo.key("Escape");
    demo.wait_for_log("Canceled: no score was measured");
    // The window goes on.
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo.quit();
}

#[test]
fn the_slider_and_a_typed_number_set_the_count() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.click_at("count", 0.01);
    demo.wait_for_title(&["| 1 cube "]);
    // The letter goes into the number and is no shortcut.
    demo.enter("count value", "1.5k");
    demo.wait_for_title(&["1,500 cubes", "cubes-fall", "H: keys"]);
    // The key comes before the layout that shows the text.
    let type_at_once = |demo: &mut Demo<'_>, text, key| {
        demo.click("count value");
        demo.key("ctrl+a");
        demo.signal(Signal::STOP);
        demo.type_text(text);
        demo.key(key);
        demo.signal(Signal::CONT);
    };
    type_at_once(&mut demo, "2345", "Tab");
    demo.wait_for_title(&["2,345 cubes", "cubes-fall"]);
    // A function key ends the edit before it acts.
    type_at_once(&mut demo, "2400", "F5");
    demo.wait_for_title(&["2,400 cubes"]);
    demo.enter("count value", "10");
    demo.wait_for_title(&["| 10 cubes"]);
    demo.key("F9");
    demo.wait_for_title(&["2,400 cubes"]);
    demo.key("m");
    demo.wait_for_title(&["camera-falls"]);
    demo.quit();
}

#[test]
fn loading_without_a_saved_state_is_reported() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.key("F9");
    demo.wait_for_log("No saved state in slot 1; F5 saves one");
    demo.wait_for_title(&["200 cubes"]);
    demo.quit();
}

#[test]
fn a_saved_state_is_loaded_to_the_same_frame() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    demo.click("save state");
    demo.wait_for_log("Saved state to ");
    demo.key("F1");
    sleep(MESSAGE_TIME);
    let saved = desktop.settled();
    demo.key("F1");
    demo.click_at("count", 0.99 / 3.0);
    demo.click("camera-falls");
    demo.click("pause");
    demo.wait_for_title(&["camera-falls"]);
    demo.wait_until_it_moves();
    demo.click("load state");
    demo.wait_for_title(&["200 cubes", "cubes-fall", "paused"]);
    demo.key("F1");
    demo.wait_until("the frame is the same", || desktop.screenshot().difference(&saved) == 0.0);
    demo.quit();
}

#[test]
fn hiding_the_ui_leaves_the_frame_without_it() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    let shown = desktop.settled();
    let hidden = demo.changes(|it| it.key("F1"));
    assert!(shown.difference(&hidden) > 0.1, "{}", shown.difference(&hidden));
    assert!(demo.changes(|it| it.key("F1")).difference(&hidden) > 0.1);
    assert_eq!(demo.changes(|it| it.click("hide UI")).difference(&hidden), 0.0);
    demo.quit();
}

#[test]
fn the_hud_works_after_a_loss_of_the_device() {
    let desktop = Desktop::start();
    for fault in ["device-loss@40", "device-loss-acquired@40"] {
        let args = ["--cubes", "200", "--inject", fault];
        let mut demo = desktop.open_with_hud(&[&args[..], &SIZE].concat());
        demo.wait_for_log("opening it again");
        // The HUD takes clicks once it was laid out for the new device.
        demo.wait_until_drawn_since(demo.frames() + 2);
        demo.click("pause");
        demo.wait_for_title(&["paused"]);
        let shown = desktop.settled();
        let change = demo.changes(|it| it.key("F1")).difference(&shown);
        assert!(change > 0.1, "{fault}: {change}");
        demo.quit();
    }
}

#[test]
fn dragging_on_a_panel_does_not_turn_the_camera() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    let before = demo.changes(|it| it.key("F1"));
    demo.changes(|it| it.key("F1"));
    demo.point_at("statistics", 0.6);
    demo.drag_from_here(300, 200);
    assert_eq!(demo.changes(|it| it.key("F1")).difference(&before), 0.0);
    let dragged = demo.changes(|it| it.drag(300, 200));
    assert!(dragged.difference(&before) > 0.1, "the panel is hidden");
    demo.quit();
}

#[test]
fn a_drag_that_starts_where_one_on_a_panel_ended_turns_the_camera_as_little_as_any() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.key("F1");
    demo.click_on_scene(40, 700);
    let turned = demo.changes(|it| it.drag_from_here(80, 0));
    demo.changes(|it| it.drag_from_here(-80, 0));
    demo.changes(|it| it.key("F1"));
    let [x, y, ..] = demo.place("time");
    demo.point_at("time", 0.5);
    demo.drag_from_here(500 - x, 300 - y);
    demo.drag_from_here(80, 0);
    let after = demo.changes(|it| it.key("F1"));
    assert!(after.difference(&turned) < 0.02, "{}", after.difference(&turned));
    demo.quit();
}

#[test]
fn nothing_is_drawn_while_nothing_moves() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    for hud in ["shown", "hidden"] {
        demo.key("space");
        demo.wait_for_title(&["paused"]);
        demo.wait_until_idle();
        let drawn = demo.frames();
        sleep(Duration::from_secs(2));
        assert_eq!(demo.frames(), drawn, "{hud}");
        demo.press_unbound_keys();
        demo.wait_until_drawn_since(drawn);
        demo.key("space");
        demo.wait_until_it_moves();
        demo.key("F1");
    }
    demo.quit();
}

#[test]
fn a_clicked_cube_is_selected_and_despawned_by_button_and_key() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.select_a_cube();
    demo.click("despawn");
    demo.wait_for_title(&["1,999 cubes"]);
    demo.select_a_cube();
    demo.key("Delete");
    demo.wait_for_title(&["1,998 cubes"]);
    demo.quit();
}

#[test]
fn the_mode_is_switched_to_its_end_while_paused_with_an_orbiting_camera() {
    let desktop = Desktop::start();
    let camera = ["--camera", "0,-40,104", "--look-at", "0,0,0", "--orbit", "5"];
    let mut demo = desktop.open(&[&["--cubes", "200"][..], &camera, &SIZE].concat());
    demo.wait_for_title(&["200 cubes"]);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo.key("m");
    demo.wait_for_title(&["camera-falls"]);
    let switched = desktop.settled();
    // Each draws a frame.
    demo.press_unbound_keys();
    assert_eq!(desktop.settled().difference(&switched), 0.0);
    demo.quit();
}

#[test]
fn a_click_beside_all_cubes_selects_none_and_keeps_the_orbit() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    demo.key("c");
    demo.wait_for_log("Camera: orbit");
    // Only ground is there.
    demo.click_on_scene(40, 700);
    demo.wait_for_log("selected none");
    demo.key("c");
    // After an orbit without a cube comes fly.
    demo.wait_for_log("Camera: fly");
    demo.quit();
}

#[test]
fn the_camera_follows_a_selected_cube_and_its_end_is_reported() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "2000");
    demo.select_a_cube();
    let before = demo.changes(|it| it.key("F1"));
    demo.key("space");
    demo.wait_until("the cube falls", || desktop.screenshot().difference(&before) > 0.2);
    demo.wait_for_log(" hit the ground; slot ");
    // "Cube 12v1 hit the ground; slot 12 now holds 12v2."
    let log = demo.log();
    let message = log.lines().find(|line| line.contains(" hit the ground; slot ")).unwrap();
    let handle = |word: &str| {
        let (slot, generation) = word.trim_end_matches('.').split_once('v')?;
        Some((slot.parse::<u32>().ok()?, generation.parse::<u32>().ok()?))
    };
    let handles: Vec<_> = message.split(' ').filter_map(handle).collect();
    let [(slot, first), (same, second)] = handles[..] else { panic!("{message}") };
    assert!(slot == same && first < second, "{message}");
    demo.quit();
}

#[test]
fn without_physics_nothing_falls() {
    let desktop = Desktop::start();
    let mut demo = open(&desktop, "200");
    demo.key("i");
    demo.wait_for_log("widget \"system physics\"");
    // In place of the statistics, where the whole inspector is visible.
    demo.click("dock left");
    demo.click("statistics");
    demo.wait_until_drawn_since(demo.frames() + 5);
    // Cubes also spin.
    demo.click_at("system spin", 0.1);
    demo.click_at("system physics", 0.1);
    let shown = desktop.screenshot();
    demo.key("F1");
    demo.wait_until("the HUD is hidden", || desktop.screenshot().difference(&shown) > 0.1);
    let still = desktop.settled();
    sleep(Duration::from_secs(1));
    assert!(desktop.screenshot().difference(&still) < 0.01);
    demo.key("F1");
    demo.click_at("system physics", 0.1);
    demo.key("F1");
    demo.wait_until_it_moves();
    demo.quit();
}

#[test]
fn a_screenshot_shows_the_frame_without_the_hud() {
    let desktop = Desktop::start();
    let [pictures, config] = ["My pictures", "config"].map(|it| desktop.folder().join(it));
    for folder in [&pictures, &config] {
        std::fs::create_dir_all(folder).unwrap();
    }
    let folders = format!("XDG_PICTURES_DIR=\"{}\"\n", pictures.display());
    std::fs::write(config.join("user-dirs.dirs"), folders).unwrap();
    let mut demo = desktop.open(&["--cubes", "300", "--size", "320x240"]);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    let seen = desktop.settled();
    demo.key("F1");
    let path = pictures.join("cubefall-0001.png");
    demo.key("F12");
    demo.wait_until("the file exists", || path.exists());
    let (color_type, width, frames) = png::read(&path);
    let (pixels, _) = frames[0].1.as_chunks::<4>();
    assert_eq!((color_type, width, pixels.len()), (::png::ColorType::Rgba, 320, 320 * 240));
    let saved = pixels.chunks(320);
    let different = seen
        .rows()
        .zip(saved)
        .flat_map(|(seen, saved)| seen.iter().zip(saved))
        .filter(|(seen, saved)| seen.iter().zip(&saved[..3]).any(|(a, b)| a.abs_diff(*b) > 1))
        .count();
    assert_eq!(different, 0);
    demo.quit();
}

#[test]
fn focus_moves_the_camera_while_paused() {
    let desktop = Desktop::start();
    let mut demo = open_paused(&desktop, "200");
    demo.select_a_cube();
    let before = desktop.settled();
    demo.key("f");
    demo.wait_until("the camera moves", || desktop.screenshot().difference(&before) > 0.1);
    demo.quit();
}
