//! Main memory per cube: the estimates by which counts are refused are not below the peaks.

use std::sync::Arc;

use cubefall::components::{FallMode, Motion};
use cubefall::scenes::Scene;
use cubefall::sim::{
    ADDED_BYTES_PER_CUBE, BYTES_PER_CUBE, SAVE_BYTES_PER_CUBE, SceneSettings, SceneSource,
    Simulation, SnapshotFile, Tuning,
};

use crate::run;

const CUBES: u32 = 20_000;

const SPINNING: Tuning = Tuning { gravity: 1.0, time: 1.0, spin: 1.0 };

/// Cubes of the classic scene, and of a scene file with all components that a template can have.
fn sources() -> [SceneSource; 2] {
    let text = format!(
        r##"{{"version": 1, "name": "spinning", "tuning": {{"spin": 1}}, "templates": {{"cube":
            {{"count": {CUBES}, "position": [0, 90, 0], "color": "#ff0000", "gravity": 1}}}}}}"##
    );
    let scene = Arc::new(Scene::parse("spinning", text.as_bytes()).unwrap());
    [SceneSettings { cubes: CUBES, seed: 1 }.into(), (&scene).into()]
}

/// Checks the largest number of bytes that are allocated at a time against an estimate per cube, which
/// must not be far above it either.
fn assert_peak(what: &str, estimate: u64, run: impl FnOnce()) {
    // Whatever does not grow with the number of cubes.
    const FIXED: u64 = 200_000;
    let peak = allocation_counter::measure(run).bytes_max;
    let estimate = estimate * u64::from(CUBES);
    assert!(peak <= estimate + FIXED, "{what}: {peak} bytes, estimated {estimate}");
    assert!(peak * 5 >= estimate * 2, "{what}: {peak} bytes, estimated {estimate}");
}

#[test]
fn simulation_needs_no_more_than_the_estimate() {
    for (source, mode) in
        sources().into_iter().flat_map(|source| FallMode::ALL.map(|mode| (source.clone(), mode)))
    {
        assert_peak(&format!("created, {mode}"), BYTES_PER_CUBE, || {
            drop(Simulation::new(source.clone(), mode).unwrap());
        });
        assert_peak(&format!("run, {mode}"), BYTES_PER_CUBE, || {
            let mut simulation = Simulation::new(source.clone(), mode).unwrap();
            simulation.set_tuning(SPINNING).unwrap();
            run(&mut simulation, 3);
            simulation.set_mode(mode.flipped()).unwrap();
            run(&mut simulation, 3);
            simulation.set_mode(mode).unwrap();
        });
    }
}

#[test]
fn evaluated_motion_needs_no_more_than_the_estimate() {
    for source in sources() {
        for motion in Motion::ALL {
            // 16,384 buckets of the calendar: 24 bytes each, and 48 with the first entry.
            let estimate = BYTES_PER_CUBE + 16_384 * (24 + 48) / u64::from(CUBES);
            assert_peak(&format!("switched to evaluated and {motion}"), estimate, || {
                let mut simulation = Simulation::new(source.clone(), FallMode::Cubes).unwrap();
                simulation.set_motion(Motion::Evaluated).unwrap();
                run(&mut simulation, 300);
                simulation.set_motion(motion).unwrap();
                run(&mut simulation, 3);
                simulation.set_mode(FallMode::Camera).unwrap();
                simulation.set_mode(FallMode::Cubes).unwrap();
            });
        }
    }
}

#[test]
fn grown_simulation_needs_no_more_than_the_estimate() {
    for mode in FallMode::ALL {
        for initial in [1, CUBES / 2] {
            assert_peak(&format!("grown from {initial}, {mode}"), ADDED_BYTES_PER_CUBE, || {
                let settings = SceneSettings { cubes: initial, seed: 1 };
                let mut simulation = Simulation::new(settings, mode).unwrap();
                simulation.set_tuning(SPINNING).unwrap();
                simulation.cubes_mut().set_count(CUBES).unwrap();
            });
        }
    }
}

#[test]
fn saving_and_loading_need_no_more_than_the_estimates() {
    for (source, mode) in
        sources().into_iter().flat_map(|source| FallMode::ALL.map(|mode| (source.clone(), mode)))
    {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_peak(&format!("saved, {mode}"), BYTES_PER_CUBE + SAVE_BYTES_PER_CUBE, || {
            let mut simulation = Simulation::new(source.clone(), mode).unwrap();
            simulation.set_tuning(SPINNING).unwrap();
            simulation.save(file.as_file()).unwrap();
        });
        let need = SnapshotFile::open(file.path()).unwrap().memory_need();
        assert_peak(&format!("loaded, {mode}"), need / u64::from(CUBES), || {
            drop(Simulation::load(file.path()).unwrap());
        });
    }
}
