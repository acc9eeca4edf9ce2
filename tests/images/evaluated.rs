//! Motion evaluated by the GPU gives the image of the same cubes evaluated on the CPU.

use cubefall::components::EndlessField;
use cubefall::render::{Culling, Geometry, Gpu, GpuSettings, Quality, RenderSettings};
use glam::Vec3;

use crate::harness::{Harness, exact, gpu};
use crate::moving::{Moving, assert_alike, harness, size};

#[test]
fn evaluated_motion_has_the_image_of_cubes_evaluated_on_the_cpu() {
    let gpu = gpu();
    let mut moving = Moving::new(400, 2.0);
    for (field, quality) in [
        (None, Quality::Low),
        (None, Quality::Medium),
        (None, Quality::High),
        (Some(EndlessField { period: Vec3::splat(60.0), strength: 1.0 }), Quality::High),
    ] {
        moving.test_scene.field = field;
        for geometry in [Geometry::Pulled, Geometry::Instanced] {
            let mut harness = harness(&gpu, geometry, quality);
            for now in [100_000, 60_000, 140_123] {
                moving.now = now;
                let name = format!("{geometry:?}, {quality}, field: {}, {now}", field.is_some());
                let drawn = harness.draw(&moving.view(), size());
                let expected = harness.draw(&moving.evaluated().scene(), size());
                assert_alike(&name, &drawn, &expected);
                assert!(harness.draw(&moving.view(), size()) == drawn, "{name}: drawn again");
                assert_eq!(harness.renderer.draw_stats().full, 400);
                let frozen = harness.draw(&moving.test_scene.scene(), size());
                assert!(frozen != drawn, "{name}: the motion makes a difference");
            }
        }
    }
}

#[test]
fn cubes_in_several_pages_have_the_image_of_cubes_in_one() {
    let whole = gpu();
    // 14,560 records per page.
    let settings = GpuSettings { max_buffer_size: Some(1 << 20), ..GpuSettings::default() };
    let paged = pollster::block_on(Gpu::headless(&settings)).unwrap();
    for geometry in [Geometry::Pulled, Geometry::Instanced] {
        let mut harness = harness(&paged, geometry, Quality::High);
        // Growing and shrinking, over the ends of pages and of the blocks of a draw call.
        for count in [14_560, 40_000, 14_561, 300] {
            let moving = Moving::new(count, 0.6);
            let drawn = harness.draw(&moving.view(), size());
            assert_eq!(harness.renderer.draw_stats().total, count as u32);
            let expected =
                self::harness(&whole, geometry, Quality::High).draw(&moving.view(), size());
            assert!(drawn == expected, "{count} cubes, {geometry:?}");
        }
    }
}

#[test]
fn one_renderer_draws_both_motions_in_turn() {
    let gpu = gpu();
    let moving = Moving::new(500, 2.0);
    let still = moving.evaluated();
    for geometry in [Geometry::Pulled, Geometry::Instanced] {
        let settings = RenderSettings {
            geometry,
            culling: Culling { frustum: true, small_below: 0.0 },
            ..exact(Quality::High.effects())
        };
        let mut harness = Harness::new(&gpu, settings);
        let first = [&moving.view(), &still.scene()].map(|scene| harness.draw(scene, size()));
        for _ in 0..2 {
            let again = [&moving.view(), &still.scene()].map(|scene| harness.draw(scene, size()));
            assert!(again == first, "{geometry:?}");
        }
        assert_alike(&format!("{geometry:?}"), &first[0], &first[1]);
    }
}
