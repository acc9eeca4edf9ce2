//! Flags of the picture: what they change, and what is said of a wrong value.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::program::{assert_fails, run, stdout};

/// Drawn quickly, and yet with cubes both near and far, ground and shadows.
const SMALL: [&str; 9] =
    ["render", "--cubes", "3000", "--frames", "60", "--size", "320x180", "--seed", "7"];

/// Pixels of a picture drawn with more flags.
fn draw(flags: &[&str]) -> Vec<[u8; 4]> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let text = stdout(&run(&[&SMALL, flags, &["--out", path.to_str().unwrap()]].concat()));
    assert!(text.contains("320x180"), "{text}");
    pixels(&path)
}

fn pixels(path: &Path) -> Vec<[u8; 4]> {
    let file = BufReader::new(File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    bytes.as_chunks().0.to_vec()
}

/// Share of the pixels that differ by more than `tolerance` in a channel.
fn difference(a: &[[u8; 4]], b: &[[u8; 4]], tolerance: u8) -> f64 {
    assert_eq!(a.len(), b.len());
    let differ =
        |(a, b): &(&[u8; 4], &[u8; 4])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > tolerance);
    a.iter().zip(b).filter(differ).count() as f64 / a.len() as f64
}

#[test]
fn each_effect_changes_the_picture_and_quality_is_a_choice_of_them() {
    let high = draw(&["--quality", "high"]);
    assert!(draw(&[]) == high, "a picture is drawn in high quality");
    let mut seen = HashMap::from([(high.clone(), "high")]);
    for flag in ["--shadows", "--msaa", "--fog", "--ground"] {
        let without = draw(&[flag, "off"]);
        let changed = difference(&high, &without, 0);
        assert!(changed > 0.005, "{flag} off changes {changed} of the picture");
        assert_eq!(seen.insert(without, flag), None, "{flag} does what another one does");
        assert!(draw(&[flag, "on"]) == high, "{flag} is on in high quality");
    }
    assert!(draw(&["--quality", "medium"]) == draw(&["--shadows", "off"]));
    let low = draw(&["--quality", "low"]);
    assert!(low == draw(&["--shadows", "off", "--msaa", "off", "--fog", "off"]));
    assert!(draw(&["--quality", "low", "--fog", "on"]) != low, "one flag wins over the choice");
}

#[test]
fn small_cubes_are_drawn_cheaper_and_look_nearly_the_same() {
    let all = draw(&[]);
    assert!(draw(&["--small-cubes", "0"]) == all);
    let small = draw(&["--small-cubes", "16"]);
    let changed = difference(&all, &small, 0);
    assert!(changed > 0.01, "{changed}");
    let much = difference(&all, &small, 100);
    assert!(much < 0.2, "{much} of the picture is very different");
}

#[test]
fn culling_streaming_and_geometry_leave_the_picture_as_it_is() {
    let picture = draw(&["--geometry", "pulled", "--streaming", "staged", "--culling", "off"]);
    assert!(draw(&["--culling", "on"]) == picture, "culling");
    let instanced = draw(&["--geometry", "instanced"]);
    // The two compute corners in another order; an edge may fall on the other side of a sample.
    let changed = difference(&picture, &instanced, 8);
    assert!(changed < 0.005, "geometry changes {changed} of the picture");
    if can_map() {
        assert!(draw(&["--streaming", "mapped"]) == picture, "streaming");
    }
}

/// Whether buffers that shaders read can be mapped here.
fn can_map() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let out = path.to_str().unwrap();
    let tried = run(&["render", "--cubes", "5", "--streaming", "mapped", "--out", out]);
    if !tried.status.success() {
        assert_fails(&tried, 2, &["cannot stream by mapped buffers; use staged"]);
    }
    tried.status.success()
}

#[test]
fn each_backend_that_is_there_draws_the_same_scene() {
    let adapters = stdout(&run(&["adapters"]));
    let there = ["vulkan", "metal", "dx12", "gl"]
        .into_iter()
        .filter(|backend| adapters.contains(&format!(", {backend}, ")));
    let pictures: Vec<_> = there.map(|backend| draw(&["--backend", backend])).collect();
    for other in &pictures[1..] {
        let changed = difference(&pictures[0], other, 16);
        assert!(changed < 0.02, "{changed} of the picture is different");
    }
}

#[test]
fn an_adapter_is_chosen_by_a_part_of_its_name() {
    let adapters = stdout(&run(&["adapters"]));
    let name = adapters.lines().next().unwrap().split(' ').next().unwrap();
    draw(&["--adapter", &name.to_uppercase()]);
    let none = run(&["render", "--adapter", "voodoo 9000"]);
    assert_fails(&none, 2, &["no graphics adapter has \"voodoo 9000\" in its name", name]);
}

#[test]
fn a_software_adapter_is_no_gpu() {
    let adapters = stdout(&run(&["adapters"]));
    let Some(line) = adapters.lines().find(|line| line.contains("software (CPU)")) else { return };
    let name = &line[..line.find(" (software").unwrap()];
    let output = run(&["render", "--require-gpu", "--adapter", name]);
    assert_fails(&output, 3, &["no GPU", name, "draws on the CPU", "--require-gpu"]);
}

#[test]
fn wrong_values_are_usage_errors_that_list_the_choices() {
    for (flag, choices) in [
        ("--backend", &["vulkan", "metal", "dx12", "gl"][..]),
        ("--quality", &["low", "medium", "high"]),
        ("--geometry", &["pulled", "instanced"]),
        ("--streaming", &["mapped", "staged"]),
        ("--shadows", &["on", "off"]),
        ("--msaa", &["on", "off"]),
        ("--fog", &["on", "off"]),
        ("--ground", &["on", "off"]),
        ("--culling", &["on", "off"]),
    ] {
        let output = run(&["render", flag, "pink"]);
        assert_fails(&output, 2, &[flag, "pink"]);
        assert_fails(&output, 2, &[&["possible values"], choices].concat());
    }
    for wrong in ["-1", "17", "nan", "inf", "many"] {
        let output = run(&["render", &format!("--small-cubes={wrong}")]);
        assert_fails(&output, 2, &["--small-cubes", wrong, "from 0 to 16"]);
    }
    assert_fails(&run(&["render", "--inject", "fire@3"]), 2, &["device-loss@N"]);
}

#[cfg(feature = "app")]
#[test]
fn wrong_values_for_the_window_are_usage_errors_too() {
    let output = run(&["--present", "pink"]);
    let modes = ["vsync", "no-vsync", "fifo", "fifo-relaxed", "mailbox", "immediate"];
    assert_fails(&output, 2, &[&["possible values"], &modes[..]].concat());
    let both = run(&["--present", "fifo", "--no-vsync"]);
    assert_fails(&both, 2, &["--present", "--no-vsync"]);
    assert_fails(&run(&["--require-display", "render"]), 2, &["--require-display"]);
}

#[test]
fn help_names_every_flag_but_that_for_faults() {
    let text = stdout(&run(&["render", "--help"]));
    for flag in [
        "--backend",
        "--adapter",
        "--require-gpu",
        "--quality",
        "--shadows",
        "--msaa",
        "--fog",
        "--ground",
        "--culling",
        "--small-cubes",
        "--geometry",
        "--streaming",
    ] {
        assert!(text.contains(flag), "{flag} is missing in: {text}");
    }
    let window = stdout(&run(&["--help"]));
    for text in [text, window] {
        assert!(!text.contains("inject") && !text.contains("device-loss"), "{text}");
    }
}
