//! Random stream: every number of a scene, the same on every platform.

use glam::{Quat, Vec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Random numbers drawn one after the other from a `ChaCha8` stream, which its crate promises to
/// keep as it is.
///
/// What is made of the stream uses only operations that IEEE 754 rounds exactly (no sine, no
/// logarithm), so a seed gives the same bytes everywhere.
#[derive(Clone)]
pub(super) struct RandomStream(ChaCha8Rng);

impl RandomStream {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Another stream of the same seed, which has nothing to do with the first one.
    pub(super) fn second(seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(1);
        Self(random)
    }

    /// How many words of the stream are drawn.
    #[cfg(feature = "snapshot")]
    pub(super) fn position(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// The same stream, so many words of it drawn.
    #[cfg(feature = "snapshot")]
    pub(super) fn at(mut self, position: u128) -> Self {
        self.0.set_word_pos(position);
        self
    }

    /// Uniform in `0.0..1.0`: 24 random bits, as many as an `f32` holds.
    pub(super) fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1 << 24) as f32
    }

    /// Uniform from `low` to `high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the cube of ±`half` about the origin.
    pub(super) fn in_box(&mut self, half: f32) -> Vec3 {
        let [x, y, z] = [(); 3].map(|()| self.between(-half, half));
        Vec3::new(x, y, z)
    }

    /// Uniform over all rotations (Marsaglia, "Choosing a Point from the Surface of a Sphere",
    /// 1972).
    pub(super) fn rotation(&mut self) -> Quat {
        let (x, y, xy) = self.in_disk();
        let (z, w, zw) = self.in_disk();
        let factor = ((1.0 - xy) / zw).sqrt();
        Quat::from_xyzw(x, y, z * factor, w * factor)
    }

    /// A point of the unit disk without its centre, and its squared distance from there.
    fn in_disk(&mut self) -> (f32, f32, f32) {
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let squared = x * x + y * y;
            if squared > 0.0 && squared < 1.0 {
                return (x, y, squared);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_unit_quaternions_without_a_preferred_direction() {
        let mut random = RandomStream::new(7);
        let mut mean = Vec3::ZERO;
        for _ in 0..10_000 {
            let rotation = random.rotation();
            assert!((rotation.length() - 1.0).abs() < 1e-5);
            mean += rotation * Vec3::X / 10_000.0;
        }
        // The mean of n directions has a standard deviation of 1/sqrt(3 n) = 0.006 along each axis.
        assert!(mean.abs().max_element() < 0.03, "{mean}");
    }

    #[test]
    fn the_second_stream_of_a_seed_is_another_one_and_always_the_same() {
        let numbers = |mut random: RandomStream| [(); 8].map(|()| random.unit());
        let second = numbers(RandomStream::second(7));
        assert_eq!(second, numbers(RandomStream::second(7)));
        assert!(numbers(RandomStream::new(7)).iter().all(|number| !second.contains(number)));
    }

    #[test]
    fn numbers_fill_their_range_and_stay_inside() {
        let mut random = RandomStream::new(7);
        let numbers = [(); 10_000].map(|()| random.between(3.0, 5.0));
        let (low, high) =
            numbers.iter().fold((5.0_f32, 3.0_f32), |(low, high), &x| (low.min(x), high.max(x)));
        assert!((3.0..3.01).contains(&low) && (4.99..5.0).contains(&high), "{low} {high}");
    }
}
