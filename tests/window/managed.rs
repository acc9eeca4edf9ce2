//! A desktop with a window manager, which frames, minimises and closes windows.

use super::desktop::{Desktop, SCREEN};
use super::hud::SIZE;

#[test]
fn full_screen_covers_the_screen_and_goes_back_to_the_size_before() {
    let desktop = Desktop::start_managed();
    let mut demo = desktop.open_remembering(&["--cubes", "200"]);
    demo.key("space");
    demo.wait_for_title(&["200 cubes", "paused"]);
    let framed = [900, 700];
    demo.resize(900, 700);
    demo.wait_until_size(framed);
    demo.key("F11");
    demo.wait_until_size(SCREEN);
    demo.wait_until("the picture covers the screen", || desktop.screenshot().is_lit_all_over());
    demo.key("F11");
    demo.wait_until_size(framed);
    demo.click("full screen");
    demo.wait_until_size(SCREEN);
    demo.wait_until("the picture covers the screen", || desktop.screenshot().is_lit_all_over());
    demo.click("full screen");
    demo.wait_until_size(framed);
    demo.wait_until("it does no more", || !desktop.screenshot().is_lit_all_over());
    demo.quit();

    // Full screen was not a size that anybody chose.
    let mut demo = desktop.open_remembering(&["--cubes", "200"]);
    demo.wait_until_size(framed);
    demo.quit();

    let mut demo = desktop.open_remembering(&["--cubes", "200", "--fullscreen"]);
    demo.wait_until_size(SCREEN);
    demo.quit();
}

#[test]
fn minimised_it_draws_nothing_and_comes_back() {
    let desktop = Desktop::start_managed();
    let mut demo = desktop.open_with_hud(&[&["--cubes", "200"][..], &SIZE].concat());
    demo.wait_for_title(&["200 cubes"]);
    demo.wait_until_it_moves();
    demo.minimise();
    demo.wait_until_idle();
    demo.bring_back();
    let pictures = demo.pictures();
    demo.wait_until_drawn_since(pictures + 5);
    demo.wait_until_it_moves();
    // What a click on the button in the frame of the window does.
    demo.key("alt+F4");
    demo.wait_for_exit();
}
