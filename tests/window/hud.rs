//! What is shown over the picture, driven by mouse and keys.

use std::fs::File;
use std::io::BufReader;
use std::thread::sleep;
use std::time::Duration;

use crate::desktop::Desktop;

/// Large enough for all panels.
pub(crate) const SIZE: [&str; 2] = ["--size", "1000x740"];

#[test]
fn every_control_does_what_its_key_does() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.click("camera-falls");
    demo.wait_for_title(&["200 cubes", "camera-falls"]);
    demo.click("cubes-fall");
    demo.wait_for_title(&["cubes-fall"]);
    demo.click("pause");
    demo.wait_for_title(&["paused"]);
    demo.click("reset");
    demo.wait_until_said("frame ");
    demo.click("vsync");
    demo.wait_for_title(&["vsync off"]);
    demo.click("medium");
    demo.wait_until_said("fog on, msaa on, shadows off");
    demo.click("high");
    demo.wait_until_said("fog on, msaa on, shadows on");
    demo.click("low");
    demo.click("culling");
    demo.wait_until_said("culling off");
    demo.click("help");
    demo.wait_for_title(&["Esc: quit"]);
    demo.key("h");
    demo.wait_for_title(&["H: help"]);
    demo.click("full screen");
    demo.click("full screen");
    demo.click("screenshot");
    demo.wait_until_said("Saved ");
    demo.quit();
}

#[test]
fn the_count_follows_the_slider_and_what_is_typed() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.click_at("count", 0.01);
    demo.wait_for_title(&["| 1 cubes"]);
    // Letters are meant for the number, too: no help, no other mode.
    demo.enter("count value", "1.5k");
    demo.wait_for_title(&["1500 cubes", "cubes-fall", "H: help"]);
    demo.key("m");
    demo.wait_for_title(&["camera-falls"]);
    demo.quit();
}

#[test]
fn what_was_kept_is_gone_back_to() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.key("F9");
    demo.wait_until_said("cannot load ");
    demo.key("space");
    demo.wait_for_title(&["200 cubes", "paused"]);
    demo.click("save state");
    demo.wait_until_said("Saved state to ");
    demo.key("F1");
    // The message goes after some seconds.
    sleep(Duration::from_secs(8));
    let kept = desktop.settled();
    demo.key("F1");
    demo.click_at("count", 0.99 / 3.0);
    demo.click("camera-falls");
    demo.click("pause");
    demo.wait_for_title(&["camera-falls"]);
    demo.wait_until_it_moves();
    demo.click("load state");
    demo.wait_for_title(&["200 cubes", "cubes-fall", "paused"]);
    demo.key("F1");
    demo.wait_until("it is as it was", || desktop.screenshot().difference(&kept) == 0.0);
    demo.quit();
}

#[test]
fn a_scene_of_another_seed_is_another_one() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.click("pause");
    demo.wait_for_title(&["paused"]);
    demo.click("new seed");
    demo.key("F1");
    let second = desktop.settled();
    demo.key("F1");
    demo.click("new seed");
    demo.key("F1");
    assert!(desktop.settled().difference(&second) > 0.3);
    demo.quit();
}

#[test]
fn hidden_it_leaves_the_picture_as_it_is() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    let shown = desktop.settled();
    demo.key("F1");
    let hidden = desktop.settled();
    assert!(shown.difference(&hidden) > 0.1, "{}", shown.difference(&hidden));
    demo.key("F1");
    assert!(desktop.settled().difference(&hidden) > 0.1);
    demo.click("hide UI");
    assert_eq!(desktop.settled().difference(&hidden), 0.0);
    demo.quit();
}

#[test]
fn after_a_loss_of_the_device_it_is_there_again() {
    let desktop = Desktop::start();
    for fault in ["device-loss@40", "device-loss-acquired@40"] {
        let args = ["--cubes", "200", "--inject", fault];
        let mut demo = desktop.open_with_hud(&[&args[..], &SIZE].concat());
        demo.wait_until_said("opening it again");
        demo.click("pause");
        demo.wait_for_title(&["paused"]);
        let shown = desktop.settled();
        demo.key("F1");
        let change = desktop.settled().difference(&shown);
        assert!(change > 0.1, "{fault}: {change}");
        demo.quit();
    }
}

#[test]
fn dragging_and_scrolling_on_a_panel_do_not_reach_the_camera() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo.key("F1");
    let before = desktop.settled();
    demo.key("F1");
    desktop.settled();
    demo.point_at("statistics", 0.6);
    demo.drag_from_here(300, 200);
    demo.key("F1");
    assert_eq!(desktop.settled().difference(&before), 0.0);
    demo.drag(300, 200);
    assert!(desktop.settled().difference(&before) > 0.1, "there is no panel there any more");
    demo.quit();
}

#[test]
fn nothing_is_drawn_while_nothing_moves() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    for hud in ["shown", "hidden"] {
        demo.key("space");
        demo.wait_for_title(&["paused"]);
        desktop.settled();
        // The picture may be at rest before the drawing is.
        sleep(Duration::from_secs(1));
        let drawn = demo.pictures();
        sleep(Duration::from_secs(2));
        assert_eq!(demo.pictures(), drawn, "{hud}");
        demo.stir();
        demo.wait_until_drawn_since(drawn);
        demo.key("space");
        demo.wait_until_it_moves();
        demo.key("F1");
    }
    demo.quit();
}

