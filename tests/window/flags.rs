//! Flags of the window, and the settings that are logged.

use crate::demo::assert_no_errors;
use crate::desktop::Desktop;

#[test]
fn the_settings_in_use_are_logged_once() {
    let desktop = Desktop::start();
    let args = ["--cubes", "50", "--size", "200x150", "--streaming", "staged", "--geometry"];
    let more = ["instanced", "--msaa", "on", "--ground", "off", "--culling", "off"];
    let mut demo = desktop.open_with_log(&[&args[..], &more].concat());
    demo.quit();
    let stderr = demo.log();
    let line = stderr.lines().find(|line| line.contains("rendering with ")).unwrap();
    for text in ["present mode fifo,", "streaming staged", "geometry instanced"] {
        assert!(line.contains(text), "{text}: {line}");
    }
    // Instanced geometry draws small cubes in full.
    assert!(line.ends_with("effects: msaa"), "{line}");
    assert_eq!(stderr.matches("rendering with ").count(), 1, "{stderr}");
}

/// The software driver of the tests supports all modes.
#[test]
fn the_requested_present_mode_is_used() {
    let desktop = Desktop::start();
    for (flags, used) in [
        (&["--no-vsync"][..], &["immediate", "mailbox", "fifo"][..]),
        (&["--present", "fifo-relaxed"], &["fifo-relaxed"]),
        (&["--present", "mailbox"], &["mailbox"]),
        (&["--present", "immediate"], &["immediate"]),
    ] {
        let args = ["--cubes", "50", "--size", "200x150", "--require-display"];
        let mut demo = desktop.open_with_log(&[&args[..], flags].concat());
        let text = demo.log();
        let mode = text.split("present mode ").nth(1).unwrap().split(',').next().unwrap();
        assert!(used.contains(&mode), "{flags:?}: {text}");
        if ["immediate", "mailbox"].contains(&mode) {
            demo.wait_for_title(&["vsync off"]);
        }
        demo.quit();
    }
}

/// OpenGL supports only `fifo`.
#[test]
fn an_unsupported_present_mode_is_a_usage_error() {
    let desktop = Desktop::start();
    let output = desktop.command(&["adapters"]).output().unwrap();
    if !String::from_utf8_lossy(&output.stdout).contains(", gl, ") {
        return;
    }
    let args = ["--require-display", "--backend", "gl", "--present", "immediate", "--cubes", "5"];
    let output = desktop.command(&args).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("present mode immediate; choose one of fifo"), "{stderr}");
    assert_no_errors(&stderr);
}

#[test]
fn a_missing_adapter_or_gpu_ends_the_program() {
    let desktop = Desktop::start();
    let ends = |args: &[&str], code: i32, expected: &str| {
        let output = desktop.command(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert_no_errors(&stderr);
    };
    ends(
        &["--adapter", "voodoo"],
        3,
        "no graphics adapter has \"voodoo\" in its name; available: ",
    );
    let output = desktop.command(&["adapters"]).output().unwrap();
    let adapters = String::from_utf8_lossy(&output.stdout);
    if adapters.lines().all(|line| line.contains("software (CPU)")) {
        ends(&["--require-gpu"], 3, "no GPU found with these settings, only ");
    }
}
