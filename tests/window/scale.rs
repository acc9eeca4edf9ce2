//! Changes of the scale factor, as when the user sets another one for the display.

use std::process::Stdio;
use std::thread::sleep;

use super::desktop::{Desktop, POLL};

#[test]
fn window_and_hud_follow_a_new_scale_factor() {
    let desktop = Desktop::start();
    desktop.set_dpi(96);
    let mut demo = desktop.open_with_hud(&["--cubes", "200", "--size", "500x370"]);
    demo.wait_for_title(&["200 cubes"]);
    let [_, _, width, height] = demo.place("pause");
    desktop.set_dpi(192);
    demo.wait_until_size([1000, 740]);
    demo.wait_until("the frame is 1000x740", || desktop.screenshot().covers(1000, 740));
    let grown = demo.place("pause");
    assert!(
        (grown[2] - 2 * width).abs() <= 4 && (grown[3] - 2 * height).abs() <= 4,
        "{width}x{height} became {grown:?}"
    );
    demo.click("pause");
    demo.wait_for_title(&["paused"]);
    desktop.set_dpi(96);
    demo.wait_until_size([500, 370]);
    demo.quit();
}

#[test]
fn a_benchmark_marks_frames_with_a_new_scale_factor_and_keeps_its_size() {
    let desktop = Desktop::start();
    let args = ["bench", "single", "--window", "--cubes", "50", "--size", "300x200"];
    let mut command = desktop.command(&[&args[..], &["--warmup", "0", "--duration", "5"]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let find = ["search", "--onlyvisible", "--name", "Cubefall"];
    let window = loop {
        let found = desktop.tool(&find);
        if !found.is_empty() {
            break found;
        }
        assert!(child.try_wait().unwrap().is_none(), "the run ended without a window");
        sleep(POLL);
    };
    for dpi in [192, 96].into_iter().cycle() {
        let size = desktop.tool(&["getwindowgeometry", &window]);
        if child.try_wait().unwrap().is_some() {
            break;
        }
        assert!(size.is_empty() || size.contains("300x200"), "{size}");
        desktop.set_dpi(dpi);
        sleep(POLL * 6);
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"resized\""));
}
