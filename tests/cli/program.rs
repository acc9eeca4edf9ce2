//! Runs the program and checks its output and exit code.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cubefall");

/// The program without a display, and without variables that change its output.
pub(crate) fn cubefall(args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    if cfg!(target_os = "linux") {
        // The tests themselves may run under `nohup`, and the program would keep SIGHUP ignored.
        command = Command::new("/usr/bin/env");
        command.args(["--default-signal=HUP", PROGRAM]);
    }
    with_environment(command.args(args));
    command
}

/// Removes variables that change what the program does, and sets those that drivers need.
pub(crate) fn with_environment(command: &mut Command) -> &mut Command {
    command.env_remove("RUST_LOG");
    // Windows has no such displays, but Wine draws on one, and only with Vulkan.
    if cfg!(unix) {
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WGPU_BACKEND"] {
            command.env_remove(variable);
        }
    }
    // Drivers log an error without this folder.
    command.env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"));
    // The validation layer of Debian 12 refuses what shaders contain for debuggers.
    command.env("WGPU_DEBUG", "0")
}

pub(crate) fn run(args: &[&str]) -> Output {
    cubefall(args).output().unwrap()
}

/// Standard output of a run that succeeded without errors in the log.
pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    assert_no_errors(&stderr(output));
    unchecked_stdout(output)
}

/// Standard output of a run with any exit code.
pub(crate) fn unchecked_stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks the exit code, and that one line of standard error has all of `texts`.
pub(crate) fn assert_fails(output: &Output, code: i32, texts: &[&str]) {
    let stderr = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    let line = stderr.lines().find(|line| texts.iter().all(|text| line.contains(text)));
    assert!(line.is_some(), "{texts:?} is missing in: {stderr}");
    assert_no_errors(&stderr);
}

/// Checks that nothing panicked and that wgpu reported no validation error. A debug build of wgpu also
/// logs an error for each driver that is missing, which is fine.
fn assert_no_errors(stderr: &str) {
    for error in ["panicked", "ERROR cubefall", "ERROR wgpu_core", "Validation", "VALIDATION"] {
        assert!(!stderr.contains(error), "{stderr}");
    }
}

/// Sorted names of the files in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
