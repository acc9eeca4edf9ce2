//! Agreement: every way of drawing a scene gives the picture that rays give.

use cubefall::render::{Culling, Geometry, Quality, RenderSettings, Streaming};

use crate::comparison::compare;
use crate::gallery;
use crate::painter::{Painter, streaming_gpu};
use crate::reference::Reference;

/// Share of the pixels of a picture that have to be compared at least: all but edges, and all but the
/// rims of shadows, which are as wide as cubes where the camera is very near.
fn least(quality: Quality) -> f64 {
    match quality {
        Quality::Low => 0.98,
        Quality::Medium => 0.95,
        Quality::High => 0.45,
    }
}

#[test]
fn each_pixel_is_what_a_ray_through_it_says() {
    let gpus: Vec<_> =
        Streaming::ALL.into_iter().filter_map(|way| streaming_gpu(Some(way))).collect();
    let mut painters = Vec::new();
    for gpu in &gpus {
        for quality in Quality::ALL {
            for geometry in Geometry::ALL {
                let settings =
                    RenderSettings { effects: quality.effects(), geometry, culling: Culling::OFF };
                let painter = Painter::new(gpu, settings);
                let name = [quality.name(), geometry.name(), gpu.streaming().name()].join(", ");
                painters.push((name, quality, painter));
            }
        }
    }
    for exhibit in gallery::all() {
        let reference = Reference::new(&exhibit.scene(), exhibit.size);
        for quality in Quality::ALL {
            let expected = reference.expected(quality.effects());
            for (name, _, painter) in painters.iter_mut().filter(|painter| painter.1 == quality) {
                let drawn = painter.draw(&exhibit.scene(), exhibit.size);
                let name = [exhibit.name, name].join(", ");
                compare(&name, &expected, &drawn, least(quality));
                let again = painter.draw(&exhibit.scene(), exhibit.size);
                assert!(again == drawn, "{name}: not the same again");
            }
        }
    }
}
