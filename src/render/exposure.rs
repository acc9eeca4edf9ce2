//! Exposure: the average of several finished images in linear light, as on film behind an open shutter, except
//! that light brighter than white counts as white.

use std::collections::TryReserveError;
use std::fmt;

use super::{Image, Size};

/// Linear value of full brightness. Sums of [`Exposure::MAX_SAMPLES`] fit 32 bits.
const WHITE: f64 = 8_388_607.0;

/// Sums of the light of images of one size.
pub struct Exposure {
    size: Size,
    /// Sums of linear red, green, blue, and of alpha.
    sums: Vec<u32>,
    samples: u32,
    /// Linear values of the 256 codes of a channel.
    linear: Vec<u32>,
    /// Linear values half way between two codes.
    steps: Vec<u32>,
}

/// Prints the size and the number of images.
impl fmt::Debug for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exposure")
            .field("size", &self.size)
            .field("samples", &self.samples)
            .finish_non_exhaustive()
    }
}

impl Exposure {
    /// Most images of an average.
    pub const MAX_SAMPLES: u32 = 256;
    /// Main memory for a pixel, in bytes.
    pub const BYTES_PER_PIXEL: u64 = 16;

    /// Starts without light.
    ///
    /// # Errors
    /// Main memory does not suffice.
    pub fn new(size: Size) -> Result<Self, TryReserveError> {
        let values = size.width() as usize * size.height() as usize * 4;
        let mut sums = Vec::new();
        sums.try_reserve_exact(values)?;
        sums.resize(values, 0);
        let codes = (0..=255).map(f64::from);
        let steps = (0..255).map(|code| linear(f64::from(code) + 0.5)).collect();
        Ok(Self { size, sums, samples: 0, linear: codes.map(linear).collect(), steps })
    }

    /// Adds the light of an image.
    ///
    /// # Panics
    /// The image has another size, or there are more than [`MAX_SAMPLES`](Self::MAX_SAMPLES).
    pub fn add(&mut self, image: &Image) {
        assert!(image.size() == self.size && self.samples < Self::MAX_SAMPLES);
        for (sums, pixel) in self.sums.chunks_exact_mut(4).zip(image.rgba().chunks_exact(4)) {
            for (sum, &code) in sums[..3].iter_mut().zip(pixel) {
                *sum += self.linear[usize::from(code)];
            }
            sums[3] += u32::from(pixel[3]);
        }
        self.samples += 1;
    }

    /// Returns the average of the images since the last call, and starts again without light.
    ///
    /// # Panics
    /// There were none.
    pub fn finish(&mut self) -> Image {
        let samples = self.samples;
        let mean = |sum: u32| (u64::from(sum) + u64::from(samples) / 2) / u64::from(samples);
        let code = |light: u64| self.steps.partition_point(|&step| u64::from(step) <= light) as u8;
        let mut rgba = Vec::with_capacity(self.sums.len());
        for sums in self.sums.chunks_exact(4) {
            rgba.extend(sums[..3].iter().map(|&sum| code(mean(sum))));
            rgba.push(mean(sums[3]) as u8);
        }
        self.sums.fill(0);
        self.samples = 0;
        Image::new(self.size, rgba)
    }
}

/// Returns the linear value of a code (IEC 61966-2-1), which may lie between two codes.
fn linear(code: f64) -> u32 {
    let value = code / 255.0;
    let linear = if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    (linear * WHITE).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(codes: &[u8]) -> Image {
        let rgba = codes.iter().flat_map(|&code| [code, code, code, 255]).collect();
        Image::new(Size::new(codes.len() as u32, 1).unwrap(), rgba)
    }

    fn average(images: &[&[u8]]) -> Vec<u8> {
        let mut exposure = Exposure::new(image(images[0]).size()).unwrap();
        for codes in images {
            exposure.add(&image(codes));
        }
        exposure.finish().rgba().chunks(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn equal_images_stay_as_they_are() {
        let all: Vec<u8> = (0..=255).collect();
        for samples in [1, 2, 3, 7, 256] {
            assert_eq!(average(&vec![&all[..]; samples]), all, "{samples}");
        }
    }

    #[test]
    fn the_average_is_that_of_light() {
        // By IEC 61966-2-1: half of the light of white is code 187.5, a quarter 136.96, a tenth 89.03.
        assert!([187, 188].contains(&average(&[&[255], &[0]])[0]));
        assert_eq!(average(&[&[255], &[0], &[0], &[0]]), [137]);
        let mut ten = vec![&[0_u8][..]; 9];
        ten.push(&[255]);
        assert_eq!(average(&ten), [89]);
        // 0.2158605 and 0.0144438 of white are codes 128 and 32; their mean 0.1151522 is code 95.24.
        assert_eq!(average(&[&[128], &[32]]), [95]);
    }

    #[test]
    fn an_exposure_starts_again_without_light() {
        let mut exposure = Exposure::new(image(&[0]).size()).unwrap();
        for codes in [[200], [10]] {
            exposure.add(&image(&codes));
            assert!(exposure.finish() == image(&codes));
        }
    }
}
