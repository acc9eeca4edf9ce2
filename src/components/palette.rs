//! Palettes: ramps of colors, and the property that selects the color of a cube in them.

use serde::{Deserialize, Serialize};

use super::Color;
use crate::names::names;

/// A ramp of colors with equal perceived differences (in Oklab: Ottosson, "A perceptual color space
/// for image processing", 2020).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Palette {
    /// Plum, red, orange, cream. Dark to light.
    #[default]
    Ember,
    /// Navy, teal, foam. Dark to light.
    Ocean,
    /// Violet, pink, ivory. Dark to light.
    Orchid,
    /// Fir, moss, straw. Dark to light.
    Forest,
    /// Steel blue, pale, copper.
    Copper,
    /// Pastel colors of the rainbow, of about the same lightness.
    Candy,
}

names!(Palette {
    Ember => "ember",
    Ocean => "ocean",
    Orchid => "orchid",
    Forest => "forest",
    Copper => "copper",
    Candy => "candy",
});

/// Number of colors of a ramp.
const STOPS: usize = 9;

impl Palette {
    /// Returns the colors at equal steps, as `0xRRGGBB`.
    const fn stops(self) -> &'static [u32; STOPS] {
        match self {
            Self::Ember => &[
                0x3B_1338, 0x65_1C49, 0x93_2653, 0xC0_3349, 0xE3_5339, 0xF2_8031, 0xFC_AD4C,
                0xFF_D881, 0xFF_F4D6,
            ],
            Self::Ocean => &[
                0x0F_2A4F, 0x13_416C, 0x15_5B86, 0x12_7798, 0x1D_93A4, 0x3F_AEAB, 0x69_C8B0,
                0x9F_DDBB, 0xD3_EFC8,
            ],
            Self::Orchid => &[
                0x2B_1B57, 0x4E_267B, 0x76_3499, 0xA3_43A6, 0xCB_5DA7, 0xEB_7BA2, 0xFB_A2A7,
                0xFF_CCB6, 0xFF_F3E6,
            ],
            Self::Forest => &[
                0x15_3A35, 0x1D_5140, 0x2A_6949, 0x43_7F4C, 0x62_954A, 0x89_A94C, 0xB2_BB56,
                0xD4_CF77, 0xF2_E3A0,
            ],
            Self::Copper => &[
                0x1D_4E6B, 0x38_7088, 0x58_92A4, 0x86_B2BC, 0xBB_D2CF, 0xED_CCA4, 0xE9_A263,
                0xD0_7844, 0xB3_502D,
            ],
            Self::Candy => &[
                0xFF_7D8A, 0xFF_9B73, 0xFE_B859, 0xEA_D65B, 0xAC_D576, 0x71_CD9C, 0x57_C3CE,
                0x72_B0EA, 0x9D_96F0,
            ],
        }
    }

    /// Returns the palette after this one; the first one after the last.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Returns the color at a place from 0 to 1. Integers make it the same on every platform.
    pub fn color(self, place: f32) -> Color {
        let place = (place.clamp(0.0, 1.0) * (256 * (STOPS - 1)) as f32) as u32;
        let index = (place / 256).min(STOPS as u32 - 2) as usize;
        let (stops, share) = (self.stops(), place - 256 * index as u32);
        let [low, high] = [stops[index], stops[index + 1]].map(u32::to_be_bytes);
        let channel = |at: usize| {
            let mixed = u32::from(low[at]) * (256 - share) + u32::from(high[at]) * share;
            ((mixed + 128) / 256) as u8
        };
        Color::srgb(channel(1), channel(2), channel(3))
    }
}

/// Property that selects the color of a cube in its palette.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ColorBy {
    /// Where it spawned, or was when the palette was chosen: wide diagonal bands over X and Z, mixed a little.
    #[default]
    Place,
    /// At random, once per cube.
    Random,
    /// Its height, from the ground to the top of the box.
    Height,
    /// Its speed, from 0 to 40 m/s.
    Speed,
    /// How long it has been falling, from 0 to 10 s: its speed along its acceleration, divided by
    /// the acceleration.
    Age,
}

impl ColorBy {
    /// Returns `true` if a cube changes its color while it moves.
    pub const fn varies(self) -> bool {
        matches!(self, Self::Height | Self::Speed | Self::Age)
    }
}

names!(ColorBy {
    Place => "place",
    Random => "random",
    Height => "height",
    Speed => "speed",
    Age => "age",
});

/// A palette, and how cubes are placed in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Coloring {
    /// The ramp.
    pub palette: Palette,
    /// What selects a color of the ramp.
    pub by: ColorBy,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oklab coordinates of an sRGB color.
    fn oklab(color: Color) -> [f64; 3] {
        let rgb = color.to_srgb().map(|channel| {
            let x = f64::from(channel) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        });
        let times = |rows: [[f64; 3]; 3], v: [f64; 3]| {
            rows.map(|row| row.into_iter().zip(v).map(|(a, b)| a * b).sum::<f64>())
        };
        let cones = times(
            [
                [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
                [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
                [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
            ],
            rgb,
        );
        times(
            [
                [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
                [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
                [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
            ],
            cones.map(f64::cbrt),
        )
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.into_iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn steps_of_a_palette_look_equal() {
        for palette in Palette::ALL {
            let at = |step: u8| oklab(palette.color(f32::from(step) / 16.0));
            let steps: Vec<_> = (0..16).map(|step| distance(at(step), at(step + 1))).collect();
            let mean = steps.iter().sum::<f64>() / 16.0;
            let worst = steps.iter().map(|step| (step / mean - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 0.35, "{palette}: {worst} of {steps:?}");
        }
    }

    /// Lightness alone tells colors apart, whatever the color vision.
    #[test]
    fn four_palettes_go_from_dark_to_light_in_equal_steps() {
        for palette in [Palette::Ember, Palette::Ocean, Palette::Orchid, Palette::Forest] {
            let lightness = |step: u8| oklab(palette.color(f32::from(step) / 8.0))[0];
            let mean = (lightness(8) - lightness(0)) / 8.0;
            for step in 0..8 {
                let rise = lightness(step + 1) - lightness(step);
                assert!((rise / mean - 1.0).abs() < 0.3, "{palette}, {step}: {rise} of {mean}");
            }
            assert!(mean > 0.07, "{palette}: {mean}");
        }
    }

    #[test]
    fn ends_and_stops_are_exact_and_places_are_clamped() {
        for palette in Palette::ALL {
            let stops = palette.stops();
            for (step, stop) in (0_u8..).zip(stops) {
                let [_, red, green, blue] = stop.to_be_bytes();
                let color = palette.color(f32::from(step) / 8.0);
                assert_eq!(color.to_srgb(), [red, green, blue], "{palette}, {step}");
            }
            assert_eq!(palette.color(-3.0), palette.color(0.0));
            assert_eq!(palette.color(7.0), palette.color(1.0));
            assert_eq!(palette.color(f32::NAN), palette.color(0.0));
        }
    }
}
