//! Every way of drawing a scene agrees with the reference renderer.

use cubefall::render::{
    AmbientOcclusion, Culling, Effects, Geometry, Quality, RenderSettings, Streaming,
};

use crate::cases;
use crate::comparison::compare;
use crate::harness::{Harness, streaming_gpu};
use crate::reference::Reference;

/// Minimum fraction of compared pixels: all but edges and the
/// rims of shadows, which are as wide as cubes close to the camera.
fn least(quality: Quality) -> f64 {
    match quality {
        Quality::Low => 0.98,
        Quality::Medium => 0.95,
        Quality::High => 0.45,
    }
}

/// The effects of a quality that depend on one surface only. `post` tests the others.
fn compared(quality: Quality) -> Effects {
    let effects = quality.effects();
    match effects.ao {
        AmbientOcclusion::Screen => {
            Effects { ao: AmbientOcclusion::Block, bloom: false, ..effects }
        }
        _ => effects,
    }
}

#[test]
fn every_pixel_matches_the_reference_renderer() {
    let gpus: Vec<_> =
        Streaming::ALL.into_iter().filter_map(|way| streaming_gpu(Some(way))).collect();
    let mut harnesses = Vec::new();
    for gpu in &gpus {
        for quality in Quality::ALL {
            for geometry in Geometry::ALL {
                let settings =
                    RenderSettings { effects: compared(quality), geometry, culling: Culling::OFF };
                let harness = Harness::new(gpu, settings);
                let name = [quality.name(), geometry.name(), gpu.streaming().name()].join(", ");
                harnesses.push((name, quality, harness));
            }
        }
    }
    for case in cases::all() {
        let reference = Reference::new(&case.scene(), case.size);
        for quality in Quality::ALL {
            let expected = reference.expected(compared(quality));
            for (name, _, harness) in harnesses.iter_mut().filter(|harness| harness.1 == quality) {
                let drawn = harness.draw(&case.scene(), case.size);
                let name = [case.name, name].join(", ");
                compare(&name, &expected, &drawn, least(quality));
                let again = harness.draw(&case.scene(), case.size);
                assert!(again == drawn, "{name}: a second frame differs");
            }
        }
    }
}
