//! Windows under a window manager, which frames, minimizes and closes them.

use serde_json::{Value, json};

use super::desktop::{Desktop, SCREEN};
use super::hud::SIZE;
use super::windowed_run::WindowedRun;

#[test]
fn full_screen_covers_the_screen_and_returns_to_the_previous_size() {
    let desktop = Desktop::start_managed();
    let mut demo = desktop.open_with_preferences(&["--cubes", "200"]);
    demo.key("space");
    demo.wait_for_title(&["200 cubes", "paused"]);
    let framed = [900, 700];
    demo.resize(900, 700);
    demo.wait_until_size(framed);
    demo.key("F11");
    demo.wait_until_size(SCREEN);
    demo.wait_until("the frame covers the screen", || desktop.screenshot().covers_screen());
    demo.key("F11");
    demo.wait_until_size(framed);
    demo.click("full screen");
    demo.wait_until_size(SCREEN);
    demo.wait_until("the frame covers the screen", || desktop.screenshot().covers_screen());
    demo.click("full screen");
    demo.wait_until_size(framed);
    demo.wait_until("the frame is smaller again", || !desktop.screenshot().covers_screen());
    demo.quit();

    // The size of the full screen is not saved.
    let mut demo = desktop.open_with_preferences(&["--cubes", "200"]);
    demo.wait_until_size(framed);
    demo.quit();

    let mut demo = desktop.open_with_preferences(&["--cubes", "200", "--fullscreen"]);
    demo.wait_until_size(SCREEN);
    demo.quit();
}

#[test]
fn a_maximized_window_opens_maximized_again_and_returns_to_its_size() {
    let desktop = Desktop::start_managed();
    let is_saved = |key: &str, value: &Value| desktop.saved_preferences()[key] == *value;
    let mut demo = desktop.open_with_preferences(&["--cubes", "200"]);
    let framed = [900, 600];
    demo.resize(900, 600);
    demo.wait_until_size(framed);
    demo.wait_until("the size is saved", || is_saved("size", &json!(framed)));
    demo.double_click_title_bar();
    demo.wait_until("that it is maximized is saved", || is_saved("maximized", &json!(true)));
    let maximized = demo.size();
    assert!(maximized[0] == SCREEN[0] && maximized[1] > 800, "{maximized:?}");
    demo.quit();

    let mut demo = desktop.open_with_preferences(&["--cubes", "200"]);
    demo.wait_until_size(maximized);
    demo.double_click_title_bar();
    demo.wait_until_size(framed);
    demo.wait_until("that it is not is saved", || is_saved("maximized", &json!(false)));
    demo.quit();
}

#[test]
fn a_size_of_a_flag_leaves_the_saved_place() {
    let desktop = Desktop::start_managed();
    let place = |saved: Value| [saved["size"].clone(), saved["position"].clone()];
    let mut demo = desktop.open_with_preferences(&["--cubes", "200"]);
    demo.resize(900, 600);
    demo.wait_until_size([900, 600]);
    demo.quit();
    let before = place(desktop.saved_preferences());
    assert_eq!(before[0], json!([900, 600]));

    let mut demo = desktop.open_with_preferences(&["--cubes", "200", "--size", "300x200"]);
    demo.wait_until_size([300, 200]);
    demo.key("p");
    demo.quit();
    assert_eq!(place(desktop.saved_preferences()), before);
}

#[test]
fn a_window_that_the_manager_maximizes_leaves_the_saved_place() {
    let desktop = Desktop::start_managed_with(
        r#"<application class="cubefall"><maximized>true</maximized></application>"#,
    );
    desktop.write_preferences(r#"{"size": [600, 350], "maximized": false}"#);
    let place = |saved: Value| [saved["size"].clone(), saved["maximized"].clone()];
    let mut demo = desktop.open_with_preferences(&["--cubes", "200", "--size", "300x200"]);
    demo.wait_for_title(&["200 cubes", " fps"]);
    assert!(demo.size()[1] > 600, "{:?}", demo.size());
    demo.key("p");
    let has_palette = || desktop.saved_preferences()["coloring"] != Value::Null;
    demo.wait_until("the palette is saved", has_palette);
    demo.quit();
    assert_eq!(place(desktop.saved_preferences()), [json!([600, 350]), json!(false)]);
}

#[test]
fn a_minimized_window_draws_nothing_until_it_is_restored() {
    let desktop = Desktop::start_managed();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.wait_for_title(&["200 cubes"]);
    demo.wait_until_it_moves();
    demo.minimize();
    demo.wait_until_idle();
    demo.bring_back();
    let frames = demo.frames();
    demo.wait_until_drawn_since(frames + 5);
    demo.wait_until_it_moves();
    // Closes the window like the button in its title bar.
    demo.key("alt+F4");
    demo.wait_for_exit();
}

#[test]
fn a_window_on_another_virtual_desktop_draws_nothing_and_its_frames_do_not_count() {
    let desktop = Desktop::start_managed();
    desktop.tool(&["set_num_desktops", "2"]);
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.wait_for_title(&["200 cubes"]);
    demo.wait_until_it_moves();
    desktop.tool(&["set_desktop", "1"]);
    demo.wait_until_idle();
    desktop.tool(&["set_desktop", "0"]);
    let frames = demo.frames();
    demo.wait_until_drawn_since(frames + 5);
    demo.quit();

    let flags = ["--size", "200x150", "--warmup", "1", "--max-duration", "3"];
    let run = WindowedRun::start(&desktop, &flags);
    desktop.tool(&["set_desktop", "1"]);
    let frames = run.result().frames;
    assert!(frames.hidden > 0, "{frames:?}");
}
