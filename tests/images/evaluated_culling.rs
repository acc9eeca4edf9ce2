//! Culling on the GPU draws the same cubes as culling on the CPU.

use cubefall::components::EndlessField;
use cubefall::render::{
    Culling, DrawStats, Geometry, Gpu, GpuSettings, Image, Quality, RenderSettings, SceneView,
};
use glam::Vec3;

use crate::harness::{Harness, exact, gpu};
use crate::moving::{Moving, assert_alike, size};
use crate::test_scene::TestScene;

/// Draws a frame, and again until the GPU has reported the numbers of visible cubes.
fn draw_and_count(harness: &mut Harness<'_>, scene: &SceneView<'_>) -> (Image, DrawStats) {
    let image = harness.draw(scene, size());
    for _ in 0..2 {
        assert!(harness.draw(scene, size()) == image, "the same bytes each time");
    }
    (image, harness.renderer.draw_stats())
}

#[test]
fn culling_on_the_gpu_draws_the_cubes_that_the_cpu_lists() {
    let whole = gpu();
    let settings = GpuSettings { max_buffer_size: Some(1 << 20), ..GpuSettings::default() };
    let paged = pollster::block_on(Gpu::headless(&settings)).unwrap();
    let near = Vec3::new(3.0, 2.0, 12.0);
    let far = Vec3::new(20.0, 60.0, 200.0);
    let field = Some(EndlessField { period: Vec3::splat(60.0), strength: 1.0 });
    for (name, gpu, count, eye, field) in [
        ("among the cubes", &whole, 3_000, near, None),
        ("from afar", &whole, 3_000, far, None),
        ("in pages", &paged, 40_000, near, None),
        ("in the field", &whole, 3_000, near, field),
    ] {
        let mut moving = Moving::new(count, 0.6);
        moving.test_scene = moving.test_scene.seen(eye, Vec3::ZERO);
        moving.test_scene.field = field;
        for culling in [
            Culling { frustum: true, small_below: 0.0 },
            Culling { frustum: false, small_below: 3.0 },
            Culling::ON,
        ] {
            let settings = RenderSettings { culling, ..exact(Quality::Medium.effects()) };
            let mut culled = Harness::new(gpu, settings);
            let (drawn, stats) = draw_and_count(&mut culled, &moving.view());
            // The same decisions on the CPU, for cubes that are not at an edge.
            let (expected, listed) =
                draw_and_count(&mut Harness::new(gpu, settings), &moving.evaluated().scene());
            assert_alike(&format!("{name}, {culling:?}"), &drawn, &expected);
            let apart = stats.full.abs_diff(listed.full) + stats.small.abs_diff(listed.small);
            assert!(apart <= stats.total / 2_000, "{name}, {culling:?}: {stats:?}, {listed:?}");
            if culling.small_below == 0.0 {
                let all = RenderSettings { culling: Culling::OFF, ..settings };
                let all = Harness::new(gpu, all).draw(&moving.view(), size());
                assert!(drawn == all, "{name}: frustum culling changes no pixel");
            }
            if culled.renderer.geometry() == Geometry::Instanced {
                continue;
            }
            if culling.frustum && name != "from afar" {
                assert!(stats.full + stats.small < stats.total, "{name}: {stats:?}");
            }
            if culling.small_below > 0.0 && name != "among the cubes" {
                assert!(stats.small > 200, "{name}: {stats:?}");
            }
        }
    }
}

#[test]
fn a_page_without_visible_cubes_and_an_empty_scene_are_drawn() {
    let gpu = gpu();
    let settings = RenderSettings { culling: Culling::ON, ..exact(Quality::Low.effects()) };
    let mut harness = Harness::new(&gpu, settings);
    let mut moving = Moving::new(300, 1.0);
    let sky = harness.draw(&Moving::new(0, 1.0).view(), size());
    moving.test_scene = moving.test_scene.seen(Vec3::Z * 500.0, Vec3::Z * 1000.0);
    let (drawn, stats) = draw_and_count(&mut harness, &moving.view());
    if harness.renderer.geometry() == Geometry::Pulled {
        assert_eq!((stats.total, stats.full, stats.small), (300, 0, 0));
    }
    let empty = TestScene { ground: -25.0, ..TestScene::default() };
    let empty = empty.seen(Vec3::Z * 500.0, Vec3::Z * 1000.0);
    assert!(drawn == harness.draw(&empty.scene(), size()));
    assert!(sky != drawn);
}