#[test]
fn a_cube_that_is_clicked_on_is_selected_and_can_be_taken_away() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "2000"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["2000 cubes", "paused"]);
    demo.select_a_cube();
    demo.click("despawn");
    demo.wait_for_title(&["1999 cubes"]);
    demo.select_a_cube();
    demo.click("focus");
    desktop.settled();
    demo.key("Delete");
    demo.wait_for_title(&["1998 cubes"]);
    demo.click("camera");
    demo.wait_until_said("Camera: fly");
    demo.key("c");
    demo.wait_until_said("Camera: orbit");
    demo.quit();
}

#[test]
fn a_click_beside_all_cubes_lets_the_camera_go() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["200 cubes", "paused"]);
    demo.key("c");
    demo.wait_until_said("Camera: orbit");
    // There is only ground.
    demo.click_on_picture(40, 700);
    demo.wait_until_said("selected none");
    demo.key("c");
    // From an orbit it would be flight that comes next.
    demo.wait_until_said_twice("Camera: orbit");
    demo.quit();
}

#[test]
fn the_camera_goes_along_with_a_selected_cube_and_its_end_is_told() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "2000"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["2000 cubes", "paused"]);
    demo.select_a_cube();
    demo.key("F1");
    let before = desktop.settled();
    demo.key("space");
    demo.wait_until("it falls", || desktop.screenshot().difference(&before) > 0.2);
    demo.wait_until_said(" hit the floor; slot ");
    let stderr = demo.stderr();
    let told = stderr.lines().find(|line| line.contains(" hit the floor; slot ")).unwrap();
    // As in "Cube 12v1 hit the floor; slot 12 now holds 12v2.".
    let handle = |word: &str| {
        let (slot, life) = word.split_once('v')?;
        Some((slot.parse::<u32>().ok()?, life.parse::<u32>().ok()?))
    };
    let handles: Vec<_> = told.split(' ').filter_map(handle).collect();
    let [(slot, first), (same, second)] = handles[..] else { panic!("{told}") };
    assert!(slot == same && first < second, "{told}");
    demo.quit();
}

#[test]
fn a_system_that_is_passed_over_does_nothing() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.key("i");
    demo.click_at("system physics", 0.1);
    demo.key("F1");
    desktop.settled();
    demo.key("F1");
    demo.click_at("system physics", 0.1);
    demo.key("F1");
    demo.wait_until_it_moves();
    demo.quit();
}

#[test]
fn a_saved_picture_is_the_one_on_the_screen_without_what_is_shown_over_it() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "300", "--size", "320x240"]);
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    let seen = desktop.settled();
    demo.key("F1");
    let path = desktop.folder().join("cubefall-0001.png");
    demo.key("F12");
    demo.wait_until("the file is there", || path.exists());
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (320, 240));
    let saved = pixels.as_chunks::<4>().0.chunks(320);
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
fn a_window_remembers_the_one_before_unless_flags_say_otherwise() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("config/cubefall/preferences.json");
    let mut demo = desktop.open_remembering(&["--cubes", "50"]);
    demo.resize(700, 500);
    demo.wait_until("the picture is 700x500", || desktop.screenshot().covers(700, 500));
    demo.click("medium");
    demo.wait_until_said("fog on, msaa on, shadows off");
    demo.key("F1");
    demo.quit();
    assert!(file.exists());

    let mut demo = desktop.open_remembering(&["--cubes", "50"]);
    demo.wait_until("the picture is 700x500", || desktop.screenshot().covers(700, 500));
    demo.wait_until_said("fog on, msaa on, shadows off");
    assert!(!demo.stderr().contains("widget "), "the HUD is hidden still");
    demo.quit();

    let flags = ["--cubes", "50", "--size", "300x200", "--quality", "low", "--hud", "on"];
    let mut demo = desktop.open_remembering(&flags);
    demo.wait_until("the picture is 300x200", || desktop.screenshot().covers(300, 200));
    demo.wait_until_said("fog off, msaa off");
    demo.wait_until_said("widget ");
    demo.quit();
}

#[test]
fn damaged_preferences_are_passed_over_and_replaced() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("config/cubefall/preferences.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for damaged in ["{\"size\": [1e39, -5]}", ""] {
        std::fs::write(&file, damaged).unwrap();
        let mut demo = desktop.open_remembering(&["--cubes", "50", "--size", "300x200"]);
        demo.wait_until_said("; starting with defaults");
        demo.key("F1");
        demo.quit();
        assert!(std::fs::read_to_string(&file).unwrap().contains("\"shown\": false"));
    }
}

#[test]
fn at_rest_the_camera_goes_to_a_cube_all_the_same() {
    let desktop = Desktop::start();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.key("space");
    demo.wait_for_title(&["paused"]);
    demo.select_a_cube();
    let before = desktop.settled();
    demo.key("f");
    demo.wait_until("the camera goes there", || desktop.screenshot().difference(&before) > 0.3);
    demo.quit();
}
