//! Cubes with evaluated motion are uploaded where they have changed.

use cubefall::components::{Epoch, Velocity};
use cubefall::render::{ChangeTracked, Geometry, Gpu, GpuSettings, Image, Quality, SceneView};
use glam::Quat;

use crate::cases::WHITE;
use crate::harness::gpu;
use crate::moving::{Moving, Random, assert_alike, harness, size};
use crate::test_scene::{TestScene, next_revision};

/// Bytes of a cube's record and color on the GPU.
const RECORD: u64 = 72;
const COLOR: u64 = 4;
/// Bytes of the uniform buffer, which each frame uploads.
const GLOBALS: u64 = 448;
/// Bytes of an index, which a scattered upload has for each cube, and of the number of cubes for each page.
const INDEX: u64 = 4;

/// The change log of an array with changes of single values.
struct Log {
    first: u64,
    recent: Vec<u32>,
}

impl Log {
    fn new() -> Self {
        Self { first: next_revision(), recent: Vec::new() }
    }

    fn of<'a, T>(&'a self, array: &ChangeTracked<'a, T>) -> ChangeTracked<'a, T> {
        let latest = self.first + self.recent.len() as u64;
        ChangeTracked { latest, recent: &self.recent, ..*array }
    }
}

/// Draws with a new renderer.
fn drawn_afresh(gpu: &Gpu, geometry: Geometry, scene: &SceneView<'_>) -> Image {
    harness(gpu, geometry, Quality::Low).draw(scene, size())
}

#[test]
fn only_changed_cubes_are_uploaded() {
    let gpu = gpu();
    for geometry in [Geometry::Pulled, Geometry::Instanced] {
        let mut moving = Moving::new(1000, 1.5);
        let mut harness = harness(&gpu, geometry, Quality::Low);
        let mut log = Log::new();
        harness.draw(&tracked(&moving, &log), size());
        assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + 1000 * (RECORD + COLOR));
        harness.draw(&tracked(&moving, &log), size());
        assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS, "nothing but the time");

        // One of them twice, two are adjacent, and one is the last.
        let mut random = Random(3);
        for cube in [50, 999, 35, 36, 50] {
            renew(&mut moving, &mut log, cube, &mut random);
            moving.test_scene.scales[cube].0 = 4.0;
        }
        moving.now = moving.now.wrapping_add(20_000);
        let drawn = harness.draw(&tracked(&moving, &log), size());
        assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + 4 * (RECORD + COLOR));
        let expected = drawn_afresh(&gpu, geometry, &moving.evaluated().scene());
        assert_alike(&format!("{geometry:?}"), &drawn, &expected);
    }
}

/// Gives a cube a new place and a new course.
fn renew(moving: &mut Moving, log: &mut Log, cube: usize, random: &mut Random) {
    moving.test_scene.positions[cube].0 = random.vector() * 20.0;
    moving.test_scene.rotations[cube].0 = Quat::from_rotation_x(random.next());
    moving.test_scene.colors[cube] = WHITE;
    if let Some(epoch) = moving.epochs.get_mut(cube) {
        *epoch = Epoch(moving.now);
        moving.velocities[cube] = Velocity(random.vector() * 10.0);
    }
    log.recent.push(cube as u32);
}

/// Whether a cube is new, the number of those that are uploaded then, and whether scattered.
type Pattern = (fn(usize) -> bool, u64, bool);

#[test]
fn many_changes_are_uploaded() {
    let whole = gpu();
    let settings = GpuSettings { max_buffer_size: Some(1 << 20), ..GpuSettings::default() };
    let paged = pollster::block_on(Gpu::headless(&settings)).unwrap();
    for (gpu, geometry) in
        [(&whole, Geometry::Pulled), (&paged, Geometry::Pulled), (&paged, Geometry::Instanced)]
    {
        let count = 40_003;
        let mut moving = Moving::new(count, 0.6);
        let mut harness = harness(gpu, geometry, Quality::Low);
        let mut log = Log::new();
        let mut before = harness.draw(&tracked(&moving, &log), size());
        let mut random = Random(5);
        // Few cubes, with the last one; half of them, which are uploaded with the others; long runs, some of
        // which cross the end of a page.
        let patterns: [Pattern; 3] = [
            (|cube| cube % 48 == 0 || cube == 40_002, 835, true),
            (|cube| cube % 2 == 0, 40_003, false),
            (|cube| cube % 440 < 100, 9_100, true),
        ];
        for (is_new, changed, is_scattered) in patterns {
            for cube in (0..count).filter(|&cube| is_new(cube)) {
                renew(&mut moving, &mut log, cube, &mut random);
            }
            moving.now = moving.now.wrapping_add(10_000);
            let drawn = harness.draw(&tracked(&moving, &log), size());
            let afresh = drawn_afresh(gpu, geometry, &moving.view());
            assert!(drawn == afresh && drawn != before, "{geometry:?}, {changed}");
            let uploaded = harness.renderer.uploaded_bytes() - GLOBALS - changed * (RECORD + COLOR);
            let indices =
                if is_scattered { INDEX * changed..=INDEX * (changed + 4) } else { 0..=0 };
            assert!(indices.contains(&uploaded), "{geometry:?}, {changed}: {uploaded} bytes");
            before = drawn;
        }
    }
}

