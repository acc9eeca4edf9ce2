//! Comparison of an image with expected bounds.

use cubefall::render::Image;

use crate::diff_image;
use crate::reference::{Bounds, STORED};

/// Asserts that each pixel is within its bounds, and that at least a fraction `least` of them has bounds.
pub(crate) fn compare(name: &str, expected: &[Option<Bounds>], drawn: &Image, least: f64) {
    let differences: Vec<f64> = expected
        .iter()
        .zip(drawn.rgba().as_chunks::<4>().0)
        .map(|(bounds, pixel)| bounds.map_or(0.0, |bounds| off(bounds, *pixel)))
        .collect();
    let compared = expected.iter().flatten().count() as f64 / expected.len() as f64;
    let worst = differences.iter().copied().fold(0.0, f64::max);
    let wrong = differences.iter().filter(|&&off| off > STORED).count();
    let failed = wrong > 0 || compared < least;
    if failed || std::env::var_os("CUBEFALL_IMAGES").is_some() {
        let file = diff_image::write(name, expected, drawn, &differences);
        println!(
            "{name}: {wrong} pixels are off, by up to {worst:.2}; {compared:.3} compared; {file}"
        );
    }
    assert!(!failed, "{name}: {wrong} pixels are off, by up to {worst:.2}; {compared:.3} compared");
}

/// Distance of a pixel from its bounds, in steps of a channel.
fn off([low, high]: Bounds, pixel: [u8; 4]) -> f64 {
    let channels = pixel.into_iter().zip(low.into_iter().zip(high));
    let off = channels.map(|(drawn, (low, high))| {
        let drawn = f64::from(drawn);
        (low - drawn).max(drawn - high)
    });
    off.fold(0.0, f64::max)
}
