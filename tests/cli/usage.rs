//! Usage errors and help.

use crate::program::{assert_fails, run, stdout};

#[test]
fn invalid_values_are_usage_errors_that_list_the_choices() {
    let mode = run(&["simulate", "--mode", "up"]);
    assert_fails(&mode, 2, &["possible values", "cubes-fall", "camera-falls"]);
    for count in ["0", "-5", "ten", "4000000000", "1.5", ""] {
        let output = run(&["simulate", &format!("--cubes={count}")]);
        assert_fails(&output, 2, &["--cubes", "1 to 100M", "10k"]);
    }
    for dt in ["0", "-1", "nan", "inf", "3600", "1/0"] {
        assert_fails(&run(&["simulate", &format!("--dt={dt}")]), 2, &["--dt", "0.25"]);
    }
    assert_fails(&run(&["simulate", "--dt=soon"]), 2, &["--dt", "1/60"]);
    assert_fails(&run(&["simulate", "--threads=0"]), 2, &["--threads", "1..=256"]);
    assert_fails(&run(&["simulate", "--frames=99999999"]), 2, &["--frames", "10000000"]);
    assert_fails(&run(&["simulate", "--seed=-1"]), 2, &["--seed"]);
    assert_fails(&run(&["simulate", "--color"]), 2, &["--color"]);
    assert_fails(&run(&["fall"]), 2, &["fall"]);
}

#[test]
fn help_has_commands_examples_and_exit_codes() {
    let text = stdout(&run(&["--help"]));
    for expected in ["simulate", "Examples:", "--json", "Exit codes"] {
        assert!(text.contains(expected), "{expected} is missing in: {text}");
    }
    assert_eq!(stdout(&run(&["--version"])), concat!("cubefall ", env!("CARGO_PKG_VERSION"), "\n"));
}