#[test]
fn many_changes_of_one_array_are_uploaded_beside_all_elements_of_the_other() {
    let gpu = gpu();
    for geometry in [Geometry::Pulled, Geometry::Instanced] {
        let count = 5000;
        let mut moving = Moving::new(count, 1.0);
        let mut harness = harness(&gpu, geometry, Quality::Low);
        let (mut log, mut random) = (Log::new(), Random(5));
        let mut renew_some = |moving: &mut Moving, log: &mut Log| {
            for cube in (0..count).step_by(50) {
                renew(moving, log, cube, &mut random);
            }
        };
        let scattered = 100 * (INDEX + RECORD + COLOR) + INDEX;
        let all_white = vec![WHITE; count];
        harness.draw(&tracked(&moving, &log), size());
        renew_some(&mut moving, &mut log);
        let colors = ChangeTracked::new(&all_white, next_revision());
        let view = SceneView { colors, ..tracked(&moving, &log) };
        let drawn = harness.draw(&view, size());
        assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + scattered + 5000 * COLOR);
        assert!(drawn == drawn_afresh(&gpu, geometry, &view));

        log = Log::new();
        harness.draw(&tracked(&moving, &log), size());
        renew_some(&mut moving, &mut log);
        let mut view = tracked(&moving, &log);
        view.motion.as_mut().unwrap().spin_factor = 0.25;
        let drawn = harness.draw(&view, size());
        assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + scattered + 5000 * RECORD);
        assert!(drawn == drawn_afresh(&gpu, geometry, &view));
    }
}

/// The view of moving cubes with the same log for all arrays.
fn tracked<'a>(moving: &'a Moving, log: &'a Log) -> SceneView<'a> {
    let view = moving.view();
    SceneView {
        positions: log.of(&view.positions),
        rotations: log.of(&view.rotations),
        scales: log.of(&view.scales),
        colors: log.of(&view.colors),
        ..view
    }
}

#[test]
fn a_change_of_the_moving_cubes_or_of_a_factor_is_uploaded() {
    let gpu = gpu();
    let mut moving = Moving::new(300, 2.0);
    let mut harness = harness(&gpu, Geometry::Pulled, Quality::Low);
    harness.draw(&moving.view(), size());
    moving.epochs.truncate(200);
    moving.velocities.truncate(200);
    moving.accelerations.truncate(200);
    moving.gravities.truncate(200);
    moving.angular_velocities.truncate(150);
    let drawn = harness.draw(&moving.view(), size());
    // 70 have come to rest, and 50 of the others no longer spin.
    assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + (70 + 50) * RECORD);
    let afresh = drawn_afresh(&gpu, Geometry::Pulled, &moving.view());
    assert!(drawn == afresh);
    let mut view = moving.view();
    view.motion.as_mut().unwrap().spin_factor = 0.0;
    assert!(harness.draw(&view, size()) != drawn);
    assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + 300 * RECORD);
}

#[test]
fn cubes_are_added_without_uploading_the_others() {
    let gpu = gpu();
    let mut moving = Moving::new(2000, 1.0);
    let mut harness = harness(&gpu, Geometry::Pulled, Quality::Low);
    let mut log = Log::new();
    harness.draw(&tracked(&moving, &log), size());
    let still = Moving::new(2016, 1.0).test_scene;
    for cube in 2000..2016 {
        let TestScene { positions, rotations, scales, colors, .. } = &still;
        moving.test_scene = moving.test_scene.with(
            positions[cube].0,
            scales[cube].0,
            rotations[cube].0,
            colors[cube],
        );
    }
    log.recent.extend(2000..2016);
    let drawn = harness.draw(&tracked(&moving, &log), size());
    assert_eq!(harness.renderer.uploaded_bytes(), GLOBALS + 16 * (RECORD + COLOR));
    let afresh = drawn_afresh(&gpu, Geometry::Pulled, &moving.view());
    assert!(drawn == afresh);
    assert_eq!(harness.renderer.draw_stats().total, 2016);
}
