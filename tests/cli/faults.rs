//! Missing drivers, displays and memory, and lost graphics devices. Each failure has an exit code and
//! a message of one line, and leaves no partial file.

use std::path::Path;
use std::process::Output;

#[cfg(target_os = "linux")]
use super::program::with_environment;
use super::program::{assert_fails, cubefall, run, stderr, stdout};

/// Checks the exit code, that standard error is one line, and that the folder is empty.
fn assert_fails_clean(output: &Output, folder: &Path, code: i32, expected: &[&str]) {
    assert_fails(output, code, expected);
    assert_one_line(&stderr(output));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "no file is left");
}

/// Lines of other origin count in release builds only: a debug build of wgpu logs more.
fn assert_one_line(stderr: &str) {
    let ours = |line: &&str| cfg!(not(debug_assertions)) || line.starts_with("cubefall: ");
    assert_eq!(stderr.lines().filter(ours).count(), 1, "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_driver_names_the_package_to_install() {
    let [by_variable, by_flag] = [Some("vulkan"), None];
    for (args, variable, code) in [
        (&["render"][..], by_variable, 3),
        (&["adapters"], by_variable, 3),
        (&["render", "--backend", "vulkan"], by_flag, 3),
        (&["render", "--backend", "vulkan", "--adapter", "none"], by_flag, 3),
        // 3 is a regression.
        #[cfg(feature = "benchmark")]
        (&["bench", "sweep", "--frames", "3", "--backend", "vulkan"], by_flag, 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = cubefall(args);
        command.current_dir(folder.path());
        command.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
        command.envs(variable.map(|backend| ("WGPU_BACKEND", backend)));
        let output = command.output().unwrap();
        let expected =
            ["no graphics adapter", "vulkan: no working driver found", "mesa-vulkan-drivers"];
        assert_fails_clean(&output, folder.path(), code, &expected);
    }
}

#[test]
fn a_backend_of_another_system_is_refused() {
    let foreign = if cfg!(target_os = "macos") { "dx12" } else { "metal" };
    let folder = tempfile::tempdir().unwrap();
    let mut command = cubefall(&["render", "--backend", foreign]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let expected = ["no graphics adapter", &format!("{foreign} is not available on "), "choose "];
    assert_fails_clean(&output, folder.path(), 3, &expected);
}

#[test]
fn the_next_adapter_is_opened_when_the_first_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let render = |refusals: usize| {
        let fault = format!("adapter-refusal@{refusals}");
        let args = ["render", "--cubes", "50", "--size", "64x48", "--inject", &fault];
        let mut command = cubefall(&args);
        command.current_dir(folder.path()).env("RUST_LOG", "cubefall=warn").output().unwrap()
    };
    let adapters = stdout(&run(&["adapters"]));
    let adapters: Vec<_> = adapters.lines().collect();
    for refusals in 1..adapters.len() {
        let output = render(refusals);
        let opened = stdout(&output);
        let opened = opened.lines().find_map(|line| line.strip_prefix("adapter: ")).unwrap();
        let log = stderr(&output);
        let refused = |adapter: &&&str| log.contains(&format!("{adapter}: injected refusal"));
        assert_eq!(adapters.iter().filter(refused).count(), refusals, "{log}");
        assert!(adapters.contains(&opened) && !refused(&&opened), "{opened}: {log}");
        std::fs::remove_file(folder.path().join("cubes.png")).unwrap();
    }
    let mut expected = vec!["cannot open a graphics adapter", "update its driver"];
    let refusals: Vec<_> = adapters.iter().map(|adapter| format!("{adapter}: inj")).collect();
    expected.extend(refusals.iter().map(String::as_str));
    let output = render(adapters.len());
    assert_fails(&output, 3, &expected);
    assert_eq!(stderr(&output).matches(&refusals[0]).count(), 1, "{output:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file is left");
}

/// A typing error in `WGPU_BACKEND` must not look like a missing driver.
#[test]
fn an_unknown_backend_in_the_environment_is_ignored() {
    let mut adapters = cubefall(&["adapters"]);
    let wrong = adapters.env("WGPU_BACKEND", "vulcan").output().unwrap();
    assert!(stderr(&wrong).contains("WGPU_BACKEND=vulcan is ignored, expected"), "{wrong:?}");
    assert_eq!(stdout(&wrong), stdout(&adapters.env_remove("WGPU_BACKEND").output().unwrap()));
}

#[cfg(all(target_os = "linux", feature = "app"))]
#[test]
fn without_a_display_an_image_is_rendered_instead() {
    for (display, expected) in [(None, "no display"), (Some(":77"), ":77")] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = cubefall(&["--cubes", "100", "--size", "64x48"]);
        command.current_dir(folder.path()).envs(display.map(|display| ("DISPLAY", display)));
        let output = command.output().unwrap();
        assert!(stdout(&output).contains("wrote cubes.png"));
        let remark = stderr(&output);
        assert!(remark.contains(expected) && remark.contains("off screen"), "{remark}");
        assert_one_line(&remark);
        // An image of the user is not replaced.
        let again = stdout(&command.output().unwrap());
        assert!(again.contains("wrote cubes-0001.png"), "{again}");
        assert_eq!(super::program::names(folder.path()), ["cubes-0001.png", "cubes.png"]);
    }
}

#[cfg(all(target_os = "linux", feature = "app"))]
#[test]
fn require_display_fails_without_a_display() {
    let folder = tempfile::tempdir().unwrap();
    for (variable, expected) in [
        (None, "neither DISPLAY nor WAYLAND_DISPLAY is set"),
        (Some(("DISPLAY", ":77")), ":77"),
        (Some(("WAYLAND_DISPLAY", "wayland-9")), "WAYLAND_DISPLAY"),
    ] {
        let mut command = cubefall(&["--require-display"]);
        let output = command.current_dir(folder.path()).envs(variable).output().unwrap();
        let expected = ["cannot open a window", expected];
        assert_fails_clean(&output, folder.path(), 3, &expected);
    }
}

#[test]
fn rendering_survives_two_device_losses_but_not_three() {
    let folder = tempfile::tempdir().unwrap();
    let render = |name: &str, faults: &[&str]| {
        let mut args = vec!["render", "--cubes", "500", "--size", "160x90", "--frames", "30"];
        args.extend(["--out", name]);
        args.extend(faults.iter().flat_map(|fault| ["--inject", fault]));
        cubefall(&args).current_dir(folder.path()).output().unwrap()
    };
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    stdout(&render("whole.png", &[]));
    for faults in [
        &["device-loss@1"][..],
        &["device-loss@2"],
        &["device-loss-acquired@2"],
        &["device-loss@1", "device-loss@1"],
    ] {
        stdout(&render("lost.png", faults));
        assert!(read("lost.png") == read("whole.png"), "{faults:?} changes the image");
    }

    std::fs::remove_file(folder.path().join("lost.png")).unwrap();
    std::fs::remove_file(folder.path().join("whole.png")).unwrap();
    let output = render("lost.png", &["device-loss@3"]);
    assert_fails_clean(&output, folder.path(), 4, &["cubefall: the graphics device was lost: "]);
    assert!(!stderr(&output).trim_end().ends_with(':'), "{}", stderr(&output));
}

#[test]
fn an_existing_image_is_kept_when_rendering_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cubes.png");
    std::fs::write(&path, "old").unwrap();
    let mut command = cubefall(&["render", "--cubes", "10", "--inject", "device-loss@3"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_fails(&output, 4, &["lost"]);
    assert_eq!(std::fs::read(path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Flags that say how much memory is available, so that the machine does not matter.
#[test]
fn more_cubes_than_memory_holds_are_refused_with_the_largest_count_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (scene, saved) = (path("scene.json"), path("saved"));
    let text = r#"{"version": 1, "name": "many", "templates": {"cube": {"count": 2000000,
        "position": [0, 0, 0]}}}"#;
    std::fs::write(&scene, text).unwrap();
    stdout(&run(&["simulate", "--cubes", "10k", "--frames", "1", "--save", &saved]));

    let largest = (0.9 * f64::from(64 << 20) / cubefall::sim::BYTES_PER_CUBE as f64) as u64;
    let grouped = format!("{},{:03}", largest / 1000, largest % 1000);
    let simulated = format!("the largest count that fits is {grouped}");
    // Those that are drawn need more.
    let drawn = "the largest count that fits is ";
    let small = ["--size", "64x48", "--quality", "low"];
    for args in [
        &["simulate", "--cubes", "2M"][..],
        &["simulate", "--scene", &scene],
        &["render", "--cubes", "2M", "--out", "never.png"],
        &["render", "--scene", &scene, "--out", "never.png"],
        #[cfg(feature = "record")]
        &["record", "--cubes", "2M", "--frames", "1", "--out", "never.gif"],
        #[cfg(feature = "benchmark")]
        &["bench", "--cubes", "2M", "--frames", "1"],
        #[cfg(feature = "benchmark")]
        &["bench", "sweep", "--from", "2M", "--cubes", "4M", "--frames", "1"],
        #[cfg(feature = "benchmark")]
        &["bench", "single", "--scene", &scene, "--frames", "1"],
    ] {
        let empty = tempfile::tempdir().unwrap();
        let mut command = cubefall(args);
        let is_drawn = args[0] != "simulate";
        let fits = if is_drawn { drawn } else { &simulated };
        command.args(small.iter().filter(|_| is_drawn));
        let output = command.args(["--memory", "64M"]).current_dir(empty.path()).output().unwrap();
        let expected = ["the simulation cannot run: not enough memory for 2,000,000 cubes", fits];
        assert_fails_clean(&output, empty.path(), 1, &expected);
    }
    // A count for which there is memory, but not for its snapshot, and a snapshot that does not fit.
    let counted = ["simulate", "--cubes", "10k", "--frames", "1", "--memory", "3M"];
    stdout(&run(&counted));
    let never = path("never");
    let output = run(&[&counted[..], &["--save", &never]].concat());
    assert_fails(&output, 1, &["not enough memory for 10,000 cubes"]);
    let output = run(&["simulate", "--load", &saved, "--memory", "2M"]);
    assert_fails(&output, 1, &["not enough memory for", &saved]);
    assert!(!Path::new(&never).exists());
    stdout(&run(&["simulate", "--load", &saved, "--frames", "1", "--memory", "64M"]));
}

#[test]
fn an_image_that_does_not_fit_into_memory_is_refused_with_the_largest_size_that_does() {
    let tried = |args: &[&str], size: &str| {
        let folder = tempfile::tempdir().unwrap();
        let more = ["--cubes", "1", "--frames", "1", "--quality", "low", "--memory", "8M"];
        let mut command = cubefall(args);
        command.args(more).args(["--size", size]).current_dir(folder.path());
        (command.output().unwrap(), folder)
    };
    let mut widths = Vec::new();
    for args in [
        &["render"][..],
        #[cfg(feature = "record")]
        &["record", "--out", "never.gif"],
        #[cfg(feature = "record")]
        &["record", "--out", "never.gif", "--shutter-samples", "2"],
        #[cfg(feature = "benchmark")]
        &["bench", "--runs", "1", "--warmup", "1"],
    ] {
        let (output, folder) = tried(args, "16384x8192");
        let expected = ["image of 16384x8192 pixels: not enough memory", "the largest size"];
        assert_fails_clean(&output, folder.path(), 1, &expected);
        let text = stderr(&output);
        let largest = text.trim_end().rsplit(' ').next().unwrap();
        let (width, height) = largest.split_once('x').unwrap();
        let [width, height] = [width, height].map(|edge| edge.parse::<u32>().unwrap());
        assert!((200..2000).contains(&width), "{text}");
        widths.push(width);
        let (output, _folder) = tried(args, largest);
        stdout(&output);
        let (output, folder) = tried(args, &format!("{}x{}", width + 2, height + 1));
        assert_fails_clean(&output, folder.path(), 1, &["not enough memory"]);
    }
    assert!(cfg!(not(feature = "record")) || widths[2] < widths[1], "motion blur needs memory");
}

/// A benchmark passes the available memory on to its runs.
#[cfg(feature = "benchmark")]
#[test]
fn a_sweep_ends_before_the_first_count_that_does_not_fit_into_memory() {
    let args =
        ["bench", "sweep", "--cubes", "1M", "--per-decade", "1", "--runs", "1", "--fps", "1"];
    let run_args = ["--frames", "1", "--warmup", "1", "--size", "64x48", "--memory", "8M"];
    let text = stdout(&run(&[&args[..], &run_args].concat()));
    assert!(text.contains("not enough memory for 100,000 cubes"), "{text}");
}

/// Runs with a limited address space, by `ulimit -v` in KiB.
#[cfg(target_os = "linux")]
mod memory {
    use super::*;

    fn run_within(kib: u32, args: &str, folder: &Path) -> Output {
        let limited = format!("ulimit -v {kib} && exec \"$0\" {args}");
        let mut command = std::process::Command::new("sh");
        with_environment(&mut command).current_dir(folder);
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_cubefall")]);
        // One heap for all threads, since each additional heap reserves 64 MiB of address space.
        command.env("MALLOC_ARENA_MAX", "1").output().unwrap()
    }

    #[test]
    fn too_many_cubes_for_memory_are_refused_before_creation() {
        let folder = tempfile::tempdir().unwrap();
        // As if the available memory were unknown.
        for args in ["simulate --cubes 50M", "render --cubes 50M --frames 0"] {
            let args = &format!("{args} --memory 1024G");
            let output = run_within(3_000_000, args, folder.path());
            let expected = ["the simulation cannot run", "not enough memory", "50000001"];
            assert_fails_clean(&output, folder.path(), 1, &expected);
        }
        let output = run_within(3_000_000, "simulate --cubes 50M", folder.path());
        let expected = ["not enough memory for 50,000,000 cubes", "the largest count that fits is"];
        assert_fails_clean(&output, folder.path(), 1, &expected);
    }

    #[test]
    fn an_image_too_large_for_memory_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let args = "render --cubes 10 --frames 0 --size 16384x16384";
        let output = run_within(3_000_000, args, folder.path());
        let expected = ["cannot allocate the image of 16384x16384 pixels"];
        assert_fails(&output, 1, &expected);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
