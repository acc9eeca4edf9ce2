//! Faults of window system and driver: the program recovers, or ends with an error.

use std::time::Instant;

use rustix::process::Signal;

use crate::demo::assert_no_errors;
use crate::desktop::{Desktop, PATIENCE};
use crate::driver;
use crate::files::scene_of;
use crate::hud::SIZE;

const MIB: f64 = (1 << 20) as f64;

#[test]
fn many_sizes_in_a_row_leak_no_memory() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "200", "--size", "320x240"]);
    demo.wait_for_title(&["200 cubes"]);
    let storm = |salt: u32| {
        (0..400_u32).map(move |i| match i % 10 {
            0 => (1, 1),
            5 => (1 + i * 4, 1),
            _ => (1 + (i * 7919 + salt) % 1300, 1 + (i * 104_729 + salt) % 900),
        })
    };
    // The first round also fills the caches of the driver.
    let mut resident = Vec::new();
    for salt in 0..3 {
        demo.resize_to_each(storm(salt));
        demo.resize(400, 300);
        demo.wait_until("the frame is 400x300", || desktop.screenshot().covers(400, 300));
        resident.push(demo.resident() as f64 / MIB);
    }
    println!("resident after each round of 400 sizes: {resident:.1?} MiB");
    assert!(resident[2] < resident[0] + 64.0, "{resident:.1?} MiB");
    demo.wait_until_it_moves();
    demo.quit();
}

#[test]
fn a_window_beyond_the_texture_limit_does_not_end_the_program() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "50", "--size", "320x240"]);
    for (width, height) in [(20_000, 30), (30, 20_000), (1, 1)] {
        demo.resize(width, height);
        demo.wait_for_title(&["50 cubes"]);
    }
    demo.resize(400, 300);
    demo.wait_until("the frame is 400x300", || desktop.screenshot().covers(400, 300));
    demo.quit();
}

#[test]
fn an_invisible_window_is_not_drawn_until_it_is_visible() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "200", "--size", "320x240"]);
    demo.move_to(3000, 3000);
    demo.wait_until_idle();
    demo.move_to(0, 0);
    demo.wait_until_it_moves();
    // The title is that of the hidden window for a moment.
    demo.wait_for_title(&[" fps"]);

    demo.set_minimized(true);
    demo.wait_until_idle();
    demo.set_minimized(false);
    demo.wait_until_it_moves();
    demo.quit();
}

#[test]
fn frames_that_were_not_drawn_do_not_count_in_the_search_for_the_maximum() {
    let desktop = Desktop::start_managed();
    let mut demo = desktop.open_with_hud(&["--cubes", "1", "--size", "1000x700"]);
    demo.wait_for_title(&["1 cube"]);
    demo.place("find maximum");
    // The search does not end before the window is minimized.
    demo.signal(Signal::STOP);
    demo.click("find maximum");
    demo.minimize();
    demo.signal(Signal::CONT);
    // A number that does not hold the frame rate is decided after 20 frames, here of a quarter of a second.
    std::thread::sleep(std::time::Duration::from_secs(8));
    let log = demo.log();
    assert!(!log.contains("Your maximum") && !log.contains("Not even one cube"), "{log}");
    demo.bring_back();
    // Now they are drawn.
    demo.wait_for_any_log(&["Your maximum", "Not even one cube"]);
    demo.quit();
}

#[test]
fn cubes_that_the_adapter_has_no_memory_for_are_reported_and_the_last_ones_continue() {
    let desktop = Desktop::start();
    let file = desktop.folder().join("test.json");
    let write = |cubes| std::fs::write(&file, scene_of(cubes)).unwrap();
    for motion in ["integrated", "evaluated"] {
        write(900);
        let flags =
            ["--scene", "test.json", "--motion", motion, "--inject", "buffer-refusal@500000"];
        let mut demo = desktop.open_with_hud(&[&flags[..], &SIZE].concat());
        demo.wait_for_title(&["900 cubes"]);
        write(100_000);
        demo.wait_for_log("injected refusal");
        demo.wait_for_title(&["900 cubes"]);
        demo.wait_until_it_moves();
        write(1000);
        demo.wait_for_title(&["1,000 cubes"]);
        demo.quit();
    }
}

