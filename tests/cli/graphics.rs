//! Graphics flags: their effect on the image, and errors about invalid values.

use std::collections::HashMap;

use super::png;
use super::program::{assert_fails, run, stdout};

/// Fast to render, with near and far cubes, ground and shadows.
const SMALL: [&str; 9] =
    ["render", "--cubes", "3000", "--frames", "60", "--size", "320x180", "--seed", "7"];

/// Pixels of an image rendered with additional flags.
fn render(flags: &[&str]) -> Vec<[u8; 4]> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    let text = stdout(&run(&[&SMALL, flags, &["--out", path.to_str().unwrap()]].concat()));
    assert!(text.contains("320x180"), "{text}");
    let (color_type, _, frames) = png::read(&path);
    assert_eq!(color_type, ::png::ColorType::Rgba);
    frames[0].1.as_chunks().0.to_vec()
}

/// Share of pixels that differ by more than `tolerance` in a channel.
fn difference(a: &[[u8; 4]], b: &[[u8; 4]], tolerance: u8) -> f64 {
    assert_eq!(a.len(), b.len());
    let differ =
        |(a, b): &(&[u8; 4], &[u8; 4])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > tolerance);
    a.iter().zip(b).filter(differ).count() as f64 / a.len() as f64
}

#[test]
fn each_effect_changes_the_image_and_quality_presets_combine_them() {
    let high = render(&["--quality", "high"]);
    assert!(render(&[]) == high, "images are rendered in high quality by default");
    let mut seen = HashMap::from([(high.clone(), "high")]);
    for flag in ["--shadows", "--msaa", "--fog", "--ground"] {
        let without = render(&[flag, "off"]);
        let changed = difference(&high, &without, 0);
        assert!(changed > 0.005, "{flag} off changes {changed} of the image");
        assert_eq!(seen.insert(without, flag), None, "{flag} has the effect of another flag");
        assert!(render(&[flag, "on"]) == high, "{flag} is on in high quality");
    }
    let of_high = ["--shadows", "off", "--ao", "block", "--bloom", "off"];
    assert!(render(&["--quality", "medium"]) == render(&of_high));
    let low = render(&["--quality", "low"]);
    let of_medium = ["--shadows", "--msaa", "--fog", "--bloom", "--ao", "--dither"];
    assert!(low == render(&of_medium.map(|flag| [flag, "off"]).concat()));
    assert!(
        render(&["--quality", "low", "--fog", "on"]) != low,
        "a single flag overrides the preset"
    );
}

/// As NVIDIA's driver gives it.
#[test]
#[cfg(target_os = "linux")]
fn opengl_3_3_draws_the_same_image() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    let flags = [&SMALL[..], &["--backend", "gl", "--out", path.to_str().unwrap()]].concat();
    let draw = |versions: &[(&str, &str)]| {
        let mut command = super::program::cubefall(&flags);
        let text = stdout(&command.envs(versions.iter().copied()).output().unwrap());
        (text, png::read(&path).2[0].1.clone())
    };
    let versions = [("MESA_GL_VERSION_OVERRIDE", "3.3"), ("MESA_GLSL_VERSION_OVERRIDE", "330")];
    let (text, image) = draw(&versions);
    assert!(text.contains("gl, 3.3"), "{text}");
    assert!(image == draw(&[]).1);
}

#[test]
fn small_cubes_as_triangles_look_nearly_the_same() {
    let all = render(&[]);
    assert!(render(&["--small-cubes", "0"]) == all);
    let small = render(&["--small-cubes", "16"]);
    let changed = difference(&all, &small, 0);
    assert!(changed > 0.01, "{changed}");
    let much = difference(&all, &small, 100);
    assert!(much < 0.2, "{much} of the image is very different");
}

#[test]
fn culling_streaming_and_geometry_do_not_change_the_image() {
    let image = render(&["--geometry", "pulled", "--streaming", "staged", "--culling", "off"]);
    assert!(render(&["--culling", "on"]) == image, "culling");
    let instanced = render(&["--geometry", "instanced"]);
    // Corners are computed in another order, which may move an edge across a sample.
    let changed = difference(&image, &instanced, 8);
    assert!(changed < 0.005, "geometry changes {changed} of the image");
    if can_map() {
        assert!(render(&["--streaming", "mapped"]) == image, "streaming");
    }
}

/// Whether the adapter can map the buffers that shaders read.
fn can_map() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    let out = path.to_str().unwrap();
    let tried = run(&["render", "--cubes", "5", "--streaming", "mapped", "--out", out]);
    if !tried.status.success() {
        assert_fails(&tried, 2, &["cannot stream by mapped buffers; use staged"]);
    }
    tried.status.success()
}

#[test]
fn all_backends_render_the_same_scene() {
    let adapters = stdout(&run(&["adapters"]));
    let available = ["vulkan", "metal", "dx12", "gl"]
        .into_iter()
        .filter(|backend| adapters.contains(&format!(", {backend}, ")));
    let images: Vec<_> = available.map(|backend| render(&["--backend", backend])).collect();
    for other in &images[1..] {
        let changed = difference(&images[0], other, 16);
        assert!(changed < 0.02, "{changed} of the image is different");
    }
}

#[test]
fn an_adapter_is_selected_by_a_part_of_its_name() {
    let adapters = stdout(&run(&["adapters"]));
    let name = adapters.lines().next().unwrap().split(' ').next().unwrap();
    render(&["--adapter", &name.to_uppercase()]);
    let none = run(&["render", "--adapter", "voodoo 9000"]);
    assert_fails(&none, 3, &["no graphics adapter has \"voodoo 9000\" in its name", name]);
}

#[test]
fn require_gpu_refuses_a_software_adapter() {
    let adapters = stdout(&run(&["adapters"]));
    let Some(line) = adapters.lines().find(|line| line.contains("software (CPU)")) else { return };
    let name = &line[..line.find(" (software").unwrap()];
    let output = run(&["render", "--require-gpu", "--adapter", name]);
    assert_fails(&output, 3, &["no GPU", name, "draws on the CPU", "--require-gpu"]);
}

#[test]
fn invalid_values_are_usage_errors_that_list_the_choices() {
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
        assert_fails(&output, 2, &["--small-cubes", wrong, "expected 0 to 16 pixels"]);
    }
    assert_fails(&run(&["render", "--inject", "fire@3"]), 2, &["device-loss@N"]);
}

#[cfg(feature = "app")]
#[test]
fn invalid_window_flags_are_usage_errors() {
    let output = run(&["--present", "pink"]);
    let modes = ["vsync", "no-vsync", "fifo", "fifo-relaxed", "mailbox", "immediate"];
    assert_fails(&output, 2, &[&["possible values"], &modes[..]].concat());
    let both = run(&["--present", "fifo", "--no-vsync"]);
    assert_fails(&both, 2, &["--present", "--no-vsync"]);
    assert_fails(&run(&["--require-display", "render"]), 2, &["--require-display"]);
}

#[test]
fn help_does_not_name_the_flag_for_faults() {
    let text = stdout(&run(&["render", "--help"]));
    let window = stdout(&run(&["--help"]));
    for text in [text, window] {
        assert!(!text.contains("inject") && !text.contains("device-loss"), "{text}");
    }
}
