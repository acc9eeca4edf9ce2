//! Program: runs it, and looks at how it ended and at what it said.

use std::process::{Command, Output};

/// The program without any display, and with nothing that would change what it says.
pub(crate) fn cubefall(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubefall"));
    command.args(args);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "RUST_LOG", "WGPU_BACKEND"] {
        command.env_remove(variable);
    }
    // Drivers complain if there is no such folder.
    command.env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

pub(crate) fn run(args: &[&str]) -> Output {
    cubefall(args).output().unwrap()
}

/// What was printed by a run that did what it was asked for, and had nothing to complain about.
pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert_sound(&stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Ends with `code` and one line that says what is wrong.
pub(crate) fn assert_fails(output: &Output, code: i32, says: &[&str]) {
    let stderr = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    let line = stderr.lines().find(|line| says.iter().all(|text| line.contains(text)));
    assert!(line.is_some(), "{says:?} is not said in: {stderr}");
    assert_sound(&stderr);
}

/// Nothing panicked, and no call on the graphics device was wrong: that would be logged as an error
/// of ours. A debug build of wgpu logs errors of its own about each driver that is not there.
fn assert_sound(stderr: &str) {
    for unsound in ["panicked", "ERROR cubefall", "ERROR wgpu_core", "Validation", "VALIDATION"] {
        assert!(!stderr.contains(unsound), "{stderr}");
    }
}
