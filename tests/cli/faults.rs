//! What goes wrong on machines that are not like this one: no driver, no display, no memory, a
//! graphics device that is lost. Each ends with its exit code and one line that says why, and leaves
//! no half of a file.

use std::path::Path;
use std::process::Output;

use super::program::{assert_fails, cubefall, run, stderr, stdout};

/// Ends with `code` and nothing but one line, and has left nothing in its folder.
fn assert_fails_clean(output: &Output, folder: &Path, code: i32, says: &[&str]) {
    assert_fails(output, code, says);
    assert_one_line(&stderr(output));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "nothing is left behind");
}

/// A debug build of wgpu has more to say.
fn assert_one_line(stderr: &str) {
    let ours = |line: &&str| cfg!(not(debug_assertions)) || line.starts_with("cubefall: ");
    assert_eq!(stderr.lines().filter(ours).count(), 1, "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_driver_it_says_what_to_install() {
    let [by_variable, by_flag] = [Some("vulkan"), None];
    for (args, variable) in [
        (&["render"][..], by_variable),
        (&["adapters"], by_variable),
        (&["render", "--backend", "vulkan"], by_flag),
        (&["render", "--backend", "vulkan", "--adapter", "none"], by_flag),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = cubefall(args);
        command.current_dir(folder.path());
        command.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
        command.envs(variable.map(|backend| ("WGPU_BACKEND", backend)));
        let output = command.output().unwrap();
        let says = ["no graphics adapter", "vulkan drivers/libraries", "mesa-vulkan-drivers"];
        assert_fails_clean(&output, folder.path(), 3, &says);
    }
}

#[test]
fn a_backend_that_is_not_of_this_system_says_so() {
    let foreign = if cfg!(target_os = "macos") { "dx12" } else { "metal" };
    let folder = tempfile::tempdir().unwrap();
    let mut command = cubefall(&["render", "--backend", foreign]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let says = ["no graphics adapter", &format!("{foreign} support not compiled in")];
    assert_fails_clean(&output, folder.path(), 3, &says);
}

/// A typing error in a variable of wgpu's must not look like a machine without a driver.
#[test]
fn an_unknown_backend_in_the_environment_is_none() {
    let output = cubefall(&["adapters"]).env("WGPU_BACKEND", "vulcan").output().unwrap();
    assert_eq!(stdout(&output), stdout(&run(&["adapters"])));
}

#[cfg(all(target_os = "linux", feature = "app"))]
#[test]
fn without_a_display_it_says_so_and_draws_a_picture() {
    for (display, says) in [(None, "no display"), (Some(":77"), ":77")] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = cubefall(&["--cubes", "100", "--size", "64x48"]);
        command.current_dir(folder.path()).envs(display.map(|display| ("DISPLAY", display)));
        let output = command.output().unwrap();
        assert!(stdout(&output).contains("wrote cubes.png"));
        let remark = stderr(&output);
        assert!(remark.contains(says) && remark.contains("off screen"), "{remark}");
        assert_one_line(&remark);
        assert!(folder.path().join("cubes.png").exists());
    }
}

#[cfg(all(target_os = "linux", feature = "app"))]
#[test]
fn a_window_that_was_asked_for_is_a_failure_without_a_display() {
    let folder = tempfile::tempdir().unwrap();
    for (variable, says) in [
        (None, "DISPLAY is not set"),
        (Some(("DISPLAY", ":77")), ":77"),
        (Some(("WAYLAND_DISPLAY", "wayland-9")), "WAYLAND_DISPLAY"),
    ] {
        let mut command = cubefall(&["--require-display"]);
        let output = command.current_dir(folder.path()).envs(variable).output().unwrap();
        let says = ["no window can be opened", says];
        assert_fails_clean(&output, folder.path(), 3, &says);
    }
}

#[test]
fn a_picture_comes_through_two_losses_of_the_device_and_not_through_three() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |name: &str, faults: &[&str]| {
        let mut args = vec!["render", "--cubes", "500", "--size", "160x90", "--frames", "30"];
        args.extend(["--out", name]);
        args.extend(faults.iter().flat_map(|fault| ["--inject", fault]));
        cubefall(&args).current_dir(folder.path()).output().unwrap()
    };
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    stdout(&picture("whole.png", &[]));
    for faults in [
        &["device-loss@1"][..],
        &["device-loss@2"],
        &["device-loss-acquired@2"],
        &["device-loss@1", "device-loss@1"],
    ] {
        stdout(&picture("lost.png", faults));
        assert!(read("lost.png") == read("whole.png"), "{faults:?} changes the picture");
    }

    std::fs::remove_file(folder.path().join("lost.png")).unwrap();
    std::fs::remove_file(folder.path().join("whole.png")).unwrap();
    let output = picture("lost.png", &["device-loss@3"]);
    assert_fails_clean(&output, folder.path(), 4, &["cubefall: the graphics device was lost: "]);
    assert!(!stderr(&output).trim_end().ends_with(':'), "{}", stderr(&output));
}

#[test]
fn a_picture_that_exists_is_kept_when_a_new_one_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cubes.png");
    std::fs::write(&path, "old").unwrap();
    let mut command = cubefall(&["render", "--cubes", "10", "--inject", "device-loss@3"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_fails(&output, 4, &["lost"]);
    assert_eq!(std::fs::read(path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The shell's `ulimit -v` caps the address space, in KiB.
#[cfg(target_os = "linux")]
mod memory {
    use super::*;

    fn run_within(kib: u32, args: &str, folder: &Path) -> Output {
        let limited = format!("ulimit -v {kib} && exec \"$0\" {args}");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_cubefall")]).current_dir(folder);
        command.env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR")).env_remove("RUST_LOG");
        // One heap for all threads: each further one reserves 64 MiB of the little there is.
        command.env("MALLOC_ARENA_MAX", "1").output().unwrap()
    }

    #[test]
    fn more_cubes_than_fit_into_memory_are_refused_before_any_is_made() {
        let folder = tempfile::tempdir().unwrap();
        for args in ["simulate --cubes 50M", "render --cubes 50M --frames 0"] {
            let output = run_within(3_000_000, args, folder.path());
            let says = ["the simulation cannot run", "not enough memory", "50000001"];
            assert_fails_clean(&output, folder.path(), 1, &says);
        }
    }

    #[test]
    fn a_picture_too_large_for_memory_says_what_had_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let args = "render --cubes 10 --frames 0 --size 16384x16384";
        let output = run_within(3_000_000, args, folder.path());
        let says = ["graphics adapter cannot allocate", "16384x16384 pixels"];
        assert_fails(&output, 1, &says);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
