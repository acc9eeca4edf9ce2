//! `--save` and `--load`.

use cubefall::sim::{FallMode, SceneSettings, Simulation};

use super::program::{assert_fails, names, run, stdout};
use super::simulate::state_hash;

#[test]
fn a_loaded_simulation_continues_to_the_same_state() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fall.cubes");
    let file = file.to_str().unwrap();
    for mode in ["cubes-fall", "camera-falls"] {
        let scene = ["--cubes", "3k", "--seed", "8", "--mode", mode];
        let whole = state_hash(&[&scene[..], &["--frames", "500"]].concat());
        let text = stdout(&run(
            &[&["simulate"], &scene[..], &["--frames", "200", "--save", file]].concat()
        ));
        assert!(text.contains(&format!("saved: {file}")), "{text}");
        assert_eq!(state_hash(&["--load", file, "--frames", "300"]), whole, "{mode}");
        let json = stdout(&run(&["simulate", "--load", file, "--frames", "0", "--json"]));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&json["cubes"], &json["seed"]), (&3000.into(), &8.into()));
        assert_eq!(json["mode"], mode);
        assert_eq!(json["motion"], "integrated");
    }
    // The flag applies to a loaded state, too.
    let evaluated = ["--load", file, "--motion", "evaluated", "--frames", "9", "--json"];
    let json = stdout(&run(&[&["simulate"], &evaluated[..]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["motion"], "evaluated");
    assert_eq!(names(folder.path()), ["fall.cubes"]);
}

#[test]
fn loading_ends_the_pause_and_the_flight_of_a_saved_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("paused.cubefall");
    let mut simulation =
        Simulation::new(SceneSettings { cubes: 50, seed: 3 }, FallMode::Cubes).unwrap();
    simulation.set_paused(true);
    simulation.camera_mut().controls().motion = glam::Vec3::Z;
    simulation.save(&mut std::fs::File::create(&path).unwrap()).unwrap();
    let file = path.to_str().unwrap();
    let moved = state_hash(&["--load", file, "--frames", "7"]);
    assert_eq!(moved, state_hash(&["--cubes", "50", "--seed", "3", "--frames", "7"]));
}

#[test]
fn an_invalid_saved_file_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good"), folder.path().join("bad"));
    let [good, bad] = [good.to_str().unwrap(), bad.to_str().unwrap()];
    state_hash(&["--cubes", "20", "--frames", "3", "--save", good]);
    let whole = std::fs::read(good).unwrap();
    let missing = run(&["simulate", "--load", bad]);
    assert_fails(&missing, 2, &["cannot load", bad]);
    for (content, expected) in [
        (&b"PNG"[..], "not a saved state"),
        (&whole[..whole.len() / 2], "damaged"),
        (b"CUBEFALL\x0a\0\0\0 and more than a header", "format 10"),
    ] {
        std::fs::write(bad, content).unwrap();
        let out = folder.path().join("never.png");
        let out = out.to_str().unwrap();
        assert_fails(&run(&["simulate", "--load", bad, "--save", out]), 2, &[bad, expected]);
        #[cfg(feature = "render")]
        assert_fails(&run(&["render", "--load", bad, "--out", out]), 2, &[bad, expected]);
        assert!(!std::path::Path::new(out).exists());
    }
    for flag in [["--cubes", "5"], ["--seed", "5"], ["--mode", "camera-falls"]] {
        let both = run(&[&["simulate", "--load", good], &flag[..]].concat());
        assert_fails(&both, 2, &["--load", flag[0], "cannot be used with"]);
    }
}

#[test]
fn an_unwritable_path_is_refused_before_the_first_step() {
    for path in ["/nonexistent/a", "/", "/dev/full"] {
        let output = run(&["simulate", "--cubes", "5", "--save", path]);
        assert_fails(&output, 5, &["cannot write", path]);
        assert!(output.stdout.is_empty());
    }
}

#[cfg(feature = "render")]
#[test]
fn a_loaded_simulation_renders_the_same_image() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, direct, loaded) = (path("fall"), path("direct.png"), path("loaded.png"));
    state_hash(&["--cubes", "500", "--frames", "80", "--save", &file]);
    let render = |flags: &[&str], to: &str, more: &[&str]| {
        let size = ["--size", "160x90", "--out", to];
        let text = stdout(&run(&[&["render"], flags, &size, more].concat()));
        assert!(text.contains("500 cubes"), "{text}");
        std::fs::read(to).unwrap()
    };
    for more in [&[][..], &["--camera", "0,20,90"], &["--palette", "ocean"]] {
        let direct = render(&["--cubes", "500", "--frames", "100"], &direct, more);
        let loaded = render(&["--load", &file, "--frames", "20"], &loaded, more);
        assert!(direct == loaded, "{more:?}");
    }
}