#[test]
fn an_invalid_scale_factor_is_an_error() {
    let desktop = Desktop::start();
    for scale in ["-3", "0", "nan", "1e300", "big"] {
        let mut command = desktop.command(&["--require-display"]);
        let output = command.env("WINIT_X11_SCALE_FACTOR", scale).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("WINIT_X11_SCALE_FACTOR is"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_no_errors(&stderr);
    }
}

#[test]
fn a_camera_that_does_not_fit_the_scene_is_a_usage_error() {
    let desktop = Desktop::start();
    let camera = ["--size", "64x64", "--look-at", "0,-70,-5000", "--orbit", "5"];
    let run = ["bench", "--window", "--runs", "1", "--frames", "2", "--warmup", "1"];
    for words in [&["--cubes", "5"][..], &run[..]] {
        let output = desktop.command(&[words, &camera].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("which the camera orbits"),
            "{output:?}"
        );
    }
}

#[test]
fn a_dead_wayland_display_falls_back_to_x11() {
    let desktop = Desktop::start();
    let mut command = desktop.command(&["--cubes", "50", "--size", "200x150", "--require-display"]);
    command.env("WAYLAND_DISPLAY", "wayland-9");
    let mut demo = desktop.open_command(command);
    demo.wait_for_title(&["50 cubes"]);
    demo.quit();
}

#[test]
fn a_stopped_program_continues() {
    let desktop = Desktop::start();
    let mut demo = desktop.open(&["--cubes", "200", "--size", "320x240"]);
    demo.signal(Signal::STOP);
    demo.resize(400, 300);
    demo.signal(Signal::CONT);
    demo.wait_until("the frame is 400x300", || desktop.screenshot().covers(400, 300));
    demo.wait_until_it_moves();
    demo.quit();
}

#[test]
fn a_device_lost_in_the_first_frames_is_reopened() {
    let desktop = Desktop::start();
    for (fault, streaming) in [
        ("device-loss@0", "mapped"),
        ("device-loss-acquired@0", "staged"),
        ("device-loss-acquired@1", "mapped"),
        ("device-loss-acquired@9", "staged"),
    ] {
        let args = ["--cubes", "300", "--size", "320x240", "--inject", fault];
        let mut demo = desktop.open_with_log(&[&args[..], &["--streaming", streaming]].concat());
        demo.wait_for_log("opening it again");
        demo.wait_until_it_moves();
        let shot = desktop.screenshot();
        assert!(shot.covers(320, 240) && shot.colors() > 300, "{} colors", shot.colors());
        demo.quit();
    }
}

#[test]
fn the_frame_after_a_loss_is_the_one_before_it() {
    let desktop = Desktop::start();
    for fault in ["device-loss", "device-loss-acquired"] {
        // The loss must come after the frame is at rest, which depends on the machine.
        let mut frames = 60;
        loop {
            let fault = format!("{fault}@{frames}");
            let args = ["--cubes", "300", "--size", "320x240", "--inject", &fault];
            let mut demo = desktop.open_with_log(&args);
            demo.key("space");
            demo.wait_for_title(&["paused"]);
            let before = desktop.settled();
            if demo.log().contains("opening it again") {
                frames *= 4;
                continue;
            }
            // Frames are drawn only on events.
            let start = Instant::now();
            while !demo.log().contains("opening it again") {
                demo.assert_running();
                assert!(start.elapsed() < 5 * PATIENCE, "the device is not lost");
                demo.press_unbound_keys();
            }
            // A change of size and back draws new frames.
            demo.resize(330, 250);
            demo.wait_until("it is larger", || desktop.screenshot().covers(330, 250));
            demo.resize(320, 240);
            // The message about the loss expires after some seconds.
            demo.wait_until("it is as before", || desktop.screenshot().difference(&before) == 0.0);
            demo.quit();
            break;
        }
    }
}

#[test]
fn a_device_lost_three_times_ends_the_program() {
    let desktop = Desktop::start();
    let args = ["--cubes", "50", "--size", "200x150", "--inject", "device-loss@2"];
    let more = ["--inject", "device-loss-acquired@4", "--inject", "device-loss@6"];
    let output = desktop.command(&[&args[..], &more].concat()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("cubefall: the graphics device was lost"), "{stderr}");
    assert_no_errors(&stderr);
}

#[test]
fn a_driver_that_is_missing_for_seconds_is_waited_for() {
    let desktop = Desktop::start();
    let folder = desktop.folder().join("drivers");
    std::fs::create_dir(&folder).unwrap();
    let found = ["/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d"].map(std::fs::read_dir);
    let found: Vec<_> = found.into_iter().flatten().flatten().map(Result::unwrap).collect();
    let copies: Vec<_> = found.iter().map(|file| folder.join(file.file_name())).collect();
    let restart = || {
        for (file, copy) in found.iter().zip(&copies) {
            std::fs::copy(file.path(), copy).unwrap();
        }
    };
    restart();
    let args = ["--cubes", "50", "--size", "200x150", "--backend", "vulkan", "--hud", "off"];
    let mut command = desktop.command(&[&args[..], &["--inject", "device-loss-every@6"]].concat());
    command.env("RUST_LOG", "error,cubefall=info");
    let list = std::env::join_paths(&copies).unwrap();
    command.env("VK_ICD_FILENAMES", &list).env("VK_DRIVER_FILES", &list);
    let mut demo = desktop.open_command(command);
    demo.wait_until_it_moves();
    for copy in &copies {
        std::fs::remove_file(copy).unwrap();
    }
    demo.wait_for_log("opening it again");
    std::thread::sleep(std::time::Duration::from_secs(2));
    restart();
    demo.wait_until_it_moves();
    demo.quit();
}

#[test]
fn a_device_that_the_driver_loses_is_reopened() {
    let desktop = Desktop::start();
    let driver = driver::build(desktop.folder());
    // Losses between two frames, in a frame, and in its presentation.
    let losses = [["LOSE_POLL", "60"], ["LOSE_SUBMIT", "40"], ["LOSE_SUBMIT", "41"]];
    // And of what only a window has: its first surface, and a buffer of the UI.
    for failure in losses.into_iter().chain([["LOSE_CHAIN", "1"], ["NO_BUFFER", "60"]]) {
        let args = ["--cubes", "50", "--size", "400x300", "--backend", "vulkan"];
        let mut command = desktop.command(&args);
        driver.fails(command.env("RUST_LOG", "error,cubefall=info"), failure);
        let mut demo = desktop.open_command(command);
        demo.wait_for_log("opening it again");
        demo.wait_until_it_moves();
        assert!(!demo.log().contains("panicked"), "{}", demo.log());
    }
    for failure in losses {
        let args =
            ["record", "--cubes", "5", "--size", "32x32", "--frames", "60", "--out", "a.gif"];
        let mut command = desktop.command(&[&args[..], &["--backend", "vulkan"]].concat());
        driver.fails(&mut command, failure);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.contains("opening it again"), "{stderr}");
        assert_no_errors(&stderr);
    }
    // A benchmark ends, since what it has measured so far is not a whole run.
    let args = ["bench", "single", "--cubes", "5", "--size", "32x32", "--warmup", "1"];
    let mut command =
        desktop.command(&[&args[..], &["--frames", "500", "--backend", "vulkan"]].concat());
    driver.fails(&mut command, ["LOSE_SUBMIT", "40"]);
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("the graphics device was lost"), "{stderr}");
    assert!(!stderr.contains("opening it again"), "{stderr}");
}

