//! Colour: what a cube's surface reflects. An entity with a colour is drawn.

use bytemuck::{Pod, Zeroable};

/// Red, green and blue in sRGB encoding, and a fourth byte that pads to what a GPU can fetch; 4
/// bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Color([u8; 4]);

const _: () = assert!(size_of::<Color>() == 4);

impl Color {
    /// From sRGB components, 0 to 255 each.
    #[must_use]
    pub const fn srgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, 255])
    }

    /// From hue, saturation and value, each from 0 to 1; hue 0 is red, 1/3 green, 2/3 blue (Smith,
    /// "Color Gamut Transform Pairs", 1978). Exact arithmetic only, so the same on every platform.
    #[must_use]
    pub fn from_hsv(hue: f32, saturation: f32, value: f32) -> Self {
        let channel = |offset: f32| {
            let distance = ((hue * 6.0 + offset).rem_euclid(6.0) - 3.0).abs() - 1.0;
            let level = value * (1.0 - saturation * (1.0 - distance.clamp(0.0, 1.0)));
            quantize(level)
        };
        Self::srgb(channel(0.0), channel(4.0), channel(2.0))
    }

    /// Red, green and blue in sRGB encoding.
    #[must_use]
    pub const fn to_srgb(self) -> [u8; 3] {
        let [red, green, blue, _] = self.0;
        [red, green, blue]
    }
}

/// The nearest of 256 steps from 0 to 1.
#[expect(clippy::cast_sign_loss, reason = "the cast saturates: what is below 0 becomes 0")]
fn quantize(level: f32) -> u8 {
    (level * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hue_runs_from_red_through_green_and_blue_back_to_red() {
        let pure = |hue| Color::from_hsv(hue, 1.0, 1.0).to_srgb();
        assert_eq!(pure(0.0), [255, 0, 0]);
        assert_eq!(pure(1.0 / 6.0), [255, 255, 0]);
        assert_eq!(pure(2.0 / 6.0), [0, 255, 0]);
        assert_eq!(pure(0.5), [0, 255, 255]);
        assert_eq!(pure(4.0 / 6.0), [0, 0, 255]);
        assert_eq!(pure(5.0 / 6.0), [255, 0, 255]);
        assert_eq!(pure(1.0), [255, 0, 0]);
        assert_eq!(Color::from_hsv(0.3, 0.0, 0.5).to_srgb(), [128, 128, 128]);
    }
}
