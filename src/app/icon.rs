//! Icon: a cube, drawn pixel by pixel.

use winit::window::Icon;

/// Width and height in pixels.
const SIDE: usize = 64;

/// Each pixel is the mean of so many by so many points.
const SAMPLES: usize = 4;

/// Length of an edge in pixels.
const EDGE: f32 = 29.0;

/// Red, green and blue of the upper, the left and the right face.
const FACES: [[f32; 3]; 3] = [[255.0, 196.0, 92.0], [236.0, 94.0, 128.0], [104.0, 74.0, 196.0]];

/// What stands for the window elsewhere; none if the window system takes no such picture.
pub(super) fn icon() -> Option<Icon> {
    Icon::from_rgba(pixels(), SIDE as u32, SIDE as u32).ok()
}

/// Red, green, blue and alpha of each pixel, row by row from the top.
fn pixels() -> Vec<u8> {
    (0..SIDE * SIDE)
        .flat_map(|pixel| pixel_at((pixel % SIDE) as f32, (pixel / SIDE) as f32))
        .collect()
}

#[expect(clippy::cast_sign_loss, reason = "means of colours, from 0 to 255")]
fn pixel_at(x: f32, y: f32) -> [u8; 4] {
    let sample = |at: usize| (at as f32 + 0.5) / SAMPLES as f32;
    let all = SAMPLES * SAMPLES;
    let hits: Vec<_> = (0..all)
        .filter_map(|i| face(x + sample(i % SAMPLES), y + sample(i / SAMPLES)))
        .map(|face| FACES[face])
        .collect();
    let mean = |channel: usize| {
        let sum: f32 = hits.iter().map(|color| color[channel]).sum();
        (sum / hits.len().max(1) as f32).round() as u8
    };
    [mean(0), mean(1), mean(2), (hits.len() * 255 / all) as u8]
}

/// The face that is seen at a point, from a corner: each is a rhombus with the corner in the middle.
fn face(x: f32, y: f32) -> Option<usize> {
    let middle = SIDE as f32 / 2.0;
    // Along the edges to the right and down, in edges; the third one goes straight up.
    let across = (x - middle) / (EDGE * 3_f32.sqrt() / 2.0);
    let down = (y - middle) / EDGE;
    let (right, left) = (down + across / 2.0, down - across / 2.0);
    let within = |a: f32, b: f32| (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b);
    if within(-right, -left) {
        Some(0)
    } else if within(-across, left) {
        Some(1)
    } else if within(across, right) {
        Some(2)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_faces_meet_in_the_middle_and_corners_are_clear() {
        let pixels = pixels();
        let at = |x: usize, y: usize| &pixels[(y * SIDE + x) * 4..][..4];
        for (x, y) in [(0, 0), (63, 0), (0, 63), (63, 63), (2, 32 - 26)] {
            assert_eq!(at(x, y)[3], 0, "{x}, {y}");
        }
        let faces = [at(32, 18), at(18, 40), at(46, 40)];
        for (face, color) in faces.into_iter().zip(FACES) {
            assert_eq!(face[3], 255);
            assert!(face.iter().zip(color).all(|(&seen, color)| f32::from(seen) == color));
        }
        assert!(icon().is_some());
    }
}