#[test]
fn a_gpu_that_is_missing_for_seconds_is_waited_for_although_the_cpu_could_draw() {
    let desktop = Desktop::start();
    let driver = driver::build(desktop.folder());
    let args = ["--cubes", "50", "--size", "200x150", "--inject", "device-loss@30", "--hud", "off"];
    let mut command = desktop.command(&args);
    driver.fails(command.env("RUST_LOG", "error,cubefall=info"), ["GPU_OUTAGE", "2"]);
    let mut demo = desktop.open_command(command);
    demo.wait_for_log_times("rendering with Test GPU", 2);
    demo.wait_until_it_moves();
    assert!(!demo.log().contains("rendering with llvmpipe"), "{}", demo.log());
    demo.quit();

    let args = ["record", "--cubes", "5", "--size", "32x32", "--frames", "9", "--out", "a.gif"];
    let mut command = desktop.command(&[&args[..], &["--inject", "device-loss@5"]].concat());
    driver.fails(&mut command, ["GPU_OUTAGE", "2"]);
    let output = command.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && stdout.contains("adapter: Test GPU"), "{output:?}");
}

#[test]
fn without_a_driver_the_message_names_the_reasons_and_what_to_install() {
    let desktop = Desktop::start();
    let output = desktop.without_drivers(&["--cubes", "50"]);
    let foreign = desktop.without_drivers(&["--backend", "metal"]);
    let run = desktop.without_drivers(&["bench", "--window", "--cubes", "50", "--runs", "1"]);
    for (output, code, expected) in [
        (
            output,
            3,
            ["vulkan: no working driver found; gl: no working driver found", "mesa-vulkan-drivers"],
        ),
        (foreign, 3, ["metal is not available on Linux", "choose vulkan or gl"]),
        // A benchmark has exit codes of its own.
        (
            run,
            1,
            ["vulkan: no working driver found; gl: no working driver found", "mesa-vulkan-drivers"],
        ),
    ] {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let ours: Vec<_> = stderr.lines().filter(|line| line.starts_with("cubefall: ")).collect();
        let [line] = ours[..] else { panic!("{stderr}") };
        for part in expected.iter().chain(&["no graphics adapter found"]) {
            assert!(line.contains(part), "{part} is missing in: {stderr}");
        }
        assert_no_errors(&stderr);
    }
}

#[test]
fn doctor_reports_a_missing_driver_and_ends_with_success() {
    let desktop = Desktop::start();
    let output = desktop.without_drivers(&["bench", "doctor"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}");
    let text = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for check in [
        "warning adapter: no graphics adapter found",
        "unknown GPU times: not checked",
        "mesa-vulkan-drivers",
    ] {
        assert!(text.contains(check), "{check} is missing in: {text}");
    }
}
