//! A PNG of a comparison: expected, drawn and difference side by side.

use std::fs::File;
use std::io::BufWriter;

use cubefall::render::Image;

use crate::reference::Bounds;

/// Color of pixels without bounds.
const NO_BOUNDS: [u8; 3] = [255, 0, 255];

/// Amplification of differences.
const GAIN: f64 = 50.0;

/// Writes the file and returns its path.
#[expect(clippy::cast_sign_loss, reason = "the casts saturate")]
pub(crate) fn write(
    name: &str,
    expected: &[Option<Bounds>],
    drawn: &Image,
    differences: &[f64],
) -> String {
    let path = format!("{}/{}.png", env!("CARGO_TARGET_TMPDIR"), name.replace(' ', "-"));
    let width = drawn.size().width() as usize;
    let pixels = drawn.rgba().as_chunks::<4>().0;
    let mut rgb = Vec::new();
    for row in 0..drawn.size().height() as usize {
        let row = row * width..(row + 1) * width;
        for bounds in &expected[row.clone()] {
            rgb.extend(
                bounds.map_or(NO_BOUNDS, |[low, _]| low.map(|channel| channel.round() as u8)),
            );
        }
        for [red, green, blue, _] in &pixels[row.clone()] {
            rgb.extend([*red, *green, *blue]);
        }
        for difference in &differences[row] {
            rgb.extend([(difference * GAIN) as u8; 3]);
        }
    }
    let file = BufWriter::new(File::create(&path).unwrap());
    let mut encoder = png::Encoder::new(file, drawn.size().width() * 3, drawn.size().height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&rgb).unwrap();
    path
}
